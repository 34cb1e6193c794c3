import { randomSource } from '../core/random.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import { type Draws, drawUnits, type LabelCells, labelCells, MANY, type RowsOfUnits } from './unitDraws.js';

/** Most counts that are kept, 64 MB; more are drawn again for every metric. */
const KEPT = 32_000_000;
/** Most weights of cells that are kept, 32 MB. */
const KEPT_CELLS = 4_000_000;

interface SharedLabelCells extends Pick<LabelCells, 'table'> {
  readonly weights: Float64Array;
}

/** Shared by all metrics of a run: those that mirror each other vary exactly alike under swapped labels. */
export class SharedDraws {
  readonly #kept = new Map<number, readonly Draws[]>();
  readonly #cells = new Map<ScoreTable, SharedLabelCells & Pick<RowsOfUnits, 'units'> & { readonly n: number }>();
  readonly #seed: number;
  readonly #count: number;

  constructor(seed: number, count: number) {
    this.#seed = seed;
    this.#count = count;
  }

  of(n: number): Iterable<Draws> {
    const drawn = drawUnits(randomSource(this.#seed), n, this.#count);
    if (n * this.#count > KEPT) return drawn;
    const kept = this.#kept.get(n) ?? Array.from(drawn, (draws) => new (n < MANY ? Uint16Array : Uint8Array)(draws));
    this.#kept.set(n, kept);
    return kept;
  }

  /** What further metrics of labels need is kept: it is small. */
  forget(): void {
    this.#kept.clear();
  }

  cells(blocks: readonly RowsOfUnits[], n: number): readonly SharedLabelCells[] | undefined {
    const known = blocks.map(({ table, units }) => {
      const found = this.#cells.get(table);
      return found?.n === n && found.units.every((unit, row) => unit === units[row]) ? found : undefined;
    });
    if (known.every((each) => each !== undefined)) return known;
    const built = blocks.flatMap((block) => labelCells(block) ?? []);
    const size = built.reduce((sum, { table }) => sum + table.length, 0);
    if (built.length < blocks.length || size * this.#count > KEPT_CELLS) return undefined;
    const shared = built.map((cells, at) => {
      const { table, units } = blocks[at];
      const entry = { table: cells.table, units, n, weights: new Float64Array(this.#count * cells.table.length) };
      this.#cells.set(table, entry);
      return entry;
    });
    let b = 0;
    for (const draws of this.of(n)) {
      for (const [at, { table, weights }] of shared.entries()) {
        built[at].weigh(draws, weights.subarray(b * table.length, (b + 1) * table.length));
      }
      b++;
    }
    return shared;
  }
}
