/** Whether values lie on no grid, so that none is there twice by chance. */
import { power } from '../../core/numbers.js';
import type { Column } from '../features/columns.js';

/** So many of the values that are known must be different. */
const DIFFERENT = 0.8;
/** On a grid more of the gaps between values have the width of another gap. */
const TIED = 0.1;
/** Rounding errors, of the largest value; gaps of fewer than so many of these are not seen. */
const [EXACT, SEEN] = [1e-12, 1000];

/** A grid may be seen in the values or, where these were computed from rounded ones, in what undoes it. */
const UNDO: readonly ((value: number) => number)[] = [
  (value) => value,
  Math.exp,
  (value) => power(2, value),
  (value) => power(10, value),
  (value) => value ** 2,
  (value) => 1 / value,
];

/**
 * Numbers with all their decimals, most of them different. What was rounded, to decimals or in another unit, leaves gaps
 * that are multiples of one step: few values of it have many gaps of one width.
 */
export function isOffGrid({ kind, values }: Pick<Column, 'kind' | 'values'>): boolean {
  const known = values.filter((value) => !Number.isNaN(value));
  const different = [...new Set(known)];
  if (kind === 'category' || known.length === 0) return false;
  if (different.length < DIFFERENT * known.length || !different.every(Number.isFinite)) return false;
  return UNDO.every((undo) => !hasTiedGaps(Float64Array.from(different, undo)));
}

function hasTiedGaps(values: Float64Array): boolean {
  const sorted = values.filter(Number.isFinite).sort();
  const same = EXACT * Math.max(Math.abs(sorted[0]), Math.abs(sorted[sorted.length - 1]));
  const gaps = sorted
    .map((value, at) => value - sorted[at - 1])
    .filter((gap) => gap > SEEN * same)
    .sort();
  let tied = 0;
  for (let at = 1; at < gaps.length; at++) if (gaps[at] - gaps[at - 1] <= same) tied++;
  return tied > TIED * gaps.length;
}
