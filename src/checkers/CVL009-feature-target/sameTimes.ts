import { countValues } from '../../core/tally.js';
import type { Column } from '../features/columns.js';

/** Fewer rows may be chance. */
const LEAST_ROWS = 20;
const LEAST_SHARE = 0.05;
const TIMES_CHANCE = 5;

/**
 * In how many rows a feature is the follow-up itself, as a time is that was measured up to the same visit; 0 where so many
 * would be no surprise, as among a few round numbers.
 */
export function sameTimes(followUp: Float64Array): (column: Column) => number {
  const n = followUp.length;
  const found = countValues(followUp);
  const rowsAt = new Map(found.values.map((time, at) => [time, found.counts[at]]));
  return ({ kind, values }) => {
    if (kind !== 'number') return 0;
    let same = 0;
    for (let row = 0; row < n; row++) if (values[row] === followUp[row]) same++;
    if (same < LEAST_ROWS || same < LEAST_SHARE * n) return 0;
    const own = countValues(values);
    const byChance = own.values.reduce((sum, value, at) => sum + (own.counts[at] * (rowsAt.get(value) ?? 0)) / n, 0);
    return same > TIMES_CHANCE * byChance ? same : 0;
  };
}
