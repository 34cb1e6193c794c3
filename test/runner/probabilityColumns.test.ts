/** One column of probabilities is P(positive) for every kind of model, and the order of several columns is checked. */
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { loadNetwork } from '../../adapters/tfjs/index.js';
import { loadCancerImaging } from '../../src/datasets/loadCancerImaging.js';
import type { FrameworkAdapter } from '../../src/runner/frameworkAdapter.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { network, tf } from '../helpers/tfjsModels.js';
import { thrown } from '../helpers/thrown.js';

const n = 60;
/** Rows whose first number is P(the second word of a pair), with labels that follow it but for every fifth row. */
const X = Array.from({ length: n }, (_, row) => [((row * 37) % 97) / 97, Math.cos(row), 1]);
const ill = X.map(([p], row) => (row % 5 === 0 ? p <= 0.5 : p > 0.5));
const named = (positive: string, negative: string) => ill.map((is) => (is ? positive : negative));

/** Area under the curve by counting pairs: P(a case scores above a control) + half of the ties. */
function auc(scores: readonly number[]): number {
  const [cases, controls] = [true, false].map((is) => scores.filter((_, row) => ill[row] === is));
  const won = cases.flatMap((a) => controls.map((b) => (a > b ? 1 : a === b ? 0.5 : 0) as number));
  return won.reduce((sum, each) => sum + each, 0) / won.length;
}
const expected = auc(X.map(([p]) => p));

/** P(the second word) is the first number of a row; labels are cut at `at`. */
const estimator = <T>([negative, positive]: [T, T], at = 0.5) => ({
  fit: () => undefined,
  predict: (rows: number[][]) => rows.map(([p]) => (p > at ? positive : negative)),
  predictProba: (rows: number[][]): unknown[] => rows.map(([p]) => p),
});

/** Mean AUC of one fold that tests every row: trained on all, so that the numbers are those of the model alone. */
async function run(options: object, runner: object = {}) {
  const cvSplitter = new KFold({ nSplits: 5 });
  const results = await new UniversalCVRunner({ cvSplitter, verbose: 0, ...runner }).run({
    metrics: ['roc_auc', 'accuracy'],
    ...options,
  } as never);
  const { row, yProba, yPred, yTrue } = results.outOfFold;
  const scores = Array.from({ length: n }, (_, at) => (yProba as number[])[row.indexOf(at)]);
  return { auc: auc(scores), accuracy: yPred.filter((label, at) => label === yTrue[at]).length / n, results };
}

describe('one column of probabilities', () => {
  it.each([
    ['case', 'control', undefined],
    ['cancer', 'healthy', 'cancer'],
    ['no', 'yes', 'no'],
  ])('of an estimator is P(%s) beside %s', async (positive, negative, positiveLabel) => {
    const model = () => estimator([negative, positive]);
    const found = await run({ model, data: [X, named(positive, negative)], positiveLabel });
    expect(found.auc).toBeCloseTo(expected, 12);
    expect(found.accuracy).toBeCloseTo(0.8, 12); // every fifth label does not follow
  });

  it('of a custom adapter is P(positive), also cut at a threshold', async () => {
    const adapter: FrameworkAdapter = {
      name: 'own',
      capabilities: { trains: true, epochs: false, probabilities: true, saves: false },
      matches: () => true,
      build: async (source, ctx) => (typeof source === 'function' ? source(ctx) : source),
      fit: async () => ({ epochs: [] }),
      async predict(_model, rows) {
        const data = Float64Array.from((await rows.toArrays()) as number[][], ([p]) => p);
        return { probabilities: { data, shape: [data.length, 1] } };
      },
    };
    const data = [X, named('case', 'control')];
    const found = await run({ model: () => ({}), data }, { adapter });
    expect(found.auc).toBeCloseTo(expected, 12);
    expect(found.accuracy).toBeCloseTo(0.8, 12);
    const cut = await run({ model: () => ({}), data, threshold: { fixed: 0.5 } }, { adapter });
    expect(cut.accuracy).toBeCloseTo(0.8, 12);
  });

  it('of a network with one sigmoid unit is P(positive) by training: what the names are makes no difference', {
    tags: 'slow',
  }, async () => {
    const training = { epochs: 8, batchSize: 8, optimizer: 'adam', lossFn: 'binaryCrossentropy' };
    const options = { model: () => network(), ...training };
    const weights = (positive: string, negative: string) => ({ classWeight: { [positive]: 3, [negative]: 1 } });
    const ofNumbers = await run({ ...options, data: [X, ill.map(Number)], ...weights('1', '0') });
    const ofWords = await run({ ...options, data: [X, named('case', 'control')], ...weights('case', 'control') });
    expect(ofWords.results.outOfFold.yProba).toEqual(ofNumbers.results.outOfFold.yProba);
    expect(ofWords.results.histories).toEqual(ofNumbers.results.histories);
  });

  it('of a graph model is P(positive)', async () => {
    const { X: rows, y } = await loadCancerImaging();
    const tensors = tf.memory().numTensors;
    const model = await loadNetwork(fileURLToPath(new URL('../../models/trained/wdbc-graph', import.meta.url)));
    const data = [rows, Array.from(y as ArrayLike<number>, (label) => (label === 1 ? 'case' : 'control'))];
    const runner = new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 5 }), verbose: 0 });
    const found = await runner.run({ model, data, metrics: ['roc_auc'] } as never);
    model.dispose();
    expect(found.meanScores.roc_auc).toBeGreaterThan(0.98); // about.json of the model: trained on these very rows
    expect(tf.memory().numTensors).toBe(tensors);
  });
});

