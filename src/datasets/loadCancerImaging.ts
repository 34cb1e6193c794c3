import { type InputOf, optionTable } from '../core/options.js';
import type { Dataset } from './dataset.js';
import { cacheDirOption, pathOption, signalOption } from './sourceOptions.js';

export const loadCancerImagingOptions = optionTable('loadCancerImaging', {
  path: pathOption('CSV file (in browsers: URL) with the same 31 columns, read instead of the bundled data.'),
  cacheDir: cacheDirOption('Not needed, as these data are bundled: taken so that all loaders can be called alike.'),
  signal: signalOption,
});

export type LoadCancerImagingOptions = InputOf<typeof loadCancerImagingOptions>;

/**
 * Breast Cancer Wisconsin (Diagnostic), bundled: 569 fine-needle aspirates of as many patients, 30 features of the cell
 * nuclei in the image (mean, standard error and worst of ten measures), `y` = 1 for the 212 malignant ones.
 *
 * Source: Wolberg, Mangasarian, Street & Street 1993, UCI, CC BY 4.0.
 *
 * @throws {@link InvalidDataError} that names line and column when the file at `path` has another shape
 *
 * @example
 * const { X, y } = await loadCancerImaging();
 */
export async function loadCancerImaging(input: LoadCancerImagingOptions = {}): Promise<Dataset> {
  const { path, signal } = loadCancerImagingOptions.resolve(input);
  signal?.throwIfAborted();
  const { readCancerImaging } = await import('./readCancerImaging.js');
  return readCancerImaging(path, signal);
}
