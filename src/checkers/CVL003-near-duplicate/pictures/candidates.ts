/** Which pictures may be copies of each other: the nearest by the directions of their edges and by low frequencies, in several positions. */
import { yieldToPage } from '../../../core/yieldToPage.js';
import { upright } from '../../features/images/perceptual.js';
import type { GreyImage } from './alignment.js';
import type { Pictures } from './registeredPairs.js';

export interface Candidates {
  of(row: number): ReadonlySet<number>;
  /** In which positions a pair was found: as they are (0), mirrored (1), any (-1). */
  positions(first: number, second: number): readonly number[];
}

/** Points from which others are searched, and among which; of each so many of the nearest. */
interface View {
  readonly from: Float32Array;
  readonly among: Float32Array;
  readonly width: number;
  readonly count: number;
  readonly position: number;
}

/** More than this are not kept of those that have a picture among theirs. */
const MOST = 24;
const PADDED = 64;

/**
 * The candidates of pictures that may be a pair, and of copies, which are no candidates of each other.
 *
 * @param copies copies of some of the pictures, each with its original
 */
export async function candidatesOf(
  pictures: Pictures,
  rows: Int32Array,
  copies: ReadonlyMap<number, number>,
  mayBePair: (first: number, second: number) => boolean,
): Promise<Candidates> {
  const all = [...rows, ...copies.keys()];
  const { plain, zoomed, mirrored } = orientedGradients(all.length, (at) => pictures.at(all[at]).full);
  const turned = new Float32Array(all.length * PADDED);
  all.forEach((row, at) => {
    turned.set(upright(pictures.frequencies(row)), at * PADDED);
  });
  // By the edges, as it is, zoomed and mirrored, and by the low frequencies in any position.
  const views: readonly View[] = [
    { from: plain, among: plain, width: WIDTH, count: 8, position: 0 },
    { from: zoomed, among: plain, width: WIDTH, count: 5, position: 0 },
    { from: mirrored, among: plain, width: WIDTH, count: 3, position: 1 },
    { from: turned, among: turned, width: PADDED, count: 3, position: -1 },
  ];
  const found = new Map<number, Set<number>>(all.map((row) => [row, new Set()]));
  const positions = new Map<string, Set<number>>();
  const keyOf = (first: number, second: number) => `${Math.min(first, second)} ${Math.max(first, second)}`;
  const put = (row: number, other: number, position: number) => {
    const key = keyOf(row, other);
    positions.set(key, (positions.get(key) ?? new Set()).add(position));
    found.get(row)!.add(other);
    const back = found.get(other)!;
    if (back.size < MOST || copies.has(row)) back.add(row);
  };
  for (const [at, row] of all.entries()) {
    await yieldToPage();
    const original = copies.get(row);
    const wanted = (other: number) => other < rows.length && (original !== undefined || mayBePair(row, rows[other]));
    for (const { from, among, width, count, position } of views) {
      for (const other of nearest(from, at, among, width, count, wanted)) put(row, rows[other], position);
    }
    if (original === undefined) continue;
    // Would the original have it among its own?
    const place = rows.indexOf(original);
    for (const { from, among, width, count, position } of views) {
      const near = nearest(from, place, among, width, count, (other) => {
        return other === at || (other < rows.length && mayBePair(original, rows[other]));
      });
      if (near.includes(at)) put(row, original, position);
    }
  }
  return {
    of: (row) => found.get(row) ?? new Set(),
    positions: (first, second) => [...(positions.get(keyOf(first, second)) ?? [0])],
  };
}

// Where a picture has edges of which direction: what a moved, cropped or partly covered copy still has.

/** Cells a side, and directions, of which opposite ones are one. */
const [CELLS, DIRECTIONS] = [4, 6];
const WIDTH = CELLS * CELLS * DIRECTIONS;
/** What a zoomed view leaves out at each side. */
const CROP = 0.06;
/**
 * Strength of edges in 4 x 4 cells and 6 directions, spread to the next cells and directions, `[96]`.
 *
 * Source: Dalal & Triggs 2005, CVPR 1:886 (histograms of oriented gradients).
 */
