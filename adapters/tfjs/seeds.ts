/** Where the randomness of training comes from: the fold's seed, the epoch and the batch, and nothing else. */
import { deriveSeed, permutation, randomSource } from '../../src/core/random.js';

/** The order in which the rows of one epoch are visited. */
export function rowOrder(seed: number, epoch: number, n: number): Int32Array {
  return permutation(randomSource(deriveSeed(seed, 'rows', epoch)), n);
}

/** Seed of the dropout masks and noise of one batch. */
export function stepSeed(seed: number, epoch: number, batch: number): number {
  return deriveSeed(seed, 'step', epoch, batch);
}
