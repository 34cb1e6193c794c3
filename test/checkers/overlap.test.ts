import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { overlapOf } from '../../src/checkers/overlap.js';
import { foldsOf } from '../../src/splitters/foldsOf.js';
import { BootstrapValidation } from '../../src/splitters/iid/bootstrapValidation.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { LOOCV } from '../../src/splitters/iid/loocv.js';
import { PredefinedSplit } from '../../src/splitters/iid/predefinedSplit.js';
import type { Splitter } from '../../src/splitters/splitter.js';

/** The definition, written out: every training row against every test row. */
function bruteForce(splitter: Splitter, codes: Int32Array) {
  const split = new Set<number>();
  const folds: string[] = [];
  const [concerned, tested] = [new Set<number>(), new Set<number>()];
  let testRows = 0;
  for (const { id, train, test } of foldsOf(splitter, codes.length)) {
    const hit = [...test].filter((row) => codes[row] >= 0 && [...train].some((other) => codes[other] === codes[row]));
    for (const row of hit) split.add(codes[row]);
    for (const row of hit) concerned.add(row);
    for (const row of test) tested.add(row);
    if (hit.length > 0) folds.push(id);
    testRows += hit.length;
  }
  const concerns = {
    count: concerned.size,
    of: tested.size,
    unit: tested.size < codes.length ? 'test row' : 'row',
  };
  return { split: [...split].sort((a, b) => a - b), folds, testRows, concerns };
}

describe('overlapOf', () => {
  it('equals the comparison of every training row with every test row', () => {
    const splitters: ((seed: number) => Splitter)[] = [
      (seed) => new KFold({ nSplits: 3, shuffle: true, randomState: seed }),
      (seed) => new BootstrapValidation({ nIterations: 3, randomState: seed }),
      () => new LOOCV(),
      () => new PredefinedSplit({ folds: [{ train: [0, 3], test: [1, 2] }] }),
    ];
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -1, max: 6 }), { minLength: 6, maxLength: 20 }),
        fc.integer({ min: 0, max: 3 }),
        fc.integer({ min: 0, max: 99 }),
        (list, which, seed) => {
          const codes = Int32Array.from(list);
          const splitter = splitters[which](seed);
          const { split, folds, testRows, concerns } = overlapOf(foldsOf(splitter, codes.length), codes, 7);
          const found = { split: split.map(({ code }) => code).sort((a, b) => a - b), folds, testRows, concerns };
          expect(found).toEqual(bruteForce(splitter, codes));
        },
      ),
    );
  });

  it('does not take repeated training rows for all the others', () => {
    // As many rows as in all, but row 4, of the unit of row 2, is on no side.
    const plan = foldsOf(new PredefinedSplit({ folds: [{ train: [0, 0, 1], test: [2, 3] }] }), 5);
    const found = overlapOf(plan, Int32Array.of(0, 0, 1, 2, 1), 3);
    expect(found).toMatchObject({ split: [], folds: [], testRows: 0, largestShare: 0 });
  });

  it('of leave-one-out lists no training rows', () => {
    const plan = foldsOf(new LOOCV(), 4);
    const watched = { ...plan, [Symbol.iterator]: () => expect.unreachable() };
    expect(overlapOf(watched, Int32Array.of(0, 1, 0, -1), 2)).toMatchObject({
      split: [{ code: 0, fold: 'fold-0', train: 2, test: 0 }],
      folds: ['fold-0', 'fold-2'],
      testRows: 2,
    });
  });

  it('gives a training and a test row of one fold for each unit', () => {
    const codes = Int32Array.of(0, 1, 0, 1, 2, 2);
    const plan = foldsOf(new KFold({ nSplits: 3 }), 6); // tests {0, 1}, {2, 3}, {4, 5}
    expect(overlapOf(plan, codes, 3)).toEqual({
      split: [
        { code: 0, fold: 'fold-0', train: 2, test: 0 },
        { code: 1, fold: 'fold-0', train: 3, test: 1 },
      ],
      folds: ['fold-0', 'fold-1'],
      testRows: 4,
      largestShare: 1,
      concerns: { count: 4, of: 6, unit: 'row' },
    });
  });
});
