import { encode, tally } from '../../core/encode.js';
import { gather } from '../../core/labels.js';

/** Variance of an estimate from the influences of its rows, with the degrees of freedom behind it. */
export interface UnitVariance {
  readonly variance: number;
  /** By Satterthwaite; fractional. Infinity never: without spread it is the number of units less one. */
  readonly df: number;
  readonly nUnits: number;
}

/**
 * Sums the influences of the rows of each unit (patient) and adds up V = sum over strata of n / (n - 1) times the sum of
 * squares over the n units of the stratum. Strata are classes: {@link unitStrata}; without them all units are one. The
 * degrees of freedom follow Satterthwaite from n - 1 per stratum, with Kish's effective n where units have unequal
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

/** Sums over the units of a stratum. */
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
  const [largest, ...others] = [...strata]
    .sort(([a, first], [b, second]) => second.units - first.units || a - b)
    .map(([, totals]) => totals);
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
 * Stratum of each row by the classes of its unit: one stratum for every set of classes that units have, so
 * three for two classes: negative throughout, positive throughout, and both.
 *
 * @param classOf class code of each row
 * @param units code or id of each row's unit
 */
export function unitStrata(classOf: ArrayLike<number>, units: ArrayLike<number>): Int32Array {
  const { classes, codes } = encode(units);
  const kinds = encode(classOf);
  let ofUnit: Int32Array = new Int32Array(classes.length);
  for (let kind = 0; kind < kinds.classes.length; kind++) {
    const has = new Uint8Array(classes.length);
    for (let row = 0; row < codes.length; row++) if (kinds.codes[row] === kind) has[codes[row]] = 1;
    ofUnit = encode(ofUnit.map((stratum, unit) => 2 * stratum + has[unit])).codes;
  }
  return gather(ofUnit, codes);
}
