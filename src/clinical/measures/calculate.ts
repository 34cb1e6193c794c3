import { hasReason } from '../../core/hasReason.js';
import { studentTQuantile } from '../../core/incompleteBeta.js';
import { normalQuantile } from '../../core/normalQuantile.js';
import { type RandomState, randomSource } from '../../core/random.js';
import { type AucScale, delong } from '../../intervals/delong.js';
import { effectiveUnits } from '../../intervals/effectiveUnits.js';
import { type Interval, joinNotes } from '../../intervals/interval.js';
import { type ProportionMethod, proportion } from '../../intervals/proportion.js';
import {
  influenceOf,
  obstacleOf,
  type Sample,
  sampleFacts,
  type Value,
  varianceIn,
  withoutLimits,
} from '../../intervals/sample.js';
import { f1, npv, ppv, sensitivity, specificity } from '../../metrics/definitions/binary.js';
import { accuracy, balancedAccuracy, cohenKappa, mcc } from '../../metrics/definitions/multiclass.js';
import { brier } from '../../metrics/definitions/probability.js';
import { averagePrecision } from '../../metrics/definitions/ranking.js';
import { type Metric, type Undefined, undefinedBecause } from '../../metrics/metric.js';
import { ratioOfSums } from '../../metrics/ratioOfSums.js';
import type { ScoreTable } from '../../metrics/scoreTable.js';
import { byInfluence, calibrationCoefficient } from './byInfluence.js';
import type { ClinicalResults } from './clinicalResults.js';
import { correlationOf, mapValue, moverSum, reciprocal } from './mover.js';

const prevalenceOfSample: Metric = {
  ...accuracy,
  name: 'prevalence',
  ...ratioOfSums(({ yTrue, positive }) => ({ part: (row) => (yTrue[row] === positive ? 1 : 0) })),
};

const detectionRate: Metric = {
  ...accuracy,
  name: 'detection_rate',
  ...ratioOfSums(({ yTrue, yPred, positive }) => ({
    part: (row) => (yTrue[row] === positive && yPred[row] === positive ? 1 : 0),
  })),
};

interface ClinicalSettings {
  readonly prevalence: number | null;
  readonly treatmentEffect: number | null;
  readonly proportionMethod: ProportionMethod;
  readonly aucScale?: AucScale | undefined;
  readonly nBootstrap: number | null;
  readonly randomState: RandomState;
}

/**
 * Numbers needed are reciprocals of values with an interval: to diagnose and to predict, Linn & Grunau 2006,
 * Epidemiologic Perspectives & Innovations 3:11; to screen, Rembold 1998, BMJ 317:307; to treat and its impossible
 * intervals, Altman 1998, BMJ 317:1309.
 *
 * @param knownJ Youden's J with an interval by another method, on which the numbers needed then rest
 */
