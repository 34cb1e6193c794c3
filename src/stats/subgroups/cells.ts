import { InvalidDataError, phrase, sentence } from '../../core/errors.js';
import type { Label } from '../../data/labels.js';
import { groupsOf } from '../../data/sideData.js';
import type { Metric } from '../../metrics/metric.js';
import { takeRows } from '../../metrics/tableRows.js';
import type { ScoredFold } from '../results.js';

export interface Cell {
  readonly by: Readonly<Record<string, Label>>;
  /** Fold by fold; folds without such rows are left out. */
  readonly inside: readonly ScoredFold[];
  readonly outside: readonly ScoredFold[];
}

export interface CellCounts {
  /** Distinct rows, and of them the positive ones (0 where the task has none). */
  readonly rows: number;
  readonly events: number;
  readonly units: number;
  readonly eventUnits: number;
  readonly otherUnits: number;
}

export type Levels = ReadonlyMap<string, { readonly codes: Int32Array; readonly ids: readonly Label[] }>;

export function variableLevels(by: Readonly<Record<string, ArrayLike<Label>>>, n: number): Levels {
  const names = Object.keys(by);
  if (names.length === 0) {
    throw new InvalidDataError(sentence('The `by` option of subgroupTable', 'name a variable', phrase('none')));
  }
  const levelsOf = (name: string) => {
    const levels = groupsOf(by[name], n, `by.${name}`);
    if (levels.count <= MOST || typeof levels.ids[0] !== 'number') return levels;
    const got = phrase(`${levels.count} different numbers`);
    const way = "Make bands of them, such as '60-69': exact values can tell who a patient is.";
    const message = sentence(`by.${name}`, `have at most ${MOST} different numbers`, got, way);
    throw new InvalidDataError(message, { code: 'many_levels' });
  };
  return new Map(names.map((name) => [name, levelsOf(name)]));
}

/** Numbers of more kinds are amounts, of which subgroups are single patients. */
const MOST = 30;

export function subgroupCells(folds: readonly ScoredFold[], variables: readonly string[], levels: Levels): Cell[] {
  const columns = variables.map((name) => levels.get(name) as { codes: Int32Array; ids: readonly Label[] });
  const keyAt = (row: number) => columns.reduce((key, { codes, ids }) => key * ids.length + codes[row], 0);
  const exampleOf = new Map(folds.flatMap(({ rows }) => Array.from(rows, (row) => [keyAt(row), row] as const)));
  return [...exampleOf.keys()]
    .sort((a, b) => a - b)
    .map((key) => {
      const row = exampleOf.get(key) as number;
      return {
        by: Object.fromEntries(variables.map((name, at) => [name, columns[at].ids[columns[at].codes[row]]])),
        inside: foldsOfLevel(folds, (each) => keyAt(each) === key),
        outside: foldsOfLevel(folds, (each) => keyAt(each) !== key),
      };
    });
}

export function foldsOfLevel(folds: readonly ScoredFold[], belongs: (row: number) => boolean): ScoredFold[] {
  return folds.flatMap((fold) => {
    const places = Int32Array.from(fold.rows.keys()).filter((at) => belongs(fold.rows[at]));
    if (places.length === 0) return [];
    const [rows, units] = [fold.rows, fold.units].map((values) => places.map((at) => values[at]));
    return [{ ...fold, rows, units, table: takeRows(fold.table, places) }];
  });
}

export function countsOf(folds: readonly ScoredFold[]): CellCounts {
  const [rows, events] = [new Set<number>(), new Set<number>()];
  const [units, eventUnits, otherUnits] = [new Set<number>(), new Set<number>(), new Set<number>()];
  for (const { table, rows: numbers, units: codes } of folds) {
    for (let at = 0; at < table.length; at++) {
      const positive = table.task === 'binary' && table.yTrue[at] === table.positive;
      rows.add(numbers[at]);
      if (positive) events.add(numbers[at]);
      units.add(codes[at]);
      (positive ? eventUnits : otherUnits).add(codes[at]);
    }
  }
  return {
    rows: rows.size,
    events: events.size,
    units: units.size,
    eventUnits: eventUnits.size,
    otherUnits: otherUnits.size,
  };
}

/** Units in the smallest stratum that a metric rests on; all units when it has no strata. */
export function contributingUnits({ stratum }: Metric, folds: readonly ScoredFold[]): number {
  if (!stratum) return countsOf(folds).units;
  const strata = new Map<number, Set<number>>();
  for (const { table, units } of folds) {
    for (let at = 0; at < table.length; at++) {
      const found = stratum(table, at);
      if (found >= 0) strata.set(found, (strata.get(found) ?? new Set()).add(units[at]));
    }
  }
  return strata.size === 0 ? 0 : Math.min(...Array.from(strata.values(), ({ size }) => size));
}
