/** Calls the hooks of callbacks, and tells whose hook failed. */

import { InvalidOptionError, LeakageError, phrase, sentence, suggestion } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { CallbackError, type CVCallback, type Hook, type HookName } from './callback.js';

const HOOKS: readonly string[] = [
  'onCvStart',
  'onFoldStart',
  'onEpochStart',
  'onEpochEnd',
  'onFoldEnd',
  'onCvEnd',
  'teardown',
] satisfies HookName[];

/** Refuses a method that looks like a hook and is none: it would never be called. */
export function checkHooks(callback: CVCallback): void {
  const methods = [callback, Object.getPrototypeOf(callback)].flatMap((each) => Object.getOwnPropertyNames(each));
  const odd = methods.find((name) => /^on[A-Z]/.test(name) && !HOOKS.includes(name));
  if (odd === undefined) return;
  throw new InvalidOptionError(
    `The callback ${callbackName(callback)} has the method \`${nameText(odd)}\`, which is no hook. ${suggestion(odd, HOOKS)}`,
    { code: 'unknown_hook' },
  );
}

/** The callbacks that are part of training, for models beside those of the folds: without the hooks of the run. */
export const trainingCallbacks = (callbacks: readonly CVCallback[]): CVCallback[] =>
  callbacks
    .filter(({ needsEpochs, onlyWrites }) => needsEpochs && !onlyWrites)
    .map((callback) => ({
      name: callbackName(callback),
      needsEpochs: true,
      ...(callback.monitor === undefined ? {} : { monitor: callback.monitor }),
      onFoldStart: (ctx) => callback.onFoldStart?.(ctx),
      onEpochStart: (ctx) => callback.onEpochStart?.(ctx),
      onEpochEnd: (ctx, logs) => callback.onEpochEnd?.(ctx, logs),
      onFoldEnd: (ctx, result) => callback.onFoldEnd?.(ctx, result),
    }));

const serving = new WeakSet<CVCallback>();

/**
 * Takes the callbacks that keep count of a log (`monitor`) for one run; two runs at once would mix their counts.
 * Returns what gives them back.
 */
export function takeCallbacks(callbacks: readonly CVCallback[]): () => void {
  const counting = callbacks.filter(({ monitor }) => monitor !== undefined);
  for (const [place, callback] of counting.entries()) {
    if (counting.indexOf(callback) < place) {
      throw new InvalidOptionError(
        sentence(`The callback ${callbackName(callback)}`, 'stand once in `callbacks`', phrase('it twice')),
        { code: 'callback_in_use' },
      );
    }
    if (!serving.has(callback)) continue;
    throw new InvalidOptionError(
      sentence(
        `The callback ${callbackName(callback)}`,
        'serve one run at a time',
        phrase('a second run before the first has ended'),
        'Make a new one for each run.',
      ),
      { code: 'callback_in_use' },
    );
  }
  for (const callback of counting) serving.add(callback);
  return () => {
    for (const callback of counting) serving.delete(callback);
  };
}

/** Calls one hook on every callback, in order; tells whether any asked to stop. */
export async function callHooks<H extends Exclude<HookName, 'teardown'>>(
  callbacks: readonly CVCallback[],
  hook: H,
  ...args: Parameters<NonNullable<CVCallback[H]>>
): Promise<'stop' | undefined> {
  let answer: 'stop' | undefined;
  for (const callback of callbacks) {
    try {
      const said = await (callback[hook] as ((...all: unknown[]) => Hook<'stop'>) | undefined)?.apply(callback, args);
      if (said === 'stop') answer = 'stop';
    } catch (error) {
      // No callback went wrong where folds leak: it did what it is there for.
      if (error instanceof LeakageError) throw error;
      throw new CallbackError(callbackName(callback), hook, error);
    }
  }
  return answer;
}

/** Calls every teardown, whatever the others do, then throws the first error. */
export async function tearDown(callbacks: readonly CVCallback[]): Promise<void> {
  const failures: CallbackError[] = [];
  for (const callback of callbacks) {
    try {
      await callback.teardown?.();
    } catch (error) {
      failures.push(new CallbackError(callbackName(callback), 'teardown', error));
    }
  }
  if (failures.length > 0) throw failures[0];
}

/** How messages call a callback: by its name, else by its class. */
export function callbackName(callback: CVCallback): string {
  if (callback.name) return nameText(callback.name);
  const className = callback.constructor?.name;
  return className && className !== 'Object' ? nameText(className) : 'without a name';
}
