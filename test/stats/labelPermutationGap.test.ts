import { describe, expect, it } from 'vitest';
import { StratifiedGroupKFold } from '../../src/splitters/grouped/stratifiedGroupKFold.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { StratifiedKFold } from '../../src/splitters/iid/stratifiedKFold.js';
import { labelPermutationGap } from '../../src/stats/labelPermutationGap.js';
import { permutationTest } from '../../src/stats/permutationTest.js';
import { Neighbours, people } from './recognisers.js';

const model = () => new Neighbours();
const cv = new StratifiedKFold({ nSplits: 5, shuffle: true, randomState: 1 });
const signal = people({ patients: 60, rows: 1, signal: 2 });
const rows = { model, X: signal.X, y: signal.y, cv, nPermutations: 39 };

/** Keeps the labels of all rows that any fold was trained on, and answers with them. */
const memory = new Map<string, number>();
class Hoarder extends Neighbours {
  override fit(X: number[][], y: number[]): this {
    X.forEach((row, at) => void memory.set(row.join(), y[at]));
    return super.fit(X, y);
  }

  override predictProba(X: number[][]): number[][] {
    return X.map((row) => {
      const share = memory.get(row.join()) ?? 0.5;
      return [1 - share, share];
    });
  }
}

describe('labelPermutationGap', () => {
  it('is passed when a real signal drops to chance, with the numbers of permutationTest', {
    tags: 'slow',
  }, async () => {
    const gap = await labelPermutationGap(rows);
    const test = await permutationTest(rows);
    expect(gap).toMatchObject({ code: 'CVL014', type: 'permutation_gap', kind: 'leakage', status: 'passed' });
    expect([gap.observed, gap.pValue, gap.permuted]).toEqual([test.observed, test.pValue, test.permuted]);
    const mean = test.permuted.reduce((sum: number, value) => sum + (value as number), 0) / 39;
    expect(gap.permutedMean).toBeCloseTo(mean, 12);
    expect(gap.gap).toBeCloseTo(test.observed - mean, 12);
    expect(gap.chance).toBeCloseTo(0.5, 12);
    expect(gap.evidence).toMatchObject({ observed: gap.observed, pValue: gap.pValue, nPermutations: 39 });
  });

  it('is failed when a model keeps labels of other folds', async () => {
    memory.clear();
    const gap = await labelPermutationGap({ ...rows, model: () => new Hoarder() });
    expect(gap.status).toBe('failed');
    expect(gap.permutedMean).toBeGreaterThan(0.7);
    expect(gap.message).toMatch(/labels of test rows reach the model\.$/);
  });

  it('is failed when row-wise folds let a model know persons, not with whole patients', { tags: 'slow' }, async () => {
    const person = people({ patients: 30, own: 3 });
    const torn = await labelPermutationGap({ model, ...person, cv, nPermutations: 29 });
    expect(torn).toMatchObject({ status: 'failed', scheme: 'patients' });
    const grouped = new StratifiedGroupKFold({ randomState: 1 });
    const whole = await labelPermutationGap({ model, ...person, cv: grouped, nPermutations: 29 });
    expect(whole.status).not.toBe('failed');
  });

  it('is to be reviewed when nothing tells the true labels from exchanged ones', async () => {
    const noise = people({ patients: 60, rows: 1, seed: 3 });
    const gap = await labelPermutationGap({ model, X: noise.X, y: noise.y, cv, nPermutations: 39, metric: 'accuracy' });
    expect(gap.status).toBe('needs_review');
    expect(gap.pValue).toBeGreaterThan(0.05);
    expect(gap.summary()).toContain('the true labels do not stand out');
  });

  it('is not evaluated where chance is not known', async () => {
    const { X, y } = signal;
    const constant = { fit: () => undefined, predict: (given: unknown[]) => given.map(() => [1, 0]) };
    const gap = await labelPermutationGap({
      model: () => ({ ...constant }),
      X,
      y: y.map((label, row) => [label, row % 2]),
      task: 'multilabel',
      metric: 'hamming_loss',
      cv: new KFold({ nSplits: 3 }),
      nPermutations: 19,
    });
    expect(gap).toMatchObject({ status: 'not_evaluated', permutedMean: null, chance: null, gap: null });
  });

  // Two folds, the first half of the rows and the second. A model that keeps the labels of rows has none for the first
  // test half (all equal, AUC .5) and all of them for the second (AUC 1), whatever the labels are: .75 every time.
  it('reads like this when it failed', async () => {
    const kept = new Map<number, number>();
    class Keeper {
      fit(X: number[][], y: number[]) {
        if (X[0][0] > 0) kept.clear();
        X.forEach(([row], at) => void kept.set(row, y[at]));
      }
      predictProba(X: number[][]) {
        return X.map(([row]) => [1 - (kept.get(row) ?? 0), kept.get(row) ?? 0]);
      }
      predict(X: number[][]) {
        return X.map(([row]) => kept.get(row) ?? 0);
      }
    }
    const y = Array.from({ length: 40 }, (_, row) => row % 2);
    const X = y.map((_, row) => [row]);
    const halves = new KFold({ nSplits: 2 });
    const gap = await labelPermutationGap({ model: () => new Keeper(), X, y, cv: halves, nPermutations: 19 });
    expect(gap.permuted).toEqual(new Array(19).fill(0.75));
    expect(gap.summary().replace(/\s+/g, ' ')).toBe(
      `Permutation gap (CVL014): failed roc_auc is 0.750 on the true labels and 0.750 on average on exchanged ones, by chance 0.500: labels of test rows reach the model. Fix: Keep patients whole (CVL013), keep nothing between folds, and compute every column that reads y within \`fit\`. Exchanged: 40 rows one by one; pass \`groups\` where patients have several. The folds were the same each time.`,
    );
  });

  // A model that says its feature, which is the label: AUC 1. No exchange of 40 labels gives that again, so p = 1 / 20.
  it('reads like this when it passed', async () => {
    const y = Array.from({ length: 40 }, (_, row) => row % 2);
    const says = { fit: () => undefined, predictProba: (X: number[][]) => X.map(([p]) => [1 - p, p]) };
    const model = () => ({ ...says, predict: (X: number[][]) => X.map(([p]) => p) });
    const gap = await labelPermutationGap({ model, X: y.map((label) => [label]), y, cv, nPermutations: 19 });
    const mean = gap.permuted.reduce((sum: number, score) => sum + (score as number), 0) / 19;
    expect(gap.summary().replaceAll(/\s+/g, ' ')).toBe(
      `Permutation gap (CVL014): passed roc_auc is 1.000 on the true labels and ${mean.toFixed(3)} on average on exchanged ones, by chance 0.500 (p = 0.050): the score drops to chance. Exchanged: 40 rows one by one; pass \`groups\` where patients have several. The folds follow the labels and were made anew each time.`,
    );
  });
});
