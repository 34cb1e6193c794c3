/** Whether a model's labels say more than its probabilities, found on training rows before the test rows are predicted. */
import { AdapterError, phrase, sentence, show } from '../core/errors.js';
import { counted } from '../core/format.js';
import { type Label, listed, spread } from '../data/labels.js';
import { otherOrder } from '../metrics/columnOrder.js';
import { labelsFromProbabilities, labelWidth, probaWidth, type ScoreTable } from '../metrics/scoreTable.js';
import { codedPredictions } from './checkPredictions.js';
import type { LabelsSeen } from './foldOutcome.js';
import { factsOf } from './foldRows.js';
import type { FoldServices } from './foldServices.js';
import type { FoldTask, LabelsAsked, LabelsWay } from './foldTask.js';
import type { Predictions } from './frameworkAdapter.js';

/** Rows that are looked at, and numbers that they may take (masks). */
const ROWS = 200;
const NUMBERS = 2e6;

/** Folds that test fewer rows are not worth {@link ROWS} predictions: they are taken to be as the first fold is. */
const FEW = 10;

/** Tells for each fold of a run how its labels are found. */
export interface LabelsPlan {
  /** Of the first fold. */
  readonly first: LabelsWay;
  /** Of a later one, once the first has ended. */
  later(nTest: number): Promise<LabelsWay>;
  /** After a fold, in their order; nothing where the first one failed. */
  seen(labels?: LabelsSeen): void;
}

/**
 * The first model is looked at, and shows what the others are like: each may have a cut-off of its own, so each is looked at
 * as well, unless the first one showed it already or the fold tests a few rows alone.
 */
export function labelsPlan(): LabelsPlan {
  let tell: (labels: LabelsSeen) => void;
  const first = new Promise<LabelsSeen>((resolve) => {
    tell = resolve;
  });
  return {
    first: { look: ROWS },
    async later(nTest) {
      const { own, looked } = await first;
      if (own || looked === 0) return 'all';
      // A look costs no more than the prediction that it saves.
      return nTest < FEW ? 'tied' : { look: Math.min(ROWS, nTest) };
    },
    seen: (labels = { looked: 0, own: false }) => tell(labels),
  };
}

type Job = Pick<FoldServices, 'adapter' | 'y' | 'auxiliary' | 'positive'>;

/**
 * For which rows the model of a fold is asked for labels beside probabilities; where the task says so, found on training
 * rows. `predict` gives labels and probabilities for rows of the data. Throws {@link AdapterError} where columns of
 * probabilities, whose order nobody tells, agree with the labels in another order.
 */
export async function labelsAsked(
  { adapter, emit, ...job }: Job & Pick<FoldServices, 'emit'>,
  { ctx, fit, labels }: Pick<FoldTask, 'ctx' | 'fit' | 'labels'>,
  predict: (rows: Int32Array) => Promise<Predictions>,
): Promise<LabelsSeen & { readonly asked: LabelsAsked }> {
  const { probabilities, labelsFromProbabilities } = adapter.capabilities;
  const follows = job.y.task === 'regression' || !probabilities || labelsFromProbabilities;
  if (follows) return { asked: 'all', looked: 0, own: false };
  const way = labels === 'ask' ? ((await emit({ type: 'labels', ctx, inner: false })).labels ?? 'all') : labels;
  if (typeof way === 'string') return { asked: way, looked: 0, own: false };
  const rows = spread(fit, Math.max(FEW, Math.min(way.look, Math.floor(NUMBERS / probaWidth(job.y)))));
  const predictions = await predict(rows);
  const both = predictions.values !== undefined && predictions.probabilities !== undefined;
  const follow = both && labelsFollow(predictions, job, rows.length);
  return { asked: follow ? 'tied' : 'all', looked: both ? rows.length : 0, own: both && !follow };
}

