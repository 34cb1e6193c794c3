import { yieldToPage } from '../../core/yieldToPage.js';
import { gather } from '../../data/labels.js';
import type { RowHash } from '../features/contentHash.js';
import { equalRows } from '../features/equalRows.js';
import { type CellColumn, isAlike } from './cells.js';

export interface RowPair {
  readonly first: number;
  readonly second: number;
  readonly differing: number;
}

/** Comparisons for each part of the columns, smallest buckets first, and pairs found, or as many as half the rows. */
const [MOST_COMPARED, MOST_FOUND] = [2e6, 5e4];
/** Columns of fewer rows may differ in none, in one. */
const [ONE, TWO] = [4, 6];

/** How many of so many columns a copy may differ in: always less than half. */
export const mostDiffering = (columns: number): number => (columns >= TWO ? 2 : columns >= ONE ? 1 : 0);

export const haveOneHash = ({ high, low }: RowHash, a: number, b: number): boolean =>
  low[a] === low[b] && high[a] === high[b];

/**
 * A pair that differs in fewer columns than there are `parts` (hashes of the rows by a part each) agrees in a whole
 * one: rows are compared within buckets (blocking). `columns` that tell most come first; `complete` is false where rows
 * are too much alike to compare all of them.
 */
export async function pairsButFew(
  columns: readonly CellColumn[],
  parts: readonly RowHash[],
  rows: Int32Array,
  wanted: (first: number, second: number) => boolean,
): Promise<{ readonly pairs: RowPair[]; readonly complete: boolean }> {
  let complete = true;
  const most = parts.length - 1;
  const pairs: RowPair[] = [];
  const differing = (a: number, b: number) => {
    let count = 0;
    for (const column of columns) if (!isAlike(column, a, b) && ++count > most) break;
    return count;
  };
  for (const [at, part] of parts.entries()) {
    const earlier = parts.slice(0, at);
    let compared = 0;
    for (const bucket of bucketsOf({ high: gather(part.high, rows), low: gather(part.low, rows) }, rows)) {
      await yieldToPage();
      compared += (bucket.length * (bucket.length - 1)) / 2;
      if (compared > MOST_COMPARED || pairs.length > Math.max(MOST_FOUND, rows.length / 2)) {
        complete = false;
        break;
      }
      for (let i = 0; i < bucket.length; i++) {
        for (let j = i + 1; j < bucket.length; j++) {
          const [first, second] = [bucket[i], bucket[j]];
          if (earlier.some((other) => haveOneHash(other, first, second)) || !wanted(first, second)) continue;
          const count = differing(first, second);
          if (count > 0 && count <= most) pairs.push({ first, second, differing: count });
        }
      }
    }
  }
  return { pairs, complete };
}

export function bucketsOf(hash: RowHash, rows: Int32Array): number[][] {
  const { codes, count } = equalRows(hash);
  const buckets = Array.from({ length: count }, (): number[] => []);
  codes.forEach((code, at) => {
    if (code >= 0) buckets[code].push(rows[at]);
  });
  return buckets.sort((a, b) => a.length - b.length);
}

export function partsOf(worths: readonly number[], count: number): number[] {
  const totals = new Float64Array(count);
  return worths.map((worth) => {
    const part = totals.indexOf(Math.min(...totals));
    totals[part] += worth;
    return part;
  });
}
