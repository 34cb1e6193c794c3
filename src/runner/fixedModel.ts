/** Finds models that `fit` does not change, and those that knew something before: by what they predict, bit for bit. */
import { nameText } from '../core/foreignText.js';
import { lowerBound } from '../core/lowerBound.js';
import { type Labels, spread } from '../data/labels.js';
import { probaWidth, type ScoreTable } from '../metrics/scoreTable.js';
import type { FrameworkAdapter } from './frameworkAdapter.js';

/** Rows that are compared, and numbers that they may take (masks). */
const ROWS = 50;
const NUMBERS = 1e6;
/** So many times the rows where their predictions are few. */
const MORE = 4;

/**
 * With fewer different predictions, equal ones prove nothing: a stump, a prior or a sure model gives the same in two folds.
 * Equal labels do not even raise a doubt: of 100 five-fold runs on 569 rows (WDBC) all labels that two folds' models were
 * asked were equal in 18 by logistic regression and in 49 by nearest centroids, both trained (`docs/concepts.md`).
 */
const DISTINCT = 10;

/** Follows the folds of a run, one after the other. */
export interface FixedModelWatch {
  /**
   * After a fold: what its model predicted for the test rows, how it predicts other rows, and the rows that it was trained
   * on. Rows that were answered before `fit`, and test rows of earlier folds that this one was trained on, are predicted
   * again, until one differs.
   */
  look(fold: SeenFold, predict: (rows: Int32Array) => Promise<ScoreTable>): Promise<void>;
  verdict(): ModelHistory;
}

/** What was seen of a model's past. */
export interface ModelHistory {
  /** Why the model is the same in every fold, as `a GraphModel can only predict`; null for models that are trained. */
  readonly fixedModel: string | null;
  /** Why a model that is trained here may have been trained before, perhaps on these rows; null where nothing says so. */
  readonly trainedBefore: string | null;
}

interface SeenFold {
  /** Ascending. */
  readonly train: Int32Array;
  readonly test: Int32Array;
  /** Predictions of the test rows as the model gave them. */
  readonly table: ScoreTable;
}

/** Predictions of some rows. */
export interface Answers {
  readonly rows: Int32Array;
  readonly table: ScoreTable;
}

/**
 * @param idleFit why `fit` cannot teach the model anything, where the adapter can tell
 * @param before what the instance that was given predicted before its first `fit`
 */
export function fixedModelWatch(idleFit?: string, before?: Answers): FixedModelWatch {
  const answered = before && answersByRow(before);
  // One answer for every row is what a model gives that was never trained.
  const atFirst = answered && distinct(answered.values()) > 1 ? answered : undefined;
  /** Predictions of test rows of earlier folds, by row. */
  const earlier = new Map<number, Float64Array>();
  let afterFit: 'not asked' | 'equal' | 'proved equal' = 'not asked';
  let foldsAlike = 0;
  let differs = false;
  const look: FixedModelWatch['look'] = async ({ train, test, table }, predict) => {
    if (differs) return;
    const isAsBefore = async (known: ReadonlyMap<number, Float64Array>, rows: Int32Array) => {
      const again = valuesOf(await predict(rows));
      differs = rows.some((row, at) => !isSame(known.get(row) as Float64Array, again(at)));
      return !differs;
    };
    if (atFirst && afterFit === 'not asked' && (await isAsBefore(atFirst, Int32Array.from(atFirst.keys())))) {
      afterFit = distinct(atFirst.values()) >= DISTINCT ? 'proved equal' : 'equal';
    }
    const isTrained = (row: number) => train[lowerBound(train, row)] === row;
    const rows = Int32Array.from(earlier.keys()).filter(isTrained);
    const enough = distinct(Array.from(rows, (row) => earlier.get(row) as Float64Array)) >= DISTINCT;
    // Of models that no fit teaches only a difference is news, which few predictions show, too.
    const worthAsking = !differs && (enough || (idleFit !== undefined && rows.length > 0));
    if (worthAsking && (await isAsBefore(earlier, rows)) && enough) foldsAlike++;
    const room = roomFor(table);
    const values = valuesOf(table);
    // Few different predictions in one fold are no reason to be blind to those of the next.
    const most = distinct(earlier.values()) < DISTINCT ? MORE * room : room;
    test.slice(0, Math.max(0, Math.min(room, most - earlier.size))).forEach((row, at) => {
      if (!earlier.has(row)) earlier.set(row, values(at).slice());
    });
  };
  return {
    look,
    verdict: () => {
      const fixedModel = differs
        ? null
        : foldsAlike > 0
          ? "no effect of fit was seen: two folds' models give the same predictions"
          : afterFit === 'proved equal'
            ? 'no effect of fit was seen: the same predictions before and after it'
            : (idleFit ?? null);
      if (fixedModel !== null) return { fixedModel, trainedBefore: null };
      // Models that differ although no fit taught them anything were made different.
      if (idleFit) return { fixedModel, trainedBefore: idleFit };
      const same = afterFit === 'equal' && !differs ? ', and no differently after it' : '';
      return {
        fixedModel,
        trainedBefore: atFirst ? `the model that was given predicted before its first fit${same}` : null,
      };
    },
  };
}

const roomFor = (table: Pick<Labels, 'task' | 'classes'>) =>
  Math.max(DISTINCT, Math.min(ROWS, Math.floor(NUMBERS / probaWidth(table))));

/** The rows, evenly spread, that a model is asked for before and after its fit. */
export const comparedRows = (train: Int32Array, y: Labels): Int32Array =>
  Int32Array.from(new Set(spread(train, roomFor(y))));

/** The numbers of a row: probabilities where there are some, else the prediction. */
function valuesOf({ yProba, yPred, length }: ScoreTable): (at: number) => Float64Array {
  const all = yProba ?? Float64Array.from(yPred);
  const width = all.length / length;
  return (at) => all.subarray(at * width, (at + 1) * width);
}

function answersByRow({ rows, table }: Answers): Map<number, Float64Array> {
  const values = valuesOf(table);
  return new Map(Array.from(rows, (row, at) => [row, values(at)]));
}

const distinct = (answers: Iterable<Float64Array>) => new Set(Array.from(answers, (answer) => answer.join())).size;

const isSame = (a: Float64Array, b: Float64Array) => a.every((value, at) => Object.is(value, b[at]));

/** Why the models of an adapter that does not train are fixed. */
export const fixedBecause = ({ name, capabilities: { why } }: FrameworkAdapter): string =>
  why ?? `the adapter '${nameText(name)}' does not train`;
