import { RandomForestClassifier } from 'ml-random-forest';
import { describe, expect, it } from 'vitest';
import { isEstimator, readsNoRows } from '../../../adapters/estimator/index.js';
import { NearestMean } from '../../helpers/nearestMean.js';
import { network } from '../../helpers/tfjsModels.js';

describe('isEstimator', () => {
  it('knows models with fit or train and predict', () => {
    expect(
      [new NearestMean(), new RandomForestClassifier({}), { train: () => 1, predict: () => 1 }].map(isEstimator),
    ).toEqual([true, true, true]);
  });

  it('knows no neural networks, and nothing that cannot be trained', () => {
    expect([network(), { predict: () => 1 }, { fit: () => 1 }, null, 'model', () => 1].map(isEstimator)).toEqual(
      Array(6).fill(false),
    );
  });
});

describe('readsNoRows', () => {
  const all = (...values: unknown[]) => values;
  it.each<[string, unknown, boolean]>([
    ['an empty body', (_X: unknown, _y: unknown) => undefined, true],
    ['no parameters', async () => 'loaded', true],
    [
      'this alone',
      {
        fit() {
          return this;
        },
      }.fit,
      true,
    ],
    ['its rows', (X: unknown[]) => X.length, false],
    [
      'its labels',
      {
        fit(_X: unknown, y: unknown) {
          return y;
        },
      }.fit,
      false,
    ],
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
