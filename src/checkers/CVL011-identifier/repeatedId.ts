/** Are rows that share a value of a column so alike that the value names a patient? */

import { type RandomSource, shuffle } from '../../core/random.js';
import { gather } from '../../data/labels.js';
import { normalTail } from '../../intervals/normalTail.js';
import { columnRanks } from '../features/columnRanks.js';
import type { Column } from '../features/columns.js';

/** Ids are permuted among so many neighbours; so many rows and columns are looked at. */
const NEIGHBOURS = 8;
const LIMITS = { rows: 500, columns: 32 };
/** Fewer values, or fewer pairs of rows that share one, do not tell. */
export const LEAST = { values: 15, pairs: 10 };
/** With so many permutations as like as the rows themselves the decision is settled (Besag & Clifford 1991). */
const PERMUTATIONS = 199;
const SETTLED = 2;
/** Rows of an id must be more alike by this: all features with an ICC of .36 are, or two constant ones among 26. */
const ALIKE = 0.2;
const BEYOND = 0.14;
/** A column says something where rows of neighbouring values differ nearly as much as any rows. */
const ROUGH = 0.6;
/** A value of more rows, as a share, is no patient but the floor of a scale. */
const FLOOR = 0.1;

/**
 * Compares rows that share a value with rows of neighbouring values, in the other columns: neighbours in age are as
 * alike as equals, patients of neighbouring numbers are strangers. Rows are permuted among neighbouring values; p is
 * the normal tail beyond the mean, for it must hold over many columns. Undefined without a notable difference.
 */
export function repeatedId(column: Column, columns: readonly Column[], random: RandomSource) {
  const { order: sorted, distinct } = columnRanks(column);
  if (distinct < LEAST.values || sorted.length - distinct < LEAST.pairs) return undefined;
  const blocks = blocksOf(gather(column.values, sorted), distinct);
  // Rows of one value in a random order: in that of a sorted file those that follow each other are alike in what it was sorted by.
  const order = shuffledWithin(sorted, blocks.flatMap(runsOf), random);
  const several = blocks.reduce(
    (sum, starts) => sum + starts.filter((_, run) => repeats(starts, run, order.length)).length,
    0,
  );
  if (several < LEAST.pairs) return undefined;
  const others = spread(columns, LIMITS.columns + 1).filter((other) => other !== column);
  const distances = others.flatMap((other) => roughness(other, order, blocks) ?? []);
  const alikeOf = (rows: Int32Array) =>
    alikeness(distances.map(({ between, distance }) => 1 - within(rows, blocks, distance) / between));
  const alike = alikeOf(order);
  if (alike < ALIKE) return undefined;
  let [exceeding, sum, squares] = [0, 0, 0];
  for (let done = 0; done < PERMUTATIONS; done++) {
    const chance = alikeOf(shuffledWithin(order, blocks, random));
    if (chance >= alike && ++exceeding >= SETTLED) return undefined;
    sum += chance;
    squares += chance ** 2;
  }
  const mean = sum / PERMUTATIONS;
  const sd = Math.sqrt(Math.max(0, squares / PERMUTATIONS - mean ** 2));
  const beyond = alike - mean;
  return beyond < BEYOND ? undefined : { ids: distinct, alike, pValue: normalTail(beyond / sd) };
}

/** Root mean square of what is above 0. The most alike column is left out: it may be derived from the one in question. */
function alikeness(shares: readonly number[]): number {
  const squares = shares.map((share) => Math.max(0, share) ** 2);
  const total = squares.reduce((sum, square) => sum + square, 0);
  if (squares.length === 0) return 0;
  if (squares.length < 2) return Math.sqrt(total);
  return Math.sqrt(Math.max(0, total - Math.max(...squares)) / (squares.length - 1));
}

/** Runs of equal values, as places in the order: `starts[at]` to `starts[at + 1]`, of neighbouring values. */
type Block = Int32Array;

