import { rowNumbers } from '../data/labels.js';
import { labelWidth, type ScoreTable } from './scoreTable.js';

type Probabilities = Pick<ScoreTable, 'task' | 'classes'> & { readonly yProba: Float64Array };

/** Nearer than this is a tie, but for rounding. */
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
export function tiedRows(table: Probabilities & Pick<ScoreTable, 'length'>): Int32Array {
  const width = labelWidth(table);
  const margins = marginsOf(table);
  return rowNumbers(table.length).filter((row) =>
    margins.subarray(row * width, (row + 1) * width).some((margin) => margin < TIE),
  );
}
