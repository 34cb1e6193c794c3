import { describe, expect, it } from 'vitest';
import { DummyRegressor } from '../../src/estimators/dummyRegressor.js';

const rows = [[1], [2], [3], [4]];
const y = [1, 2, 4, 9];

describe('DummyRegressor', () => {
  it.each([
    [{}, 4],
    [{ strategy: 'median' }, 3],
    // (n - 1) * 0.25 = 0.75 of the way from 1 to 2, as numpy.quantile
    [{ strategy: 'quantile', quantile: 0.25 }, 1.75],
    [{ strategy: 'constant', constant: 7 }, 7],
  ] as const)('predicts one number: %o', (options, value) => {
    const model = new DummyRegressor(options).fit(rows, y);
    expect(model.predict([[0], [1]])).toEqual([value, value]);
    expect(model.constant).toBe(value);
  });

  it('counts weights in the mean', () => {
    expect(new DummyRegressor().fit(rows, y, [1, 0, 0, 1]).constant).toBe(5);
  });
});
