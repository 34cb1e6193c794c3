import { counted } from '../../core/format.js';
import { hasReason } from '../../core/hasReason.js';
import { lowerBound } from '../../core/lowerBound.js';
import { MOST_DRAWS, sum } from '../../core/numbers.js';
import { type InputOf, integer, number, oneOf, optionTable, seed } from '../../core/options.js';
import { weightedQuantile } from '../../core/quantiles.js';
import { type RandomSource, randomInterval, randomSource } from '../../core/random.js';
import { rowsPerCode, tally } from '../../data/encode.js';
import { concat, type Label } from '../../data/labels.js';
import { type Interval, joinNotes, tooFewUnits } from '../../intervals/interval.js';
import { sampleFacts, type Value } from '../../intervals/sample.js';
import { brier, scaledBrier } from '../../metrics/definitions/probability.js';
import type { Score } from '../../metrics/metric.js';
import { weightedMean } from '../../metrics/ratioOfSums.js';
import { takeRows } from '../../metrics/tableRows.js';
import { type BinaryRows, binaryRows, intervalOptions } from '../binaryRows.js';
import { byInfluence, calibrationCoefficient } from '../measures/byInfluence.js';
import { curveDistances, type Distances, type FlexibleCurve, flexibleCurve, inSmallestUnits } from './flexibleCurve.js';

export const calibrationCurveOptions = optionTable('calibrationCurve', {
  span: number({ above: 0, max: 1 }).default(0.75).describe('Share of the rows in each local fit of the curve.'),
  nPoints: integer({ min: 2 }).default(101).describe('Number of points of the curve.'),
  nBins: integer({ min: 1 }).default(10).describe('Number of bins, also those of the ECE.'),
  binning: oneOf('uniform', 'quantile')
    .default('uniform')
    .describe('Bins of equal width, or with about equal numbers of rows.'),
  nBootstrap: integer({ min: 100, max: MOST_DRAWS })
    .nullable()
    .default(null)
    .describe(
      'Resamples of the patients (rows) for intervals of ICI, E50 and E90, each with a curve of its own; null: none.',
    ),
  randomState: seed().default(42).describe('Seed of the resamples; harmless without them.'),
  ...intervalOptions,
});
export type CalibrationCurveOptions = InputOf<typeof calibrationCurveOptions>;

/** Result of {@link calibrationCurve}. Report the intercept and the slope with the curve and the distribution. */
export interface CalibrationCurve extends FlexibleCurve {
  /** ICI, E50 and E90 with percentile intervals; with `nBootstrap` alone. */
  readonly distances?: Readonly<Record<keyof Distances, Interval>>;
  /** Calibration in the large: log-odds by which outcomes exceed predictions; 0 is right. */
  readonly intercept: Interval;
  /** 1 is right; below 1 predictions are too extreme, above 1 not extreme enough. */
  readonly slope: Interval;
  /** Mean squared error of the probabilities, in [0, 1]. */
  readonly brier: Interval;
  /** 1 - Brier / Brier of predicting everyone the prevalence: 0 is useless, 1 perfect. */
  readonly scaledBrier: Interval;
  /** Expected calibration error over `bins`: secondary, since it depends on them. */
  readonly ece: number;
  readonly bins: readonly CalibrationBin[];
  /** Probabilities by outcome: counts in 20 bins of equal width. */
  readonly distribution: readonly CalibrationBin[];
  /** Weight of the positive rows over that of all. */
  readonly prevalence: number;
}

/**
 * Calibration of probabilities: do as many have the outcome as predicted? In the large (intercept), on average over
 * risks (slope), at each risk (flexible curve with a pointwise band, ICI, E50, E90), beside Brier and scaled Brier
 * score, ECE, bins, and the distribution of the probabilities per outcome. Intervals are about these predictions;
 * patients are the units when `groups` are given. Those of ICI, E50 and E90 fit the curve anew `nBootstrap` times, which
 * takes time: 100 resamples of 2,000 rows about 3 seconds, of 10,000 rows 15. Log-odds are taken of probabilities within
 * [1e-8, 1 - 1e-8].
 *
 * What is undefined is null with a reason: separable classes ("did not converge"), one class alone, fewer than ten
 * units, too few different probabilities for a curve.
 *
 * Source: Van Calster et al. 2019, BMC Medicine 17:230; Austin & Steyerberg 2019, Statistics in Medicine 38:4051;
 * scaled Brier score, Steyerberg et al. 2010, Epidemiology 21:128.
 *
 * @param yTrue labels of two classes, length n
 * @param yProba probabilities of the positive class, length n: out-of-fold ones, or those of new patients
 * @throws InvalidDataError for lengths that differ and numbers that are not probabilities, InvalidOptionError for
 * options out of range
 * @example
 * const { slope, intercept, bins } = calibrationCurve(yTrue, yProba);
 * console.log(slope.estimate, intercept.estimate, bins.length);
 */
export function calibrationCurve(
  yTrue: ArrayLike<Label>,
  yProba: ArrayLike<number>,
  options?: CalibrationCurveOptions,
): CalibrationCurve {
  const { span, nPoints, nBins, binning, nBootstrap, randomState, ...rowOptions } =
    calibrationCurveOptions.resolve(options);
  const rows = binaryRows(yTrue, yProba, rowOptions);
  const bins = calibrationBins(rows, nBins, binning);
  const interval = (value: Value): Interval => ({ ...sampleFacts(rows), ...value });
  const curve = flexibleCurve(rows, span, nPoints);
  const resampling = nBootstrap === null ? undefined : { nBootstrap, random: randomSource(randomState) };
  const prevalence = weightedMean(rows.table, (row) => rows.y[row]);
  return {
    prevalence,
    intercept: interval(calibrationCoefficient(rows, 'intercept')),
    slope: interval(calibrationCoefficient(rows, 'slope')),
    ...curve,
    ...(resampling ? { distances: distanceIntervals(rows, span, curve, resampling) } : {}),
    brier: interval(byInfluence(rows, brier)),
    scaledBrier: interval(byInfluence(rows, scaledBrier)),
    ece: expectedCalibrationError(bins),
    bins,
    distribution: calibrationBins(rows, 20),
  };
}

