/** Which units (patients, sites, equal rows) have rows on both sides of a fold. Exact, over every fold. */

import { sum } from '../core/numbers.js';
import { rowsPerCode, tally } from '../data/encode.js';
import type { Label } from '../data/labels.js';
import type { FoldPlan } from '../splitters/foldsOf.js';
import type { Share } from './check.js';
import type { CheckInput } from './checkInput.js';

/** Findings show at most this many examples. */
export const EXAMPLES = 5;

/** What to do about patients on both sides. */
export const keepPatientsWhole = ({ trainRows }: Pick<CheckInput, 'trainRows'>): string =>
  trainRows === undefined
    ? 'Use a splitter that keeps patients whole: StratifiedGroupKFold, or GroupKFold for regression.'
    : 'Draw both sets from whole patients.';

export interface SplitUnit {
  readonly code: number;
  readonly fold: string;
  readonly train: number;
  readonly test: number;
}

export interface Overlap {
  /** Units on both sides of any fold, each in the first fold that splits it. */
  readonly split: readonly SplitUnit[];
  /** Ids of the folds that split any. */
  readonly folds: readonly string[];
  /** Test rows whose unit has a training row in the same fold, over all folds; the largest share of a fold. */
  readonly testRows: number;
  readonly largestShare: number;
  /** The same, a row that several folds test counted once, among all rows that are tested. */
  readonly concerns: Share;
}

/**
 * Looks at every fold for units that have rows on both sides; `codes` are 0 ... count-1, or -1 for rows without one.
 * Where a fold trains on all rows that it does not test, its training rows are not listed: leave-one-out takes O(n).
 */
export function overlapOf(folds: FoldPlan, codes: Int32Array, count: number): Overlap {
  // Rows without a unit are gathered in one more, which is not looked at.
  const units = codes.map((code) => (code < 0 ? count : code));
  const sizes = tally(units, count + 1);
  const tested = new Int32Array(count + 1);
  const [isTested, everTested, concerned] = [0, 0, 0].map(() => new Uint8Array(codes.length));
  const found = new Map<number, SplitUnit>();
  const foldsHit: string[] = [];
  let [testRows, largestShare] = [0, 0];
  let members: Int32Array[] | undefined;
  const untested = (code: number) => {
    members ??= rowsPerCode(units, sizes);
    return members[code].find((row) => isTested[row] === 0) as number;
  };
  for (const { id, train, test } of folds.sides()) {
    for (const row of test) {
      isTested[row] = 1;
      everTested[row] = 1;
      tested[units[row]]++;
    }
    const trained = train && firstRows(train, units, count + 1);
    const isSplit = (code: number) => (trained ? trained[code] >= 0 : tested[code] < sizes[code]);
    const split = test.filter((row) => units[row] < count && isSplit(units[row]));
    for (const row of split) {
      const code = units[row];
      concerned[row] = 1;
      if (!found.has(code)) found.set(code, { code, fold: id, train: trained?.[code] ?? untested(code), test: row });
    }
    for (const row of test) {
      isTested[row] = 0;
      tested[units[row]] = 0;
    }
    if (split.length > 0) foldsHit.push(id);
    testRows += split.length;
    largestShare = Math.max(largestShare, split.length / test.length);
  }
  const concerns = shareOf(concerned, everTested);
  return { split: [...found.values()], folds: foldsHit, testRows, largestShare, concerns };
}

/** Rows marked among those that are tested; `test row` where not all are. */
export function shareOf(concerned: Uint8Array, tested: Uint8Array): Share {
  const of = sum(tested);
  return { count: sum(concerned), of, unit: of < tested.length ? 'test row' : 'row' };
}

function firstRows(rows: Int32Array, units: Int32Array, count: number): Int32Array {
  const first = new Int32Array(count).fill(-1);
  for (const row of rows) if (first[units[row]] < 0) first[units[row]] = row;
  return first;
}

/** In words, where a unit is that is split: `on both sides of a fold`, or `in both sets` where two sets were given. */
export const bothSides = ({ folds, trainRows }: CheckInput): string =>
  trainRows === undefined ? `on both sides of ${folds.length === 1 ? 'the' : 'a'} fold` : 'in both sets';

/** Which of several folds, as a clause that ends what is said of them: `, in 2 of 5 folds`. */
export const inFolds = (hit: number, { folds }: Pick<CheckInput, 'folds'>): string =>
  folds.length === 1 ? '' : `, in ${hit} of ${folds.length} folds`;

/** What was looked at, as a list in brackets: `(4 patients, 5 folds)`; one fold goes without saying. */
export const lookedAt = (sizes: readonly string[], { folds }: Pick<CheckInput, 'folds'>): string =>
  `(${[...sizes, ...(folds.length === 1 ? [] : [`${folds.length} folds`])].join(', ')})`;

/** A row on either side of a fold, as the caller numbers them, and what they share: `{ fold, train, test, patient }`. */
export interface SplitExample {
  readonly fold: string;
  readonly train: number;
  readonly test: number;
  /** Id of the unit, as it may be printed, by the name of its level. */
  readonly [noun: string]: unknown;
}

type AboutUnits = [input: CheckInput, ids?: readonly Label[], noun?: string];

/** The first units on both sides as the caller knows them: an id and a row on either side. */
export const splitExamples = ({ split }: Overlap, ...[input, ids, noun = 'patient']: AboutUnits): SplitExample[] =>
  split.slice(0, EXAMPLES).map(({ code, fold, train, test }) => ({
    fold,
    train: input.rowOf(train),
    test: input.rowOf(test),
    ...(ids ? { [noun]: input.nameOf(ids[code]) } : {}),
  }));

/** The first folds that split units, with the first of these units. */
export const splitEvidence = (overlap: Overlap, ...about: AboutUnits) => ({
  folds: overlap.folds.slice(0, 10),
  examples: splitExamples(overlap, ...about),
});
