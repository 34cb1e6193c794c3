/** Rows that overlap: windows of one recording, tiles of one slide. */

import { counted } from '../../core/format.js';
import { yieldToPage } from '../../core/yieldToPage.js';
import { product } from '../../data/dense.js';
import { rowNumbers } from '../../data/labels.js';
import type { NumericArray, Rows } from '../../data/rows.js';
import type { CheckInput } from '../checkInput.js';
import type { Features } from '../features/columns.js';
import { finish, numberHash } from '../features/contentHash.js';
import { OrthonormalBasis } from '../features/orthonormalBasis.js';
import { batchOf } from '../features/rowBatches.js';
import { acrossFolds } from './acrossFolds.js';

export interface OverlapPair extends Overlap {
  readonly first: number;
  readonly second: number;
}

const SHORTEST = 16;
/** Pairs that are compared. */
const MOST = 50_000;
/** Among more rows windows are not looked for: it takes too much memory. */
const MOST_ROWS = 50_000;

/** Whether rows could be windows or tiles: one input of numbers in memory, long enough. A source is not read twice. */
export const mayOverlap = (X: Rows, { columns, images }: Features): boolean =>
  !X.parts &&
  X.kind !== 'source' &&
  X.rowShape !== undefined &&
  product(X.rowShape) >= SHORTEST &&
  (images !== undefined || columns.every(({ kind }) => kind === 'number'));

export interface Windows {
  readonly n: number;
  readonly shape: readonly number[];
  readonly batch: number;
  read(rows: Int32Array): NumericArray | Promise<NumericArray>;
}

/** Where windows are not looked for, in words: a place in wider rows would not fit beside its hash. */
export function withoutWindows({ rowShape, length }: Rows): string | undefined {
  if (rowShape && product(rowShape) > PLACES) return `in rows of more than ${counted(PLACES, 'value')}`;
  return length > MOST_ROWS ? `among more than ${counted(MOST_ROWS, 'row')}` : undefined;
}

/** The rows as windows, where they may be some and are not too many. */
export function windowsOf(X: Rows, features: Features): Windows | undefined {
  if (withoutWindows(X) || !mayOverlap(X, features)) return undefined;
  const { n, columns } = features;
  return {
    n,
    shape: X.rowShape as readonly number[],
    batch: batchOf(X),
    read: features.images ? async (rows) => (await X.take(rows).toDense()).data : (rows) => cellsOf(columns, rows),
  };
}

function cellsOf(columns: Features['columns'], rows: Int32Array): Float64Array {
  const data = new Float64Array(rows.length * columns.length);
  columns.forEach(({ values }, column) => {
    for (let at = 0; at < rows.length; at++) data[at * columns.length + column] = values[rows[at]];
  });
  return data;
}

/**
 * Pairs of rows of different patients of which half or more is the same, shifted; some are missed where runs are common.
 * See {@link overlapOf}.
 */
export async function overlaps(windows: Windows, patients: Int32Array | undefined): Promise<OverlapPair[]> {
  const { n, shape, batch } = windows;
  const length = product(shape);
  const sketchOf = sketcher(length);
  const sketches: Float64Array[] = [];
  for (let from = 0; from < n; from += batch) {
    const count = Math.min(batch, n - from);
    const data = await windows.read(rowNumbers(count).map((row) => from + row));
    for (let row = 0; row < count; row++) {
      await yieldToPage();
      sketches.push(sketchOf(data, row * length));
    }
  }
  const wanted = (first: number, second: number) => !patients || patients[first] !== patients[second];
  const found: { readonly pair: OverlapPair; readonly runs: readonly number[] }[] = [];
  // Of each run, pairs that overlap where it stands in both, less those that do not.
  const balance = new Map<number, number>();
  for (const pair of shiftedPairs(sketches, wanted).slice(0, MOST)) {
    await yieldToPage();
    const { first, second, shift, runs } = pair;
    const data = await windows.read(Int32Array.of(first, second));
    const [a, b] = [data.subarray(0, length), data.subarray(length)] as NumericArray[];
    const overlap = overlapOf(a, b, shape, shift);
    if (!overlap) continue;
    for (const run of runs) balance.set(run, (balance.get(run) ?? 0) + (overlap === 'differ' ? -1 : 1));
    if (overlap !== 'differ') found.push({ pair: { first, second, ...overlap }, runs });
  }
  // A run that mostly stands in rows that differ around it is a shape that recurs, such as a beat of a heart.
  const isInformative = (run: number) => (balance.get(run) as number) > 0;
  return found
    .filter(({ runs }) => runs.filter(isInformative).length >= Math.max(VOTES, runs.length / 2))
    .map(({ pair }) => pair);
}

