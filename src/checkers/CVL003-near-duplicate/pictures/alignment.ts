/** Whether one small picture is another one that was moved, turned, zoomed, or changed in brightness and contrast. */

import { cholesky, solveWith } from '../../features/cholesky.js';

/** A picture at one size with what alignment needs of it. */
export interface GreyImage {
  readonly height: number;
  readonly width: number;
  readonly values: Float32Array;
}

/** A similarity of the plane: places of the fixed picture, from its middle, to those of the moving one. */
export interface Transform {
  /** Zoom and turn: (y, x) goes to (a y + b x + dy, a x - b y + dx). */
  readonly a: number;
  readonly b: number;
  readonly dy: number;
  readonly dx: number;
}
export const IDENTITY: Transform = { a: 1, b: 0, dy: 0, dx: 0 };

/** What a fixed picture moves by, linearised: columns a, b, dy, dx, itself and 1, `[pixels, 6]`. */
export interface Fixed extends GreyImage {
  readonly columns: Float32Array;
}
const COLUMNS = 6;

export function fixed(level: GreyImage): Fixed {
  const { height, width, values } = level;
  const columns = new Float32Array(height * width * COLUMNS);
  const [my, mx] = [(height - 1) / 2, (width - 1) / 2];
  for (let y = 0, at = 0; y < height; y++) {
    const [up, down] = [y > 0 ? width : 0, y < height - 1 ? width : 0];
    for (let x = 0; x < width; x++, at++) {
      const [before, behind] = [x > 0 ? 1 : 0, x < width - 1 ? 1 : 0];
      const gy = (values[at + down] - values[at - up]) / (Math.sign(up) + Math.sign(down) || 1);
      const gx = (values[at + behind] - values[at - before]) / (before + behind || 1);
      const to = at * COLUMNS;
      columns[to] = gy * (y - my) + gx * (x - mx);
      columns[to + 1] = gy * (x - mx) - gx * (y - my);
      columns[to + 2] = gy;
      columns[to + 3] = gx;
      columns[to + 4] = values[at];
      columns[to + 5] = 1;
    }
  }
  return { ...level, columns };
}

/**
 * Writes the moving picture as it is seen from the places of the fixed one; NaN outside of it, or, with `clamped`, what its
 * edge is, and 1 there.
 */
export function warp(
  { height, width, values }: GreyImage,
  { a, b, dy, dx }: Transform,
  out: Float32Array,
  clamped?: Uint8Array,
): void {
  const [my, mx] = [(height - 1) / 2, (width - 1) / 2];
  for (let y = 0, at = 0; y < height; y++) {
    for (let x = 0; x < width; x++, at++) {
      let fy = my + a * (y - my) + b * (x - mx) + dy;
      let fx = mx + a * (x - mx) - b * (y - my) + dx;
      // Half a pixel beyond the last one is still in it.
      if (!(fy >= -0.5 && fx >= -0.5 && fy <= height - 0.5 && fx <= width - 0.5)) {
        if (!clamped) {
          out[at] = Number.NaN;
          continue;
        }
        clamped[at] = 1;
      }
      fy = fy < 0 ? 0 : fy > height - 1 ? height - 1 : fy;
      fx = fx < 0 ? 0 : fx > width - 1 ? width - 1 : fx;
      const y0 = fy >= height - 1 ? height - 2 : Math.floor(fy);
      const x0 = fx >= width - 1 ? width - 2 : Math.floor(fx);
      const py = fy - y0;
      const px = fx - x0;
      const from = y0 * width + x0;
      const above = values[from] + px * (values[from + 1] - values[from]);
      const under = values[from + width] + px * (values[from + width + 1] - values[from + width]);
      out[at] = above + py * (under - above);
    }
  }
}

/** No further than this: turn in radians, zoom, and shift as a part of the side. */
const [TURN, ZOOM, SHIFT] = [0.3, 1.35, 0.2];
const isPlausible = ({ a, b, dy, dx }: Transform, side: number) => {
  const zoom = Math.hypot(a, b);
  return Math.abs(Math.atan2(b, a)) <= TURN && zoom <= ZOOM && zoom >= 1 / ZOOM && Math.hypot(dy, dx) <= SHIFT * side;
};

/**
 * Moves the transform towards the one under which the moving picture is the fixed one but for brightness and contrast, by
 * weighted Gauss-Newton steps; undefined when it leaves what is plausible. Pixels that stay different count less.
 *
 * Source: Baker & Matthews 2004, International Journal of Computer Vision 56:221 (inverse compositional alignment, with
 * linear appearance); Holland & Welsch 1977 (Cauchy weights).
 */
