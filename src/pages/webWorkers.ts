import { AdapterError, messageOf, phrase, sentence } from '../core/errors.js';
import type { Executor } from '../runner/executor.js';
import { foldExecutor, type PooledWorker, portRun, workerPool } from '../runner/foldExecutor.js';
import type { Port } from '../runner/portCalls.js';
import { type ThreadsOptions, threadsOptions } from '../runner/threadsOptions.js';
import { posted } from './longLists.js';

/**
 * What `threads` of cvkit/node is in a page: an executor that runs each fold in one of several Web Workers. Numbers lie in memory
 * that all share where the page is isolated (`crossOriginIsolated`); else they are copied to each worker.
 */
export function webWorkers(input: ThreadsOptions): Executor {
  const { workers } = threadsOptions.resolve(input);
  const poolOf = (most: number) => workerPool(most, webWorker);
  const cores = () => globalThis.navigator?.hardwareConcurrency ?? 1;
  return foldExecutor({ name: 'threads', elsewhere: true, worker: 'thread', poolOf }, workers ?? cores());
}

function webWorker(onEnd: () => void): PooledWorker {
  const worker = newWorker();
  let hasStarted = false;
  let how: Error | undefined;
  let closed: () => void = () => undefined;
  /** Nothing else tells that a worker has ended. */
  const end = (error: Error) => {
    if (how) return;
    how = error;
    worker.terminate();
    onEnd();
    closed();
  };
  const stop = () => end(new Error('a closed executor'));
  worker.addEventListener('message', () => {
    hasStarted = true;
  });
  worker.addEventListener('error', (event) => {
    event.preventDefault(); // or it were an error of the page, too
    end(hasStarted ? new Error(event.message) : notStarted(event.message ?? 'a file that does not load'));
  });
  const post = (message: unknown) => worker.postMessage(message);
  const port: Port = {
    postMessage: post,
    on(event, listener) {
      if (event === 'message') worker.addEventListener(event, ({ data }) => listener(data));
      else closed = () => listener(undefined);
    },
    close: stop,
  };
  return {
    lives: () => how === undefined,
    run: portRun(
      port,
      'fold',
      stop,
      (error) => how ?? error,
      (record) => posted(record, post),
    ),
    end: async () => stop(),
  };
}

function newWorker(): Worker {
  try {
    // In the words that bundlers look for.
    return new Worker(new URL('./pageWorker.js', import.meta.url), { type: 'module', name: 'cvkit' });
  } catch (error) {
    throw notStarted(messageOf(error), error);
  }
}

function notStarted(got: string, cause?: unknown): AdapterError {
  const way =
    'Serve its file pageWorker.js from the origin of the page, and let the headers of both allow it (worker-src, Cross-Origin-Embedder-Policy); or leave out `nJobs`.';
  const message = sentence('A Web Worker of `nJobs`', 'start', phrase(got), way);
  return new AdapterError(message, { code: 'worker_not_started', cause });
}