const NAMES = ['ici', 'e50', 'e90'] as const;

/**
 * Percentile intervals of the distances between curve and diagonal. A resample with too few different probabilities for
 * a curve is dropped. Distances cannot be negative, and a resample adds its noise to that of the sample: the limits lie
 * high, for well calibrated probabilities above the estimate.
 * Source: Austin & Steyerberg 2019, Statistics in Medicine 38:4051; percentiles, Efron & Tibshirani 1993, chapter 13.
 */
function distanceIntervals(
  rows: BinaryRows,
  span: number,
  found: Readonly<Record<keyof Distances, Score>>,
  { nBootstrap, random }: { readonly nBootstrap: number; readonly random: RandomSource },
): Record<keyof Distances, Interval> {
  const { nUnits, unit, level } = rows;
  const few = found.ici.value === null ? found.ici.reason : tooFewUnits(nUnits, unit);
  const drawn = few === undefined ? resampled(rows, span, nBootstrap, random) : [];
  const dropped = nBootstrap - drawn.length;
  const ofAll = `${dropped} of ${counted(nBootstrap, 'resample')}`;
  const reason = few ?? (dropped > nBootstrap / 2 ? `${ofAll} have no curve` : undefined);
  const once = new Float64Array(drawn.length).fill(1);
  const intervals = NAMES.map((name): [keyof Distances, Interval] => {
    const facts = { ...sampleFacts(rows), method: 'percentile_bootstrap', estimate: found[name].value };
    if (reason !== undefined) return [name, { ...facts, lower: null, upper: null, reason }];
    const quantile = weightedQuantile(
      Float64Array.from(drawn, (each) => each[name]),
      once,
    );
    const note = joinNotes(
      'Resamples add noise to the curve, so the limits of its distances lie high.',
      dropped > 0 ? `${ofAll} had no curve and were dropped.` : undefined,
    );
    return [name, { ...facts, lower: quantile((1 - level) / 2), upper: quantile((1 + level) / 2), ...note }];
  });
  return Object.fromEntries(intervals) as Record<keyof Distances, Interval>;
}

function resampled({ table, y, units, nUnits }: BinaryRows, span: number, times: number, random: RandomSource) {
  const members = rowsPerCode(units, tally(units, nUnits));
  return Array.from({ length: times }).flatMap(() => {
    const rows = concat(members.map(() => members[randomInterval(random, nUnits - 1)]));
    const drawn = { table: takeRows(table, rows) as BinaryRows['table'], y: Uint8Array.from(rows, (row) => y[row]) };
    const distances = curveDistances(drawn, span);
    return hasReason(distances) ? [] : [distances];
  });
}

/** Rows of about the same probability: `from` < p <= `to`, the first bin with its lower end. */
export interface CalibrationBin {
  readonly from: number;
  readonly to: number;
  /** Number of rows, whatever their weights. */
  readonly n: number;
  /** Weight of the rows with the outcome, and of those without. */
  readonly positives: number;
  readonly negatives: number;
  /** Mean probability; null in an empty bin. */
  readonly predicted: number | null;
  /** Share with the outcome; null in an empty bin. */
  readonly observed: number | null;
}

export function calibrationBins(
  { table, y }: BinaryRows,
  nBins: number,
  binning: 'uniform' | 'quantile' = 'uniform',
): CalibrationBin[] {
  const { yProba, weight } = table;
  const steps = Array.from({ length: nBins + 1 }, (_, i) => (i === nBins ? 1 : i * (1 / nBins)));
  const quantile = binning === 'quantile' ? weightedQuantile(yProba, inSmallestUnits(weight, y.length)) : undefined;
  const edges = quantile ? steps.map(quantile) : steps;
  const inner = edges.slice(1, -1);
  const bins = Array.from({ length: nBins }, () => ({ n: 0, positives: 0, negatives: 0, risk: 0 }));
  for (let row = 0; row < y.length; row++) {
    const bin = bins[lowerBound(inner, yProba[row])];
    const w = weight ? weight[row] : 1;
    bin.n++;
    bin.risk += w * yProba[row];
    if (y[row] === 1) bin.positives += w;
    else bin.negatives += w;
  }
  return bins.map(({ risk, ...bin }, i) => {
    const total = bin.positives + bin.negatives;
    const mean = (part: number) => (bin.n > 0 ? part / total : null);
    return { from: edges[i], to: edges[i + 1], ...bin, predicted: mean(risk), observed: mean(bin.positives) };
  });
}

/**
 * Expected calibration error: mean distance of predicted from observed over the bins, by weight. It changes with the
 * bins and grows as samples shrink; the integrated calibration index needs no bins.
 * Source: Naeini, Cooper & Hauskrecht 2015, AAAI 29:2901; its bias, Roelofs et al. 2022, AISTATS.
 */
export function expectedCalibrationError(bins: readonly CalibrationBin[]): number {
  const weights = bins.map(({ positives, negatives }) => positives + negatives);
  const gaps = bins.map(({ predicted, observed }) => Math.abs((predicted ?? 0) - (observed ?? 0)));
  return sum(gaps.map((gap, at) => weights[at] * gap)) / sum(weights);
}
