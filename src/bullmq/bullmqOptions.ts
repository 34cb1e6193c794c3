/** The options of `bullmq`; in a file of their own, which needs no Node. */
import { kindOf } from '../core/errors.js';
import { custom, type InputOf, integer, isPlainObject, number, optionTable, string } from '../core/options.js';

/** Where Redis or Valkey is: an address, or the options of ioredis. */
export type RedisPlace = string | URL | Readonly<Record<string, unknown>>;

/** Not shown where it is wrong, since it may hold a password. */
const isPlace = (value: unknown): boolean =>
  isPlainObject(value) || (URL.canParse(String(value)) && /^rediss?:$/.test(new URL(String(value)).protocol));

export const bullmqOptions = optionTable('bullmq', {
  connection: custom<RedisPlace>(
    'string | URL | object',
    'be redis://host:port, rediss://user:password@host:port or an object, the options of ioredis',
    isPlace,
    { wrong: (value) => kindOf(value) },
  ).describe('Where Redis or Valkey is; TLS with rediss:// or the options of ioredis.', 'it may hold a password'),
  queue: custom<string>(
    'string',
    "be a name without ':'",
    (value) => typeof value === 'string' && /^[^:\s]+$/.test(value),
  )
    .default('cvkit')
    .describe('The queue, as its workers name it.'),
  root: string()
    .nullable()
    .default(null)
    .describe('Folder below which the modules of a run are, here and in the `--root` of a worker; null: this one.'),
  atOnce: integer({ min: 1, max: 1000 })
    .default(64)
    .describe('Folds of a run that are in the queue at once; workers take them from there.'),
  patience: number({ min: 1 })
    .default(300)
    .describe('Seconds that a run waits for Redis when it is away in the middle of it.'),
});
export type BullMQOptions = InputOf<typeof bullmqOptions>;
export type BullMQSettings = ReturnType<typeof bullmqOptions.resolve>;
