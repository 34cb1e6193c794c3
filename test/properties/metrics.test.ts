/** What holds for any predictions: AUC as pair counting and its symmetries, bounds between metrics, beta identities. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { incompleteBeta, inverseIncompleteBeta, studentTQuantile, wilson } from '../../src/core/incompleteBeta.js';
import { f1, precision, recall, sensitivity, specificity } from '../../src/metrics/definitions/binary.js';
import { brier } from '../../src/metrics/definitions/probability.js';
import { rocAuc } from '../../src/metrics/definitions/ranking.js';
import { explainedVariance, mae, mse, r2, rmse } from '../../src/metrics/definitions/regression.js';
import { type Metric, score } from '../../src/metrics/metric.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

/** Rows with few distinct scores, so that ties abound, and integer weights, some of them 0. */
const row = fc.record({ y: fc.nat({ max: 1 }), p: fc.nat({ max: 8 }), w: fc.nat({ max: 4 }) });
const rows = fc.array(row, { minLength: 1, maxLength: 40 }).filter((list) => list.some(({ w }) => w > 0));
type Row = { y: number; p: number; w: number };

const tableOf = (list: readonly Row[], proba = (p: number) => p / 8) =>
  scoreTable({
    yTrue: list.map(({ y }) => y),
    yProba: list.map(({ p }) => proba(p)),
    sampleWeight: list.map(({ w }) => w),
  });
const valueFor = (metric: Metric, table: ReturnType<typeof tableOf>) => score(metric, table).value;

describe('roc_auc', () => {
  it('is the weighted share of concordant pairs, ties one half', () => {
    fc.assert(
      fc.property(rows, (list) => {
        let won = 0;
        let pairs = 0;
        for (const a of list) {
          for (const b of list) {
            if (a.y !== 1 || b.y !== 0) continue;
            pairs += a.w * b.w;
            won += a.w * b.w * (a.p > b.p ? 1 : a.p === b.p ? 0.5 : 0);
          }
        }
        expect(valueFor(rocAuc, tableOf(list))).toBe(pairs === 0 ? null : won / pairs);
      }),
    );
  });

  it('does not change under a strictly increasing transform of the scores', () => {
    fc.assert(
      fc.property(rows, (list) => {
        const transformed = tableOf(list, (p) => 1 / (1 + Math.exp(5 - p)));
        expect(valueFor(rocAuc, transformed)).toBe(valueFor(rocAuc, tableOf(list)));
      }),
    );
  });

  it('turns into its complement when scores or classes are turned round', () => {
    fc.assert(
      fc.property(rows, (list) => {
        const auc = valueFor(rocAuc, tableOf(list));
        const turned = tableOf(list, (p) => 1 - p / 8);
        const swapped = tableOf(list.map((each) => ({ ...each, y: 1 - each.y })));
        for (const other of [turned, swapped].map((table) => valueFor(rocAuc, table))) {
          if (auc === null || other === null) expect(other).toBe(auc);
          else expect(other).toBeCloseTo(1 - auc, 12);
        }
      }),
    );
  });
});

describe('counts', () => {
  it('sensitivity of one class is specificity of the other', () => {
    fc.assert(
      fc.property(rows, (list) => {
        const table = tableOf(list);
        expect(valueFor(sensitivity, { ...table, positive: 0 })).toBe(valueFor(specificity, table));
        expect(valueFor(recall, table)).toBe(valueFor(sensitivity, table));
      }),
    );
  });

  it('F1 is the harmonic mean of precision and recall where both are positive', () => {
    fc.assert(
      fc.property(rows, (list) => {
        const [p, r, f] = [precision, recall, f1].map((metric) => valueFor(metric, tableOf(list)));
        if (p && r) expect(f).toBeCloseTo((2 * p * r) / (p + r), 12);
      }),
    );
  });

  it('the Brier score is the same for either class as the positive one', () => {
    fc.assert(
      fc.property(rows, (list) => {
        const swapped = list.map((each) => ({ ...each, y: 1 - each.y }));
        const turned = tableOf(swapped, (p) => 1 - p / 8);
        expect(valueFor(brier, turned)).toBeCloseTo(valueFor(brier, tableOf(list)) as number, 12);
      }),
    );
  });
});

describe('regression', () => {
  const number = fc.integer({ min: -50, max: 50 });
  const pairs = fc.array(fc.tuple(number, number), { minLength: 1, maxLength: 30 });
  const regression = (list: readonly (readonly [number, number])[], offset = 0) =>
    scoreTable({ yTrue: list.map(([y]) => y), yPred: list.map(([, p]) => p + offset), task: 'regression' });

  it('mae <= rmse, rmse^2 = mse, r2 <= explained_variance <= 1, and an offset does not move the latter', () => {
    fc.assert(
      fc.property(pairs, (list) => {
        const table = regression(list);
        const [a, r, m] = [mae, rmse, mse].map((metric) => valueFor(metric, table) as number);
        expect(a).toBeLessThanOrEqual(r + 1e-12);
        expect(r * r).toBeCloseTo(m, 8);
        const explained = valueFor(explainedVariance, table);
        if (explained === null) expect(valueFor(r2, table)).toBeNull();
        else {
          expect(valueFor(r2, table) as number).toBeLessThanOrEqual(explained + 1e-9);
          expect(explained).toBeLessThanOrEqual(1);
          expect(valueFor(explainedVariance, regression(list, 7))).toBeCloseTo(explained, 8);
        }
      }),
    );
  });
});

describe('distributions', () => {
  const shape = fc.double({ min: 0.05, max: 5000, noNaN: true });
  const probability = fc.integer({ min: 1, max: 1023 }).map((k) => k / 1024); // 1 - p is exact

  it('I_x(a, b) = 1 - I_(1-x)(b, a), and the inverse inverts', () => {
    fc.assert(
      fc.property(probability, shape, shape, (x, a, b) => {
        expect(incompleteBeta(x, a, b)).toBeCloseTo(1 - incompleteBeta(1 - x, b, a), 12);
        const quantile = inverseIncompleteBeta(x, a, b);
        if (quantile > 1e-300 && quantile < 0.999) expect(incompleteBeta(quantile, a, b) / x).toBeCloseTo(1, 9);
      }),
    );
  });

  it('t is symmetric and falls with the degrees of freedom', () => {
    fc.assert(
      fc.property(fc.double({ min: 0.6, max: 0.9999, noNaN: true }), fc.integer({ min: 1, max: 500 }), (p, df) => {
        expect(studentTQuantile(1 - p, df)).toBeCloseTo(-studentTQuantile(p, df), 6);
        expect(studentTQuantile(p, df + 1)).toBeLessThan(studentTQuantile(p, df));
      }),
    );
  });

  it('Wilson holds the share, within [0, 1], with width', () => {
    const [shares, sizes] = [fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 1, max: 1e6, noNaN: true })];
    fc.assert(
      fc.property(shares, sizes, (share, n) => {
        const [lower, upper] = wilson(share, n, 0.95);
        expect([0 <= lower, lower <= share + 1e-15, share - 1e-15 <= upper, upper <= 1, lower < upper]).not.toContain(
          false,
        );
      }),
    );
  });
});
