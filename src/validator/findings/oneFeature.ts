/** Does one column alone do as well as the model? */
import { type Finding, notApplicable, passed } from '../../checkers/check.js';
import { columnRanks } from '../../checkers/features/columnRanks.js';
import type { Column } from '../../checkers/features/columns.js';
import { delongTest } from '../../clinical/roc/delongTest.js';
import { nameText } from '../../core/foreignText.js';
import { formatNumber } from '../../core/format.js';
import { gather } from '../../data/labels.js';
import { concordance } from '../../metrics/rocPlacements.js';
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
  const { positive } = folds[0].table;
  const isPositive = Int32Array.from(rows.y.codes, (code) => Number(code === positive));
  const length = outOfFold.row.length;
  const [truth, single, model] = [new Uint8Array(length), new Float64Array(length), new Float64Array(length)];
  const chosen = new Map<string, number>();
  let from = 0;
  for (const { fold, table } of folds) {
    const { column, sign, middle } = bestColumn(columns, cv.plan.at(fold.index).train, isPositive);
    chosen.set(column.name, (chosen.get(column.name) ?? 0) + 1);
    const values = Float64Array.from(fold.test, (row) => {
      const value = column.values[row];
      return sign * (Number.isNaN(value) ? middle : value);
    });
    single.set(ranksWithin(values), from);
    model.set(ranksWithin(table.yProba as Float64Array), from);
    truth.set(
      Uint8Array.from(table.yTrue, (code) => Number(code === positive)),
      from,
    );
    from += fold.test.length;
  }
  const { difference, aucA, aucB } = delongTest(truth, model, single, {
    level: 0.9,
    positiveLabel: 1,
    ...(outOfFold.group ? { groups: outOfFold.group } : {}),
  });
  const [[name, times]] = [...chosen].sort(([, a], [, b]) => b - a);
  const which = `${nameText(name)}${times < folds.length ? `, chosen in ${times} of ${folds.length} folds` : ''}`;
  // Ranks that are the same have no spread, and no limit.
  const upper = difference.upper ?? difference.estimate;
  const evidence = { feature: name, folds: times, model: aucA.estimate, single: aucB.estimate, upper };
  const message = `The best single column (${which}) ranks test rows with an AUC of ${formatNumber(aucB.estimate)}, the model with ${formatNumber(aucA.estimate)} (ranks within folds).`;
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

function bestColumn(columns: readonly Column[], train: Int32Array, isPositive: Int32Array) {
  const isTrain = new Uint8Array(isPositive.length);
  for (const row of train) isTrain[row] = 1;
  const found = columns.map((column) => {
    const { values } = column;
    const rows = columnRanks(column).order.filter((row) => isTrain[row] === 1);
    const yTrue = gather(isPositive, rows);
    const { positives, negatives, concordant } = concordance({
      ...{ scores: gather(values, rows), yTrue, positive: 1, length: rows.length },
    });
    const auc = positives * negatives === 0 ? 0.5 : concordant / (positives * negatives);
    return { column, middle: values[rows[rows.length >> 1]] ?? 0, sign: auc < 0.5 ? -1 : 1, gain: Math.abs(auc - 0.5) };
  });
  return found.reduce((most, each) => (each.gain > most.gain ? each : most));
}

/** Mid-ranks over the number of rows, so that folds of different size and scale can stand side by side. */
const ranksWithin = (values: Float64Array): Float64Array =>
  columnRanks({ values }).ranks.map((rank) => (rank - 0.5) / values.length);
