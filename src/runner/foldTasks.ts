/** Makes the tasks of a run: which rows each fold trains on, watches and predicts, and its inner folds. */
import { errorRecord } from '../core/errorRecord.js';
import { InvalidOptionError, sentence } from '../core/errors.js';
import { snakeCase } from '../core/names.js';
import type { CheckedFold, FoldPlan } from '../splitters/foldsOf.js';
import { checkLearnable, foldContext } from './foldRows.js';
import type { FoldTask, PlainTraining } from './foldTask.js';
import type { FoldContext, FrameworkAdapter } from './frameworkAdapter.js';
import { type InnerFolds, innerFoldsFor } from './innerFolds.js';
import { labelsWay } from './ownLabels.js';
import { auxiliaryRun, type Prepared } from './prepare.js';
import { validationRows } from './validationRows.js';

/** What one task is asked for beside its fold. */
export type TaskExtras = Partial<Pick<FoldTask, 'adjustment' | 'replay' | 'outer' | 'labels'>> & {
  /** Rows to predict besides, of those that the fold trains on. */
  probe?(fit: Int32Array): Int32Array;
  /** Finds the place where the model is saved. */
  reserve?(ctx: FoldContext): void;
};

/** The task of one fold. If its rows cannot be trained on, the task says why, and the fold fails with that error. */
export function foldTask(
  prepared: Prepared,
  adapter: FrameworkAdapter,
  fold: CheckedFold,
  { probe, reserve, ...extras }: TaskExtras = {},
): FoldTask {
  const { y, data, validation, adjust, returnTrainScores, keepModels } = prepared;
  const { foldTimeout } = prepared.call.run.options;
  const ctx = foldContext(prepared, fold);
  const plain: FoldTask = {
    ...extras,
    ctx,
    fit: fold.train,
    test: fold.test,
    labels: extras.labels ?? labelsWay(fold.index === prepared.folds[0], fold.test.length),
    watchedMetrics: prepared.watchedMetrics,
    training: prepared.training,
    inner: [],
    keepModel: keepModels,
    ...(adjust ? { adjust } : {}),
    ...(foldTimeout !== undefined && extras.outer === undefined ? { timeout: foldTimeout } : {}),
    ...(returnTrainScores ? { train: fold.train } : {}),
  };
  try {
    const training = tunedTraining(prepared.training, ctx.params, adapter);
    const within = extras.adjustment ? undefined : innerFoldsFor(prepared, fold);
    const inner = within ? innerTasks(prepared, adapter, fold, within) : [];
    const rows = validationRows(validation, fold, { y, data, seed: ctx.seed, epochs: adapter.capabilities.epochs });
    if (adapter.capabilities.trains) checkLearnable(prepared, rows.train);
    reserve?.(ctx);
    const probed = probe?.(rows.train);
    return {
      ...plain,
      training,
      inner,
      fit: rows.train,
      ...(rows.validation ? { watch: rows.validation } : {}),
      ...(probed && probed.length > 0 ? { probe: probed } : {}),
    };
  } catch (error) {
    return { ...plain, fault: errorRecord(error) };
  }
}

/** The settings of training, with those that the trial chose for a model that trains in epochs. */
function tunedTraining(
  training: PlainTraining,
  params: FoldContext['params'],
  { capabilities }: FrameworkAdapter,
): PlainTraining {
  const chosen = TUNED.flatMap((name) => {
    const keys = [...new Set([name, snakeCase(name)])].filter((key) => Object.hasOwn(params, key));
    if (capabilities.epochs && keys.length > 1) {
      const text = `The same parameter was given under two names, '${keys.join("' and '")}'. Use '${keys[0]}' alone.`;
      throw new InvalidOptionError(text, { code: 'duplicate_option' });
    }
    return capabilities.epochs ? keys.map((key) => [name, key] as const) : [];
  });
  const odd = chosen.find(([, key]) => !(Number.isInteger(params[key]) && Number(params[key]) >= 1));
  if (odd) throw new InvalidOptionError(sentence(`The parameter '${odd[1]}'`, 'be an integer from 1', params[odd[1]]));
  return { ...training, ...Object.fromEntries(chosen.map(([name, key]) => [name, params[key]])) };
}

/** Settings of training that a search may choose, in either spelling. */
const TUNED = ['epochs', 'batchSize'] as const;

function innerTasks(
  prepared: Prepared,
  adapter: FrameworkAdapter,
  fold: CheckedFold,
  { plan, randomState }: InnerFolds,
): FoldTask[] {
  const paramsOf = () => prepared.paramsOf(fold.id);
  const inner: Prepared = { ...auxiliaryRun(prepared), adjust: undefined, plan, randomState, paramsOf };
  return places(plan).map((index) => {
    const each = { ...plan.at(index), id: `${fold.id}_inner-${index}` };
    // An adjustment reads probabilities alone.
    return foldTask(inner, adapter, each, { outer: fold.id, labels: 'none' });
  });
}

const places = ({ length }: FoldPlan) => Array.from({ length }, (_, index) => index);
