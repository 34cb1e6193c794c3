import { describe, expect, it } from 'vitest';
import { isEstimator, readsNoRows } from '../../../adapters/estimator/index.js';

it('isEstimator knows models that train and predict, and nothing else', () => {
  expect(isEstimator({ train: () => 1, predict: () => 1 })).toBe(true);
  const others = [{ predict: () => 1 }, { fit: () => 1 }, null, 'model', () => 1];
  expect(others.map(isEstimator)).toEqual(others.map(() => false));
});

describe('readsNoRows', () => {
  const all = (...values: unknown[]) => values;
  const methods = {
    ofThis() {
      return this;
    },
    ofLabels(_X: unknown, y: unknown) {
      return y;
    },
  };
  it.each<[string, unknown, boolean]>([
    ['an empty body', (_X: unknown, _y: unknown) => undefined, true],
    ['no parameters', async () => 'loaded', true],
    ['this alone', methods.ofThis, true],
    ['its rows', (X: unknown[]) => X.length, false],
    ['its labels', methods.ofLabels, false],
    ['one parameter without brackets', new Function('return X => X')(), false],
    ['one that it does not look at', new Function('return async X => 0')(), true],
    ['all it is given', (...given: unknown[]) => all(...given), false],
    ['its arguments', new Function('return all(...arguments)'), false],
    ['a default value', new Function('return (X, m = X) => {}')(), false],
    ['parts of its rows', new Function('return ({ X }, y) => X')(), false],
    ['brackets in a comment', new Function('return (X /* (n, p) */, y) => y')(), false],
    ['a bound function', (() => 0).bind(null), false],
    ['no function', undefined, false],
  ])('%s: %s', (_, fit, expected) => {
    expect(readsNoRows(fit)).toBe(expected);
  });
});
