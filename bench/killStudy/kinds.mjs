/**
 * What is killed. Each kind: `times` by default, `available()` is true or says what is missing, and `once(seed)` plays it once and
 * gives `{ ok, why }`.
 */
import parent from './parent.mjs';
import together from './together.mjs';
import worker from './worker.mjs';
import writer from './writer.mjs';

export const KINDS = [parent, worker, writer, together];
