/** Finds models that `fit` does not change: two folds' models that predict the same rows alike, bit for bit. */
import { nameText } from '../core/foreignText.js';
import { lowerBound } from '../core/lowerBound.js';
import { probaWidth, type ScoreTable } from '../metrics/scoreTable.js';
import type { FrameworkAdapter } from './frameworkAdapter.js';

/** Rows that are compared, and numbers that they may take (masks). */
const ROWS = 50;
const NUMBERS = 1e6;

/** A stump, a prior or a sure model gives few different predictions, and may give the same ones in two folds. */
const DISTINCT = 10;

/** Follows the folds of a run, one after the other. */
export interface FixedModelWatch {
  /**
   * After a fold: what its model predicted for the test rows, how it predicts other rows, and the rows that it was trained
   * on. Test rows of earlier folds that this one was trained on are predicted again, until one differs.
   */
  look(fold: SeenFold, predict: (rows: Int32Array) => Promise<ScoreTable>): Promise<void>;
  /** Why the model is the same in every fold; null where that was not seen. */
  verdict(): string | null;
}

interface SeenFold {
  /** Ascending. */
  readonly train: Int32Array;
  readonly test: Int32Array;
  /** Predictions of the test rows as the model gave them. */
  readonly table: ScoreTable;
}

export function fixedModelWatch(): FixedModelWatch {
  /** Predictions of test rows of earlier folds, by row. */
  const earlier = new Map<number, Float64Array>();
  let alike = 0;
  let differs = false;
  const distinct = (rows: readonly number[]) => new Set(rows.map((row) => earlier.get(row)?.join())).size;
  return {
    async look({ train, test, table }, predict) {
      if (differs) return;
      const isTrained = (row: number) => train[lowerBound(train, row)] === row;
      const rows = [...earlier.keys()].filter(isTrained);
      if (distinct(rows) >= DISTINCT) {
        const again = valuesOf(await predict(Int32Array.from(rows)));
        differs = rows.some((row, at) => !isSame(earlier.get(row) as Float64Array, again(at)));
        if (!differs) alike++;
      }
      const room = Math.max(DISTINCT, Math.min(ROWS, Math.floor(NUMBERS / probaWidth(table))));
      const values = valuesOf(table);
      // Few different predictions in one fold are no reason to be blind to those of the next.
      const more = distinct([...earlier.keys()]) < DISTINCT ? room : room - earlier.size;
      test.slice(0, Math.max(0, more)).forEach((row, at) => {
        if (!earlier.has(row)) earlier.set(row, values(at).slice());
      });
    },
    verdict: () =>
      differs || alike === 0 ? null : "no effect of fit was seen: two folds' models give the same predictions",
  };
}

/** The numbers of a row: probabilities where there are some, else the prediction. */
function valuesOf({ yProba, yPred, length }: ScoreTable): (at: number) => Float64Array {
  const all = yProba ?? Float64Array.from(yPred);
  const width = all.length / length;
  return (at) => all.subarray(at * width, (at + 1) * width);
}

const isSame = (a: Float64Array, b: Float64Array) => a.every((value, at) => Object.is(value, b[at]));

/** Why the models of an adapter that does not train are fixed. */
export const fixedBecause = ({ name, capabilities: { why } }: FrameworkAdapter): string =>
  why ?? `the adapter '${nameText(name)}' does not train`;
