import { describe, expect, it } from 'vitest';
import { labelsOf } from '../../../src/data/labels.js';
import { foldsOf } from '../../../src/splitters/foldsOf.js';
import { BootstrapValidation } from '../../../src/splitters/iid/bootstrapValidation.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { LOOCV } from '../../../src/splitters/iid/loocv.js';
import { NestedCV } from '../../../src/splitters/iid/nestedCV.js';
import { StratifiedKFold } from '../../../src/splitters/iid/stratifiedKFold.js';
import type { Splitter } from '../../../src/splitters/splitter.js';
import { refusal } from '../../helpers/messages.js';
import { nestedFolds } from '../../helpers/nestedFolds.js';

describe('the inner folds of NestedCV', () => {
  it('are what the inner splitter makes of the training rows, in row numbers of the full data', () => {
    const y = [0, 0, 0, 1, 1, 1, 0, 1, 0, 1, 0, 1];
    const innerCv = new StratifiedKFold({ nSplits: 2, shuffle: true, randomState: 1 });
    for (const { train, inner } of nestedFolds(new NestedCV({ outerCv: new KFold({ nSplits: 3 }), innerCv }), 12, y)) {
      const alone = [
        ...innerCv.split(
          train.length,
          Array.from(train, (row) => y[row]),
        ),
      ];
      expect(inner.map((fold) => [...fold.test])).toEqual(alone.map(({ test }) => Array.from(test, (at) => train[at])));
    }
  });

  it('hand the inner splitter nothing but the training rows', () => {
    const seen: { n: unknown; y: unknown; data: unknown }[] = [];
    const spy: Splitter = {
      split(n, y, data) {
        seen.push({ n, y, data });
        return [{ id: 'only', train: Int32Array.of(0), test: Int32Array.of(1) }];
      },
      getNSplits: () => 1,
    };
    const data = { groups: ['a', 'b', 'c', 'd'], timestamps: [1, 2, 3, 4], hierarchy: { site: [1, 1, 2, 2] } };
    nestedFolds(new NestedCV({ outerCv: new KFold({ nSplits: 2 }), innerCv: spy }), 4, [5.5, 6.5, 7.5, 8.5], data);
    const each = [
      { n: 2, y: [7.5, 8.5], data: { groups: ['c', 'd'], timestamps: [3, 4], hierarchy: { site: [2, 2] } } },
      { n: 2, y: [5.5, 6.5], data: { groups: ['a', 'b'], timestamps: [1, 2], hierarchy: { site: [1, 1] } } },
    ];
    // Once to see that all inner folds can be made, once for use.
    expect(seen).toEqual([...each, ...each]);
  });

  it('keep the task that the outer labels were read with', () => {
    const y = labelsOf([1, 2, 3, 4, 5, 6, 7, 8], { task: 'regression' });
    const nested = new NestedCV({ outerCv: new KFold({ nSplits: 2 }), innerCv: new StratifiedKFold({ nSplits: 2 }) });
    expect(() => foldsOf(nested, 8, y)).toThrow(/continuous/);
  });

  it('have a row once, also where the outer design draws it twice', () => {
    const outerCv = new BootstrapValidation({ nIterations: 5, randomState: 1 });
    for (const { train, inner } of nestedFolds(new NestedCV({ outerCv }), 30)) {
      const drawn = new Set(train);
      for (const fold of inner) expect(fold.train.length + fold.test.length).toBe(drawn.size);
    }
  });

  it('are held to the training rows also where a foreign splitter makes them', () => {
    const inner: Splitter = {
      split: () => [{ id: 'bad', train: Int32Array.of(0), test: Int32Array.of(3) }],
      getNSplits: () => 1,
    };
    const foreign: Splitter = {
      split: () => [{ id: 'a', train: Int32Array.of(0, 1), test: Int32Array.of(2, 3), inner }],
      getNSplits: () => 1,
    };
    expect(() => nestedFolds(foreign, 4)).toThrow(refusal('invalid_folds', 'row 3'));
  });
});

it('NestedCV keeps no training rows until their inner folds are asked for', { tags: 'slow' }, () => {
  const n = 5000;
  const innerCv: Splitter = {
    split: () => [{ id: 'only', train: Int32Array.of(0), test: Int32Array.of(1) }],
    getNSplits: () => 1,
  };
  const before = process.memoryUsage().arrayBuffers;
  const plan = foldsOf(new NestedCV({ outerCv: new LOOCV(), innerCv }), n);
  expect(plan.length).toBe(n);
  // n^2 row numbers are 100 MB; what has been dropped but not yet collected is well below that
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(70e6);
});
