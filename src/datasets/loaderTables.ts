/** The options of the loaders, which are loaded when one is called. */
import { type InputOf, listOf, oneOf, optionTable } from '../core/options.js';
import { cacheDirOption, downloadOptions, pathOption, signalOption } from './sourceOptions.js';

export { loaderOptions } from './sourceOptions.js';

export const loadCancerImagingOptions = optionTable('loadCancerImaging', {
  path: pathOption('CSV file (in browsers: URL) with the same 31 columns, read instead of the bundled data.'),
  cacheDir: cacheDirOption('Not needed, as these data are bundled: taken so that all loaders can be called alike.'),
  signal: signalOption,
});

export type LoadCancerImagingOptions = InputOf<typeof loadCancerImagingOptions>;

export const loadHeartDiseaseOptions = optionTable('loadHeartDisease', {
  path: pathOption('The file processed.cleveland.data (in browsers: its URL), read in place of a download.'),
  ...downloadOptions,
});

export type LoadHeartDiseaseOptions = InputOf<typeof loadHeartDiseaseOptions>;

export const loadDiabeticReadmissionOptions = optionTable('loadDiabeticReadmission', {
  path: pathOption(
    'The archive, diabetic_data.csv, or a CSV of some of its rows and columns (in browsers: its URL), read in place of a download.',
  ),
  outcome: oneOf('<30', 'any')
    .default('<30')
    .describe(
      "What `y` = 1 means: readmitted within 30 days ('<30', the outcome of Strack et al.), or at any time ('any').",
    ),
  columns: listOf<string>('string', 'be names of columns', (name) => typeof name === 'string' && name !== '')
    .optional()
    .describe('Columns of X, in this order; left out, all but the ids and the outcome.'),
  ...downloadOptions,
});

export type LoadDiabeticReadmissionOptions = InputOf<typeof loadDiabeticReadmissionOptions>;
