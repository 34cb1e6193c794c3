/** What a run needs to know to score patients beside rows. */
import { InvalidDataError, phrase, sentence } from '../core/errors.js';
import { rejectUnusedOption } from '../core/options.js';
import { type Aggregate, type Labels, labelsFrom } from '../data/labels.js';
import { withPositive } from '../data/positiveCode.js';
import { patientsOf, type SideData } from '../data/sideData.js';
import { checkPatientLabels } from '../metrics/byPatient.js';
import { truthTable } from './checkPredictions.js';

interface Patients {
  readonly aggregate: Aggregate;
  readonly positive: number;
  readonly data: SideData;
  /** Of two sets, the one whose patients are not known. */
  readonly unnamed?: 'train' | 'test' | undefined;
}

/** @throws {InvalidDataError} without ids of patients, and where the rows of one have labels that do not become one */
export function scoredByPatient(y: Labels, { aggregate, positive, data, unnamed }: Patients): Labels {
  if (y.shape)
    rejectUnusedOption('run', 'aggregate', 'y is masks, whose patients `dice_by_patient` and its like score');
  const patients = unnamed ? undefined : patientsOf(data, y.length)?.codes;
  if (!patients) {
    const got = phrase(unnamed ? `none of the ${unnamed} rows` : 'none');
    const way = unnamed ? 'Pass `patientIds` and `testPatientIds`.' : 'Pass `groups`.';
    throw new InvalidDataError(sentence('`aggregate`', 'have the id of the patient of each row', got, way), {
      code: 'missing_group',
    });
  }
  const known = labelsFrom({ ...y, patients, aggregate });
  checkPatientLabels({ ...truthTable(known, positive, undefined), aggregate });
  return positive < 0 ? known : withPositive(known, positive);
}
