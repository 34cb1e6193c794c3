/** Rows of equal hashes: which they are, and how many pairs they make. */
import { rowNumbers } from '../../data/labels.js';
import type { RowHash } from './contentHash.js';

/** Clusters of two or more rows of equal content. */
export interface EqualRows {
  /** Cluster of each row, 0 ... count-1 in order of its first row; -1 for a row that no other equals. */
  readonly codes: Int32Array;
  readonly count: number;
}

export function equalRows(hash: RowHash): EqualRows {
  const { codes, sizes } = buckets(hash);
  const clusterOf = new Int32Array(sizes.length);
  let count = 0;
  for (let bucket = 0; bucket < sizes.length; bucket++) clusterOf[bucket] = sizes[bucket] > 1 ? count++ : -1;
  return { codes: codes.map((bucket) => clusterOf[bucket]), count };
}

/** The content of each row, 0 ... in order of first rows: rows of equal hashes have one. */
export const contentsOf = (hash: RowHash): Int32Array => buckets(hash).codes;

/** One row of each content, by the numbers that {@link contentsOf} or {@link equalRows} gives; -1 is none of its own. */
export function firstRows(codes: Int32Array): Int32Array {
  let next = 0;
  return rowNumbers(codes.length).filter((row) => codes[row] < 0 || (codes[row] === next && next++ >= 0));
}

export function equalPairs(hash: RowHash): number {
  const { sizes } = buckets(hash);
  let pairs = 0;
  for (let bucket = 0; bucket < sizes.length; bucket++) pairs += (sizes[bucket] * (sizes[bucket] - 1)) / 2;
  return pairs;
}

/** Rows by hash, in a table with open addressing that is at most half full. */
function buckets({ high, low }: RowHash): { readonly codes: Int32Array; readonly sizes: Int32Array } {
  const n = low.length;
  const mask = 2 ** Math.ceil(Math.log2(2 * n + 1)) - 1;
  const table = new Int32Array(mask + 1);
  const codes = new Int32Array(n);
  const sizes = new Int32Array(n);
  const firsts = new Int32Array(n);
  let count = 0;
  for (let row = 0; row < n; row++) {
    for (let at = low[row] & mask; ; at = (at + 1) & mask) {
      const code = table[at] - 1;
      if (code < 0) {
        table[at] = count + 1;
        firsts[count] = row;
        sizes[count] = 1;
        codes[row] = count++;
        break;
      }
      const first = firsts[code];
      if (low[first] !== low[row] || high[first] !== high[row]) continue;
      sizes[code]++;
      codes[row] = code;
      break;
    }
  }
  return { codes, sizes: sizes.subarray(0, count) };
}
