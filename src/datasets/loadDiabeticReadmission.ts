import type { Dataset } from './dataset.js';
import type { LoadDiabeticReadmissionOptions } from './loaderTables.js';
import type { Encounter } from './readDiabeticReadmission.js';

/**
 * Diabetes in 130 US hospitals, 1999-2008: 101,766 hospital stays of 71,518 patients. `X` has a record for each stay, `groups`
 * the patient: patients come back, so that folds must keep them whole. Counts are numbers; all other columns are texts,
 * also the codes of admission and discharge, since their order means nothing. `y` is 1 for a readmission within 30 days
 * (11,357 stays), or at any time with `outcome: 'any'` (46,902). No row is left out: 2,423 stays ended in death or hospice
 * (`discharge_disposition_id` 11, 13, 14, 19, 20, 21), after which nobody is readmitted; Strack et al. left these out and
 * took the first stay of each patient. Downloaded from UCI once (3 MB), verified by the SHA-256 of diabetic_data.csv, then
 * read from the cache.
 *
 * Source: Strack et al. 2014, doi 10.1155/2014/781670; Clore, Cios, DeShazo & Strack 2014, UCI, CC BY 4.0.
 *
 * @throws {CVKitError} that says what to do, when there is no connection and no cached file (`download_failed`,
 *   `download_timeout`), the file is not the published one (`checksum`), or the cache cannot be used (`cache_unusable`)
 * @throws {InvalidOptionError} for time limits of a download beside `path`
 * @throws {InvalidDataError} that names line and column when the file at `path` has another shape
 *
 * @example
 * const { X, y, groups } = await loadDiabeticReadmission({ path: 'diabetic_data.csv', columns: ['age', 'insulin'] });
 */
export async function loadDiabeticReadmission(
  input: LoadDiabeticReadmissionOptions = {},
): Promise<Dataset<Encounter[]>> {
  const { readDiabeticReadmission } = await import('./readDiabeticReadmission.js');
  return readDiabeticReadmission(input);
}
