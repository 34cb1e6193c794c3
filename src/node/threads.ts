import { AsyncLocalStorage } from 'node:async_hooks';
import { availableParallelism } from 'node:os';
import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { AdapterError, InvalidOptionError, messageOf, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { isTimeout, within } from '../core/timeLimit.js';
import type { EpochControl, Executor, FoldEvent, FoldLink, FoldTask } from '../runner/executor.js';
import { type FoldOutcome, failedAtOnce } from '../runner/foldResult.js';
import { portCalls, trimmed } from './portCalls.js';
import { type ThreadsOptions, threadsOptions } from './threadsOptions.js';
import type { FoldMessage } from './threadWorker.js';

/**
 * An executor that runs each fold in one of several threads. Results are those of `'inline'`, bit for bit.
 *
 * The model is the file: URL of a module whose default export is the factory: a function cannot leave its thread. Numbers of X
 * and y lie in memory that all threads share; text and records are copied to each. The threads begin with the first run, wait for
 * the next one without keeping the process alive, and end with `close()`.
 *
 * @throws {InvalidOptionError} when the run begins, for what cannot leave its thread, with the way to let it
 * @example
 * const executor = threads({ workers: 4 });
 * const runner = new UniversalCVRunner({ cvSplitter: new KFold(), executor });
 * const results = await runner.run({ model: new URL('./model.mjs', import.meta.url), data: [X, y] });
 * await executor.close();
 */
export function threads(input: ThreadsOptions = {}): Executor {
  const workers = threadsOptions.resolve(input).workers ?? availableParallelism();
  let pool: Piscina | undefined;
  const runs = new Set<string>();
  return {
    name: 'threads',
    concurrency: workers,
    elsewhere: true,
    async *run(tasks, link) {
      const { id } = await link.describe();
      runs.add(id);
      const abort = link.services.signal;
      const abandoned = new AbortController();
      const signal = abort ? AbortSignal.any([abort, abandoned.signal]) : abandoned.signal;
      // The threads of the run around may all wait for the hook that this run begins in.
      const inHook = answering.getStore() === true;
      if (!inHook) pool ??= poolOf(workers);
      const used = inHook ? poolOf(workers) : (pool as Piscina);
      const inThread = (task: FoldTask) => sent(used, { task, run: id, runs: [...runs], link, signal });
      try {
        yield* concurrently(tasks, workers, inThread, () => abandoned.abort());
      } finally {
        runs.delete(id);
        if (inHook) await used.destroy();
      }
    },
    async close() {
      const open = pool;
      pool = undefined;
      await open?.destroy();
    },
  };
}

/** Work that answers a fold of some run: its thread waits. */
const answering = new AsyncLocalStorage<true>();

/** A thread that ends while it has no work is replaced with a warning, since nothing is lost. */
function poolOf(workers: number): Piscina {
  const pool = new Piscina({
    filename: new URL('./threadWorker.js', import.meta.url).href,
    minThreads: workers,
    maxThreads: workers,
    // A thread that waits must hear of timers and messages of the model's library.
    atomics: 'disabled',
  });
  pool.on('error', (error) => {
    process.emitWarning(`A thread of cvkit that had no work has ended: ${messageOf(error)}`, { code: 'CVKIT_THREAD' });
  });
  return pool;
}

interface Sent extends Pick<FoldMessage, 'task' | 'run' | 'runs'> {
  readonly link: FoldLink;
  readonly signal: AbortSignal;
}

/** One fold in a thread of the pool. If the thread dies, the fold fails with that error. */
async function sent(pool: Piscina, { task, run, runs, link, signal }: Sent): Promise<FoldOutcome> {
  const { services, emit, describe } = link;
  const started = performance.now();
  const { port1, port2 } = new MessageChannel();
  const calls = portCalls(port1, {
    describe,
    emit: (event: FoldEvent, mayControl: boolean) =>
      answering.run(true, () => emit(event, mayControl ? control : undefined)),
  });
  const control: EpochControl = {
    keepWeights: () => calls.call('keepWeights'),
    save: async (where, options) => calls.call('save', pathOnly(where), options),
  };
  const place = task.keepModel === 'save' ? pathOnly(services.placeOf(task.ctx.fold)) : undefined;
  const message: FoldMessage = { task: trimmed(task), run, runs, place, port: port2 };
  try {
    // Here, too: a loop that never leaves the thread free ends with the thread.
    const ended = (limited = signal) => pool.run(message, { transferList: [port2], signal: limited });
    return await within(signal, task.timeout, ended);
  } catch (error) {
    services.signal?.throwIfAborted();
    // The pool wraps the reason why it was stopped.
    const late = [error, (error as Error).cause].find(isTimeout);
    return failedAtOnce(task.ctx, started, late ?? died(task.ctx.fold, error));
  } finally {
    calls.close();
  }
}

function pathOnly(place: unknown): string {
  if (typeof place === 'string') return place;
  const subject = 'A place where folds in threads save a model';
  const got = phrase('a handler, which cannot leave its thread');
  throw new InvalidOptionError(sentence(subject, 'be a path', got), { code: 'bound_to_thread' });
}

function died(fold: string, cause: unknown): AdapterError {
  const subject = `The thread of ${nameText(fold)}`;
  const got = phrase(messageOf(cause));
  const way =
    'Look in the module of the model for process.exit, for an uncaught error, and for memory; or for `close` of the executor.';
  return new AdapterError(sentence(subject, 'live until its fold has ended', got, way), { code: 'thread_died', cause });
}

/** Results as soon as they are there, of up to `most` items at once. Ends after all work that has begun; ended early, it calls `abandon` first. */
export async function* concurrently<T, R>(
  items: Iterable<T>,
  most: number,
  work: (item: T) => Promise<R>,
  abandon: () => void = () => undefined,
): AsyncGenerator<R, void, undefined> {
  const running = new Map<number, Promise<{ readonly at: number; readonly result: R }>>();
  const next = async (): Promise<R> => {
    const { at, result } = await Promise.race(running.values());
    running.delete(at);
    return result;
  };
  let begun = 0;
  let finished = false;
  try {
    for (const item of items) {
      const at = begun++;
      running.set(
        at,
        work(item).then((result) => ({ at, result })),
      );
      if (running.size >= most) yield await next();
    }
    while (running.size > 0) yield await next();
    finished = true;
  } finally {
    if (!finished) abandon();
    await Promise.allSettled(running.values());
  }
}
