import { describe, expect, it } from 'vitest';
import { domainClassifier } from '../../../src/checkers/CVL005-feature-statistics/domainClassifier.js';
import { randomSource } from '../../../src/core/random.js';
import reference from '../../reference/shift.json' with { type: 'json' };
import { sharesOf, tableOf } from '../shift/tables.js';

const classify = (units: number[][], folds: number[][], seed: number) =>
  domainClassifier(tableOf(units), folds.map(sharesOf), randomSource(seed));

describe('domainClassifier', () => {
  it.each([
    ['a shifted fold', reference.units, reference.folds, 8, reference.classifier],
    ['calm folds', reference.calmUnits, reference.folds.slice(0, 2), 9, reference.calmClassifier],
  ])('equals numpy, scikit-learn and DeLong written out: %s', (_, units, folds, seed, expected) => {
    const { auc, lower, upper, fold, level } = classify(units, folds, seed);
    expect([auc, lower, upper]).toEqual([
      expect.closeTo(expected.auc, 9),
      expect.closeTo(expected.lower, 9),
      expect.closeTo(expected.upper, 9),
    ]);
    expect({ fold, level }).toEqual({ fold: `fold-${expected.fold}`, level: 0.99 });
  });

  it('tells apart what is apart, with an interval that is not a point', () => {
    const units = Array.from({ length: 40 }, (_, unit) => [unit < 10 ? 1.7 : -0.6]);
    const { auc, lower, upper } = classify(units, [units.map((_, unit) => Number(unit < 10))], 1);
    expect([auc, upper]).toEqual([1, 1]);
    expect(lower).toBeGreaterThan(0.2);
    expect(lower).toBeLessThan(1);
  });

  it('says why there is none', () => {
    const wide = Array.from({ length: 30 }, (_, unit) => Array.from({ length: 201 }, (_, at) => (unit * at) % 7));
    expect(classify(wide, [wide.map((_, unit) => Number(unit < 10))], 1)).toEqual({
      auc: null,
      lower: null,
      upper: null,
      level: 0.99,
      reason: '201 features of 30 units are more than it is made for',
    });
    expect(classify([[1], [2]], [], 1).reason).toBe('there is nothing to tell apart');
  });
});
