import { type RandomSource, randomSource } from '../core/random.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import { type LabelCells, type LabelledRows, labelCells } from './labelCells.js';
import { type Draws, manyDraws } from './manyDraws.js';

/** From so many units on {@link manyDraws} takes a third of the time, with other numbers from the same seed. */
const MANY = 50_000;

/**
 * `count` resamples of n units, each of n draws: the integers of `randomInterval`. Rejected numbers count 0 instead of
 * being skipped: an unpredictable branch takes longer than the draw. From 50,000 units on, {@link manyDraws}.
 */
export function* drawUnits(random: RandomSource, n: number, count: number): Iterable<Draws> {
  if (n >= MANY) {
    for (let b = 0; b < count; b++) yield manyDraws(random, n);
    return;
  }
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

/** Most counts that are kept, 64 MB; more are drawn again for every metric. */
const KEPT = 32_000_000;
/** Most weights of cells that are kept, 32 MB. */
const KEPT_CELLS = 4_000_000;

/** The cells of a block with their weights, resample by resample. */
export interface SharedCells extends Pick<LabelCells, 'table'> {
  readonly weights: Float64Array;
}

/**
 * The resamples that all metrics of a run share: metrics that mirror each other, as sensitivity and specificity under
 * swapped labels, vary exactly alike.
 */
export class SharedDraws {
  readonly #kept = new Map<number, readonly Draws[]>();
  readonly #cells = new Map<ScoreTable, SharedCells & Pick<LabelledRows, 'units'> & { readonly n: number }>();
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
    const kept = this.#kept.get(n) ?? Array.from(drawn, (draws) => new (n < MANY ? Uint16Array : Uint8Array)(draws));
    this.#kept.set(n, kept);
    return kept;
  }

  /**
   * The cells of some blocks with n units in all, weighted in one pass. Undefined where the rows of a block have too
   * many cells.
   */
  cells(blocks: readonly LabelledRows[], n: number): readonly SharedCells[] | undefined {
    const known = blocks.map(({ table, units }) => {
      const found = this.#cells.get(table);
      return found?.n === n && found.units.every((unit, row) => unit === units[row]) ? found : undefined;
    });
    if (known.every((each) => each !== undefined)) return known;
    const made = blocks.flatMap((block) => labelCells(block) ?? []);
    const size = made.reduce((sum, { table }) => sum + table.length, 0);
    if (made.length < blocks.length || size * this.#count > KEPT_CELLS) return undefined;
    const shared = made.map((cells, at) => {
      const { table, units } = blocks[at];
      const entry = { table: cells.table, units, n, weights: new Float64Array(this.#count * cells.table.length) };
      this.#cells.set(table, entry);
      return entry;
    });
    let b = 0;
    for (const draws of this.of(n)) {
      for (const [at, { table, weights }] of shared.entries()) {
        made[at].weigh(draws, weights.subarray(b * table.length, (b + 1) * table.length));
      }
      b++;
    }
    return shared;
  }
}
