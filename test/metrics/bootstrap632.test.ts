import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bootstrap632, bootstrap632Plus, noInformation } from '../../src/metrics/bootstrap632.js';
import { score } from '../../src/metrics/metric.js';
import { metricRegistry } from '../../src/metrics/registry.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

const loss = { direction: 'minimize' } as const;
const gain = { direction: 'maximize' } as const;

describe('bootstrap632Plus', () => {
  // Errors; the estimates of the design notes, which follow Efron & Tibshirani 1997.
  it.each([
    [0.1, 0.3, 0.5, 0.5, 0.2549],
    [0.1, 0.55, 0.5, 1, 0.5],
    [0.1, 0.05, 0.5, 0, 0.0684],
  ])('apparent %d, out of bag %d, no information %d', (apparent, outOfBag, none, overfitting, value) => {
    const found = bootstrap632Plus({ apparent, outOfBag, noInformation: none, metric: loss });
    expect(found.overfitting).toBeCloseTo(overfitting, 12);
    expect(found.value).toBeCloseTo(value, 4);
    // The same of gains: one less each.
    const turned = { apparent: 1 - apparent, outOfBag: 1 - outOfBag, noInformation: 1 - none };
    const gains = bootstrap632Plus({ ...turned, metric: gain });
    expect(gains.value).toBeCloseTo(1 - found.value, 12);
  });

  it('lies between .632 and the rows left out, and never beyond no information', () => {
    const share = fc.double({ min: 0, max: 1, noNaN: true });
    fc.assert(
      fc.property(share, share, share, (apparent, outOfBag, none) => {
        const found = bootstrap632Plus({ apparent, outOfBag, noInformation: none, metric: loss });
        const { value, weight, overfitting } = found;
        expect(overfitting).toBeGreaterThanOrEqual(0);
        expect(overfitting).toBeLessThanOrEqual(1);
        expect(weight).toBeGreaterThanOrEqual(0.632 - 1e-12);
        expect(weight).toBeLessThanOrEqual(1 + 1e-12);
        expect(value).toBeGreaterThanOrEqual(Math.min(apparent, outOfBag, none) - 1e-12);
        expect(value).toBeLessThanOrEqual(Math.max(apparent, outOfBag, none) + 1e-12);
      }),
    );
  });

  it('knows no overfitting where the apparent value is no better than none', () => {
    // An area of .48 on its own rows and .52 on others: R = 0, hence .632.
    const found = bootstrap632Plus({ apparent: 0.48, outOfBag: 0.52, noInformation: 0.5, metric: gain });
    expect(found).toMatchObject({ overfitting: 0, weight: 0.632 });
    expect(found.value).toBeCloseTo(0.368 * 0.48 + 0.632 * 0.52, 12);
  });

  it('is .632 without overfitting', () => {
    expect(bootstrap632({ apparent: 0.1, outOfBag: 0.3 })).toBeCloseTo(0.2264, 12);
    const same = bootstrap632Plus({ apparent: 0.1, outOfBag: 0.1, noInformation: 0.5, metric: loss });
    expect(same.value).toBeCloseTo(0.1, 12);
  });
});

describe('noInformation', () => {
  const table = scoreTable({
    yTrue: [1, 1, 1, 0, 0, 0, 0, 0, 0, 0],
    yProba: [0.9, 0.8, 0.2, 0.7, 0.1, 0.2, 0.3, 0.1, 0.4, 0.6],
    sampleWeight: [1, 2, 1, 1, 1, 3, 1, 1, 1, 2],
  });
  const of = (name: string, given = table) => noInformation(metricRegistry.get(name), given).value;

  it('is the sum of share times predicted share for accuracy (hand calculation)', () => {
    const plain = { ...table, weight: undefined as never };
    // 3 of 10 positive, 4 of 10 predicted so: .3 * .4 + .7 * .6
    expect(of('accuracy', plain)).toBeCloseTo(0.54, 12);
    expect(of('sensitivity', plain)).toBeCloseTo(0.4, 12);
    expect(of('roc_auc', plain)).toBe(0.5);
  });

  it('is the mean over all pairs for losses', () => {
    const { yTrue, yProba = new Float64Array(), weight = new Float64Array() } = table;
    let [sum, total] = [0, 0];
    for (let i = 0; i < 10; i++) {
      for (let j = 0; j < 10; j++) {
        sum += weight[i] * weight[j] * (yProba[j] - yTrue[i]) ** 2;
        total += weight[i] * weight[j];
      }
    }
    expect(of('brier')).toBeCloseTo(sum / total, 12);
    const numbers = scoreTable({ yTrue: [1.5, 2, 4, 7.25], yPred: [1, 3, 4, 8], task: 'regression' });
    const squares = [1.5, 2, 4, 7.25].flatMap((y) => [1, 3, 4, 8].map((p) => (p - y) ** 2));
    expect(of('mse', numbers)).toBeCloseTo(squares.reduce((a, b) => a + b) / 16, 12);
  });

  it('works for several classes', () => {
    const yProba = [
      [0.7, 0.2, 0.1],
      [0.2, 0.5, 0.3],
      [0.1, 0.3, 0.6],
      [0.3, 0.4, 0.3],
    ];
    const three = scoreTable({ yTrue: [0, 1, 2, 2], yProba, classes: [0, 1, 2] });
    // Shares 1/4 1/4 1/2, predicted 1/4 1/2 1/4
    expect(of('accuracy', three)).toBeCloseTo(1 / 16 + 1 / 8 + 1 / 8, 12);
  });

  it('is 0 for what is 0 by chance, not the rounding of sums over pairs', () => {
    const tables = Array.from({ length: 20 }, (_, seed) => {
      const yTrue = Array.from({ length: 31 }, (__, i) => ((i * 7 + seed) % 5 < 2 ? 1 : 0));
      return scoreTable({ yTrue, yPred: yTrue.map((y, i) => (i % 3 === 0 ? 1 - y : y)), task: 'binary' });
    });
    for (const name of ['cohen_kappa', 'mcc']) for (const each of tables) expect(of(name, each)).toBe(0);
  });

  it('has a reason where there is none', () => {
    const rows = (...list: string[]) => list.map((row) => Array.from(row, Number));
    const labels = scoreTable({ yTrue: rows('10', '01', '11'), yPred: rows('10', '01', '10') });
    expect(noInformation(metricRegistry.get('accuracy'), labels)).toEqual({
      value: null,
      reason: 'no-information rates are for one outcome per row',
    });
    expect(score(metricRegistry.get('accuracy'), labels).value).toBeCloseTo(2 / 3, 12);
  });
});
