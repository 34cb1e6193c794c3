import { describe, expect, it } from 'vitest';
import { blockInfluences, type Influential, influenceVariance, unitBlocks } from '../../src/intervals/unitBlocks.js';
import { combinedEstimate } from '../../src/metrics/combineFolds.js';
import { sensitivity } from '../../src/metrics/definitions/binary.js';
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

const block = (yTrue: number[], yProba: number[], from = 0) => ({
  table: scoreTable({ yTrue, yProba, classes: [0, 1] }),
  units: Int32Array.from(yTrue, (_, row) => from + row),
});
const [auc, acc, sens] = [rocAuc, accuracy, sensitivity] as Influential[];

describe('influenceVariance', () => {
  it('of a share is p (1 - p) / (n - 1)', () => {
    const blocks = [block([1, 1, 1, 1, 0, 0, 0, 0], [0.9, 0.8, 0.7, 0.2, 0.1, 0.2, 0.6, 0.3])];
    const { variance, df } = influenceVariance({ metric: acc }, [blocks]);
    expect(variance).toBeCloseTo((0.75 * 0.25) / 7, 12);
    expect(df).toBeCloseTo(7, 12);
    // Sensitivity rests on its four patients alone.
    expect(influenceVariance({ metric: sens }, [blocks]).variance).toBeCloseTo((0.75 * 0.25) / 3, 12);
    expect(influenceVariance({ metric: sens }, [blocks]).df).toBeCloseTo(3, 12);
  });

  it('takes classes as strata for a prevalence-dependent metric under case-control sampling alone', () => {
    const blocks = [block([1, 1, 1, 0, 0, 0, 0, 0], [0.9, 0.2, 0.7, 0.2, 0.1, 0.2, 0.6, 0.3])];
    const of = (sampling: 'cohort' | 'case_control') => influenceVariance({ metric: acc, sampling }, [blocks]).df;
    expect(of('cohort')).toBeCloseTo(7, 12);
    expect(of('case_control')).toBeLessThan(7);
  });

  it('averages over repeats, which bring no new patients', () => {
    const blocks = [block([1, 1, 0, 0, 1, 0], [0.9, 0.4, 0.3, 0.6, 0.7, 0.1])];
    expect(influenceVariance({ metric: auc }, [blocks, blocks, blocks])).toEqual(
      influenceVariance({ metric: auc }, [blocks]),
    );
  });

  it('centres at the estimate over all folds: a lone positive patient in a fold still counts', () => {
    const lone = block([1, 0, 0, 0], [0.5, 0.6, 0.4, 0.3]);
    const other = block([1, 1, 0, 0], [0.9, 0.8, 0.2, 0.1], 4);
    const found = blockInfluences(auc, [lone, other]);
    // AUCs 2/3 and 1, mean 5/6; the lone positive: placement 2/3, so (2/3 - 5/6) / 2.
    expect(found?.estimate).toBeCloseTo(5 / 6, 12);
    expect(found?.influence[0]).toBeCloseTo(-1 / 12, 12);
  });

  it('leaves out blocks without a value', () => {
    const empty = block([0, 0], [0.1, 0.2], 4);
    const full = block([1, 0, 1, 0], [0.9, 0.1, 0.4, 0.6]);
    expect(blockInfluences(auc, [full, empty])?.influence).toHaveLength(4);
    expect(blockInfluences(auc, [empty])).toBeUndefined();
    expect(combinedEstimate(auc, [[full, empty]])).toMatchObject({ value: 0.75, defined: 1, total: 2 });
  });
});
