/** Inner folds of others: rows outside the outer training rows, split patients and impossible designs are refused before any fit. */
import { describe, expect, it } from 'vitest';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { GroupKFold } from '../../src/splitters/grouped/groupKFold.js';
import { HierarchicalGroupKFold } from '../../src/splitters/grouped/hierarchicalGroupKFold.js';
import { LeaveOneGroupOut } from '../../src/splitters/grouped/leaveOneGroupOut.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import type { Splitter } from '../../src/splitters/splitter.js';
import { ExpandingWindowCV } from '../../src/splitters/temporal/expandingWindowCV.js';
import { PurgedKFoldCV } from '../../src/splitters/temporal/purgedKFoldCV.js';
import { TimeSeriesSplit } from '../../src/splitters/temporal/timeSeriesSplit.js';
import type { TuningOptions } from '../../src/tuning/tuningOptions.js';
import { rowSpy } from '../helpers/rowSpy.js';
import { thrown } from '../helpers/thrown.js';

const N = 24;
const rows = Array.from({ length: N }, (_, row) => row);
const X = rows.map((row) => [row, Math.sin(row * 12.9898)]);
const y = rows.map((row) => (row >> 1) % 2);
const patients = rows.map((row) => row % 12);
const hierarchy = { site: rows.map((row) => row % 4), patient: patients };
const timestamps = rows.map((row) => (row * 7) % N);
const intervals = { timestamps: rows, labelEndTimes: rows.map((row) => row + 2) };

/** What a search on these designs throws, and how many models saw rows before it did. */
async function refused(cvSplitter: Splitter, more: Partial<TuningOptions> = {}, data: object = {}) {
  const { make, used } = rowSpy();
  const message = await thrown(() =>
    new UniversalCVRunner({ cvSplitter, verbose: 0 }).runWithHyperparameterTuning({
      modelFn: make,
      paramGrid: { slope: [-1, 1] },
      data: { X, y, ...data },
      ...more,
    }),
  );
  return { message, used: used().length };
}

type Sides = readonly [train: readonly number[], test: readonly number[]];
const ascending = (...sides: number[]) => sides.sort((a, b) => a - b);
const foreign = (folds: (n: number) => readonly Sides[]): Splitter => ({
  split: (given) => folds(typeof given === 'number' ? given : (given as ArrayLike<unknown>).length),
  getNSplits: (given) => folds(typeof given === 'number' ? given : (given as ArrayLike<unknown>).length).length,
});

/** Outer halves, each with the inner folds that `innerOf` gives for its training rows, in rows of the full data. */
function withInner(innerOf: (train: readonly number[], test: readonly number[]) => readonly Sides[]): Splitter {
  const halves = [rows.slice(0, N / 2), rows.slice(N / 2)];
  const folds = halves.map((test, at) => {
    const train = halves[1 - at];
    const inner = foreign(() => innerOf(train, test));
    return { id: `half-${at}`, train: Int32Array.from(train), test: Int32Array.from(test), inner };
  });
  return { split: () => folds, getNSplits: () => 2 };
}

const innerHalves = (train: readonly number[]): Sides[] => {
  const [even, odd] = [0, 1].map((side) => train.filter((row) => (row >> 2) % 2 === side));
  return [
    [even, odd],
    [odd, even],
  ];
};

describe('inner folds on the folds of a foreign splitter', () => {
  it('serve where they hold training rows alone', async () => {
    expect(await refused(withInner(innerHalves))).toMatchObject({ message: 'nothing thrown' });
  });

  it.each<[string, (train: readonly number[], first: number) => Sides]>([
    ['trains on', (train, first) => [ascending(...train.slice(0, 6), first), train.slice(6)]],
    ['tests', (train, first) => [train.slice(0, 6), ascending(...train.slice(6), first)]],
  ])('are refused where one %s an outer test row', async (_, innerOf) => {
    const { message, used } = await refused(withInner((train, [first]) => [innerOf(train, first)]));
    expect(message).toMatch(
      /^InvalidDataError .*fold half-0 must hold training rows of its outer fold only\. Got row 0/,
    );
    expect(used).toBe(0);
  });
});

