import { describe, expect, it } from 'vitest';
import { studentTQuantile } from '../../src/core/incompleteBeta.js';
import { randomSource } from '../../src/core/random.js';
import { cvauc, delongOfFolds } from '../../src/intervals/delongOfFolds.js';
import { intervalMethods } from '../../src/intervals/registry.js';
import { score } from '../../src/metrics/metric.js';
import { metricRegistry } from '../../src/metrics/registry.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';
import areas from '../reference/foldAreas.json' with { type: 'json' };
import reference from '../reference/foldIntervals.json' with { type: 'json' };

const rocAuc = metricRegistry.get('roc_auc');
const logit = (x: number) => Math.log(x / (1 - x));

function inputOf(name: string, { folds }: (typeof reference.cases)[number]) {
  const metric = metricRegistry.get(name);
  return {
    metric,
    folds: folds.map(({ yTrue, yProba, weight, units, repeat }) => {
      const table = scoreTable({ yTrue, yProba, classes: [0, 1], ...(weight ? { sampleWeight: weight } : {}) });
      return { table, units: Int32Array.from(units), nTrain: 60, repeat, score: score(metric, table) };
    }),
    level: 0.95,
    unit: 'patient',
    nBootstrap: 100,
    random: randomSource(1),
  };
}

describe('cvauc', () => {
  it.each(reference.cases)('is the sum of squared influences, as numpy has it: $name', (each) => {
    const [{ analytic: expected }] = each.expected.filter(({ metric }) => metric === 'roc_auc');
    const found = cvauc(inputOf('roc_auc', each));
    expect(found).toMatchObject({ method: 'cvauc', estimand: 'predictions' });
    expect(found.estimate).toBeCloseTo(expected.estimate, 12);
    expect(found.lower).toBeCloseTo(expected.lower, 9);
    expect(found.upper).toBeCloseTo(expected.upper, 9);
  });

  it('has null limits and the reason for other metrics', () => {
    expect(cvauc(inputOf('accuracy', reference.cases[0]))).toMatchObject({
      lower: null,
      reason: 'cvauc is for roc_auc, not accuracy',
    });
  });
});

describe('delongOfFolds', () => {
  const fold = (yTrue: number[], yProba: number[], from: number) => {
    const table = scoreTable({ yTrue, yProba, classes: [0, 1] });
    const units = Int32Array.from(yTrue, (_, row) => from + row);
    return { table, units, nTrain: 10, repeat: 0, score: score(rocAuc, table) };
  };

  it('is DeLong’s variance within a single fold (hand calculation)', () => {
    const y = [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0];
    const p = [0.9, 0.8, 0.7, 0.6, 0.5, 0.25, 0.1, 0.2, 0.3, 0.4, 0.55, 0.35];
    // Placements of the positives: 1 1 1 1 5/6 2/6; of the negatives: 1 1 5/6 5/6 4/6 5/6. Area 31/36.
    const variance = (values: number[]) => {
      const mean = values.reduce((a, b) => a + b) / values.length;
      return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
    };
    const s10 = variance([1, 1, 1, 1, 5 / 6, 2 / 6]);
    const s01 = variance([1, 1, 5 / 6, 5 / 6, 4 / 6, 5 / 6]);
    const area = 31 / 36;
    const v = s10 / 6 + s01 / 6;
    const df = v ** 2 / ((s10 / 6) ** 2 / 5 + (s01 / 6) ** 2 / 5);
    const half = (studentTQuantile(0.975, df) * Math.sqrt(v)) / (area * (1 - area));
    const found = delongOfFolds({ ...inputOf('roc_auc', reference.cases[0]), folds: [fold(y, p, 0)], unit: 'row' });
    expect(found).toMatchObject({ method: 'delong', unit: 'row', nUnits: 12 });
    expect(found.estimate).toBeCloseTo(area, 12);
    expect(logit(found.upper as number)).toBeCloseTo(logit(area) + half, 8);
    expect(logit(found.lower as number)).toBeCloseTo(logit(area) - half, 8);
  });

  it.each(areas.cases)('has the variance of pROC in each fold: standard error $standardError', (expected) => {
    let from = 0;
    const folds = expected.folds.map(({ yTrue, yProba }) => {
      from += yTrue.length;
      return fold(yTrue, yProba, from - yTrue.length);
    });
    const found = delongOfFolds({ ...inputOf('roc_auc', reference.cases[0]), folds, unit: 'row' });
    expect(found.estimate).toBeCloseTo(expected.auc, 12);
    expect(found.standardError).toBeCloseTo(expected.standardError, 12);
    expect(found.df).toBeCloseTo(expected.df, 9);
  });

  it('adds what a patient has in common over folds, as one fold of all rows does', () => {
    const y = [1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0];
    const p = [0.9, 0.8, 0.7, 0.6, 0.5, 0.25, 0.1, 0.2, 0.3, 0.4, 0.55, 0.35];
    const input = { ...inputOf('roc_auc', reference.cases[0]), unit: 'row' };
    const once = delongOfFolds({ ...input, folds: [fold(y, p, 0)] });
    // The same rows in both folds: a mean of two equal values varies as one of them, but for n / (n - 1) of what they share.
    const twice = delongOfFolds({ ...input, folds: [fold(y, p, 0), fold(y, p, 0)] });
    const apart = delongOfFolds({ ...input, folds: [fold(y, p, 0), fold(y, p, 12)] });
    expect(apart.standardError).toBeCloseTo((once.standardError as number) / Math.SQRT2, 12);
    // once^2 = 6/5 S; twice^2 = 6/5 S / 2 + (S - S / 2), S the sum of squares.
    expect(twice.standardError).toBeCloseTo((once.standardError as number) * Math.sqrt(0.5 + 0.5 / 1.2), 12);
  });

  it('has no limits where a fold has one row of a class', () => {
    const folds = [
      fold([1, 0, 0, 0, 0], [0.5, 0.1, 0.2, 0.6, 0.3], 0),
      fold([1, 1, 0, 0, 0], [0.5, 0.1, 0.2, 0.6, 0.3], 5),
    ];
    const input = { ...inputOf('roc_auc', reference.cases[0]), folds, unit: 'row' };
    expect(delongOfFolds(input)).toMatchObject({ lower: null, reason: expect.stringContaining('one row of a class') });
    expect(cvauc(input).lower).not.toBeNull();
  });
});

