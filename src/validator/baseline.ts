/** The score of a model that has learned from the labels alone; other scores are compared with it. */

import type { Labels } from '../data/labels.js';
import { gather } from '../data/labels.js';
import { priorOf } from '../data/priorOf.js';
import { combineFolds } from '../metrics/combineFolds.js';
import type { Score } from '../metrics/metric.js';
import { labelsFromProbabilities, type ScoreTable } from '../metrics/scoreTable.js';
import type { CVResults } from '../runner/cvResults.js';
import type { Problem } from '../runner/readData.js';
import { cumulativeIncidence, incidenceAt } from '../survival/kaplanMeier.js';
import { takeOutcomes } from '../survival/outcomes.js';

/**
 * Of the model that predicts the shares of the classes in the training rows of its fold (in regression their mean), combined as
 * the score itself; null for masks. So do `DummyClassifier({ strategy: 'prior' })` and `DummyRegressor()` of scikit-learn.
 */
export function baselineScores(
  { folds, scorers, plan }: CVResults,
  { y, weight }: Pick<Problem, 'y' | 'weight'>,
): Record<string, Score> | null {
  if (y.shape) return null;
  const priors = folds.flatMap((fold) =>
    fold.status === 'completed' ? [{ fold, shares: knowingLabels(y, weight, plan.at(fold.fold.index).train) }] : [],
  );
  const isBlank = priors.some(({ shares }) => Number.isNaN(shares[0]));
  const tables = isBlank ? [] : priors.map(({ fold, shares }) => uninformed(fold.table, y.task, shares));
  const repeats = priors.map(({ fold }) => fold.fold.repeat);
  return Object.fromEntries(
    scorers.map(({ name, metric }) => {
      if (!metric) return [name, { value: null, reason: 'a scoring function of the caller' }];
      if (metric.noBaseline)
        return [name, { value: null, reason: 'a prediction that is the same for all can be perfect' }];
      if (metric.direction === 'target') return [name, { value: null, reason: 'calibration has no baseline' }];
      if (isBlank) return [name, { value: null, reason: 'a fold has no training row of a weight above 0' }];
      const combined = combineFolds(metric, tables, repeats);
      return [name, combined.value === null ? { value: null, reason: combined.reason } : { value: combined.value }];
    }),
  );
}

/** What is predicted without any feature: shares, the mean, or the curve of Kaplan and Meier (Aalen and Johansen). */
function knowingLabels(y: Labels, weight: Float64Array | undefined, train: Int32Array): Float64Array {
  if (y.task !== 'survival') return priorOf(y, weight, train);
  const outcomes = takeOutcomes({ time: y.numbers, event: y.codes }, train);
  const curve = cumulativeIncidence(outcomes, weight ? gather(weight, train) : null, y.positive as number);
  return Float64Array.from(y.classes as readonly number[], (time) => 1 - incidenceAt(curve, time).incidence);
}

function uninformed(table: ScoreTable, task: Labels['task'], shares: Float64Array): ScoreTable {
  const { yProba, ...rest } = table;
  if (task === 'regression') return { ...rest, yPred: repeated(shares, table.length) };
  if (task === 'survival') {
    return {
      ...rest,
      yPred: new Float64Array(table.length),
      ...(yProba ? { yProba: repeated(shares, table.length) } : {}),
    };
  }
  const ofRow = task === 'binary' ? shares.subarray(table.positive, table.positive + 1) : shares;
  return {
    ...rest,
    yPred: repeated(labelsFromProbabilities(ofRow, table), table.length),
    // With thousands of classes they would take gigabytes, and scores without probabilities do not need them.
    ...(yProba ? { yProba: repeated(ofRow, table.length) } : {}),
  };
}

function repeated<T extends Float64Array | Int32Array | Uint8Array>(ofRow: T, length: number): T {
  const out = new (ofRow.constructor as { new (n: number): T })(length * ofRow.length);
  for (let row = 0; row < length; row++) out.set(ofRow, row * ofRow.length);
  return out;
}
