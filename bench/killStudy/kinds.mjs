/**
 * What is killed. Each kind: `times` by default, `available()` is true or says what is missing, `once(seed)` plays it once and
 * gives `{ ok, why }`, and `end()`, where there is one, stops what the trials share.
 */
import { arrayTask, controller, slurmParent } from './cluster.mjs';
import parent from './parent.mjs';
import { queueParent, queueWorker, redis } from './queue.mjs';
import together from './together.mjs';
import worker from './worker.mjs';
import writer from './writer.mjs';

export const KINDS = [
  ...[parent, worker, writer, together],
  ...[redis, queueWorker, queueParent],
  ...[controller, arrayTask, slurmParent],
];