/** Where the labels of a run come from and what was looked at, in words; null where nobody had to look. */
export function labelsText(seen: readonly LabelsSeen[]): string | null {
  const looked = seen.flatMap((each) => (each.looked > 0 ? [each.looked] : []));
  if (looked.length === 0) return null;
  return lookedText(
    looked,
    seen.some(({ own }) => own),
  );
}

function lookedText([first, ...later]: readonly number[], found: boolean): string {
  if (found) return 'those that the model gives, which are not always the most probable class';
  const rows = `on ${counted(first, 'training row')} of the first model`;
  const [least, most] = [Math.min(...later), Math.max(...later)];
  const more =
    later.length > 0
      ? ` and ${least === most ? least : `${least} to ${most}`} of ${counted(later.length, 'later one')}`
      : '';
  return `the most probable class, as the model's own labels were ${rows}${more}; a cut-off that shows on other rows alone, or in a model that was not looked at, is not seen`;
}

function labelsFollow(predictions: Predictions, job: Omit<Job, 'adapter'>, length: number) {
  const facts = { ...factsOf(job), positive: job.positive, length };
  const { yPred, yProba } = codedPredictions(predictions, facts, job.positive);
  const table = { ...facts, yPred, yProba: yProba as Float64Array };
  if (predictions.classes === undefined) checkColumns(table, predictions.probabilities?.shape[1] === 1);
  const follow = labelsFromProbabilities(table.yProba, table);
  const tied = new Set(tiedRows(table));
  const width = labelWidth(facts);
  return Array.prototype.every.call(yPred, (code, at) => code === follow[at] || tied.has(Math.floor(at / width)));
}

type Coded = Pick<ScoreTable, 'task' | 'classes' | 'positive' | 'length' | 'yPred'> & { readonly yProba: Float64Array };

/** Rows whose labels the probabilities leave open, but for rounding. */
export function tiedRows({ task, classes, length, yProba }: Omit<Coded, 'positive' | 'yPred'>): Int32Array {
  const width = probaWidth({ task, classes });
  return Int32Array.from({ length }, (_, row) => row).filter((row) => {
    const values = yProba.subarray(row * width, (row + 1) * width);
    if (task !== 'multiclass') return values.some((p) => isSame(p, 0.5));
    const best = values.reduce((a, b) => Math.max(a, b));
    return values.filter((p) => isSame(p, best)).length > 1;
  });
}

/** The table with other labels for some rows. */
export function withLabels(table: ScoreTable, rows: Int32Array, codes: ArrayLike<number>): ScoreTable {
  const yPred = Array.from(table.yPred);
  const width = labelWidth(table);
  rows.forEach((row, at) => {
    for (let label = 0; label < width; label++) yPred[row * width + label] = codes[at * width + label];
  });
  return { ...table, yPred };
}

const isSame = (a: number, b: number) => Math.abs(a - b) < 1e-9;

/** Holds the order of the columns against the labels: another order that fits them much better is the right one. */
function checkColumns({ task, classes, yPred, yProba, positive }: Coded, oneColumn: boolean): void {
  if (task === 'multilabel') return;
  const columns = labelsFromProbabilities(yProba, { task, classes, positive });
  const order = otherOrder(columns, yPred, classes.length);
  if (!order) return;
  if (oneColumn) throw wrongColumn(classes, positive);
  throw new AdapterError(
    sentence(
      'The columns of the probabilities',
      `be in the order of the classes ${listed(classes)}`,
      phrase(`columns that agree with the predicted labels in the order ${listed(order.map((code) => classes[code]))}`),
      'Declare the order: `classes_` of the model, or `classes` in what `predict` of an adapter returns.',
    ),
    { code: 'column_order' },
  );
}

/** One column is P(positive), and the labels beside it say that it is the other class's. */
const wrongColumn = (classes: readonly Label[], positive: number) =>
  new AdapterError(
    sentence(
      'The column of probabilities',
      `be P(${show(classes[positive])}), the positive class`,
      phrase(`one that agrees with the predicted labels as P(${show(classes[1 - positive])})`),
      'Give 1 less it, or one column per class.',
    ),
    { code: 'column_order' },
  );
