/**
 * Squared distances between two blocks of rows along a few directions: four at a time where WebAssembly has SIMD, which
 * is about six times as fast as numbers one by one. Both ways write the same hits.
 */
import { FLOAT, FOUR, get, INT, int, leb, OP, set, simdFunction, step } from '../features/simdFunction.js';

/** Rows of a block and of a part of it, and directions. */
export const [BLOCK, PART, AXES] = [64, 16, 16];
/** Directions after which most pairs are given up. */
const FIRST = 8;

/** Places in a block, from a multiple of four to another. */
export type Places = readonly [from: number, to: number];

/** Two blocks of rows to compare. Rows that are left over must be far from all others. */
export interface BlockKernel {
  /** `[BLOCK, AXES]`, row-major. */
  readonly rows: Float32Array;
  /** The other block, `[AXES, BLOCK]`. */
  readonly columns: Float32Array;
  /** Calls `hit` with those places of some rows and others whose squared distance along the directions is at most `bound`. */
  compare(bound: number, rows: Places, others: Places, hit: (row: number, other: number) => void): void;
}

/** The fastest kernel that this platform runs. */
export const blockKernel = (): BlockKernel => simdKernel() ?? plainKernel();

export function plainKernel(): BlockKernel {
  const rows = new Float32Array(BLOCK * AXES);
  const columns = new Float32Array(AXES * BLOCK);
  return {
    rows,
    columns,
    compare(bound, [from, to], [first, end], hit) {
      for (let row = from; row < to; row++) {
        for (let other = first; other < end; other++) {
          let sum = 0;
          for (let axis = 0; axis < AXES && sum <= bound; axis++) {
            const gap = rows[row * AXES + axis] - columns[axis * BLOCK + other];
            sum += gap * gap;
          }
          if (sum <= bound) hit(row, other);
        }
      }
    },
  };
}

/** Bytes of memory: the columns, the rows behind them, then the hits. */
const [ROWS_AT, HITS_AT, PAGES] = [AXES * BLOCK * 4, 2 * AXES * BLOCK * 4, 2];

/** The instructions, made when first asked for. */
let body: readonly number[] | undefined;

/** Undefined where WebAssembly is absent, forbidden or without SIMD. */
export function simdKernel(): BlockKernel | undefined {
  body ??= kernelBody();
  const simd = simdFunction([FLOAT, INT, INT, INT, INT], [INT], body, PAGES);
  if (!simd) return undefined;
  const { buffer, call } = simd;
  const hits = new Uint32Array(buffer);
  return {
    rows: new Float32Array(buffer, ROWS_AT, BLOCK * AXES),
    columns: new Float32Array(buffer, 0, AXES * BLOCK),
    compare(bound, [from, to], [first, last], hit) {
      // The loops run once at least.
      if (from >= to || first >= last) return;
      const end = call(bound, ROWS_AT + from * AXES * 4, ROWS_AT + to * AXES * 4, first * 4, last * 4) as number;
      readHits(hits, end / 4, hit);
    },
  };
}

function readHits(hits: Uint32Array, end: number, hit: (row: number, other: number) => void): void {
  for (let at = HITS_AT / 4; at < end; at++) {
    // Address of the row, then that of four others, whose last four bits say which of them.
    const row = (hits[at] / 1024 - ROWS_AT) / (AXES * 4);
    const other = (hits[at] & 1008) / 4;
    for (let lane = 0; lane < 4; lane++) if ((hits[at] >> lane) & 1) hit(Math.floor(row), other + lane);
  }
}

/**
 * For each row, its numbers spread to four lanes; for each four others, the sums of squares over the first directions,
 * over the rest where one of the four is still near, and a hit where one is near then.
 */
function kernelBody(): number[] {
  // Parameters; addresses, the mask of a hit; then the bound, sum and gap as four, and the row.
  const [bound, firstRow, endRow, firstOther, endOther] = [0, 1, 2, 3, 4];
  const [row, other, hits, mask, limit, sum, gap, cells] = [5, 6, 7, 8, 9, 10, 11, 12];
  const square = (axis: number) => [
    ...[...get(other), ...OP.load4, 4, ...leb(axis * BLOCK * 4), ...get(cells + axis), ...OP.subtract4],
    ...[...OP.tee, gap, ...get(gap), ...OP.multiply4],
  ];
  const add = (axis: number) => [...get(sum), ...square(axis), ...OP.add4, ...set(sum)];
  const axes = (from: number, to: number, code: (axis: number) => number[]) =>
    Array.from({ length: to - from }, (_, at) => code(from + at)).flat();
  const isNear = [...get(sum), ...get(limit), ...OP.atMost4];
  return [
    ...[2, 4, INT, AXES + 3, FOUR],
    ...[...get(bound), ...OP.fourOf, ...set(limit), ...int(HITS_AT), ...set(hits), ...get(firstRow), ...set(row)],
    ...[...OP.loop, ...OP.block],
    ...axes(0, AXES, (axis) => [...get(row), ...OP.loadOneAsFour, 2, ...leb(axis * 4), ...set(cells + axis)]),
    ...[...get(firstOther), ...set(other), ...OP.loop, ...OP.block],
    ...[...square(0), ...set(sum), ...axes(1, FIRST, add)],
    ...[...isNear, ...OP.any, ...OP.if, ...OP.block, ...axes(FIRST, AXES, add)],
    ...[...isNear, ...OP.signs, ...OP.tee, mask, ...OP.if, ...OP.block],
    ...[...get(hits), ...get(row), ...int(10), ...OP.shiftLeft, ...get(other), ...OP.add, ...get(mask), ...OP.add],
    ...[...OP.store, 2, 0, ...get(hits), ...int(4), ...OP.add, ...set(hits), ...OP.end, ...OP.end],
    ...step(other, 16, endOther),
    ...step(row, AXES * 4, endRow),
    ...[...get(hits), ...OP.end],
  ];
}
