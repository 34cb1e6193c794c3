/** Which columns go along with which: values as codes, what codes tell of each other, and how far they leave each other free. */
import { tally } from '../../data/encode.js';
import { rowNumbers } from '../../data/labels.js';
import { ascendingRows } from '../features/columnRanks.js';
import type { Counts } from './counts.js';

/** Columns of more different numbers are cut into so many bins, where it is asked what they go along with. */
const [LEVELS, BINS] = [24, 8];
/** Categories of more levels: the rarer ones count as one. */
const MOST_LEVELS = 256;
/** Rows that a conditional frequency starts from. */
export const PRIOR = 2;
/** The values of a column as levels, or as bins of as many rows each. */
export interface Codes extends Counts {
  /** Code of each place, and the rows of each code. */
  readonly codes: Int32Array;
  readonly ofCode: Float64Array;
  /** The largest key of each bin. */
  readonly cuts?: Float64Array;
}

/** Few values as levels, many numbers as bins. */
export function coded(counts: Counts): Codes {
  const { column, places, placeOf, rows } = counts;
  let codes: Int32Array;
  let cuts: Float64Array | undefined;
  if (column.folded || places.size <= LEVELS || column.columns.length > 1) {
    const order = rowNumbers(places.size).sort((a, b) => rows[b] - rows[a] || a - b);
    codes = new Int32Array(rows.length);
    order.forEach((place, at) => {
      codes[place] = Math.min(at, MOST_LEVELS - 1);
    });
  } else {
    const { numbers } = places;
    const total = placeOf.length - (rows[places.placeOf(Number.NaN)] ?? 0);
    codes = new Int32Array(rows.length).fill(BINS);
    cuts = new Float64Array(BINS).fill(Infinity);
    let before = 0;
    for (const place of ascendingRows(numbers)) {
      const bin = Math.min(BINS - 1, Math.floor((BINS * (before + rows[place] / 2)) / total));
      codes[place] = bin;
      cuts[bin] = numbers[place];
      before += rows[place];
    }
  }
  const ofCode = new Float64Array(codes.reduce((most, code) => Math.max(most, code), 0) + 1);
  codes.forEach((code, place) => {
    ofCode[code] += rows[place];
  });
  return { ...counts, codes, ofCode, ...(cuts ? { cuts } : {}) };
}

/** The code of a key, also of one that was not among the rows. */
export function codeOf({ places, codes, cuts, ofCode }: Codes, key: number): number {
  const place = places.placeOf(key);
  if (place >= 0) return codes[place];
  const bin = cuts ? cuts.findIndex((cut) => key <= cut) : -1;
  return bin < 0 ? ofCode.length - 1 : Math.min(bin, ofCode.length - 1);
}

/** The codes of a column, and how they spread. */
export interface Spread {
  readonly codes: Int32Array;
  readonly width: number;
  /** Sum of count log count over the codes, and how many there are. */
  readonly nats: number;
  readonly cells: number;
}

export const spreadOf = (codes: Int32Array, width: number): Spread => ({
  codes,
  width,
  ...natsOf(tally(codes, width)),
});

/** Mutual information in nats, less what as many cells give by chance (Miller 1955). */
export function information(a: Spread, b: Spread): number {
  const n = a.codes.length;
  const joint = new Int32Array(a.width * b.width);
  for (let at = 0; at < n; at++) joint[a.codes[at] * b.width + b.codes[at]]++;
  const { nats, cells } = natsOf(joint);
  return (nats - a.nats - b.nats) / n + Math.log(n) - (cells - a.cells - b.cells + 1) / (2 * n);
}

function natsOf(counts: Int32Array): Pick<Spread, 'nats' | 'cells'> {
  let [nats, cells] = [0, 0];
  for (let at = 0; at < counts.length; at++) {
    const count = counts[at];
    if (count === 0) continue;
    nats += count * Math.log(count);
    cells++;
  }
  return { nats, cells };
}

/** How often codes come together, and how far the parent leaves the column free, where each content counts once. */
export function dependence(
  a: Int32Array,
  b: Int32Array,
  parent: Codes,
  own: Codes,
  rows: Int32Array,
  contents: Int32Array,
): { readonly joint: Float64Array; readonly freedom: number } {
  const width = own.ofCode.length;
  const joint = new Float64Array(parent.ofCode.length * width);
  const distinct = new Float64Array(joint.length);
  const seen = new Set<number>();
  rows.forEach((row, at) => {
    const cell = a[at] * width + b[at];
    joint[cell]++;
    if (seen.size < seen.add(contents[row]).size) distinct[cell]++;
  });
  const total = own.ofCode.reduce((sum, count) => sum + count, 0);
  let [alike, byChance, groups] = [0, 0, 0];
  for (let from = 0; from < distinct.length; from += width) {
    let [count, pairs, chance] = [0, 0, 0];
    for (let at = 0; at < width; at++) {
      const here = distinct[from + at];
      count += here;
      pairs += here * (here - 1);
      chance += (here * own.ofCode[at]) / total;
    }
    if (count < 2) continue;
    alike += pairs / (count * (count - 1));
    byChance += chance / count;
    groups++;
  }
  if (groups === 0) return { joint, freedom: 1 };
  const usual = byChance / groups;
  const together = (alike + PRIOR * usual) / (groups + PRIOR);
  const freedom = usual >= 1 ? 1 : Math.min(1, Math.max(0, Math.log(together) / Math.log(usual)));
  return { joint, freedom };
}
