/** Recalibration and threshold of the predictions of a fold, fitted on its training rows alone. */
import { InvalidOptionError, sentence } from '../core/errors.js';
import { formatNumber } from '../core/format.js';
import { gather } from '../core/labels.js';
import { deriveSeed } from '../core/random.js';
import { groupsOf, takeSideData } from '../core/sideData.js';
import { betaCalibration } from '../metrics/decisions/betaCalibration.js';
import {
  type ChosenThreshold,
  checkedRule,
  chooseThreshold,
  type ThresholdRule,
} from '../metrics/decisions/chooseThreshold.js';
import { isotonicRegression } from '../metrics/decisions/isotonicRegression.js';
import { plattScaling } from '../metrics/decisions/plattScaling.js';
import type { RecalibrationJSON } from '../metrics/decisions/recalibration.js';
import { recalibrationFromJSON } from '../metrics/decisions/recalibrationFromJSON.js';
import { labelsFromProbabilities, type ScoreTable } from '../metrics/scoreTable.js';
import { type CheckedFold, type FoldPlan, foldsOf, hasInner, innerFoldsOf } from '../splitters/foldsOf.js';
import { StratifiedGroupKFold } from '../splitters/grouped/stratifiedGroupKFold.js';
import { StratifiedKFold } from '../splitters/iid/stratifiedKFold.js';
import type { FoldJob } from './foldJob.js';
import { trainingCallbacks } from './hooks.js';

/** What a caller asks for. */
export interface AdjustmentOptions {
  readonly recalibrate?: keyof typeof RECALIBRATIONS | undefined;
  readonly threshold?: ThresholdRule | undefined;
}

/** What was fitted for one fold, and on what. */
export interface Adjustment {
  /** `inner folds`: out-of-fold predictions of all training rows. `validation rows`: those that training watched. */
  readonly from: 'inner folds' | 'validation rows';
  readonly nRows: number;
  readonly recalibration: RecalibrationJSON | null;
  readonly threshold: ChosenThreshold | null;
}

const RECALIBRATIONS = { platt: plattScaling, isotonic: isotonicRegression, beta: betaCalibration };

/** Inner folds where the design has none of its own. */
const INNER_FOLDS = 5;

/** What was asked for; undefined when nothing was. Refuses, before anything is trained, what no fold could do. */
export function askedAdjustment(
  { recalibrate, threshold }: AdjustmentOptions,
  { y, plan, validation }: Pick<FoldJob, 'y' | 'plan' | 'validation'>,
): AdjustmentOptions | undefined {
  if (recalibrate === undefined && threshold === undefined) return undefined;
  const subject = `The \`${threshold === undefined ? 'recalibrate' : 'threshold'}\` option of run`;
  if (y.task !== 'binary') {
    throw new InvalidOptionError(sentence(subject, 'be for a binary task', { text: `a ${y.task} one` }));
  }
  if (threshold !== undefined) checkedRule(threshold);
  const { timeOrdered, wholeTimes, disjointIntervals, apart } = plan.claims;
  if ((timeOrdered || wholeTimes || disjointIntervals || apart) && validation === undefined && !hasInner(plan.at(0))) {
    throw new InvalidOptionError(
      sentence(
        subject,
        'be fitted on rows that are cut as the folds are',
        { text: `folds ${apart ? 'in space' : 'in time'} without inner folds` },
        'Give `validation: { splitter }`, or a nested splitter.',
      ),
    );
  }
  return { recalibrate, threshold };
}

/**
 * The job of the inner folds of a fold: those of a nested design, else five stratified ones with patients whole. Undefined
 * where the rows that training watches serve, or nothing is asked for.
 */
export function innerJob(job: FoldJob, fold: CheckedFold): FoldJob | undefined {
  const watches = job.validation !== undefined || job.callbacks.some(({ monitor }) => monitor?.startsWith('val_'));
  if (!job.adjust || job.adjusted || watches) return undefined;
  const seed = deriveSeed(job.randomState, 'inner', fold.repeat, fold.number);
  const plan = hasInner(fold) ? innerFoldsOf(fold, job.plan.n) : ownInnerFolds(job, fold, seed);
  return {
    ...job,
    plan: { ...plan, at: (index) => ({ ...plan.at(index), id: `${fold.id}/inner-${index}` }) },
    folds: Array.from({ length: plan.length }, (_, index) => index),
    callbacks: trainingCallbacks(job.callbacks),
    randomState: seed,
    adjust: undefined,
    scorers: [],
    keepModels: 'none',
    returnTrainScores: false,
    onFoldError: 'throw',
  };
}

