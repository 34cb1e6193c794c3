import { encode, rowsByCode, tally } from '../data/encode.js';
import { gather } from '../data/labels.js';
import type { Metric } from '../metrics/metric.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import type { Draws } from './manyDraws.js';

/** More cells, as of many classes, save nothing. */
const MOST_CELLS = 1000;

export interface LabelledRows {
  readonly table: ScoreTable;
  readonly units: Int32Array;
}

/** Cells of rows with the same truth and prediction, which metrics of labels cannot distinguish. */
export interface LabelCells {
  /** One row per cell. Its weights are rewritten for every resample. */
  readonly table: ScoreTable & { readonly fixed: true; readonly weight: Float64Array };
  /** The weight of each cell when each unit counts as often as `times` says. */
  weigh(times: Draws, out: Float64Array): void;
}

/** The metric reads nothing of a row but its weight and its two labels. */
export const readsCells = ({ weighted, needs }: Metric, { task }: ScoreTable): boolean =>
  weighted === true && needs === 'labels' && (task === 'binary' || task === 'multiclass');

/** Undefined where there are more than 1,000 cells, or half as many as rows. */
export function labelCells({ table, units }: LabelledRows): LabelCells | undefined {
  const { yTrue, yPred, classes, length, weight: own, yProba: _, ...facts } = table;
  const pairs = new Int32Array(length);
  for (let row = 0; row < length; row++) pairs[row] = yTrue[row] * classes.length + yPred[row];
  const cells = encode(pairs);
  const count = cells.classes.length;
  if (count > MOST_CELLS || 2 * count > length) return undefined;
  const rows = rowsByCode(cells);
  const ends = tally(cells.codes, count);
  for (let cell = 1; cell < count; cell++) ends[cell] += ends[cell - 1];
  const unitOf = gather(units, rows);
  const weightOf = own && gather(own, rows);
  return {
    table: {
      ...facts,
      classes,
      length: count,
      yTrue: Int32Array.from(cells.classes, (pair) => Math.floor(pair / classes.length)),
      yPred: Int32Array.from(cells.classes, (pair) => pair % classes.length),
      fixed: true,
      weight: new Float64Array(count),
    },
    weigh(times, out) {
      for (let cell = 0, at = 0; cell < count; cell++) {
        let sum = 0;
        if (weightOf) for (; at < ends[cell]; at++) sum += times[unitOf[at]] * weightOf[at];
        else for (; at < ends[cell]; at++) sum += times[unitOf[at]];
        out[cell] = sum;
      }
    },
  };
}
