/** How alike two pictures are once one is laid upon the other, besides what all have in common. */
import { align, type Fixed, fixed, type Level, type Motion, STILL, warp } from './alignment.js';
import { turnedTo } from './orientation.js';

/** A picture at two sizes, and its details. */
export interface Picture {
  readonly full: Level;
  /** At half the size; the same for pictures that are small. */
  readonly half: Level;
  readonly detail: Level;
  readonly halfDetail: Level;
}

/** Smaller pictures are not halved. */
const LEAST = 12;

/** A picture; with `common`, its details are what is its own besides those of the mean picture, wherever that lies on it. */
export function pictureOf(grey: Float32Array, height: number, width: number, common?: Picture): Picture {
  const raw = standard({ height, width, grey });
  const small = Math.min(height, width) >= LEAST ? halved(raw) : raw;
  const full = standard(inner({ height, width, grey: details(raw) }));
  const half = standard(inner({ ...small, grey: details(small) }));
  const picture = { full, half, detail: full, halfDetail: half };
  return common ? ownOf(picture, common) : picture;
}

/** The picture turned and mirrored: see {@link turnedTo}. */
export function oriented(picture: Picture, orientation: number): Picture {
  if (orientation === 0) return picture;
  const turn = (level: Level): Level => ({
    ...level,
    grey: turnedTo(level.grey, level.height, level.width, orientation),
  });
  const { full, half, detail, halfDetail } = picture;
  return { full: turn(full), half: turn(half), detail: turn(detail), halfDetail: turn(halfDetail) };
}

/** Steps to lay the mean picture. */
const COMMON_STEPS = 6;

/** Without the mean picture, and without it mirrored: of mirrored copies the same is left. */
function ownOf(picture: Picture, common: Picture): Picture {
  const { full, half, detail, halfDetail } = picture;
  const still = fixed(full);
  const seen = new Float32Array(full.grey.length);
  const means = [common, oriented(common, 1)].map((mean) => ({
    mean,
    motion: align(still, mean.full, STILL, COMMON_STEPS, seen) ?? STILL,
  }));
  const part = half.width / full.width;
  const own = (level: Level, name: 'detail' | 'halfDetail', times: number): Level => {
    const [p, q] = means.map(({ mean, motion }) => {
      const there = new Float32Array(level.grey.length);
      warp(mean[name], { ...motion, dy: motion.dy * times, dx: motion.dx * times }, there);
      return there.map((value) => (Number.isNaN(value) ? 0 : value));
    });
    return { ...level, grey: rest(level.grey, p, q, level.grey) ?? new Float32Array(level.grey.length) };
  };
  return { full, half, detail: own(detail, 'detail', 1), halfDetail: own(halfDetail, 'halfDetail', part) };
}

function standard({ height, width, grey }: Level): Level {
  let [sum, squares] = [0, 0];
  for (let at = 0; at < grey.length; at++) sum += grey[at];
  const mean = sum / grey.length;
  for (let at = 0; at < grey.length; at++) squares += (grey[at] - mean) ** 2;
  const sd = Math.sqrt(squares / grey.length) || 1;
  return { height, width, grey: grey.map((value) => (value - mean) / sd) };
}

/** Without the margin, whose details say where a picture ends. */
function inner({ height, width, grey }: Level): Level {
  const margin = Math.floor(Math.min(height, width) / 14);
  const [h, w] = [height - 2 * margin, width - 2 * margin];
  const out = new Float32Array(h * w);
  for (let y = 0; y < h; y++) {
    const from = (y + margin) * width + margin;
    out.set(grey.subarray(from, from + w), y * w);
  }
  return { height: h, width: w, grey: out };
}

function halved({ height, width, grey }: Level): Level {
  const [h, w] = [height >> 1, width >> 1];
  const out = new Float32Array(h * w);
  for (let y = 0, at = 0; y < h; y++) {
    for (let x = 0; x < w; x++, at++) {
      const from = 2 * y * width + 2 * x;
      out[at] = (grey[from] + grey[from + 1] + grey[from + width] + grey[from + width + 1]) / 4;
    }
  }
  return { height: h, width: w, grey: blurred(out, h, w, 1) };
}

