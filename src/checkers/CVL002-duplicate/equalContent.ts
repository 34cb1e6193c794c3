/** Rows of equal content, whether or not a counter, a time or one more column makes each row look different. */
import { gather, rowNumbers } from '../../data/labels.js';
import { columnRanks } from '../features/columnRanks.js';
import type { Column, Features } from '../features/columns.js';
import { contentHash, hashWithout } from '../features/contentHash.js';
import { type EqualRows, equalRows } from '../features/equalRows.js';
import { suspicionOf } from '../features/suspects.js';
import { blankRows } from './blankRows.js';
import { copiesOrChance, gathered, type Verdict } from './copiesOrChance.js';
import { fineColumns, isFine } from './fineColumns.js';
import { independentColumns } from './independentColumns.js';

export interface EqualContent extends EqualRows {
  /** What was compared. */
  readonly features: Features;
  /** Names of the columns that were left out. */
  readonly ignored: readonly string[];
}

/** Half of fewer columns says nothing; more cells, in all and of rows that are half equal, take too long. */
const ONE_LESS = { half: 2, cells: 1e7, halfEqual: 2e6 };
/** So many columns must be fine besides the one left out. */
const FINE_COLUMNS = 2;

/**
 * Clusters of equal rows. Where there are none, ids and times are left out, then one fine column more: the one without
 * which most rows are equal. What is found so counts where the rows are copies, and no rows of few values.
 */
export function equalContent(features: Features, units: Int32Array | undefined): EqualContent {
  const equal = { ...equalRows(contentHash(features)), features, ignored: [] };
  if (equal.count > 0 || features.images) return equal;
  const suspects = features.columns.filter(suspicionOf);
  const numbering = suspects.length < features.columns.length ? suspects : [];
  const rest = without(features, numbering);
  const left = numbering.length > 0 ? equalRows(contentHash(rest)) : equal;
  const found = left.count > 0 ? { ...left, features: rest, odd: [] } : equalButOne(rest);
  if (!found || !weigh(found.features, units).copies) return equal;
  const { odd, ...clusters } = found;
  return { ...clusters, ignored: [...numbering, ...odd].map(({ name }) => name) };
}

/**
 * Rows that agree in all columns but a fine one, where others are fine, too: few rows agree in these by chance. Such rows
 * are equal in one half of the columns; each column in turn is left out of the rows that are.
 */
function equalButOne({
  n,
  columns: given,
}: Features): (EqualRows & { readonly features: Features; readonly odd: readonly Column[] }) | undefined {
  if (n * given.length > ONE_LESS.cells || given.filter(hasTies).length < FINE_COLUMNS) return undefined;
  const columns = independentColumns(given);
  const middle = columns.length >> 1;
  if (middle < ONE_LESS.half) return undefined;
  const halves = [columns.slice(0, middle), columns.slice(middle)];
  const [a, b] = halves.map((half) => equalRows(contentHash({ n, columns: half })).codes);
  const rows = rowNumbers(n).filter((row) => a[row] >= 0 || b[row] >= 0);
  if (rows.length === 0 || rows.length * columns.length > ONE_LESS.halfEqual) return undefined;
  const looked = gathered(columns, rows);
  const hash = contentHash({ n: rows.length, columns: looked });
  let [best, odd]: [EqualRows, number] = [{ count: 0, codes: rows }, -1];
  looked.forEach((column, at) => {
    const found = equalRows(hashWithout(hash, column, at));
    if (found.count > best.count && isFine(columns[at])) [best, odd] = [found, at];
  });
  if (odd < 0) return undefined;
  const codes = new Int32Array(n).fill(-1);
  rows.forEach((row, at) => {
    codes[row] = best.codes[at];
  });
  const rest = without({ n, columns }, [columns[odd]]);
  const repeats = codes.filter((code) => code >= 0).length - best.count;
  // Where most rows repeat others, they follow a few values: of one age, all that follows from it is equal.
  if (repeats > n / 2 || fineColumns(rest.columns, codes).length < FINE_COLUMNS) return undefined;
  return { codes, count: best.count, features: rest, odd: [columns[odd]] };
}

/** Whether a value is there twice. */
const hasTies = (column: Column): boolean => {
  const { distinct, order } = columnRanks(column);
  return distinct < order.length;
};

const without = ({ n, columns }: Features, odd: readonly Column[]): Features => ({
  n,
  columns: columns.filter((column) => !odd.includes(column)),
});

/** Pairs of equal rows against what chance gives, among the rows that have content. */
export function weigh(features: Features, units: Int32Array | undefined, blank = blankRows(features)): Verdict {
  const rows = rowNumbers(features.n).filter((row) => blank[row] === 0);
  const columns = independentColumns(gathered(features.columns, rows));
  return copiesOrChance(columns, units && gather(units, rows));
}
