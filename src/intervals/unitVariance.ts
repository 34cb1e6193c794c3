import { encode, rowsByCode, tally, unitCodes } from '../data/encode.js';

export interface UnitVariance {
  readonly variance: number;
  /** By Satterthwaite; may be fractional. Without spread it is the number of units less one. */
  readonly df: number;
  readonly nUnits: number;
}

/**
 * V = sum over strata of n / (n - 1) times the sum of squares over the n units of the stratum. The degrees of freedom follow
 * Satterthwaite, with Kish's effective n where units have unequal numbers of rows. A stratum of one unit has no variance of
 * its own and counts with the largest one.
 *
 * Source: the linearised variance of Huber 1967 and Binder 1983, International Statistical Review 51:279; degrees of
 * freedom, Satterthwaite 1946, Biometrics Bulletin 2:110; effective n, Kish 1965, section 11.7.
 */
export function unitVariance(
  influence: ArrayLike<number>,
  units: ArrayLike<number>,
  strata?: ArrayLike<number>,
): UnitVariance {
  const { classes, codes } = unitCodes(units);
  const nUnits = classes.length;
  let [sums, stratumOf, rows] = [influence, strata, undefined as Int32Array | undefined];
  if (nUnits < codes.length) {
    const perUnit = new Float64Array(nUnits);
    const ofUnit = new Int32Array(nUnits);
    for (let row = 0; row < codes.length; row++) {
      perUnit[codes[row]] += influence[row];
      if (strata) ofUnit[codes[row]] = strata[row];
    }
    [sums, stratumOf, rows] = [perUnit, ofUnit, tally(codes, nUnits)];
  }
  const parts = partsOf(sums, stratumOf, rows);
  const variance = parts.reduce((sum, part) => sum + part.variance, 0);
  const spread = parts.reduce((sum, part) => sum + part.variance ** 2 / Math.max(part.effective - 1, 1e-9), 0);
  return { variance, df: spread > 0 ? variance ** 2 / spread : nUnits - 1, nUnits };
}

interface Totals {
  units: number;
  squares: number;
  rows: number;
  rowSquares: number;
}

function add(to: Totals, squares: number, rows: number, rowSquares: number): void {
  to.units++;
  to.squares += squares;
  to.rows += rows;
  to.rowSquares += rowSquares;
}

/** Without `rows`, units are single rows; without `stratumOf`, of one stratum. */
function partsOf(sums: ArrayLike<number>, stratumOf?: ArrayLike<number>, rows?: Int32Array) {
  const strata: Totals[] = [];
  for (let unit = 0; unit < sums.length; unit++) {
    const stratum = stratumOf ? stratumOf[unit] : 0;
    strata[stratum] ??= { units: 0, squares: 0, rows: 0, rowSquares: 0 };
    const n = rows ? rows[unit] : 1;
    add(strata[stratum], sums[unit] ** 2, n, n ** 2);
  }
  // By contents, not by code, so that swapped labels add up in the same order.
  const [largest, ...others] = Object.values(strata).sort((a, b) => b.units - a.units || b.squares - a.squares);
  for (const lone of others.filter(({ units }) => units === 1)) {
    add(largest, lone.squares, lone.rows, lone.rowSquares);
  }
  return [largest, ...others.filter(({ units }) => units > 1)].map(({ units, squares, rows, rowSquares }) => ({
    variance: units > 1 ? (units / (units - 1)) * squares : 0,
    effective: rows ** 2 / rowSquares,
  }));
}

/** One stratum for every set of classes that units have: for two classes negative, positive, and both. */
export function unitStrata(classOf: ArrayLike<number>, units: ArrayLike<number>): Int32Array {
  const { classes, codes } = unitCodes(units);
  const coded = encode(classOf);
  // Of single rows each set is one class.
  if (classes.length === codes.length) return coded.codes.map((code) => coded.classes.length - 1 - code);
  // A set is its smallest class and the set of the others; set 0 is the empty one.
  const [smallest, others] = [[Infinity], [0]];
  const known = new Map<number, number>();
  const setOf = new Int32Array(classes.length);
  // The largest class first, so that sets grow at their head.
  for (const row of rowsByCode(coded).reverse()) {
    const added = coded.codes[row];
    const set = setOf[codes[row]];
    if (smallest[set] === added) continue;
    const key = set * coded.classes.length + added;
    let grown = known.get(key);
    if (grown === undefined) {
      grown = smallest.push(added) - 1;
      others.push(set);
      known.set(key, grown);
    }
    setOf[codes[row]] = grown;
  }
  // By the smallest class that only one of the two has: the set without it comes first.
  const compare = (a: number, b: number): number => {
    if (a === b) return 0;
    return smallest[a] === smallest[b] ? compare(others[a], others[b]) : smallest[b] - smallest[a];
  };
  const rank = new Int32Array(smallest.length);
  for (const [at, set] of encode(setOf).classes.sort(compare).entries()) rank[set] = at;
  return codes.map((unit) => rank[setOf[unit]]);
}