/** The mean over `2 radius + 1` places in each direction, of those there are. */
function blurred(grey: Float32Array, height: number, width: number, radius: number): Float32Array {
  return along(along(grey, height, width, radius), width, height, radius);
}
/** The mean along rows, transposed. */
function along(grey: Float32Array, height: number, width: number, radius: number): Float32Array {
  const out = new Float32Array(grey.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      let [sum, count] = [0, 0];
      for (let k = Math.max(0, x - radius); k <= Math.min(width - 1, x + radius); k++) {
        sum += grey[y * width + k];
        count++;
      }
      out[x * height + y] = sum / count;
    }
  }
  return out;
}

const FLOOR = Number(process.env.FLOOR ?? 0.1);
function details({ height, width, grey }: Level): Float32Array {
  const radius = Math.max(2, Math.round(Math.max(height, width) / 10));
  const smooth = blurred(blurred(grey, height, width, radius), height, width, radius);
  const fine = blurred(grey, height, width, 1);
  const detail = smooth.map((value, at) => fine[at] - value);
  const squares = detail.map((value) => value * value);
  const energy = blurred(blurred(squares, height, width, radius), height, width, radius);
  const floor = FLOOR * squares.reduce((sum, value) => sum + value, 0) / squares.length;
  return detail.map((value, at) => value / Math.sqrt(energy[at] + floor + 1e-12));
}

/** How a picture lies upon another one, and how alike they are then, from -1 to 1. */
export interface Laid {
  readonly motion: Motion;
  readonly likeness: number;
}

/** A picture upon which others are laid. */
export interface Still {
  readonly picture: Picture;
  readonly full: Fixed;
  readonly half: Fixed;
}
export const still = (picture: Picture): Still => ({
  picture,
  full: fixed(picture.full),
  half: fixed(picture.half),
});

/** Turns, in radians, and zooms from which alignment starts. */
const STARTS: readonly Motion[] = [0, 0.09, -0.09].flatMap((turn) =>
  [1, 0.9, 1.1].map((zoom) => ({ a: zoom * Math.cos(turn), b: zoom * Math.sin(turn), dy: 0, dx: 0 })),
);
/** Steps from each start, from the best, and at full size. */
const STEPS = [2, 5, 6] as const;

/** Lays one picture upon another at half the size: where it lies best, and how alike the halves are there. */
export function layRoughly({ picture, half }: Still, moving: Picture): Laid {
  const seen = new Float32Array(half.grey.length);
  let [most, best] = [0, STILL];
  for (const start of STARTS) {
    const found = align(half, moving.half, start, STEPS[0], seen);
    if (!found) continue;
    warp(moving.half, found, seen);
    const like = Math.abs(correlation(half.grey, seen));
    if (like > most) [most, best] = [like, found];
  }
  const motion = align(half, moving.half, best, STEPS[1], seen) ?? best;
  warp(moving.halfDetail, motion, seen);
  const likeness = Math.abs(mostly(picture.halfDetail.grey, seen));
  const times = picture.full.width / half.width;
  return { motion: { ...motion, dy: times * motion.dy, dx: times * motion.dx }, likeness };
}

/** Lays one picture upon another, from where it lies roughly, and also as it is: how alike their details are. */
export function lay({ picture, full }: Still, moving: Picture, rough: Motion): Laid {
  const seen = new Float32Array(full.grey.length);
  let best: Laid = { motion: STILL, likeness: 0 };
  for (const motion of [align(full, moving.full, rough, STEPS[2], seen), STILL]) {
    if (!motion) continue;
    warp(moving.detail, motion, seen);
    const likeness = Math.abs(mostly(picture.detail.grey, seen));
    if (likeness > best.likeness) best = { motion, likeness };
  }
  return best;
}

/** Values further from 0 than so many times their mean size count as that. */
const CLIP = 2;
/** Places that differ by more than so many times the usual are left out: a black square is one part of a picture. */
const ODD = 3.4;

