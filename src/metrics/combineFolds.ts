import { counted } from '../core/format.js';
import { groupBy } from '../core/groupBy.js';
import { mean } from '../core/numbers.js';
import { type Metric, type Score, score } from './metric.js';
import type { ScoreTable } from './scoreTable.js';
import { joinTables } from './tableRows.js';

/** The estimate over folds: of `total` parts (folds, or repeats for pooled metrics) `defined` have a value. */
export type CombinedScore = Score & {
  readonly defined: number;
  readonly total: number;
  readonly note?: string;
};

/**
 * The estimate of a metric over folds, as its `combine` says. `mean`: the mean of the folds that have a value.
 * `pooled`: one value over all rows. In repeated designs either is taken within each repeat and then averaged.
 *
 * @param folds truth and predictions of each fold's test rows, in the order of the plan
 * @param repeats which repeat each fold belongs to; left out, there is one
 */
export function combineFolds(metric: Metric, folds: readonly ScoreTable[], repeats?: ArrayLike<number>): CombinedScore {
  if (folds.length === 0) return { value: null, reason: 'no folds', defined: 0, total: 0 };
  const { ofPatients } = metric;
  // A patient in several folds has a prediction in each.
  if (ofPatients && folds.every(({ aggregate }) => aggregate))
    return combineFolds(
      ofPatients.metric,
      folds.map((table) => ofPatients.of(table).table),
      repeats,
    );
  return combineBlocks(
    metric,
    foldBlocks(metric, repeats ?? new Int32Array(folds.length)).map((blocks) =>
      blocks.map((members) => joinTables(members.map((fold) => folds[fold]))),
    ),
  );
}

/** Per repeat, the folds that are scored together: each alone for `mean`, all at once for `pooled`. */
export function foldBlocks({ combine }: Pick<Metric, 'combine'>, repeats: ArrayLike<number>): number[][][] {
  const perRepeat = groupBy(Array.from(repeats).keys(), (fold) => repeats[fold]);
  return Array.from(perRepeat.values(), (folds) => (combine === 'pooled' ? [folds] : folds.map((fold) => [fold])));
}

/** As {@link combineBlocks}, for blocks that hold more than their table. */
export const combinedEstimate = (
  metric: Metric,
  repeats: readonly (readonly { readonly table: ScoreTable }[])[],
): CombinedScore =>
  combineBlocks(
    metric,
    repeats.map((blocks) => blocks.map(({ table }) => table)),
  );

export function combineBlocks(metric: Metric, repeats: readonly (readonly ScoreTable[])[]): CombinedScore {
  const total = repeats.reduce((sum, blocks) => sum + blocks.length, 0);
  let defined = 0;
  let reason = '';
  const repeatMeans: number[] = [];
  for (const blocks of repeats) {
    const values: number[] = [];
    for (const table of blocks) {
      const result = score(metric, table);
      if (result.value === null) reason = result.reason;
      else values.push(result.value);
    }
    defined += values.length;
    if (values.length > 0) repeatMeans.push(mean(values));
  }
  const share = `${defined} of ${counted(total, metric.combine === 'pooled' ? 'repeat' : 'fold')} have a value (${reason})`;
  if (total === 0) return { value: null, reason: 'no fold gave a result', defined, total };
  if (defined === 0) return { value: null, reason: total === 1 ? reason : share, defined, total };
  const value = mean(repeatMeans);
  return defined === total
    ? { value, defined, total }
    : { value, defined, total, note: `${share}; the others are left out.` };
}
