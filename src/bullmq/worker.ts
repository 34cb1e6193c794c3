/** `cvkit worker --queue NAME`: takes folds from a queue until it is ended. */
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { deserialize } from 'node:v8';
import type { Job } from 'bullmq';
import { files as nodeFiles } from '#io';
import { AbortError, AdapterError, messageOf, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import type { Files } from '../core/io.js';
import { within } from '../core/timeLimit.js';
import { writeWhole } from '../core/wholeFile.js';
import { exactJSON, fromExactJSON } from '../node/directory/exactJSON.js';
import type { MachineMessage } from '../node/machines/answerHere.js';
import type { RunDescription, Worker } from '../node/machines/description.js';
import { type Answer, failedAnswer, outcomePath, type TaskMessage } from '../node/machines/taskFolder.js';
import { processPool } from '../node/processes.js';
import { type FoldPool, whyLost } from '../runner/foldExecutor.js';
import { bullmqOptions } from './bullmqOptions.js';
import { connect, endedChannel, type FoldJob, runKey } from './connection.js';

/** A fold of a worker that died is on another one after so many milliseconds, at most twice. */
const LOCK = 15_000;
const STALLED = 5000;
/** Workers that a fold may lose. */
const MOST_STALLED = 3;
/** Milliseconds between two looks whether runs still go on. */
const LOOK = 5000;
/** Bytes of an answer that Redis is asked to keep. */
const LARGE = 2 ** 20;
/** Milliseconds that Redis has to take folds back. */
const END = 5000;

/** Leaves an answer where its run still goes on. */
const ANSWER = `if redis.call('exists', KEYS[1]) == 1 then redis.call('hset', KEYS[1], ARGV[1], ARGV[2]) end`;

interface QueueWorker extends Worker {
  readonly queue: string;
  readonly connection: string | undefined;
  /** Folds that run at once, each in a process. */
  readonly concurrency: number;
  /** Ends the worker: the folds at hand are given back. */
  readonly signal: AbortSignal;
  readonly log: (line: string) => void;
}

/** Processes for the runs whose modules are the same: once loaded, a module stays as it is. */
interface Pool extends FoldPool<MachineMessage, Answer> {
  readonly runs: Set<string>;
}

interface UnderWay {
  readonly run: string;
  readonly ended: AbortController;
}

/** Resolves when the worker has ended. */
export async function queueWorker(options: QueueWorker): Promise<void> {
  const { concurrency, signal, log, roots, directory } = options;
  const { queue, connection } = bullmqOptions.resolve({
    queue: options.queue,
    connection: options.connection,
  } as never);
  const { client, bullmq, address, disconnect } = await connect(connection);
  const pools = new Map<string, Pool>();
  const underWay = new Set<UnderWay>();

  const poolOf = (description: string, run: string): Pool => {
    const name = exactJSON((fromExactJSON(description) as RunDescription).modules);
    const pool = pools.get(name) ?? { ...processPool<MachineMessage, Answer>('answer', concurrency), runs: new Set() };
    pools.set(name, pool);
    pool.runs.add(run);
    return pool;
  };
  const endRun = (run: string) => {
    for (const { runs } of pools.values()) runs.delete(run);
    for (const each of underWay) if (each.run === run) each.ended.abort(new AbortError('The run has ended.'));
  };
  const answerTo = async (message: TaskMessage, { description, run }: FoldJob, ended: AbortSignal): Promise<Answer> => {
    const started = performance.now();
    const { task } = message;
    try {
      const pool = poolOf(description, run);
      const sent = { ...message, run, runs: [...pool.runs], description, worker: { roots, directory } };
      return await within(ended, task.timeout, (limited = ended) => pool.run(sent, () => ({}), limited));
    } catch (error) {
      ended.throwIfAborted();
      return failedAnswer(task, started, whyLost('process', task.ctx.fold, error));
    }
  };
  const work = async (job: Job<FoldJob>, token?: string): Promise<void> => {
    const { run, at } = job.data;
    const key = runKey((name) => worker.toKey(name), run);
    // The run was killed, or has ended.
    if ((await client.exists(key)) === 0) return;
    const ended = new AbortController();
    const own = { run, ended };
    underWay.add(own);
    try {
      signal.throwIfAborted();
      const message = deserialize(Buffer.from(job.data.message, 'base64')) as TaskMessage;
      const text = await textOf(await answerTo(message, job.data, ended.signal), message, directory);
      await client.eval(ANSWER, 1, key, at, text);
    } catch (error) {
      if (signal.aborted) {
        await job.moveToWait(token);
        throw new bullmq.WaitingError();
      }
      if (!ended.signal.aborted) throw error;
    } finally {
      underWay.delete(own);
    }
  };
  const worker = new bullmq.Worker<FoldJob>(queue, work, {
    ...{ connection: client, concurrency, autorun: false },
    ...{ lockDuration: LOCK, stalledInterval: STALLED, maxStalledCount: MOST_STALLED },
  });
  let logged = '';
  const tell = (error: Error) => {
    const message = messageOf(error);
    // The run has taken its job back.
    if (/Missing (key|lock) for job/.test(message) || message === logged) return;
    logged = message;
    log(`Redis at ${address}: ${message}`);
  };
  worker.on('error', tell);
  const subscriber = client.duplicate();
  subscriber.on('error', tell);
  subscriber.on('message', (_channel, run) => endRun(run));
  /** Calls get lost. Processes end with the last run that they have worked for. */
  const lookAtRuns = async () => {
    for (const [name, pool] of pools) {
      for (const run of pool.runs) {
        if ((await client.exists(runKey((each) => worker.toKey(each), run))) === 0) endRun(run);
      }
      if (pool.runs.size > 0) continue;
      pools.delete(name);
      await pool.close();
    }
  };
  const timer = setInterval(() => void lookAtRuns().catch(tell), LOOK);
  try {
    await subscriber.subscribe(endedChannel((name) => worker.toKey(name)));
    const running = worker.run();
    log(`Folds of the queue '${nameText(queue)}' at ${address}, ${concurrency} at once.`);
    if (!signal.aborted) await Promise.race([running, once(signal, 'abort')]);
  } finally {
    clearInterval(timer);
    const closed = worker.close();
    for (const { ended } of underWay) ended.abort(signal.reason);
    await Promise.race([closed, sleep(END)]);
    await Promise.all(Array.from(pools.values(), (pool) => pool.close()));
    disconnect();
  }
}

/** The answer as it goes to the run: what is large is written into the run directory instead. */
async function textOf(
  { text, ...answer }: Answer,
  { task, key }: TaskMessage,
  directory: string | undefined,
): Promise<string> {
  if (text === undefined || Buffer.byteLength(text) <= LARGE) return exactJSON({ ...answer, text });
  const subject = `The --directory of a worker, for the outcome of ${nameText(task.ctx.fold)} of more than 1 MB,`;
  const refused = (got: string, cause?: unknown) => {
    const way = 'Run with `runDirectory` on a folder that all see, and start workers with it.';
    const message = sentence(subject, 'be the run directory', phrase(got), way);
    const error = new AdapterError(message, { code: 'large_outcome', cause });
    return exactJSON(failedAnswer(task, performance.now(), error));
  };
  if (directory === undefined) return refused('none');
  try {
    const path = outcomePath(directory, task, key);
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeWhole(nodeFiles as Files, path, text, { overwrite: true });
    return exactJSON(answer);
  } catch (error) {
    return refused(messageOf(error), error);
  }
}
