import { describe, expect, it } from 'vitest';
import { studentTQuantile } from '../../src/core/incompleteBeta.js';
import { randomSource } from '../../src/core/random.js';
import { cvauc } from '../../src/intervals/cvauc.js';
import { delongOfFolds } from '../../src/intervals/delong.js';
import { score } from '../../src/metrics/metric.js';
import { metricRegistry } from '../../src/metrics/registry.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';
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

  it('is centred within each fold: folds that differ do not widen it, as they do cvauc', () => {
    const y = [1, 1, 1, 0, 0, 0];
    const good = fold(y, [0.9, 0.8, 0.35, 0.1, 0.2, 0.4], 0);
    const bad = fold(y, [0.2, 0.5, 0.3, 0.4, 0.1, 0.6], 6);
    const input = { ...inputOf('roc_auc', reference.cases[0]), folds: [good, bad] };
    const width = ({ lower, upper }: { lower: number | null; upper: number | null }) =>
      (upper as number) - (lower as number);
    expect(delongOfFolds(input).estimate).toBe(cvauc(input).estimate);
    expect(width(delongOfFolds(input))).toBeLessThan(width(cvauc(input)));
  });
});