describe('a foreign innerCv', () => {
  it.each<[string, (n: number) => number[], RegExp]>([
    ['rows out of range', (n) => [4, n], /^InvalidDataError.*(range|from 0 to|smaller)/],
    ['negative rows', () => [-1, 4], /^InvalidDataError/],
    ['a row on both sides', () => [3, 4], /^InvalidDataError/],
    ['no test rows', () => [], /^InvalidDataError/],
  ])('that gives %s is refused before any fit', async (_, test, message) => {
    const innerCv = foreign((n) => [[[0, 1, 2, 3], test(n)]]);
    const failed = await refused(new KFold({ nSplits: 3 }), { innerCv });
    expect(failed).toEqual({ message: expect.stringMatching(message), used: 0 });
  });

  it('that gives no folds is refused before any fit', async () => {
    const failed = await refused(new KFold({ nSplits: 3 }), { innerCv: foreign(() => []) });
    expect(failed).toEqual({ message: expect.stringMatching(/^InvalidDataError/), used: 0 });
  });

  it('is drawn anew for each outer fold, and the same again', async () => {
    const innerCv = new KFold({ nSplits: 3, shuffle: true });
    const runner = new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 3 }), verbose: 0 });
    const folds = async () => {
      const { make, used } = rowSpy();
      const search = { modelFn: make, paramGrid: { slope: [1] }, data: { X, y }, innerCv };
      await runner.runWithHyperparameterTuning(search);
      // As places among the training rows: these are 8 to 23 in fold-0, and 0 to 7 and 16 to 23 in fold-1.
      const placesIn = (id: string) =>
        used()
          .filter(({ fold }) => fold.startsWith(`${id}_trial`))
          .map(({ fitted }) => fitted.map((row) => (row < 8 ? row : row - 8)).sort((a, b) => a - b));
      return ['fold-0', 'fold-1'].map(placesIn);
    };
    const once = await folds();
    expect(await folds()).toEqual(once);
    expect(once[0]).not.toEqual(once[1]);
  });

  it('is handed the rows of the outer training part alone', async () => {
    const lengths = new Set<number>();
    const innerCv = foreign((n) => {
      lengths.add(n);
      return innerHalves(Array.from({ length: n }, (_, row) => row));
    });
    expect(await refused(new KFold({ nSplits: 3 }), { innerCv })).toMatchObject({ message: 'nothing thrown' });
    expect([...lengths].sort((a, b) => a - b)).toEqual([(2 * N) / 3, N]);
  });
});

describe('innerCv that does not keep what the outer folds keep', () => {
  const refusal = /^Invalid(Option|Data)Error .*Inner folds? .*of .*(keep|train before)/i;
  const shuffled = new KFold({ nSplits: 3, shuffle: true, randomState: 1 });
  it.each<readonly [string, Splitter, object, Splitter]>([
    ['patients of GroupKFold', new GroupKFold({ nSplits: 3, randomState: 1 }), { groups: patients }, shuffled],
    ['patients of LeaveOneGroupOut', new LeaveOneGroupOut(), { groups: rows.map((row) => row % 3) }, shuffled],
    ['patients of a hierarchy', new HierarchicalGroupKFold({ nSplits: 3, randomState: 1 }), { hierarchy }, shuffled],
    [
      'sites of HierarchicalGroupKFold, though patients are whole',
      new HierarchicalGroupKFold({ nSplits: 2, hierarchyLevel: 'site', randomState: 1 }),
      { hierarchy },
      new GroupKFold({ nSplits: 3, randomState: 1 }),
    ],
    ['the order of rows of TimeSeriesSplit', new TimeSeriesSplit({ nSplits: 3 }), {}, shuffled],
    ['the order of TimeSeriesSplit', new TimeSeriesSplit({ nSplits: 3 }), { timestamps }, shuffled],
    ['label intervals of PurgedKFoldCV', new PurgedKFoldCV({ nSplits: 3 }), intervals, shuffled],
  ])('%s', async (_, outer, data, innerCv) => {
    const { message, used } = await refused(outer, { innerCv }, data);
    expect(message).toMatch(refusal);
    expect(used).toBe(0);
  });

  it('serves where it keeps the same in another way', async () => {
    const innerCv = new ExpandingWindowCV({ initialTrainSize: 4, forecastHorizon: 2, stepSize: 2 });
    const outer = new TimeSeriesSplit({ nSplits: 2 });
    for (const data of [{}, { timestamps }]) {
      expect(await refused(outer, { innerCv }, data)).toMatchObject({ message: 'nothing thrown' });
    }
  });
});
