/** Hooks into the fold loop: optional begin/end pairs with one read-only context. */
import { CVKitError, InvalidOptionError, messageOf, sentence, suggestion } from '../core/errors.js';
import type { Labels } from '../core/labels.js';
import type { Rows } from '../core/rows.js';
import type { SideData } from '../core/sideData.js';
import type { FoldPlan } from '../splitters/foldsOf.js';
import type { CVResults } from './cvResults.js';
import type { FoldResult } from './foldResult.js';
import type { EpochLogs, FoldContext, ModelPlace } from './frameworkAdapter.js';

/** What is known before the first fold. */
export interface RunContext {
  /** Number of folds that will run. */
  readonly nSplits: number;
  readonly adapter: string;
  readonly epochs: number;
  /** The checked folds of the whole design, the same that are scored. */
  readonly folds: FoldPlan;
  readonly X: Rows;
  readonly y: Labels;
  readonly data: SideData;
}

/** What a callback may do with the model between epochs. Throws {@link AdapterError} where the adapter cannot. */
export interface EpochModel {
  /** The fold ends with the weights that the model has now; the last call counts. */
  keepWeights(): Promise<void>;
  /** Saves the model as it is now. */
  save(where: ModelPlace): Promise<void>;
  getLearningRate(): number;
  /** Sets the learning rate of the batches to come. */
  setLearningRate(rate: number): void;
}

/** A fold context with the epoch at hand. */
export interface EpochContext extends FoldContext {
  /** From 0. */
  readonly epoch: number;
  /** Number of epochs asked for. */
  readonly epochs: number;
  readonly model: EpochModel;
}

// biome-ignore lint/suspicious/noConfusingVoidType: a hook may return nothing at all
type Hook<R = undefined> = R | void | Promise<R | void>;

/** Every hook is optional, sync or async. One that throws fails the run, and the error names callback and hook. */
export interface CVCallback {
  /** Shown in errors; the class name when left out. */
  readonly name?: string;
  /** The log this callback decides by, for example `val_loss`; `val_*` needs the `validation` option. */
  readonly monitor?: string;
  /** Acts between epochs alone, and so has no effect on models that do not train in epochs. */
  readonly needsEpochs?: boolean;
  /** Before the first fold, when the folds are known. */
  onCvStart?(run: RunContext): Hook;
  /** Before the model of a fold is built. */
  onFoldStart?(ctx: FoldContext): Hook;
  /** Before each pass over the training rows; only for models that train in epochs. */
  onEpochStart?(ctx: EpochContext): Hook;
  /** `'stop'` ends the training of this fold. */
  onEpochEnd?(ctx: EpochContext, logs: EpochLogs): Hook<'stop'>;
  /** `'stop'` ends the run after this fold. */
  onFoldEnd?(ctx: FoldContext, result: FoldResult): Hook<'stop'>;
  /** After the last fold, with the results that `run` returns. */
  onCvEnd?(results: CVResults): Hook;
  /** Always called once, last, also after an error. */
  teardown?(): Hook;
}

type HookName = Exclude<keyof CVCallback, 'name' | 'monitor' | 'needsEpochs'>;

/** A hook threw. Never recorded as a failed fold: the run ends. */
export class CallbackError extends CVKitError {
  constructor(callback: string, hook: string, cause: unknown) {
    // Our own errors are sentences already.
    const message =
      cause instanceof CVKitError
        ? `${cause.message} (${hook} of the callback ${callback})`
        : `The ${hook} hook of the callback ${callback} must not throw. Got: ${messageOf(cause)}`;
    super(message, { code: 'callback', cause });
  }
}

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
    `The callback ${callbackName(callback)} has the method \`${odd}\`, which is no hook. ${suggestion(odd, HOOKS)}`,
    { code: 'unknown_hook' },
  );
}

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
        sentence(`The callback ${callbackName(callback)}`, 'stand once in `callbacks`', { text: 'it twice' }),
        { code: 'callback_in_use' },
      );
    }
    if (!serving.has(callback)) continue;
    throw new InvalidOptionError(
      sentence(
        `The callback ${callbackName(callback)}`,
        'serve one run at a time',
        { text: 'a second run before the first has ended' },
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

export function callbackName(callback: CVCallback): string {
  if (callback.name) return callback.name;
  const className = callback.constructor?.name;
  return className && className !== 'Object' ? className : 'without a name';
}
