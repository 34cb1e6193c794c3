/** Recalibration and threshold of the predictions of a fold, fitted on its training rows alone. */

import {
  type ChosenThreshold,
  checkedRule,
  chooseThreshold,
  type ThresholdRule,
} from '../clinical/decisions/chooseThreshold.js';
import {
  betaCalibration,
  isotonicRegression,
  plattScaling,
  type RecalibrationJSON,
  recalibrationFromJSON,
} from '../clinical/decisions/recalibration.js';

import { AdapterError, InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { formatNumber } from '../core/format.js';
import { mean, unbiasedVariance } from '../core/numbers.js';
import { gather, type Labels } from '../data/labels.js';
import { groupsOf, type SideData } from '../data/sideData.js';
import { labelsFromProbabilities, type ScoreTable } from '../metrics/scoreTable.js';
import { type FoldPlan, hasInner } from '../splitters/foldsOf.js';

export interface AdjustmentOptions {
  readonly recalibrate?: keyof typeof RECALIBRATIONS | undefined;
  readonly threshold?: ThresholdRule | undefined;
}

/** What was fitted for one fold, and on what. */
export interface Adjustment {
  /**
   * `inner folds`: out-of-fold predictions of all training rows. `validation rows`: those that training watched. Null:
   * nothing was fitted, the threshold was given.
   */
  readonly from: 'inner folds' | 'validation rows' | null;
  readonly nRows: number;
  readonly recalibration: RecalibrationJSON | null;
  readonly threshold: ChosenThreshold | null;
}

const RECALIBRATIONS = { platt: plattScaling, isotonic: isotonicRegression, beta: betaCalibration };

interface Design {
  readonly y: Pick<Labels, 'task'>;
  readonly plan: FoldPlan;
  readonly validation: unknown;
  readonly weight: Float64Array | undefined;
}

/** What was asked for; undefined when nothing was. Refuses, before anything is trained, what no fold could do. */
export function requestedAdjustment(
  { recalibrate, threshold }: AdjustmentOptions,
  { y, plan, validation, weight }: Design,
): AdjustmentOptions | undefined {
  if (recalibrate === undefined && threshold === undefined) return undefined;
  const subject = `The \`${threshold === undefined ? 'recalibrate' : 'threshold'}\` option of run`;
  if (y.task !== 'binary')
    throw new InvalidOptionError(sentence(subject, 'be for a binary task', phrase(`a ${y.task} one`)));
  if (threshold !== undefined && checkedRule(threshold).kind === 'guaranteedSensitivity' && weight) {
    const must = 'be without `sampleWeight` to guarantee a sensitivity';
    throw new InvalidOptionError(sentence(subject, must, phrase('weights'), 'Patients count alike.'));
  }
  if (fixedAdjustment({ recalibrate, threshold })) return { recalibrate, threshold };
  const { timeOrdered, keepsTies, purged, separated } = plan.claims;
  if ((timeOrdered || keepsTies || purged || separated) && validation === undefined && !hasInner(plan.at(0))) {
    const got = phrase(`folds ${separated ? 'in space' : 'in time'} without inner folds`);
    const way = 'Give `validation: { splitter }`, or a nested splitter.';
    throw new InvalidOptionError(sentence(subject, 'be fitted on rows that are cut as the folds are', got, way));
  }
  return { recalibrate, threshold };
}

/** The adjustment that needs no rows: a fixed threshold on the probabilities as they are. Else undefined. */
export function fixedAdjustment({ recalibrate, threshold: rule }: AdjustmentOptions): Adjustment | undefined {
  if (recalibrate !== undefined || typeof rule !== 'object' || !('fixed' in rule)) return undefined;
  const threshold = { threshold: rule.fixed, rule, sensitivity: null, specificity: null, positives: 0, negatives: 0 };
  return { from: null, nRows: 0, recalibration: null, threshold };
}

/** Predictions of rows that their models were not trained on, with the numbers of the rows. */
export interface HeldOutPredictions {
  readonly from: NonNullable<Adjustment['from']>;
  readonly table: ScoreTable;
  readonly rows: Int32Array;
}

export function adjustmentOf(
  adjust: AdjustmentOptions,
  heldOut: HeldOutPredictions | undefined,
  { groups, n }: { readonly groups: SideData['groups']; readonly n: number },
): Adjustment {
  const fixed = fixedAdjustment(adjust);
  if (fixed) return fixed;
  if (!heldOut) throw new AdapterError('An adjustment must be fitted on inner folds or watched rows. Got neither.');
  const { recalibrate, threshold } = adjust;
  const { table, from, rows } = heldOut;
  // Copies of a row, as of a bootstrap or of inner repeats, are one.
  const copies = new Set(rows).size < rows.length ? rows : undefined;
  const units = groups ? gather(groupsOf(groups, n).codes, rows) : copies;
  const { yTrue, positive, weight, yProba } = withProbabilities(table);
  const truth = Array.from(yTrue, (code) => (code === positive ? 1 : 0));
  const weighted = weight ? { sampleWeight: weight } : {};
  const fitted = recalibrate && RECALIBRATIONS[recalibrate](truth, yProba, weighted);
  const guaranteed = typeof threshold === 'object' && 'guaranteedSensitivity' in threshold;
  const counted = guaranteed && units ? { groups: units } : weighted;
  return {
    from,
    nRows: table.length,
    recalibration: fitted?.toJSON() ?? null,
    threshold: threshold ? chooseThreshold(truth, fitted?.apply(yProba) ?? yProba, threshold, counted) : null,
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
  const must = 'give probabilities for `recalibrate` and `threshold`';
  throw new InvalidOptionError(sentence('The model', must, phrase('labels alone')), { code: 'no_probabilities' });
}

export function losesOrder({ recalibration }: Adjustment): boolean {
  if (!recalibration) return false;
  if (recalibration.method === 'platt') return recalibration.slope <= 0;
  if (recalibration.method === 'beta') return recalibration.a === 0 && recalibration.b === 0;
  return recalibration.to.every((value) => value === recalibration.to[0]);
}

export function adjustmentText(adjustments: readonly Adjustment[]): string | null {
  if (adjustments.length === 0) return null;
  const [{ from, recalibration }] = adjustments;
  const values = adjustments.flatMap(({ threshold }) => (threshold ? [threshold.threshold] : []));
  const parts = [
    recalibration ? `${recalibration.method} recalibration` : [],
    values.length > 0 ? thresholdText(values) : [],
  ];
  const how = from === null ? ', as given' : `; fitted in each fold on ${from} of its training rows`;
  return `${parts.flat().join(', ')}${how}`;
}

function thresholdText(values: readonly number[]): string {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (least === most) return `threshold ${formatNumber(least)}`;
  const sd = Math.sqrt(unbiasedVariance(values));
  return `threshold ${formatNumber(mean(values))} on average (sd ${formatNumber(sd)}, ${formatNumber(least)} to ${formatNumber(most)})`;
}
