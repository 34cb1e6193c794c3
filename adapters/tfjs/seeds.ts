/** Where the randomness of training comes from: the fold's seed, the epoch and the batch, and nothing else. */
import { deriveSeed, permutation, type RandomSource, randomSource } from '../../src/core/random.js';

/** The order in which the rows of one epoch are visited; with `window`, shuffled within blocks of that many rows. */
export function rowOrder(seed: number, epoch: number, n: number, window?: number): Int32Array {
  const source = randomSource(deriveSeed(seed, 'rows', epoch));
  if (!window) return permutation(source, n);
  const order = new Int32Array(n);
  for (let from = 0; from < n; from += window) {
    const block = permutation(source, Math.min(window, n - from));
    order.set(
      block.map((place) => from + place),
      from,
    );
  }
  return order;
}

/** Seed of the dropout masks and noise of one batch. */
export function stepSeed(seed: number, epoch: number, batch: number): number {
  return deriveSeed(seed, 'step', epoch, batch);
}

/** Randomness of the augmentation of one batch: a stream of its own, and the seed of `Math.random` meanwhile. */
export function augmentRandom(seed: number, epoch: number, batch: number): { random: RandomSource; seed: number } {
  return {
    random: randomSource(deriveSeed(seed, 'augment', epoch, batch)),
    seed: deriveSeed(seed, 'augment', epoch, batch, 'Math.random'),
  };
}
