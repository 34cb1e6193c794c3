import { describe, expect, it } from 'vitest';
import { foldEstimate, metricOverFolds, pooledFallback } from '../../src/intervals/foldEstimate.js';
import { accuracy } from '../../src/metrics/definitions/multiclass.js';
import { rocAuc } from '../../src/metrics/definitions/ranking.js';
import { score } from '../../src/metrics/metric.js';
import { metricRegistry } from '../../src/metrics/registry.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

/** Labels and probabilities of all rows, fold by fold. */
const foldsOf = (name: string, sizes: number[], y: number[], p: number[]) => {
  const metric = metricRegistry.get(name);
  let end = 0;
  return {
    metric,
    folds: sizes.map((size) => {
      end += size;
      const [yTrue, yProba] = [y, p].map((each) => each.slice(end - size, end));
      const table = scoreTable({ yTrue, yProba, classes: [0, 1] });
      const units = Int32Array.from(yTrue, (_, row) => row);
      return { table, units, nTrain: 5, repeat: 0, score: score(metric, table) };
    }),
  };
};

describe('foldEstimate', () => {
  it('is the mean of folds for ranks and one value over all rows for counts', () => {
    const of = (name: string) => foldEstimate(foldsOf(name, [3, 2], [1, 0, 1, 1, 0], [0.9, 0.2, 0.1, 0.7, 0.6])).value;
    expect(of('roc_auc')).toBe((0.5 + 1) / 2);
    expect(of('accuracy')).toBe(3 / 5);
  });

  it('is pooled where no fold has a value of its own, with a note, and leaves failed folds out', () => {
    const input = foldsOf('roc_auc', [1, 1], [1, 0], [0.9, 0.3]);
    expect(foldEstimate(input).value).toBe(1);
    expect(metricOverFolds(input).note).toContain('No fold has a roc_auc of its own');
    const { table: _, ...failed } = input.folds[1];
    expect(foldEstimate({ ...input, folds: [input.folds[0], failed] })).toMatchObject({ value: null });
  });

  it('of pairs left out rests on whole pairs alone: a row of weight 0 leaves none', () => {
    const input = foldsOf('roc_auc', [2, 2, 1], [1, 0, 1, 0, 1], [0.9, 0.3, 0.2, 0.3, 0.9]);
    const found = metricOverFolds({ ...input, design: { exhaustive: true } });
    expect(found.folds).toHaveLength(2);
    expect(foldEstimate({ ...input, design: { exhaustive: true } }).value).toBe(0.5);
  });
});

const none = { value: null, reason: 'no positive rows' } as const;

describe('pooledFallback', () => {
  it('pools a mean of folds when no fold has a value, and says what that does', () => {
    const found = pooledFallback(rocAuc, [none, none]);
    expect(found.metric).toEqual({ ...rocAuc, combine: 'pooled' });
    expect(found.note).toMatch(/roc_auc.*no positive rows.*LPOCV/);
  });

  it('leaves everything else as it is', () => {
    expect(pooledFallback(rocAuc, [none, { value: 0.7 }])).toEqual({ metric: rocAuc });
    expect(pooledFallback(accuracy, [none])).toEqual({ metric: accuracy });
  });
});
