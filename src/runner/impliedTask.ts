/** What the model says of integers that were read as classes: to a model of numbers they are a regression. */
import { AbortError } from '../core/errors.js';
import { isReason } from '../core/timeLimit.js';
import { isLabels, labelsOf, rowNumbers, type TaskOption } from '../data/labels.js';
import { rowsOf } from '../data/rows.js';
import { iterableFold } from '../splitters/fold.js';
import { asRun, ofRun } from './activeRuns.js';
import type { DataRecord } from './dataOptions.js';
import { foldContext } from './foldRows.js';
import { ask, type FoldContext } from './frameworkAdapter.js';
import { type ModelOption, type ModelSource, modelSource } from './modelSource.js';
import type { TuningCall } from './runOptions.js';
import { type AdapterChoice, adapterOf, withAdapter } from './session.js';

/** How labels are read: as the caller says (nothing here), or as the model implies. */
export interface TaskReading {
  readonly task?: 'regression';
  readonly taskWhy?: string;
}

/** Options of `run` and of the runner. */
interface Asked extends AdapterChoice {
  readonly model: ModelOption;
  readonly lossFn?: unknown;
  readonly task?: TaskOption | undefined;
  readonly parent?: FoldContext | undefined;
}

interface Implied {
  readonly reading: TaskReading;
  /** What models are built from, where the model was asked: it knows the models that it has built. */
  readonly source?: ModelSource | undefined;
}

/**
 * Asks the model where three integers or more would be taken for classes and the caller names no task. Two are an event and
 * its absence. Labels that were read before are a matter of who read them.
 */
export async function impliedTask(
  { model, lossFn, task, parent, ...choice }: Asked,
  data: Pick<DataRecord, 'X' | 'y' | 'featureNames' | 'auxiliary'>,
  { tuning, name = 'y' }: { readonly tuning?: TuningCall; readonly name?: string } = {},
): Promise<Implied> {
  if (task !== undefined || isLabels(data.y)) return { reading: {} };
  const y = labelsOf(data.y, { name });
  if (!y.guessed) return { reading: {} };
  const X = rowsOf(data.X, 'X', data.featureNames ?? undefined);
  const all = rowNumbers(X.length);
  const fold = iterableFold({ id: 'fold-0', index: 0, repeat: 0, number: 0, train: all, test: all });
  const asking = asRun(parent, async (active): Promise<Implied> => {
    const ctx = ofRun(active, foldContext({ X, y, plan: { length: 1 }, randomState: 0 }, fold));
    const source = await modelSource(model, tuning);
    const known = await adapterOf(choice, source);
    if (known && !known.regressionBecause) return { reading: {}, source };
    return withAdapter(choice, source, ctx, async ({ adapter, first }) => {
      const because = ask(adapter, 'regressionBecause', first, lossFn, Object.keys(data.auxiliary ?? {}));
      if (because === undefined) return { reading: {}, source };
      return { reading: { task: 'regression', taskWhy: `${y.why}, and ${because}` }, source };
    });
  });
  return asking.catch((error) => {
    throw isReason(error, choice.signal) ? new AbortError(error) : error;
  });
}
