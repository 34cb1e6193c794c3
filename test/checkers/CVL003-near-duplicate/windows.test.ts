import { describe, expect, it } from 'vitest';
import { nearDuplicates } from '../../../src/checkers/CVL003-near-duplicate/nearDuplicates.js';
import { mayOverlap, overlaps, type Windows, windowsOf } from '../../../src/checkers/CVL003-near-duplicate/windows.js';
import { readFeatures } from '../../../src/checkers/features/features.js';
import { randomSource } from '../../../src/core/random.js';
import { type RowsInput, rowsOf } from '../../../src/data/rows.js';
import { GroupKFold } from '../../../src/splitters/grouped/groupKFold.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { judged } from '../judged.js';

const random = randomSource(12);
const recordings = Array.from({ length: 6 }, () => Array.from({ length: 450 }, () => random.random()));
const windows = recordings.flatMap((values) =>
  Array.from({ length: 8 }, (_, at) => values.slice(50 * at, 50 * at + 100)),
);
const recording = windows.map((_, row) => Math.floor(row / 8));

const overlapping = async (X: RowsInput) => {
  const rows = rowsOf(X);
  return overlaps(windowsOf(rows, await readFeatures(rows)) as Windows, undefined);
};

describe('overlaps', () => {
  it('finds each window in the next one of its recording, and no others', async () => {
    const found = await overlapping(windows);
    expect(found).toHaveLength(42);
    for (const { first, second, shift, share, mostlyOne } of found) {
      expect(mostlyOne).toBe(false);
      expect([second - first, recording[first] === recording[second], shift, share]).toEqual([1, true, [50], 0.5]);
    }
    // Numbers as a file of text holds them are the same numbers.
    expect(await overlapping(windows.map((row) => row.map(String)))).toEqual(found);
  });

  it('does not take a shape that recurs, such as a beat at any time, for an overlap', async () => {
    const beats = Array.from({ length: 200 }, () => {
      const from = Math.floor(60 * random.random());
      const starts = [0, 1, 2].map((k) => 60 * k - from + Math.round(12 * random.random()));
      const beat = (t: number) => (t < 0 || t > 35 ? 0 : Math.round(99 * Math.exp(-((t - 12) ** 2) / 5) + (t % 3)));
      return Array.from({ length: 100 }, (_, t) => starts.reduce((sum, start) => sum + beat(t - start), 0));
    });
    expect(await overlapping(beats)).toEqual([]);
  });

  it('looks at rows of numbers, long enough, in memory', async () => {
    const may = async (X: number[][] | string[][]) => mayOverlap(rowsOf(X), await readFeatures(rowsOf(X)));
    expect(await may(windows)).toBe(true);
    expect(await may(windows.map((row) => row.slice(0, 15)))).toBe(false);
    expect(await may(windows.map((row) => row.map((value) => `level ${value}`)))).toBe(false);
  });

  it('fails the check with the shift, unless recordings are kept whole', async () => {
    const shuffled = new KFold({ nSplits: 4, shuffle: true, randomState: 2 });
    const { status, message, fix, evidence } = await judged(nearDuplicates, { X: windows, splitter: shuffled });
    expect(status).toBe('failed');
    expect(message).toMatch(
      /^At least \d+ test rows overlap a training row, .* 50 % of test row \d+ is the same, .* shifted by 50 values\.$/,
    );
    expect(fix).toContain('Split by recording or slide');
    expect(evidence.overlap).toMatchObject({ share: 0.5 });
    const grouped = { X: windows, data: { groups: recording }, splitter: new GroupKFold({ nSplits: 3 }) };
    expect((await judged(nearDuplicates, grouped)).status).not.toBe('failed');
  });

  const signal = Array.from({ length: 300 }, () => random.random());
  const two = (values: number[], shift: number) =>
    overlapping([values.slice(0, 100), values.slice(shift, shift + 100)]);

  it('finds the end of one window in the head of another, value by value, in half or more of it', async () => {
    expect(await two(signal, 40)).toMatchObject([{ shift: [40], share: 0.6, mostlyOne: false }]);
    expect(await two(signal, 70)).toEqual([]);
    const other = signal.slice(40, 140);
    other[20] += 1e-9;
    expect(await overlapping([signal.slice(0, 100), other])).toEqual([]);
    const things = signal.map((value, at) => (at % 70 < 20 ? value : 0));
    expect(await two(things, 40)).toMatchObject([{ mostlyOne: true }]);
  });

  it('finds tiles moved along both sides', async () => {
    const slide = Array.from({ length: 48 }, () => Array.from({ length: 48 }, () => random.random()));
    const tile = (top: number, left: number) => slide.slice(top, top + 16).map((line) => line.slice(left, left + 16));
    expect(await overlapping([tile(10, 10), tile(13, 8)])).toMatchObject([
      { shift: [3, -2], share: (13 / 16) * (14 / 16) },
    ]);
  });

  it.each([
    ['a period', (at: number) => Math.round(20 * Math.sin((at * Math.PI) / 10))],
    ['a sine', (at: number) => Math.sin(0.37 * at)],
    ['whole numbers of a sine', (at: number) => Math.round(100 * Math.sin(0.05 * at))],
    ['a ramp', (at: number) => 5 + 3 * at],
    ['a dose that falls', (at: number) => 100 * 0.95 ** at],
    ['two values', (at: number) => (signal[at] > 0.5 ? 1 : 0)],
    ['a spike on an empty ground', (at: number) => (at >= 60 && at < 90 ? signal[at] : 0)],
    ['silence', () => 0],
  ])('does not take %s for an overlap', async (_, valueAt) => {
    expect(
      await two(
        Array.from({ length: 140 }, (_, at) => valueAt(at)),
        40,
      ),
    ).toEqual([]);
  });
});
