/** Which pictures may be copies of each other: the nearest by the directions of their edges and by low frequencies, in several positions. */
import { rowNumbers } from '../../../data/labels.js';
import type { ImageFeatures } from '../../features/columns.js';
import { upright } from '../../features/images/perceptual.js';
import { OrthonormalBasis } from '../../features/orthonormalBasis.js';
import type { GreyImage } from './alignment.js';
import type { Pictures } from './registeredPairs.js';

export interface Candidates {
  readonly rows: Int32Array;
  of(row: number): readonly number[];
  /** In which positions a pair was found: as they are (0), mirrored (1), any (-1). */
  positions(first: number, second: number): readonly number[];
  with(added: number): WithAdded;
}

export interface WithAdded {
  /** The candidates of the added picture, and those that have it among theirs. */
  readonly its: readonly number[];
  readonly listing: ReadonlySet<number>;
  positions(row: number): readonly number[];
}

/** How many of each picture by its edges, as it is, zoomed and mirrored, and by its low frequencies in any position. */
const [PLAIN, ZOOMED, MIRRORED, UPRIGHT] = [8, 5, 3, 3];
/** More than this are not kept of those that have a picture among theirs. */
const MOST = 24;
const PADDED = 64;

export function candidatesOf(
  { blank, content: { high, low } }: ImageFeatures,
  pictures: Pictures,
  { codes }: { readonly codes?: Int32Array | undefined },
): Candidates {
  const n = blank.length;
  const rows = rowNumbers(n).filter((row) => !blank[row]);
  const m = rows.length;
  const gradients = orientedGradients(pictures.images(rows), m);
  const { width, plain } = gradients;
  const turned = new Float32Array(m * PADDED);
  rows.forEach((row, at) => {
    turned.set(upright(pictures.lowFrequencies(row)), at * PADDED);
  });
  const views: readonly View[] = [
    { name: 'plain', from: plain, among: plain, width, k: PLAIN, orientation: 0, least: new Float64Array(m) },
    {
      name: 'zoomed',
      from: gradients.zoomed,
      among: plain,
      width,
      k: ZOOMED,
      orientation: 0,
      least: new Float64Array(m),
    },
    {
      name: 'mirrored',
      from: gradients.mirrored,
      among: plain,
      width,
      k: MIRRORED,
      orientation: 1,
      least: new Float64Array(m),
    },
    {
      name: 'upright',
      from: turned,
      among: turned,
      width: PADDED,
      k: UPRIGHT,
      orientation: -1,
      least: new Float64Array(m),
    },
  ];
  const found = new Map<number, Set<number>>(Array.from(rows, (row) => [row, new Set()]));
  const positions = new Map<number, Set<number>>();
  rows.forEach((row, at) => {
    const wanted = (other: number) => {
      const each = rows[other];
      if (each === row || (codes && codes[each] === codes[row])) return false;
      return !(high[each] === high[row] && low[each] === low[row]);
    };
    for (const { from, among, width, k, orientation, least } of views) {
      const near = nearest(from, at, among, width, k, wanted);
      least[at] = near.length < k ? -Infinity : productOf(from, at * width, among, near[k - 1] * width, width);
      for (const other of near) {
        const each = rows[other];
        const key = row < each ? row * n + each : each * n + row;
        positions.set(key, (positions.get(key) ?? new Set()).add(orientation));
        found.get(row)!.add(each);
        const back = found.get(each)!;
        if (back.size < MOST) back.add(row);
      }
    }
  });
  const of = (row: number) => [...(found.get(row) ?? [])];
  return {
    rows,
    of,
    positions: (first, second) => [...(positions.get(first * n + second) ?? [0])],
    with(added) {
      const low = new Float32Array(PADDED);
      low.set(upright(pictures.lowFrequencies(added)));
      const own = { ...gradients.of(pictures.at(added).full), upright: low };
      const [its, listing] = [new Set<number>(), new Set<number>()];
      const places = new Map<number, Set<number>>();
      const note = (row: number, orientation: number) =>
        places.set(row, (places.get(row) ?? new Set()).add(orientation));
      for (const { name, among, width, k, orientation } of views) {
        for (const other of nearest(own[name], 0, among, width, k, () => true)) {
          const row = rows[other];
          its.add(row);
          if (found.get(row)!.size < MOST) listing.add(row);
          note(row, orientation);
        }
      }
      for (const { name, from, width, orientation, least } of views) {
        const point = name === 'upright' ? low : own.plain;
        for (let at = 0; at < m; at++) {
          if (!(productOf(from, at * width, point, 0, width) > least[at])) continue;
          listing.add(rows[at]);
          if (its.size < MOST) its.add(rows[at]);
          note(rows[at], orientation);
        }
      }
      return { its: [...its], listing, positions: (row) => [...(places.get(row) ?? [0])] };
    },
  };
}

/** Points from which others are searched, and among which, and the product that the last of the nearest of each has. */
interface View {
  readonly name: 'plain' | 'zoomed' | 'mirrored' | 'upright';
  readonly from: Float32Array;
  readonly among: Float32Array;
  readonly width: number;
  readonly k: number;
  readonly orientation: number;
  readonly least: Float64Array;
}

// Where a picture has edges of which direction: what a moved, cropped or partly covered copy still has.

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
  const [offsetY, offsetX] = [(crop + down) * height, (crop + right) * width];
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

function mirrored(gradients: Float32Array): Float32Array {
  return gradients.map((_, at) => {
    const [cell, direction] = [Math.floor(at / DIRECTIONS), at % DIRECTIONS];
    const [row, column] = [Math.floor(cell / CELLS), cell % CELLS];
    return gradients[(row * CELLS + CELLS - 1 - column) * DIRECTIONS + ((DIRECTIONS - direction) % DIRECTIONS)];
  });
}

/** Points to search among, and to search from, `[n, 96]`. */
interface OrientedGradients {
  readonly width: number;
  readonly plain: Float32Array;
  readonly zoomed: Float32Array;
  readonly mirrored: Float32Array;
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
