import { availableParallelism } from 'node:os';
import { MessageChannel } from 'node:worker_threads';
import { Piscina } from 'piscina';
import { messageOf } from '../core/errors.js';
import type { Executor } from '../runner/executor.js';
import { type FoldPool, foldExecutor } from '../runner/foldExecutor.js';
import { type PortCalls, portCalls } from '../runner/portCalls.js';
import { type ThreadsOptions, threadsOptions } from '../runner/threadsOptions.js';
import type { ThreadMessage } from './threadWorker.js';

/**
 * An executor that runs each fold in one of several threads. Results are those of `'inline'`, bit for bit.
 *
 * The model is the file: URL of a module whose default export is the factory: a function cannot leave its thread. Numbers of X
 * and y lie in memory that all threads share; text and records are copied to each. The threads begin with the first run, wait for
 * the next one without keeping the process alive, and end with `close()`.
 *
 * @throws {InvalidOptionError} when the run begins, for what cannot leave its thread, with the way to let it
 * @example
 * const lines = ["import { LogisticRegression } from 'cvkit/estimators';", 'export default () => new LogisticRegression();'];
 * await writeFile('for-threads.mjs', lines.join('\n'));
 * const executor = threads({ workers: 2 });
 * const spread = new UniversalCVRunner({ cvSplitter, executor, verbose: 0 });
 * const results = await spread.run({ model: new URL('./for-threads.mjs', import.meta.url), data: [X, y] });
 * await executor.close();
 * console.log(results.meanScores.accuracy);
 */
export function threads(input: ThreadsOptions = {}): Executor {
  const { workers } = threadsOptions.resolve(input);
  return foldExecutor(
    { name: 'threads', elsewhere: true, worker: 'thread', poolOf },
    workers ?? availableParallelism(),
  );
}

/** A thread that ends while it has no work is replaced with a warning, since nothing is lost. */
function poolOf(workers: number): FoldPool {
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
  return {
    async run(message, answers, signal) {
      const { port1, port2 } = new MessageChannel();
      const calls: PortCalls = portCalls(
        port1,
        answers(() => calls),
      );
      try {
        const sent: ThreadMessage = { ...message, port: port2 };
        return await pool.run(sent, { transferList: [port2], signal });
      } finally {
        calls.close();
      }
    },
    close: () => pool.destroy(),
  };
}
