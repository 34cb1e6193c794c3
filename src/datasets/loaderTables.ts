/** The options of the loaders; loaded when one is called. */
import {
  custom,
  type InputOf,
  listOf,
  number,
  type OptionShape,
  type OptionTable,
  oneOf,
  optionTable,
  type Parsed,
  rejectUnusedOption,
} from '../core/options.js';

/** Longest waits that are accepted, in seconds: for the whole, and for the next byte. */
const MOST_TIME = 86_400;
const MOST_STALL = 60;

const pathOption = (what: string) =>
  custom<string | URL>(
    'string | URL',
    'be a non-empty string or a URL',
    (value) => (typeof value === 'string' && value !== '') || value instanceof URL,
  )
    .optional()
    .describe(what);

const signalOption = custom<AbortSignal>('AbortSignal', 'be an AbortSignal', (value) => value instanceof AbortSignal)
  .optional()
  .describe('Gives up reading when it is aborted.');

/** A folder on this machine. No shell is there to know `~`, and other addresses would become folders of that name. */
function isFolder(value: unknown): boolean {
  if (value instanceof URL) return value.protocol === 'file:' && value.host === '';
  if (typeof value !== 'string' || value === '' || /^~([/\\]|$)/.test(value)) return false;
  return /^file:/i.test(value) ? /^file:\/\/\//i.test(value) : !/^[a-z][a-z\d+.-]*:\/\//i.test(value);
}

const cacheDirOption = (what: string) =>
  custom<string | URL>(
    'string | URL',
    'be a folder of this machine as a path or `file:` URL, with the home folder (`~`) written out',
    isFolder,
  )
    .optional()
    .describe(what);

export const downloadOptions = {
  cacheDir: cacheDirOption(
    'Folder that keeps what was downloaded; left out, `cvkit` in the cache folder of the user. No effect with `path`; browsers have none.',
  ),
  timeout: number({ above: 0, max: MOST_TIME })
    .default(300)
    .describe('Seconds for the whole download, after which it gives up.'),
  stallTimeout: number({ above: 0, max: MOST_STALL })
    .default(30)
    .describe('Seconds without a byte after which the download gives up.'),
  signal: signalOption,
};

/** The options of a loader. With `path` nothing is downloaded, and time limits are refused. */
export function loaderOptions<S extends OptionShape>(table: OptionTable<S>, input: unknown): Parsed<S>['options'] {
  const { options, changed } = table.parse(input);
  const idle = ['timeout', 'stallTimeout'].find((name) => changed.has(name));
  if (options.path !== undefined && idle) rejectUnusedOption(table.owner, idle, 'with `path` nothing is downloaded');
  options.signal?.throwIfAborted();
  return options;
}

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
