import { hasReason } from '../../core/hasReason.js';
import { sum } from '../../core/numbers.js';
import { classText } from '../../data/labels.js';
import { type Metric, type Undefined, undefinedBecause } from '../metric.js';
import { ratioOfSums } from '../ratioOfSums.js';
import type { ScoreTable } from '../scoreTable.js';
import { isEmptyRow, rowOverlap } from './multilabel.js';

/** Sums of weights, of all rows and per class. Of multilabel tables the classes are the labels: a row may have several. */
interface ClassCounts {
  readonly total: number;
  readonly truth: Float64Array;
  readonly predicted: Float64Array;
  readonly both: Float64Array;
}

interface CountsValue {
  readonly value: number;
  /** Of a row, whatever its class; 0 when left out. */
  readonly slope?: number;
  readonly slopes: (code: number) => { readonly truth: number; readonly predicted: number; readonly both: number };
}

function classCounts({ task, yTrue, yPred, weight, classes, length }: ScoreTable): ClassCounts {
  const k = classes.length;
  const [truth, predicted, both] = [0, 0, 0].map(() => new Float64Array(k));
  let total = 0;
  for (let row = 0; row < length; row++) {
    const w = weight ? weight[row] : 1;
    total += w;
    if (task !== 'multilabel') {
      truth[yTrue[row]] += w;
      predicted[yPred[row]] += w;
      both[yTrue[row]] += w * Number(yTrue[row] === yPred[row]);
      continue;
    }
    for (let code = 0, at = row * k; code < k; code++, at++) {
      truth[code] += w * yTrue[at];
      predicted[code] += w * yPred[at];
      both[code] += w * yTrue[at] * yPred[at];
    }
  }
  return { total, truth, predicted, both };
}

interface Sloped {
  readonly value: number;
  /** Derivative of the value in the weight of a row. */
  readonly slopeOf: (row: number) => number;
}

/**
 * A metric whose influence follows from its derivatives by the delta method; it is centred by itself, since such a metric does
 * not change when all counts are multiplied. Source: Agresti 2013, Categorical Data Analysis, section 16.1.
 */
const byDelta = (
  evaluate: (table: ScoreTable) => Sloped | Undefined,
): Required<Pick<Metric, 'weighted' | 'compute' | 'influence'>> => ({
  weighted: true,
  compute(table) {
    const found = evaluate(table);
    return hasReason(found) ? found : found.value;
  },
  influence(table) {
    const out = new Float64Array(table.length);
    const found = evaluate(table);
    if (hasReason(found)) return out;
    const { weight } = table;
    for (let row = 0; row < out.length; row++) out[row] = (weight ? weight[row] : 1) * found.slopeOf(row);
    return out;
  },
});

const ofClassCounts = (evaluate: (counts: ClassCounts, table: ScoreTable) => CountsValue | Undefined) =>
  byDelta((table) => {
    const found = evaluate(classCounts(table), table);
    if (hasReason(found)) return found;
    const { task, yTrue, yPred, classes } = table;
    const { value, slope = 0, slopes } = found;
    let perClass: ReturnType<typeof slopes>[] | undefined;
    return {
      value,
      slopeOf(row) {
        perClass ??= classes.map((_, code) => slopes(code));
        let sum = slope;
        if (task !== 'multilabel') {
          sum += perClass[yTrue[row]].truth + perClass[yPred[row]].predicted;
          if (yTrue[row] === yPred[row]) sum += perClass[yTrue[row]].both;
          return sum;
        }
        for (let code = 0, at = row * classes.length; code < classes.length; code++, at++) {
          const { truth, predicted, both } = perClass[code];
          sum += truth * yTrue[at] + predicted * yPred[at] + both * yTrue[at] * yPred[at];
        }
        return sum;
      },
    };
  });

const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, value, code) => sum + value * b[code], 0);

const CLASSES = {
  direction: 'maximize',
  range: [0, 1],
  tasks: ['binary', 'multiclass'],
  needs: 'labels',
  combine: 'pooled',
} as const;

export const accuracy: Metric = {
  ...CLASSES,
  name: 'accuracy',
  seInflation: 1.3,
  aliases: ['acc'],
  description: 'Share of rows whose predicted label is right (multilabel: all labels right).',
  tasks: ['binary', 'multiclass', 'multilabel'],
  decomposable: true,
  proportion: true,
  dependsOnPrevalence: true,
  ...ratioOfSums(({ yTrue, yPred, length }) => {
    const width = yTrue.length / length;
    return {
      part: (row) => {
        for (let j = row * width; j < (row + 1) * width; j++) if (yTrue[j] !== yPred[j]) return 0;
        return 1;
      },
    };
  }),
};

