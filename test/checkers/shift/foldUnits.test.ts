import { describe, expect, it } from 'vitest';
import { checkInput } from '../../../src/checkers/checkInput.js';
import type { Design } from '../../../src/checkers/checkOptions.js';
import { expectedShift } from '../../../src/checkers/shift/assessShift.js';
import { foldUnits } from '../../../src/checkers/shift/foldUnits.js';
import { rowsOf } from '../../../src/data/rows.js';
import type { SideData } from '../../../src/data/sideData.js';
import { foldsOf } from '../../../src/splitters/foldsOf.js';
import { GroupKFold } from '../../../src/splitters/grouped/groupKFold.js';
import { LeaveOneGroupOut } from '../../../src/splitters/grouped/leaveOneGroupOut.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { LOOCV } from '../../../src/splitters/iid/loocv.js';
import { RepeatedKFold } from '../../../src/splitters/iid/repeatedKFold.js';
import { SpatialBlockCV } from '../../../src/splitters/spatial/spatialBlockCV.js';
import type { Splitter } from '../../../src/splitters/splitter.js';
import { TimeSeriesSplit } from '../../../src/splitters/temporal/timeSeriesSplit.js';

function unitsOf(splitter: Splitter, n: number, data: SideData = {}, design?: Design) {
  const input = checkInput({
    X: rowsOf(Array.from({ length: n }, (_, i) => [i])),
    data,
    folds: foldsOf(splitter, n, undefined, data),
    design,
  });
  const units = foldUnits(input);
  return { units, expected: expectedShift(input, units) };
}
const patients = (n: number, each: number) => Array.from({ length: n }, (_, row) => `p${Math.floor(row / each)}`);

describe('foldUnits', () => {
  it('takes rows where nobody is named', () => {
    const { units, expected } = unitsOf(new KFold({ nSplits: 5 }), 50);
    expect(units).toMatchObject({ unit: 'row', count: 50, total: 50, nFolds: 5, lone: false });
    // 10 of 50 tested: the sum of 10 values of variance 1 without replacement has 10 * 40 / 50 = 8.
    expect(units.folds[0]).toMatchObject({ spread: Math.sqrt(8), enough: true });
    expect(expected).toBeNull();
  });

  it('takes whole patients, and patients by their shares where folds tear them', () => {
    const groups = patients(120, 4);
    const whole = unitsOf(new GroupKFold({ nSplits: 3, randomState: 1 }), 120, { groups }).units;
    expect(whole).toMatchObject({ unit: 'patient', count: 30 });
    expect(new Set(whole.folds.flatMap(({ shares }) => [...shares]))).toEqual(new Set([1]));
    // The first of 7 parts has 18 rows: four patients of 4, and half of the fifth.
    const torn = unitsOf(new KFold({ nSplits: 7 }), 120, { groups }).units;
    expect([...torn.folds[0].shares]).toEqual([1, 1, 1, 1, 0.5]);
  });

  it('takes the coarsest level that is whole, and knows that whole sites differ', () => {
    const data = { groups: patients(240, 2), hierarchy: { site: patients(240, 8), ward: patients(240, 80) } };
    const { units, expected } = unitsOf(new GroupKFold({ nSplits: 3, randomState: 1 }), 240, {
      groups: data.hierarchy.site,
      hierarchy: data.hierarchy,
    });
    expect(units.unit).toBe('patient');
    expect(expected).toBeNull();
    const sites = unitsOf(new KFold({ nSplits: 3 }), 240, data);
    // Three wards are whole, but no more than there are folds; 30 sites are whole, too.
    expect(sites.units).toMatchObject({ unit: 'site', count: 30, coarse: 'ward' });
    expect(sites.expected).toBe("folds test whole units of the level 'ward'");
  });

  it('leaves out folds of few units and looks at fifty folds', () => {
    expect(unitsOf(new KFold({ nSplits: 10 }), 40).units.folds.some(({ enough }) => enough)).toBe(false);
    const { units } = unitsOf(new RepeatedKFold({ nSplits: 5, nRepeats: 12, randomState: 1 }), 60);
    expect(units).toMatchObject({ nFolds: 60 });
    expect(units.folds.length).toBe(50);
  });

  it('looks at a sample of very many units', () => {
    const { units } = unitsOf(new KFold({ nSplits: 2 }), 30_000);
    expect(units).toMatchObject({ count: 20_000, total: 30_000 });
    expect(units.codes.filter((code) => code >= 0).length).toBe(20_000);
    expect(new Set(units.codes).size).toBe(20_001);
    const tested = units.folds.map((fold) => fold.units.length);
    expect(tested[0] + tested[1]).toBe(20_000);
  });
});

describe('expectedShift', () => {
  const timestamps = Array.from({ length: 60 }, (_, row) => row);
  const coordinates = Array.from({ length: 60 }, (_, row) => [row % 8, Math.floor(row / 8)]);
  it.each([
    ['time', new TimeSeriesSplit({ nSplits: 3 }), { timestamps }, undefined, 'the folds are periods of time'],
    [
      'place',
      new SpatialBlockCV({ nSplits: 3, blockSize: 2, randomState: 1 }),
      { coordinates },
      undefined,
      'test rows lie apart from the others in space or by their features',
    ],
    ['later patients', new KFold({ nSplits: 3 }), {}, 'prospective', 'the test rows stand for later patients'],
    ['other places', new KFold({ nSplits: 3 }), {}, 'deployment', 'the test rows stand for other places'],
    [
      'one patient per fold',
      new LeaveOneGroupOut(),
      { groups: patients(60, 10) },
      undefined,
      'each fold tests one patient',
    ],
    ['one row per fold', new LOOCV(), {}, undefined, 'each fold tests one row'],
  ] as const)('%s', (_, splitter, data, design, words) => {
    expect(unitsOf(splitter, 60, data, design).expected).toBe(words);
  });
});
