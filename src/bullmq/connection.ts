/** Connections to Redis, and what the two ends of a queue agree on. What is said of them never holds a password. */
import { once } from 'node:events';
import type { Queue, QueueEvents } from 'bullmq';
import type { Redis } from 'ioredis';
import { AdapterError, messageOf, phrase, sentence } from '../core/errors.js';
import { isPlainObject } from '../core/options.js';
import { optionalPackage } from '../node/optionalPackage.js';
import type { RedisPlace } from './bullmqOptions.js';

/** What a job holds: no rows, labels or ids. */
export interface FoldJob {
  /** A UUID. */
  readonly run: string;
  /** Number of the task in the run. */
  readonly at: number;
  /** A `RunDescription` by `exactJSON`. */
  readonly description: string;
  /** A `TaskMessage` by v8, in base64. */
  readonly message: string;
}

/** A hash that lives as long as its run: `alive`, and answers by the number of their task until the run takes them. */
export const runKey = (toKey: (name: string) => string, run: string): string => toKey(`cvkit-${run}`);

/** Where the ids of runs are called out that have ended. */
export const endedChannel = (toKey: (name: string) => string): string => toKey('cvkit-ended');

/** Milliseconds that Redis may take to answer the first time. */
const START = 10_000;

export interface Connection {
  readonly client: Redis;
  readonly bullmq: typeof import('bullmq');
  /** The address without user and password. */
  readonly address: string;
  /** What went wrong last. */
  lastError(): unknown;
  /** Ends this connection and those that BullMQ has made of it, also where they seek a Redis that is away. */
  disconnect(): void;
}

/** What the runs of an executor share. */
export interface Connected extends Connection {
  readonly queue: Queue;
  readonly events: QueueEvents;
}

/** Rejects in one sentence when Redis does not answer in time, or refuses. */
export async function connect(place: RedisPlace): Promise<Connection> {
  const purpose = 'The executor bullmq';
  const bullmq = await optionalPackage<Connection['bullmq']>('bullmq', purpose);
  const { Redis } = await optionalPackage<typeof import('ioredis')>('ioredis', purpose);
  const options = {
    maxRetriesPerRequest: null,
    retryStrategy: (times: number) => Math.min(50 * 2 ** times, 2000),
  };
  const client = isPlainObject(place) ? new Redis({ ...place, ...options }) : new Redis(String(place), options);
  const { tls, host, port, path } = client.options;
  const address = path ?? `${tls ? 'rediss' : 'redis'}://${host}:${port}`;
  let last: unknown;
  const opened: Redis[] = [];
  const watched = (each: Redis) => {
    opened.push(each);
    return each.on('error', (error) => {
      last = error;
    });
  };
  watched(client);
  const { duplicate } = client;
  client.duplicate = (override) => watched(duplicate.call(client, override));
  const disconnect = () => {
    for (const each of opened) each.disconnect();
  };
  try {
    await answered(client, address);
  } catch (error) {
    disconnect();
    throw error;
  }
  return { client, bullmq, address, lastError: () => last, disconnect };
}

/** Resolves once Redis has answered; ioredis tries again until it has. */
async function answered(client: Redis, address: string): Promise<void> {
  const limit = AbortSignal.timeout(START);
  for (let last: unknown; client.status !== 'ready'; ) {
    await once(client, 'ready', { signal: limit }).catch((error) => {
      if (limit.aborted) throw away(address, START / 1000, last);
      last = error;
      if (!/WRONGPASS|NOAUTH|NOPERM|invalid (username|password)/.test(messageOf(error))) return;
      const way = 'Look at the user and password in `connection` or CVKIT_REDIS.';
      const message = sentence(`Redis at ${address}`, 'let cvkit in', phrase('a refusal'), way);
      throw new AdapterError(message, { code: 'redis_refused' });
    });
  }
}

/** No answer for so many seconds. */
export function away(address: string, seconds: number, last: unknown): AdapterError {
  const { code } = (last ?? {}) as { readonly code?: unknown };
  const got = last === undefined ? 'no answer' : typeof code === 'string' ? code : messageOf(last);
  const way = 'Start it there, or look at `connection`.';
  const message = sentence(`Redis at ${address}`, `answer within ${seconds} s`, phrase(got), way);
  return new AdapterError(message, { code: 'redis_away' });
}