export function calculate(sample: Sample, settings: ClinicalSettings, knownJ?: Value): ClinicalResults {
  const { table } = sample;
  const { treatmentEffect, proportionMethod, nBootstrap } = settings;
  const share = (metric: Metric) => proportion(sample, metric, proportionMethod);
  const other = (metric: Metric) =>
    byInfluence(
      sample,
      metric,
      nBootstrap === null ? undefined : { nBootstrap, random: randomSource(settings.randomState) },
    );
  const lacking = (reason = '') => withoutLimits(nBootstrap === null ? 'delta' : 'bootstrap', null, reason);
  const [ofPositives, ofNegatives, ofAll] = [sensitivity, specificity, prevalenceOfSample].map(share);
  const rates = ratesOf(sample);
  const together = moverSum(
    ofPositives,
    ofNegatives,
    correlationOf(sample, [[sensitivity, ofPositives.estimate]], [[specificity, ofNegatives.estimate]]),
  );
  const youden = knownJ ?? mapValue(together, (sum) => sum - 1);
  const knownPrevalence = settings.prevalence;
  const predictive =
    knownPrevalence === null ? { ppv: share(ppv), npv: share(npv) } : predictiveValues(rates, knownPrevalence);
  const predictiveSum = moverSum(
    predictive.ppv,
    predictive.npv,
    knownPrevalence === null
      ? correlationOf(sample, [[ppv, predictive.ppv.estimate]], [[npv, predictive.npv.estimate]])
      : predictiveCorrelation(rates),
  );
  const toDiagnose = reciprocal(youden, "Youden's J");
  const detected =
    knownPrevalence === null ? share(detectionRate) : mapValue(ofPositives, (each) => knownPrevalence * each);
  const ofRates = [
    [sensitivity, ofPositives.estimate],
    [specificity, ofNegatives.estimate],
  ] as const;
  const values = {
    prevalence: ofAll,
    sensitivity: ofPositives,
    specificity: ofNegatives,
    ...predictive,
    accuracy: share(accuracy),
    balancedAccuracy: mapValue(together, (sum) => sum / 2),
    youden,
    // With one class alone F1 (without positives) and kappa are 0 for every prediction, so they are left undefined.
    f1: ofPositives.estimate === null ? lacking(ofPositives.reason) : other(f1),
    mcc: other(mcc),
    kappa: hasReason(rates) ? lacking(rates.reason) : other(cohenKappa),
    lrPositive: ratio(rates, lrPositive),
    lrNegative: ratio(rates, lrNegative),
    diagnosticOddsRatio: ratio(rates, oddsRatio),
    nnt:
      treatmentEffect === null
        ? toTest(
            toDiagnose,
            knownPrevalence ?? ofAll,
            correlationOf(sample, [[prevalenceOfSample, ofAll.estimate]], ofRates),
          )
        : toTreat(predictive.ppv, treatmentEffect),
    nns: noted(
      'NNS is the number tested per case found, 1 / (prevalence x sensitivity).',
      reciprocal(detected, 'prevalence x sensitivity'),
    ),
    numberNeededToDiagnose: toDiagnose,
    numberNeededToPredict: reciprocal(
      mapValue(predictiveSum, (sum) => sum - 1),
      'PPV + NPV - 1',
    ),
    ...ofProbabilities(sample, settings, other),
  };
  const counts = confusion(table);
  const n = counts.tp + counts.fp + counts.fn + counts.tn;
  const patients = sample.unit === 'patient' ? sample.nUnits : null;
  const intervals = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, { ...sampleFacts(sample), ...value }]),
  ) as Record<keyof typeof values, Interval>;
  return { counts: { ...counts, n, rows: table.length, patients }, ...intervals };
}

function confusion({ yTrue, yPred, weight, length, positive }: ScoreTable) {
  const cells = new Float64Array(4);
  for (let row = 0; row < length; row++) {
    const cell = (yTrue[row] === positive ? 2 : 0) + (yPred[row] === positive ? 1 : 0);
    cells[cell] += weight ? weight[row] : 1;
  }
  const [tn, fp, fn, tp] = cells;
  return { tp, fp, fn, tn };
}

function ofProbabilities(sample: Sample, { aucScale }: ClinicalSettings, other: (metric: Metric) => Value) {
  const none = withoutLimits('none', null, 'no yProba was given');
  if (!sample.table.yProba) {
    return { rocAuc: none, averagePrecision: none, brier: none, calibrationIntercept: none, calibrationSlope: none };
  }
  return {
    rocAuc: delong(sample, aucScale),
    averagePrecision: other(averagePrecision),
    brier: other(brier),
    calibrationIntercept: calibrationCoefficient(sample, 'intercept'),
    calibrationSlope: calibrationCoefficient(sample, 'slope'),
  };
}

const toTreat = (ppv: Value, effect: number): Value =>
  noted(
    `NNT is the number of positives treated per one who benefits, 1 / (PPV x ${effect}); the effect is taken as known.`,
    reciprocal(
      mapValue(ppv, (each) => each * effect),
      'PPV',
    ),
  );

/** An estimated prevalence adds its own uncertainty, on the log scale. */
function toTest(toDiagnose: Value, prevalence: number | Value, correlation: number): Value {
  const note =
    "NNT is the number tested per net correct finding, 1 / (prevalence x Youden's J); it is about no treatment.";
  const share = typeof prevalence === 'number' ? prevalence : (prevalence.estimate as number);
  const plain = mapValue(toDiagnose, (each) => each / share);
  if (typeof prevalence === 'number') return noted(note, plain);
  if (toDiagnose.estimate === null || toDiagnose.lower === null || toDiagnose.upper === null) {
    return noted(note, { ...plain, lower: null, upper: null });
  }
  const sign = Math.sign(toDiagnose.estimate);
  const logs = moverSum(
    mapValue(toDiagnose, (each) => Math.log(sign * each)),
    mapValue(prevalence, (each) => -Math.log(each)),
    sign * correlation,
  );
  return noted(
    note,
    mapValue(logs, (each) => sign * Math.exp(each)),
  );
}

