/** Whether a model's labels say more than its probabilities, found on training rows before the test rows are predicted. */
import { AdapterError, phrase, sentence } from '../core/errors.js';
import { counted } from '../core/format.js';
import { withRowNumbers } from '../core/withRowNumbers.js';
import { classText, listed, spread } from '../data/labels.js';
import { marginsOf, otherOrder, TIE } from '../metrics/columnOrder.js';
import { labelsFromProbabilities, labelWidth, probaWidth, type ScoreTable } from '../metrics/scoreTable.js';
import { codedPredictions, hasNumbers } from './checkPredictions.js';
import type { FoldServices, FoldTask, LabelProbe, LabelsNeeded } from './executor.js';
import type { CompletedFold, LabelsProbed } from './foldResult.js';
import { labelFacts } from './foldRows.js';
import { ask, type Predictions } from './frameworkAdapter.js';
import { countRange } from './runFacts.js';

/** Training rows that are looked at, and numbers that they may take (masks). */
const ROWS = { least: 50, most: 200 };
const NUMBERS = 2e6;

/** For folds that test no more rows than this, the model is asked for labels and probabilities of all rows. */
const FEW = 10;

/** A label that was seen to follow a probability so near to another label shows that the cut-off is the usual one. */
const NEAR = 0.05;

/** Each model may have a cut-off of its own, so each is looked at, on about as many training rows as it tests. */
export const labelProbe = (isFirst: boolean, nTest: number): LabelProbe => {
  if (isFirst) return { look: ROWS.most };
  return nTest <= FEW ? 'all' : { look: Math.min(ROWS.most, Math.max(ROWS.least, nTest)) };
};

type Job = Pick<FoldServices, 'adapter' | 'y' | 'auxiliary' | 'positive'>;

/**
 * For which rows the model of a fold is asked for labels beside probabilities, found on training rows. Throws {@link
 * AdapterError} where columns, whose order nobody tells, agree with the labels in another order.
 */
export async function labelsNeeded(
  { adapter, ...job }: Job,
  { fit, labels }: Pick<FoldTask, 'fit' | 'labels'>,
  model: unknown,
  predict: (rows: Int32Array) => Promise<Predictions>,
): Promise<LabelsProbed & { readonly needed: LabelsNeeded }> {
  const { probabilities, labelsFromProbabilities } = adapter.capabilities;
  const all = { needed: 'all', looked: 0, own: false } as const;
  if (hasNumbers(job.y.task) || !probabilities || labelsFromProbabilities) return all;
  if (typeof labels === 'string') return { ...all, needed: labels };
  if (ask(adapter, 'givesBoth', model) === false) return all;
  const rows = spread(fit, Math.max(FEW, Math.min(labels.look, Math.floor(NUMBERS / probaWidth(job.y)))));
  const table = await withRowNumbers(rows, async () => {
    const predictions = await predict(rows);
    const both = predictions.values !== undefined && predictions.probabilities !== undefined;
    return both ? codedTable(predictions, job, rows.length) : undefined;
  });
  if (!table) return all;
  const own = !labelsFollow(table);
  return { needed: own ? 'all' : { sureFrom: leastMargins(table) }, looked: rows.length, own };
}

/** Where the labels of a run come from and what was looked at, in words; null where nobody had to look. */
export function labelsText(folds: readonly LabelledFold[]): string | null {
  const adjusted = folds.find(({ adjustment }) => adjustment !== null)?.adjustment;
  if (adjusted) return adjusted.threshold ? 'by the threshold of the fold' : 'by .5 of the recalibrated probability';
  const probes = folds.map(({ labels }) => labels);
  const [first, ...later] = probes.flatMap((each) => (each.looked > 0 ? [each.looked] : []));
  if (first === undefined) return null;
  if (probes.some(({ own }) => own)) return 'those that the model gives, which are not always the most probable class';
  const which = later.length === 1 ? 'a later one' : `each of ${later.length} later ones`;
  const more = later.length > 0 ? ` and ${countRange(later)} of ${which}` : '';
  const rule = folds[0].table.task === 'multiclass' ? 'another rule' : 'a cut-off from .45 to .55';
  return `the most probable class, as the model's own labels were on ${counted(first, 'training row')} of the first model${more}, and of all test rows less sure than those; ${rule} that moves none of these rows is not detected`;
}

