/** Is it a repeated id by its name? */
import type { Labels } from '../../data/labels.js';
import type { Column } from '../features/columns.js';
import { columnHash } from '../features/contentHash.js';
import { contradictingRows, labelHash } from '../features/contradictingRows.js';
import { equalPairs, equalRows } from '../features/equalRows.js';
import { saysPatient } from '../features/nameWords.js';
import { saysId } from '../features/suspects.js';
import { LEAST } from './repeatedId.js';

/** The label is the same in all rows of an id by chance at most so often. */
const ALPHA = 0.001;

/**
 * A repeated id that tells nothing of the features, text or whole numbers: its whole name says patient, or a word of it
 * says id and all rows that share a value have the same label, which chance would not give.
 */
export function namedId(
  column: Column,
  y: Labels | undefined,
): { readonly kind: 'patient'; readonly why: string } | undefined {
  const isPatient = saysPatient(column.name);
  if (!isPatient && !(y && saysId(column.name))) return undefined;
  const { codes, count } = equalRows(columnHash(column));
  const repeating = codes.map((code, row) => (Number.isNaN(column.values[row]) ? -1 : code));
  const repeats = repeating.filter((code) => code >= 0).length - count;
  if (count < LEAST.values || repeats < LEAST.pairs) return undefined;
  if (isPatient) return { kind: 'patient', why: `${count} repeated values, and its name` };
  if (!y || contradictingRows(y, repeating) > 0) return undefined;
  const agreeing = equalPairs(labelHash(y)) / ((y.length * (y.length - 1)) / 2);
  if (agreeing ** repeats >= ALPHA) return undefined;
  return { kind: 'patient', why: `${count} repeated values; all rows that share one have the same label` };
}