// Whether two windows or tiles are cut from one recording or slide, half or more of each: exactly, value by value.

interface Overlap {
  /** How much further on the second one begins, along each dimension of a row. */
  readonly shift: readonly number[];
  readonly share: number;
  /** More than half of what is shared is one value: a thing on an empty ground, of which another row may have one like it. */
  readonly mostlyOne: boolean;
}

/** Windows that share less are left alone; a half may be a little less where sides are odd. */
const LEAST = 0.45;
/** What is shared has at least so many values, so many of them different. */
const [VALUES, DIFFERENT] = [16, 8];
/** In what is not shared there are at least so many different values: else a thing was moved on an empty ground. */
const OUTSIDE = 3;

/**
 * What two rows of this shape share if the second one begins `shift` values later, as they are stored; `'differ'` if they
 * do not agree in every value there; undefined if that is less than half, or says little: too few different values, a
 * period or a curve that fits any such shift, or a thing on an empty ground.
 */
function overlapOf(
  a: NumericArray,
  b: NumericArray,
  shape: readonly number[],
  shift: number,
): Overlap | 'differ' | undefined {
  let answer: 'differ' | undefined;
  for (const steps of stepsOf(shape, shift)) {
    const share = shape.reduce((part, side, at) => (part * Math.max(0, side - Math.abs(steps[at]))) / side, 1);
    if (share < LEAST) continue;
    const shared = isShared(a, b, shape, steps, shift);
    if (shared) return { shift: steps, share, mostlyOne: shared.mostlyOne };
    if (shared === false) answer = 'differ';
  }
  return answer;
}

/** The steps along each dimension that a shift may be: the nearest, and one line more or less. */
function stepsOf(shape: readonly number[], shift: number): number[][] {
  const [side] = shape.slice(-1);
  if (shape.length === 1) return [[shift]];
  const rest = shape.slice(0, -1);
  const last = ((shift % side) + side) % side;
  return [last, last - side].flatMap((step) => stepsOf(rest, (shift - step) / side).map((steps) => [...steps, step]));
}

/** False where they differ, undefined where what they share says little. */
function isShared(
  a: NumericArray,
  b: NumericArray,
  shape: readonly number[],
  steps: readonly number[],
  shift: number,
): { readonly mostlyOne: boolean } | false | undefined {
  const [shared, outside] = [new Map<number, number>(), new Set<number>()];
  let count = 0;
  const place = shape.map(() => 0);
  for (let at = 0; at < a.length; at++) {
    // `at` is a place of the first row; the second one has it at `at - shift`.
    const within = place.every((value, axis) => value - steps[axis] >= 0 && value - steps[axis] < shape[axis]);
    if (within) {
      if (!Object.is(a[at] + 0, b[at - shift] + 0)) return false;
      count++;
      shared.set(a[at], (shared.get(a[at]) ?? 0) + 1);
    } else if (outside.size < OUTSIDE) outside.add(a[at]);
    for (let axis = shape.length - 1; axis >= 0 && ++place[axis] === shape[axis]; axis--) place[axis] = 0;
  }
  const isInformative = count >= VALUES && shared.size >= DIFFERENT && outside.size >= OUTSIDE;
  if (!isInformative) return undefined;
  const whole = joined(a, b, shape, steps);
  const recurs =
    isPeriodic(whole, [whole.length / (a.length / shape[0]), ...shape.slice(1)]) || isPredictable(a, shape);
  if (recurs) return undefined;
  let most = 0;
  for (const times of shared.values()) most = Math.max(most, times);
  return { mostlyOne: most > count / 2 };
}

