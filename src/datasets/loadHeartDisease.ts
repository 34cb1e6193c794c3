import type { Dataset } from './dataset.js';
import type { LoadHeartDiseaseOptions } from './loaderTables.js';

/**
 * Heart disease, Cleveland: 303 patients, 13 features of examination, ECG and exercise test, NaN where a value is missing
 * (6 cells). `y` is 1 where `num` > 0, a diameter narrowing of more than 50 % in a coronary vessel (139 patients), and 0
 * otherwise. Downloaded from UCI once (18 kB), verified by its SHA-256, then read from the cache.
 *
 * Source: Detrano et al. 1989; Janosi, Steinbrunn, Pfisterer & Detrano 1989, UCI, CC BY 4.0.
 *
 * @throws {CVKitError} that says what to do, when there is no connection and no cached file (`download_failed`,
 *   `download_timeout`), the file is not the published one (`checksum`), or the cache cannot be used (`cache_unusable`)
 * @throws {InvalidOptionError} for time limits of a download beside `path`
 * @throws {InvalidDataError} that names line and column when the file at `path` has another shape
 *
 * @example
 * // two rows as the file has them, invented; left out, the file is fetched and kept
 * const lines = ['60,1,4,130,250,0,2,150,0,2.1,3,0,6,0', '52,0,3,120,210,0,0,165,1,0.5,1,0,3,1'];
 * await writeFile('processed.cleveland.data', `${lines.join('\n')}\n`);
 * const { X, y, featureNames } = await loadHeartDisease({ path: 'processed.cleveland.data' });
 * console.log(X.length, y, featureNames);
 */
export async function loadHeartDisease(input: LoadHeartDiseaseOptions = {}): Promise<Dataset> {
  const { readHeartDisease } = await import('./numericCsv.js');
  return readHeartDisease(input);
}
