import { InvalidOptionError, sentence } from '../../core/errors.js';
import { type InputOf, number, optionTable } from '../../core/options.js';
import type { Label } from '../../data/labels.js';
import type { Interval } from '../../intervals/interval.js';
import { sampleFacts } from '../../intervals/sample.js';
import { netBenefitAtHalf } from '../../metrics/definitions/binary.js';
import type { Metric } from '../../metrics/metric.js';
import { ratioOfSums } from '../../metrics/ratioOfSums.js';
import { type BinaryRows, binaryRows, intervalOptions } from '../binaryRows.js';
import { byInfluence, groundsOf } from '../measures/byInfluence.js';

/** At 1 a false positive would weigh infinitely more than a true one. */
export const thresholdRange = { min: 0, below: 1 };

export const prevalenceOption = {
  prevalence: number({ above: 0, below: 1 })
    .optional()
    .describe('Share of positives where the model will be used; asked for when cases and controls were sampled apart.'),
};

export const netBenefitOptions = optionTable('netBenefit', {
  threshold: number(thresholdRange).describe('Probability from which on a patient is treated.'),
  ...prevalenceOption,
  ...intervalOptions,
});
export type NetBenefitOptions = InputOf<typeof netBenefitOptions>;

/**
 * Net benefit of treating every row whose probability is at least `threshold`: the share of true positives less the
 * share of false positives times the odds of the threshold, TP/n - FP/n t/(1 - t). Its unit is true positives per row.
 * With `prevalence` the shares are those of a population in which so many are positive.
 *
 * The interval is about these predictions, on the plain scale, by the influence function: patients are the units when
 * `groups` are given. Null limits with a reason: fewer than ten units, or nobody is treated.
 *
 * Source: Vickers & Elkin 2006, Medical Decision Making 26:565; variance, Pfeiffer & Gail 2020, Biometrical Journal
 * 62:764.
 *
 * @param yTrue labels of two classes, length n
 * @param yProba probabilities of the positive class, length n
 * @throws InvalidDataError for lengths that differ and numbers that are not probabilities, InvalidOptionError for
 * options out of range
 * @example
 * const { estimate, lower, upper } = netBenefit(yTrue, yProba, { threshold: 0.2 });
 * console.log(estimate, lower, upper);
 */
export function netBenefit(yTrue: ArrayLike<Label>, yProba: ArrayLike<number>, options: NetBenefitOptions): Interval {
  if (typeof options === 'number') {
    const way = `Use { threshold: ${options} }.`;
    throw new InvalidOptionError(sentence('The options of netBenefit', 'be one plain object', options, way));
  }
  const { threshold, prevalence, ...rowOptions } = netBenefitOptions.resolve(options);
  const rows = binaryRows(yTrue, yProba, rowOptions);
  return benefitIntervals(rows, prevalence)(benefitOf(rows, threshold));
}

/** 1 for a positive row that is treated, less the odds of the threshold for a negative one. */
export function benefitOf({ y, table: { yProba } }: BinaryRows, threshold: number, treatsAll = false): Float64Array {
  const harm = -threshold / (1 - threshold);
  return Float64Array.from(y, (label, row) => {
    const isTreated = treatsAll || yProba[row] >= threshold;
    return isTreated ? (label === 1 ? 1 : harm) : 0;
  });
}

/** Of the benefits of all rows the mean with its interval. */
export function benefitIntervals(rows: BinaryRows, prevalence?: number) {
  const metricOf = (benefit: Float64Array) =>
    prevalence === undefined
      ? { ...OVERALL, ...ratioOfSums(() => ({ part: (row) => benefit[row] })) }
      : benefitAt(prevalence, rows, benefit);
  // The strata are the same for all benefits.
  const grounds = groundsOf(rows, metricOf(new Float64Array(0)));
  return (benefit: Float64Array): Interval => ({
    ...sampleFacts(rows),
    sampling: prevalence === undefined ? 'cohort' : 'case_control',
    ...byInfluence(rows, metricOf(benefit), undefined, grounds),
  });
}

const OVERALL: Metric = { ...netBenefitAtHalf, range: [-Infinity, Infinity] };

function benefitAt(prevalence: number, { y }: BinaryRows, benefit: Float64Array): Metric {
  const mixed = (negative: number, positive: number) => (1 - prevalence) * negative + prevalence * positive;
  const means = ['negative', 'positive'].map((name, side) => {
    const whole = (row: number) => Number(y[row] === side);
    return ratioOfSums(() => ({ part: (row) => whole(row) * benefit[row], whole }), `no ${name} rows`);
  });
  return {
    ...OVERALL,
    dependsOnPrevalence: false, // it is given: the classes are strata of fixed size
    decomposable: false,
    stratum: (_, row) => y[row],
    compute(table) {
      const [negative, positive] = means.map((mean) => mean.compute(table));
      if (typeof negative !== 'number') return negative;
      return typeof positive === 'number' ? mixed(negative, positive) : positive;
    },
    influence(table) {
      const [negative, positive] = means.map((mean) => mean.influence(table, mean.compute(table) as number));
      return negative.map((each, row) => mixed(each, positive[row]));
    },
  };
}
