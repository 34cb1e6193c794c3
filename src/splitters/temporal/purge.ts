/** Rows kept away from test rows in time. Source: López de Prado 2018, Advances in Financial Machine Learning, chapter 7. */

import { InfeasibleSplitError, InvalidDataError, invalidData, kindOf, phrase, sentence } from '../../core/errors.js';
import { integer, number } from '../../core/options.js';
import { rowsPerCode, tally } from '../../data/encode.js';
import { type SideData, timesOf } from '../../data/sideData.js';
import { foldId } from '../assignment.js';
import { type Fold, withWarnings } from '../splitter.js';
import { amountOf, nextTime, startOfTime, type TimeOrder, timeOrder } from './timeOrder.js';

export const purgeOptions = {
  purgeGap: integer({ min: 0 }).default(0).describe('Rows left out next to a test block, in time order.'),
  embargoSize: number({ min: 0, below: 1 })
    .default(0)
    .describe('Share of all rows (rounded up) left out after a test block, counted from where its labels have ended.'),
};

/** Rows in the order of time: the label of the row at place p covers [times[p], ends[p]], both included. */
export interface LabelledRows extends TimeOrder {
  readonly ends: Float64Array;
}

export function labelledRows(owner: string, { timestamps, labelEndTimes }: SideData, n: number): LabelledRows {
  const order = timeOrder({ timestamps }, n);
  if (labelEndTimes === undefined) return { ...order, ends: order.times };
  if (timestamps === undefined) {
    const must = 'be given `timestamps` with `labelEndTimes`';
    throw invalidData('missing_timestamps', owner, must, '`labelEndTimes` alone');
  }
  const { values, dates } = timesOf(labelEndTimes, n, 'labelEndTimes');
  if (dates !== order.dates) {
    const kind = order.dates ? 'a Date or an ISO 8601 string' : 'a number';
    const must = `be ${kind}, as timestamps are`;
    throw new InvalidDataError(sentence('labelEndTimes row 0', must, kindOf(labelEndTimes[0])));
  }
  return { ...order, ends: Float64Array.from(order.rows, (row) => values[row]) };
}

/** A share of n, rounded up. 0.07 * 100 is 7, whatever its last binary digit says. */
const embargoRows = (embargoSize: number, n: number): number => Math.ceil(Number((embargoSize * n).toPrecision(12)));

/** Places `from` ... `to - 1`, tested together, and the places around them where nothing may train. */
export interface TestBlock {
  readonly from: number;
  readonly to: number;
  /** The gap before the block begins here. */
  readonly back: number;
  /** First place after the block that neither the gap nor a label of the block reaches. */
  readonly clear: number;
  /** First place after the embargo, which begins at `clear`. */
  readonly released: number;
}

/** Blocks between each two neighbours of `cuts`. Throws `InfeasibleSplitError` when shared times leave one empty. */
export function testBlocks(
  rows: LabelledRows,
  cuts: readonly number[],
  { purgeGap, embargoSize }: { readonly purgeGap: number; readonly embargoSize: number },
  nameOf: (block: number) => string,
): TestBlock[] {
  const { n, times, ends } = rows;
  const embargo = embargoRows(embargoSize, n);
  return cuts.slice(1).map((to, block) => {
    const from = cuts[block];
    if (from === to) {
      const got = `none: ${amountOf(rows)}, cut into ${cuts.length - 1} test blocks`;
      const way = 'Rows of one time stay together; use fewer `nSplits`.';
      throw new InfeasibleSplitError(sentence(nameOf(block), 'have rows to test', phrase(got), way));
    }
    const lastEnd = ends.subarray(from, to).reduce((a, b) => Math.max(a, b));
    let clear = nextTime(rows, to + purgeGap);
    while (clear < n && times[clear] <= lastEnd) clear++;
    return { from, to, back: startOfTime(rows, from - purgeGap), clear, released: nextTime(rows, clear + embargo) };
  });
}

const TEST = 1;
export const [TRAIN, PURGED, EMBARGOED, LATER] = [0, 2, 3, 4] as const;

/**
 * The side of each place when `tested` (ascending, disjoint) are the test blocks. In time order an interval meets some
 * test interval before it exactly when it starts by the last of their ends, and some after it exactly when it ends at
 * or after the first of their starts: one walk compares all pairs.
 */
export function sidesAround({ n, times, ends }: LabelledRows, tested: readonly TestBlock[]): Uint8Array {
  const sides = new Uint8Array(n).fill(TRAIN);
  let clear = 0;
  let released = 0;
  const separate = (from: number, to: number, back: number, nextTest: number) => {
    for (let place = from; place < to; place++) {
      if (place < clear || place >= back || ends[place] >= nextTest) sides[place] = PURGED;
      else if (place < released) sides[place] = EMBARGOED;
    }
  };
  let from = 0;
  for (const block of tested) {
    separate(from, block.from, block.back, times[block.from]);
    sides.fill(TEST, block.from, block.to);
    clear = Math.max(clear, block.clear);
    released = Math.max(released, block.released);
    from = block.to;
  }
  separate(from, n, n, Infinity);
  return sides;
}

/**
 * The fewest blocks that leave no row to train on when they are tested together. A test block shuts a stretch of
 * places: from behind the last one before it that it lets train, up to its release. Later stretches begin no earlier,
 * so the one that reaches farthest is always the best next one.
 */
export function fewestThatCover({ n, times, ends }: LabelledRows, blocks: readonly TestBlock[]): number[] {
  const lastFree = blocks.map(({ from, back }) => ends.subarray(0, back).findLastIndex((end) => end < times[from]));
  const chosen: number[] = [];
  let covered = 0;
  let next = 0;
  while (covered < n) {
    let farthest = next;
    for (; next < blocks.length && lastFree[next] < covered; next++) {
      if (blocks[next].released > blocks[farthest].released) farthest = next;
    }
    chosen.push(farthest);
    covered = blocks[farthest].released;
  }
  return chosen;
}

export function checkTrainable(owner: string, fold: number, sides: Uint8Array): void {
  if (sides.includes(TRAIN)) return;
  const [, tested, purged, embargoed, later] = tally(Int32Array.from(sides), 5);
  const got = `none of ${sides.length}: ${tested} tested, ${purged} purged, ${embargoed} embargoed`;
  const subject = `Fold ${foldId(fold)} of ${owner}`;
  const must = 'have rows to train on';
  throw new InfeasibleSplitError(sentence(subject, must, phrase(later > 0 ? `${got}, ${later} later` : got)));
}

export function foldOfSides({ n, rows }: TimeOrder, fold: number, sides: Uint8Array): Fold {
  const sideOf = new Int32Array(n);
  for (let place = 0; place < n; place++) sideOf[rows[place]] = sides[place];
  const [train, test, purged, embargoed] = rowsPerCode(sideOf, tally(sideOf, 5));
  const excluded = { ...(purged.length > 0 ? { purged } : {}), ...(embargoed.length > 0 ? { embargoed } : {}) };
  return { id: foldId(fold), train, test, ...(Object.keys(excluded).length > 0 ? { excluded } : {}) };
}

export function checkedFolds(
  owner: string,
  order: TimeOrder,
  nFolds: number,
  sidesOf: (fold: number) => Uint8Array,
): Iterable<Fold> {
  for (let fold = 0; fold < nFolds; fold++) checkTrainable(owner, fold, sidesOf(fold));
  return withWarnings(undefined, function* () {
    for (let fold = 0; fold < nFolds; fold++) yield foldOfSides(order, fold, sidesOf(fold));
  });
}
