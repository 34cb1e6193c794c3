import { RandomForestClassifier } from 'ml-random-forest';
import { describe, expect, it } from 'vitest';
import type { Estimator } from '../../../adapters/estimator/index.js';
import { probabilitiesFrom } from '../../../adapters/estimator/index.js';
import type { LabelFacts } from '../../../src/runner/frameworkAdapter.js';
import { tf } from '../../helpers/tfjsModels.js';
import { thrown } from '../../helpers/thrown.js';

const X = [[0], [1]];
const two: LabelFacts = { task: 'binary', classes: ['no', 'yes'] };
const three: LabelFacts = { task: 'multiclass', classes: ['a', 'b', 'c'] };
const model = (parts: Partial<Estimator>): Estimator => ({ fit: () => undefined, predict: () => [], ...parts });
const run = async (parts: Partial<Estimator>, facts = two) => {
  const found = await probabilitiesFrom(model(parts), X, facts);
  return found && { data: Array.from(found.probabilities.data), shape: found.probabilities.shape };
};

const numbers: LabelFacts = { task: 'binary', classes: [0, 1] };
/** Rows of two numbers. */
const pairs = (...cells: number[]) =>
  Array.from({ length: cells.length / 2 }, (_, row) => cells.slice(2 * row, 2 * row + 2));
const rows = pairs(0.25, 0.75, 1, 0);
const labelByLabel = (X: unknown[], label: unknown) => X.map(() => (label === 'yes' ? 0.7 : 0.3));

describe('probabilitiesFrom', () => {
  it('is nothing for models that give none', async () => {
    expect(await run({})).toBeUndefined();
    expect(await run({ predictProbability: (_X) => [0, 1] })).toBeUndefined(); // knows no labels
    for (const objective of ['constructor', '__proto__']) {
      expect(await run({ train: () => undefined, options: { objective } })).toBeUndefined();
    }
    expect(await run({ predictionValues: () => [[1], [1]] }, { task: 'multilabel', classes: [0, 1] })).toBeUndefined();
  });

  it.each<[string, Partial<Estimator>, LabelFacts, number[]]>([
    ['rows of predictProba', { predictProba: () => rows }, two, rows.flat()],
    ['a promise of a tensor', { predictProba: async () => tf.tensor2d(rows) }, two, rows.flat()],
    ['one column, which is of the positive class', { predictProba: () => [0.25, 1] }, two, [0.25, 1]],
    ['the spelling of scikit-learn', { predict_proba: () => [0.25, 1] }, two, [0.25, 1]],
    [
      'columns in an order that the model tells',
      {
        predictProba: () => [
          [0.5, 0.3, 0.2],
          [0.1, 0.1, 0.8],
        ],
        classes_: ['c', 'a', 'b'],
      },
      three,
      [0.3, 0.2, 0.5, 0.1, 0.8, 0.1],
    ],
    [
      'an order in a tensor',
      { predictProba: () => pairs(0.2, 0.8, 1, 0), classes: tf.tensor1d([1, 0]) },
      numbers,
      [0.8, 0.2, 0, 1],
    ],
    [
      'the probability 0 for a class that the training rows lacked',
      { predictProba: () => pairs(0.4, 0.6, 1, 0), classes_: ['a', 'c'] },
      three,
      [0.4, 0, 0.6, 1, 0, 0],
    ],
    ['mljs models label by label', { predictProbability: labelByLabel }, two, [0.3, 0.7, 0.3, 0.7]],
    [
      'many labels as they are',
      { predictProba: () => pairs(0.9, 0.8, 0, 0) },
      { task: 'multilabel', classes: [0, 1] },
      [0.9, 0.8, 0, 0],
    ],
  ])('takes %s', async (_, parts, facts, data) => {
    expect(await run(parts, facts)).toEqual({ data, shape: [2, data.length / 2] });
  });

  it('knows where scikitjs keeps the order of its columns, and leaves the tensors of the model alone', async () => {
    // As scikitjs 1.24 has it: first appearance in y, in a tensor (neighbours), a label encoder (trees) or one-hot encoder (linear).
    const ways = [
      { classes_: tf.tensor1d([1, 0]) },
      { labelEncoder: { classes: [1, 0] } },
      { oneHot: { categories: [[1, 0]] } },
    ];
    for (const way of ways) {
      const estimator = model({ predictProba: () => rows, ...way });
      for (let fold = 0; fold < 2; fold++) {
        const found = await probabilitiesFrom(estimator, X, numbers);
        expect(Array.from(found?.probabilities.data ?? [])).toEqual([0.75, 0.25, 0, 1]);
        expect(found?.classes).toEqual([0, 1]);
      }
    }
  });

  it('says whether the model tells the order of its columns', async () => {
    const classesOf = async (parts: Partial<Estimator>) => (await probabilitiesFrom(model(parts), X, two))?.classes;
    expect(await classesOf({ predictProba: () => rows })).toBeUndefined();
    expect(await classesOf({ predictProba: () => rows, classes_: ['yes', 'no'] })).toEqual(['no', 'yes']);
  });

  it('counts the votes of the trees of mljs forests, which its own predictProbability does not do right', async () => {
    const forest = new RandomForestClassifier({ nEstimators: 4, noOOB: true });
    const training = Array.from({ length: 20 }, (_, i) => (i % 2 ? [i, i] : [-i - 1, -i - 1]));
    const labels = training.map(([a]) => (a > 0 ? 1 : 0));
    forest.train(training, labels);
    const found = await probabilitiesFrom(forest as unknown as Estimator, pairs(-5, -5, 5, 5), numbers);
    expect(Array.from(found?.probabilities.data ?? [])).toEqual([1, 0, 0, 1]); // all four trees agree
    expect(forest.predictProbability([[5, 5]], 1)[0]).toBeCloseTo(0.75, 5); // three of four votes
  });

  it('refuses a row of a sum of 1 with numbers beyond 0 and 1', async () => {
    const message = await thrown(() => run({ predictProba: () => pairs(3, -2, 0, 1) }));
    expect(message).toMatch(/\(invalid_probabilities\): .*row 0/);
  });

  it('refuses a row that lacks a label, which is no probability of 0', async () => {
    const labels: LabelFacts = { task: 'multilabel', classes: [0, 1] };
    const message = await thrown(() => run({ predictProba: () => [[0.2, 0.8], [1]] }, labels));
    expect(message).toMatch(/\(invalid_probabilities\): .*class number 1 for row 1/);
  });
});
