/** The rows of all tables of subgroups, with what is hidden in each. */

import { type Cell, countsOf, restingUnits } from './cells.js';
import type { SubgroupRow } from './rows.js';
import { type Job, rowOf } from './rows.js';
import { hiddenCells } from './suppression.js';

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
export function shownRows(job: Job, tables: readonly Table[]): SubgroupRow[] {
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
        table.cells.map(({ inside }) => [restingUnits(metric, inside)]),
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
