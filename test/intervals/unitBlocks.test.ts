import { describe, expect, it } from 'vitest';
import { unitBlocks } from '../../src/intervals/unitBlocks.js';
import { accuracy } from '../../src/metrics/definitions/multiclass.js';
import { rocAuc } from '../../src/metrics/definitions/ranking.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

const fold = (yTrue: number[], units: number[], repeat = 0) => ({
  table: scoreTable({ yTrue, yProba: yTrue, classes: [0, 1] }),
  units: Int32Array.from(units),
  nTrain: 4,
  repeat,
  score: { value: 1 },
});
const failed = { units: Int32Array.of(30), nTrain: 4, repeat: 0, score: { value: null, reason: 'failed' } } as const;
const folds = [fold([0, 1], [10, 20]), failed, fold([1, 1], [40, 20], 1)];

describe('unitBlocks', () => {
  it('takes each fold alone for a mean and all folds of a repeat for a pooled metric', () => {
    const more = [...folds, fold([0, 0, 1], [50, 60, 60])];
    const sizes = (metric: typeof rocAuc) =>
      unitBlocks({ metric, folds: more }).map((blocks) => blocks.map(({ table }) => table.length));
    expect(sizes(rocAuc)).toEqual([[2, 3], [2]]);
    expect(sizes(accuracy)).toEqual([[5], [2]]);
  });

  it('codes units alike in all blocks, without those of failed folds', () => {
    const [[first], [second]] = unitBlocks({ metric: rocAuc, folds });
    expect([...first.units]).toEqual([0, 1]);
    expect([...second.units]).toEqual([2, 1]);
  });
});