/** Both rows as one, where they were moved along the first dimension alone: a long period shows in it. */
function joined(a: NumericArray, b: NumericArray, shape: readonly number[], steps: readonly number[]): NumericArray {
  if (steps.slice(1).some((step) => step !== 0)) return a;
  const [early, late] = steps[0] > 0 ? [a, b] : [b, a];
  const more = (Math.abs(steps[0]) * a.length) / shape[0];
  return Float64Array.from([...early, ...late.slice(late.length - more)]);
}

// Short runs of values by which windows of one recording, or tiles of one slide, are known wherever they begin.

/** A run is so many values, of which so many differ from the one before: silence says nothing. */
const [RUN, CHANGES] = [8, 4];
/** Runs that are kept of each row: those with the smallest hashes, so that two rows keep the same ones. */
const KEPT = 32;

/** A hash and a place in one number: places of more than 21 bits would not fit behind 32 bits. */
const PLACES = 2 ** 21;
const hashOf = (key: number) => Math.floor(key / PLACES);

/** The hash of a run is a polynomial of its values, so that the next one follows from it. */
const BASE = 0x01000193;
const HIGHEST = Array.from({ length: RUN - 1 }).reduce<number>((power) => Math.imul(power, BASE), 1);

/**
 * Gives the runs of `length` values that are kept, each as its hash and the place where it begins. Runs that a row has twice
 * are left out: a period is found at any shift.
 *
 * Source: Broder 1997, Compression and Complexity of Sequences, 21 (the smallest hashes stand for all).
 */
function sketcher(length: number): (values: NumericArray, from: number) => Float64Array {
  const cells = new Int32Array(length);
  // Twice as many are kept on the way, since some may turn out to be repeated.
  const kept = new Float64Array(4 * KEPT);
  const changes = (at: number) => (at > 0 && cells[at] !== cells[at - 1] ? 1 : 0);
  return (values, from) => {
    let [hash, changed, largest, count] = [0, 0, 2 ** 32, 0];
    for (let at = 0; at < length; at++) {
      cells[at] = numberHash(values[from + at]);
      const place = at - RUN + 1;
      if (place > 0) hash = (hash - Math.imul(cells[place - 1], HIGHEST)) | 0;
      hash = (Math.imul(hash, BASE) + cells[at]) | 0;
      // Whether the first value of a run differs from the one before it does not matter.
      changed += changes(at) - changes(place);
      if (place < 0 || changed < CHANGES) continue;
      const end = finish(hash) >>> 0;
      if (end >= largest) continue;
      kept[count++] = end * PLACES + place;
      if (count < kept.length) continue;
      kept.sort();
      count = 2 * KEPT;
      largest = hashOf(kept[count - 1]);
    }
    return firstUnrepeated(kept.subarray(0, count).sort());
  };
}

/** Up to {@link KEPT} of the runs in ascending order whose hash no other has. */
function firstUnrepeated(sorted: Float64Array): Float64Array {
  const runs = new Float64Array(KEPT);
  let count = 0;
  let [hash, next] = [-1, hashOf(sorted[0])];
  for (let at = 0; at < sorted.length && count < KEPT; at++) {
    const before = hash;
    [hash, next] = [next, hashOf(sorted[at + 1])];
    if (hash !== before && hash !== next) runs[count++] = sorted[at];
  }
  return runs.subarray(0, count);
}

/** Two rows of which several runs are the same, one of them so many values further on than the other. */
interface Shifted {
  readonly first: number;
  readonly second: number;
  /** Place of a run in the first less its place in the second. */
  readonly shift: number;
  readonly runs: readonly number[];
}

