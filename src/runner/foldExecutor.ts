/** What executors have in common whose folds run in threads, processes or Web Workers: runs, hooks, time limits, workers that die. */
import { workScope } from '#io';
import { AdapterError, CVKitError, InvalidOptionError, messageOf, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { isTimeout, within } from '../core/timeLimit.js';
import type { EpochControl, Executor, FoldEvent, FoldLink, FoldTask } from './executor.js';
import { type FoldOutcome, failedAtOnce } from './foldResult.js';
import type { FoldMessage } from './foldWorker.js';
import { type Handlers, type Port, type PortCalls, portCalls, trimmed } from './portCalls.js';

export interface FoldPool<M = FoldMessage, R = FoldOutcome> {
  /**
   * Runs one fold in a worker, and ends the worker with `signal`. Rejects when the worker dies.
   *
   * @param answers what the worker may call meanwhile
   */
  run(message: M, answers: (calls: () => PortCalls) => Handlers, signal: AbortSignal): Promise<R>;
  close(): Promise<void>;
}

/** A worker that `workerPool` starts, and starts anew where it no longer lives. */
export interface PooledWorker<M = FoldMessage, R = FoldOutcome> extends Pick<FoldPool<M, R>, 'run'> {
  lives(): boolean;
  end(): Promise<void>;
}

/**
 * What runs folds in a worker at the other end of a port, one at a time.
 *
 * @param name what is called there
 * @param stop ends the worker
 * @param whyOf why a fold was lost
 * @param sent posts a part of the record of the run before it
 */
export function portRun<M, R>(
  port: Port,
  name: string,
  stop: () => void,
  whyOf: (error: unknown, message: M) => unknown,
  sent: (record: unknown) => Promise<unknown> = async (record) => record,
): FoldPool<M, R>['run'] {
  let answering: Handlers = {};
  const calls: PortCalls = portCalls(port, {
    describe: async () => sent(await answering.describe()),
    emit: (...event) => answering.emit(...event),
  });
  return async (message, answers, signal) => {
    answering = answers(() => calls);
    signal.addEventListener('abort', stop);
    try {
      // A number of the message would keep all of the message.
      return trimmed(await calls.call<R>(name, message));
    } catch (error) {
      signal.throwIfAborted();
      throw whyOf(error, message);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  };
}

/** At most so many workers; who comes when all of them work waits. One that has died is replaced when it is needed. */
export function workerPool<M, R>(workers: number, start: (onEnd: () => void) => PooledWorker<M, R>): FoldPool<M, R> {
  const started = new Set<PooledWorker<M, R>>();
  const free: (PooledWorker<M, R> | undefined)[] = Array.from({ length: workers }, () => undefined);
  const waiting: (() => void)[] = [];
  let closed = false;
  return {
    async run(message, answers, signal) {
      while (free.length === 0) await new Promise<void>((resolve) => waiting.push(resolve));
      let own = free.pop();
      try {
        signal.throwIfAborted();
        if (closed) throw new Error('a closed executor');
        if (!own?.lives()) {
          own = start(() => started.delete(own as PooledWorker<M, R>));
          started.add(own);
        }
        return await own.run(message, answers, signal);
      } finally {
        free.push(own);
        waiting.shift()?.();
      }
    },
    async close() {
      closed = true;
      await Promise.all(Array.from(started, (each) => each.end()));
    },
  };
}

interface WorkerKind extends Pick<Executor, 'name' | 'elsewhere'> {
  /** What a worker is. */
  readonly worker: 'thread' | 'process';
  poolOf(workers: number): FoldPool;
}

export function foldExecutor({ worker, poolOf, ...kind }: WorkerKind, workers: number): Executor {
  let pool: FoldPool | undefined;
  const runs = new Set<string>();
  return {
    ...kind,
    concurrency: workers,
    async *run(tasks, link) {
      const { id } = await link.describe();
      runs.add(id);
      const abort = link.services.signal;
      const abandoned = new AbortController();
      const signal = abort ? AbortSignal.any([abort, abandoned.signal]) : abandoned.signal;
      // The workers of the run around may all wait for the hook that this run begins in.
      const inHook = answering.get() === true;
      if (!inHook) pool ??= poolOf(workers);
      const used = inHook ? poolOf(workers) : (pool as FoldPool);
      const inWorker = (task: FoldTask) => sent(used, worker, { task, run: id, runs: [...runs], link, signal });
      try {
        yield* concurrently(tasks, workers, inWorker, () => abandoned.abort());
      } finally {
        runs.delete(id);
        if (inHook) await used.close();
      }
    },
    async close() {
      const open = pool;
      pool = undefined;
      await open?.close();
    },
  };
}

/** Work that answers a fold of some run: its worker waits. */
const answering = workScope<true>();

interface Sent extends Omit<FoldMessage, 'place'> {
  readonly link: FoldLink;
  readonly signal: AbortSignal;
}

/** One fold in a worker of the pool. If the worker dies, the fold fails with that error. */
async function sent(pool: FoldPool, worker: string, { link, signal, ...message }: Sent): Promise<FoldOutcome> {
  const { services, emit, describe } = link;
  const { task } = message;
  const started = performance.now();
  const answers = (calls: () => PortCalls): Handlers => {
    const control: EpochControl = {
      keepWeights: () => calls().call('keepWeights'),
      save: async (where, options) => calls().call('save', pathOnly(where, worker), options),
    };
    const answered = (event: FoldEvent, mayControl: boolean) =>
      answering.run(true, () => emit(event, mayControl ? control : undefined));
    return { describe, emit: answered };
  };
  const place = task.keepModel === 'save' ? pathOnly(services.placeOf(task.ctx.fold), worker) : undefined;
  try {
    // Here, too: a loop that never leaves the worker free ends with the worker.
    const ended = (limited = signal) => pool.run({ ...message, task: trimmed(task), place }, answers, limited);
    return await within(signal, task.timeout, ended);
  } catch (error) {
    services.signal?.throwIfAborted();
    const why = whyLost(worker, task.ctx.fold, error);
    // The next fold would have no worker, either.
    if ((why as Partial<CVKitError>).code === 'worker_not_started') throw why;
    return failedAtOnce(task.ctx, started, why);
  }
}

/** What became of a fold whose pool threw. */
export function whyLost(worker: string, fold: string, error: unknown): unknown {
  // A pool may wrap the reason why it was stopped.
  const own = [error, (error as Error).cause].find((each) => isTimeout(each) || each instanceof CVKitError);
  return own ?? died(worker, fold, error);
}

export function pathOnly(place: unknown, worker: string): string {
  if (typeof place === 'string') return place;
  const subject = `A place where folds in ${worker === 'process' ? 'processes' : `${worker}s`} save a model`;
  const got = phrase('a handler, which cannot leave its thread');
  throw new InvalidOptionError(sentence(subject, 'be a path', got), { code: 'bound_to_thread' });
}

function died(worker: string, fold: string, cause: unknown): AdapterError {
  const subject = `The ${worker} of ${nameText(fold)}`;
  const got = phrase(messageOf(cause));
  const way =
    'Look in the module of the model for process.exit, for an uncaught error, and for memory; or for `close` of the executor.';
  const message = sentence(subject, 'live until its fold has ended', got, way);
  return new AdapterError(message, { code: worker === 'thread' ? 'thread_died' : 'process_died', cause });
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
