import { custom, type InputOf, optionTable } from '../../core/options.js';
import type { Label } from '../../data/labels.js';
import type { Interval } from '../../intervals/interval.js';
import { binaryRows, intervalOptions } from '../binaryRows.js';
import { benefitIntervals, benefitOf, prevalenceOption, thresholdRange } from './netBenefit.js';

const isThreshold = (v: unknown) => typeof v === 'number' && v >= thresholdRange.min && v < thresholdRange.below;
const isThresholds = (v: unknown) => Array.isArray(v) && v.length > 0 && v.every(isThreshold);

export const decisionCurveOptions = optionTable('decisionCurve', {
  thresholds: custom<readonly number[]>('number[]', 'be a list of one or more numbers >= 0 and < 1', isThresholds)
    .default(Object.freeze(Array.from({ length: 99 }, (_, i) => (i + 1) / 100)))
    .describe('Probabilities from which on a patient is treated; name those that a clinician could mean.'),
  ...prevalenceOption,
  ...intervalOptions,
});
export type DecisionCurveOptions = InputOf<typeof decisionCurveOptions>;

/** Net benefits at one threshold. Treating nobody has 0 everywhere, so `model` is also the gain over it. */
export interface DecisionPoint {
  readonly threshold: number;
  readonly model: Interval;
  readonly treatAll: Interval;
  readonly treatNone: 0;
  /** Model less treat all, from the same rows: narrower than the two intervals suggest. */
  readonly gainOverTreatAll: Interval;
}

/**
 * Net benefit over a range of thresholds, beside treating all and treating none: the decision curve. Each value as in
 * {@link netBenefit}; intervals are pointwise.
 *
 * Source: Vickers & Elkin 2006, Medical Decision Making 26:565; Vickers, Van Calster & Steyerberg 2016, BMJ 352:i6.
 *
 * @param yTrue labels of two classes, length n
 * @param yProba probabilities of the positive class, length n
 * @throws InvalidDataError for lengths that differ and numbers that are not probabilities, InvalidOptionError for
 * options out of range
 * @example
 * for (const { threshold, model, treatAll } of decisionCurve(yTrue, yProba, { thresholds: [0.2, 0.5] })) {
 *   console.log(threshold, model.estimate, treatAll.estimate);
 * }
 */
export function decisionCurve(
  yTrue: ArrayLike<Label>,
  yProba: ArrayLike<number>,
  options?: DecisionCurveOptions,
): DecisionPoint[] {
  const { thresholds, prevalence, ...rowOptions } = decisionCurveOptions.resolve(options);
  const rows = binaryRows(yTrue, yProba, rowOptions);
  const interval = benefitIntervals(rows, prevalence);
  return thresholds.map((threshold) => {
    const model = benefitOf(rows, threshold);
    const all = benefitOf(rows, threshold, true);
    return {
      threshold,
      model: interval(model),
      treatAll: interval(all),
      treatNone: 0,
      gainOverTreatAll: interval(model.map((each, row) => each - all[row])),
    };
  });
}
