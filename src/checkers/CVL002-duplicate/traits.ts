/**
 * What rows have in common: the traits that columns share, such as the severity of an illness, and the rows at one level of
 * them. Traits are found by reciprocal averaging (Hill 1973, Journal of Ecology 61:237; of categories it is multiple
 * correspondence analysis): a row is the mean of its values, a value the mean of its rows. It needs no order of values, so
 * that numbers, text and dummies give the same.
 */
import { power } from '../../core/numbers.js';
import { rowNumbers } from '../../data/labels.js';
import { dot } from '../features/orthonormalBasis.js';

/** Traits that are looked for, and turns of averaging. */
const [TRAITS, TURNS] = [3, 12];
/** Of more columns a part tells the traits. */
const COLUMNS = 200;
/** A value that few rows have tells little of a trait: so many average rows stand beside them. */
const STEADY = 5;
/** Rows at a level: the nearest, then twice as many each time. */
const [FEWEST, MOST] = [6, 96];
/** Average rows beside those at a level. */
const PRIOR = 1;

/** The rows at the level of a row. */
interface Level {
  /** Their share of the rows. */
  readonly share: number;
  /** By column: how much more often they have its code than all rows, as a logarithm. */
  readonly lift: Float64Array;
}

/** The scores of one trait: of codes by column, and of rows. */
interface Trait {
  readonly values: readonly Float64Array[];
  readonly rows: Float64Array;
}

export class Traits {
  readonly #counts: readonly Float64Array[];
  readonly #step: number;
  #found: readonly Trait[] | undefined;

  /**
   * @param codes code of each row, by column
   * @param widths number of codes of each column
   */
  constructor(
    readonly codes: readonly Int32Array[],
    widths: readonly number[],
  ) {
    this.#counts = codes.map((column, at) => {
      const count = new Float64Array(widths[at]);
      for (const code of column) count[code]++;
      return count;
    });
    this.#step = Math.ceil(codes.length / COLUMNS);
  }

  /**
   * The most that a level can make of the share of the rows with each code of a row, as a logarithm: all rows there have it.
   *
   * @param out rows that are not looked at, by their place
   */
  largestLift(own: Int32Array, out: ArrayLike<number>): Float64Array {
    return this.#usual(own, out).map((share) => -Math.log(share));
  }

  /**
   * The rows at the level of a row: by one trait, by two, by three.
   *
   * @param own code of the row in each column
   * @param out rows that are not looked at, by their place
   */
  levels(own: Int32Array, out: ArrayLike<number>): Level[] {
    const { codes } = this;
    const n = codes[0].length - out.length;
    const usual = this.#usual(own, out);
    const found: Level[] = [];
    const distances = new Float64Array(codes[0].length);
    for (let place = 0; place < out.length; place++) distances[out[place]] = Infinity;
    this.#found ??= this.#find();
    for (const { values, rows } of this.#found) {
      const score = values.reduce((total, column, at) => total + column[own[at * this.#step]], 0) / values.length;
      for (let row = 0; row < rows.length; row++) distances[row] += (rows[row] - score) ** 2;
      const nearest = nearestOf(distances, Math.min(MOST, n));
      const alike = new Float64Array(own.length);
      let seen = 0;
      for (let size = FEWEST; size <= nearest.length; size *= 2) {
        for (; seen < size; seen++) {
          for (let at = 0; at < own.length; at++) if (codes[at][nearest[seen]] === own[at]) alike[at]++;
        }
        const lift = alike.map((count, at) => Math.log((count + PRIOR * usual[at]) / (size + PRIOR) / usual[at]));
        found.push({ share: size / n, lift });
      }
    }
    return found;
  }

  /** By column, the share of the other rows that have the code of a row. */
  #usual(own: Int32Array, out: ArrayLike<number>): Float64Array {
    const { codes } = this;
    const n = codes[0].length - out.length;
    const shares = new Float64Array(own.length);
    for (let at = 0; at < own.length; at++) {
      let alike = 0;
      for (let place = 0; place < out.length; place++) if (codes[at][out[place]] === own[at]) alike++;
      shares[at] = Math.min(1, (this.#counts[at][own[at]] - alike + 0.5) / n);
    }
    return shares;
  }

  #find(): Trait[] {
    const n = this.codes[0].length;
    const columns = this.codes.filter((_, at) => at % this.#step === 0);
    const counts = this.#counts.filter((_, at) => at % this.#step === 0);
    // A start that does not depend on the order of rows: how unusual each is.
    const unusual = averaged(
      columns,
      counts.map((count) => count.map((rows) => -Math.log(Math.max(1, rows) / n))),
    );
    const found: Trait[] = [];
    for (let trait = 0; trait < TRAITS; trait++) {
      let rows = unusual.map((value) => power(value, trait + 1));
      let values: Float64Array[] = [];
      for (let turn = 0; turn < TURNS; turn++) {
        if (!standardise(rows, found)) return found;
        values = columns.map((column, at) => {
          const total = new Float64Array(counts[at].length);
          for (let row = 0; row < n; row++) total[column[row]] += rows[row];
          for (let code = 0; code < total.length; code++) total[code] /= counts[at][code] + STEADY;
          return total;
        });
        rows = averaged(columns, values);
      }
      found.push({ values, rows });
    }
    return found;
  }
}

/** Places of the smallest distances, the smallest first. */
function nearestOf(distances: Float64Array, count: number): Int32Array {
  const most = distances.slice().sort()[count - 1];
  const places = rowNumbers(distances.length).filter((row) => distances[row] <= most);
  return places.sort((a, b) => distances[a] - distances[b]).subarray(0, count);
}

/** Takes the mean and the traits before away, and makes the variance one; false where nothing is left. */
function standardise(rows: Float64Array, before: readonly Trait[]): boolean {
  const n = rows.length;
  const start = dot(rows, rows);
  const centre = rows.reduce((total, value) => total + value, 0) / n;
  for (let row = 0; row < n; row++) rows[row] -= centre;
  for (const { rows: other } of before) {
    const share = dot(other, rows) / dot(other, other);
    for (let row = 0; row < n; row++) rows[row] -= share * other[row];
  }
  const left = dot(rows, rows);
  if (!(left > 1e-9 * start)) return false;
  const scale = Math.sqrt(left / n);
  for (let row = 0; row < n; row++) rows[row] /= scale;
  return true;
}

/** The mean of the values of each row. */
function averaged(codes: readonly Int32Array[], values: readonly Float64Array[]): Float64Array<ArrayBuffer> {
  const rows = new Float64Array(codes[0].length);
  codes.forEach((column, at) => {
    const own = values[at];
    for (let row = 0; row < rows.length; row++) rows[row] += own[column[row]];
  });
  for (let row = 0; row < rows.length; row++) rows[row] /= codes.length;
  return rows;
}
