/** Short runs of values by which windows of one recording, or tiles of one slide, are known wherever they begin. */
import type { NumericArray } from '../../../data/rows.js';
import { finish, numberHash } from '../../features/contentHash.js';

/** A run is so many values, of which so many differ from the one before: silence says nothing. */
const [RUN, CHANGES] = [8, 4];
/** Runs that are kept of each row: those with the smallest hashes, so that two rows keep the same ones. */
export const KEPT = 32;

/** Hashes of the runs that were kept, and where they begin; fewer where a row has fewer. */
export interface Sketch {
  readonly hashes: Uint32Array;
  readonly places: Int32Array;
}

/** The hash of a run is a polynomial of its values, so that the next one follows from it. */
const BASE = 0x01000193;
const HIGHEST = Array.from({ length: RUN - 1 }).reduce<number>((power) => Math.imul(power, BASE), 1);

/** The runs with the smallest hashes so far: each key is a hash and, in its last bits, the place in `starts`. */
const SLOTS = 4 * KEPT;
const keys = new Float64Array(SLOTS);
const starts = new Int32Array(SLOTS);
const sorted = new Int32Array(SLOTS);
const hashOf = (key: number) => Math.floor(key / SLOTS);

/**
 * The sketch of the values from `from` on. Runs that a row has twice are left out: a period is found at any shift.
 *
 * Source: Broder 1997, Compression and Complexity of Sequences, 21 (the smallest hashes stand for all).
 */
export function sketchOf(values: NumericArray, from: number, length: number): Sketch {
  const cells = new Int32Array(length);
  const changes = new Uint8Array(length);
  let hash = 0;
  let changed = 0;
  let count = 0;
  let largest = 2 ** 32;
  for (let at = 0; at < length; at++) {
    cells[at] = numberHash(values[from + at]);
    changes[at] = at > 0 && cells[at] !== cells[at - 1] ? 1 : 0;
    const place = at - RUN + 1;
    if (place > 0) hash = (hash - Math.imul(cells[place - 1], HIGHEST)) | 0;
    hash = (Math.imul(hash, BASE) + cells[at]) | 0;
    // Whether the first value of a run differs from the one before it does not matter.
    changed += changes[at] - (place >= 0 ? changes[place] : 0);
    if (place < 0 || changed < CHANGES) continue;
    const end = finish(hash) >>> 0;
    if (end >= largest) continue;
    keys[count] = end * SLOTS + count;
    starts[count++] = place;
    if (count < SLOTS) continue;
    // Twice as many are kept on the way, since some may turn out to be repeated.
    sortRuns(count);
    count = 2 * KEPT;
    for (let slot = 0; slot < count; slot++) keys[slot] = hashOf(keys[slot]) * SLOTS + slot;
    largest = hashOf(keys[count - 1]);
  }
  sortRuns(count);
  const [hashes, places] = [new Uint32Array(KEPT), new Int32Array(KEPT)];
  let kept = 0;
  for (let at = 0; at < count && kept < KEPT; at++) {
    const own = hashOf(keys[at]);
    const isRepeated = (at > 0 && hashOf(keys[at - 1]) === own) || (at + 1 < count && hashOf(keys[at + 1]) === own);
    if (isRepeated) continue;
    hashes[kept] = own;
    places[kept++] = starts[at];
  }
  return { hashes: hashes.subarray(0, kept), places: places.subarray(0, kept) };
}

/** Sorts the keys, and the places of their runs with them. */
function sortRuns(count: number): void {
  keys.subarray(0, count).sort();
  for (let at = 0; at < count; at++) sorted[at] = starts[keys[at] % SLOTS];
  starts.set(sorted);
}

/** Two rows of which several runs are the same, one of them so many values further on than the other. */
export interface Shifted {
  readonly first: number;
  readonly second: number;
  /** Place of a run in the first less its place in the second. */
  readonly shift: number;
  /** Hashes of those runs. */
  readonly runs: readonly number[];
}

/** Runs that must agree on one shift. */
export const VOTES = 2;
/** More runs, of 65,536 rows, do not fit behind a hash in 53 bits. */
const MOST_ENTRIES = 2 ** 21;
/** Of a run that more rows have, only rows next to each other are compared. */
const COMMON = 16;

/** The pairs of rows that are wanted and whose runs agree on a shift other than 0, those with the most runs first. */
export function shiftedPairs(
  sketches: readonly Sketch[],
  wanted: (first: number, second: number) => boolean,
): Shifted[] {
  const { entries, rows, places } = sharedRuns(sketches);
  const total = entries.length;
  const votes = new Map<number, Map<number, number[]>>();
  for (let from = 0, to = 0; from < total; from = to) {
    const hash = hashOfEntry(entries[from]);
    while (to < total && hashOfEntry(entries[to]) === hash) to++;
    for (let a = from; a < to; a++) {
      const one = entries[a] % MOST_ENTRIES;
      for (let b = a + 1; b < (to - from > COMMON ? Math.min(to, a + 4) : to); b++) {
        const other = entries[b] % MOST_ENTRIES;
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
      const [shift, runs] = [...shifts].reduce((best, each) => (each[1].length > best[1].length ? each : best));
      return { first: Math.floor(key / sketches.length), second: key % sketches.length, shift, runs };
    })
    .filter(({ runs }) => runs.length >= VOTES)
    .sort((a, b) => b.runs.length - a.runs.length);
}

/** Slots for hashes, as a number of bits. */
const SHARED_BITS = 22;

/** Runs that several rows may have; each entry is a hash and, behind it, the place of its run among `rows` and `places`. */
interface SharedRuns {
  /** Ascending, so that entries with one hash come in the order of their rows. */
  readonly entries: Float64Array;
  readonly rows: readonly number[];
  readonly places: readonly number[];
}

const hashOfEntry = (entry: number) => Math.floor(entry / MOST_ENTRIES);

function sharedRuns(sketches: readonly Sketch[]): SharedRuns {
  const twice = seenTwice(sketches);
  const [rows, places, found]: number[][] = [[], [], []];
  for (let row = 0; row < sketches.length; row++) {
    const { hashes, places: of } = sketches[row];
    for (let at = 0; at < hashes.length; at++) {
      if ((twice[wordOf(hashes[at])] & (1 << hashes[at])) === 0) continue;
      found.push(hashes[at] * MOST_ENTRIES + rows.length);
      rows.push(row);
      places.push(of[at]);
    }
  }
  return { entries: Float64Array.from(found).sort(), rows, places };
}

/** Hashes that are kept are the smallest of a row: their lower bits differ. */
const wordOf = (hash: number) => (hash & (2 ** SHARED_BITS - 1)) >>> 5;

/** One bit for each slot, so that a cache holds them: 1 for all hashes that several rows have, and for few others. */
function seenTwice(sketches: readonly Sketch[]): Int32Array {
  const [once, twice] = [new Int32Array(2 ** (SHARED_BITS - 5)), new Int32Array(2 ** (SHARED_BITS - 5))];
  for (let row = 0; row < sketches.length; row++) {
    const { hashes } = sketches[row];
    for (let at = 0; at < hashes.length; at++) {
      const [word, bit] = [wordOf(hashes[at]), 1 << hashes[at]];
      if (once[word] & bit) twice[word] |= bit;
      else once[word] |= bit;
    }
  }
  return twice;
}