describe('folds without a value', () => {
  const rows = (
    n: number,
    classOf: (row: number) => number,
    scoreOf: (y: number, row: number) => number,
    from: number,
  ) => {
    const yTrue = Array.from({ length: n }, (_, row) => classOf(row));
    const table = scoreTable({ yTrue, yProba: yTrue.map(scoreOf), classes: [0, 1] });
    const units = Int32Array.from(yTrue, (_, row) => from + row);
    return { table, units, nTrain: 10, repeat: 0, score: score(rocAuc, table) };
  };
  const NAMES = ['bootstrap', 'analytic', 'oof_bootstrap', 'cvauc', 'delong'] as const;
  const perfect = (y: number, row: number) => 0.1 + 0.6 * y + 0.01 * (row % 5);
  const noisy = (y: number, row: number) => 0.1 + 0.3 * y + 0.05 * ((7 * row) % 10);

  it.each(NAMES)(
    'are in no count of %s: two sites with AUC 1 rest on their 10 patients of the smaller class',
    (name) => {
      const sites = [0, 10].map((from) => rows(10, (row) => row % 2, perfect, from));
      const others = [20, 70, 120, 170].map((from, at) => rows(50, () => at % 2, perfect, from));
      const input = { ...inputOf('roc_auc', reference.cases[0]), unit: 'row' };
      const found = intervalMethods[name]({ ...input, folds: [...sites, ...others] });
      // Wilson 10 of 10 at 95 %: 1 / (1 + 1.96^2 / 10) = .7225.
      expect(found).toMatchObject({ estimate: 1, upper: 1, nUnits: 20 });
      expect(found.lower).toBeCloseTo(0.7225, 4);
      expect(found.note).toContain('2 of 6 folds have a value');
    },
  );

  it.each(NAMES)('change no limit of %s away from the bound', (name) => {
    const valued = [0, 20, 40].map((from) => rows(20, (row) => row % 2, noisy, from));
    const others = [60, 80, 100, 120].map((from, at) => rows(20, () => at % 2, noisy, from));
    const input = { ...inputOf('roc_auc', reference.cases[0]), unit: 'row' };
    const limits = (folds: typeof valued) => {
      const { lower, upper, df, nUnits, standardError } = intervalMethods[name]({
        ...input,
        folds,
        random: randomSource(3),
      });
      return { lower, upper, df, nUnits, standardError };
    };
    expect(limits([valued[0], others[0], ...valued.slice(1), ...others.slice(1)])).toEqual(limits(valued));
    expect(limits(valued).lower).not.toBeNull();
  });
});
