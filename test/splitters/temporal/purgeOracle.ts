/** Purge and embargo from their definitions, pair by pair: slow, and shares no code with what it judges. */
import fc from 'fast-check';
import { InfeasibleSplitError } from '../../../src/core/errors.js';
import type { Fold } from '../../../src/splitters/splitter.js';

export interface Labelled {
  timestamps: number[];
  labelEndTimes: number[];
}

const time = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: -9, max: 30 }) },
  { weight: 1, arbitrary: fc.integer({ min: -1e15, max: 1e15 }) },
  { weight: 1, arbitrary: fc.double({ min: -1e300, max: 1e300, noNaN: true }) },
);
const duration = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  { weight: 4, arbitrary: fc.integer({ min: 0, max: 6 }) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 1e6 }) },
);

/** Unsorted rows with ties, negative and huge times, and labels of every length. */
export const labelled: fc.Arbitrary<Labelled> = fc
  .array(fc.record({ time, duration }), { minLength: 6, maxLength: 40 })
  .map((rows) => ({
    timestamps: rows.map((row) => row.time),
    labelEndTimes: rows.map((row) => row.time + row.duration),
  }));

export const protection = fc.record({
  purgeGap: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 4 })),
  embargoSize: fc.constantFrom(0, 0, 0.05, 0.1, 0.3),
  purgeTime: fc.constantFrom(null, null, 1, 4),
  embargoTime: fc.constantFrom(null, null, 2, 7),
});

export type Protection = Partial<typeof protection extends fc.Arbitrary<infer T> ? T : never>;

/** Rows by time, equal times by row number. */
export const byTime = ({ timestamps }: Labelled): number[] =>
  [...timestamps.keys()].sort((a, b) => timestamps[a] - timestamps[b] || a - b);

/** Ranks at which a cut may lie: the wanted ones, each moved on to the next distinct time. */
export function movedCuts(data: Labelled, wanted: readonly number[]): number[] {
  const times = byTime(data).map((row) => data.timestamps[row]);
  return wanted.map((rank) => {
    let at = rank;
    while (at > 0 && times[at] === times[at - 1]) at++;
    return at;
  });
}

/** Ranks between k blocks of n rows, the first n % k one larger: 0 and n included. */
export function blockEdges(n: number, k: number): number[] {
  const edges = [0];
  for (let block = 0; block < k; block++) edges.push(edges[block] + Math.floor(n / k) + (block < n % k ? 1 : 0));
  return edges;
}

/** What `make` gives, or nothing where these rows cannot be split so. Any other error is a fault. */
export function feasibleOnly<T>(make: () => T[]): T[] {
  try {
    return make();
  } catch (error) {
    if (error instanceof InfeasibleSplitError) return [];
    throw error;
  }
}

/** True when the closed intervals of two rows meet. */
export const meet = ({ timestamps, labelEndTimes }: Labelled, a: number, b: number): boolean =>
  timestamps[a] <= labelEndTimes[b] && timestamps[b] <= labelEndTimes[a];

/** True when the later of two intervals begins sooner after the end of the other than that; written as sums, as times are huge. */
export const isNear = ({ timestamps, labelEndTimes }: Labelled, a: number, b: number, time: number): boolean =>
  timestamps[a] < labelEndTimes[b] + time && labelEndTimes[a] > timestamps[b] - time;

/** Ranks `from` ... `to - 1`, more of them where a time would be torn at `from` (step -1) or at `to` (step 1). */
function keepsTies(times: readonly number[], from: number, to: number, step: 1 | -1): Set<number> {
  const ranks = new Set<number>();
  for (let rank = Math.max(from, 0); rank < Math.min(to, times.length); rank++) ranks.add(rank);
  if (ranks.size === 0) return ranks;
  let edge = step === 1 ? Math.max(...ranks) : Math.min(...ranks);
  while (times[edge + step] === times[edge]) {
    edge += step;
    ranks.add(edge);
  }
  return ranks;
}

export type Sides = Record<'train' | 'test' | 'purged' | 'embargoed', number[]>;

/** The fold that tests the ranks of `runs` (pairs from, to; not adjacent). */
export function expectedSides(
  data: Labelled,
  runs: readonly (readonly [number, number])[],
  { purgeGap = 0, embargoSize = 0, purgeTime = null, embargoTime = null }: Protection,
): Sides {
  const rows = byTime(data);
  const n = rows.length;
  const times = rows.map((row) => data.timestamps[row]);
  const ends = rows.map((row) => data.labelEndTimes[row]);
  const embargo = Math.ceil(Math.round(embargoSize * n * 1e9) / 1e9);
  const ranks = [...rows.keys()];
  const tested = ranks.filter((rank) => runs.some(([from, to]) => from <= rank && rank < to));
  const gap = new Set<number>();
  const held = new Set<number>();
  for (const [from, to] of runs) {
    for (const rank of keepsTies(times, from - purgeGap, from, -1)) gap.add(rank);
    const after = keepsTies(times, to, to + purgeGap, 1);
    for (const rank of after) gap.add(rank);
    const lastEnd = Math.max(...ends.slice(from, to));
    const clear = (rank: number) => times[rank] > lastEnd && times[rank] >= lastEnd + (purgeTime ?? 0);
    const first = ranks.find((rank) => rank >= to && !after.has(rank) && clear(rank));
    if (first === undefined) continue;
    for (const rank of keepsTies(times, first, first + embargo, 1)) held.add(rank);
    const free = lastEnd + (purgeTime ?? 0) + (embargoTime ?? 0);
    for (const rank of ranks) if (rank >= to && times[rank] < free) held.add(rank);
  }
  const sides: Sides = { train: [], test: [], purged: [], embargoed: [] };
  for (const rank of ranks) {
    const close = (other: number) =>
      meet(data, rows[rank], rows[other]) || (purgeTime !== null && isNear(data, rows[rank], rows[other], purgeTime));
    const purged = gap.has(rank) || tested.some(close);
    if (tested.includes(rank)) sides.test.push(rows[rank]);
    else if (purged) sides.purged.push(rows[rank]);
    else if (held.has(rank)) sides.embargoed.push(rows[rank]);
    else sides.train.push(rows[rank]);
  }
  for (const side of Object.values(sides)) side.sort((a, b) => a - b);
  return sides;
}

/** A fold as plain lists, to compare. */
export const sidesOf = ({ train, test, excluded }: Fold): Sides => ({
  train: [...train],
  test: [...test],
  purged: [...(excluded?.purged ?? [])],
  embargoed: [...(excluded?.embargoed ?? [])],
});
