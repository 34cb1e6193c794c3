/** Does one column alone do as well as the model? */
import { type Finding, notApplicable, passed } from '../../checkers/check.js';
import type { Column } from '../../checkers/features/columns.js';
import { delongTest } from '../../clinical/roc/delongTest.js';
import { nameText } from '../../core/foreignText.js';
import { formatNumber } from '../../core/format.js';
import type { CompletedFold } from '../../runner/foldResult.js';
import type { AssessedResult } from './assessedResult.js';
import { tableColumns } from './tableColumns.js';

/** The model adds less than this to the AUC, beyond chance. */
const MARGIN = 0.02;
const MOST_WORK = 2e7;

/**
 * In each fold the column whose ranks tell the classes of the training rows apart best, and the direction, are chosen by
 * these rows alone; its values rank the test rows. Ranks within folds are compared with those of the model by DeLong's test,
 * patients as units: one column does as well where the upper limit (95 %, one-sided) of what the model adds is below .02.
 */
export async function oneFeature({ cv, rows }: AssessedResult): Promise<Finding> {
  const { metadata, outOfFold } = cv;
  if (metadata.task !== 'binary' || !outOfFold.yProba)
    return notApplicable('Asked of probabilities of two classes alone.');
  if (!rows) return notApplicable('Predictions alone do not tell what a column would have done.');
  const folds = cv.folds.filter((fold): fold is CompletedFold => fold.status === 'completed');
  const isBoth = ({ table }: CompletedFold) => new Set(Array.from(table.yTrue)).size === 2;
  if (folds.length === 0 || !folds.every(isBoth) || new Set(outOfFold.row).size < outOfFold.row.length) {
    return notApplicable('Asked where each row is tested once and each fold tests both classes.');
  }
  const columns = await tableColumns(rows);
  const n = rows.y.codes.length;
  if (columns.length < 2) return notApplicable('Asked of tables of two columns or more.');
  if (n * columns.length * folds.length > MOST_WORK)
    return notApplicable('The table is too large to try its columns one by one.');
  const isPositive = Uint8Array.from(rows.y.codes, (code) => Number(code === folds[0].table.positive));
  const ranked = columns.map((column) => ({ column, order: orderOf(column) }));
  const [truth, single, model, groups]: [number[], number[], number[], unknown[]] = [[], [], [], []];
  const chosen = new Map<string, number>();
  let at = 0;
  for (const { fold, table } of folds) {
    const best = bestColumn(ranked, cv.plan.at(fold.index).train, isPositive);
    chosen.set(best.column.name, (chosen.get(best.column.name) ?? 0) + 1);
    const values = Array.from(
      fold.test,
      (row) => best.sign * (Number.isNaN(best.column.values[row]) ? best.middle : best.column.values[row]),
    );
    single.push(...ranksWithin(values));
    model.push(...ranksWithin(Array.from(table.yProba as Float64Array)));
    truth.push(...Array.from(table.yTrue, (code) => Number(code === table.positive)));
    for (let row = 0; row < fold.test.length; row++) groups.push(outOfFold.group?.[at + row]);
    at += fold.test.length;
  }
  const { difference, aucA, aucB } = delongTest(truth, model, single, {
    level: 0.9,
    positiveLabel: 1,
    ...(outOfFold.group ? { groups: groups as string[] } : {}),
  });
  const [[name, times]] = [...chosen].sort(([, a], [, b]) => b - a);
  const which = `${nameText(name)}${times < folds.length ? `, chosen in ${times} of ${folds.length} folds` : ''}`;
  const evidence = {
    feature: name,
    folds: times,
    model: aucA.estimate,
    single: aucB.estimate,
    upper: difference.upper ?? difference.estimate,
  };
  const message = `The best single column (${which}) ranks test rows with an AUC of ${formatNumber(aucB.estimate)}, the model with ${formatNumber(aucA.estimate)} (ranks within folds).`;
  // Ranks that are the same have no spread, and no limit.
  const upper = difference.upper ?? difference.estimate;
  if (upper === null || upper >= MARGIN) return passed(message, evidence);
  const isBetter = upper < -MARGIN;
  return {
    status: 'needs_review',
    severity: 'low',
    message: `${message} ${isBetter ? 'The column ranks better, beyond chance.' : `What the model adds is below ${MARGIN}, beyond chance.`}`,
    evidence,
    fix: isBetter
      ? 'Look at the model: its settings, its preparation, and whether it learns at all.'
      : 'Report the single column beside the model, or say what the model gives beyond ranks.',
  };
}

interface Ranked {
  readonly column: Column;
  /** Rows with a value, ascending. */
  readonly order: Int32Array;
}

function orderOf({ values }: Column): Int32Array {
  const rows = Int32Array.from(values.keys()).filter((row) => !Number.isNaN(values[row]));
  return rows.sort((a, b) => values[a] - values[b]);
}

function bestColumn(ranked: readonly Ranked[], train: Int32Array, isPositive: Uint8Array) {
  const isTrain = new Uint8Array(isPositive.length);
  for (const row of train) isTrain[row] = 1;
  const found = ranked.map(({ column, order }) => {
    const rows = order.filter((row) => isTrain[row] === 1);
    const auc = aucOf(rows, column.values, isPositive);
    return {
      column,
      middle: column.values[rows[rows.length >> 1]] ?? 0,
      sign: auc < 0.5 ? -1 : 1,
      gain: Math.abs(auc - 0.5),
    };
  });
  return found.reduce((most, each) => (each.gain > most.gain ? each : most));
}

/** The area of rows in ascending order, ties counting half; .5 where a class is missing. */
function aucOf(rows: Int32Array, values: Float64Array, isPositive: Uint8Array): number {
  let [below, wins, positives] = [0, 0, 0];
  for (let from = 0, to = 0; from < rows.length; from = to) {
    let [negative, positive] = [0, 0];
    while (to < rows.length && values[rows[to]] === values[rows[from]])
      isPositive[rows[to++]] === 1 ? positive++ : negative++;
    wins += positive * (below + negative / 2);
    below += negative;
    positives += positive;
  }
  return below * positives === 0 ? 0.5 : wins / (below * positives);
}

/** Mean ranks over the number of rows, so that folds of different size and scale can stand side by side. */
function ranksWithin(values: readonly number[]): number[] {
  const order = Array.from(values.keys()).sort((a, b) => values[a] - values[b]);
  const ranks = new Array<number>(values.length);
  for (let from = 0, to = 0; from < order.length; from = to) {
    while (to < order.length && values[order[to]] === values[order[from]]) to++;
    for (let at = from; at < to; at++) ranks[order[at]] = (from + to) / 2 / values.length;
  }
  return ranks;
}
