/** One of the two designs whose estimates are compared: its scored folds, with units coded by row. */
import { overlapOf } from '../../checkers/overlap.js';
import { InvalidDataError, phrase, sentence } from '../../core/errors.js';
import { counted } from '../../core/format.js';
import { gather, rowNumbers } from '../../data/labels.js';
import type { Units } from '../../data/sideData.js';
import type { IntervalFold } from '../../intervals/interval.js';
import type { Metric } from '../../metrics/metric.js';
import { takeRows } from '../../metrics/tableRows.js';
import type { CVResults } from '../../runner/cvResults.js';
import { countingFolds, type FoldPlan } from '../../splitters/foldsOf.js';
import { type ScoredFold, valuedFolds } from '../results.js';
import { partOf } from '../subgroups/cells.js';

export interface PricedDesign {
  readonly plan: FoldPlan;
  /** The folds that were scored. */
  readonly folds: readonly ScoredFold[];
  /** Those without predictions. */
  readonly failed: readonly IntervalFold[];
  /** Units with rows on both sides of a fold. */
  readonly split: number;
}

/**
 * The folds of a run on the folds of `plan`, with the same codes of units as any other run on the same rows. Rows of weight
 * 0 are left out.
 */
export function inflatedDesign(
  { folds }: CVResults,
  plan: FoldPlan,
  { codes }: Units,
  weight?: ArrayLike<number> | null,
): PricedDesign {
  const counting = countingFolds(plan, weight);
  const design = { folds: [] as ScoredFold[], failed: [] as IntervalFold[] };
  const unitsOf = (rows: Int32Array) => (codes ? rows.map((row) => codes[row]) : rows);
  for (const result of folds) {
    const { index, repeat, test } = result.fold;
    const places = rowNumbers(test.length).filter((place) => !weight || weight[test[place]] > 0);
    const rows = gather(test, places);
    const fitted = result.status === 'completed' ? result.nUnitsFitted : null;
    const nTrain = fitted ?? new Set(unitsOf(counting.at(index).train)).size;
    const facts = { repeat, units: unitsOf(rows), nTrain };
    if (result.status === 'completed') design.folds.push({ ...facts, rows, table: takeRows(result.table, places) });
    else design.failed.push({ ...facts, score: { value: null, reason: result.error.message } });
  }
  return { ...design, plan, split: codes ? overlapOf(counting, codes, mostOf(codes) + 1).split.length : 0 };
}

/** The largest code; where weights are 0 there are codes that no unit that counts has. */
const mostOf = (codes: Int32Array): number => codes.reduce((most, code) => Math.max(most, code), 0);

/** All folds as interval methods take them: a failed one is never averaged away. */
export const intervalFolds = (metric: Metric, { folds, failed }: PricedDesign): IntervalFold[] => [
  ...valuedFolds(metric, folds),
  ...failed,
];

/**
 * The designs cut to the rows that all of them test, and what is to be said about that.
 *
 * @param n number of rows of the data
 * @throws {InvalidDataError} there is no such row.
 */
export function sharedRows(designs: readonly PricedDesign[], n: number) {
  const tested = designs.map(({ folds }) => new Set(folds.flatMap(({ rows }) => Array.from(rows))));
  const shared = (row: number) => tested.every((rows) => rows.has(row));
  const count = Array.from(tested[0]).filter(shared).length;
  if (count === 0) {
    throw new InvalidDataError(
      sentence(
        'The two designs of leakageInflation',
        'test some of the same rows',
        phrase('not one row that both test'),
      ),
    );
  }
  const notes = count < n ? [`Compared on the ${counted(count, 'row')}, of ${n}, that both designs test.`] : [];
  const whole = tested.every(({ size }) => size === count);
  const cut = whole ? designs : designs.map((each) => ({ ...each, folds: partOf(each.folds, shared) }));
  return { designs: cut, notes };
}