/** Correlation of u and v, clipped, over the places where v is seen; without those that differ most. */
function mostly(u: Float32Array, v: Float32Array): number {
  let sizeU = 0;
  let sizeV = 0;
  let n = 0;
  for (let at = 0; at < v.length; at++) {
    if (Number.isNaN(v[at])) continue;
    n++;
    sizeU += Math.abs(u[at]);
    sizeV += Math.abs(v[at]);
  }
  if (!(sizeU > 0 && sizeV > 0)) return 0;
  const [unitU, unitV] = [n / sizeU, n / sizeV];
  const sign = clipped(u, v, unitU, unitV, Infinity, 1).correlation < 0 ? -1 : 1;
  const { gap } = clipped(u, v, unitU, unitV, Infinity, sign);
  return clipped(u, v, unitU, unitV, ODD * gap, sign).correlation;
}

/** Correlation of the clipped values where they differ by at most so much, and their mean difference. */
function clipped(u: Float32Array, v: Float32Array, unitU: number, unitV: number, most: number, sign: number) {
  let n = 0;
  let gaps = 0;
  let su = 0;
  let sv = 0;
  let uu = 0;
  let vv = 0;
  let uv = 0;
  for (let at = 0; at < v.length; at++) {
    if (Number.isNaN(v[at])) continue;
    let a = u[at] * unitU;
    let b = v[at] * unitV;
    if (Math.abs(a - sign * b) > most) continue;
    a = a > CLIP ? CLIP : a < -CLIP ? -CLIP : a;
    b = b > CLIP ? CLIP : b < -CLIP ? -CLIP : b;
    n++;
    gaps += Math.abs(a - sign * b);
    su += a;
    sv += b;
    uu += a * a;
    vv += b * b;
    uv += a * b;
  }
  const both = (uu - (su * su) / n) * (vv - (sv * sv) / n);
  return { correlation: both > 0 ? (uv - (su * sv) / n) / Math.sqrt(both) : 0, gap: gaps / n };
}

/** Over the places where the second one is seen. */
function correlation(u: Float32Array, v: Float32Array): number {
  let [n, su, sv, uu, vv, uv] = [0, 0, 0, 0, 0, 0];
  for (let at = 0; at < v.length; at++) {
    if (Number.isNaN(v[at])) continue;
    n++;
    su += u[at];
    sv += v[at];
    uu += u[at] * u[at];
    vv += v[at] * v[at];
    uv += u[at] * v[at];
  }
  return (uv - (su * sv) / n) / Math.sqrt((uu - (su * su) / n) * (vv - (sv * sv) / n)) || 0;
}

/** What p and q do not explain of u, over the places of v; undefined where nothing is left. */
function rest(u: Float32Array, p: Float32Array, q: Float32Array, v: Float32Array): Float32Array | undefined {
  const columns = [p, q, u];
  const sums = new Float64Array(3);
  const m = new Float64Array(9);
  let n = 0;
  for (let at = 0; at < v.length; at++) {
    if (Number.isNaN(v[at])) continue;
    n++;
    for (let i = 0; i < 3; i++) {
      sums[i] += columns[i][at];
      for (let j = i; j < 3; j++) m[3 * i + j] += columns[i][at] * columns[j][at];
    }
  }
  for (let i = 0; i < 3; i++) for (let j = i; j < 3; j++) m[3 * i + j] -= (sums[i] * sums[j]) / n;
  const pp = m[0];
  const qq = pp > 1e-9 * n ? m[4] - (m[1] * m[1]) / pp : m[4];
  const qu = pp > 1e-9 * n ? m[5] - (m[1] * m[2]) / pp : m[5];
  const slopeQ = qq > 1e-4 * m[4] ? qu / qq : 0;
  const slopeP = pp > 1e-9 * n ? (m[2] - slopeQ * m[1]) / pp : 0;
  const level = (sums[2] - slopeP * sums[0] - slopeQ * sums[1]) / n;
  let left = 0;
  const out = u.map((value, at) => {
    if (Number.isNaN(v[at])) return Number.NaN;
    const each = value - slopeP * p[at] - slopeQ * q[at] - level;
    left += each * each;
    return each;
  });
  return left > 1e-4 * m[8] ? out : undefined;
}