const noted = (note: string, value: Value): Value => ({ ...value, ...joinNotes(note, value.note) });

type Slopes = readonly [bySensitivity: number, bySpecificity: number];

interface Rates {
  readonly sensitivity: number;
  readonly specificity: number;
  /** By the delta method, with the quantile that goes with it. */
  spread(slopes: Slopes): { readonly variance: number; readonly quantile: number };
  /** Why nothing made of the rates gets limits. */
  readonly obstacle: string | undefined;
}

interface RatesAndStandIn extends Rates {
  readonly emptyCell: boolean;
  /** With 0.5 added to each cell of the table of effective units. */
  readonly corrected: Rates;
  readonly correction: string;
}

/**
 * Independent rows: binomial variances for Kish's effective number of rows of either class. Patients with several rows:
 * influences, summed per patient over both classes. The corrected rates are those of as many independent units as there
 * are effective patients (rows) of either class.
 */
function ratesOf(sample: Sample): RatesAndStandIn | Undefined {
  const { table, units, unit, level, clustered } = sample;
  const [sens, spec] = [sensitivity.compute(table), specificity.compute(table)];
  if (typeof sens !== 'number') return undefinedBecause(sens.reason);
  if (typeof spec !== 'number') return undefinedBecause(spec.reason);
  const obstacle = obstacleOf(sample, balancedAccuracy);
  const nPositive = effectiveUnits(sensitivity, table, units);
  const nNegative = effectiveUnits(specificity, table, units);
  const quantile = normalQuantile((1 + level) / 2);

  const independent = (sensitivity: number, nPositive: number, specificity: number, nNegative: number): Rates => ({
    sensitivity,
    specificity,
    obstacle,
    spread: ([bySens, bySpec]) => ({
      variance:
        (bySens ** 2 * sensitivity * (1 - sensitivity)) / nPositive +
        (bySpec ** 2 * specificity * (1 - specificity)) / nNegative,
      quantile,
    }),
  });
  const dependentSpread = (): Rates['spread'] => {
    const ofSens = influenceOf(sensitivity, sample, sens);
    const ofSpec = influenceOf(specificity, sample, spec);
    return ([bySens, bySpec]) => {
      const influence = ofSens.map((each, row) => bySens * each + bySpec * ofSpec[row]);
      const { variance, df } = varianceIn(sample, balancedAccuracy)(influence);
      return { variance, quantile: studentTQuantile((1 + level) / 2, df) };
    };
  };
  const withHalf = (share: number, n: number) => (share * n + 0.5) / (n + 1);
  return {
    ...independent(sens, nPositive, spec, nNegative),
    ...(clustered ? { spread: dependentSpread() } : {}),
    emptyCell: [sens, spec].some((share) => share === 0 || share === 1),
    correction: `One cell is 0: limits after adding 0.5 to all four${
      clustered || table.weight ? `, counted in ${unit}s of equal weight` : ''
    }.`,
    corrected: independent(withHalf(sens, nPositive), nPositive + 1, withHalf(spec, nNegative), nNegative + 1),
  };
}

interface Ratio {
  readonly method: string;
  readonly top: (rates: Rates) => number;
  readonly bottom: (rates: Rates) => number;
  /** Derivatives of its logarithm. */
  readonly slopes: (rates: Rates) => Slopes;
}

const lrPositive: Ratio = {
  method: 'log',
  top: ({ sensitivity }) => sensitivity,
  bottom: ({ specificity }) => 1 - specificity,
  slopes: ({ sensitivity, specificity }) => [1 / sensitivity, 1 / (1 - specificity)],
};

const lrNegative: Ratio = {
  method: 'log',
  top: ({ sensitivity }) => 1 - sensitivity,
  bottom: ({ specificity }) => specificity,
  slopes: ({ sensitivity, specificity }) => [-1 / (1 - sensitivity), -1 / specificity],
};

const oddsRatio: Ratio = {
  method: 'woolf',
  top: (rates) => lrPositive.top(rates) * lrNegative.bottom(rates),
  bottom: (rates) => lrPositive.bottom(rates) * lrNegative.top(rates),
  slopes: ({ sensitivity: p, specificity: q }) => [1 / (p * (1 - p)), 1 / (q * (1 - q))],
};

