/** Metrics that are a function of how often each class occurs, is predicted, and is predicted correctly. */
import { hasReason } from '../core/hasReason.js';
import type { Metric, Undefined } from './metric.js';
import type { ScoreTable } from './scoreTable.js';

/** Sums of weights. Of multilabel tables the classes are the labels, and a row may count for several or none. */
export interface ClassCounts {
  /** Of all rows. */
  readonly total: number;
  /** Per class: rows that are of it. */
  readonly truth: Float64Array;
  /** Per class: rows that are predicted to be of it. */
  readonly predicted: Float64Array;
  /** Per class: rows that are of it and predicted so. */
  readonly both: Float64Array;
}

/** Value of a metric with its derivatives in the counts; a class has three. */
export interface CountsValue {
  readonly value: number;
  /** Of a row, whatever its class; 0 when left out. */
  readonly slope?: number;
  readonly slopes: (code: number) => { readonly truth: number; readonly predicted: number; readonly both: number };
}

function classCounts({ task, yTrue, yPred, weight, classes, length }: ScoreTable): ClassCounts {
  const k = classes.length;
  const [truth, predicted, both] = [0, 0, 0].map(() => new Float64Array(k));
  let total = 0;
  for (let row = 0; row < length; row++) {
    const w = weight ? weight[row] : 1;
    total += w;
    if (task !== 'multilabel') {
      truth[yTrue[row]] += w;
      predicted[yPred[row]] += w;
      if (yTrue[row] === yPred[row]) both[yTrue[row]] += w;
      continue;
    }
    for (let code = 0, at = row * k; code < k; code++, at++) {
      truth[code] += w * yTrue[at];
      predicted[code] += w * yPred[at];
      both[code] += w * yTrue[at] * yPred[at];
    }
  }
  return { total, truth, predicted, both };
}

/**
 * A metric of the counts per class. Its influence follows from the derivatives by the delta method; it is centred by
 * itself, since such a metric does not change when all counts are multiplied.
 *
 * Source: Agresti 2013, Categorical Data Analysis, section 16.1.
 */
export function ofClassCounts(
  evaluate: (counts: ClassCounts, table: ScoreTable) => CountsValue | Undefined,
): Required<Pick<Metric, 'weighted' | 'compute' | 'influence'>> {
  return {
    weighted: true,
    compute(table) {
      const found = evaluate(classCounts(table), table);
      return hasReason(found) ? found : found.value;
    },
    influence(table) {
      const found = evaluate(classCounts(table), table);
      const out = new Float64Array(table.length);
      if (hasReason(found)) return out;
      const { task, yTrue, yPred, weight, classes } = table;
      const { slope = 0, slopes } = found;
      const perClass = classes.map((_, code) => slopes(code));
      for (let row = 0; row < out.length; row++) {
        let sum = slope;
        if (task !== 'multilabel') {
          sum += perClass[yTrue[row]].truth + perClass[yPred[row]].predicted;
          if (yTrue[row] === yPred[row]) sum += perClass[yTrue[row]].both;
        } else {
          for (let code = 0, at = row * classes.length; code < classes.length; code++, at++) {
            const { truth, predicted, both } = perClass[code];
            sum += truth * yTrue[at] + predicted * yPred[at] + both * yTrue[at] * yPred[at];
          }
        }
        out[row] = (weight ? weight[row] : 1) * sum;
      }
      return out;
    },
  };
}

export const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, value, code) => sum + value * b[code], 0);