/**
 * Without a row of some class it is undefined, where scikit-learn leaves that class out.
 * Source: Brodersen et al. 2010, "The balanced accuracy and its posterior distribution".
 */
export const balancedAccuracy: Metric = {
  ...CLASSES,
  name: 'balanced_accuracy',
  chance: (classes) => 1 / classes,
  seInflation: 1.3,
  description: 'Mean recall over the classes; binary: (sensitivity + specificity) / 2 (Brodersen 2010).',
  stratum: ({ yTrue }, row) => yTrue[row],
  ...ofClassCounts(({ truth, both }, { classes }) => {
    const absent = truth.indexOf(0);
    if (absent >= 0) return undefinedBecause(`no rows of class ${classText(classes, absent)}`);
    const k = classes.length;
    return {
      value: both.reduce((sum, hits, code) => sum + hits / truth[code], 0) / k,
      slopes: (code) => ({ both: 1 / (k * truth[code]), truth: -both[code] / (k * truth[code] ** 2), predicted: 0 }),
    };
  }),
};

/**
 * A class that is neither present nor predicted has no F1, 0/0, and neither has the mean then: leaving the class out
 * would give a mean over other classes, and scikit-learn's 0 is arbitrary. A class that is either counts 0.
 * Source: Yang 1999, Information Retrieval 1:69; the mean of the F1 of Opitz & Burst 2019, arXiv:1911.03347.
 */
export const f1Macro: Metric = {
  ...CLASSES,
  name: 'f1_macro',
  description: 'Mean F1 over the classes or labels; undefined where one is neither present nor predicted (Yang 1999).',
  tasks: ['binary', 'multiclass', 'multilabel'],
  dependsOnPrevalence: true,
  stratum: ({ task, yTrue }, row) => (task === 'multilabel' ? 0 : yTrue[row]),
  ...ofClassCounts(({ truth, predicted, both }, { classes }) => {
    const k = classes.length;
    const whole = truth.map((count, code) => count + predicted[code]);
    const absent = whole.indexOf(0);
    if (absent >= 0) return undefinedBecause(`class ${classText(classes, absent)} is neither present nor predicted`);
    const each = both.map((count, code) => (2 * count) / whole[code]);
    return {
      value: each.reduce((sum, f1) => sum + f1, 0) / k,
      slopes: (code) => {
        const slope = -each[code] / (k * whole[code]);
        return { both: 2 / (k * whole[code]), truth: slope, predicted: slope };
      },
    };
  }),
};

/** Source: as {@link f1Macro}. */
export const f1Micro: Metric = {
  ...f1Macro,
  name: 'f1_micro',
  description: 'F1 of the counts of all classes or labels added up; accuracy where rows have one class (Yang 1999).',
  stratum: (table, row) => (table.task === 'multilabel' && isEmptyRow(table, row) ? -1 : 0),
  ...ratioOfSums((table) => {
    const { task, yTrue, yPred } = table;
    if (task !== 'multilabel') return { part: (row) => (yTrue[row] === yPred[row] ? 1 : 0) };
    const both = new Float64Array(table.length);
    const sum = both.map((_, row) => {
      const found = rowOverlap(table, row);
      both[row] = found.both;
      return found.sum;
    });
    return { part: (row) => 2 * both[row], whole: (row) => sum[row] };
  }, 'no row has a label in truth or prediction'),
};

/**
 * Classes that are not present weigh 0, as in scikit-learn. Undefined only where no row has any label.
 * Source: as {@link f1Macro}; the weights are scikit-learn's `average='weighted'`.
 */
export const f1Weighted: Metric = {
  ...f1Macro,
  name: 'f1_weighted',
  description: 'Mean F1 over the classes or labels, weighted by their rows.',
  ...ofClassCounts(({ truth, predicted, both }) => {
    const total = sum(truth);
    if (total === 0) return undefinedBecause('no row has a label');
    const f1 = (code: number) => (truth[code] > 0 ? (2 * both[code]) / (truth[code] + predicted[code]) : 0);
    const value = truth.reduce((sum, count, code) => sum + count * f1(code), 0) / total;
    return {
      value,
      slopes: (code) => {
        const share = truth[code] > 0 ? truth[code] / (truth[code] + predicted[code]) : 0;
        return {
          both: (2 * share) / total,
          truth: (f1(code) * (1 - share) - value) / total,
          predicted: (-f1(code) * share) / total,
        };
      },
    };
  }),
};

