/** `Math.random` from a seed, for libraries that draw from it. */
import { type RandomSource, randomSource } from './random.js';

const seededStreams: RandomSource[] = [];
let realRandom = Math.random;

/**
 * Runs `work` while `Math.random` is a stream of `seed`, then puts the real one back, also after an error.
 *
 * This is how unseeded weight initialisers, dropout masks and mljs forests become reproducible: their libraries draw
 * from `Math.random`. Nested use takes the innermost stream. Two pieces of asynchronous work that overlap in one
 * process share streams and are then not reproducible; synchronous work always is.
 */
export function withSeededRandom<T>(seed: number, work: () => T): T {
  const stream = randomSource(seed);
  if (seededStreams.length === 0) {
    realRandom = Math.random;
    Math.random = () => seededStreams[seededStreams.length - 1].random();
  }
  seededStreams.push(stream);
  const leave = () => {
    seededStreams.splice(seededStreams.indexOf(stream), 1);
    if (seededStreams.length === 0) Math.random = realRandom;
  };
  let result: T;
  try {
    result = work();
  } catch (error) {
    leave();
    throw error;
  }
  if (result instanceof Promise) return result.finally(leave) as T;
  leave();
  return result;
}
