/** Calls the hooks of callbacks, and tells whose hook failed. */
import { callCaller } from '../core/callerCode.js';
import { atOnce, InvalidOptionError, kindOf, LeakageError, phrase, sentence, suggestion } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { snakeCase } from '../core/names.js';
import { isReason, orAborted, within } from '../core/timeLimit.js';
import { CallbackError, type CVCallback, type FoldHandlers, type Hook, type HookName } from './callback.js';
import type { FoldContext } from './frameworkAdapter.js';

const FOLD_HOOKS = ['onFoldStart', 'onEpochStart', 'onBatchEnd', 'onEpochEnd', 'onInnerFit', 'onFoldEnd'] as const;

export const HOOKS: readonly HookName[] = ['onCvStart', 'onTrialEnd', ...FOLD_HOOKS, 'onCvEnd', 'teardown'];

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

/** The first method that is called like a hook and is none, and the sentence that names the nearest. */
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
    .map((callback) => ({
      name: callbackName(callback),
      needsEpochs: true,
      ...(callback.monitor === undefined ? {} : { monitor: callback.monitor }),
      ...boundHooks(callback, FOLD_HOOKS),
      ...(partOf(callback, 'forFold') ? { forFold: (ctx) => handlersIn(callback, ctx) } : {}),
    }));

export const handlersOf = (callbacks: readonly CVCallback[], ctx: FoldContext): readonly CVCallback[] =>
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
