import { formatNumber } from '../core/format.js';
import { incompleteBeta } from '../core/incompleteBeta.js';
import { effectiveUnits } from './effectiveUnits.js';
import type { Heterogeneity, Interval, IntervalInput } from './interval.js';
import type { UnitVariance } from './unitVariance.js';

/** A fold with fewer units says too little about its model. */
const MIN_PER_FOLD = 5;
const ALPHA = 0.01;

/**
 * Cochran's Q: the squared distances of the folds' values from their mean, in units of the variance that their test
 * rows explain. A fold with n of N units has N / n times the variance `variance` of the estimate. The p-value is that
 * of F, since that variance is itself estimated, with `df` degrees of freedom. For folds that test every row once, each
 * with a value and five units or more; of a repeated design the first repeat.
 *
 * A small p-value says that the models differ. A large one does not prove that they agree: folds share training rows,
 * so their models are alike.
 *
 * Source: Cochran 1954, Biometrics 10:101.
 */
export function foldHeterogeneity(
  { metric, folds, design }: Pick<IntervalInput, 'metric' | 'folds' | 'design'>,
  { variance, df }: Pick<UnitVariance, 'variance' | 'df'>,
): Heterogeneity | undefined {
  const once = folds.filter(({ repeat }) => repeat === folds[0].repeat);
  const parts = once.flatMap(({ score, table, units }) =>
    table && score.value !== null ? [{ value: score.value, n: effectiveUnits(metric, table, units) }] : [],
  );
  const assessed = design?.partition && parts.length === once.length && parts.length > 1;
  if (!assessed || !(variance > 0) || parts.some(({ n }) => n < MIN_PER_FOLD)) return undefined;
  const total = parts.reduce((sum, { n }) => sum + n, 0);
  const mean = parts.reduce((sum, { value, n }) => sum + n * value, 0) / total;
  const q = parts.reduce((sum, { value, n }) => sum + n * (value - mean) ** 2, 0) / (total * variance);
  return { q, df: parts.length - 1, pValue: incompleteBeta(df / (df + q), df / 2, (parts.length - 1) / 2) };
}

/** Normal theory does not hold for smaller ones. */
const probability = (p: number) => (p < 0.001 ? 'p < .001' : `p = ${formatNumber(p)}`);

/**
 * A warning about the scores whose folds differ. Intervals about the procedure include what training adds, unless
 * halves show no effect of it.
 */
export function heterogeneityWarning(intervals: Readonly<Record<string, Interval>>): string[] {
  const found = Object.entries(intervals).flatMap(([name, { heterogeneity, estimand, trainingShare }]) =>
    heterogeneity && heterogeneity.pValue < ALPHA && (estimand === 'predictions' || trainingShare === 0)
      ? [`${name} (${probability(heterogeneity.pValue)})`]
      : [],
  );
  if (found.length === 0) return [];
  return [
    `The folds differ more than their test rows explain in ${found.join(', ')}, by Cochran's Q: other training sets may change the result by more than the intervals show. The absence of this warning proves nothing: folds share training rows.`,
  ];
}
