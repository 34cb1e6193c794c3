/** Short runs of values by which windows of one recording, or tiles of one slide, are known wherever they begin. */
import type { NumericArray } from '../../../data/rows.js';
import { finish } from '../../features/contentHash.js';

/** A run is so many values, of which so many differ from the one before: silence says nothing. */
const [RUN, CHANGES] = [8, 4];
/** Runs that are kept of each row: those with the smallest hashes, so that two rows keep the same ones. */
export const KEPT = 32;

/** Hashes of the runs that were kept, and where they begin; fewer where a row has fewer. */
export interface Sketch {
  readonly hashes: Uint32Array;
  readonly places: Int32Array;
}

const one = new Float64Array(1);
const words = new Uint32Array(one.buffer);

/** A number as 32 bits that look random; -0 counts as 0. */
function scrambled(value: number): number {
  one[0] = value === 0 ? 0 : Number.isNaN(value) ? Number.NaN : value;
  return mixed(words[0] ^ Math.imul(words[1], 0x9e3779b1));
}

const mixed = (word: number) => finish(word) >>> 0;

/**
 * The sketch of the values from `from` on. Runs that a row has twice are left out: a period is found at any shift.
 *
 * Source: Broder 1997, Compression and Complexity of Sequences, 21 (the smallest hashes stand for all).
 */
export function sketchOf(values: NumericArray, from: number, length: number): Sketch {
  const cells = new Uint32Array(length);
  const changes = new Uint8Array(length);
  for (let at = 0; at < length; at++) {
    cells[at] = scrambled(values[from + at]);
    changes[at] = at > 0 && cells[at] !== cells[at - 1] ? 1 : 0;
  }
  const runs: { readonly hash: number; readonly place: number }[] = [];
  let largest = 2 ** 32;
  for (let at = 0; at + RUN <= length; at++) {
    let [hash, changed] = [cells[at], 0];
    for (let k = 1; k < RUN; k++) {
      hash = (Math.imul(hash, 0x01000193) + cells[at + k]) | 0;
      changed += changes[at + k];
    }
    if (changed < CHANGES) continue;
    const end = mixed(hash);
    if (end >= largest) continue;
    runs.push({ hash: end, place: at });
    if (runs.length < 4 * KEPT) continue;
    runs.sort((a, b) => a.hash - b.hash);
    // Twice as many are kept on the way, since some may turn out to be repeated.
    runs.length = 2 * KEPT;
    largest = runs[runs.length - 1].hash;
  }
  runs.sort((a, b) => a.hash - b.hash);
  const single = runs
    .filter(({ hash }, at) => runs[at - 1]?.hash !== hash && runs[at + 1]?.hash !== hash)
    .slice(0, KEPT);
  return {
    hashes: Uint32Array.from(single, ({ hash }) => hash),
    places: Int32Array.from(single, ({ place }) => place),
  };
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
/** Of a run that more rows have, only rows next to each other are compared. */
const COMMON = 16;

/** The pairs of rows that are wanted and whose runs agree on a shift other than 0, those with the most runs first. */
export function shiftedPairs(
  sketches: readonly Sketch[],
  wanted: (first: number, second: number) => boolean,
): Shifted[] {
  const entries = sketches.flatMap(({ hashes, places }, row) =>
    Array.from(hashes, (hash, at) => ({ hash, row, place: places[at] })),
  );
  entries.sort((a, b) => a.hash - b.hash || a.row - b.row);
  const votes = new Map<number, Map<number, number[]>>();
  for (let from = 0, to = 0; from < entries.length; from = to) {
    while (to < entries.length && entries[to].hash === entries[from].hash) to++;
    for (let a = from; a < to; a++) {
      for (let b = a + 1; b < (to - from > COMMON ? Math.min(to, a + 4) : to); b++) {
        const [one, other] = [entries[a], entries[b]];
        if (one.place === other.place || !wanted(one.row, other.row)) continue;
        const key = one.row * sketches.length + other.row;
        const shifts = votes.get(key) ?? new Map<number, number[]>();
        const shift = one.place - other.place;
        shifts.set(shift, [...(shifts.get(shift) ?? []), one.hash]);
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
