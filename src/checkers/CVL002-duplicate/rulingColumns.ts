import type { Column } from '../features/columns.js';
import { hashWithout, type RowHash } from '../features/contentHash.js';

/** Without columns that follow from others there are no more equal pairs, but for so many of them: errors of entry. */
export const MORE = 0.05;

/** What is counted of pairs of rows. */
interface Counts {
  /** Pairs that are equal in all columns. */
  readonly pairs: number;
  /** Pairs that differ in one column alone, by column. */
  readonly near: readonly number[];
  /** Pairs that are equal in that column, whatever the others are. */
  readonly alone: readonly number[];
  readonly pairsIn: (hash: RowHash) => number;
}

export interface Ruling {
  readonly ruling: readonly Column[];
  /** Pairs that are equal in these columns and no others. */
  readonly more: number;
}

/**
 * Columns from which all others may follow: rows that agree in them agree in all. The others are left out one by one, the
 * finest first, since what is computed from several columns is finer than each: a risk of age and sex, a code of a chapter
 * and a number. A coarse column that follows from one other, such as the hospital of a ward, is left out as well.
 */
export function rulingColumns(columns: readonly Column[], hash: RowHash, counts: Counts): Ruling {
  const { pairs, near, alone, pairsIn } = counts;
  const most = (1 + MORE) * pairs;
  const out = new Set<Column>();
  let [rest, equal] = [hash, pairs];
  // Leaving out more makes no fewer pairs: columns go together where they can, else in halves.
  const leaveOut = (group: readonly number[]) => {
    const less = group.reduce((from, at) => hashWithout(from, columns[at], at), rest);
    const left = pairsIn(less);
    if (left <= most && out.size + group.length < columns.length) {
      [rest, equal] = [less, left];
      for (const at of group) out.add(columns[at]);
    } else if (group.length > 1) {
      const middle = group.length >> 1;
      leaveOut(group.slice(0, middle));
      leaveOut(group.slice(middle));
    }
  };
  const order = [...columns.keys()].filter((at) => pairs + near[at] <= most);
  if (order.length > 0) leaveOut(order.sort((a, b) => alone[a] - alone[b] || b - a));
  return { ruling: columns.filter((column) => !out.has(column)), more: equal - pairs };
}
