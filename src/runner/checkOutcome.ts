/** What an executor gives for a task: it may have sent it through JSON, another process or a queue. */
import { AdapterError, kindOf, sentence } from '../core/errors.js';
import { isList } from '../core/options.js';
import * as is from '../core/shape.js';
import { gather } from '../data/labels.js';
import { labelWidth, probaWidth, type ScoreTable } from '../metrics/scoreTable.js';
import { truthTable } from './checkPredictions.js';
import type { FoldOutcome } from './foldOutcome.js';
import type { FoldTask } from './foldTask.js';
import { historyShape } from './foldTraining.js';
import type { Prepared } from './prepare.js';

const { finite, hasFields, orNull, whole } = is;
const adjustment = hasFields({
  nRows: whole(),
  recalibration: orNull(is.recordOfAny),
  threshold: orNull(is.recordOfAny),
});
const facts = {
  ...{ status: is.oneText('completed', 'failed'), seconds: finite, fits: whole(), innerFits: whole() },
  secondsOf: hasFields({ inner: finite, preprocess: finite, fit: finite, predict: finite }),
  left: orNull(hasFields({ tensors: finite, bytes: finite })),
};
const trained = {
  ...{ ...facts, history: historyShape, stoppedEarly: is.flag, keptEpoch: orNull(finite) },
  ...{ decisions: is.list(is.recordOfAny), labels: hasFields({ looked: whole(), own: is.flag }) },
};

const error = hasFields({ name: is.text, message: is.text, facts: is.recordOfAny, suppressed: is.list(is.anyValue) });

/** A list of that length in which each value passes. */
const column = (length: number, must: string, accepts: (value: number, at: number) => boolean): is.Shape =>
  is.leaf(`be ${length} ${must}`, (v) => isList(v) && v.length === length && (v as number[]).every(accepts));

/** The outcome, held to be one of the task. What is known of its rows (truth, weights, classes) is not taken from it. */
export function checkedOutcome<O extends FoldOutcome>(
  outcome: O,
  task: FoldTask,
  { y, weight, positive, scorers }: Pick<Prepared, 'y' | 'weight' | 'positive' | 'scorers'>,
  subject: string,
): O {
  const checked = (shapes: Readonly<Record<string, is.Shape>>) => {
    const fault = hasFields(shapes)(outcome, '');
    if (!fault) return outcome;
    const message = sentence(`The field ${fault.at} of ${subject}`, fault.must, kindOf(fault.got));
    throw new AdapterError(message, { code: 'invalid_executor' });
  };
  if (outcome.status === 'failed') return checked({ ...facts, error });
  const needModel = scorers.flatMap(({ name, recomputable }) => (recomputable ? [] : [name]));
  const scores = hasFields(Object.fromEntries(needModel.map((name) => [name, hasFields({ value: orNull(finite) })])));
  const adjusts = task.adjust || task.adjustment;
  checked({ ...trained, adjustment: adjusts ? adjustment : orNull(adjustment), modelScores: scores });
  if (task.train) checked({ trainModelScores: scores });
  const rowsOf = { table: task.test, trainTable: task.train, raw: adjusts && task.test, probed: task.probe };
  const tables = Object.entries(rowsOf).flatMap(([name, rows]) => {
    if (!rows) return [];
    const truth = truthTable(y.take(rows), positive, weight && gather(weight, rows));
    const { task: kind, yTrue, length, classes } = truth;
    const codes = kind === 'multilabel' ? 2 : classes.length;
    const isCode = (v: number) => Number.isInteger(v) && v >= 0 && v < codes;
    const isShare = (v: number) => Number.isFinite(v) && v >= 0 && v <= 1;
    const shapes = {
      yTrue: column(yTrue.length, 'values, the truth of its rows', (v, at) => v === yTrue[at]),
      yPred: column(length * labelWidth(truth), 'predictions', kind === 'regression' ? Number.isFinite : isCode),
      yProba: is.leftOutOr(column(length * probaWidth(truth), 'probabilities', isShare)),
    };
    const { yPred, yProba } = (checked({ [name]: hasFields(shapes) }) as unknown as Record<string, ScoreTable>)[name];
    return [[name, { ...truth, yPred, ...(yProba ? { yProba: Float64Array.from(yProba) } : {}) }]];
  });
  return { ...outcome, ...Object.fromEntries(tables) };
}
