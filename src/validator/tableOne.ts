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
  const units = (rows: Int32Array) => (groups ? new Set(Array.from(rows, (row) => groups[row])).size : rows.length);
  // The mean of dates says nothing.
  const measured = columns.filter(({ dates }) => !dates);
  const shown = measured.slice(0, MOST_COLUMNS);
  return {
    columns: subsets.map(({ name, rows }) => ({ name, n: rows.length })),
    rows: shown.flatMap((column) => rowsOf(column, subsets, units)),
    minCell: MIN_CELL,
    omitted: measured.length - shown.length,
  };
}

type Units = (rows: Int32Array) => number;

/** The rows of one predictor in each subset, by level, with those that lack it. */
interface Partition {
  readonly known: readonly Int32Array[];
  readonly missing: readonly Int32Array[];
  /** By level, then by subset. */
  readonly levels: readonly { readonly name: string; readonly parts: readonly Int32Array[] }[];
}

function rowsOf(column: Column, subsets: readonly Subset[], units: Units): TableOneRow[] {
  const feature = headText(column.name);
  const isNumber = column.kind === 'number' && !isFlag(column);
  const { known, missing, levels } = partitionOf(column, subsets, isNumber);
  const isShown = shownSubsets(
    [missing, known, ...(isNumber ? [beyondCommonest(column, known)] : levels.map(({ parts }) => parts))],
    units,
  );
  const cellsOf = (cell: (subset: number) => Cell) => subsets.map((_, at) => (isShown(at) ? cell(at) : null));
  const shares = (parts: readonly Int32Array[], of: readonly Int32Array[]) =>
    cellsOf((at) => ({ count: parts[at].length, share: of[at].length === 0 ? 0 : parts[at].length / of[at].length }));
  const lines: TableOneRow[] = isNumber
    ? [{ feature, level: null, what: 'mean', cells: cellsOf((at) => moments(column.values, known[at])) }]
    : levels.length > MOST_LEVELS
      ? [{ feature, level: `${levels.length} levels`, what: 'share', cells: subsets.map(() => null) }]
      : levels
          .filter(({ name }) => column.kind === 'category' || name === '1')
          .map(({ name, parts }) => ({ feature, level: name, what: 'share', cells: shares(parts, known) }));
  const all = subsets.map(({ rows }) => rows);
  return missing[0].length === 0
    ? lines
    : [...lines, { feature, level: null, what: 'missing', cells: shares(missing, all) }];
}

const isFlag = ({ values }: Column) => values.every((value) => value === 0 || value === 1 || Number.isNaN(value));

function partitionOf(
  { values, levels = ['0', '1'] }: Column,
  subsets: readonly Subset[],
  isNumber: boolean,
): Partition {
  const partsOf = (belongs: (value: number) => boolean) =>
    subsets.map(({ rows }) => rows.filter((row) => belongs(values[row])));
  return {
    known: partsOf((value) => !Number.isNaN(value)),
    missing: partsOf(Number.isNaN),
    levels: isNumber
      ? []
      : levels.map((name, code) => ({ name: headText(name), parts: partsOf((value) => value === code) })),
  };
}

/** Rows of another value than most have: their number would follow from mean and deviation. */
function beyondCommonest({ values }: Column, known: readonly Int32Array[]): Int32Array[] {
  const counts = new Map<number, number>();
  for (const row of known[0]) counts.set(values[row], (counts.get(values[row]) ?? 0) + 1);
  const [commonest] = [...counts].reduce((most, each) => (each[1] > most[1] ? each : most), [Number.NaN, 0]);
  return known.map((rows) => rows.filter((row) => values[row] !== commonest));
}

/**
 * A part of fewer than ten patients hides its subset, and with it every other one but that of all rows, from which it
 * would follow; a small part of all rows hides the predictor.
 */
function shownSubsets(parts: readonly (readonly Int32Array[])[], units: Units): (subset: number) => boolean {
  const isSmall = (rows: Int32Array) => rows.length > 0 && units(rows) < MIN_CELL;
  const ofAll = parts.some((of) => isSmall(of[0]));
  const ofOthers = parts.some((of) => of.slice(1).some(isSmall));
  return (subset) => !ofAll && (subset === 0 || !ofOthers);
}

function moments(values: Float64Array, rows: Int32Array) {
  let [n, mean, squares] = [0, 0, 0];
  for (const row of rows) {
    n++;
    const step = values[row] - mean;
    mean += step / n;
    squares += step * (values[row] - mean);
  }
  // Of all digits the number of rows behind a mean would follow.
  const rounded = (value: number) => Number(value.toPrecision(4));
  return { mean: rounded(mean), sd: rounded(n > 1 ? Math.sqrt(squares / (n - 1)) : 0) };
}