/**
 * Undefined where truth or prediction is one class throughout, where scikit-learn gives 0.
 * Source: Matthews 1975, Biochimica et Biophysica Acta 405:442; Gorodkin 2004, Computational Biology and Chemistry
 * 28:367.
 */
export const mcc: Metric = {
  ...CLASSES,
  name: 'mcc',
  chance: () => 0,
  seInflation: 1.3,
  aliases: ['matthews_corrcoef'],
  description: 'Correlation of truth and prediction (Matthews 1975; more classes, Gorodkin 2004).',
  range: [-1, 1],
  dependsOnPrevalence: true,
  stratum: ({ yTrue }, row) => yTrue[row],
  ...ofClassCounts(({ total, truth, predicted, both }) => {
    const several = (counts: Float64Array) => counts.filter((count) => count > 0).length > 1;
    if (!several(truth)) return undefinedBecause('only one class is present');
    if (!several(predicted)) return undefinedBecause('only one class is predicted');
    const hits = sum(both);
    const truePairs = total ** 2 - dot(truth, truth);
    const predictedPairs = total ** 2 - dot(predicted, predicted);
    const root = Math.sqrt(truePairs) * Math.sqrt(predictedPairs);
    const value = Math.max(-1, Math.min(1, (hits * total - dot(truth, predicted)) / root));
    return {
      value,
      slope: hits / root - value * total * (1 / truePairs + 1 / predictedPairs),
      slopes: (code) => ({
        both: total / root,
        truth: (value * truth[code]) / truePairs - predicted[code] / root,
        predicted: (value * predicted[code]) / predictedPairs - truth[code] / root,
      }),
    };
  }),
};

/** 1 - N D / C: the distances D between truth and prediction over those that chance gives, C / N. */
const ofDistances = (distance: (a: number, b: number) => number, ordered = false) =>
  byDelta((table) => {
    const { yTrue, yPred, weight, classes, length } = table;
    if (ordered && classes.length > 2 && classes.some((label) => typeof label !== 'number')) {
      return undefinedBecause('texts have no order: use numbers as classes');
    }
    const { total, truth, predicted } = classCounts(table);
    const distances = (counts: Float64Array) =>
      counts.map((_, code) => counts.reduce((sum, count, other) => sum + count * distance(code, other), 0));
    const [fromTruth, fromPredicted] = [distances(predicted), distances(truth)];
    const chance = dot(truth, fromTruth);
    if (chance === 0) return undefinedBecause('truth and prediction are one class');
    let steps = 0;
    for (let row = 0; row < length; row++) steps += (weight ? weight[row] : 1) * distance(yTrue[row], yPred[row]);
    const ratio = (total * steps) / chance;
    return {
      value: 1 - ratio,
      slopeOf(row) {
        const [t, p] = [yTrue[row], yPred[row]];
        return (ratio * (fromTruth[t] + fromPredicted[p]) - total * distance(t, p) - steps) / chance;
      },
    };
  });

/** Unweighted. Source: Cohen 1960, Educational and Psychological Measurement 20:37. */
export const cohenKappa: Metric = {
  ...CLASSES,
  name: 'cohen_kappa',
  chance: () => 0,
  aliases: ['kappa'],
  description: 'Agreement of truth and prediction beyond chance, (po - pe) / (1 - pe) (Cohen 1960).',
  range: [-1, 1],
  dependsOnPrevalence: true,
  stratum: ({ yTrue }, row) => yTrue[row],
  ...ofDistances((a, b) => Number(a !== b)),
};

/**
 * Classes are steps of a scale in ascending order; texts have none. As scikit-learn's `cohen_kappa_score` with
 * `weights='linear'`. Source: Cohen 1968, Psychological Bulletin 70:213; Fleiss, Cohen & Everitt 1969, same journal 72:323.
 */
export const cohenKappaLinear: Metric = {
  ...cohenKappa,
  name: 'cohen_kappa_linear',
  aliases: ['linear_weighted_kappa'],
  description: 'As cohen_kappa, but an error counts by the steps between the classes, numbers (Cohen 1968).',
  ...ofDistances((a, b) => Math.abs(a - b), true),
};

/** As {@link cohenKappaLinear}, and as `weights='quadratic'`. */
export const cohenKappaQuadratic: Metric = {
  ...cohenKappa,
  name: 'cohen_kappa_quadratic',
  aliases: ['quadratic_weighted_kappa'],
  description: 'As cohen_kappa, but an error counts by the squared steps between the classes, numbers (Cohen 1968).',
  ...ofDistances((a, b) => (a - b) ** 2, true),
};
