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

describe('probabilitiesFrom', () => {
  it('is nothing for models that give none', async () => {
    expect(await run({})).toBeUndefined();
    expect(await run({ predictProbability: (_X) => [0, 1] })).toBeUndefined(); // knows no labels
  });

  it('takes rows of predictProba, sync, async, or as a tensor', async () => {
    const rows = [
      [0.25, 0.75],
      [1, 0],
    ];
    const expected = { data: [0.25, 0.75, 1, 0], shape: [2, 2] };
    expect(await run({ predictProba: () => rows })).toEqual(expected);
    expect(await run({ predictProba: async () => tf.tensor2d(rows) })).toEqual(expected);
  });

  it('leaves one column, which is of the positive class, as it is', async () => {
    expect(await run({ predictProba: () => [0.25, 1] })).toEqual({ data: [0.25, 1], shape: [2, 1] });
  });

  it('knows where scikitjs keeps the order of its columns, and leaves the tensors of the model alone', async () => {
    // As scikitjs 1.24 has it: first appearance in y, in a tensor (neighbours), a label encoder (trees) or one-hot encoder (linear).
    const rows = [
      [0.25, 0.75],
      [1, 0],
    ];
    const numbers: LabelFacts = { task: 'binary', classes: [0, 1] };
    const ways = [
      { classes_: tf.tensor1d([1, 0]) },
      { labelEncoder: { classes: [1, 0] } },
      { oneHot: { categories: [[1, 0]] } },
    ];
    for (const way of ways) {
      const estimator = model({ predictProba: () => rows, ...way });
      for (let fold = 0; fold < 2; fold++) {
        const found = await probabilitiesFrom(estimator, X, numbers);
        expect([Array.from(found?.probabilities.data ?? []), found?.classes]).toEqual([
          [0.75, 0.25, 0, 1],
          [0, 1],
        ]);
      }
    }
  });

  it('takes the spelling of scikit-learn', async () => {
    expect((await run({ predict_proba: () => [0.25, 1] }))?.data).toEqual([0.25, 1]);
  });

  it('says whether the model tells the order of its columns', async () => {
    const rows = [
      [0.25, 0.75],
      [1, 0],
    ];
    const classesOf = async (parts: Partial<Estimator>) => (await probabilitiesFrom(model(parts), X, two))?.classes;
    expect(await classesOf({ predictProba: () => rows })).toBeUndefined();
    expect(await classesOf({ predictProba: () => rows, classes_: ['yes', 'no'] })).toEqual(['no', 'yes']);
  });

  it('puts the columns in the order of the classes when the model tells its own', async () => {
    const rows = [
      [0.5, 0.3, 0.2],
      [0.1, 0.1, 0.8],
    ];
    expect((await run({ predictProba: () => rows, classes_: ['c', 'a', 'b'] }, three))?.data).toEqual([
      0.3, 0.2, 0.5, 0.1, 0.8, 0.1,
    ]);
    const numbers: LabelFacts = { task: 'binary', classes: [0, 1] };
    expect(
      (
        await run(
          {
            predictProba: () => [
              [0.2, 0.8],
              [1, 0],
            ],
            classes: tf.tensor1d([1, 0]),
          },
          numbers,
        )
      )?.data,
    ).toEqual([0.8, 0.2, 0, 1]);
  });

  it('gives a class that the training rows lacked the probability 0', async () => {
    expect(
      (
        await run(
          {
            predictProba: () => [
              [0.4, 0.6],
              [1, 0],
            ],
            classes_: ['a', 'c'],
          },
          three,
        )
      )?.data,
    ).toEqual([0.4, 0, 0.6, 1, 0, 0]);
  });

  it('asks mljs models label by label', async () => {
    const share = (rows: unknown[], label: unknown) => rows.map(() => (label === 'yes' ? 0.7 : 0.3));
    expect((await run({ predictProbability: share }))?.data).toEqual([0.3, 0.7, 0.3, 0.7]);
  });

  it('counts the votes of the trees of mljs forests, which its own predictProbability does not do right', async () => {
    const forest = new RandomForestClassifier({ nEstimators: 4, noOOB: true });
    const rows = Array.from({ length: 20 }, (_, i) => (i % 2 ? [i, i] : [-i - 1, -i - 1]));
    forest.train(
      rows,
      rows.map(([a]) => (a > 0 ? 1 : 0)),
    );
    const found = await probabilitiesFrom(
      forest as unknown as Estimator,
      [
        [-5, -5],
        [5, 5],
      ],
      { task: 'binary', classes: [0, 1] },
    );
    expect(Array.from(found?.probabilities.data ?? [])).toEqual([1, 0, 0, 1]); // all four trees agree
    expect(forest.predictProbability([[5, 5]], 1)[0]).toBeCloseTo(0.75, 5); // three of four votes
  });

  it('takes many labels as they are', async () => {
    const facts: LabelFacts = { task: 'multilabel', classes: [0, 1] };
    expect(
      (
        await run(
          {
            predictProba: () => [
              [0.9, 0.8],
              [0, 0],
            ],
          },
          facts,
        )
      )?.data,
    ).toEqual([0.9, 0.8, 0, 0]);
    expect(await run({ predictionValues: () => [[1], [1]] }, facts)).toBeUndefined();
  });

  it('refuses what cannot be right', async () => {
    expect(await thrown(() => run({ predictProba: () => [[0.5, 0.5]] }))).toMatch(/\(output_shape\): .*Got .*\b1\b/);
    expect(
      await thrown(() =>
        run(
          {
            predictProba: () => [
              [1, 0],
              [0, 1],
            ],
          },
          three,
        ),
      ),
    ).toMatch(/\(output_shape\): .*Got .*\b2\b/);
    expect(await thrown(() => run({ predictProba: () => [1.2, 0.5] }))).toMatch(/\(invalid_probabilities\): .*row 0/);
    expect(
      await thrown(() =>
        run({
          predictProba: () => [
            [3, -2],
            [0, 1],
          ],
        }),
      ),
    ).toMatch(/\(invalid_probabilities\): .*row 0/);
    expect(
      await thrown(() =>
        run({
          predictProba: () => [
            [1, 0],
            [0, 1],
          ],
          classes: ['no', 'maybe'],
        }),
      ),
    ).toMatch(/\(unknown_label\): .*Got a string/);
  });
});
