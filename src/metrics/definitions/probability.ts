import { hasReason } from '../../core/hasReason.js';
import { clippedLogit } from '../../core/numbers.js';
import { type LogisticFit, logisticFit } from '../logisticFit.js';
import { type Metric, type Undefined, undefinedBecause } from '../metric.js';
import { ratioOfSums, weightedMean } from '../ratioOfSums.js';
import type { ScoreTable } from '../scoreTable.js';

const LOSS = {
  direction: 'minimize',
  range: [0, 1],
  tasks: ['binary', 'multiclass', 'multilabel'],
  needs: 'probabilities',
  combine: 'pooled',
  decomposable: true,
  dependsOnPrevalence: true,
} as const;

/**
 * Half the sum over classes, so that it lies in [0, 1] and two classes give the same number either way: scikit-learn's
 * `brier_score_loss(..., scale_by_half=True)`; its default does not halve the multiclass sum, in [0, 2].
 * Source: Brier 1950, Monthly Weather Review 78:1.
 */
export const brier: Metric = {
  ...LOSS,
  name: 'brier',
  description:
    'Mean squared error of the probabilities; multiclass: half the sum over classes, in [0, 1] (Brier 1950).',
  ...ratioOfSums(({ task, yTrue, positive, classes, yProba: values }) => {
    const yProba = values as Float64Array;
    if (task === 'binary') return { part: (row) => (yProba[row] - (yTrue[row] === positive ? 1 : 0)) ** 2 };
    const width = classes.length;
    return {
      part: (row) => {
        let sum = 0;
        for (let c = 0, at = row * width; c < width; c++, at++) {
          sum += (yProba[at] - (task === 'multilabel' ? yTrue[at] : yTrue[row] === c ? 1 : 0)) ** 2;
        }
        return sum / (task === 'multilabel' ? width : 2);
      },
    };
  }),
};

/**
 * 1 - B / B0, with B0 = prevalence (1 - prevalence). Also called Brier skill score or index of prediction accuracy.
 * Source: Steyerberg et al. 2010, Epidemiology 21:128.
 */
export const scaledBrier: Metric = {
  ...brier,
  decomposable: false,
  name: 'scaled_brier',
  chance: () => 0,
  description: '1 - Brier / Brier of giving everyone the prevalence (Steyerberg 2010).',
  direction: 'maximize',
  range: [-Infinity, 1],
  tasks: ['binary'],
  compute(table) {
    const share = prevalence(table);
    if (share === 0 || share === 1) return undefinedBecause(`no ${share === 0 ? 'positive' : 'negative'} rows`);
    return 1 - (brier.compute(table) as number) / (share * (1 - share));
  },
  // The quotient rule for B / B0, where the estimate is 1 - B / B0.
  influence(table, estimate) {
    const share = prevalence(table);
    const baseline = share * (1 - share);
    const ofBrier = brier.influence?.(table, (1 - estimate) * baseline) as Float64Array;
    const { yTrue, positive, weight, length } = table;
    const total = weight ? weight.reduce((sum, w) => sum + w, 0) : length;
    return ofBrier.map((each, row) => {
      const y = yTrue[row] === positive ? 1 : 0;
      const ofBaseline = ((weight ? weight[row] : 1) * (1 - 2 * share) * (y - share)) / total;
      return ((1 - estimate) * ofBaseline - each) / baseline;
    });
  },
};

export const prevalence = (table: ScoreTable) =>
  weightedMean(table, (row) => (table.yTrue[row] === table.positive ? 1 : 0));

/**
 * Multilabel: mean over the labels as well. Clipped as in scikit-learn's `log_loss` for doubles, so that one impossible
 * row costs 36.04 and not infinity.
 * Source: Good 1952, Journal of the Royal Statistical Society B 14:107.
 */
export const logLoss: Metric = {
  ...LOSS,
  name: 'log_loss',
  description: 'Mean negative log-probability of the true class, clipped at 2^-52 as in scikit-learn (Good 1952).',
  range: [0, Number.POSITIVE_INFINITY],
  ...ratioOfSums(({ task, yTrue, positive, classes, yProba: values }) => {
    const yProba = values as Float64Array;
    const width = classes.length;
    return {
      part: (row) => {
        const lossAt = (at: number, isTrue: boolean) => loss(isTrue ? yProba[at] : 1 - yProba[at]);
        if (task === 'binary') return lossAt(row, yTrue[row] === positive);
        if (task === 'multiclass') return lossAt(row * width + yTrue[row], true);
        let sum = 0;
        for (let at = row * width; at < (row + 1) * width; at++) sum += lossAt(at, yTrue[at] === 1);
        return sum / width;
      },
    };
  }),
};