const VOTES = 2;
/** Of a run that more rows have, only rows next to each other are compared. */
const COMMON = 16;

/** The pairs of rows that are wanted and whose runs agree on a shift other than 0, those with the most runs first. */
function shiftedPairs(
  sketches: readonly Float64Array[],
  wanted: (first: number, second: number) => boolean,
): Shifted[] {
  const total = sketches.reduce((sum, { length }) => sum + length, 0);
  const [rows, places, entries] = [new Int32Array(total), new Int32Array(total), new Float64Array(total)];
  const isRepeated = repeatedHashes(sketches);
  let count = 0;
  for (const [row, sketch] of sketches.entries()) {
    for (const key of sketch) {
      const hash = hashOf(key);
      if (!isRepeated(hash)) continue;
      rows[count] = row;
      places[count] = key - hash * PLACES;
      entries[count] = hash * PLACES + count++;
    }
  }
  // Ascending, so that runs with one hash come in the order of their rows.
  const sorted = entries.subarray(0, count).sort();
  const votes = new Map<number, Map<number, number[]>>();
  for (let from = 0, to = 0; from < count; from = to) {
    const hash = hashOf(sorted[from]);
    while (to < count && hashOf(sorted[to]) === hash) to++;
    for (let a = from; a < to; a++) {
      const one = sorted[a] - hash * PLACES;
      for (let b = a + 1; b < (to - from > COMMON ? Math.min(to, a + 4) : to); b++) {
        const other = sorted[b] - hash * PLACES;
        const shift = places[one] - places[other];
        if (shift === 0 || !wanted(rows[one], rows[other])) continue;
        const key = rows[one] * sketches.length + rows[other];
        const shifts = votes.get(key) ?? new Map<number, number[]>();
        shifts.set(shift, [...(shifts.get(shift) ?? []), hash]);
        votes.set(key, shifts);
      }
    }
  }
  return [...votes]
    .map(([key, shifts]) => {
      const [shift, agreeing] = [...shifts].reduce((best, each) => (each[1].length > best[1].length ? each : best));
      return { first: Math.floor(key / sketches.length), second: key % sketches.length, shift, runs: agreeing };
    })
    .filter(({ runs: { length } }) => length >= VOTES)
    .sort((a, b) => b.runs.length - a.runs.length);
}

/** Whether two rows may have a hash: most runs stand in one row, and need not be sorted. */
function repeatedHashes(sketches: readonly Float64Array[]): (hash: number) => boolean {
  const counts = new Uint8Array(2 ** 20);
  for (const sketch of sketches) {
    for (const key of sketch) {
      const slot = hashOf(key) % counts.length;
      if (counts[slot] < 2) counts[slot]++;
    }
  }
  return (hash) => counts[hash % counts.length] > 1;
}

// Whether a row goes on as it must: by a period, or as sines, ramps and exponential curves do. Such rows fit others by chance.

/** Values that tell; values before one from which it may follow; share of values that must follow. */
const [LONGEST, ORDER, FOLLOW] = [2048, 4, 0.9];
/** What is left below this part of the spread is rounding. */
const ROUNDING = 1e-6;

/** Whether values follow from the last four, but for rounding, along the first or the last dimension. */
function isPredictable(a: NumericArray, shape: readonly number[]): boolean {
  const strides = new Set([a.length / shape[0], 1]);
  const first = a.subarray(0, LONGEST) as NumericArray;
  return [...strides].some((stride) => follows(first, stride, leastStep(first)));
}

/** The least difference of two values: what they are rounded to, if they are. */
function leastStep(a: NumericArray): number {
  const values = Float64Array.from(a).sort();
  let step = Infinity;
  for (let at = 1; at < values.length; at++)
    if (values[at] > values[at - 1]) step = Math.min(step, values[at] - values[at - 1]);
  return step < Infinity ? step : 0;
}

