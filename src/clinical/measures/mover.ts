import { joinNotes } from '../../intervals/interval.js';
import { influenceOf, type Sample, type Value, withoutLimits } from '../../intervals/sample.js';
import type { Metric } from '../../metrics/metric.js';

const ROUNDING = 1e-12;

/**
 * The sum of two values whose intervals are known, by the method of variance estimates recovery: what lies between the
 * estimates and their limits on one side is added as standard errors are. Opposites that cancel count as uncorrelated:
 * no interval is without width.
 *
 * Source: Newcombe 1998, Statistics in Medicine 17:873; correlated estimates, Zou & Donner 2008, Statistics in Medicine
 * 27:1693.
 *
 * @param correlation of the two estimates
 */
export function moverSum(a: Value, b: Value, correlation: number): Value {
  const method = 'mover';
  for (const { estimate, reason = '' } of [a, b]) if (estimate === null) return withoutLimits(method, null, reason);
  const estimate = (a.estimate as number) + (b.estimate as number);
  for (const { lower, reason = '' } of [a, b]) if (lower === null) return withoutLimits(method, estimate, reason);
  const reach = (side: 'lower' | 'upper') => {
    const [x, y] = [a, b].map((value) => (value.estimate as number) - (value[side] as number));
    const square = x * x + y * y + 2 * correlation * x * y;
    return Math.sqrt(square > ROUNDING * (x * x + y * y) ? square : x * x + y * y);
  };
  return {
    method,
    estimate,
    lower: estimate - reach('lower'),
    upper: estimate + reach('upper'),
    ...joinNotes(...new Set([a.note, b.note])),
  };
}

export function mapValue<T extends Value>(value: T, to: (each: number) => number): T {
  const [estimate, ...limits] = [value.estimate, value.lower, value.upper].map((each) =>
    each === null ? null : to(each),
  );
  const turned = limits[0] !== null && limits[1] !== null && limits[0] > limits[1];
  const [lower, upper] = turned ? limits.toReversed() : limits;
  return { ...value, estimate, lower, upper };
}

/**
 * 0 has no reciprocal; limits on both sides of 0 give none, since the reciprocals between them are no interval. A value
 * that is 0 and cannot be less gives a lower limit alone.
 */
export function reciprocal(value: Value, name: string): Value {
  const { method, estimate, lower, upper, reason = '' } = value;
  if (estimate === null) return withoutLimits(method, null, reason);
  const unbounded = `unbounded, since ${name} is 0`;
  const inverse = Math.abs(estimate) < ROUNDING ? null : 1 / estimate;
  if (lower === null || upper === null) return withoutLimits(method, inverse, inverse === null ? unbounded : reason);
  if (lower === 0 && upper > 0)
    return { ...value, estimate: inverse, lower: 1 / upper, upper: null, reason: unbounded };
  if (lower <= 0 && upper >= 0) return withoutLimits(method, inverse, `the interval of ${name} contains 0`);
  return mapValue(value, (each) => 1 / each);
}

/** Of influences summed per patient; 0 for independent rows, where the estimates rest on different ones. */
export function correlationOf(
  sample: Sample,
  ...pair: readonly (readonly (readonly [Metric, number | null])[])[]
): number {
  if (!sample.clustered) return 0;
  const sums = pair.map((metrics) => {
    const perUnit = new Float64Array(sample.nUnits);
    for (const [metric, estimate] of metrics) {
      if (estimate === null) continue;
      influenceOf(metric, sample, estimate).forEach((each, row) => {
        perUnit[sample.units[row]] += each;
      });
    }
    return perUnit;
  });
  const product = (a: Float64Array, b: Float64Array) => a.reduce((sum, each, unit) => sum + each * b[unit], 0);
  const scale = Math.sqrt(product(sums[0], sums[0]) * product(sums[1], sums[1]));
  return scale > ROUNDING ** 2 ? product(sums[0], sums[1]) / scale : 0;
}
