import { describe, expect, it } from 'vitest';
import { looksLikeEstimator, looksLikeLayersModel } from '../../src/core/modelShapes.js';

const does = (...methods: string[]) => Object.fromEntries(methods.map((method) => [method, () => undefined]));
const network = { ...does('makeTrainFunction', 'compile', 'fit', 'predict', 'getWeights', 'toJSON'), layers: [] };

describe('looksLikeLayersModel and looksLikeEstimator', () => {
  it.each<[string, unknown, boolean, boolean]>([
    ['a network', network, true, false],
    ['a graph model, which cannot be trained', does('predict', 'execute'), false, false],
    ['scikit-learn style', does('fit', 'predict'), false, true],
    ['mljs style', does('train', 'predict'), false, true],
    ['an estimator that has layers', { ...does('fit', 'predict'), layers: [] }, false, true],
    ['one that cannot be trained', does('predict'), false, false],
    ['nothing', null, false, false],
    ['a function', () => undefined, false, false],
  ])('%s', (_name, model, layers, estimator) => {
    expect([looksLikeLayersModel(model), looksLikeEstimator(model)]).toEqual([layers, estimator]);
  });
});