function ownInnerFolds({ y, data }: FoldJob, { train }: CheckedFold, randomState: number): FoldPlan {
  // A bootstrap draws a row several times: without groups its copies are one.
  const copies = new Set(train).size < train.length;
  const side = { ...takeSideData(data, train), ...(copies && !data.groups ? { groups: train } : {}) };
  const options = { nSplits: INNER_FOLDS, shuffle: true, randomState };
  const splitter = side.groups ? new StratifiedGroupKFold(options) : new StratifiedKFold(options);
  const plan = foldsOf(splitter, train.length, y.take(train), side);
  return {
    ...plan,
    at(index) {
      const inner = plan.at(index);
      return { ...inner, train: gather(train, inner.train), test: gather(train, inner.test) };
    },
  };
}

/** Predictions of rows that their models were not trained on, with the numbers of the rows. */
export interface HeldOut extends Pick<Adjustment, 'from'> {
  readonly table: ScoreTable;
  readonly rows: Int32Array;
}

/** The adjustment of a fold: the given one, or one fitted on inner predictions, else on the rows that were watched. */
export async function adjustmentOf(
  job: FoldJob,
  inner: HeldOut | undefined,
  watched: () => Promise<HeldOut | undefined>,
): Promise<Adjustment | null> {
  if (job.adjusted || !job.adjust) return job.adjusted ?? null;
  const fittedOn = (inner ?? (await watched())) as HeldOut;
  const { groups } = job.data;
  return fitAdjustment(job.adjust, {
    ...fittedOn,
    groups: groups && gather(groupsOf(groups, job.plan.n).codes, fittedOn.rows),
  });
}

/** Fits the adjustment on predictions of rows that their models were not trained on; `groups` are their patients. */
function fitAdjustment(
  { recalibrate, threshold }: AdjustmentOptions,
  { table, groups, from }: Pick<Adjustment, 'from'> & { table: ScoreTable; groups?: Int32Array | undefined },
): Adjustment {
  const { yTrue, positive, weight, yProba } = withProbabilities(table);
  const truth = Array.from(yTrue, (code) => (code === positive ? 1 : 0));
  const weighted = weight ? { sampleWeight: weight } : {};
  const fitted = recalibrate && RECALIBRATIONS[recalibrate](truth, yProba, weighted);
  const guaranteed = typeof threshold === 'object' && 'guaranteedSensitivity' in threshold;
  return {
    from,
    nRows: table.length,
    recalibration: fitted?.toJSON() ?? null,
    threshold:
      threshold === undefined
        ? null
        : chooseThreshold(
            truth,
            fitted?.apply(yProba) ?? yProba,
            threshold,
            guaranteed && groups ? { groups } : weighted,
          ),
  };
}

/** The table with recalibrated probabilities, and labels by the threshold (.5 where none was chosen). */
export function adjusted(table: ScoreTable, { recalibration, threshold }: Adjustment): ScoreTable {
  const { yProba: raw, positive } = withProbabilities(table);
  const yProba = recalibration ? recalibrationFromJSON(recalibration).apply(raw) : raw;
  const yPred = threshold
    ? Int32Array.from(yProba, (p) => (p >= threshold.threshold ? positive : 1 - positive))
    : labelsFromProbabilities(yProba, table);
  return { ...table, yProba, yPred };
}

function withProbabilities(table: ScoreTable) {
  if (table.yProba) return { ...table, yProba: table.yProba };
  throw new InvalidOptionError(
    sentence('The model', 'give probabilities for `recalibrate` and `threshold`', { text: 'labels alone' }),
    { code: 'no_probabilities' },
  );
}

/** One sentence about the adjustments of all folds, with the spread of the thresholds. */
export function adjustmentText(adjustments: readonly Adjustment[]): string | null {
  if (adjustments.length === 0) return null;
  const [{ from, recalibration }] = adjustments;
  const values = adjustments.flatMap(({ threshold }) => (threshold ? [threshold.threshold] : []));
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const sd = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
  const chosen = `threshold ${formatNumber(mean)} on average${values.length > 1 ? ` (sd ${formatNumber(sd)}, ${formatNumber(Math.min(...values))} to ${formatNumber(Math.max(...values))})` : ''}`;
  const parts = [
    ...(recalibration ? [`${recalibration.method} recalibration`] : []),
    ...(values.length > 0 ? [chosen] : []),
  ];
  return `${parts.join(', ')}; fitted in each fold on ${from} of its training rows`;
}
