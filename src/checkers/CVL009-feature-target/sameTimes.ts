import type { Column } from '../features/columns.js';

/** Fewer rows may be chance. */
const LEAST_ROWS = 20;
const LEAST_SHARE = 0.05;
const TIMES_CHANCE = 5;

/**
 * In how many rows a feature is the follow-up itself, as a time is that was measured up to the same visit; 0 where so many
 * would be no surprise, as among a few round numbers.
 */
export function sameTimes({ kind, values }: Column, followUp: Float64Array): number {
  if (kind !== 'number') return 0;
  const n = followUp.length;
  const [times, own] = [followUp, values].map((each) => {
    const counts = new Map<number, number>();
    for (const value of each) counts.set(value, (counts.get(value) ?? 0) + 1);
    return counts;
  });
  let [same, byChance] = [0, 0];
  for (let row = 0; row < n; row++) if (values[row] === followUp[row]) same++;
  for (const [value, count] of own) byChance += (count * (times.get(value) ?? 0)) / n;
  return same >= LEAST_ROWS && same >= LEAST_SHARE * n && same > TIMES_CHANCE * byChance ? same : 0;
}
