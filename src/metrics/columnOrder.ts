import { InvalidDataError, phrase, sentence } from '../core/errors.js';
import { encode, tally } from '../data/encode.js';
import { classText, listed, rowNumbers } from '../data/labels.js';
import { concordance } from './rocPlacements.js';
import { labelsFromProbabilities, labelWidth, type ScoreTable } from './scoreTable.js';
import { takeRows } from './tableRows.js';

/** Share of the rows in which labels and columns agree when the order is right. */
const AGREES = 0.95;
const FEWEST = 10;
/** Rows that stand for all. */
const SAMPLE = 50_000;

/**
 * Area under the ROC curve of the probabilities against the model's own labels below which the columns are exchanged,
 * and rows of each label for that to say anything: labels that have nothing to do with the probabilities fall below it
 * in fewer than 1 of 10,000 cases, 12 of the 184,756 ways to deal them out (Mann-Whitney).
 */
const REVERSED = { area: 0.05, rows: 10 };

type Labelled = Pick<ScoreTable, 'task' | 'classes' | 'positive' | 'length' | 'yPred'> & {
  readonly yProba: Float64Array;
};

/**
 * The code of the class of each column, when another order than the present one fits the labels and the present one
 * does not; else undefined. By the most probable column of each row; of two classes by the ranks too, since labels may
 * follow a cut-off of the model's own.
 *
 * @param sample rows that stand for all where only the most probable columns count
 */
export function otherOrder(table: Labelled, sample = table): readonly number[] | undefined {
  const { classes, yPred, yProba } = sample;
  const tied = new Set(tiedRows(sample));
  const clear = rowNumbers(sample.length).filter((row) => !tied.has(row));
  const most = labelsFromProbabilities(yProba, sample);
  const found = otherBest(
    clear.map((row) => most[row]),
    clear.map((row) => yPred[row]),
    classes.length,
  );
  return found ?? (table.task === 'binary' && isReversed(table) ? [1, 0] : undefined);
}

function isReversed({ length, positive, yPred: yTrue, yProba: scores }: Labelled): boolean {
  const { positives, negatives, concordant } = concordance({ length, positive, yTrue, scores });
  return Math.min(positives, negatives) >= REVERSED.rows && concordant < REVERSED.area * positives * negatives;
}

function otherBest(columns: Int32Array, labels: Int32Array, width: number): readonly number[] | undefined {
  // A cut-off of the model may put every row into one class, which says nothing about the order.
  if (new Set(columns).size < 2 || new Set(labels).size < 2) return undefined;
  // Labels independent of the columns agree with another order in 1 of 1,024 tables of ten rows.
  if (columns.length < FEWEST) return undefined;
  const order = bestOrder(columns, labels, width);
  const share = (codeOf: (column: number) => number) =>
    columns.filter((column, row) => codeOf(column) === labels[row]).length / columns.length;
  return share((column) => column) <= AGREES && share((column) => order[column]) > AGREES ? order : undefined;
}

function bestOrder(columns: Int32Array, labels: Int32Array, width: number): number[] {
  const { classes: pairs, codes } = encode(columns.map((column, row) => column * width + labels[row]));
  const counts = tally(codes, pairs.length);
  const order = new Map<number, number>();
  const remaining = new Set(Array.from({ length: width }, (_, code) => code));
  for (const at of rowNumbers(pairs.length).sort((a, b) => counts[b] - counts[a])) {
    const [column, code] = [Math.floor(pairs[at] / width), pairs[at] % width];
    if (!order.has(column) && remaining.delete(code)) order.set(column, code);
  }
  const rest = remaining.values();
  return Array.from({ length: width }, (_, column) => order.get(column) ?? (rest.next().value as number));
}

export function checkOrder(table: ScoreTable, oneColumn: boolean): void {
  const { classes, positive } = table;
  const step = Math.ceil(table.length / SAMPLE);
  const isTaken = (row: number) => row % step === 0;
  const sample = step > 1 ? takeRows(table, rowNumbers(table.length).filter(isTaken)) : table;
  const order = otherOrder(table as Labelled, sample as Labelled);
  if (!order) return;
  const message = oneColumn
    ? sentence(
        'yProba',
        `be P(${classText(classes, positive)}), the positive class`,
        phrase(`numbers that agree with yPred as P(${classText(classes, 1 - positive)})`),
        'Give 1 less them, or `positiveLabel`.',
      )
    : sentence(
        'The columns of yProba',
        `be in the order of the classes ${listed(classes)}`,
        phrase(`columns that agree with yPred in the order ${listed(classes, order)}`),
        'Name their order in `classes`.',
      );
  throw new InvalidDataError(message, { code: 'column_order' });
}

type Probabilities = Pick<ScoreTable, 'task' | 'classes'> & { readonly yProba: Float64Array };

export const TIE = 1e-9;

/** The distance to .5, or of the two highest probabilities. */
export function marginsOf({ task, classes, yProba }: Probabilities): Float64Array {
  if (task !== 'multiclass') return yProba.map((p) => Math.abs(p - 0.5));
  const width = classes.length;
  return Float64Array.from({ length: yProba.length / width }, (_, row) => {
    let [best, second] = [-Infinity, -Infinity];
    for (const p of yProba.subarray(row * width, (row + 1) * width)) {
      if (p > best) [best, second] = [p, best];
      else if (p > second) second = p;
    }
    return best - second;
  });
}

/** Rows whose labels the probabilities leave open, but for rounding. */
function tiedRows(table: Probabilities & Pick<ScoreTable, 'length'>): Int32Array {
  const width = labelWidth(table);
  const margins = marginsOf(table);
  return rowNumbers(table.length).filter((row) =>
    margins.subarray(row * width, (row + 1) * width).some((margin) => margin < TIE),
  );
}
