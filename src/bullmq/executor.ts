import type { Executor } from '../runner/executor.js';
import { type BullMQOptions, type BullMQSettings, bullmqOptions } from './bullmqOptions.js';
import { type Connected, connect } from './connection.js';
import { QueueRun } from './queueRun.js';

/**
 * An executor that gives each fold to a queue of BullMQ, on Redis or Valkey; workers on any machine take them from there:
 * `cvkit worker --queue NAME --connection URL --root FOLDER`. Results are those of `'inline'`, bit for bit.
 *
 * Model, data and whatever else a fold needs are named by their modules, which each worker has below its `--root`. The queue
 * carries row numbers and predictions, no rows, labels or ids. What the queue loses is given to it again. Needs the packages
 * bullmq and ioredis. Connections end with `close()`, or a second after the last run.
 *
 * @throws {InvalidOptionError} when the run begins, for what cannot leave this machine, with the way to let it
 * @throws {AdapterError} when the run begins, where Redis does not answer or refuses
 * @example
 * const executor = bullmq({ connection: 'redis://127.0.0.1:6379', queue: 'folds' });
 * const runner = new UniversalCVRunner({ cvSplitter: new KFold(), executor });
 * const data = { module: new URL('./data.mjs', import.meta.url), export: 'load' };
 * const results = await runner.run({ model: new URL('./model.mjs', import.meta.url), data, retries: 1 });
 * await executor.close();
 */
export function bullmq(input: BullMQOptions): Executor {
  const options = bullmqOptions.resolve(input);
  let connected: Promise<Connected> | undefined;
  let runs = 0;
  let idle: ReturnType<typeof setTimeout> | undefined;
  const close = async () => {
    const open = connected;
    connected = undefined;
    clearTimeout(idle);
    // That it could not be opened was told by its run.
    const [found] = await Promise.allSettled([open]);
    if (found.status === 'fulfilled' && found.value) await closeQueue(found.value);
  };
  return {
    name: 'bullmq',
    concurrency: options.atOnce,
    elsewhere: 'machines',
    async *run(tasks, link) {
      clearTimeout(idle);
      runs++;
      try {
        connected ??= connectQueue(options).catch((error) => {
          // The next run tries again.
          connected = undefined;
          throw error;
        });
        const found = await connected;
        link.services.signal?.throwIfAborted();
        yield* new QueueRun(found, link, options).outcomes(tasks);
      } finally {
        runs--;
        if (runs === 0) idle = setTimeout(close, 1000);
      }
    },
    close,
  };
}

async function connectQueue({ connection: place, queue: name }: BullMQSettings): Promise<Connected> {
  const connection = await connect(place);
  const { client, bullmq } = connection;
  // Events hold ids of jobs alone; they are best effort, so few are enough.
  const queue = new bullmq.Queue(name, { connection: client, streams: { events: { maxLen: 1000 } } });
  const events = new bullmq.QueueEvents(name, { connection: client });
  events.setMaxListeners(0);
  // The client notes what is wrong.
  queue.on('error', () => undefined);
  events.on('error', () => undefined);
  await events.waitUntilReady();
  return { ...connection, queue, events };
}

/** Does not wait for a Redis that is away. */
async function closeQueue({ queue, events, disconnect }: Connected): Promise<void> {
  const closed = Promise.allSettled([events.close(), queue.close()]);
  await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, 500))]);
  disconnect();
}
