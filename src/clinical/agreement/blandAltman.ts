import { InvalidDataError, kindOf, phrase, sentence } from '../../core/errors.js';
import { inverseIncompleteBeta, studentTQuantile } from '../../core/incompleteBeta.js';
import { normalQuantile } from '../../core/normalQuantile.js';
import { mean, unbiasedVariance } from '../../core/numbers.js';
import { arrayLike, type InputOf, number, oneOf, optionTable } from '../../core/options.js';
import type { Label } from '../../data/labels.js';
import { checkLength, groupsOf } from '../../data/sideData.js';
import { type Interval, tooFewUnits, unitFacts } from '../../intervals/interval.js';
import { normalTail } from '../../intervals/normalTail.js';
import { sampleFacts, type Value, withoutLimits } from '../../intervals/sample.js';
import { intervalOptions } from '../binaryRows.js';
import { mapValue } from '../measures/mover.js';

export const blandAltmanOptions = optionTable('blandAltman', {
  scale: oneOf('difference', 'ratio')
    .default('difference')
    .describe('a - b; or a / b, by logarithms, where differences grow with the size.'),
  agreement: number({ above: 0, below: 1 }).default(0.95).describe('Share of the differences between the limits.'),
  groups: arrayLike<Label>('id[]').optional().describe('Patient of each row, where patients have several rows.'),
  level: intervalOptions.level,
});

export type BlandAltmanOptions = InputOf<typeof blandAltmanOptions>;

/** What {@link blandAltman} gives, in the unit of the measurements; for `scale: 'ratio'` as ratios a / b. */
export interface BlandAltman {
  /** Mean of a - b; geometric mean of a / b. */
  readonly bias: Interval;
  /** Limits between which the share `agreement` of the differences is expected. */
  readonly lowerLimit: Interval;
  readonly upperLimit: Interval;
  /** Standard deviation of a difference (of its logarithm); null for a single patient (row). */
  readonly sd: number | null;
  /** That within a patient; null where all have one row. */
  readonly withinSd: number | null;
  /** For the plot, one per row: (a + b) / 2 against a - b; for ratios sqrt(a b) against a / b. */
  readonly points: readonly { readonly average: number; readonly difference: number }[];
}

/**
 * Agreement of two measurements: bias and limits of agreement, bias -+ z sd, each with its interval. Student's t for
 * the bias, noncentral t (exact for normal differences) for each limit. With several rows per patient the differences
 * vary between and within patients (random effects, the true value may vary): every patient's mean counts alike, and
 * the limits have intervals by MOVER. Look at `points`: where the difference grows with the size, take ratios.
 *
 * Source: Bland & Altman 1986, Lancet 327:307, and 1999, Statistical Methods in Medical Research 8:135; exact
 * intervals, Carkeet 2015, Optometry and Vision Science 92:e71; several rows, Bland & Altman 2007, Journal of
 * Biopharmaceutical Statistics 17:571, and Zou 2013, Statistical Methods in Medical Research 22:630 (here with
 * Student's t for the bias).
 *
 * @param a measurements or predictions of one method, length n
 * @param b of the other, length n
 * @throws InvalidDataError for lengths that differ, values that are not finite numbers, and numbers <= 0 on the ratio
 * scale; InvalidOptionError for options out of range
 * @example
 * const { bias, lowerLimit, upperLimit } = blandAltman([10, 12, 11, 15, 13], [11, 12, 10, 14, 15]);
 * console.log(bias.estimate, lowerLimit.estimate, upperLimit.estimate);
 */
