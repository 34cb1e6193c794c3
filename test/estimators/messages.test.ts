/** The sentences of this room, reviewed in one file of snapshots; other tests assert codes and evidence. */
import { expect, it } from 'vitest';
import { CoxRegression } from '../../src/estimators/coxRegression.js';
import { DummyClassifier } from '../../src/estimators/dummyClassifier.js';
import { DummyRegressor } from '../../src/estimators/dummyRegressor.js';
import { estimatorFromJSON } from '../../src/estimators/estimatorFromJSON.js';
import { fromConstructor } from '../../src/estimators/fromConstructor.js';
import { KaplanMeier } from '../../src/estimators/kaplanMeier.js';
import { LogisticRegression } from '../../src/estimators/logisticRegression.js';
import { texts } from '../helpers/messages.js';

const X = [[1], [2], [3], [4]];
const y = [0, 0, 1, 1];
const fitted = (X: unknown, y: unknown, options = {}) => new LogisticRegression(options).fit(X as never, y as never);
const X2 = { data: Float64Array.of(1, 0, 3, 0, 2, 0, 4, 0), shape: [4, 2], featureNames: ['age', 'site'] };
const cox = (X: unknown, event: number[], options = {}, cause?: number) =>
  new CoxRegression(options).fit(X as never, { time: [1, 2, 3, 4], event }, null, cause);

it.each<[string, Record<string, () => unknown>]>([
  [
    'LogisticRegression',
    {
      'separate classes': () => fitted(X, y).notes[0],
      'no convergence': () => fitted([[0], [1], [1], [3]], [0, 1, 0, 1], { maxIter: 1, tol: 1e-12 }).notes[0],
      NaN: () => fitted([[1], [Number.NaN]], [0, 1]),
      'NaN in a column with a name': () =>
        fitted({ data: Float64Array.of(1, 2, 3, Number.NaN), shape: [2, 2], featureNames: ['age', 'dose'] }, [0, 1]),
      'a word as a cell': () => fitted([[1], ['f']], [0, 1]),
      'ragged rows': () => fitted([[1], [2, 3]], [0, 1]),
      'one class': () => fitted([[1], [2]], [0, 0]),
      'numbers as classes': () => fitted([[1], [2]], [0.5, 1.25]),
      'a weight for no class': () => fitted(X, y, { classWeight: { 0: 1, 2: 50 } }),
      'too few labels': () => fitted([[1], [2]], [0]),
      'a text as rows': () => fitted('text', [0, 1]),
      'predict before fit': () => new LogisticRegression().predict([[1]]),
      'rows of other columns': () => fitted([[1], [2]], [0, 1]).predict([[1, 2]]),
      'a C of 0': () => new LogisticRegression({ C: 0 }),
      'JSON of nothing': () => LogisticRegression.fromJSON({}),
    },
  ],
  [
    'CoxRegression and KaplanMeier',
    {
      'competing events': () => cox([[1], [3], [2], [4]], [1, 1, 2, 1]).notes[0],
      'a column without information': () => cox(X2, [1, 1, 0, 1]).notes[0],
      'no event': () => cox(X, [0, 0, 0, 0]),
      'no event of the cause': () => cox(X, [1, 0, 0, 1], {}, 2),
      'a cause that is none': () => cox(X, [1, 0, 0, 1], {}, 0),
      'risks that fall with time': () => cox(X, [1, 1, 1, 1]),
      'y without times': () => new CoxRegression().fit(X, y),
      'fewer outcomes than rows': () => new KaplanMeier().fit([[1], [2]], { time: [1], event: [1] }),
      'strata by a name without names': () => cox(X, [1, 0, 0, 1], { strata: 'site' }),
      'strata by another name': () => cox(X2, [1, 0, 0, 1], { strata: 'sites' }),
      'strata by a place that is none': () => cox(X, [1, 0, 0, 1], { strata: 7 }),
      'strata that are none': () => cox(X, [1, 0, 0, 1], { strata: -1 }),
      'a stratum without training rows': () => cox(X2, [1, 1, 0, 1], { strata: 'site' }).predictSurvival([[1, 2]], [1]),
      'no times': () => cox(X2, [1, 1, 0, 1]).predictSurvival([[1, 0]], undefined as never),
      'a penalty below 0': () => new CoxRegression({ alpha: -1 }),
      'an option of KaplanMeier': () => new KaplanMeier({ alpha: 1 } as never),
      'a curve before fit': () => new KaplanMeier().curve,
    },
  ],
  [
    'other estimators',
    {
      'a constant without its strategy': () => new DummyClassifier({ constant: 1 }),
      'a constant that is no class': () => new DummyClassifier({ strategy: 'constant', constant: 7 }).fit(X, y),
      'numbers as classes of a dummy': () => new DummyClassifier().fit(X, [0.5, 1, 2, 3]),
      'a classifier that is not fitted': () => new DummyClassifier().predict(X),
      'weights of a median': () => new DummyRegressor({ strategy: 'median' }).fit(X, y, y),
      'a quantile without its strategy': () => new DummyRegressor({ quantile: 0.5 }),
      'a model of fromConstructor that is not fitted': () => fromConstructor(() => ({ predict: () => [1] })).predict(X),
      'a constant strategy without one': () => new DummyRegressor({ strategy: 'constant' }),
      'a regressor that is not fitted': () => new DummyRegressor().predict(X),
      'JSON that is null': () => estimatorFromJSON(null),
      'JSON of a classifier': () => DummyRegressor.fromJSON(new DummyClassifier().toJSON()),
      'JSON of an unknown estimator': () => estimatorFromJSON({ estimator: 'Forest' }),
      'JSON of another estimator': () => DummyClassifier.fromJSON(new DummyRegressor().toJSON()),
    },
  ],
])('%s', async (_, rows) => expect(await texts(rows)).toMatchSnapshot());