/** Linear recurrence by least squares: exact for sums of two sines, or of ramps and exponential curves. */
function follows(a: NumericArray, stride: number, step: number): boolean {
  const n = a.length - ORDER * stride;
  if (n < 4 * ORDER) return false;
  const lag = (k: number) => Float64Array.from({ length: n }, (_, at) => a[at + (ORDER - k) * stride]);
  const constant = new Float64Array(n).fill(1);
  const rest = new OrthonormalBasis([constant, ...[1, 2, 3, 4].map(lag)]).rest(lag(0));
  let [low, high] = [Infinity, -Infinity];
  for (const value of a) [low, high] = [Math.min(low, value), Math.max(high, value)];
  const most = Math.max(step, ROUNDING * (high - low));
  return rest.filter((each) => Math.abs(each) <= most).length >= FOLLOW * n;
}

/** What a period leaves over to be seen, how often that changes at least, and the share of it that repeats itself. */
const [REMAINING, CHANGED, REPEATED] = [16, 8, 0.75];

function isPeriodic(a: NumericArray, shape: readonly number[]): boolean {
  const [first, last] = [shape[0], shape[shape.length - 1]];
  const line = a.length / first;
  for (let period = 1; period <= first - REMAINING; period++) if (repeats(a, period * line)) return true;
  for (let period = 1; shape.length > 1 && period <= last - REMAINING; period++) if (repeats(a, period)) return true;
  return false;
}

/** Silence repeats nothing: places count where the row changes. */
function repeats(a: NumericArray, step: number): boolean {
  let [same, changed] = [0, 0];
  for (let at = step; at < a.length; at++) {
    if (a[at] === a[at - 1] && a[at - step] === a[at - step - 1]) continue;
    changed++;
    if (a[at] === a[at - step]) same++;
  }
  return changed >= CHANGED && same >= REPEATED * changed;
}

/** What is to be said of windows or tiles that overlap across the sides of a fold; undefined where none do. */
export function sharedAcross({ folds, rowOf }: CheckInput, found: readonly OverlapPair[]) {
  const all = acrossFolds(folds, found);
  if (all.length === 0) return undefined;
  const certain = all.filter(({ pair }) => !found[pair].mostlyOne);
  const isDoubtful = certain.length === 0;
  const rows = isDoubtful ? all : certain;
  const testRows = new Set(rows.map(({ test }) => test)).size;
  const [{ pair, fold, train, test }] = rows;
  const { shift, share } = found[pair];
  const example = { fold, train: rowOf(train), test: rowOf(test), shift, share };
  const by = shift.length === 1 ? counted(Math.abs(shift[0]), 'value') : `[${shift.map(Math.abs).join(', ')}] places`;
  const same = `in ${fold}, ${Math.round(100 * share)} % of test row ${example.test} is the same, value by value, as in training row ${example.train}, shifted by ${by}.`;
  const who = `At least ${counted(testRows, 'test row')}`;
  const [overlap, have] = testRows === 1 ? ['overlaps', 'shares'] : ['overlap', 'share'];
  const message = isDoubtful
    ? `${who} ${have} half or more with a training row, as windows of one recording do that overlap, and as a noise-free shape does that recurs: which of them it is cannot be told here, because most of what is shared is one value. For example, ${same}`
    : `${who} ${overlap} a training row, as windows of one recording or tiles of one slide do: ${same}`;
  const evidence = { testRows, overlaps: rows.length, overlap: example, examples: [] };
  return {
    finding: isDoubtful
      ? { status: 'needs_review' as const, severity: 'low' as const, fold, message, evidence, fix: `${IF} ${FIX}` }
      : { status: 'failed' as const, severity: 'high' as const, fold, message, evidence, fix: FIX },
    rows,
  };
}

const IF = 'If the rows are cut from the same recordings or slides:';
const FIX =
  'Split by recording or slide: pass it as `patientIds` (or in `hierarchy`) and use a grouped splitter; within one recording, a splitter with a gap as long as a window.';