export function blandAltman(a: ArrayLike<number>, b: ArrayLike<number>, options?: BlandAltmanOptions): BlandAltman {
  const { scale, agreement, groups, level } = blandAltmanOptions.resolve(options);
  const ratio = scale === 'ratio';
  checkMeasurements(a, 'a', ratio);
  checkMeasurements(b, 'b', ratio);
  if (b.length !== a.length) {
    const got = phrase(String(b.length));
    throw new InvalidDataError(sentence('b', `have as many numbers as a, ${a.length}`, got), {
      code: 'length_mismatch',
    });
  }
  const read = (values: ArrayLike<number>) => Float64Array.from(values, (value) => (ratio ? Math.log(value) : value));
  const [x, y] = [read(a), read(b)];
  const units = groups ? groupsOf(groups, x.length).codes : Int32Array.from(x, (_, row) => row);
  const unit = groups ? 'patient' : 'row';
  const differences = x.map((value, row) => value - y[row]);
  const found = agreementOf(differences, units, { agreement, level, unit });
  const back = (value: number) => (ratio ? Math.exp(value) : value);
  const interval = (value: Value): Interval => ({
    ...sampleFacts({ level, unit, nUnits: found.nUnits }),
    ...unitFacts(unit, unit),
    ...mapValue(value, back),
  });
  return {
    bias: interval(found.bias),
    lowerLimit: interval(found.lowerLimit),
    upperLimit: interval(found.upperLimit),
    sd: found.sd,
    withinSd: found.withinSd,
    points: Array.from(x, (value, row) => ({
      average: back((value + y[row]) / 2),
      difference: back(differences[row]),
    })),
  };
}

function checkMeasurements(values: ArrayLike<number>, name: string, positive: boolean): void {
  checkLength(values, values?.length, name);
  if (values.length === 0) throw new InvalidDataError(sentence(name, 'hold numbers', phrase('none')));
  for (let row = 0; row < values.length; row++) {
    if (!Number.isFinite(values[row]))
      throw new InvalidDataError(sentence(`${name} row ${row}`, 'be a finite number', kindOf(values[row])));
    if (positive && values[row] <= 0) {
      const way = "Use `scale: 'difference'`.";
      throw new InvalidDataError(
        sentence(`${name} row ${row}`, 'be above 0 on the ratio scale', kindOf(values[row]), way),
      );
    }
  }
}

function momentsOf(differences: Float64Array, units: Int32Array) {
  const nUnits = units.reduce((most, unit) => Math.max(most, unit), -1) + 1;
  const rows = new Float64Array(nUnits);
  const means = new Float64Array(nUnits);
  units.forEach((unit, row) => {
    rows[unit]++;
    means[unit] += (differences[row] - means[unit]) / rows[unit];
  });
  const squares = differences.reduce((sum, each, row) => sum + (each - means[units[row]]) ** 2, 0);
  const dfWithin = differences.length - nUnits;
  return {
    nUnits,
    mean: mean(means),
    between: unbiasedVariance(means),
    // Pooled within units.
    within: dfWithin > 0 ? squares / dfWithin : 0,
    dfWithin,
    // Their harmonic mean.
    rowsPerUnit: nUnits / rows.reduce((sum, each) => sum + 1 / each, 0),
  };
}

/**
 * The variance of a difference is that of the units' means plus (1 - 1 / m) times that within units, m the harmonic
 * mean of their rows. Sources as in {@link blandAltman}.
 */
function agreementOf(
  differences: Float64Array,
  units: Int32Array,
  options: { readonly agreement: number; readonly level: number; readonly unit: string },
) {
  const moments = momentsOf(differences, units);
  const { nUnits, mean, between, within, dfWithin, rowsPerUnit } = moments;
  const several = dfWithin > 0;
  const methods = { bias: 'student_t', limits: several ? 'mover' : 'noncentral_t' };
  if (nUnits === 1) {
    const none = withoutLimits(methods.limits, null, `only 1 ${options.unit}`);
    const bias = withoutLimits(methods.bias, mean, none.reason as string);
    return { nUnits, bias, lowerLimit: none, upperLimit: none, sd: null, withinSd: null };
  }
  const variance = between + (1 - 1 / rowsPerUnit) * within;
  const sd = Math.sqrt(variance);
  const z = normalQuantile((1 + options.agreement) / 2);
  const facts = { nUnits, sd, withinSd: several ? Math.sqrt(within) : null };
  const spread = differences.reduce((most, each) => Math.max(most, Math.abs(each)), 0);
  const reason =
    tooFewUnits(nUnits, options.unit) ?? (sd <= 1e-12 * spread ? 'the differences do not vary' : undefined);
  if (reason !== undefined) {
    const limit = (estimate: number) => withoutLimits(methods.limits, estimate, reason);
    return {
      ...facts,
      bias: withoutLimits(methods.bias, mean, reason),
      lowerLimit: limit(mean - z * sd),
      upperLimit: limit(mean + z * sd),
    };
  }
  const half = studentTQuantile((1 + options.level) / 2, nUnits - 1) * Math.sqrt(between / nUnits);
  const { inner, outer } = several
    ? byMover(moments, sd, half, z, options.level)
    : exactly(nUnits, sd, z, options.level);
  return {
    ...facts,
    bias: { method: methods.bias, estimate: mean, lower: mean - half, upper: mean + half },
    lowerLimit: { method: methods.limits, estimate: mean - z * sd, lower: mean - outer, upper: mean - inner },
    upperLimit: { method: methods.limits, estimate: mean + z * sd, lower: mean + inner, upper: mean + outer },
  };
}

