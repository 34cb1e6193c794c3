import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import { availableParallelism } from 'node:os';
import { AdapterError, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import type { Executor } from '../runner/executor.js';
import { type FoldPool, foldExecutor, type PooledWorker, portRun, workerPool } from '../runner/foldExecutor.js';
import type { FoldMessage } from '../runner/foldWorker.js';
import { type ProcessesOptions, processesOptions } from './processesOptions.js';

/**
 * An executor that runs each fold in one of several processes, for models that may end their process, and for tfjs-node.
 * Results are those of `'inline'`, bit for bit.
 *
 * The model is the file: URL of a module, as for `threads`. All data are copied to each process. A process that dies, or takes
 * more than `memoryLimit` MB, is a failed fold, which `retries` runs again in another process. The processes begin when they are
 * needed, wait for the next run without keeping this one alive, and end with it, however it ends, or with `close()`.
 *
 * @throws {InvalidOptionError} when the run begins, for what cannot leave its thread, with the way to let it
 * @example
 * const lines = ["import { LogisticRegression } from 'cvkit/estimators';", 'export default () => new LogisticRegression();'];
 * await writeFile('for-processes.mjs', lines.join('\n'));
 * const executor = processes({ workers: 2, memoryLimit: 2000 });
 * const spread = new UniversalCVRunner({ cvSplitter, executor, verbose: 0 });
 * const results = await spread.run({ model: new URL('./for-processes.mjs', import.meta.url), data: [X, y] });
 * await executor.close();
 * console.log(results.meanScores.accuracy);
 */
export function processes(input: ProcessesOptions = {}): Executor {
  const { workers, memoryLimit } = processesOptions.resolve(input);
  const poolOf = (most: number): FoldPool => processPool('fold', most, memoryLimit);
  return foldExecutor(
    { name: 'processes', elsewhere: 'processes', worker: 'process', poolOf },
    workers ?? availableParallelism(),
  );
}

type Message = Pick<FoldMessage, 'task'>;

/** @param name what is called in a process: see `processWorker` */
export const processPool = <M extends Message, R>(
  name: 'fold' | 'answer',
  workers: number,
  memoryLimit: number | null = null,
): FoldPool<M, R> => workerPool(workers, (onEnd) => foldProcess(name, memoryLimit, onEnd));

function foldProcess<M extends Message, R>(
  name: string,
  memoryLimit: number | null,
  onEnd: () => void,
): PooledWorker<M, R> {
  const child = fork(new URL('./processWorker.js', import.meta.url), [String(memoryLimit ?? 0)], {
    serialization: 'advanced',
    // Folds may print. The last pipe ends with this process, and brings the memory of one that takes too much.
    stdio: ['ignore', 'inherit', 'inherit', 'ipc', 'pipe'],
    execArgv: nodeOptions(memoryLimit),
  });
  let state: 'free' | 'works' | 'ends' = 'free';
  let used = '';
  let error: Error | undefined;
  let how: string | undefined;
  const pipe = child.stdio[4] as Socket;
  pipe.on('data', (bytes) => {
    used += bytes;
  });
  const kill = () => child.kill('SIGKILL');
  pipe.on('error', kill);
  child.on('disconnect', kill);
  child.on('error', (thrown) => {
    error = thrown;
  });
  const ended = new Promise<void>((resolve) => {
    // After all that the process has sent.
    child.on('close', (code, signal) => {
      how = error?.message ?? (signal ? `signal ${signal}` : `exit code ${code}`);
      if (state === 'free') {
        const warning = `A process of cvkit that had no work has ended: ${how}`;
        process.emitWarning(warning, { code: 'CVKIT_PROCESS' });
      }
      onEnd();
      resolve();
    });
  });
  const work = portRun<M, R>(
    {
      // What cannot be sent any more is told by the end of the process.
      postMessage: (message) => void child.send(message as object, () => undefined),
      on: (event, listener) => child.on(event, listener),
      close: stop,
    },
    name,
    stop,
    (error, { task }) => {
      if (used) return tooLarge(task.ctx.fold, memoryLimit, used);
      return how === undefined ? error : new Error(how);
    },
  );
  function stop(): void {
    state = 'ends';
    kill();
  }
  keepAlive(child, 'unref');
  return {
    lives: () => child.connected && state !== 'ends' && used === '',
    async run(message, answers, signal) {
      state = 'works';
      keepAlive(child, 'ref');
      try {
        return await work(message, answers, signal);
      } finally {
        if (how === undefined) keepAlive(child, 'unref');
        if (state === 'works') state = 'free';
      }
    },
    async end() {
      stop();
      keepAlive(child, 'ref');
      await ended;
    },
  };
}

/** Whether this process waits for that one. */
function keepAlive(child: ChildProcess, how: 'ref' | 'unref'): void {
  child[how]();
  child.channel?.[how]();
  (child.stdio[4] as Socket)[how]();
}

/** Those of this process, but for what it was started to do. */
function nodeOptions(memoryLimit: number | null): string[] {
  const own = process.execArgv.filter(
    (each, at, all) =>
      !/^--(eval|print|input-type|inspect|watch|test)|^-p?e?$/.test(each) &&
      !/^(--eval|--print|-p?e?)$/.test(all[at - 1] ?? ''),
  );
  return memoryLimit === null ? own : [...own, `--max-old-space-size=${memoryLimit}`];
}

function tooLarge(fold: string, memoryLimit: number | null, used: string): AdapterError {
  const subject = `The memory of the process of ${nameText(fold)}`;
  const must = `be at most ${memoryLimit} MB, the \`memoryLimit\` of the executor`;
  const way = 'Raise `memoryLimit` and take fewer `workers`, or let the fold hold less at once.';
  return new AdapterError(sentence(subject, must, phrase(`${used} MB`), way), { code: 'memory_limit' });
}