/**
 * A ratio with its interval, symmetric on the log scale by the delta method. Where a cell of the 2 x 2 table is 0, rates
 * of 0 and 1 have no variance: the standard error is that after adding 0.5 to all four cells, with a note. A ratio of 0
 * has the lower limit 0 and the upper one of the corrected cells. With 0 only in the denominator estimate and upper limit
 * are null, and the lower limit comes from the corrected cells. 0/0 is null.
 * Source: likelihood ratios, Simel, Samsa & Matchar 1991, Journal of Clinical Epidemiology 44:763; odds ratio, Woolf
 * 1955, Annals of Human Genetics 19:251; 0.5, Haldane 1956, Annals of Human Genetics 20:309.
 */
function ratio(rates: RatesAndStandIn | Undefined, { method, top, bottom, slopes }: Ratio): Value {
  if (hasReason(rates)) return withoutLimits(method, null, rates.reason);
  const [above, below] = [top(rates), bottom(rates)];
  if (below === 0 && above === 0) return withoutLimits(method, null, 'it would be 0/0');
  const unbounded = below === 0 ? 'unbounded, since it divides by 0' : undefined;
  const estimate = unbounded === undefined ? above / below : null;
  if (rates.obstacle !== undefined) return withoutLimits(method, estimate, unbounded ?? rates.obstacle);
  const used = rates.emptyCell ? rates.corrected : rates;
  const { variance, quantile } = used.spread(slopes(used));
  const factor = Math.exp(quantile * Math.sqrt(variance));
  // A ratio of 0 or infinity has no logarithm: the corrected cells give the centre.
  const centre = estimate || top(used) / bottom(used);
  if (!Number.isFinite(centre * factor)) {
    return withoutLimits(method, estimate, unbounded ?? 'its variance rests on too few units');
  }
  return {
    method,
    estimate,
    lower: estimate === 0 ? 0 : centre / factor,
    upper: unbounded === undefined ? centre * factor : null,
    ...(rates.emptyCell ? { note: rates.correction } : {}),
    ...(unbounded === undefined ? {} : { reason: unbounded }),
  };
}

/**
 * At a known prevalence, by Bayes' theorem from the likelihood ratios. On the logit scale the interval is that of the log
 * ratio, which is Mercaldo's logit interval. At 0 and 1 one limit is the bound itself, and the other one rests on 0.5
 * added to all four cells.
 * Source: Mercaldo, Lau & Zhou 2007, Statistics in Medicine 26:2170.
 */
function predictiveValues(rates: RatesAndStandIn | Undefined, prevalence: number): Record<'ppv' | 'npv', Value> {
  const odds = prevalence / (1 - prevalence);
  const at = (kind: Ratio, unknown: string, ofRatio: (likelihoodRatio: number) => number): Value => {
    const { method: _, estimate, lower, upper, ...rest } = ratio(rates, kind);
    const method = 'mercaldo';
    if (hasReason(rates)) return withoutLimits(method, null, rates.reason);
    const [top, bottom] = [kind.top(rates), kind.bottom(rates)];
    if (top === 0 && bottom === 0) return withoutLimits(method, null, unknown);
    const share = ofRatio(top / bottom); // may be Infinity
    if (lower === null) return withoutLimits(method, share, rates.obstacle ?? (rest.reason as string));
    const limits = [share, ofRatio(lower), ofRatio(upper ?? Infinity)];
    return {
      method,
      estimate: share,
      lower: Math.min(...limits),
      upper: Math.max(...limits),
      ...joinNotes(`At the given prevalence of ${prevalence}, taken as known.`, rest.note),
    };
  };
  return {
    ppv: at(lrPositive, 'no row is predicted positive', (lr) => 1 / (1 + 1 / (odds * lr))),
    npv: at(lrNegative, 'no row is predicted negative', (lr) => 1 / (1 + odds * lr)),
  };
}

/** Correlation of both predictive values at a given prevalence, by the delta method on their logits. */
function predictiveCorrelation(rates: RatesAndStandIn | Undefined): number {
  if (hasReason(rates)) return 0;
  const used = rates.emptyCell ? rates.corrected : rates;
  const ofPpv = lrPositive.slopes(used);
  const ofNpv = lrNegative.slopes(used).map((slope) => -slope);
  const variance = (a: number, b: number) =>
    used.spread([a * ofPpv[0] + b * ofNpv[0], a * ofPpv[1] + b * ofNpv[1]]).variance;
  const [p, n] = [variance(1, 0), variance(0, 1)];
  return p > 0 && n > 0 ? (variance(1, 1) - p - n) / 2 / Math.sqrt(p * n) : 0;
}