function exactly(n: number, sd: number, z: number, level: number) {
  const at = (p: number) => (noncentralTQuantile(p, n - 1, z * Math.sqrt(n)) * sd) / Math.sqrt(n);
  return { inner: at((1 - level) / 2), outer: at((1 + level) / 2) };
}

/** Chi-squared intervals of both variances give one of their sum, and that with the bias one of the limit. */
function byMover(moments: ReturnType<typeof momentsOf>, sd: number, half: number, z: number, level: number) {
  const { nUnits, between, within, dfWithin, rowsPerUnit } = moments;
  const parts = [
    [between, nUnits - 1],
    [(1 - 1 / rowsPerUnit) * within, dfWithin],
  ];
  const off = (p: number) =>
    Math.hypot(...parts.map(([variance, df]) => variance * (df / chiSquaredQuantile(p, df) - 1)));
  const low = Math.sqrt(Math.max(0, sd ** 2 - off((1 + level) / 2)));
  const high = Math.sqrt(sd ** 2 + off((1 - level) / 2));
  return { inner: z * sd - Math.hypot(half, z * (sd - low)), outer: z * sd + Math.hypot(half, z * (high - sd)) };
}

/** So many degrees of freedom below the line make an F variable a chi-squared one over its own, to 1e-12. */
const MANY = 1e15;

export function chiSquaredQuantile(p: number, df: number): number {
  const x = inverseIncompleteBeta(p, df / 2, MANY / 2);
  return (x / (1 - x)) * MANY;
}

/**
 * The value that a noncentral t variable (Z + shift) / sqrt(chi2 / df) stays below with probability p, by bisection.
 * Its distribution is the mean of Phi(t s - shift) over s = sqrt(chi2 / df): a trapezoidal sum in log s, whose density
 * falls off so fast on both sides that the sum is exact to rounding.
 *
 * Source: Johnson, Kotz & Balakrishnan 1995, Continuous Univariate Distributions 2, chapter 31.
 *
 * @param p between 0 and 1
 * @param df degrees of freedom, >= 1
 */
export function noncentralTQuantile(p: number, df: number, shift: number): number {
  const reach = Math.sqrt(45 / df); // the log density is below -45 beyond
  const step = 0.1 / Math.sqrt(df);
  const nodes: { readonly s: number; readonly weight: number }[] = [];
  for (let w = -reach - 45 / df; w <= reach; w += step) {
    nodes.push({ s: Math.exp(w), weight: Math.exp(df * (w - Math.expm1(2 * w) / 2)) });
  }
  const total = nodes.reduce((sum, { weight }) => sum + weight, 0);
  const below = (t: number) => nodes.reduce((sum, { s, weight }) => sum + weight * phi(t * s - shift), 0) / total;
  const centre = shift + normalQuantile(p) * Math.sqrt(1 + shift ** 2 / (2 * df));
  let [low, high] = [centre - 1, centre + 1];
  while (below(low) > p) low -= high - low;
  while (below(high) < p) high += high - low;
  for (let i = 0; i < 100 && high - low > 1e-15 * Math.abs(high); i++) {
    const middle = (low + high) / 2;
    if (below(middle) < p) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

const phi = (z: number) => normalTail(-z);
