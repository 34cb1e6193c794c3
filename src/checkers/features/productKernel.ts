/**
 * Products of one row with many others: eight at a time where WebAssembly has SIMD, which is about four times as fast as
 * numbers one by one. Both ways add the same numbers in the same order, those at even places and those at odd ones apart.
 */
import { FOUR, get, INT, int, leb, OP, set, simdFunction, step } from './simdFunction.js';

/** A place for rows that others are multiplied with. */
export interface ProductKernel {
  /** Puts a row in its place among the others. */
  put(place: number, row: ArrayLike<number>): void;
  /** The products of a row with the first `count` others. They are overwritten by the next call. */
  products(row: ArrayLike<number>, count: number): Float64Array;
}

/** Rows that are multiplied at a time, and numbers of each. */
const [LANES, PAIR] = [8, 2];
const PAGE = 2 ** 16;

/** The fastest kernel that this platform runs, for so many rows. */
export const productKernel = (count: number, width: number): ProductKernel =>
  simdProducts(count, width) ?? plainProducts(count, width);

export function plainProducts(count: number, width: number): ProductKernel {
  const others = new Float64Array(count * width);
  const own = new Float64Array(width);
  const found = new Float64Array(count);
  return {
    put(place, row) {
      others.set(row, place * width);
    },
    products(row, wanted) {
      own.set(row);
      for (let at = 0; at < wanted; at++) found[at] = product(own, 0, others, at * width, width);
      return found.subarray(0, wanted);
    },
  };
}

/** The product of two rows, from their first numbers on. */
export function product(a: Float64Array, from: number, b: Float64Array, to: number, width: number): number {
  let even = 0;
  let odd = 0;
  let k = 0;
  for (; k + 1 < width; k += 2) {
    even += a[from + k] * b[to + k];
    odd += a[from + k + 1] * b[to + k + 1];
  }
  return (k < width ? even + a[from + k] * b[to + k] : even) + odd;
}

/** The instructions, made when first asked for. */
let body: readonly number[] | undefined;

/** Undefined where WebAssembly is absent, forbidden or without SIMD. */
export function simdProducts(count: number, width: number): ProductKernel | undefined {
  const pairs = Math.ceil(width / PAIR);
  const groups = Math.ceil(count / LANES);
  // Numbers, each of 8 bytes: the row, the products, and the others, pair by pair of eight rows.
  const [ownAt, foundAt, othersAt] = [0, pairs * PAIR, pairs * PAIR + groups * LANES];
  const total = othersAt + groups * pairs * PAIR * LANES;
  body ??= kernelBody();
  const simd = simdFunction([INT, INT, INT, INT], [], body, Math.ceil((8 * total) / PAGE) + 1);
  if (!simd) return undefined;
  const { buffer, call } = simd;
  const own = new Float64Array(buffer, 8 * ownAt, width);
  const found = new Float64Array(buffer, 8 * foundAt, count);
  const others = new Float64Array(buffer, 8 * othersAt, groups * pairs * PAIR * LANES);
  const groupSize = pairs * PAIR * LANES;
  return {
    put(place, row) {
      putRow(others, Math.floor(place / LANES) * groupSize + (place % LANES) * PAIR, row);
    },
    products(row, wanted) {
      own.set(row);
      // The loops run once at least.
      if (wanted > 0) call(8 * (ownAt + pairs * PAIR), 8 * othersAt, 8 * foundAt, 8 * (foundAt + wanted));
      return found.subarray(0, wanted);
    },
  };
}

/** Puts a row among others, pair by pair, from the place of its first pair on. */
function putRow(others: Float64Array, from: number, row: ArrayLike<number>): void {
  for (let k = 0; k < row.length; k++) others[from + (k >> 1) * LANES * PAIR + (k & 1)] = row[k];
}

/** For each eight others their sums over pairs of numbers; then both numbers of each sum together. */
function kernelBody(): number[] {
  // Parameters: the end of the row, the others, the products and their end. Then the place in the row, and vectors.
  const [ownEnd, others, found, foundEnd, own, numbers, sums] = [0, 1, 2, 3, 4, 5, 6];
  const lanes = (code: (lane: number) => number[]) => Array.from({ length: LANES }, (_, lane) => code(lane)).flat();
  return [
    ...[2, 1, INT, LANES + 1, FOUR],
    ...[...OP.loop, ...OP.block],
    ...lanes((lane) => [...OP.constant, ...new Array<number>(16).fill(0), ...set(sums + lane)]),
    ...[...int(0), ...set(own), ...OP.loop, ...OP.block],
    ...[...get(own), ...OP.load4, 4, 0, ...set(numbers)],
    ...lanes((lane) => [
      ...[...get(sums + lane), ...get(numbers), ...get(others), ...OP.load4, 4, ...leb(16 * lane)],
      ...[...OP.multiply2, ...OP.add2, ...set(sums + lane)],
    ]),
    ...[...get(others), ...int(16 * LANES), ...OP.add, ...set(others), ...step(own, 16, ownEnd)],
    ...lanes((lane) => [
      ...[...get(found), ...get(sums + lane), ...OP.oneOfTwo, 0, ...get(sums + lane), ...OP.oneOfTwo, 1, ...OP.add8],
      ...[...OP.store8, 3, ...leb(8 * lane)],
    ]),
    ...[...step(found, 8 * LANES, foundEnd), ...OP.end],
  ];
}
