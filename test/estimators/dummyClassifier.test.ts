import { describe, expect, it } from 'vitest';
import { DummyClassifier } from '../../src/estimators/dummyClassifier.js';

const rows = [[1], [2], [3], [4]];
const y = ['b', 'a', 'b', 'b'];

describe('DummyClassifier', () => {
  it.each([
    ['prior', {}, [0.25, 0.75], 'b'],
    ['mostFrequent', {}, [0, 1], 'b'],
    ['constant', { constant: 'a' }, [1, 0], 'a'],
  ] as const)('predicts the same for every row: %s', (strategy, more, proba, label) => {
    const model = new DummyClassifier({ strategy, ...more }).fit(rows, y);
    expect(model.classes).toEqual(['a', 'b']);
    expect(model.predictProba([[0], [9]])).toEqual([proba, proba]);
    expect(model.predict([[0], [9]])).toEqual([label, label]);
  });

  it('draws by the shares of the classes, or evenly, the same for the same seed', () => {
    const many = Array.from({ length: 4000 }, () => [0]);
    const stratified = new DummyClassifier({ strategy: 'stratified', randomState: 1 }).fit(rows, y);
    const share = stratified.predict(many).filter((label) => label === 'b').length / many.length;
    expect(Math.abs(share - 0.75)).toBeLessThan(0.03);
    expect(stratified.predict(many)).toEqual(stratified.predict(many));
    const uniform = new DummyClassifier({ strategy: 'uniform', randomState: 1 }).fit(rows, y);
    expect(Math.abs(uniform.predict(many).filter((label) => label === 'b').length / many.length - 0.5)).toBeLessThan(
      0.03,
    );
    expect(uniform.predictProba([[0]])).toEqual([[0.5, 0.5]]);
  });

  it('counts weights', () => {
    const model = new DummyClassifier().fit(rows, y, [1, 6, 1, 1]);
    expect(model.predictProba([[0]])[0][0]).toBeCloseTo(6 / 9, 12);
    expect(model.predict([[0]])).toEqual(['a']);
  });
});
