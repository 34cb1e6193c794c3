/** Calls the hooks of callbacks, tells whose hook failed, and answers folds by what they ask for. */
import { callCaller } from '../core/callerCode.js';
import { errorOf } from '../core/errorRecord.js';
import {
  AdapterError,
  atOnce,
  InvalidOptionError,
  kindOf,
  LeakageError,
  phrase,
  sentence,
  suggestion,
} from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { frozenCopy } from '../core/frozenCopy.js';
import { snakeCase } from '../core/names.js';
import { optionsKept } from '../core/recordable.js';
import { isReason, orAborted, within } from '../core/timeLimit.js';
import {
  CallbackError,
  type CVCallback,
  type EpochContext,
  type EpochModel,
  type FoldHandlers,
  type Hook,
  type HookName,
} from './callback.js';
import type { EpochControl, FoldEvent, FoldLink, FoldReply, FoldTask, PlainCallback } from './executor.js';
import { completedFold, type FoldResult } from './foldResult.js';
import type { FoldContext, FrameworkAdapter } from './frameworkAdapter.js';

const FOLD_HOOKS = ['onFoldStart', 'onEpochStart', 'onBatchEnd', 'onEpochEnd', 'onInnerFit', 'onFoldEnd'] as const;

const BEFORE_FOLDS = ['onCheckStart', 'onCvStart', 'onTrialEnd'] as const;

export const HOOKS: readonly HookName[] = [...BEFORE_FOLDS, ...FOLD_HOOKS, 'onCvEnd', 'teardown'];

/** Methods that only callbacks of tfjs have. An object with `onEpochEnd(epoch, logs)` alone may be of either kind. */
const OF_TFJS = ['setParams', 'setModel', 'onTrainBegin', 'onTrainEnd', 'onEpochBegin', 'onBatchBegin', 'onYield'];

/** The callbacks of `run` and `validate`: a list, or one alone. */
export const callbackList = (callbacks: CVCallback | readonly CVCallback[]): readonly CVCallback[] =>
  Array.isArray(callbacks) ? callbacks : [callbacks as CVCallback];

/** A part of a callback under its name or its snake_case name. */
export const partOf = <P extends keyof CVCallback>(callback: CVCallback, part: P): CVCallback[P] =>
  callback[part] ?? ((callback as Record<string, unknown>)[snakeCase(part)] as CVCallback[P]);

type AnyHook = (...args: unknown[]) => Hook<'stop'>;

const hookOf = (callback: CVCallback, hook: HookName): AnyHook | undefined =>
  (partOf(callback, hook) as AnyHook | undefined)?.bind(callback);

const inEitherCase = (names: readonly string[]) => names.flatMap((name) => [name, snakeCase(name)]);

function unknownHook(
  callback: object,
  hooks: readonly HookName[],
): readonly [name: string, instead: string] | undefined {
  const known = inEitherCase(hooks);
  const unknown = methodsOf(callback).find((name) => /^on(_|[A-Z])/.test(name) && !known.includes(name));
  if (unknown === undefined) return undefined;
  return [nameText(unknown), suggestion(unknown, unknown.includes('_') ? hooks.map(snakeCase) : hooks)];
}

export function checkCallbacks(callbacks: readonly CVCallback[]): void {
  for (const [place, callback] of callbacks.entries()) {
    checkHooks(callback);
    if (callbacks.indexOf(callback) === place) continue;
    const subject = 'The `callbacks` option of run';
    const got = phrase(`${callbackName(callback)} twice`);
    throw new InvalidOptionError(sentence(subject, 'hold each callback once', got), { code: 'callback_in_use' });
  }
}

/** Refuses callbacks of tfjs, and methods that would never be called: no hook has their name, or they have it twice. */
export function checkHooks(callback: CVCallback): void {
  const methods = methodsOf(callback);
  const refuse = (message: string, code: string): never => {
    throw new InvalidOptionError(message, { code });
  };
  const subject = `The callback ${callbackName(callback)}`;
  const foreign = inEitherCase(OF_TFJS).find((name) => methods.includes(name)) ?? numberedEpochs(callback);
  if (foreign) {
    const got = phrase(`\`${foreign}\`, as callbacks of tfjs have it`);
    const way =
      'Use EarlyStopping or ModelCheckpoint of cvkit, or an object with onEpochEnd(ctx, logs), where ctx.epoch is the number.';
    refuse(sentence(subject, 'have the hooks of cvkit', got, way), 'tfjs_callback');
  }
  const twice = HOOKS.find(
    (hook) => hook !== snakeCase(hook) && methods.includes(hook) && methods.includes(snakeCase(hook)),
  );
  if (twice) {
    const got = phrase(`\`${twice}\` and \`${snakeCase(twice)}\``);
    refuse(sentence(subject, 'have each hook under one name', got), 'duplicate_hook');
  }
  const known = inEitherCase([...HOOKS, 'forFold']);
  const parts = callback as Record<string, unknown>;
  const noFunction = known.find((name) => parts[name] !== undefined && typeof parts[name] !== 'function');
  if (noFunction) {
    refuse(sentence(subject, `have a function as \`${noFunction}\``, kindOf(parts[noFunction])), 'invalid_hook');
  }
  const [unknown, instead] = unknownHook(callback, HOOKS) ?? [];
  if (unknown) refuse(`${subject} has the method \`${unknown}\`, which is no hook. ${instead}`, 'unknown_hook');
  if (!methods.some((name) => known.includes(name))) {
    refuse(sentence(subject, 'have at least one hook', phrase('none'), `Hooks: ${HOOKS.join(', ')}.`), 'no_hook');
  }
}

