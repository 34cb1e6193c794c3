import type { Dataset } from './dataset.js';
import type { LoadCancerImagingOptions } from './loaderTables.js';

/**
 * Breast Cancer Wisconsin (Diagnostic), bundled: 569 fine-needle aspirates of as many patients, 30 features of the cell
 * nuclei in the image (mean, standard error and worst of ten measures), `y` = 1 for the 212 malignant ones.
 *
 * Source: Wolberg, Mangasarian, Street & Street 1993, UCI, CC BY 4.0.
 *
 * @throws {InvalidDataError} that names line and column when the file at `path` has another shape
 *
 * @example
 * const { X, y, featureNames } = await loadCancerImaging();
 * console.log(X.length, y.filter((label) => label === 1).length, featureNames.slice(0, 3));
 */
export async function loadCancerImaging(input: LoadCancerImagingOptions = {}): Promise<Dataset> {
  const { readCancerImaging } = await import('./numericCsv.js');
  return readCancerImaging(input);
}
