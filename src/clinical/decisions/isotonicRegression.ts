import { lowerBound } from '../../core/lowerBound.js';
import type { Label } from '../../data/labels.js';
import { ascendingOrder, concordance } from '../../metrics/rocPlacements.js';
import { type Recalibration, type RecalibrationOptions, recalibration, rowsToFit } from './recalibration.js';

type Isotonic = { readonly method: 'isotonic'; readonly from: readonly number[]; readonly to: readonly number[] };

/**
 * Isotonic regression: the rising step function of the probabilities that is nearest to the outcomes by weighted least
 * squares, by pooling adjacent violators; straight lines between the ends of the steps, and beyond the fitted
 * probabilities the value at the end. As `IsotonicRegression(out_of_bounds='clip')` of scikit-learn. It keeps or ties
 * the order and needs many rows: hundreds of each class.
 *
 * Source: Ayer et al. 1955, Annals of Mathematical Statistics 26:641; Zadrozny & Elkan 2002, KDD.
 *
 * @param yTrue labels of two classes, length n
 * @param yProba probabilities of the positive class, length n
 * @throws InvalidDataError with one class alone
 */
export function isotonicRegression(
  yTrue: ArrayLike<Label>,
  yProba: ArrayLike<number>,
  options?: RecalibrationOptions,
): Recalibration<Isotonic> {
  const { table } = rowsToFit('isotonicRegression', yTrue, yProba, options);
  const scores = table.yProba;
  const order = ascendingOrder(scores);
  const steps: Step[] = [];
  concordance({ ...table, scores }, (from, _to, _belowPositive, _belowNegative, positive, negative) => {
    const at = scores[order[from]];
    let step: Step = { from: at, to: at, positive, weight: positive + negative };
    // A step that is not above the one before it is pooled with it.
    for (let last = steps.at(-1); last && share(last) >= share(step); last = steps.at(-1)) {
      steps.pop();
      step = { ...step, from: last.from, positive: last.positive + step.positive, weight: last.weight + step.weight };
    }
    steps.push(step);
  });
  const ends = steps.flatMap((step) => (step.from < step.to ? [step.from, step.to] : [step.from]));
  const values = steps.flatMap((step) => (step.from < step.to ? [share(step), share(step)] : [share(step)]));
  return isotonicMap({ method: 'isotonic', from: ends, to: values });
}

interface Step {
  readonly from: number;
  readonly to: number;
  readonly positive: number;
  readonly weight: number;
}

const share = ({ positive, weight }: Step) => positive / weight;

export const isotonicMap = (fit: Isotonic): Recalibration<Isotonic> =>
  recalibration(fit, (p) => {
    const { from, to } = fit;
    const right = lowerBound(from, p);
    if (right === 0) return to[0];
    if (right === from.length) return to[right - 1];
    const part = (p - from[right - 1]) / (from[right] - from[right - 1]);
    return to[right - 1] + part * (to[right] - to[right - 1]);
  });
