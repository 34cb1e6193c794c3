/** Which cells of a table are hidden, so that no small one is shown or can be computed from the totals. */

/** One table: its cells and the sets of them whose totals are published. */
export interface CellTable {
  /** Counts of each cell; a cell is small when one of its counts is. */
  readonly counts: readonly (readonly number[])[];
  /** Cells that add up to a published total, as places in `counts`. */
  readonly lines: readonly (readonly number[])[];
  /** Cells that are hidden for another reason. */
  readonly hidden?: ReadonlySet<number>;
}

/**
 * Hides the cells with a count below `minCell`, then, in every line with something hidden, the smallest of the others
 * until two or more are hidden and their counts together reach `minCell`: the line's total less what is shown then gives
 * away no small count. Repeated until every line agrees.
 *
 * It guards against subtraction within a table and its margins, as statistical offices do it; it cannot guard against
 * what other publications tell of the same patients.
 *
 * Source: Hundepool et al. 2012, Statistical Disclosure Control, chapter 4 (primary and secondary suppression).
 */
export function hiddenCells({ counts, lines, hidden: given = new Set() }: CellTable, minCell: number): Set<number> {
  const isSmall = (values: readonly number[]) => values.some((count) => count < minCell);
  const hidden = new Set(given);
  counts.forEach((values, cell) => {
    if (isSmall(values)) hidden.add(cell);
  });
  const guarded = (line: readonly number[]): boolean => {
    const covered = line.filter((cell) => hidden.has(cell));
    if (covered.length === 0) return true;
    const sums = counts[covered[0]].map((_, at) => covered.reduce((sum, cell) => sum + counts[cell][at], 0));
    return covered.length > 1 && !isSmall(sums);
  };
  for (let open = true; open; ) {
    open = false;
    for (const line of lines) {
      const shown = line.filter((cell) => !hidden.has(cell));
      if (shown.length === 0 || guarded(line)) continue;
      hidden.add(
        shown.reduce((least, cell) => (Math.min(...counts[cell]) < Math.min(...counts[least]) ? cell : least)),
      );
      open = true;
    }
  }
  return hidden;
}
