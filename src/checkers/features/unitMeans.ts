/** Labels and features of units (places, patients) as standardised means of their rows. */

import { mean } from '../../core/numbers.js';
import { presentIn } from '../../core/numbersWhere.js';
import { classText, type Labels } from '../../data/labels.js';
import { targetColumns, targetName } from '../../data/targets.js';
import { meansOf } from '../shift/unitTable.js';
import { columnRanks } from './columnRanks.js';
import type { Features } from './columns.js';

/** More would cost time; of more an even choice is looked at. */
const MOST_COLUMNS = 64;

/** A variable of the units, of mean 0 and variance 1. */
export interface UnitVariable {
  readonly name: string;
  readonly values: Float64Array;
}

/** The unit of each row, or -1 for rows that do not count. */
export interface CodedRows {
  readonly codes: Int32Array;
  readonly count: number;
}

/** The labels: an indicator per class (one for two classes) or the ranks of numbers, of each target. None for masks. */
export function labelMeans({ codes, count }: CodedRows, y: Labels): UnitVariable[] {
  const { classes, task } = y;
  if (y.shape) return [];
  if (task === 'regression') {
    return targetColumns(y).flatMap((values, target) =>
      standardisedMeans(targetName(target, classes), codes, count, columnRanks({ values }).ranks),
    );
  }
  const shown = task === 'binary' ? classes.slice(1) : classes.slice(0, MOST_COLUMNS);
  return shown.flatMap((_, at) => {
    const code = task === 'binary' ? 1 : at;
    const values = new Float64Array(y.length).map((_, row) =>
      task === 'multilabel' ? y.indicators[row * classes.length + code] : Number(y.codes[row] === code),
    );
    return standardisedMeans(`y = ${classText(classes, code)}`, codes, count, values);
  });
}

/** The ranks of features; of more than 64 an even choice. Constant ones say nothing. */
export function featureMeans({ codes, count }: CodedRows, { columns }: Features): UnitVariable[] {
  const step = Math.max(1, columns.length / MOST_COLUMNS);
  const chosen = Array.from(
    { length: Math.min(MOST_COLUMNS, columns.length) },
    (_, at) => columns[Math.floor(at * step)],
  );
  return chosen.flatMap((column) => standardisedMeans(column.name, codes, count, columnRanks(column).ranks));
}

/** Means of the rows of each unit, standardised; units without a value have 0, the mean. */
function standardisedMeans(name: string, codes: Int32Array, count: number, rows: Float64Array): UnitVariable[] {
  const means = meansOf(rows, codes, count);
  const centre = mean(presentIn(means));
  const centred = means.map((value) => (Number.isNaN(value) ? 0 : value - centre));
  const variance = centred.reduce((total, value) => total + value * value, 0) / count;
  if (!(variance > 1e-12 * centre * centre)) return [];
  return [{ name, values: centred.map((value) => value / Math.sqrt(variance)) }];
}
