/** Table 1: the predictors by outcome (and by side), with missing cells; what concerns few patients is not shown. */
import type { Column } from '../checkers/features/columns.js';
import { headText } from '../core/foreignText.js';
import { classText, type Label } from '../data/labels.js';
import type { TableOne, TableOneRow } from '../report/reportModel.js';
import type { FoldPlan } from '../splitters/foldsOf.js';
import type { FeatureRows } from './findings/assessedResult.js';
import { tableColumns } from './findings/tableColumns.js';

/** Patients (rows where no patients are known) below which a cell is not shown, as in `subgroupTable`. */
const MIN_CELL = 10;
const MOST_COLUMNS = 60;
const MOST_LEVELS = 8;

type Cell = TableOneRow['cells'][number];

interface Subset {
  readonly name: string;
  readonly rows: Int32Array;
}

export async function tableOne(
  rows: FeatureRows,
  { plan, groups }: { readonly plan: FoldPlan; readonly groups: ArrayLike<Label> | undefined },
): Promise<TableOne | null> {
  const { y } = rows;
  const columns = await tableColumns(rows);
  if (columns.length === 0) return null;
  const all = Int32Array.from({ length: plan.n }, (_, row) => row);
  const sides = plan.length === 1 ? Object.entries({ training: plan.at(0).train, test: plan.at(0).test }) : [];
  const isClass = (y.task === 'binary' || y.task === 'multiclass') && y.classes.length <= 6;
  const subsets: Subset[] = [
    { name: 'all', rows: all },
    ...(isClass
      ? y.classes.map((_, code) => ({
          name: classText(y.classes, code),
          rows: all.filter((row) => y.codes[row] === code),
        }))
      : []),
    ...sides.map(([name, rows]) => ({ name: `${name} rows`, rows })),
  ];
  const units = (rows: Int32Array | readonly number[]) =>
    groups ? new Set(Array.from(rows, (row) => groups[row])).size : rows.length;
  const shown = columns.slice(0, MOST_COLUMNS);
  return {
    columns: subsets.map(({ name, rows }) => ({ name, n: rows.length })),
    rows: shown.flatMap((column) => rowsOf(column, subsets, units)),
    minCell: MIN_CELL,
    omitted: columns.length - shown.length,
  };
}

type Units = (rows: Int32Array) => number;

function rowsOf(column: Column, subsets: readonly Subset[], units: Units): TableOneRow[] {
  const { values, kind, levels = [] } = column;
  const feature = headText(column.name);
  const known = subsets.map(({ rows }) => rows.filter((row) => !Number.isNaN(values[row])));
  const missing = subsets.map(({ rows }) => rows.filter((row) => Number.isNaN(values[row])));
  const lines: TableOneRow[] = [];
  const shares = (
    level: string | null,
    what: 'share' | 'missing',
    parts: readonly Int32Array[],
    of: readonly number[],
  ) => lines.push({ feature, level, what, cells: hidden(parts, of, units) });
  const totals = known.map((rows) => rows.length);
  const distinct = new Set(known[0].length > 0 ? Array.from(known[0], (row) => values[row]) : []);
  const isFlag = kind === 'number' && distinct.size === 2 && [...distinct].every((value) => value === 0 || value === 1);
  if (kind === 'number' && !isFlag) {
    lines.push({
      feature,
      level: null,
      what: 'mean',
      cells: known.map((rows) => (units(rows) < MIN_CELL ? null : moments(values, rows))),
    });
  } else {
    const codes = isFlag ? [1] : levels.map((_, code) => code);
    if (codes.length <= MOST_LEVELS) {
      for (const code of codes) {
        shares(
          isFlag ? '1' : headText(levels[code]),
          'share',
          known.map((rows) => rows.filter((row) => values[row] === code)),
          totals,
        );
      }
      if (!isFlag) hideTheRest(lines);
    } else lines.push({ feature, level: `${codes.length} levels`, what: 'share', cells: subsets.map(() => null) });
  }
  if (missing[0].length > 0)
    shares(
      null,
      'missing',
      missing,
      subsets.map(({ rows }) => rows.length),
    );
  return lines;
}

/** Counts and shares. Where one part (but none at all) is small, so is what it could be told from: only the first column, of all, stays. */
function hidden(parts: readonly Int32Array[], totals: readonly number[], units: Units): Cell[] {
  const sizes = parts.map((rows, at) => [units(rows), totals[at] - rows.length]);
  const isSmall = ([have, lack]: number[]) => (have > 0 && have < MIN_CELL) || (lack > 0 && lack < MIN_CELL);
  const any = sizes.slice(1).some(isSmall);
  return parts.map((rows, at) =>
    isSmall(sizes[at]) || (at > 0 && any)
      ? null
      : { count: rows.length, share: totals[at] === 0 ? 0 : rows.length / totals[at] },
  );
}

/** One level that is hidden follows from the others: then the smallest of these is hidden as well. */
function hideTheRest(lines: TableOneRow[]): void {
  for (let at = 0; at < (lines[0]?.cells.length ?? 0); at++) {
    const gone = lines.filter(({ cells }) => cells[at] === null);
    if (gone.length !== 1) continue;
    const counts = lines.map(
      ({ cells }) => (cells[at] as { count?: number } | null)?.count ?? Number.POSITIVE_INFINITY,
    );
    const least = counts.indexOf(Math.min(...counts));
    if (!Number.isFinite(counts[least])) continue;
    lines[least] = { ...lines[least], cells: lines[least].cells.map((cell, place) => (place === at ? null : cell)) };
  }
}

function moments(values: Float64Array, rows: Int32Array) {
  let [n, mean, squares] = [0, 0, 0];
  for (const row of rows) {
    n++;
    const step = values[row] - mean;
    mean += step / n;
    squares += step * (values[row] - mean);
  }
  return { mean, sd: n > 1 ? Math.sqrt(squares / (n - 1)) : 0 };
}
