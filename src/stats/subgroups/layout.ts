/** The rows of all tables of subgroups, with what is hidden in each. */

import { type Cell, contributingUnits, countsOf } from './cells.js';
import { type Job, rowOf, type SubgroupRow } from './rows.js';

/** The cells of one variable, or of several that are crossed; of none: one cell with all rows. */
export interface Table {
  readonly variables: readonly string[];
  readonly cells: readonly Cell[];
}

/** What is hidden in a table: whole cells, their events, and metrics, by place. */
interface Hidden {
  readonly cells: ReadonlySet<number>;
  readonly events: ReadonlySet<number>;
}

/** The rows of all tables, those of fewer variables first: what is hidden there is hidden in their intersections. */
export function visibleRows(job: Job, tables: readonly Table[]): SubgroupRow[] {
  const hiddenIn = new Map<Table, Hidden>();
  return tables.flatMap((table, at) => {
    const margins = tables
      .slice(0, at)
      .filter(({ variables }) => variables.every((name) => table.variables.includes(name)));
    const lines = margins.flatMap((margin) => linesOf(table, margin.variables));
    const counts = table.cells.map(({ inside }) => countsOf(inside));
    const inherited = (which: keyof Hidden) =>
      new Set(
        table.cells.flatMap((cell, place) =>
          margins.some((margin) => hiddenIn.get(margin)?.[which].has(placeIn(margin, cell))) ? [place] : [],
        ),
      );
    const hide = (of: readonly (readonly number[])[], hidden: ReadonlySet<number>) =>
      hiddenCells({ counts: of, lines, hidden }, job.minCell);
    const cells = hide(
      counts.map(({ units }) => [units]),
      inherited('cells'),
    );
    const events = job.binary
      ? hide(
          counts.map((each) => [each.eventUnits, each.otherUnits]),
          new Set([...cells, ...inherited('events')]),
        )
      : cells;
    hiddenIn.set(table, { cells, events });
    const ofMetric = job.metrics.map((metric) =>
      hide(
        table.cells.map(({ inside }) => [contributingUnits(metric, inside)]),
        metric.stratum ? events : cells,
      ),
    );
    return table.cells.map((cell, place) =>
      rowOf(job, cell, counts[place], {
        counts: cells.has(place),
        events: events.has(place),
        metrics: new Set(job.metrics.filter((_, metric) => ofMetric[metric].has(place))),
      }),
    );
  });
}

/** Cells of a table that add up to one cell of a margin. */
function linesOf({ cells }: Table, variables: readonly string[]): number[][] {
  const lines = new Map<string, number[]>();
  cells.forEach(({ by }, place) => {
    const key = JSON.stringify(variables.map((name) => by[name]));
    lines.set(key, [...(lines.get(key) ?? []), place]);
  });
  return [...lines.values()];
}

const placeIn = ({ variables, cells }: Table, cell: Cell) =>
  cells.findIndex(({ by }) => variables.every((name) => by[name] === cell.by[name]));

/** Which cells of a table are hidden, so that no small one is shown or can be computed from the totals. */

/** One table: its cells and the sets of them whose totals are published. */
interface CellTable {
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
