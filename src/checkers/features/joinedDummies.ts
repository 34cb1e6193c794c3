/** Dummies (0 or -1, and 1) that were made of one category, as that category again. */
import type { Column } from './columns.js';
import { siblingDummies } from './siblingDummies.js';

export interface JoinedDummies {
  /** A category named by its first column: the levels are the names of the columns, and none of them. */
  readonly column: Column;
  readonly siblings: readonly Column[];
}

/** One for each group of siblings: see {@link siblingDummies}. A row is missing where cells are and none of them is 1. */
export function joinedDummies(columns: readonly Column[]): JoinedDummies[] {
  return siblingDummies(columns).map((group) => {
    const siblings = group.map((at) => columns[at]);
    const none = siblings.length;
    const values = new Float64Array(siblings[0].values.length).fill(none);
    siblings.forEach((sibling, code) => {
      sibling.values.forEach((value, row) => {
        if (value === 1) values[row] = code;
        else if (Number.isNaN(value) && values[row] === none) values[row] = Number.NaN;
      });
    });
    const levels = [...siblings.map(({ name }) => name), 'none of them'];
    return { column: { name: siblings[0].name, kind: 'category', values, levels }, siblings };
  });
}
