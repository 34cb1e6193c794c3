/** Resamples of units with replacement, as how often each is drawn. */
import { type RandomSource, randomSource } from '../core/random.js';

/** How often each unit is drawn. */
export type Draws = Int32Array | Uint16Array;

/**
 * `count` resamples of n units, each of n draws: the integers of `randomInterval`. What it rejects is counted with 0 rather
 * than passed over: a branch that cannot be predicted takes longer than the draw. One unit takes numbers from the source, too.
 */
export function* drawUnits(random: RandomSource, n: number, count: number): Iterable<Int32Array> {
  const mask = 2 ** (32 - Math.clz32(Math.max(n - 1, 0))) - 1;
  for (let b = 0; b < count; b++) {
    const draws = new Int32Array(mask + 1);
    for (let drawn = 0; drawn < n; ) {
      const unit = random.uint32() & mask;
      const taken = Number(unit < n);
      draws[unit] += taken;
      drawn += taken;
    }
    yield draws.slice(0, n);
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
