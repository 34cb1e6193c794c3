/** What the model says of integers that were read as classes: to a model of numbers they are a regression. */
import { cleanupOnError } from '../core/cleanup.js';
import { asAborted } from '../core/timeLimit.js';
import { rowNumbers, type TaskOption } from '../data/labels.js';
import { iterableFold } from '../splitters/splitter.js';
import { asRun, ofRun } from './activeRuns.js';
import type { CVCallback } from './callback.js';
import { foldContext } from './foldRows.js';
import { ask, type FoldContext } from './frameworkAdapter.js';
import { callbackList, checkCallbacks, tearDown } from './hooks.js';
import { type ModelOption, type ModelSource, modelSource } from './modelSource.js';
import type { Problem } from './readData.js';
import type { TuningCall } from './runOptions.js';
import { type AdapterChoice, adapterOf, withAdapter } from './session.js';

/** How labels are read: as the caller says (nothing here), or as the model implies. */
export interface TaskReading {
  readonly task?: 'regression';
  readonly taskWhy?: string;
}

interface TaskQuestion extends AdapterChoice {
  readonly model: ModelOption;
  readonly lossFn?: unknown;
  readonly task?: TaskOption | undefined;
  readonly parent?: FoldContext | undefined;
  readonly callbacks?: CVCallback | readonly CVCallback[] | undefined;
}

interface Implied {
  readonly reading: TaskReading;
  /** What models are built from, where the model was asked: it knows the models that it has built. */
  readonly source?: ModelSource | undefined;
}

/** Reads three integers or more that were taken for classes again, as a regression, where the model is one of numbers. */
export async function readAsImplied<T extends { readonly problem: Problem }>(
  question: TaskQuestion,
  read: (reading: TaskReading) => T,
  tuning?: TuningCall,
): Promise<T & Pick<Implied, 'source'>> {
  const first = read({});
  const { X, y, auxiliary } = first.problem;
  if (question.task !== undefined || !y.guessed) return first;
  const { reading, source } = await impliedTask(question, { X, y, auxiliary }, tuning);
  return { ...(reading.task ? read(reading) : first), source };
}

/** Asks the model what its task is. Callbacks are torn down when that fails, as a run tears them down. */
export async function impliedTask(
  { model, lossFn, parent, callbacks = [], ...choice }: TaskQuestion,
  { X, y, auxiliary = {} }: Pick<Problem, 'X' | 'y'> & { readonly auxiliary?: object | undefined },
  tuning?: TuningCall,
): Promise<Implied> {
  const { signal } = choice;
  const listeners = callbackList(callbacks);
  checkCallbacks(listeners);
  const all = rowNumbers(X.length);
  const fold = iterableFold({ id: 'fold-0', index: 0, repeat: 0, number: 0, train: all, test: all });
  let failure: unknown;
  const asking = asRun(parent, async (active): Promise<Implied> => {
    const ctx = ofRun(active, foldContext({ X, y, plan: { length: 1 }, randomState: 0 }, fold));
    const source = await modelSource(model, tuning, choice);
    const known = await adapterOf(choice, source);
    if (known && !known.regressionBecause) return { reading: {}, source };
    return withAdapter(choice, source, ctx, async ({ adapter, first }) => {
      const because = ask(adapter, 'regressionBecause', first, lossFn, Object.keys(auxiliary));
      if (because === undefined) return { reading: {}, source };
      return { reading: { task: 'regression', taskWhy: `${y.why}, and ${because}` }, source };
    });
  }).catch((error) => {
    failure = asAborted(error, signal);
    throw failure;
  });
  return cleanupOnError(
    () => asking,
    () => tearDown(listeners, failure, signal),
  );
}
