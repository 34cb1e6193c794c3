/** Table 1: the predictors by outcome (and by side), with missing cells; what concerns few patients is not shown. */

import { commonest } from '../checkers/features/columnRanks.js';
import type { Column } from '../checkers/features/columns.js';
import { headText } from '../core/foreignText.js';
import { mean, unbiasedVariance } from '../core/numbers.js';
import { eventLabels } from '../data/eventLabels.js';
import { classText, gather, type Label, rowNumbers } from '../data/labels.js';
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
  const y = eventLabels(rows.y);
  const columns = await tableColumns(rows);
  if (columns.length === 0) return null;
  const all = rowNumbers(plan.n);
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
  const isFew: IsFew = (rows) => {
    const units = new Set<unknown>();
    for (let at = 0; at < rows.length && units.size < MIN_CELL; at++) units.add(groups ? groups[rows[at]] : at);
    return units.size > 0 && units.size < MIN_CELL;
  };
  // The mean of dates says nothing.
  const measured = columns.filter(({ dates }) => !dates);
  const shown = measured.slice(0, MOST_COLUMNS);
  return {
    columns: subsets.map(({ name, rows }) => ({ name, n: rows.length })),
    rows: shown.flatMap((column) => rowsOf(column, subsets, isFew)),
    minCell: MIN_CELL,
    omitted: measured.length - shown.length,
  };
}

/** Whether rows are those of some patients, and of fewer than ten. */
type IsFew = (rows: Int32Array) => boolean;

/** The rows of one predictor in each subset, by level, with those that lack it. */
interface Partition {
  readonly known: readonly Int32Array[];
  readonly missing: readonly Int32Array[];
  /** By level, then by subset. */
  readonly levels: readonly { readonly name: string; readonly parts: readonly Int32Array[] }[];
}

function rowsOf(column: Column, subsets: readonly Subset[], isFew: IsFew): TableOneRow[] {
  const feature = headText(column.name);
  const isNumber = column.kind === 'number' && !isFlag(column);
  const { known, missing, levels } = partitionOf(column, subsets, isNumber);
  const isShown = shownSubsets(
    [missing, known, ...(isNumber ? [beyondCommonest(column, known)] : levels.map(({ parts }) => parts))],
    isFew,
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
  const { value } = commonest(values);
  return known.map((rows) => rows.filter((row) => values[row] !== value));
}

/**
 * A part of fewer than ten patients hides its subset, and with it every other one but that of all rows, from which it
 * would follow; a small part of all rows hides the predictor.
 */
function shownSubsets(parts: readonly (readonly Int32Array[])[], isFew: IsFew): (subset: number) => boolean {
  const ofAll = parts.some((of) => isFew(of[0]));
  const ofOthers = parts.some((of) => of.slice(1).some(isFew));
  return (subset) => !ofAll && (subset === 0 || !ofOthers);
}

/** Of all digits the number of rows behind a mean would follow; null where no row has a value. */
function moments(all: Float64Array, rows: Int32Array): Cell {
  if (rows.length === 0) return null;
  const values = gather(all, rows);
  const rounded = (value: number) => Number(value.toPrecision(4));
  return { mean: rounded(mean(values)), sd: rounded(Math.sqrt(unbiasedVariance(values))) };
}
