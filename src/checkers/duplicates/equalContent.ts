/** Rows of equal content, whether or not a counter or an id of its own makes each row look different. */
import { gather, rowNumbers } from '../../core/labels.js';
import type { Features } from '../features.js';
import { suspicionOf } from '../identifiers/suspects.js';
import { blankRows } from './blankRows.js';
import { contentHash } from './contentHash.js';
import { copiesOrChance, gathered, type Verdict } from './copiesOrChance.js';
import { type EqualRows, equalRows } from './equalRows.js';

export interface EqualContent extends EqualRows {
  /** What was compared. */
  readonly features: Features;
  /** Names of the columns that were left out: an id of its own for each row. */
  readonly ignored: readonly string[];
}

/** Clusters of equal rows. Columns that number the rows are left out where the rows are copies without them. */
export function equalContent(features: Features, units: Int32Array | undefined): EqualContent {
  const equal = { ...equalRows(contentHash(features)), features, ignored: [] };
  if (equal.count > 0 || features.images) return equal;
  const ids = features.columns.filter((column) => suspicionOf(column)?.kind === 'id');
  if (ids.length === 0 || ids.length === features.columns.length) return equal;
  const rest = { n: features.n, columns: features.columns.filter((column) => !ids.includes(column)) };
  const found = equalRows(contentHash(rest));
  if (found.count === 0 || !weigh(rest, units).copies) return equal;
  return { ...found, features: rest, ignored: ids.map(({ name }) => name) };
}

/** Pairs of equal rows against what chance gives, among the rows that have content. */
export function weigh(features: Features, units: Int32Array | undefined, blank = blankRows(features)): Verdict {
  const rows = rowNumbers(features.n).filter((row) => blank[row] === 0);
  return copiesOrChance(gathered(features.columns, rows), units && gather(units, rows));
}