/** Blocks of neighbouring values, evenly spread, of about as many rows as are looked at. */
function blocksOf(sorted: Float64Array, distinct: number): Block[] {
  const starts = new Int32Array(distinct + 1);
  let count = 0;
  for (let at = 0; at < sorted.length; at++) if (at === 0 || sorted[at] !== sorted[at - 1]) starts[count++] = at;
  starts[distinct] = sorted.length;
  const blocks: Block[] = [];
  for (let at = 0; at + 1 < distinct; at += NEIGHBOURS) {
    blocks.push(starts.slice(at, Math.min(at + NEIGHBOURS, distinct) + 1));
  }
  return spread(blocks, Math.max(2, Math.ceil((LIMITS.rows * blocks.length) / sorted.length)));
}

const spread = <T>(items: readonly T[], most: number): T[] =>
  items.length <= most
    ? [...items]
    : Array.from({ length: most }, (_, at) => items[Math.floor((at * items.length) / most)]);

type Distance = (a: number, b: number) => number;

/** The floor of a scale, such as 0: rows are alike there in much else. */
const isFloor = (starts: Block, run: number, n: number) =>
  starts[run + 1] - starts[run] > Math.max(LEAST.pairs, FLOOR * n);

const repeats = (starts: Block, run: number, n: number) =>
  starts[run + 1] - starts[run] > 1 && !isFloor(starts, run, n);

/** Differences beside the runs that repeat a value; undefined where neighbours are about as alike as equals can be. */
function roughness(other: Column, order: Int32Array, blocks: readonly Block[]) {
  const distance = distanceIn(other);
  const half = order.length >> 1;
  const [near, any] = [0, 0].map(() => ({ sum: 0, pairs: 0 }));
  for (const starts of blocks) {
    for (let run = 0; run + 1 < starts.length; run++) {
      if (!repeats(starts, run, order.length)) continue;
      const own = starts[run];
      for (const to of [run - 1, run + 1]) {
        if (to < 0 || to + 1 >= starts.length || isFloor(starts, to, order.length)) continue;
        const size = Math.min(starts[to + 1] - starts[to], starts[run + 1] - own);
        for (let at = 0; at < size; at++) near.sum += distance(order[own + at], order[starts[to] + at]);
        near.pairs += size;
      }
      for (let at = own; at < starts[run + 1]; at++, any.pairs++) {
        any.sum += distance(order[at], order[(at + half) % order.length]);
      }
    }
  }
  const [between, most] = [near, any].map(({ sum, pairs }) => sum / pairs);
  return most > 0 && between >= ROUGH * most ? { between, distance } : undefined;
}

function within(rows: Int32Array, blocks: readonly Block[], distance: Distance): number {
  let [sum, pairs] = [0, 0];
  for (const starts of blocks) {
    for (let run = 0; run + 1 < starts.length; run++) {
      if (!repeats(starts, run, rows.length)) continue;
      for (let at = starts[run] + 1; at < starts[run + 1]; at++, pairs++) sum += distance(rows[at - 1], rows[at]);
    }
  }
  return sum / pairs;
}

const runsOf = (starts: Block): Block[] =>
  Array.from({ length: starts.length - 1 }, (_, run) => starts.subarray(run, run + 2));

function shuffledWithin(order: Int32Array, blocks: readonly Block[], random: RandomSource): Int32Array {
  const rows = order.slice();
  for (const starts of blocks) shuffle(random, rows.subarray(starts[0], starts[starts.length - 1]));
  return rows;
}

/** Ranks apart, or categories that differ; a missing cell is as far from any value as the ends are. */
function distanceIn(column: Column): Distance {
  const { values } = column;
  if (column.kind === 'category') {
    return (a, b) => (values[a] === values[b] || (Number.isNaN(values[a]) && Number.isNaN(values[b])) ? 0 : 1);
  }
  const { ranks } = columnRanks(column);
  return (a, b) => {
    const distance = Math.abs(ranks[a] - ranks[b]) / ranks.length;
    return Number.isNaN(distance) ? Number(Number.isNaN(ranks[a]) !== Number.isNaN(ranks[b])) : distance;
  };
}
