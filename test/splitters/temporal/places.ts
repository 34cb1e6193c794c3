/** References of the temporal splitters, and folds in the forms in which their tests compare them. */
import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { Fold } from '../../../src/splitters/splitter.js';
import type { CALENDAR_UNITS } from '../../../src/splitters/temporal/blockedTimeSeries.js';

interface Reference {
  /** Per design the folds of rsample as `boundsOf` gives them. */
  windows: {
    n: number;
    size: number;
    stepSize: number;
    forecastHorizon: number;
    gap: number;
    rolling: number[][];
    expanding: number[][];
  }[];
  /** Times in order and, per unit, the places at which a block begins (warp). */
  calendar: { times: string[] } & Record<(typeof CALENDAR_UNITS)[number], number[]>;
  /** First day and number of weeks of the ISO 8601 years 1950-2100 (lubridate). */
  isoYears: { from: string; weeks: number }[];
}

/** What test/reference/timeWindows.R found with R packages. */
export const reference: Reference = JSON.parse(
  readFileSync(new URL('../../reference/timeWindows.json', import.meta.url), 'utf8'),
);

/** Each fold as [first, last + 1] of training and of test; fails where a side has holes. */
export function boundsOf(folds: Iterable<Fold>): number[][] {
  return Array.from(folds, ({ train, test }) => [...stretch(train), ...stretch(test)]);
}

function stretch(rows: Int32Array): [number, number] {
  expect(rows.at(-1)! - rows[0] + 1).toBe(rows.length);
  return [rows[0], rows[0] + rows.length];
}

/** Each fold as plain lists of rows. */
export function sidesOf(folds: Iterable<Fold>): { train: number[]; test: number[]; purged: number[] }[] {
  return Array.from(folds, ({ train, test, excluded }) => ({
    train: [...train],
    test: [...test],
    purged: [...(excluded?.purged ?? [])],
  }));
}
