import { describe, expect, it } from 'vitest';
import { DummyClassifier } from '../../src/estimators/dummyClassifier.js';
import { DummyRegressor } from '../../src/estimators/dummyRegressor.js';
import { estimatorFromJSON } from '../../src/estimators/estimatorFromJSON.js';
import { LogisticRegression } from '../../src/estimators/logisticRegression.js';
import { untypedAnswers } from '../helpers/hostileJSON.js';
import { thrown } from '../helpers/thrown.js';

const X = [[1], [2], [3], [5], [8]];
const again = <T>(model: T) => estimatorFromJSON(JSON.parse(JSON.stringify(model))) as T;

describe('estimatorFromJSON', () => {
  it('makes a fitted model again, bit for bit', () => {
    const y = [true, false, true, true, false];
    for (const model of [
      new LogisticRegression(),
      new DummyClassifier(),
      new DummyClassifier({ strategy: 'mostFrequent' }),
    ]) {
      model.fit(X, y);
      expect(again(model).predictProba(X)).toEqual(model.predictProba(X));
      expect(again(model).predict(X)).toEqual(model.predict(X));
      expect(again(model).classes).toEqual([false, true]);
      expect(again(model).getParams()).toEqual(model.getParams());
    }
    const mean = new DummyRegressor().fit(X, [0.1, 0.2, 0.4, 1 / 3, 5]);
    expect(again(mean).predict(X)).toEqual(mean.predict(X));
  });

  it('makes one again that is not fitted', async () => {
    for (const model of [
      new LogisticRegression({ C: 3 }),
      new DummyClassifier(),
      new DummyRegressor({ strategy: 'constant', constant: 3 }),
    ]) {
      expect(again(model).getParams()).toEqual(model.getParams());
      expect(await thrown(() => again(model).predict([[1]] as never))).toContain('not_fitted');
    }
  });

  it.each([
    ['LogisticRegression', new LogisticRegression().fit(X, [0, 1, 0, 1, 1])],
    ['three classes', new LogisticRegression().fit(X, ['a', 'b', 'c', 'a', 'b'])],
    ['DummyClassifier', new DummyClassifier().fit(X, [true, false, true, true, false])],
    ['DummyRegressor', new DummyRegressor().fit(X, [0.1, 0.2, 0.4, 3, 5])],
  ])('answers hostile JSON of %s with one sentence, and predicts with what it takes', async (_, model) => {
    const json = JSON.parse(JSON.stringify(model));
    expect(await untypedAnswers(json, (each) => estimatorFromJSON(each).predict(X), 200)).toEqual([]);
  });

  it('refuses what a damaged file would predict with in silence', async () => {
    const json = (fitted: object) => ({ ...new LogisticRegression().toJSON(), fitted });
    const whole = { classes: [0, 1], coef: [[1]], intercept: [0], iterations: 3, notes: [] };
    expect(await thrown(() => estimatorFromJSON(json(whole)))).toBe('nothing thrown');
    for (const damage of [
      { coef: 5 },
      { coef: [['a']] },
      { coef: [[1, 2], [1]] },
      { intercept: [null] },
      { intercept: [] },
      { classes: [0, 0] },
      { classes: [0, 1, 2] },
      { coeff: [[1]] },
    ]) {
      expect(await thrown(() => estimatorFromJSON(json({ ...whole, ...damage })))).toContain('(other_json)');
    }
    const dummy = (shares: unknown[]) => ({ ...new DummyClassifier().toJSON(), fitted: { classes: [0, 1], shares } });
    expect(await thrown(() => estimatorFromJSON(dummy([0.25, 0.75])))).toBe('nothing thrown');
    for (const shares of [
      [-1, 0.5],
      [-0.5, 1.5],
      [0.2, 0.2],
      [0, 0],
      [null, 1],
    ]) {
      expect(await thrown(() => estimatorFromJSON(dummy(shares)))).toContain('(other_json)');
    }
  });
});