const loss = (p: number) => -Math.log(Math.min(1 - Number.EPSILON, Math.max(Number.EPSILON, p)));

const BINS = 10;

/**
 * Bins (0, .1], (.1, .2], ... with 0 in the first. It depends on them, and is above 0 for perfectly calibrated
 * predictions, more so with fewer rows. It has no derivative where a bin is exactly right, so its intervals are
 * resampled.
 * Source: Naeini, Cooper & Hauskrecht 2015, AAAI 29:2901; bins as of Guo et al. 2017, ICML 34:1321.
 */
export const ece: Metric = {
  name: 'ece',
  aliases: ['expected_calibration_error'],
  description: 'Mean distance of probability and share of positives over ten bins of equal width (Naeini 2015).',
  direction: 'minimize',
  range: [0, 1],
  tasks: ['binary'],
  needs: 'probabilities',
  combine: 'pooled',
  noBaseline: true,
  weighted: true,
  dependsOnPrevalence: true,
  compute({ yTrue, yProba, weight, length, positive }) {
    const p = yProba as Float64Array;
    const gaps = new Float64Array(BINS);
    let total = 0;
    for (let row = 0; row < length; row++) {
      const w = weight ? weight[row] : 1;
      total += w;
      gaps[Math.max(0, Math.ceil(BINS * p[row]) - 1)] += w * (p[row] - (yTrue[row] === positive ? 1 : 0));
    }
    return gaps.reduce((sum, gap) => sum + Math.abs(gap), 0) / total;
  },
};

/**
 * Below 1 the predictions are too extreme, as an overfitted model's are. Probabilities are kept within [1e-8, 1 -
 * 1e-8]. Undefined for one class, equal probabilities, and probabilities that separate the classes: "did not converge".
 * Source: Cox 1958, Biometrika 45:562; Van Calster et al. 2019, BMC Medicine 17:230.
 */
export const calibrationSlope: Metric = {
  name: 'calibration_slope',
  description: 'Slope of the truth on the predicted log-odds; 1 is ideal, less is overfitted (Cox 1958).',
  direction: 'target',
  target: 1,
  range: [Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY],
  tasks: ['binary'],
  needs: 'probabilities',
  combine: 'pooled',
  weighted: true,
  stratum: ({ yTrue, positive }, row) => (yTrue[row] === positive ? 1 : 0),
  ...ofFit('slope'),
};

/** The last coefficient of a {@link calibrationFit}. */
function ofFit(model: 'slope' | 'intercept'): Pick<Metric, 'compute' | 'influence'> {
  return {
    compute(table) {
      const fit = calibrationFit(table, model);
      return hasReason(fit) ? fit : (fit.coefficients.at(-1) as number);
    },
    influence(table) {
      const fit = calibrationFit(table, model);
      return hasReason(fit) ? new Float64Array(table.length) : fit.influence(fit.covariance.length - 1);
    },
  };
}

/** The logistic recalibration of a binary table: `slope`, the joint model; `intercept`, with the slope fixed at 1. */
export function calibrationFit(table: ScoreTable, model: 'slope' | 'intercept'): LogisticFit | Undefined {
  const { yTrue, yProba, positive, weight } = table;
  const [y, logits] = [new Uint8Array(yTrue.length), new Float64Array(yTrue.length)];
  for (let row = 0; row < y.length; row++) {
    y[row] = yTrue[row] === positive ? 1 : 0;
    logits[row] = clippedLogit((yProba as Float64Array)[row]);
  }
  const shared = { y, ...(weight ? { weight } : {}) };
  const ones = new Float64Array(y.length).fill(1);
  if (model === 'intercept') return logisticFit({ ...shared, columns: [ones], offset: logits });
  const fit = logisticFit({ ...shared, columns: [ones, logits] });
  const counted = () => logits.filter((_, row) => !weight || weight[row] > 0);
  return hasReason(fit) && new Set(counted()).size < 2 ? undefinedBecause('the probabilities are all equal') : fit;
}

/**
 * Below 0 the predicted risks are too high on average. Not the intercept of the joint model, which `val.prob` of R's
 * rms prints. Equal probabilities, and probabilities that separate the classes, do have one.
 * Source: Cox 1958, Biometrika 45:562; Van Calster et al. 2019, BMC Medicine 17:230.
 */
export const calibrationIntercept: Metric = {
  ...calibrationSlope,
  name: 'calibration_intercept',
  description: 'Intercept of the truth with the predicted log-odds as offset; 0 is ideal (Cox 1958).',
  target: 0,
  dependsOnPrevalence: true,
  ...ofFit('intercept'),
};