describe('one column that is the other class', () => {
  it('is an error that says so, beside labels that tell', async () => {
    const model = () => estimator([0, 1]);
    const y = ill.map(Number);
    expect(await thrown(() => run({ model, data: [X, y], positiveLabel: 0 }))).toContain(
      'The column of probabilities must be P(0), the positive class. Got one that agrees with the predicted labels as P(1).',
    );
    expect((await run({ model, data: [X, y], positiveLabel: 1 })).auc).toBe(expected);
  });
});

describe('several columns', () => {
  /** Learns nothing; the columns stand in the order of `order`. */
  const three = (order: readonly string[], parts: object = {}) => {
    const scores = (row: number[]): Record<string, number> => {
      const best = ['a', 'b', 'c'][Math.floor(row[0] * 2.999)];
      return { a: 0.2, b: 0.2, c: 0.2, [best]: 0.6 };
    };
    const proba = (rows: number[][]) => rows.map((row) => order.map((label) => scores(row)[label]));
    const predict = (rows: number[][]) => rows.map((row) => ['a', 'b', 'c'][Math.floor(row[0] * 2.999)]);
    return { fit: () => undefined, predict, predictProba: proba, ...parts };
  };
  const y = X.map(([p], row) => ['a', 'b', 'c'][(Math.floor(p * 2.999) + (row % 4 === 0 ? 1 : 0)) % 3]);
  const runThree = async (order: readonly string[], parts = {}) =>
    (await run({ model: () => three(order, parts), data: [X, y], metrics: ['accuracy', 'log_loss'] })).results;

  it('in another order than the classes are read as they are declared', async () => {
    const declared = await runThree(['c', 'a', 'b'], { classes_: ['c', 'a', 'b'] });
    const ascending = await runThree(['a', 'b', 'c']);
    expect(declared.outOfFold.yProba).toEqual(ascending.outOfFold.yProba);
  });

  it.each([
    ['predict_proba', 0.5],
    ['predictProba', 0.25], // a cut-off of the model
  ])('of two classes are held against labels, too: %s, cut at %d', async (method, cutoff) => {
    const { fit, predict } = estimator(['no', 'yes'], cutoff);
    const swapped = (parts = {}) => ({
      ...{ fit, predict, ...parts },
      [method]: (rows: number[][]) => rows.map(([p]) => [p, 1 - p]),
    });
    const data = [X, named('yes', 'no')];
    expect(await thrown(() => run({ model: () => swapped(), data }))).toContain('column_order');
    const found = await run({ model: () => swapped({ classes_: ['yes', 'no'] }), data });
    expect(found.auc).toBeCloseTo(expected, 12);
  });

  it('do not accuse a model with a cut-off of its own, nor one whose labels follow neither order', async () => {
    const predictProba = (rows: number[][]) => rows.map(([p]) => [1 - p, p]);
    for (const at of [0.02, 0.3, 0.5, 0.8, 2]) {
      const model = () => ({ ...estimator(['no', 'yes'], at), predictProba });
      const { row, yPred } = (await run({ model, data: [X, named('yes', 'no')] })).results.outOfFold;
      expect(yPred).toEqual(Array.from(row, (each) => (X[each][0] > at ? 'yes' : 'no')));
    }
  });
});
