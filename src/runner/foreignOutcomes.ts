/** What the executor of a caller returns: it may throw anything, and may have sent outcomes through JSON, another process or a queue. */

import { AdapterError, atOnce, CVKitError, kindOf, messageOf, phrase, sentence, show } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { isList } from '../core/options.js';
import * as is from '../core/shape.js';
import { gather } from '../data/labels.js';
import { labelWidth, probaWidth, type ScoreTable } from '../metrics/scoreTable.js';
import { truthTable } from './checkPredictions.js';
import type { Executor, FoldLink } from './executor.js';
import type { FoldOutcome } from './foldOutcome.js';
import type { FoldTask } from './foldTask.js';
import { historyShape } from './foldTraining.js';
import { inlineExecutor } from './inlineExecutor.js';
import type { Prepared } from './prepare.js';

/** The outcomes of the tasks. What the executor throws is told as its fault; errors of cvkit and of the signal pass. */
export async function* outcomesOf(
  executor: Executor,
  tasks: Iterable<FoldTask>,
  link: FoldLink,
): AsyncGenerator<FoldOutcome> {
  try {
    const outcomes: unknown = atOnce(executor.run(tasks, link), `\`run\` of ${named(executor)}`);
    if (typeof (outcomes as Partial<AsyncIterable<unknown>> | null)?.[Symbol.asyncIterator] !== 'function') {
      throw badExecutor(executor, 'have a `run` that returns an async iterable', show(outcomes));
    }
    yield* outcomes as AsyncIterable<FoldOutcome>;
  } catch (error) {
    // Aborted work may throw anything.
    link.services.signal?.throwIfAborted();
    if (error instanceof CVKitError || executor === inlineExecutor) throw error;
    throw badExecutor(
      executor,
      'put what goes wrong in a fold into its outcome, and throw nothing',
      messageOf(error),
      error,
    );
  }
}

const named = ({ name }: Executor) => `the executor '${nameText(String(name))}'`;

export const badExecutor = ({ name }: Executor, must: string, got: string, cause?: unknown) => {
  const subject = `The executor '${nameText(String(name))}'`;
  return new AdapterError(sentence(subject, must, phrase(got)), { code: 'invalid_executor', cause });
};

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
  about: hasFields({ name: orNull(is.text), idle: orNull(is.text) }),
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
  executor: Executor,
): O {
  const checked = (shapes: Readonly<Record<string, is.Shape>>) => {
    const fault = hasFields(shapes)(outcome, '');
    if (!fault) return outcome;
    const subject = `The field ${fault.at} of what ${named(executor)} returns for ${task.ctx.fold}`;
    const message = sentence(subject, fault.must, kindOf(fault.got));
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
