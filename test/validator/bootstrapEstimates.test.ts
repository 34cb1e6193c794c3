import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { BootstrapEstimate } from '../../src/intervals/confidenceIntervals.js';
import { defineMetric } from '../../src/metrics/registry.js';
import type { ScoreTable } from '../../src/metrics/scoreTable.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import type { ValidateOptions } from '../../src/validator/validateOptions.js';

/** scikit-learn's 3 nearest neighbours on numpy's draws, which are ours. */
const reference = JSON.parse(readFileSync(new URL('../reference/bootstrapEstimates.json', import.meta.url), 'utf8'));
const { X, y, seed, samples, found } = reference as {
  X: number[][];
  y: number[];
  seed: number;
  samples: number;
  found: Record<string, Record<string, number>>;
};

const none: BootstrapEstimate = { estimator: '.632', value: null };

const nearest3 = () => {
  let rows: { x: number[]; label: number }[] = [];
  const predictProba = (asked: number[][]) =>
    asked.map((q) => {
      const distance = (x: number[]) => (x[0] - q[0]) ** 2 + (x[1] - q[1]) ** 2;
      const near = [...rows].sort((a, b) => distance(a.x) - distance(b.x)).slice(0, 3);
      return near.reduce((sum, { label }) => sum + label, 0) / 3;
    });
  return {
    fit(given: number[][], labels: number[]) {
      rows = given.map((x, i) => ({ x, label: labels[i] }));
    },
    predictProba,
    predict: (asked: number[][]) => predictProba(asked).map((p) => (p > 0.5 ? 1 : 0)),
  };
};

const validate = (estimator: 'standard' | '.632' | '.632+' | 'optimism', options: Partial<ValidateOptions> = {}) =>
  new CVKitValidator({
    method: 'bootstrap',
    bootstrapValidationEstimator: estimator,
    bootstrapValidationIterations: samples,
    randomState: seed,
    checkLeakage: false,
    checkBalance: false,
    metrics: Object.keys(found),
  }).validate({ model: nearest3, X, y, verbose: 0, ...options });

