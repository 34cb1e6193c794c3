import { encode, rowsByCode, tally } from '../data/encode.js';

/** Variance of an estimate from the influences of its rows, with the degrees of freedom behind it. */
export interface UnitVariance {
  readonly variance: number;
  /** By Satterthwaite; may be fractional. Without spread it is the number of units less one. */
  readonly df: number;
  readonly nUnits: number;
}

/**
 * Sums the influences of the rows of each unit (patient) and adds up V = sum over strata of n / (n - 1) times the sum
 * of squares over the n units of the stratum. Strata are classes: {@link unitStrata}; without them all units are one.
 * The degrees of freedom follow Satterthwaite from n - 1 per stratum, with Kish's effective n where units have unequal
 * numbers of rows. A stratum of one unit has no variance of its own and counts with the largest one.
 *
 * Source: the linearised variance of Huber 1967 and Binder 1983, International Statistical Review 51:279; degrees of
 * freedom, Satterthwaite 1946, Biometrics Bulletin 2:110; effective n, Kish 1965, section 11.7.
 *
 * @param influence per row, as a metric's `influence` gives it
 * @param units code or id of each row's unit
 * @param strata stratum of each row, alike within a unit
 */
export function unitVariance(
  influence: ArrayLike<number>,
  units: ArrayLike<number>,
  strata?: ArrayLike<number>,
): UnitVariance {
  const { classes, codes } = encode(units);
  const nUnits = classes.length;
  const sums = new Float64Array(nUnits);
  const rows = tally(codes, nUnits);
  const stratumOf = new Int32Array(nUnits);
  for (let row = 0; row < codes.length; row++) {
    sums[codes[row]] += influence[row];
    if (strata) stratumOf[codes[row]] = strata[row];
  }
  const parts = partsOf(sums, rows, stratumOf);
  const variance = parts.reduce((sum, part) => sum + part.variance, 0);
  const spread = parts.reduce((sum, part) => sum + part.variance ** 2 / Math.max(part.effective - 1, 1e-9), 0);
  return { variance, df: spread > 0 ? variance ** 2 / spread : nUnits - 1, nUnits };
}

interface Part {
  readonly variance: number;
  readonly effective: number;
}

interface Totals {
  units: number;
  squares: number;
  rows: number;
  rowSquares: number;
}

function partsOf(sums: Float64Array, rows: Int32Array, stratumOf: Int32Array): Part[] {
  const strata = new Map<number, Totals>();
  for (let unit = 0; unit < sums.length; unit++) {
    let totals = strata.get(stratumOf[unit]);
    if (!totals) {
      totals = { units: 0, squares: 0, rows: 0, rowSquares: 0 };
      strata.set(stratumOf[unit], totals);
    }
    totals.units++;
    totals.squares += sums[unit] ** 2;
    totals.rows += rows[unit];
    totals.rowSquares += rows[unit] ** 2;
  }
  // By contents, not by code, so that swapped labels add up in the same order.
  const [largest, ...others] = [...strata.values()].sort((a, b) => b.units - a.units || b.squares - a.squares);
  for (const lone of others.filter(({ units }) => units === 1)) {
    largest.units++;
    largest.squares += lone.squares;
    largest.rows += lone.rows;
    largest.rowSquares += lone.rowSquares;
  }
  return [largest, ...others.filter(({ units }) => units > 1)].map(({ units, squares, rows, rowSquares }) => ({
    variance: units > 1 ? (units / (units - 1)) * squares : 0,
    effective: rows ** 2 / rowSquares,
  }));
}

/**
 * One stratum for every set of classes that units have: three for two classes, negative throughout, positive
 * throughout, and both.
 *
 * @param classOf class code of each row
 * @param units code or id of each row's unit
 */
export function unitStrata(classOf: ArrayLike<number>, units: ArrayLike<number>): Int32Array {
  const { classes, codes } = encode(units);
  const sets = new ClassSets();
  const setOf = new Int32Array(classes.length);
  // The largest class first, so that sets grow at their head.
  const rows = rowsByCode(encode(classOf));
  for (let at = rows.length - 1; at >= 0; at--) {
    const unit = codes[rows[at]];
    setOf[unit] = sets.with(setOf[unit], classOf[rows[at]]);
  }
  const rank = new Int32Array(sets.size);
  const found = encode(setOf).classes.sort((a, b) => sets.compare(a, b));
  found.forEach((set, at) => {
    rank[set] = at;
  });
  return codes.map((unit) => rank[setOf[unit]]);
}

/** Each set is its smallest class, and the set of the others. Set 0 is the empty one. */
class ClassSets {
  readonly #first = [Infinity];
  readonly #others = [0];
  readonly #known: Map<number, number>[] = [new Map()];
  #last = { set: 0, added: Infinity, grown: 0 };

  get size(): number {
    return this.#first.length;
  }

  /** `added` is no larger than any class of the set. */
  with(set: number, added: number): number {
    if (this.#first[set] === added) return set;
    // Neighbouring rows often need the same set.
    if (this.#last.set !== set || this.#last.added !== added) {
      this.#last = { set, added, grown: this.#known[set].get(added) ?? this.#grow(set, added) };
    }
    return this.#last.grown;
  }

  #grow(set: number, added: number): number {
    const grown = this.#first.push(added) - 1;
    this.#others.push(set);
    this.#known.push(new Map());
    this.#known[set].set(added, grown);
    return grown;
  }

  /** By the smallest class that only one of the two has: the set without it comes first. */
  compare(a: number, b: number): number {
    while (a !== b && this.#first[a] === this.#first[b]) [a, b] = [this.#others[a], this.#others[b]];
    return a === b ? 0 : this.#first[b] - this.#first[a];
  }
}