export function align(
  still: Fixed,
  moving: GreyImage,
  start: Transform,
  steps: number,
  warped: Float32Array,
): Transform | undefined {
  const { height, width, columns } = still;
  const size = height * width;
  const side = Math.max(height, width);
  let transform = start;
  let scale = 1;
  let solved: Float64Array = Float64Array.of(0, 0, 0, 0, signOf(still, moving), 0);
  const normal = new Float64Array(COLUMNS * (COLUMNS + 1));
  for (let step = 0; step < steps; step++) {
    warp(moving, transform, warped);
    normal.fill(0);
    let off = 0;
    let count = 0;
    const [gain, level, tight] = [solved[4], solved[5], 1 / (scale * scale)];
    for (let at = 0, from = 0; at < size; at++, from += COLUMNS) {
      const value = warped[at];
      if (Number.isNaN(value)) continue;
      const c0 = columns[from];
      const c1 = columns[from + 1];
      const c2 = columns[from + 2];
      const c3 = columns[from + 3];
      const c4 = columns[from + 4];
      const error = value - (gain * c4 + level);
      off += Math.abs(error);
      const weight = 1 / (1 + error * error * tight);
      count++;
      const w0 = weight * c0;
      const w1 = weight * c1;
      const w2 = weight * c2;
      const w3 = weight * c3;
      const w4 = weight * c4;
      normal[0] += w0 * c0;
      normal[1] += w0 * c1;
      normal[2] += w0 * c2;
      normal[3] += w0 * c3;
      normal[4] += w0 * c4;
      normal[5] += w0;
      normal[6] += w0 * value;
      normal[8] += w1 * c1;
      normal[9] += w1 * c2;
      normal[10] += w1 * c3;
      normal[11] += w1 * c4;
      normal[12] += w1;
      normal[13] += w1 * value;
      normal[16] += w2 * c2;
      normal[17] += w2 * c3;
      normal[18] += w2 * c4;
      normal[19] += w2;
      normal[20] += w2 * value;
      normal[24] += w3 * c3;
      normal[25] += w3 * c4;
      normal[26] += w3;
      normal[27] += w3 * value;
      normal[32] += w4 * c4;
      normal[33] += w4;
      normal[34] += w4 * value;
      normal[40] += weight;
      normal[41] += weight * value;
    }
    if (count < size / 2) return undefined;
    scale = Math.max((2 * off) / count, 1e-6);
    const next = solve(normal);
    if (!next || Math.abs(next[4]) < 0.05) return undefined;
    solved = next;
    const [da, db, dy, dx] = [
      solved[0] / solved[4],
      solved[1] / solved[4],
      solved[2] / solved[4],
      solved[3] / solved[4],
    ];
    transform = composed(transform, inverse({ a: 1 + da, b: db, dy, dx }));
    if (!isPlausible(transform, side)) return undefined;
    if (Math.abs(da) + Math.abs(db) < 1e-3 / side && Math.hypot(dy, dx) < 1e-3) break;
  }
  return transform;
}

/** Whether one picture is rather the negative of the other, where the other is known. */
function signOf({ values }: GreyImage, { values: other }: GreyImage): number {
  let sum = 0;
  for (let at = 0; at < values.length; at++) if (!Number.isNaN(other[at])) sum += values[at] * other[at];
  return sum < 0 ? -1 : 1;
}

export function composed(p: Transform, q: Transform): Transform {
  return {
    a: p.a * q.a - p.b * q.b,
    b: p.a * q.b + p.b * q.a,
    dy: p.a * q.dy + p.b * q.dx + p.dy,
    dx: p.a * q.dx - p.b * q.dy + p.dx,
  };
}

export function inverse({ a, b, dy, dx }: Transform): Transform {
  const square = a * a + b * b;
  const [c, s] = [a / square, -b / square];
  return { a: c, b: s, dy: -(c * dy + s * dx), dx: -(c * dx - s * dy) };
}

/** Solves the normal equations, of which the upper triangle and the right side are filled; undefined when singular. */
function solve(upper: Float64Array): Float64Array | undefined {
  const width = COLUMNS + 1;
  const lower = new Float64Array(COLUMNS * COLUMNS);
  for (let i = 0; i < COLUMNS; i++) for (let j = 0; j <= i; j++) lower[i * COLUMNS + j] = upper[j * width + i];
  for (let i = 0; i < COLUMNS; i++) lower[i * width] *= 1 + 1e-6;
  cholesky(lower, COLUMNS);
  for (let i = 0; i < COLUMNS; i++) if (!(lower[i * width] > 1e-6)) return undefined;
  return solveWith(
    lower,
    upper.filter((_, at) => at % width === COLUMNS),
  );
}