function gradientsOf({ height, width, values }: GreyImage, crop = 0): Float32Array {
  const out = new Float32Array(WIDTH);
  const [offsetY, offsetX] = [crop * height, crop * width];
  const [tall, wide] = [(1 - 2 * crop) * height, (1 - 2 * crop) * width];
  for (let y = 1; y < height - 1; y++) {
    const cy = ((y + 0.5 - offsetY) / tall) * CELLS - 0.5;
    if (cy < -1 || cy >= CELLS) continue;
    const y0 = Math.floor(cy);
    for (let x = 1, at = y * width + 1; x < width - 1; x++, at++) {
      const cx = ((x + 0.5 - offsetX) / wide) * CELLS - 0.5;
      if (cx < -1 || cx >= CELLS) continue;
      const [gy, gx] = [values[at + width] - values[at - width], values[at + 1] - values[at - 1]];
      const strength = gy * gy + gx * gx;
      if (strength === 0) continue;
      const x0 = Math.floor(cx);
      const turn = (Math.atan2(gy, gx) / Math.PI + 1) * DIRECTIONS;
      const bin = Math.floor(turn);
      const root = Math.sqrt(Math.sqrt(strength));
      const [py, px, pt] = [cy - y0, cx - x0, turn - bin];
      for (let k = 0; k < 4; k++) {
        const [row, column] = [y0 + (k >> 1), x0 + (k & 1)];
        if (row < 0 || column < 0 || row >= CELLS || column >= CELLS) continue;
        const weight = root * (k >> 1 ? py : 1 - py) * (k & 1 ? px : 1 - px);
        const to = (row * CELLS + column) * DIRECTIONS;
        out[to + (bin % DIRECTIONS)] += weight * (1 - pt);
        out[to + ((bin + 1) % DIRECTIONS)] += weight * pt;
      }
    }
  }
  return unit(out);
}

function unit(values: Float32Array): Float32Array {
  let squares = 0;
  for (const value of values) squares += value * value;
  const norm = Math.sqrt(squares) || 1;
  return values.map((value) => value / norm);
}

function mirroredGradients(gradients: Float32Array): Float32Array {
  return gradients.map((_, at) => {
    const [cell, direction] = [Math.floor(at / DIRECTIONS), at % DIRECTIONS];
    const [row, column] = [Math.floor(cell / CELLS), cell % CELLS];
    return gradients[(row * CELLS + CELLS - 1 - column) * DIRECTIONS + ((DIRECTIONS - direction) % DIRECTIONS)];
  });
}

/** Gradients of pictures, `[n, 96]`, less what all have in common. */
function orientedGradients(n: number, pictureAt: (row: number) => GreyImage) {
  const [plain, zoomed, turned] = [0, 1, 2].map(() => new Float32Array(n * WIDTH));
  for (let row = 0; row < n; row++) {
    const picture = pictureAt(row);
    const gradients = gradientsOf(picture);
    plain.set(gradients, row * WIDTH);
    zoomed.set(gradientsOf(picture, CROP), row * WIDTH);
    turned.set(mirroredGradients(gradients), row * WIDTH);
  }
  for (const each of [plain, zoomed, turned]) centre(each);
  return { plain, zoomed, mirrored: turned };
}

/** Rows less their mean, at length 1. */
function centre(rows: Float32Array): void {
  const mean = new Float64Array(WIDTH);
  for (let at = 0; at < rows.length; at++) mean[at % WIDTH] += (rows[at] * WIDTH) / rows.length;
  for (let at = 0; at < rows.length; at++) rows[at] -= mean[at % WIDTH];
  for (let from = 0; from < rows.length; from += WIDTH) {
    const row = rows.subarray(from, from + WIDTH);
    row.set(unit(row));
  }
}

/** The `k` points with the largest products with a point, of those that are wanted, the largest first. */
function nearest(
  from: Float32Array,
  row: number,
  among: Float32Array,
  width: number,
  k: number,
  wanted: (other: number) => boolean,
): number[] {
  const [rows, values]: [number[], number[]] = [[], []];
  for (let other = 0, at = 0; at < among.length; other++, at += width) {
    const sum = productOf(from, row * width, among, at, width);
    if (sum <= (values[k - 1] ?? -Infinity) || !wanted(other)) continue;
    const place = values.findIndex((value) => value < sum);
    rows.splice(place < 0 ? rows.length : place, 0, other);
    values.splice(place < 0 ? values.length : place, 0, sum);
    rows.length = values.length = Math.min(k, rows.length);
  }
  return rows;
}

function productOf(a: Float32Array, i: number, b: Float32Array, j: number, width: number): number {
  let sum = 0;
  for (let axis = 0; axis < width; axis += 4) {
    sum +=
      a[i + axis] * b[j + axis] +
      a[i + axis + 1] * b[j + axis + 1] +
      (a[i + axis + 2] * b[j + axis + 2] + a[i + axis + 3] * b[j + axis + 3]);
  }
  return sum;
}
