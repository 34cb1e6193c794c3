/** Where a picture has edges of which direction: what a moved, cropped or partly covered copy still has. */
import { OrthonormalBasis } from '../../features/orthonormalBasis.js';
import type { GreyImage } from './alignment.js';

/** Cells a side, and directions, of which opposite ones are one. */
const [CELLS, DIRECTIONS] = [4, 6];
const WIDTH = CELLS * CELLS * DIRECTIONS;
/** What a zoomed view leaves out at each side. */
const CROP = 0.06;
/** What all pictures have in common looks different when they are moved; learnt from so many. */
const MOVES = [{ crop: CROP }, { down: CROP }, { right: CROP }];
const LEARNT = 100;

/**
 * Strength of edges in 4 x 4 cells and 6 directions, spread to the next cells and directions, `[96]`.
 *
 * Source: Dalal & Triggs 2005, CVPR 1:886 (histograms of oriented gradients).
 */
export function gradientsOf(
  { height, width, values }: GreyImage,
  { crop = 0, down = 0, right = 0 } = {},
): Float32Array {
  const out = new Float32Array(WIDTH);
  const [top, left] = [(crop + down) * height, (crop + right) * width];
  const [tall, wide] = [(1 - 2 * crop) * height, (1 - 2 * crop) * width];
  for (let y = 1; y < height - 1; y++) {
    const cy = ((y + 0.5 - top) / tall) * CELLS - 0.5;
    if (cy < -1 || cy >= CELLS) continue;
    const y0 = Math.floor(cy);
    for (let x = 1, at = y * width + 1; x < width - 1; x++, at++) {
      const cx = ((x + 0.5 - left) / wide) * CELLS - 0.5;
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

/** The gradients of the picture mirrored from left to right. */
function mirrored(gradients: Float32Array): Float32Array {
  return gradients.map((_, at) => {
    const [cell, direction] = [Math.floor(at / DIRECTIONS), at % DIRECTIONS];
    const [row, column] = [Math.floor(cell / CELLS), cell % CELLS];
    return gradients[(row * CELLS + CELLS - 1 - column) * DIRECTIONS + ((DIRECTIONS - direction) % DIRECTIONS)];
  });
}

/** Points to search among, and to search from, `[n, 96]`. */
export interface OrientedGradients {
  readonly width: number;
  readonly plain: Float32Array;
  readonly zoomed: Float32Array;
  readonly mirrored: Float32Array;
  /** The same three of another picture, `[96]` each. */
  of(picture: GreyImage): Pick<OrientedGradients, 'plain' | 'zoomed' | 'mirrored'>;
}

/** OrientedGradients of pictures, less what all have in common, and less what changes when all of them are moved. */
export function orientedGradients(pictures: Iterable<GreyImage>, n: number): OrientedGradients {
  const [plain, zoomed, turned] = [0, 1, 2].map(() => new Float32Array(n * WIDTH));
  const moves = MOVES.map(() => new Float64Array(WIDTH));
  let row = 0;
  for (const picture of pictures) {
    const gradients = gradientsOf(picture);
    plain.set(gradients, row * WIDTH);
    zoomed.set(gradientsOf(picture, { crop: CROP }), row * WIDTH);
    turned.set(mirrored(gradients), row * WIDTH);
    if (row % Math.ceil(n / LEARNT) === 0) {
      MOVES.forEach((move, at) => {
        const moved = gradientsOf(picture, move);
        for (let k = 0; k < WIDTH; k++) moves[at][k] += moved[k] - gradients[k];
      });
    }
    row++;
  }
  const { basis } = new OrthonormalBasis(moves);
  const means = [plain, zoomed, turned].map((each) => {
    const mean = meanOf(each);
    centre(each, mean, basis);
    return mean;
  });
  const of = (picture: GreyImage) => {
    const gradients = gradientsOf(picture);
    const views = [gradients, gradientsOf(picture, { crop: CROP }), mirrored(gradients)];
    views.forEach((view, at) => {
      centre(view, means[at], basis);
    });
    return { plain: views[0], zoomed: views[1], mirrored: views[2] };
  };
  return { width: WIDTH, plain, zoomed, mirrored: turned, of };
}

function meanOf(rows: Float32Array): Float64Array {
  const n = rows.length / WIDTH;
  const mean = new Float64Array(WIDTH);
  for (let at = 0; at < rows.length; at++) mean[at % WIDTH] += rows[at] / n;
  return mean;
}

/** Rows less that mean and without these directions, at length 1. */
function centre(rows: Float32Array, mean: Float64Array, basis: readonly Float64Array[]): void {
  for (let at = 0; at < rows.length; at++) rows[at] -= mean[at % WIDTH];
  for (let from = 0; from < rows.length; from += WIDTH) {
    const row = rows.subarray(from, from + WIDTH);
    for (const axis of basis) {
      let along = 0;
      for (let k = 0; k < WIDTH; k++) along += row[k] * axis[k];
      for (let k = 0; k < WIDTH; k++) row[k] -= along * axis[k];
    }
    row.set(unit(row));
  }
}

/** The `k` points with the largest products with a point, of those that are wanted, the largest first. */
export function nearest(
  from: Float32Array,
  row: number,
  among: Float32Array,
  width: number,
  k: number,
  wanted: (other: number) => boolean,
): number[] {
  const n = among.length / width;
  const [rows, values]: [number[], number[]] = [[], []];
  const start = row * width;
  let least = -Infinity;
  for (let other = 0, at = 0; other < n; other++, at += width) {
    const sum = productOf(from, start, among, at, width);
    if (sum <= least || !wanted(other)) continue;
    let place = rows.length < k ? rows.length : k - 1;
    while (place > 0 && values[place - 1] < sum) place--;
    rows.splice(place, 0, other);
    values.splice(place, 0, sum);
    if (rows.length > k) {
      rows.pop();
      values.pop();
    }
    if (rows.length === k) least = values[k - 1];
  }
  return rows;
}

/** Inner product of two points, of a width that is a multiple of 4. */
export function productOf(a: Float32Array, i: number, b: Float32Array, j: number, width: number): number {
  let sum = 0;
  for (let axis = 0; axis < width; axis += 4) {
    sum +=
      a[i + axis] * b[j + axis] +
      a[i + axis + 1] * b[j + axis + 1] +
      (a[i + axis + 2] * b[j + axis + 2] + a[i + axis + 3] * b[j + axis + 3]);
  }
  return sum;
}
