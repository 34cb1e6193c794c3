/** Resamples of units with replacement, as how often each is drawn. */
import { type RandomSource, randomInterval, randomSource } from '../core/random.js';

/** How often each unit is drawn. */
export type Draws = Int32Array | Uint16Array;

/** `count` resamples of n units, each of n draws. */
export function* drawUnits(random: RandomSource, n: number, count: number): Iterable<Int32Array> {
  for (let b = 0; b < count; b++) {
    const draws = new Int32Array(n);
    for (let i = 0; i < n; i++) draws[randomInterval(random, n - 1)]++;
    yield draws;
  }
}

/** At most so many counts are kept, 64 MB; more are drawn again for every metric. */
const KEPT = 32_000_000;

/**
 * The resamples that all metrics of a run share: metrics that mirror each other, as sensitivity and specificity under
 * swapped labels, then vary exactly alike, and units are drawn once.
 */
export class SharedDraws {
  readonly #kept = new Map<number, readonly Uint16Array[]>();
  readonly #seed: number;
  readonly #count: number;

  constructor(seed: number, count: number) {
    this.#seed = seed;
    this.#count = count;
  }

  /** For n units always the same resamples. */
  of(n: number): Iterable<Draws> {
    const drawn = drawUnits(randomSource(this.#seed), n, this.#count);
    if (n * this.#count > KEPT) return drawn;
    const kept = this.#kept.get(n) ?? Array.from(drawn, (draws) => new Uint16Array(draws));
    this.#kept.set(n, kept);
    return kept;
  }
}
