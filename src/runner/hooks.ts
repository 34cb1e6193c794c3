/** Calls the hooks of callbacks, and tells whose hook failed. */
import { callCaller } from '../core/callerCode.js';
import { atOnce, InvalidOptionError, kindOf, LeakageError, phrase, sentence, suggestion } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { snakeCase } from '../core/names.js';
import { isReason, orAborted, within } from '../core/timeLimit.js';
import { CallbackError, type CVCallback, type FoldHandlers, type Hook, type HookName } from './callback.js';
import type { FoldContext } from './frameworkAdapter.js';

/** All hooks of a callback. */
export const HOOKS = [
  'onCvStart',
  'onTrialEnd',
  'onFoldStart',
  'onEpochStart',
  'onBatchEnd',
  'onEpochEnd',
  'onInnerFit',
  'onFoldEnd',
  'onCvEnd',
  'teardown',
] as const satisfies readonly HookName[];

/** Methods that only callbacks of tfjs have. An object with `onEpochEnd(epoch, logs)` alone may be of either kind. */
const OF_TFJS = ['setParams', 'setModel', 'onTrainBegin', 'onTrainEnd', 'onEpochBegin', 'onBatchBegin', 'onYield'];

/** The callbacks of `run` and `validate`: a list, or one alone. */
export const callbackList = (callbacks: CVCallback | readonly CVCallback[]): readonly CVCallback[] =>
  Array.isArray(callbacks) ? callbacks : [callbacks as CVCallback];

/** A part of a callback under its name or its snake_case name. */
export const partOf = <P extends keyof CVCallback>(callback: CVCallback, part: P): CVCallback[P] =>
  callback[part] ?? ((callback as Record<string, unknown>)[snakeCase(part)] as CVCallback[P]);

/** A hook of a callback, ready to be called. */
const hookOf = (callback: CVCallback, hook: HookName): ((...args: unknown[]) => Hook<'stop'>) | undefined =>
  (partOf(callback, hook) as ((...args: unknown[]) => Hook<'stop'>) | undefined)?.bind(callback);

/** Refuses what is no callback, and one that is given twice. */
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
  const foreign =
    OF_TFJS.flatMap((name) => [name, snakeCase(name)]).find((name) => methods.includes(name)) ??
    numberedEpochs(callback);
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
  const known = [...HOOKS, 'forFold'].flatMap((hook) => [hook, snakeCase(hook)]);
  const parts = callback as Record<string, unknown>;
  const noFunction = known.find((name) => parts[name] !== undefined && typeof parts[name] !== 'function');
  if (noFunction) {
    refuse(sentence(subject, `have a function as \`${noFunction}\``, kindOf(parts[noFunction])), 'invalid_hook');
  }
  const unknown = methods.find((name) => /^on(_|[A-Z])/.test(name) && !known.includes(name));
  if (unknown !== undefined) {
    refuse(
      `${subject} has the method \`${nameText(unknown)}\`, which is no hook. ${suggestion(unknown, unknown.includes('_') ? HOOKS.map(snakeCase) : HOOKS)}`,
      'unknown_hook',
    );
  }
  if (!methods.some((name) => known.includes(name))) {
    refuse(sentence(subject, 'have at least one hook', phrase('none'), `Hooks: ${HOOKS.join(', ')}.`), 'no_hook');
  }
}

/** Names of all own and inherited methods. */
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

const FOLD_HOOKS = ['onFoldStart', 'onEpochStart', 'onBatchEnd', 'onEpochEnd', 'onInnerFit', 'onFoldEnd'] as const;

/** The callbacks that are part of training, for models beside those of the folds: without the hooks of the run. */
export const trainingCallbacks = (callbacks: readonly CVCallback[]): CVCallback[] =>
  callbacks
    .filter((callback) => partOf(callback, 'needsEpochs') && !partOf(callback, 'readOnly'))
    .map((callback) => ({
      name: callbackName(callback),
      needsEpochs: true,
      ...(callback.monitor === undefined ? {} : { monitor: callback.monitor }),
      ...boundHooks(callback, FOLD_HOOKS),
      ...(partOf(callback, 'forFold') ? { forFold: (ctx) => handlersIn(callback, ctx) } : {}),
    }));

/** The callbacks as they act in one fold. */
export const handlersOf = (callbacks: readonly CVCallback[], ctx: FoldContext): readonly CVCallback[] =>
  callbacks.map((callback) => {
    if (!partOf(callback, 'forFold')) return callback;
    return { name: callbackName(callback), ...boundHooks(callback, FOLD_HOOKS), ...handlersIn(callback, ctx) };
  });

/** What `forFold` of a callback gives, under our names. */
function handlersIn(callback: CVCallback, ctx: FoldContext): FoldHandlers {
  let handlers: unknown;
  try {
    handlers = callCaller(() => partOf(callback, 'forFold')?.call(callback, ctx));
  } catch (error) {
    throw new CallbackError(callbackName(callback), 'forFold', error);
  }
  atOnce(handlers, `\`forFold\` of the callback ${callbackName(callback)}`, InvalidOptionError);
  if (typeof handlers !== 'object' || handlers === null) {
    const subject = `\`forFold\` of the callback ${callbackName(callback)}`;
    throw new InvalidOptionError(sentence(subject, 'return an object with hooks', handlers), { code: 'invalid_hook' });
  }
  const known = FOLD_HOOKS.flatMap((hook) => [hook, snakeCase(hook)]);
  const unknown = methodsOf(handlers).find((name) => /^on(_|[A-Z])/.test(name) && !known.includes(name));
  if (unknown !== undefined) {
    const subject = `\`forFold\` of the callback ${callbackName(callback)}`;
    const instead = suggestion(unknown, unknown.includes('_') ? FOLD_HOOKS.map(snakeCase) : FOLD_HOOKS);
    const got = phrase(`\`${nameText(unknown)}\``);
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

/** Hooks whose answer counts. */
const STOPPING: readonly HookName[] = ['onTrialEnd', 'onEpochEnd', 'onFoldEnd'];

/**
 * Calls one hook on every callback, in order; tells whether any asked to stop. `args` makes the arguments of each, so
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
        const subject = 'What this hook returns';
        throw new InvalidOptionError(sentence(subject, 'be nothing', returned, way), { code: 'invalid_hook' });
      }
    } catch (error) {
      // A LeakageError is the purpose of its callback, not a failure of it. When one hook calls another, the inner one is named.
      if (error instanceof LeakageError || error instanceof CallbackError || isReason(error, signal)) throw error;
      throw new CallbackError(callbackName(callback), hook, error);
    }
  }
  return answer;
}

/** Whether any callback has the hook. */
export const hasHook = (callbacks: readonly CVCallback[], hook: HookName): boolean =>
  callbacks.some((callback) => partOf(callback, hook));

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
  if (typeof callback.name === 'string' && callback.name) return nameText(callback.name);
  const className = callback.constructor?.name;
  return className && className !== 'Object' ? nameText(className) : 'without a name';
}

/** What a hook that may end something has returned: a wrong spelling of 'stop' would end nothing. */
export function stopOf(answer: unknown): 'stop' | undefined {
  if (answer === undefined || answer === 'stop') return answer;
  const must = "be 'stop' or nothing";
  throw new InvalidOptionError(sentence('What a hook returns', must, answer), { code: 'invalid_hook' });
}
