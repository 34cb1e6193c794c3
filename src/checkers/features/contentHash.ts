/** Rows by their content: one 64-bit hash per row, to which columns add one by one. */
import type { NumericArray } from '../../data/rows.js';
import type { Column, Features } from './columns.js';

/** Two 32-bit words per row; rows of equal content have equal words. */
export interface RowHash {
  readonly high: Int32Array;
  readonly low: Int32Array;
}

/** The content of every row, -0 as 0, every missing cell the same, categories by their text, images by their pixels. */
export function contentHash({ n, columns, images }: Features): RowHash {
  const hash = emptyHash(n);
  images?.forEach(({ content }, at) => {
    addTo(hash, content, 2 * at + 1);
  });
  columns.forEach((column, at) => {
    addColumn(hash, column, at);
  });
  return hash;
}

export function columnHash(column: Pick<Column, 'values'>): RowHash {
  const hash = emptyHash(column.values.length);
  addColumn(hash, column, 0);
  return hash;
}

/** Adds one hash to another, so many times: odd, so that no bit is lost, and another for each image of a row. */
export function addTo({ high, low }: RowHash, other: RowHash, times = 1): void {
  for (let row = 0; row < low.length; row++) {
    high[row] += Math.imul(times, other.high[row]);
    low[row] += Math.imul(times, other.low[row]);
  }
}

/** Two 32-bit words of a run of values, such as the pixels of an image. */
export function valuesHash(values: NumericArray, from: number, length: number): readonly [number, number] {
  let high = SEEDS.high;
  let low = SEEDS.low;
  for (let at = from; at < from + length; at++) {
    hold(values[at]);
    const a = scramble(bits[0]);
    const b = scramble(bits[1]);
    high = step(step(high, a), b);
    low = step(step(low, b), a);
  }
  return [finish(high ^ length), finish(low ^ length)];
}

/** A hash of nothing yet, for {@link addColumn}. */
export const emptyHash = (n: number): RowHash => ({ high: new Int32Array(n), low: new Int32Array(n) });

/** Adds the hash of each cell, under two seeds that the place of the column gives. */
export function addColumn({ high, low }: RowHash, { values }: Pick<Column, 'values'>, place: number): void {
  const seedHigh = finish(Math.imul(place + 2, SEEDS.high));
  const seedLow = finish(Math.imul(place + 2, SEEDS.low));
  for (let row = 0; row < values.length; row++) {
    hold(values[row]);
    const a = scramble(bits[0]);
    const b = scramble(bits[1]);
    high[row] += finish(step(step(seedHigh, a), b));
    low[row] += finish(step(step(seedLow, b), a));
  }
}

// MurmurHash3 (x86, 32 bit; Appleby 2011) over the two halves of a double.
const SEEDS = { high: 0x9e3779b1, low: 0x85ebca77 };
const one = new Float64Array(1);
const bits = new Int32Array(one.buffer);

/** Puts a number into `one`, whose halves are `bits`: a pair of them for each cell would take longer than the hash. */
function hold(value: number): void {
  // Assigned as constants: -0 has another bit than 0, and a NaN may have any.
  one[0] = value === 0 ? 0 : Number.isNaN(value) ? Number.NaN : value;
}

/** A number as 32 bits that look random; -0 counts as 0, and every NaN as the same. */
export function numberHash(value: number): number {
  hold(value);
  return finish(bits[0] ^ Math.imul(bits[1], 0x9e3779b1));
}

function scramble(word: number): number {
  const k = Math.imul(word, 0xcc9e2d51);
  return Math.imul((k << 15) | (k >>> 17), 0x1b873593);
}

function step(hash: number, k: number): number {
  const h = hash ^ k;
  return (Math.imul((h << 13) | (h >>> 19), 5) + 0xe6546b64) | 0;
}

/** The finalizer of MurmurHash3, 32 bits with a sign: every bit depends on every other. */
export function finish(value: number): number {
  let h = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}
