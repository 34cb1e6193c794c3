import { RandomForestClassifier } from 'ml-random-forest';
import { describe, expect, it } from 'vitest';
import { isEstimator } from '../../../adapters/estimator/structures.js';
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
