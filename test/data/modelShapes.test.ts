import { describe, expect, it } from 'vitest';
import { hasEstimatorShape, hasGraphModelShape, hasLayersModelShape } from '../../src/data/modelShapes.js';

const does = (...methods: string[]) => Object.fromEntries(methods.map((method) => [method, () => undefined]));
const network = { ...does('makeTrainFunction', 'compile', 'fit', 'predict', 'getWeights', 'toJSON'), layers: [] };

describe('looksLikeLayersModel, looksLikeGraphModel and looksLikeEstimator', () => {
  it.each<[string, unknown, 'layers' | 'graph' | 'estimator' | 'none']>([
    ['a network', network, 'layers'],
    ['a graph model, which cannot be trained', does('predict', 'execute', 'executeAsync'), 'graph'],
    ['scikit-learn style', does('fit', 'predict'), 'estimator'],
    ['mljs style', does('train', 'predict'), 'estimator'],
    ['an estimator that has layers', { ...does('fit', 'predict'), layers: [] }, 'estimator'],
    ['one that gives probabilities alone', does('fit', 'predictProba'), 'estimator'],
    ['the same, as scikit-learn spells it', does('fit', 'predict_proba'), 'estimator'],
    ['one that cannot predict', does('fit'), 'none'],
    ['one that cannot be trained', does('predict'), 'none'],
    ['nothing', null, 'none'],
    ['a function', () => undefined, 'none'],
  ])('%s', (_name, model, kind) => {
    const found = {
      layers: hasLayersModelShape(model),
      graph: hasGraphModelShape(model),
      estimator: hasEstimatorShape(model),
    };
    expect(
      Object.entries(found)
        .flatMap(([name, is]) => (is ? [name] : []))
        .join() || 'none',
    ).toBe(kind);
  });
});