type LabelledFold = Pick<CompletedFold, 'labels' | 'adjustment' | 'table'>;

export function lostCutoffs(folds: readonly LabelledFold[]): string | undefined {
  if (!folds.some(({ labels, adjustment }) => labels.own && adjustment && !adjustment.threshold)) return undefined;
  return "The model's own labels are not those of the higher probability, and `recalibrate` replaces them by .5 of the recalibrated probability. Pass `threshold` to choose a cut-off in each fold.";
}

type Coded = Pick<ScoreTable, 'task' | 'classes' | 'positive' | 'length' | 'yPred'> & { readonly yProba: Float64Array };

function codedTable(predictions: Predictions, job: Omit<Job, 'adapter'>, length: number): Coded {
  const facts = { ...labelFacts(job), positive: job.positive, length };
  const { yPred, yProba } = codedPredictions(predictions, facts, job.positive);
  const table = { ...facts, yPred, yProba: yProba as Float64Array };
  if (predictions.classes === undefined) checkColumns(table, predictions.probabilities?.shape[1] === 1);
  return table;
}

export function labelsFollow(table: Coded): boolean {
  const follow = labelsFromProbabilities(table.yProba, table);
  const margins = marginsOf(table);
  return Array.prototype.every.call(table.yPred, (code, at) => code === follow[at] || margins[at] < TIE);
}

/**
 * How sure a label was, at least, where it was that of the highest probability: by what that label is. A cut-off of the
 * model's own lies among less sure rows, which a model that has memorised its training rows may have in the test set alone.
 */
function leastMargins(table: Coded): ReadonlyMap<string, number> {
  const least = new Map<string, number>();
  const follow = labelsFromProbabilities(table.yProba, table);
  marginsOf(table).forEach((margin, at) => {
    if (margin < TIE) return;
    const label = nameOf(table, at, follow);
    least.set(label, Math.min(margin <= NEAR ? 0 : margin, least.get(label) ?? Infinity));
  });
  return least;
}

const nameOf = (table: Pick<Coded, 'task' | 'classes'>, at: number, codes: ArrayLike<number>) =>
  `${at % labelWidth(table)}:${codes[at]}`;

/** Rows whose labels the probabilities leave open: ties, but for rounding, and rows less sure than any that was seen. */
export function undecidedRows(table: Omit<Coded, 'yPred'>, sureFrom: ReadonlyMap<string, number>): Int32Array {
  const follow = labelsFromProbabilities(table.yProba, table);
  const width = labelWidth(table);
  const open = new Set<number>();
  marginsOf(table).forEach((margin, at) => {
    if (margin < TIE || margin < (sureFrom.get(nameOf(table, at, follow)) ?? Infinity))
      open.add(Math.floor(at / width));
  });
  return Int32Array.from(open);
}

export function withLabels(table: ScoreTable, rows: Int32Array, codes: ArrayLike<number>): ScoreTable {
  const yPred = Array.from(table.yPred);
  const width = labelWidth(table);
  rows.forEach((row, at) => {
    for (let label = 0; label < width; label++) yPred[row * width + label] = codes[at * width + label];
  });
  return { ...table, yPred };
}

/** If another order of the columns fits the labels much better, that one is right. One column is P(positive). */
function checkColumns(table: Coded, oneColumn: boolean): void {
  const { task, classes, positive } = table;
  const order = task === 'multilabel' ? undefined : otherOrder(table);
  if (!order) return;
  if (oneColumn) {
    const must = `be P(${classText(classes, positive)}), the positive class`;
    const got = phrase(`one that agrees with the predicted labels as P(${classText(classes, 1 - positive)})`);
    const way = 'Give 1 less it, or one column per class.';
    throw new AdapterError(sentence('The column of probabilities', must, got, way), { code: 'column_order' });
  }
  const must = `be in the order of the classes ${listed(classes)}`;
  const got = phrase(`columns that agree with the predicted labels in the order ${listed(classes, order)}`);
  const way = 'Declare the order: `classes_` of the model, or `classes` in what `predict` of an adapter returns.';
  throw new AdapterError(sentence('The columns of the probabilities', must, got, way), { code: 'column_order' });
}
