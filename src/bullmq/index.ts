/** `cvkit/bullmq`: folds by a queue on Redis or Valkey. */

export type { BullMQOptions, RedisPlace } from './bullmqOptions.js';
export { bullmq } from './executor.js';
