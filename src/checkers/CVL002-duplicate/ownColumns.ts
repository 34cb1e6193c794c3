/** People of one household, or visits of one patient, of whom a table holds little that is their own. */
import { isAlike } from './cells.js';
import type { Linkage } from './linkage.js';

/** So large a part of all rows is rather of units than copied, where nearly all pairs differ in the same few columns. */
const [MANY, NEARLY_ALL, FEW] = [0.5, 0.95, 3];

/** Pairs that differ in the same few columns. */
export interface OwnColumns {
  /** Names of these columns, those in which most pairs differ first. */
  readonly columns: readonly string[];
  /** Rows of the clusters of such pairs. */
  readonly rows: number;
}

/**
 * The columns in which so many rows differ from their partners that they are rather what a person or visit has of its own,
 * while the others are those of a household or patient; undefined where copies that were changed are as likely. Changed
 * cells stand in any column, or few rows have them.
 *
 * @param codes clusters to look at, -1 for all other rows
 */
export function ownColumns({ pairs, columns }: Linkage, codes: Int32Array): OwnColumns | undefined {
  const changed = pairs.filter(({ first, differing }) => differing > 0 && codes[first] >= 0);
  const clusters = new Set(changed.map(({ first }) => codes[first]));
  const rows = codes.reduce((sum, code) => sum + (clusters.has(code) ? 1 : 0), 0);
  if (rows < MANY * codes.length) return undefined;
  const counts = columns
    .filter(({ free }) => !free)
    .map((column) => ({ column, isOwn: changed.map(({ first, second }) => !isAlike(column, first, second)) }))
    .map((each) => ({ ...each, pairs: each.isOwn.filter(Boolean).length }))
    .sort((a, b) => b.pairs - a.pairs);
  const own = counts.slice(0, FEW).filter(({ pairs }) => pairs > 0);
  const elsewhere = changed.filter((_, at) => counts.slice(FEW).some(({ isOwn }) => isOwn[at])).length;
  if (elsewhere > (1 - NEARLY_ALL) * changed.length) return undefined;
  return { columns: own.flatMap(({ column }) => column.columns.map(({ name }) => name)), rows };
}
