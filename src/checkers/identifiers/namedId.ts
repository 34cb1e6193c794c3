/** Is it an id by its name, whose rows all have one label? */
import type { Labels } from '../../core/labels.js';
import { columnHash } from '../duplicates/contentHash.js';
import { contradictingRows, labelHash } from '../duplicates/contradictingRows.js';
import { equalPairs, equalRows } from '../duplicates/equalRows.js';
import type { Column } from '../features.js';
import { LEAST } from './repeatedId.js';
import { saysId } from './suspects.js';

/** The label is the same in all rows of an id by chance at most so often. */
const ALPHA = 0.001;

/**
 * A repeated id that tells nothing of the features: its name says that it is one, and all rows that share a value have
 * the same label, which chance would not give. Text or whole numbers.
 */
export function namedId(
  column: Column,
  y: Labels | undefined,
): { readonly kind: 'patient'; readonly why: string } | undefined {
  if (!y || !saysId(column.name)) return undefined;
  const { codes, count } = equalRows(columnHash(column));
  const repeating = codes.map((code, row) => (Number.isNaN(column.values[row]) ? -1 : code));
  const repeats = repeating.filter((code) => code >= 0).length - count;
  if (count < LEAST.values || repeats < LEAST.pairs || contradictingRows(y, repeating) > 0) return undefined;
  const agreeing = equalPairs(labelHash(y)) / ((y.length * (y.length - 1)) / 2);
  if (agreeing ** repeats >= ALPHA) return undefined;
  return { kind: 'patient', why: `${count} repeated values; all rows that share one have the same label` };
}
