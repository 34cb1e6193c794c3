/** Makes the tasks of a run: which rows each fold trains on, watches and predicts, and its inner folds. */
import { errorRecord } from '../core/errorRecord.js';
import { InvalidDataError, InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { counted } from '../core/format.js';
import { snakeCase } from '../core/names.js';
import { deriveSeed } from '../core/random.js';
import { gather, type Label } from '../data/labels.js';
import { type Groups, groupsOf, knownGroups, type SideData } from '../data/sideData.js';
import { derivedPlan } from '../splitters/derivedPlan.js';
import { type CheckedFold, type FoldPlan, foldsOf, hasInner, innerFoldsOf } from '../splitters/foldsOf.js';
import { StratifiedGroupKFold } from '../splitters/grouped/stratifiedGroupKFold.js';
import { StratifiedKFold } from '../splitters/iid/stratifiedKFold.js';
import { fixedAdjustment } from './adjustment.js';
import type { FoldTask, PlainTraining } from './executor.js';
import { checkLearnable, checkWholeGroups, foldContext, trainingSide, validationRows } from './foldRows.js';
import type { FoldContext, FrameworkAdapter } from './frameworkAdapter.js';
import { labelProbe } from './ownLabels.js';
import { auxiliaryRun, type Prepared } from './prepare.js';

export type TaskExtras = Partial<Pick<FoldTask, 'adjustment' | 'replay' | 'outer' | 'labels'>> & {
  probe?(fit: Int32Array): Int32Array;
  reserve?(ctx: FoldContext): void;
};

/** The task of one fold. If its rows cannot be trained on, the task says why, and the fold fails with that error. */
export function foldTask(
  prepared: Prepared,
  adapter: FrameworkAdapter,
  fold: CheckedFold,
  { probe, reserve, ...extras }: TaskExtras = {},
): FoldTask {
  const { y, data, validation, adjust, returnTrainScores, importance, keepModels } = prepared;
  const { foldTimeout } = prepared.call.run.options;
  const ctx = foldContext(prepared, fold);
  const plain: FoldTask = {
    ...extras,
    ctx,
    fit: fold.train,
    test: fold.test,
    labels: extras.labels ?? labelProbe(fold.index === prepared.chosen[0], fold.test.length),
    watchedMetrics: prepared.watchedMetrics,
    training: prepared.training,
    inner: [],
    keepModel: keepModels,
    ...(adjust ? { adjust } : {}),
    ...(foldTimeout !== undefined && extras.outer === undefined ? { timeout: foldTimeout } : {}),
    ...(returnTrainScores ? { train: fold.train } : {}),
    ...(importance ? { importance } : {}),
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

const TUNED = ['epochs', 'batchSize'] as const;

/** Whether a parameter of a trial is a setting of training. */
export const isOfTraining = (param: string): boolean => TUNED.some((name) => [name, snakeCase(name)].includes(param));

function tunedTraining(
  training: PlainTraining,
  params: FoldContext['params'],
  { capabilities }: FrameworkAdapter,
): PlainTraining {
  if (!capabilities.epochs) return training;
  const chosen = TUNED.flatMap((name) => {
    const keys = [...new Set([name, snakeCase(name)])].filter((key) => Object.hasOwn(params, key));
    if (keys.length > 1) {
      const text = `The same parameter was given under two names, '${keys.join("' and '")}'. Use '${keys[0]}' alone.`;
      throw new InvalidOptionError(text, { code: 'duplicate_option' });
    }
    return keys.map((key) => [name, key] as const);
  });
  const invalid = chosen.find(([, key]) => !(Number.isInteger(params[key]) && Number(params[key]) >= 1));
  if (invalid)
    throw new InvalidOptionError(sentence(`The parameter '${invalid[1]}'`, 'be an integer from 1', params[invalid[1]]));
  return { ...training, ...Object.fromEntries(chosen.map(([name, key]) => [name, params[key]])) };
}

function innerTasks(
  prepared: Prepared,
  adapter: FrameworkAdapter,
  fold: CheckedFold,
  { plan, randomState }: InnerFolds,
): FoldTask[] {
  const paramsOf = () => prepared.paramsOf(fold.id);
  const inner: Prepared = { ...auxiliaryRun(prepared), adjust: undefined, plan, randomState, paramsOf };
  return Array.from({ length: plan.length }, (_, index) => {
    const each = { ...plan.at(index), id: `${fold.id}_inner-${index}` };
    // An adjustment reads probabilities alone.
    return foldTask(inner, adapter, each, { outer: fold.id, labels: 'none' });
  });
}

const INNER_FOLDS = 5;

type InnerFolds = Pick<Prepared, 'plan' | 'randomState'>;

/** The inner folds of a nested design, which must keep patients whole, else stratified ones; undefined where none are needed. */
function innerFoldsFor(prepared: Prepared, fold: CheckedFold): InnerFolds | undefined {
  const { adjust, validation, callbacks, data } = prepared;
  const watches = validation !== undefined || callbacks.some(({ monitor }) => monitor?.startsWith('val_'));
  if (!adjust || watches || fixedAdjustment(adjust)) return undefined;
  const randomState = deriveSeed(prepared.randomState, 'inner', fold.repeat, fold.number);
  const plan = hasInner(fold) ? innerFoldsOf(fold, prepared.plan.n) : ownInnerFolds(prepared, fold, randomState);
  for (const { train, test } of plan) {
    const who = `The inner folds of ${fold.id}`;
    checkWholeGroups({ train, validation: test }, who, data.groups, 'Use an inner splitter for groups.');
  }
  return { plan, randomState };
}

/** Five stratified folds of what the outer folds keep whole, or as many as its rarer class allows. */
function ownInnerFolds({ y, data }: Pick<Prepared, 'y' | 'data'>, fold: CheckedFold, randomState: number): FoldPlan {
  const { train } = fold;
  const { side } = trainingSide(data, train);
  const whole = keptWhole(data, fold);
  const groups = whole ? gather(whole.codes, train) : side.groups;
  const labels = y.take(train);
  const units = groups ? groupsOf(groups, train.length).codes : Int32Array.from(train.keys());
  const holders = labels.classes.map((_, code) => new Set(units.filter((_, at) => labels.codes[at] === code)).size);
  const nSplits = Math.min(INNER_FOLDS, ...holders);
  if (nSplits < 2) {
    const subject = `The training rows of ${fold.id}`;
    const must = 'hold each class in two patients or more for inner folds';
    const got = phrase(counted(nSplits, 'patient'));
    const way = 'Fit on `validation` rows, or choose { fixed }.';
    throw new InvalidDataError(sentence(subject, must, got, way), { code: 'too_few_for_inner_folds' });
  }
  const options = { nSplits, shuffle: true, randomState };
  const splitter = groups ? new StratifiedGroupKFold(options) : new StratifiedKFold(options);
  const plan = foldsOf(splitter, train.length, labels, groups ? { ...side, groups } : side);
  return derivedPlan(plan, {
    at(index) {
      const inner = plan.at(index);
      return { ...inner, train: gather(train, inner.train), test: gather(train, inner.test) };
    },
  });
}

/** The coarsest level of the hierarchy of which no id stands on both sides of the fold, rows without one as one; sites, when folds keep sites whole. */
function keptWhole({ hierarchy = {} }: SideData, { train, test }: CheckedFold): Groups | undefined {
  const n = Math.max(train[train.length - 1], test[test.length - 1]) + 1;
  const inFold = (ids: ArrayLike<Label | null>) => Array.from({ length: n }, (_, row) => ids[row]);
  return Object.values(hierarchy)
    .map((ids) => knownGroups(inFold(ids), n))
    .sort((a, b) => a.count - b.count)
    .find(({ codes }) => {
      const trained = new Set(gather(codes, train));
      return !test.some((row) => trained.has(codes[row]));
    });
}