describe('bootstrapEstimates', () => {
  it.each(['.632', '.632+', 'optimism'] as const)('%s is what scikit-learn gives on the same samples', async (name) => {
    const { bootstrapEstimates, confidenceIntervals } = await validate(name);
    for (const [metric, expected] of Object.entries(found)) {
      const { estimator, value, ...parts } = bootstrapEstimates?.[metric] ?? none;
      expect(estimator).toBe(name);
      expect(value).toBeCloseTo(expected[name === 'optimism' ? 'optimismEstimate' : name], 9);
      expect(Object.keys(parts).length).toBeGreaterThanOrEqual(2);
      for (const [part, number] of Object.entries(parts))
        expect([part, number]).toEqual([part, expect.closeTo(expected[part], 9)]);
      expect(confidenceIntervals[metric]).toMatchObject({ estimate: value, lower: null, upper: null });
    }
  });

  it('says what it is made of, and why there is no interval', async () => {
    const { confidenceIntervals } = await validate('.632+');
    expect(confidenceIntervals.accuracy.note).toMatch(/0\.800.*0\.706.*0\.501.*0\.314.*0\.715/);
    expect(confidenceIntervals.accuracy.reason).toMatch(/\.632\+.*`ciRefits`/);
  });

  it('trains one more model, on all rows, and only where it is needed', async () => {
    const sizes: number[] = [];
    const model = () => {
      const learner = nearest3();
      return {
        ...learner,
        fit(rows: number[][], labels: number[]) {
          sizes.push(rows.length);
          learner.fit(rows, labels);
        },
      };
    };
    expect((await validate('standard', { model })).bootstrapEstimates).toBeNull();
    expect(sizes).toHaveLength(samples);
    sizes.length = 0;
    await validate('.632', { model });
    expect(sizes).toHaveLength(samples + 1);
  });

  it('has none for a scoring function or after a failed fold', async () => {
    const own = await validate('.632', { scoring: { mine: () => 1, accuracy: 'accuracy' } });
    expect(own.bootstrapEstimates?.mine).toEqual({
      estimator: '.632',
      value: null,
      reason: expect.stringMatching(/scoring function.*defineMetric/),
    });
    expect(own.bootstrapEstimates?.accuracy.value).toBeCloseTo(found.accuracy['.632'], 9);
    let fits = 0;
    const model = () => {
      const learner = nearest3();
      return {
        ...learner,
        fit(rows: number[][], labels: number[]) {
          if (fits++ === 5) throw new Error('no memory');
          learner.fit(rows, labels);
        },
      };
    };
    const failed = await validate('.632+', { model, onFoldError: 'record' });
    expect(failed.bootstrapEstimates?.accuracy).toEqual({ estimator: '.632+', value: null, reason: 'a fold failed' });
  });

  it('counts every row that was left out once, with its own weight', async () => {
    // Nothing is learnt, and each row is left out by some sample: apparent and left out are one weighted share.
    const model = () => ({
      fit: (_rows: number[][], _labels: number[], _weight?: number[]) => undefined,
      predict: (rows: number[][]) => rows.map(([a]) => Number(a > X[0][0])),
    });
    const right = X.map(([a], row) => Number(Number(a > X[0][0]) === y[row]));
    const sampleWeight = right.map((is, row) => (is ? 1 : 3) + (row % 2));
    const total = sampleWeight.reduce((sum, weight) => sum + weight, 0);
    const share = sampleWeight.reduce((sum, weight, row) => sum + weight * right[row], 0) / total;
    const { bootstrapEstimates } = await validate('.632', { model, sampleWeight, metrics: ['accuracy'] });
    expect(Math.abs(share - right.reduce((sum, is) => sum + is / right.length, 0))).toBeGreaterThan(0.1);
    expect(bootstrapEstimates?.accuracy.apparent).toBeCloseTo(share, 12);
    expect(bootstrapEstimates?.accuracy.outOfBag).toBeCloseTo(share, 12);
  });

  it('has none for a metric that does not honour weights, where the equal weight of rows or classes would be lost', async () => {
    const wrong = ({ length, yTrue, yPred, weight }: ScoreTable, weighted: boolean) => {
      let [sum, total] = [0, 0];
      for (let row = 0; row < length; row++) {
        const w = weighted && weight ? weight[row] : 1;
        total += w;
        if (yTrue[row] !== yPred[row]) sum += w;
      }
      return sum / total;
    };
    const facts = { description: 'Wrong labels.', direction: 'minimize', range: [0, 1], tasks: ['binary'] } as const;
    for (const combine of ['pooled', 'mean'] as const) {
      for (const weighted of [true, false]) {
        defineMetric({
          ...facts,
          name: `wrong_${combine}_${weighted}`,
          needs: 'labels',
          combine,
          weighted,
          compute: (table) => wrong(table, weighted),
        });
      }
    }
    const metrics = [
      'accuracy',
      ...['pooled', 'mean'].flatMap((combine) => [`wrong_${combine}_true`, `wrong_${combine}_false`]),
    ];
    const valuesBy = async (estimator: '.632' | '.632+') => {
      const { bootstrapEstimates, confidenceIntervals } = await validate(estimator, { metrics });
      expect(confidenceIntervals.wrong_pooled_false).toMatchObject({
        estimate: null,
        reason: 'wrong_pooled_false does not declare `weighted`, so a row would count as often as samples left it out',
      });
      return metrics.map((name) => bootstrapEstimates?.[name] as BootstrapEstimate);
    };
    const plain = await valuesBy('.632');
    expect(plain[1].value).toBeCloseTo(1 - found.accuracy['.632'], 9);
    expect(plain.map(({ value }) => value === null)).toEqual([false, false, true, false, false]);
    expect(plain[4].value).toBe(plain[3].value);
    const plus = await valuesBy('.632+');
    expect(plus.map(({ value }) => value === null)).toEqual([false, false, true, false, true]);
    expect(plus[4].reason).toBe(
      'wrong_mean_false does not declare `weighted`, so classes would not count by their shares',
    );
  });

  it('says how many samples have no value', async () => {
    const few = y.map((_, row) => (row < 6 ? 1 : 0));
    const { bootstrapEstimates } = await validate('.632+', { y: few });
    expect(bootstrapEstimates?.roc_auc.note).toMatch(/^5\d of 60 folds have a value \(no positive rows\)/);
  });
});
