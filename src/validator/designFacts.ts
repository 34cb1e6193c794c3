/** What the decision table asks of the data: counts of labels, ids and places. Rows of X are not read. */
import type { Design } from '../checkers/checkOptions.js';
import type { Label } from '../data/labels.js';
import {
  type Groups,
  groupsOf,
  hasPlace,
  knownGroups,
  patientIdsOf,
  patientsOf,
  type SideData,
} from '../data/sideData.js';
import type { Problem } from '../runner/readData.js';
import { type DesignFacts, FEW_ROWS } from './designTable.js';

export type DesignData = Pick<Problem, 'X' | 'y' | 'data'>;

/**
 * The facts. Where no design is named, times mean that order counts, and places that they are to be kept apart.
 *
 * @param design what the folds are to stand for
 */
export function designFacts({ X, y, data }: DesignData, design: Design | undefined): DesignFacts {
  const n = X.length;
  const patients = patientsOf(data, n);
  const repeated = patients !== undefined && patients.count < n;
  const ordered = data.timestamps !== undefined && (design === 'prospective' || design === undefined);
  // Folds by place need the place of every row.
  const placed = data.coordinates !== undefined && Array.from(data.coordinates).every(hasPlace);
  const places = placed && !ordered && (design === undefined || design === 'deployment');
  return {
    task: y.task,
    masks: y.shape !== undefined,
    repeated,
    ordered,
    labelEnds: data.labelEndTimes !== undefined,
    site: design === 'deployment' ? (siteLevel(data, n)?.level ?? null) : null,
    apart: places && (!repeated || movingPatients(patients as Groups, data.coordinates as Places) === 0),
    small: n < FEW_ROWS,
  };
}

type Places = NonNullable<SideData['coordinates']>;

/** Patients with rows at several places. */
export function movingPatients({ codes, count }: Groups, coordinates: Places): number {
  const first = new Int32Array(count).fill(-1);
  const moves = new Set<number>();
  codes.forEach((code, row) => {
    if (!hasPlace(coordinates[row])) return;
    if (first[code] < 0) first[code] = row;
    const [at, home] = [coordinates[row], coordinates[first[code]]];
    if (at[0] !== home[0] || at[1] !== home[1]) moves.add(code);
  });
  return moves.size;
}

/** `4 rows per patient`, on average. */
export function rowsPerPatient(n: number, patients: number): string {
  const mean = Number((n / patients).toFixed(1));
  return mean === 1 ? 'hardly more than 1 row per patient' : `${mean} rows per patient`;
}

/** The coarsest level above the patients (without patients, above the rows) that has two units or more. */
export function siteLevel(data: SideData, n: number): { readonly level: string; readonly count: number } | undefined {
  const { hierarchy = {} } = data;
  const ids = patientIdsOf(data);
  const finest = ids ? groupsOf(ids, n).count : n;
  return Object.entries(hierarchy)
    .filter(([, level]) => level !== ids)
    .map(([level, of]) => ({ level, count: knownGroups(of as ArrayLike<Label>, n).count }))
    .filter(({ count }) => count >= 2 && count < finest)
    .sort((a, b) => a.count - b.count)[0];
}
