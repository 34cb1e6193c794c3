/** One line per patient: its label, and its site on every level above the patients. */
import { tally } from '../../data/encode.js';
import { gather, type Labels, rowNumbers } from '../../data/labels.js';
import type { SideData } from '../../data/sideData.js';
import { columnRanks } from '../features/columnRanks.js';
import { type Level, levelsOf } from '../features/levels.js';
import type { CodedRows } from '../features/unitMeans.js';
import type { PatientLabels, PatientSites } from './association.js';

export interface SiteLevel extends PatientSites {
  readonly name: string;
  readonly ids: Level['ids'];
  /** Site of each row, or -1. */
  readonly rows: Int32Array;
}

export interface PatientTable {
  /** What counts as one patient; rows where nobody names patients. */
  readonly unit: string;
  /** Patient of each row, or -1 for rows that lack an id. */
  readonly rows: CodedRows;
  readonly labels: PatientLabels;
  /** Patients left out, since none of their rows has an id of each level, and the levels that lack some. */
  readonly without: { readonly count: number; readonly levels: readonly string[] };
  /** Levels with at least two sites. */
  readonly levels: readonly SiteLevel[];
}

/**
 * A patient has the commonest of its classes and sites (the first of equals), or the mean rank of its numbers. Without
 * named patients the innermost of several levels stands for them, else each row.
 */
export function patientTable(y: Labels, data: SideData, n: number): PatientTable {
  const levels = levelsOf(data, n);
  const unplaced = levels.filter(({ place }) => place === 'unplaced');
  const patients = levels.find(({ place }) => place === 'patient') ?? (levels.length > 1 ? unplaced.at(-1) : undefined);
  const above = levels.filter(
    (level) =>
      level !== patients && level.count > 1 && !level.unclear && (unplaced.includes(level) || level.place === 'above'),
  );
  const codes = (patients?.codes ?? rowNumbers(n)).map((code, row) =>
    above.some((level) => level.codes[row] < 0) ? -1 : code,
  );
  const all = patients?.count ?? n;
  const { codes: rows, count } = renumbered(codes, all);
  return {
    unit: patients?.name ?? 'row',
    rows: { codes: rows, count },
    labels: patientLabels(y, rows, count),
    without: {
      count: all - count,
      levels: above.filter((level) => level.codes.includes(-1)).map(({ name }) => name),
    },
    levels: above
      .map(({ name, ids, codes, count: sites }) => ({
        name,
        ids,
        rows: codes,
        codes: commonest(rows, count, codes, sites),
        count: sites,
      }))
      .filter(({ codes }) => codes.some((code) => code !== codes[0])),
  };
}

/** Codes without gaps; -1 stays. */
function renumbered(codes: Int32Array, count: number): CodedRows {
  const sizes = tally(
    codes.filter((code) => code >= 0),
    count,
  );
  let next = 0;
  const place = sizes.map((size) => (size > 0 ? next++ : -1));
  return { codes: codes.map((code) => (code < 0 ? -1 : place[code])), count: next };
}

function patientLabels(y: Labels, rows: Int32Array, count: number): PatientLabels {
  if (y.codes.length > 0)
    return { values: commonest(rows, count, y.codes, y.classes.length), classes: y.classes.length };
  const width = y.classes.length;
  // Several labels per row, and masks: how many of them are set.
  const numbers =
    width === 0
      ? y.numbers
      : new Float64Array(y.length).map((_, row) =>
          y.indicators.subarray(row * width, (row + 1) * width).reduce((sum, set) => sum + set, 0),
        );
  const { ranks } = columnRanks({ values: numbers });
  const [sums, sizes] = [new Float64Array(count), new Int32Array(count)];
  rows.forEach((patient, row) => {
    if (patient < 0) return;
    sums[patient] += ranks[row];
    sizes[patient]++;
  });
  return { values: columnRanks({ values: sums.map((sum, patient) => sum / sizes[patient]) }).ranks };
}

/** The value that most rows of each patient have; of equally common ones the first. */
function commonest(rows: Int32Array, count: number, values: Int32Array, width: number): Int32Array {
  const out = new Int32Array(count).fill(-1);
  const best = new Int32Array(count);
  const seen = new Map<number, number>();
  const inOrder = rowNumbers(rows.length).filter((row) => rows[row] >= 0);
  for (const row of inOrder) {
    const key = rows[row] * width + values[row];
    const times = (seen.get(key) ?? 0) + 1;
    seen.set(key, times);
    const patient = rows[row];
    if (times < best[patient] || (times === best[patient] && values[row] > out[patient])) continue;
    best[patient] = times;
    out[patient] = values[row];
  }
  return out;
}

/** The share of each site among the rows of a side. */
export function siteShares(rows: Int32Array, { rows: sites, count }: SiteLevel): Float64Array {
  const known = gather(sites, rows).filter((site) => site >= 0);
  return Float64Array.from(tally(known, count), (size) => size / Math.max(1, known.length));
}
