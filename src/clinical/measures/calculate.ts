import { hasReason } from '../../core/hasReason.js';
import type { RandomState } from '../../core/random.js';
import { randomSource } from '../../core/random.js';
import { type AucScale, delong } from '../../intervals/delong.js';
import type { Interval } from '../../intervals/interval.js';
import { type ProportionMethod, proportion } from '../../intervals/proportion.js';
import { type Sample, sampleFacts, type Value, withoutLimits } from '../../intervals/sample.js';
import { confusion, f1, npv, ppv, sensitivity, specificity } from '../../metrics/definitions/binary.js';
import { accuracy, cohenKappa, mcc } from '../../metrics/definitions/multiclass.js';
import { brier } from '../../metrics/definitions/probability.js';
import { averagePrecision } from '../../metrics/definitions/ranking.js';

import type { Metric } from '../../metrics/metric.js';

import { ratioOfSums } from '../../metrics/ratioOfSums.js';

import { byInfluence, calibrationCoefficient } from './byInfluence.js';

import type { ClinicalResults } from './clinicalResults.js';
import { correlationOf, mapValue, moverSum } from './mover.js';
import { numbersNeeded } from './numbersNeeded.js';
import { lrNegative, lrPositive, oddsRatio, predictiveCorrelation, predictiveValues, ratesOf, ratio } from './rates.js';

/** Share of the rows that are positive. */
const prevalenceOfSample: Metric = {
  ...accuracy,
  name: 'prevalence',
  ...ratioOfSums(({ yTrue, positive }) => ({ part: (row) => (yTrue[row] === positive ? 1 : 0) })),
};

/** Share of the rows that are true positives. */
const detectionRate: Metric = {
  ...accuracy,
  name: 'detection_rate',
  ...ratioOfSums(({ yTrue, yPred, positive }) => ({
    part: (row) => (yTrue[row] === positive && yPred[row] === positive ? 1 : 0),
  })),
};

/** The options of `ClinicalMetrics` that bear on values. */
export interface ClinicalSettings {
  readonly prevalence: number | null;
  readonly treatmentEffect: number | null;
  readonly proportionMethod: ProportionMethod;
  readonly aucScale?: AucScale | undefined;
  readonly nBootstrap: number | null;
  readonly randomState: RandomState;
}

/** Every value of one set of predictions. */
export function calculate(sample: Sample, settings: ClinicalSettings): ClinicalResults {
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
  const youden = mapValue(together, (sum) => sum - 1);
  const given = settings.prevalence;
  const predictive = given === null ? { ppv: share(ppv), npv: share(npv) } : predictiveValues(rates, given);
  const predictiveSum = moverSum(
    predictive.ppv,
    predictive.npv,
    given === null
      ? correlationOf(sample, [[ppv, predictive.ppv.estimate]], [[npv, predictive.npv.estimate]])
      : predictiveCorrelation(rates),
  );
  const needed = numbersNeeded({
    youden,
    sensitivity: ofPositives,
    ppv: predictive.ppv,
    predictiveGain: mapValue(predictiveSum, (sum) => sum - 1),
    prevalence: given ?? ofAll,
    detected: share(detectionRate),
    correlation: correlationOf(
      sample,
      [[prevalenceOfSample, ofAll.estimate]],
      [
        [sensitivity, ofPositives.estimate],
        [specificity, ofNegatives.estimate],
      ],
    ),
    treatmentEffect,
  });
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
    nnt: needed.nnt,
    nns: needed.nns,
    numberNeededToDiagnose: needed.toDiagnose,
    numberNeededToPredict: needed.toPredict,
    ...ofProbabilities(sample, settings, other),
  };
  const { truePositive: tp, falsePositive: fp, falseNegative: fn, trueNegative: tn } = confusion(table);
  const patients = sample.unit === 'patient' ? sample.nUnits : null;
  const intervals = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, { ...sampleFacts(sample), ...value }]),
  ) as Record<keyof typeof values, Interval>;
  return { counts: { tp, fp, fn, tn, n: tp + fp + fn + tn, rows: table.length, patients }, ...intervals };
}

function ofProbabilities(sample: Sample, { aucScale }: ClinicalSettings, other: (metric: Metric) => Value) {
  if (!sample.table.yProba) {
    const none = withoutLimits('none', null, 'no yProba was given');
    return {
      rocAuc: none,
      averagePrecision: none,
      brier: none,
      calibrationIntercept: none,
      calibrationSlope: none,
    };
  }
  return {
    rocAuc: delong(sample, aucScale),
    averagePrecision: other(averagePrecision),
    brier: other(brier),
    calibrationIntercept: calibrationCoefficient(sample, 'intercept'),
    calibrationSlope: calibrationCoefficient(sample, 'slope'),
  };
}