function methodsOf(callback: object): string[] {
  const names: string[] = [];
  for (let each = callback; each && each !== Object.prototype; each = Object.getPrototypeOf(each)) {
    names.push(...Object.getOwnPropertyNames(each));
  }
  return names.filter((name) => typeof (callback as Record<string, unknown>)[name] === 'function');
}

/** `onEpochEnd` where its first parameter is called `epoch`: ours is given a context, and would print as an object. */
function numberedEpochs(callback: CVCallback): string | undefined {
  const text = Function.prototype.toString.call(partOf(callback, 'onEpochEnd') ?? (() => undefined));
  return /^[^({=]*(?:\(\s*|(?<=^|\s))epoch\s*[,)=]/.test(text) ? 'onEpochEnd(epoch, logs)' : undefined;
}

/** The callbacks that are part of training, for models beside those of the folds: without the hooks of the run. */
export const trainingCallbacks = (callbacks: readonly CVCallback[]): CVCallback[] =>
  callbacks
    .filter((callback) => partOf(callback, 'needsEpochs') && !partOf(callback, 'readOnly'))
    // One that is plain data has no hook of the run, and has to stay plain data for other machines.
    .map((callback) => (plainOf(callback) ? callback : trainingPart(callback)));

const trainingPart = (callback: CVCallback): CVCallback => ({
  name: callbackName(callback),
  needsEpochs: true,
  ...(callback.monitor === undefined ? {} : { monitor: callback.monitor }),
  ...boundHooks(callback, FOLD_HOOKS),
  ...(partOf(callback, 'forFold') ? { forFold: (ctx) => handlersIn(callback, ctx) } : {}),
});

/** Those whose options are all that they are. */
const BY_OPTIONS: ReadonlySet<string> = new Set(['EarlyStopping', 'ReduceLROnPlateau', 'LearningRateScheduler']);

/** The callbacks of training as plain data. Those that are not are refused where only plain data pass: `boundCallback`. */
export const plainCallbacks = (callbacks: readonly CVCallback[]): PlainCallback[] =>
  callbacks.flatMap((callback) => plainOf(callback) ?? []);

/** Only classes of cvkit keep their options; one of the caller's own that extends them may do more. */
function plainOf(callback: CVCallback): PlainCallback | undefined {
  const [name, options] = [callbackName(callback), optionsKept(callback)];
  if (!options || !BY_OPTIONS.has(name)) return undefined;
  const extendsNone = Object.getPrototypeOf(Object.getPrototypeOf(callback)) === Object.prototype;
  const isPlain = extendsNone && Object.values(options).every((each) => typeof each !== 'function');
  return isPlain ? { name, options: { ...options } } : undefined;
}

/** The first that wants more of a fold than its beginning and its end, and is no plain data. */
export const boundCallback = (callbacks: readonly CVCallback[]): CVCallback | undefined =>
  callbacks.find(
    (callback) =>
      !plainOf(callback) &&
      (['onEpochStart', 'onBatchEnd', 'onEpochEnd', 'onInnerFit', 'forFold'] as const).some((hook) =>
        partOf(callback, hook),
      ),
  );

const handlersOf = (callbacks: readonly CVCallback[], ctx: FoldContext): readonly CVCallback[] =>
  callbacks.map((callback) => {
    if (!partOf(callback, 'forFold')) return callback;
    return { name: callbackName(callback), ...boundHooks(callback, FOLD_HOOKS), ...handlersIn(callback, ctx) };
  });

function handlersIn(callback: CVCallback, ctx: FoldContext): FoldHandlers {
  const subject = `\`forFold\` of the callback ${callbackName(callback)}`;
  let handlers: unknown;
  try {
    handlers = callCaller(() => partOf(callback, 'forFold')?.call(callback, ctx));
  } catch (error) {
    throw new CallbackError(callbackName(callback), 'forFold', error);
  }
  atOnce(handlers, subject, InvalidOptionError);
  if (typeof handlers !== 'object' || handlers === null) {
    throw new InvalidOptionError(sentence(subject, 'return an object with hooks', handlers), { code: 'invalid_hook' });
  }
  const [unknown, instead] = unknownHook(handlers, FOLD_HOOKS) ?? [];
  if (unknown) {
    const got = phrase(`\`${unknown}\``);
    throw new InvalidOptionError(sentence(subject, 'return hooks of a fold', got, instead), { code: 'unknown_hook' });
  }
  return boundHooks(handlers as CVCallback, FOLD_HOOKS);
}

const boundHooks = (callback: CVCallback, hooks: readonly HookName[]): FoldHandlers =>
  Object.fromEntries(
    hooks.flatMap((hook) => {
      const called = hookOf(callback, hook);
      return called ? [[hook, called]] : [];
    }),
  );

const STOPPING: readonly HookName[] = ['onTrialEnd', 'onEpochEnd', 'onFoldEnd'];

/**
 * Calls one hook on every callback, in order; tells whether any asked to stop. `args` makes the arguments of each anew, so
 * that none sees what another has written to it. A hook that never ends does so with `signal`.
 */
export async function callHooks<H extends Exclude<HookName, 'teardown'>>(
  callbacks: readonly CVCallback[],
  hook: H,
  args: () => Parameters<NonNullable<CVCallback[H]>>,
  signal?: AbortSignal,
): Promise<'stop' | undefined> {
  let answer: 'stop' | undefined;
  for (const callback of callbacks) {
    const called = hookOf(callback, hook);
    if (!called) continue;
    const all = args();
    try {
      const returned = await orAborted(signal, () => callCaller(() => called(...all)));
      if (STOPPING.includes(hook)) answer = stopOf(returned) ?? answer;
      else if (typeof returned === 'string') {
        const way = `'stop' is for ${STOPPING.join(', ')}.`;
        const message = sentence('What this hook returns', 'be nothing', returned, way);
        throw new InvalidOptionError(message, { code: 'invalid_hook' });
      }
    } catch (error) {
      // A LeakageError is the purpose of its callback, not a failure of it. When one hook calls another, the inner one is named.
      if (error instanceof LeakageError || error instanceof CallbackError || isReason(error, signal)) throw error;
      throw new CallbackError(callbackName(callback), hook, error);
    }
  }
  return answer;
}

/** Calls every teardown, whatever the others do, then throws the first error. `thrown` is what broke the run off. */
export async function tearDown(callbacks: readonly CVCallback[], thrown?: unknown, signal?: AbortSignal) {
  const failures: unknown[] = [];
  for (const callback of callbacks) {
    try {
      await within(signal, undefined, async () => callCaller(() => callback.teardown?.(thrown)));
    } catch (error) {
      failures.push(isReason(error, signal) ? error : new CallbackError(callbackName(callback), 'teardown', error));
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** How messages call a callback: by its name, else by its class. */
export function callbackName(callback: CVCallback): string {
  const names = [callback.name, callback.constructor?.name];
  return nameText(names.find((name) => typeof name === 'string' && name && name !== 'Object') ?? 'without a name');
}

/** What a hook that may end something has returned: a wrong spelling of 'stop' would end nothing. */
export function stopOf(answer: unknown): 'stop' | undefined {
  if (answer === undefined || answer === 'stop') return answer;
  throw new InvalidOptionError(sentence('What a hook returns', "be 'stop' or nothing", answer), {
    code: 'invalid_hook',
  });
}

type InnerResult = (event: FoldEvent & { readonly type: 'innerEnd' }) => FoldResult;

/** The result of an inner fold of the task, for the callbacks that are part of training: nothing of it is scored. */
export const innerResultOf =
  (task: FoldTask): InnerResult =>
  ({ done, outcome }) => {
    const { test, fit } = task.inner[done - 1];
    const { fold: id, index, repeat } = outcome.ctx;
    const fold = { id, index, repeat, number: index, test };
    return completedFold(outcome, { fold, scores: {}, nFitted: fit.length });
  };

/** Answers the events of folds: calls the callbacks, and tells the fold what they ask for. */
export function eventAnswers(
  callbacks: readonly CVCallback[],
  { adapter, contextOf }: Pick<FoldLink['services'], 'adapter' | 'contextOf'>,
  innerResult: InnerResult,
) {
  const training = trainingCallbacks(callbacks);
  const handlers = new Map<string, readonly CVCallback[]>();
  let failure: { readonly error: unknown } | undefined;

  /** The handlers of one fold: the same ones from its first moment to its last. */
  const of = (ctx: FoldContext, inner: boolean): readonly CVCallback[] => {
    const found = handlers.get(ctx.fold) ?? handlersOf(inner ? training : callbacks, ctx);
    handlers.set(ctx.fold, found);
    return found;
  };
  const end = async (context: FoldContext, inner: boolean, result: FoldResult) => {
    const answer = await callHooks(of(context, inner), 'onFoldEnd', () => [contextOf(context), frozenCopy(result)]);
    handlers.delete(context.fold);
    return answer;
  };
  const answered = async (event: FoldEvent, control: EpochControl | undefined): Promise<FoldReply> => {
    const { ctx, inner } = event;
    const called = of(ctx, inner);
    if (event.type === 'foldStart') {
      await callHooks(called, 'onFoldStart', () => [contextOf(ctx)]);
      return { batches: called.some((callback) => partOf(callback, 'onBatchEnd')) };
    }
    if (event.type === 'innerEnd') {
      const { done, total, outcome } = event;
      const stop = (await end(outcome.ctx, true, innerResult(event))) === 'stop';
      await callHooks(called, 'onInnerFit', () => [contextOf(ctx), Object.freeze({ done, total })]);
      return { stop };
    }
    const { epoch, epochs } = event;
    if (event.type === 'batchEnd') {
      const at = () => contextOf({ ...ctx, epoch, epochs });
      await callHooks(called, 'onBatchEnd', () => [at(), Object.freeze({ ...event.logs })]);
      return {};
    }
    const learningRates: number[] = [];
    const { model, close } = epochModel(adapter, event.learningRate, learningRates, control as EpochControl);
    const at = (): EpochContext => contextOf({ ...ctx, epoch, epochs, model });
    const answer = await (event.type === 'epochStart'
      ? callHooks(called, 'onEpochStart', () => [at()])
      : callHooks(called, 'onEpochEnd', () => [at(), Object.freeze({ ...event.logs })]));
    close();
    return { stop: event.type === 'epochEnd' && answer === 'stop', learningRates };
  };
  /** An error in a callback ends the run, whether or not the fold succeeds. */
  const watched = async <T>(work: () => Promise<T>): Promise<T> => {
    if (failure) throw failure.error;
    try {
      return await work();
    } catch (error) {
      failure ??= { error };
      throw error;
    }
  };
  return {
    emit: (event: FoldEvent, control?: EpochControl) => watched(() => answered(event, control)),
    foldEnd: (result: FoldResult) => watched(() => end(result.ctx, false, result)),
    failure: () => failure,
    /** What callbacks remember of an attempt is no part of the next one. */
    forget({ ctx, inner }: FoldTask): void {
      for (const { fold } of [ctx, ...inner.map((each) => each.ctx)]) handlers.delete(fold);
    },
  };
}

function epochModel(
  adapter: FrameworkAdapter,
  learningRate: (FoldEvent & { readonly type: 'epochEnd' })['learningRate'],
  set: number[],
  control: EpochControl,
) {
  let open = true;
  /** Throws unless the adapter has that part and the call comes between epochs. */
  const checkAble = (part: 'snapshot' | 'save' | 'learningRate', verb: string) => {
    if (!open) {
      const got = phrase('a call during an epoch, or after training');
      throw new AdapterError(sentence('A callback', `${verb} between epochs`, got));
    }
    if (adapter[part] && (part !== 'save' || adapter.capabilities.saves)) return;
    const way = part === 'snapshot' ? 'EarlyStopping can do without: restoreBest: false.' : undefined;
    const subject = `The adapter '${nameText(adapter.name)}'`;
    const message = sentence(subject, `be able to ${verb}`, phrase(`one without \`${part}\``), way);
    throw new AdapterError(message, { code: 'unable' });
  };
  const rateNow = (verb: string): number => {
    checkAble('learningRate', verb);
    if (typeof learningRate === 'number') return set.at(-1) ?? learningRate;
    throw learningRate ? errorOf(learningRate) : new AdapterError('The learning rate is not known.');
  };
  const model: EpochModel = Object.freeze({
    async keepWeights() {
      checkAble('snapshot', 'keep weights');
      await control.keepWeights();
    },
    async save(where, options) {
      checkAble('save', 'save models');
      await control.save(where, options);
    },
    getLearningRate: () => rateNow('tell its learning rate'),
    setLearningRate(rate) {
      rateNow('change its learning rate');
      if (!(Number.isFinite(rate) && rate >= 0)) {
        throw new AdapterError(sentence('A learning rate', 'be a number >= 0', rate), { code: 'learning_rate' });
      }
      set.push(rate);
    },
  } satisfies EpochModel);
  const close = () => {
    open = false;
  };
  return { model, close };
}
