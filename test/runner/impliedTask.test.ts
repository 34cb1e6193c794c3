/** Integers under a loss for numbers and one linear unit are a regression, however the model is trained. */
import { describe, expect, it } from 'vitest';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { identityConfounding } from '../../src/stats/identityConfounding.js';
import { labelPermutationGap } from '../../src/stats/labelPermutationGap.js';
import { leakageInflation } from '../../src/stats/leakageInflation.js';
import { learningCurve } from '../../src/stats/learningCurve.js';
import { permutationTest } from '../../src/stats/permutationTest.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { network, tf } from '../helpers/tfjsModels.js';
import { thrown } from '../helpers/thrown.js';

/** A score from 0 to 10. */
const X = Array.from({ length: 66 }, (_, row) => [Math.sin(row), (row % 11) / 11, Math.cos(row)]);
const y = X.map((_, row) => row % 11);
const linear = () => network({ activation: 'linear' });
const WHY =
  'y has 11 distinct integers, and the loss meanSquaredError with one linear output unit is that of a regression';

const options = { epochs: 2, optimizer: 'adam', lossFn: 'meanSquaredError' };
const run = (model: unknown, parts: object = {}) =>
  new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 3 }), verbose: 0 }).run({
    model,
    data: [X, y],
    ...options,
    ...parts,
  } as never);

describe('integers with a regression loss and one linear unit', () => {
  it('are a regression in run, as if the task were given, and the summary says why', async () => {
    const before = tf.memory().numTensors;
    const teardowns: number[] = [];
    const found = await run(linear, { callbacks: [{ teardown: () => void teardowns.push(1) }] });
    const asked = await run(linear, { task: 'regression' });
    expect(found.metadata).toMatchObject({ task: 'regression', taskReason: WHY });
    expect(found.outOfFold.yPred).toEqual(asked.outOfFold.yPred);
    expect(found.outOfFold.yTrue).toEqual(y);
    expect(Object.keys(found.scores)).toEqual(Object.keys(asked.scores));
    expect(found.summary()).toContain('that of a regression');
    expect(teardowns).toEqual([1]);
    expect(tf.memory().numTensors).toBe(before);
  });

  it('are so by what the model was compiled with, by a function, and for an instance', async () => {
    const compiled = linear();
    compiled.compile({ optimizer: 'adam', loss: 'meanAbsoluteError' });
    const none = { lossFn: undefined, optimizer: undefined };
    expect((await run(compiled, none)).metadata.taskReason).toContain('the loss meanAbsoluteError');
    compiled.dispose();
    expect((await run(linear, { lossFn: tf.losses.huberLoss })).metadata.task).toBe('regression');
  });

  it('are so in validate, whose folds are then not stratified', async () => {
    const validator = new CVKitValidator({ nSplits: 3, checkLeakage: false, checkBalance: false });
    const result = await validator.validate({ model: linear, X, y, ...options, verbose: 0 } as never);
    expect(result.manifest).toMatchObject({ task: 'regression', taskReason: WHY, splitter: 'KFold' });
    expect(Object.keys(result.meanScores)).toContain('mae');
    expect(result.summary()).toContain('regression');
  });

  it('are so in fitValidate, also where the test set has numbers that the training set lacks', async () => {
    const fitValidate = (parts: object) => new CVKitValidator().fitValidate(parts as never);
    const sets = { XTrain: X.slice(0, 44), yTrain: y.slice(0, 44), XTest: X.slice(44), yTest: y.slice(44), verbose: 0 };
    const before = tf.memory().numTensors;
    const result = await fitValidate({ ...sets, model: linear, ...options });
    expect(result.manifest).toMatchObject({ task: 'regression', taskReason: WHY.replace('y has', 'yTrain has') });
    const asked = await fitValidate({ ...sets, model: linear, ...options, task: 'regression' });
    expect(result.outOfFold.yPred).toEqual(asked.outOfFold.yPred);
    expect(result.outOfFold.yTrue).toEqual(sets.yTest);
    expect(result.scores).toEqual(asked.scores);
    for (const yTest of [sets.yTest.map((value) => value + 40), sets.yTest.map((value) => value + 0.5)]) {
      const other = await fitValidate({ ...sets, yTest, model: linear, ...options });
      expect(other.manifest.task).toBe('regression');
      expect(other.outOfFold.yTrue).toEqual(yTest);
      const classes = () => fitValidate({ ...sets, yTest, model: () => network({ units: 11 }), ...options });
      expect(await thrown(classes)).toContain('yTest row 0 must be a class that yTrain has');
    }
    expect(tf.memory().numTensors).toBe(before);
  });

  it('are so where the model is run many times', { tags: 'slow' }, async () => {
    const given = { model: linear, ...options, epochs: 1, verbose: 0, randomState: 1 };
    const one = { ...given, X, y, cv: new KFold({ nSplits: 2 }) };
    expect((await learningCurve({ ...one, sizes: [20] } as never)).metric).toBe('rmse');
    expect((await permutationTest({ ...one, nPermutations: 19 } as never)).metric).toBe('rmse');
    expect((await labelPermutationGap({ ...one, nPermutations: 19 } as never)).metric).toBe('rmse');
    const groups = X.map((_, row) => row >> 1);
    expect(
      (await identityConfounding({ ...one, y: groups.map((id) => id % 11), groups, nPermutations: 19 } as never))
        .metric,
    ).toBe('rmse');
    expect((await leakageInflation({ ...given, data: { X, y, groups } } as never)).metric).toBe('rmse');
  });

  it('are so where the metrics, or the folds of the guessed classes, would be refused', async () => {
    const metrics = ['mae', 'r2'];
    expect((await run(linear, { metrics })).metadata.taskReason).toBe(WHY);
    const validator = new CVKitValidator({ metrics, checkLeakage: false, checkBalance: false });
    const rare = y.map((value, row) => (row < 2 ? 15 : value % 4)); // two rows of 15: too few to be stratified
    const result = await validator.validate({ model: linear, X, y: rare, ...options, verbose: 0 } as never);
    expect(result.manifest).toMatchObject({ task: 'regression', splitter: 'KFold' });
    expect(await thrown(() => run(() => network({ units: 11 }), { metrics }))).toContain('for regression tasks');
  });

  it('stay classes where anything else says so', async () => {
    const code = async (model: () => unknown, parts: object = {}) =>
      /\((\w+)\)/.exec(await thrown(() => run(model, parts)))?.[1];
    expect((await run(() => network({ units: 11 }), options)).metadata.task).toBe('multiclass');
    expect(await code(linear, { task: 'multiclass' })).toBe('output_shape');
    expect(await code(() => network({ units: 1 }))).toBe('output_shape'); // a sigmoid is no linear unit
    expect(await code(linear, { lossFn: 'binaryCrossentropy' })).toBe('output_shape');
    // An event and its absence: the sigmoid was forgotten.
    expect(await code(linear, { data: [X, y.map((value) => value % 2)] })).toBe('invalid_probabilities');
    const oneHot = y.map((value) => Array.from({ length: 11 }, (_, at) => Number(at === value)));
    expect(await code(linear, { data: [X, oneHot] })).toBe('output_shape');
  });
});
