import { describe, expect, it } from 'vitest';
import { partialAuc } from '../../../src/clinical/roc/partialAuc.js';
import reference from '../../reference/rocParts.json' with { type: 'json' };

const { y, s100b, wfns, limits } = reference.asah;
const few = { nBootstrap: 100 };
type Of = 'specificity' | 'sensitivity';

describe('partialAuc', () => {
  it('equals auc(partial.auc=) of pROC, plain and corrected, with ties and weights as copies', () => {
    const cases = [
      { y, scores: s100b, found: reference.asah.s100bFound },
      { y, scores: wfns, found: reference.asah.wfnsFound },
      ...reference.weighted,
    ];
    for (const { y, scores, found, ...more } of cases) {
      const weights = 'weight' in more ? { sampleWeight: more.weight as number[] } : {};
      for (const { of, from, to, plain, corrected } of found.areas) {
        const options = { ...few, ...weights, of: of as Of, from, to };
        expect(partialAuc(y, scores, options).estimate).toBeCloseTo(plain, 12);
        expect(partialAuc(y, scores, { ...options, corrected: true }).estimate).toBeCloseTo(corrected, 9);
      }
    }
  });

  it('has the limits of ci.auc of pROC', () => {
    for (const [corrected, { mean, sd }] of [[false, limits.area] as const, [true, limits.corrected] as const]) {
      const { lower, upper } = partialAuc(y, s100b, { from: 0.8, to: 1, corrected });
      [lower, upper].forEach((limit, at) => {
        expect(Math.abs((limit as number) - mean[at])).toBeLessThan(3 * sd[at] * Math.sqrt(1 + 1 / 20));
      });
    }
  });

  it('is the whole area, about either rate, from 0 to 1', () => {
    const [specificity, sensitivity] = (['specificity', 'sensitivity'] as const).map((of) =>
      partialAuc(y, s100b, { of, from: 0, to: 1, ...few }),
    );
    // pROC: .7313686, the area of clinical.json.
    expect(specificity.estimate).toBeCloseTo(0.7313685636856369, 12);
    expect(sensitivity.estimate).toBeCloseTo(0.7313685636856369, 12);
    expect(specificity.lower).toBeCloseTo(sensitivity.lower as number, 12);
  });

  it('by hand: a perfect curve has the width of the range, corrected 1; all scores tied .5', () => {
    const labels = Array.from({ length: 24 }, (_, row) => row % 2);
    const range = { from: 0.8, to: 1, ...few };
    const perfect = partialAuc(labels, labels, range);
    expect([perfect.estimate, perfect.upper]).toEqual([expect.closeTo(0.2, 12), expect.closeTo(0.2, 12)]);
    expect(perfect.lower as number).toBeLessThan(0.16); // .2 times Wilson's .757 of 12 of 12
    expect(partialAuc(labels, labels, { ...range, corrected: true }).estimate).toBeCloseTo(1, 12);
    // Below the diagonal from (.8, .2) to (1, 0): .02, which McClish's form makes .5.
    const tied = new Array(24).fill(1);
    expect(partialAuc(labels, tied, range).estimate).toBeCloseTo(0.02, 12);
    expect(partialAuc(labels, tied, { ...range, corrected: true }).estimate).toBeCloseTo(0.5, 12);
    // The worst curve: area 0, (1 + (0 - .02) / (.2 - .02)) / 2 = .444444.
    const against = labels.map((label) => -label);
    const worst = partialAuc(labels, against, { ...range, corrected: true });
    expect(worst.estimate).toBeCloseTo(0.4444444444444444, 12);
  });

  it('counts patients', () => {
    const groups = y.map((_, row) => row >> 1);
    expect(partialAuc(y, s100b, { from: 0.9, to: 1, groups })).toMatchObject({
      unit: 'patient',
      nUnits: 57,
      method: 'percentile_bootstrap',
      estimand: 'predictions',
    });
  });
});
