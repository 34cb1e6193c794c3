/** Which units (patients, sites, equal rows) have rows on both sides of a fold. Exact, over every fold. */

import { tally } from '../core/encode.js';
import type { Label } from '../core/labels.js';
import type { FoldPlan } from '../splitters/foldsOf.js';
import type { CheckInput } from './checkInput.js';

/** Findings show at most this many examples. */
export const EXAMPLES = 5;

/** A unit with a training row and a test row of one fold. */
export interface Torn {
  readonly code: number;
  readonly fold: string;
  readonly train: number;
  readonly test: number;
}

export interface Overlap {
  /** Units on both sides of any fold, each in the first fold that tears it. */
  readonly torn: readonly Torn[];
  /** Ids of the folds that tear any. */
  readonly folds: readonly string[];
  /** Test rows whose unit has a training row in the same fold, over all folds; the largest share of a fold. */
  readonly testRows: number;
  readonly largestShare: number;
}

/** Looks at every fold for units that have rows on both sides; `codes` are 0 ... count-1, or -1 for rows without one. */
export function overlapOf(folds: FoldPlan, codes: Int32Array, count: number): Overlap {
  const sizes = tally(
    codes.filter((code) => code >= 0),
    count,
  );
  const found = new Map<number, Torn>();
  const foldsHit: string[] = [];
  let [testRows, largestShare] = [0, 0];
  const tested = new Int32Array(count);
  for (const { id, train, test } of folds) {
    for (const row of test) if (codes[row] >= 0) tested[codes[row]]++;
    const whole = train.length + test.length === folds.n;
    const trained = whole ? undefined : sidesOf(train, codes, count);
    const isTorn = (code: number) => (trained ? trained[code] === 1 : tested[code] < sizes[code]);
    let here = 0;
    const fresh = new Map<number, number>();
    for (const row of test) {
      const code = codes[row];
      if (code < 0 || !isTorn(code)) continue;
      here++;
      if (!found.has(code) && !fresh.has(code)) fresh.set(code, row);
    }
    for (const row of fresh.size > 0 ? train : []) {
      const test = fresh.get(codes[row]);
      if (test === undefined) continue;
      found.set(codes[row], { code: codes[row], fold: id, train: row, test });
      fresh.delete(codes[row]);
    }
    if (here > 0) foldsHit.push(id);
    testRows += here;
    largestShare = Math.max(largestShare, here / test.length);
    for (const row of test) if (codes[row] >= 0) tested[codes[row]] = 0;
  }
  return { torn: [...found.values()], folds: foldsHit, testRows, largestShare };
}

function sidesOf(rows: Int32Array, codes: Int32Array, count: number): Uint8Array {
  const has = new Uint8Array(count);
  for (const row of rows) if (codes[row] >= 0) has[codes[row]] = 1;
  return has;
}

/** The first units on both sides as the caller knows them: an id and a row on either side. */
export const tornExamples = ({ torn }: Overlap, input: CheckInput, ids?: readonly Label[], noun = 'patient') =>
  torn.slice(0, EXAMPLES).map(({ code, fold, train, test }) => ({
    fold,
    train: input.rowOf(train),
    test: input.rowOf(test),
    ...(ids ? { [noun]: input.nameOf(ids[code]) } : {}),
  }));
