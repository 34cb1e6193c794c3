/** Metrics that are an area under the ROC curve, or the mean of several. */
import { type Metric, undefinedBecause } from './metric.js';
import { concordance, type Placements, placements, type Ranked } from './placements.js';
import type { ScoreTable } from './scoreTable.js';

/** One area: rows of two classes with scores. Rows of weight 0 do not take part. */
export type Area = Ranked & {
  /** Which area it is, for the reason of an undefined one: " of class 'b'". */
  readonly of?: string;
};

/**
 * Mean of areas under the ROC curve, undefined when one of them is. The influence of a row is the mean of what it adds
 * to each area: its placement among the rows of the other class less the area, over the weight of its own class.
 *
 * Source: {@link placements}; the mean of areas, Hand & Till 2001, Machine Learning 45:171.
 */
export const meanArea = (
  areasOf: (table: ScoreTable) => readonly Area[],
): Required<Pick<Metric, 'weighted' | 'compute' | 'influence'>> => ({
  weighted: true,
  compute(table) {
    const areas = areasOf(table);
    let sum = 0;
    for (const area of areas) {
      const { positives, negatives, concordant } = concordance(area);
      if (positives === 0) return undefinedBecause(`no positive rows${area.of ?? ''}`);
      if (negatives === 0) return undefinedBecause(`no negative rows${area.of ?? ''}`);
      sum += Math.min(1, concordant / (positives * negatives)); // fractional weights may round to just above 1
    }
    return sum / areas.length;
  },
  influence(table, estimate) {
    const areas = areasOf(table);
    const found = areas.map(placements).filter((each): each is Placements => !('reason' in each));
    const out = new Float64Array(table.length);
    if (found.length < areas.length) return out;
    const shift = estimate - found.reduce((sum, { auc }) => sum + auc, 0) / found.length; // each area is off alike
    found.forEach(({ auc, positives, negatives, values }, i) => {
      const { yTrue, positive, weight } = areas[i];
      for (let row = 0; row < out.length; row++) {
        const total = (yTrue[row] === positive ? positives : negatives) * found.length;
        out[row] += ((weight ? weight[row] : 1) * (values[row] - auc - shift)) / total;
      }
    });
    return out;
  },
});

const columns = new WeakMap<ArrayLike<number>, Float64Array[]>();

/**
 * The columns of a row-major table, kept by its array: a thousand resamples read the same scores, whose order is kept by
 * the column in turn.
 */
export function columnsOf(values: ArrayLike<number>, width: number): Float64Array[] {
  let found = columns.get(values);
  if (found?.length !== width) {
    found = Array.from({ length: width }, (_, column) =>
      Float64Array.from({ length: values.length / width }, (__, row) => values[row * width + column]),
    );
    columns.set(values, found);
  }
  return found;
}
