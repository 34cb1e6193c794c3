/** Finds models that `fit` does not change, and those that knew something before: by what they predict, bit for bit. */
import { nameText } from '../core/foreignText.js';
import { lowerBound } from '../core/lowerBound.js';
import { type Labels, spread } from '../data/labels.js';
import { probaWidth, type ScoreTable } from '../metrics/scoreTable.js';
import type { FrameworkAdapter } from './frameworkAdapter.js';

const ROWS = 50;
const NUMBERS = 1e6;
/** Rows of this many folds are compared, since one fold may have few different predictions. */
const MORE = 4;

/**
 * With fewer different predictions, equal ones prove nothing: a stump, a prior or a sure model gives the same in two folds.
 * Equal labels do not even raise a doubt: they were equal in 18 of 100 five-fold runs on WDBC by logistic regression
 * (`docs/concepts.md`).
 */
const DISTINCT = 10;

export interface FixedModelWatch {
  /** Rows that a fold predicts besides; none once a difference was seen, which changes no verdict. */
  probe(test: Int32Array, fit: Int32Array): Int32Array;
  /** After a fold: what its model predicted for its test rows and for those of `probe`. */
  observe(fold: TestedFold): void;
  verdict(): ModelHistory;
}

/** What was seen of a model's past. */
export interface ModelHistory {
  /** Why the model is the same in every fold, as `a GraphModel can only predict`; null for models that are trained. */
  readonly fixedModel: string | null;
  /** Why a model that is trained here may have been trained before, perhaps on these rows; null where nothing says so. */
  readonly trainedBefore: string | null;
  /**
   * Why nobody can see whether `fit` has an effect, as `one fold alone was completed`; null where an
   * effect was seen, and for models that are fixed.
   */
  readonly fitNotSeen: string | null;
}

export const NO_HISTORY: ModelHistory = { fixedModel: null, trainedBefore: null, fitNotSeen: null };

interface TestedFold {
  readonly test: Int32Array;
  readonly table: ScoreTable;
  readonly probed: Answers | undefined;
  /** Why the fit of its model cannot teach it anything, where the adapter can tell. */
  readonly idle: string | null;
}

export interface Answers {
  readonly rows: Int32Array;
  readonly table: ScoreTable;
}

/**
 * @param before what the instance that was given predicted before its first `fit`
 * @param always asks every fold, so that what a fold is asked follows from the folds alone: outcomes that are kept are found by it
 */
export function fixedModelWatch(y: Labels, before?: Answers, always = false): FixedModelWatch {
  const room = roomFor(y);
  const tested = new Set<number>();
  const earlier = new Map<number, Float64Array>();
  const answered = before && answersByRow(before);
  // A model that was never trained may give the same answer for every row.
  const atFirst = answered && distinct(answered.values()) > 1 ? answered : undefined;
  let isFirst = true;
  let afterFit: 'not asked' | 'equal' | 'proved equal' = 'not asked';
  let foldsAlike = false;
  let differs = false;
  let completed = 0;
  /** Why the fit of no model can teach it anything; null where that of one may. */
  let idleFit: string | null = null;
  /** Rows were predicted by two models, or could have been, with too few different predictions. */
  let tooFew = false;
  const whyUnverified = () => {
    if (tooFew)
      return `there were fewer than ${DISTINCT} different predictions to compare, as with labels alone, and so few prove nothing`;
    if (completed < 2)
      return `${completed === 0 ? 'no fold was' : 'one fold alone was'} completed, and it takes the models of two to compare`;
    return 'no completed fold trains on rows that an earlier one tests, so that no row was predicted by two models';
  };
  const whySame = () => {
    if (differs) return null;
    if (foldsAlike) return "fit had no visible effect: two folds' models give the same predictions";
    return afterFit === 'proved equal'
      ? 'fit had no visible effect: the same predictions before and after it'
      : idleFit;
  };
  return {
    probe(test, fit) {
      const known = [...tested].filter((row) => fit[lowerBound(fit, row)] === row);
      const rows = new Set([...(isFirst && atFirst ? atFirst.keys() : []), ...known]);
      isFirst = false;
      // Which rows these are depends on the folds alone, not on what came of them: executors end them in any order.
      for (const row of test.subarray(0, room)) if (tested.size < MORE * room) tested.add(row);
      return differs && !always ? new Int32Array() : Int32Array.from(rows);
    },
    observe({ test, table, probed, idle }) {
      idleFit = completed === 0 ? idle : idle && idleFit;
      completed++;
      if (differs) return;
      const again = probed ? answersByRow(probed) : new Map<number, Float64Array>();
      const comparable = (known: ReadonlyMap<number, Float64Array>) => [...known].filter(([row]) => again.has(row));
      const areSame = (answers: RowAnswers) =>
        answers.every(([row, answer]) => isSame(answer, again.get(row) as Float64Array));
      const first = atFirst && afterFit === 'not asked' ? comparable(atFirst) : [];
      const known = comparable(earlier);
      differs = !areSame(first) || !areSame(known);
      if (first.length > 0) afterFit = areDistinct(first) ? 'proved equal' : 'equal';
      if (!differs && areDistinct(known)) foldsAlike = true;
      if ([first, known].some((rows) => rows.length > 0 && !areDistinct(rows))) tooFew = true;
      const values = valuesOf(table);
      test.forEach((row, at) => {
        if (tested.has(row) && !earlier.has(row)) earlier.set(row, values(at).slice());
      });
    },
    verdict: () => {
      const fixedModel = whySame();
      if (fixedModel !== null) return { ...NO_HISTORY, fixedModel };
      // `fit` taught these models nothing, so if they differ, they were made different.
      if (idleFit !== null) return { ...NO_HISTORY, trainedBefore: idleFit };
      const same = afterFit === 'equal' && !differs ? ', and no differently after it' : '';
      return {
        fixedModel,
        trainedBefore: atFirst ? `the model predicted before its first fit${same}` : null,
        fitNotSeen: differs ? null : whyUnverified(),
      };
    },
  };
}

type RowAnswers = readonly (readonly [row: number, answer: Float64Array])[];

const areDistinct = (answers: RowAnswers) => distinct(answers.map(([, answer]) => answer)) >= DISTINCT;

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
export const whyFixed = ({ name, capabilities: { why } }: FrameworkAdapter): string =>
  why ?? `the adapter '${nameText(name)}' does not train`;
