import type { RandomSource } from '../../../src/core/random.js';

/** A standard normal number (Box & Muller 1958). */
export const normal = (random: RandomSource): number =>
  Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random());
