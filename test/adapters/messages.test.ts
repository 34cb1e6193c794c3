import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RandomForestClassifier } from 'ml-random-forest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Estimator, estimatorAdapter, probabilitiesFrom } from '../../adapters/estimator/index.js';
import { resultLabels, resultNumbers } from '../../adapters/estimator/predictions.js';
import { rowWeights } from '../../adapters/rowWeights.js';
import { openBackend } from '../../adapters/tfjs/backend.js';
import { type DatasetLike, fromDataset } from '../../adapters/tfjs/fromDataset.js';
import { predictorOf } from '../../adapters/tfjs/graphModel.js';
import { completeWasm, createTfjsAdapter, loadNetwork, saveNetwork, tfjsAdapter } from '../../adapters/tfjs/index.js';
import { checkBackendTrains, checkLearns } from '../../adapters/tfjs/layers.js';
import { checkLoss, checkLossWeights, lossesOf } from '../../adapters/tfjs/losses.js';
import { explained } from '../../adapters/tfjs/memory.js';
import { copyForFold, modelFromFactory, readWeights, snapshot } from '../../adapters/tfjs/model.js';
import { freshOptimizer, learningRateOf, setLearningRate } from '../../adapters/tfjs/optimizer.js';
import { checkAllHaveTargets, mainOutput, outputsOf, outputWidth, targetShape } from '../../adapters/tfjs/outputs.js';
import { defaultImports, type Imports, importPackage } from '../../adapters/tfjs/packages.js';
import { predict } from '../../adapters/tfjs/predict.js';
import { inputsInOrder, rowReader } from '../../adapters/tfjs/rowReader.js';
import type { Network } from '../../adapters/tfjs/structures.js';
import { train } from '../../adapters/tfjs/train.js';
import { type Labels, labelsOf } from '../../src/data/labels.js';
import { rowsOf } from '../../src/data/rows.js';
import { LogisticRegression } from '../../src/estimators/logisticRegression.js';
import type { Augment, FitOptions, LabelFacts, TrainStepContext } from '../../src/runner/frameworkAdapter.js';
import { loadModel } from '../../src/runner/loadModel.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { graphOf, logisticGraph, twoInputGraph } from '../helpers/graphModels.js';
import { texts } from '../helpers/messages.js';
import {
  bareTf,
  batchOf,
  context,
  fitOptions,
  NO_HOOKS,
  network,
  onBackend,
  stack,
  table,
  tf,
  viewOf,
  withOutputs,
} from '../helpers/tfjsModels.js';

const { X, y } = table(24);
const runner = () => new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), verbose: 0 });
const fails = (message: string) => () => {
  throw new Error(message);
};
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cvkit-messages-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** Without what differs by machine: the folder, and the memory that is held. */
const plain = async (rows: Record<string, () => unknown>) =>
  Object.fromEntries(
    Object.entries(await texts(rows)).map(([what, text]) => [
      what,
      text
        .split('\n')[0]
        .replaceAll(folder, '<folder>')
        .replace(/together with .* tensors/, 'together with <held>'),
    ]),
  );

describe('estimators', () => {
  const binary: LabelFacts = { task: 'binary', classes: ['no', 'yes'] };
  const pair = [
    [1, 0],
    [0, 1],
  ];
  const model = (parts: Partial<Estimator>): Estimator => ({ fit: () => undefined, predict: () => [], ...parts });

  it('predictions', async () => {
    const masks: LabelFacts = { task: 'multilabel', classes: [0, 1, 2, 3, 4, 5], shape: [2, 3] };
    const probabilities = (parts: Partial<Estimator>, facts = binary) =>
      probabilitiesFrom(model(parts), [[0], [1]], facts);
    const rows = {
      'too few numbers': () => resultNumbers([1], 2),
      'two numbers per row': () => resultNumbers(pair, 2),
      'a number that is NaN': () => resultNumbers([1, Number.NaN], 2),
      'no predictions': () => resultNumbers(undefined, 2),
      'a number for a class': () => resultLabels([1, 0.7], 2, { task: 'binary', classes: [0, 1] }),
      'another class': () => resultLabels(['maybe'], 1, binary),
      'two classes per row': () => resultLabels([[1, 0]], 1, binary),
      'masks on their side': () => resultLabels([[pair[0], pair[1], pair[0]]], 1, masks),
      'too few probabilities': () => probabilities({ predictProba: () => [[0.5, 0.5]] }),
      'too few classes': () => probabilities({ predictProba: () => pair }, { task: 'multiclass', classes: [0, 1, 2] }),
      'a probability above 1': () => probabilities({ predictProba: () => [1.2, 0.5] }),
      'classes that y lacks': () => probabilities({ predictProba: () => pair, classes: ['no', 'maybe'] }),
    };
    expect(await texts(rows)).toMatchSnapshot();
  });

  it('models and weights', async () => {
    const words = labelsOf(['no', 'yes', 'no', 'no']);
    const learn = (estimator: unknown, batch = batchOf(X, y), options = fitOptions()) =>
      estimatorAdapter.fit(estimator as Estimator, batch, options, NO_HOOKS);
    const weighted = batchOf(X, y, { sampleWeight: new Float64Array(24).fill(1) });
    const probabilitiesOnly = { fit: () => undefined, predictProba: () => pair } as unknown as Estimator;
    const forest = () => new RandomForestClassifier({ nEstimators: 4, seed: 3, noOOB: true });
    const path = join(folder, 'forest');
    const { refitted } = await runner().run({ model: forest, data: [X, y], refit: true });
    await refitted?.save(path);
    const rows = {
      'no model': () => estimatorAdapter.build(() => ({ predict: 1 }) as never, context()),
      'no predict for a regression': () =>
        estimatorAdapter.predict(probabilitiesOnly, rowsOf(X), { task: 'regression', classes: [] }),
      'a fit that takes no sampleWeight': () => learn(model({ fit: (_X, _y) => undefined }), weighted),
      'a train that takes no classWeight': () =>
        learn(forest(), batchOf(X, y), fitOptions({ classWeight: { 0: 1, 1: 2 } })),
      'a classifier for numbers': () =>
        estimatorAdapter.build(new LogisticRegression() as never, { task: 'regression' } as never),
      'a weight for no class': () => rowWeights({ y: words }, { no: 1, yess: 2 }),
      'a class without a weight': () => rowWeights({ y: words }, { no: 1 }),
      'weights of classes for a regression': () => rowWeights({ y: labelsOf([0.5, 1.5]) }, { no: 1 }),
      'a saved model without its class': () => loadModel(path),
      'a saved model that its function does not make': () =>
        loadModel(path, { adapterOptions: { fromJSON: () => ({}) } }),
    };
    expect(await texts(rows)).toMatchSnapshot();
  });
});

describe('tfjs', () => {
  beforeAll(() => void tf.setBackend('cpu'));
  const { layers: l } = tf;
  const binary: LabelFacts = { task: 'binary', classes: [0, 1] };
  const learn = (
    options: Partial<FitOptions>,
    made: tf.LayersModel = network(),
    batch = batchOf(X, y),
    settings = {},
  ) => train(tf, viewOf(made), batch, fitOptions(options), NO_HOOKS, settings);
  const compiled = { optimizer: 'sgd', lossFn: 'binaryCrossentropy' };
  const disposed = () => {
    const made = network();
    made.dispose();
    return made;
  };
  const filled = (made: tf.LayersModel, value: number) => {
    made.setWeights(made.getWeights().map((weight) => tf.fill(weight.shape, value)));
    return made;
  };
  const custom = (className: string) => {
    class Own extends l.Layer {
      static className = className;
      override call(inputs: tf.Tensor | tf.Tensor[]) {
        return inputs;
      }
    }
    return stack(l.inputLayer({ inputShape: [1] }), new Own({}) as never);
  };
  const twoHeads = () => {
    const input = tf.input({ shape: [3] });
    const heads = [l.dense({ units: 1, activation: 'sigmoid', name: 'a' }), l.dense({ units: 1, name: 'b' })];
    return tf.model({ inputs: input, outputs: heads.map((head) => head.apply(input) as tf.SymbolicTensor) });
  };
  const first = () =>
    l.separableConv2d({ filters: 1, kernelSize: 2, dataFormat: 'channelsFirst', inputShape: [1, 5, 5], name: 'first' });

  it('models', async () => {
    const factory = (make: () => unknown) => modelFromFactory(tf, make, context());
    const stateful = stack(l.lstm({ units: 1, stateful: true, batchInputShape: [4, 3, 2] }));
    const channelsFirst = () => stack(l.maxPooling2d({ inputShape: [1, 28, 28], name: 'pool' }), l.flatten());
    const spent = network();
    spent.compile({ optimizer: tf.train.adam(), loss: 'meanSquaredError' });
    spent.optimizer.dispose();
    const frozen = network();
    for (const layer of frozen.layers) layer.trainable = false;
    const empty = stack(l.activation({ activation: 'sigmoid', inputShape: [1] }));
    const across = stack(l.softmax({ axis: 1, inputShape: [3, 3], name: 'across' }));
    const wide = { filters: 1, kernelSize: 1, strides: 2, inputShape: [4, 4, 4, 1] };
    const far = l.conv3d({ ...wide, padding: 'same', name: 'far' });
    const taken = snapshot(viewOf(network()));
    taken.release();
    const rows = {
      'no model': () => createTfjsAdapter({ tf }).build({ predict: () => 1 }, context()),
      'no model of a factory': () => factory(() => ({ predict: () => 1 })),
      'a factory that throws': () => runner().run({ model: (): tf.Sequential => fails('half way')(), data: [X, y] }),
      'a model without layers': () => factory(() => tf.sequential()),
      'a layer with a state': () => factory(() => stateful),
      'a layer of a model before': () => {
        const [first, spent] = [
          l.activation({ activation: 'linear', inputShape: [3] }),
          l.dense({ units: 1, name: 'spent' }),
        ];
        stack(first, spent).dispose();
        const again = () => stack(l.activation({ activation: 'linear', inputShape: [3] }), spent);
        return runner().run({ model: again, data: [X, y] });
      },
      'an image with its channels first': () => factory(channelsFirst),
      'an optimizer that is disposed': () => factory(() => spent),
      'weights that are disposed': () => factory(disposed),
      'a layer that cannot be copied': async () => {
        const own = viewOf(custom('OwnLayer'));
        return copyForFold(tf, own, await readWeights(tf, own));
      },
      'weights that are all frozen': () => checkLearns(viewOf(frozen)),
      'no weights': () => checkLearns(viewOf(empty)),
      'a layer that other backends train': () => checkBackendTrains(viewOf(stack(far)), 'cpu'),
      'a layer that no backend trains': () => checkBackendTrains(viewOf(stack(first())), 'wasm'),
      'an axis that no backend trains': () => checkBackendTrains(viewOf(across), 'wasm'),
      'a snapshot that was released': () => taken.restore(),
    };
    expect(await plain(rows)).toMatchSnapshot();
  });

  it('graph models', async () => {
    const given = async (make: () => Promise<tf.GraphModel>, rows: unknown, output?: string) => {
      const [graph, view] = [graphOf(await make()), rowsOf(rows)];
      return predict(tf, await predictorOf(tf, graph, view), view, binary, { output });
    };
    const graph = await logisticGraph();
    const gone = await logisticGraph();
    gone.dispose();
    const two = { left: [[5, 0]], right: [1] };
    const rows = {
      'an input of four rows': () => given(() => logisticGraph({ rows: 4 }), X),
      'no output of the model': () => given(logisticGraph, X, 'risc'),
      'two outputs': () => given(twoInputGraph, two),
      'an output that is no probability': () => given(twoInputGraph, two, 'score'),
      training: () => tfjsAdapter.fit(graph, batchOf(X, y), fitOptions(), NO_HOOKS),
      'weights that are disposed': () => tfjsAdapter.open?.({}, gone),
      'an option of training': () => runner().run({ model: graph, data: [X, y], epochs: 3 }),
    };
    expect(await texts(rows)).toMatchSnapshot();
  });

  it('rows and inputs', async () => {
    const named = (inputNames: string[], ...names: string[]) => {
      const inputs = inputNames.map(() => ({ shape: [null, 1] }));
      const given = names.map((name) => ({ name: name || undefined, data: Float32Array.of(1), shape: [1, 1] }));
      return inputsInOrder({ inputs, inputNames, outputs: [], outputNames: [], layers: [] }, given as never);
    };
    const model = viewOf(network());
    const image = viewOf(stack(l.flatten({ inputShape: [1, 2, 1] })));
    const inputs = [tf.input({ shape: [3], name: 'a' }), tf.input({ shape: [1], name: 'b' })];
    const two = viewOf(tf.model({ inputs, outputs: l.concatenate().apply(inputs) as tf.SymbolicTensor }));
    const read = (network: Network, rows: unknown, at?: number[]) =>
      rowReader(network as never, rowsOf(rows), at && Int32Array.from(at));
    const rows = {
      'an input that is missing': () => named(['image', 'age'], 'image'),
      'an input too many': () => named(['image', 'age'], 'image', 'age', 'sex'),
      'an input with a name near that of the model': () => named(['input4', 'age'], 'image', 'age'),
      'one input for two': () => named(['image', 'age'], ''),
      'rows of another shape': () => read(model, [[1, 2]]),
      'rows of another shape for one of two inputs': () => read(two, { a: [[1], [2]], b: [[1], [2]] }),
      'NaN in one of two inputs': () => read(two, { a: [[1, 2, 3]], b: [[Number.NaN]] }, [20]),
      'NaN in a column': () => read(model, [[4, Number.NaN, 6]], [20]),
      'Infinity in a column with a name': () => read(model, [{ age: 1, sex: 2, dose: Infinity }]),
      'NaN in an image': () => read(image, [[[[1], [Number.NaN]]]]),
      'more than 32 bits hold': () => read(model, [[1, 2, 1e300]]),
    };
    expect(await texts(rows)).toMatchSnapshot();
  });

  it('datasets', async () => {
    const list = X.map((xs, row) => ({ xs, ys: y[row] }));
    const dataset = (rows: unknown[]) => tf.data.array(rows as never) as DatasetLike & tf.data.Dataset<never>;
    const read = (given: unknown) => fromDataset(given as DatasetLike);
    const reread = async (second: unknown[], ...at: number[]) => {
      const passes = [dataset(list), dataset(second)];
      const { X: source } = await read({ iterator: () => passes.shift()?.iterator() });
      return source.take(Int32Array.from(at));
    };
    const rows = {
      'no dataset': () => read(X),
      'no rows': () => read(dataset([])),
      'a row that is no record': () => read(dataset([[0, 1, 0]])),
      'rows in batches': () => read(dataset(list).batch(4)),
      'rows without an end': () => read(dataset(list).repeat()),
      'labels of another shape': () => read(dataset([...list, { xs: X[0], ys: [1, 0] }])),
      'no window': () => fromDataset(dataset(list), { window: 0 }),
      'a label that is NaN': () => read(dataset([...list, { xs: X[0], ys: Number.NaN }])),
      'fewer rows the second time': () => reread(list.slice(0, 20), 3, 22),
      'more rows the second time': () => reread([...list, ...list], 23),
      'other rows the second time': () => reread(list.toReversed(), 2),
      'a row of another shape the second time': () => reread([list[0], list[1], { xs: [1], ys: 0 }], 1, 2),
    };
    expect(await texts(rows)).toMatchSnapshot();
  });

  it('outputs and predictions', async () => {
    const three = withOutputs({ tumour: [1], size: [1], stage: [3] });
    const target = labelsOf([0, 1, 1]);
    const abc: LabelFacts = { task: 'multiclass', classes: ['a', 'b', 'c'] };
    const masks = labelsOf({ data: Uint8Array.from({ length: 40 }, (_, at) => at % 2), shape: [2, 4, 5] });
    const width = (units: number, facts: LabelFacts) => outputWidth(viewOf(network({ units })), 0, facts as never);
    const given = (made: tf.LayersModel, facts: LabelFacts, rows: unknown = X) =>
      predict(tf, viewOf(made), rowsOf(rows), facts);
    const conv = { filters: 1, kernelSize: 3, padding: 'same', activation: 'sigmoid' } as const;
    const anySize = stack(l.conv2d({ ...conv, inputShape: [null, null, 1] as never }));
    const nine: LabelFacts = { task: 'multilabel', classes: [0, 1, 2, 3, 4, 5, 6, 7, 8] };
    const rows = {
      'three outputs, and one target': () => mainOutput(three),
      'no output for y': () => mainOutput(three, undefined, ['tumour', 'size', 'stage']),
      'no output of the model': () => mainOutput(three, 'tumor'),
      'an auxiliary target for no output': () => mainOutput(three, undefined, ['sizes']),
      'an auxiliary target for the output of y': () => mainOutput(three, 'size', ['size']),
      'an auxiliary target for the only output': () => mainOutput(withOutputs({ any: [1] }), undefined, ['any']),
      'an auxiliary target for an output without a name': () =>
        mainOutput(withOutputs({ dense_Dense4: [1], dense_Dense12: [1] }), undefined, ['dense_Dense12']),
      'an output without a target': () =>
        checkAllHaveTargets(three, outputsOf(three, { y: target, auxiliary: { size: target } }, 'tumour')),
      'two units for a regression': () => width(2, { task: 'regression', classes: [] }),
      'three units for two classes': () => width(3, binary),
      'one unit for three classes': () => width(1, abc),
      'four units for three labels': () => width(4, { task: 'multilabel', classes: [0, 1, 2] }),
      'two dimensions for classes': () => outputWidth(withOutputs({ wide: [3, 1] }), 0, abc as never),
      'three units of an output for two classes': () => outputWidth(three, 2, binary as never),
      'too few values for a mask': () => outputWidth(withOutputs({ mask: [4, 4, 1] }), 0, masks),
      'a mask on its side': () =>
        targetShape(withOutputs({ out: [5, 4, 1] }), { name: 'out', label: 'out', place: 0, labels: masks }),
      'a mask of any size with two channels': () =>
        targetShape(withOutputs({ out: [null, null, 2] }), { name: 'out', label: 'out', place: 0, labels: masks }),
      'predictions of another size': () => given(anySize, nine, tf.zeros([2, 4, 4, 1])),
      'a number for a probability': () => given(filled(network({ activation: 'linear' }), 1), binary, [[1, 2, 3]]),
      'probabilities that do not sum to 1': () => given(filled(network({ units: 3, activation: 'sigmoid' }), 0), abc),
      'a prediction that is NaN': () =>
        given(filled(network({ activation: 'linear' }), Number.NaN), { task: 'regression', classes: [] }),
    };
    expect(await texts(rows)).toMatchSnapshot();
  });

  it('losses and optimizers', async () => {
    const labels = { regression: labelsOf([0.5, 1.5, 2.25]), binary: labelsOf(['no', 'yes', 'no']) };
    const multilabel = labelsOf({ data: Uint8Array.of(0, 1, 1, 1, 1, 0), shape: [2, 3] });
    const onehot = labelsOf({ data: Uint8Array.from({ length: 16 }, (_, at) => at % 2), shape: [2, 2, 2, 2] });
    const output = (given: Labels, place = 0, name = 'out') => ({ name, label: name, place, labels: given });
    const only = [output(labels.binary)];
    const heads = [output(labels.binary, 0, 'a'), output(labels.regression, 1, 'b')];
    const two = viewOf(twoHeads());
    const one = tf.model({ inputs: two.inputs as never, outputs: two.outputs[0] as never });
    const conv = { filters: 2, kernelSize: 1, activation: 'softmax', inputShape: [2, 2, 1] } as const;
    const pixels = stack(l.conv2d(conv as never));
    const check = (given: Labels, lossFn: string, made: tf.LayersModel = network()) =>
      checkLoss(viewOf(made), output(given), lossFn);
    const rate = (optimizer?: tf.Optimizer) => {
      const made = network();
      if (optimizer) made.compile({ optimizer, loss: 'meanSquaredError' });
      return viewOf(made);
    };
    const rows = {
      'no loss of tfjs': () => lossesOf(viewOf(network()), only, 'binary_crossentropy'),
      'a number for a loss': () => lossesOf(viewOf(network()), only, 3),
      'no loss': () => lossesOf(viewOf(network()), only, undefined),
      'no loss for one of two outputs': () => lossesOf(two, heads, { a: 'binaryCrossentropy' }),
      'a loss for no output': () => lossesOf(two, heads, { A: 'binaryCrossentropy' }),
      'a loss of classes for a regression': () => check(labels.regression, 'binaryCrossentropy'),
      'a loss of one class for several labels': () =>
        check(multilabel, 'categoricalCrossentropy', network({ units: 3 })),
      'a loss of several units for one': () => check(labels.binary, 'categoricalCrossentropy'),
      'a loss of no probability': () => check(labels.binary, 'hinge'),
      'a linear layer': () => check(labels.binary, 'binaryCrossentropy', network({ activation: 'linear' })),
      'a loss of classes for the regression of an output': () => checkLoss(two, heads[1], 'binaryCrossentropy'),
      'a linear layer of an output': () => checkLoss(two, output(labels.binary, 1, 'b'), 'binaryCrossentropy'),
      'a loss of class numbers for masks': () => check(onehot, 'sparseCategoricalCrossentropy', pixels),
      'a weight for no output': () => checkLossWeights(two, { bb: 1 }),
      'a weight for the only output': () => checkLossWeights(viewOf(one), { a: 2 }),
      'no optimizer of tfjs': () => freshOptimizer('adamw'),
      'another optimizer': () => freshOptimizer({ minimize: () => 0 }),
      'no optimizer': () => freshOptimizer(undefined),
      'a learning rate without an optimizer': () => learningRateOf(rate()),
      'a learning rate that is NaN': () => setLearningRate(rate(tf.train.sgd(1)), Number.NaN),
    };
    expect(await texts(rows)).toMatchSnapshot();
  });

  it('training', async () => {
    const sampleWeight = Float64Array.from(X, () => 0.5);
    const squares = (a: tf.Tensor, b: tf.Tensor) => tf.square(tf.sub(a, b));
    const total = (a: tf.Tensor, b: tf.Tensor) => tf.mean(squares(a, b));
    const flat = (a: tf.Tensor, b: tf.Tensor) => tf.reshape(tf.concat([squares(a, b), b], 1), [-1]);
    const loss = (lossFn: unknown) => learn({ optimizer: 'sgd', lossFn });
    const weighted = (lossFn: unknown) =>
      learn({ optimizer: 'sgd', lossFn }, network(), batchOf(X, y, { sampleWeight }));
    const far = { optimizer: tf.train.sgd(1e30), lossFn: 'meanSquaredError', epochs: 9 };
    const values = X.map(([a], row) => a * 1000 + row / 7);
    const step = (trainStep: (step: TrainStepContext) => unknown) =>
      learn({ optimizer: 'sgd' }, network(), batchOf(X, y), { trainStep });
    const still = ({ model, x, y: targets }: TrainStepContext) => tf.losses.meanSquaredError(targets, model.apply(x));
    const rows = {
      'no optimizer': () => learn({ lossFn: 'binaryCrossentropy' }),
      'no loss': () => learn({ optimizer: 'adam' }),
      'a loss that throws': () => loss(fails('boom')),
      'a loss that is asynchronous': () => loss(async () => tf.scalar(1)),
      'a loss that is not finite': () => learn(far, network({ activation: 'linear' }), batchOf(X, values)),
      'one loss of a batch to be weighted': () => weighted(total),
      'losses of another shape to be weighted': () => weighted(flat),
      'a step that gives nothing': () => step(() => undefined),
      'a step that is asynchronous': () => step(async () => tf.scalar(1)),
      'a step without a loss': () => step(() => ({ accuracy: tf.scalar(1) })),
      'a step that gives a number': () => step(() => ({ loss: tf.scalar(1), rate: 0.1 })),
      'a step that gives a loss per row': () => step(() => tf.ones([3])),
      'a step that gives other names later': () =>
        step(({ batch }) => ({ loss: tf.scalar(1), ...(batch ? {} : { first: tf.scalar(1) }) })),
      'a step that learns nothing': () => step(still),
    };
    expect(await texts(rows)).toMatchSnapshot();
  });

  it('augmentation', async () => {
    const [image, age] = [tf.input({ shape: [2], name: 'image' }), tf.input({ shape: [1], name: 'age' })];
    const both = l.concatenate().apply([image, age]);
    const head = (name: string) => l.dense({ units: 1, name }).apply(both) as tf.SymbolicTensor;
    const model = tf.model({ inputs: [image, age], outputs: [head('dose'), head('size')] });
    const numbers = X.map(([a]) => a + 0.125);
    const data = { image: X.map(([a, b]) => [a, b]), age: X.map(([, , c]) => [c]) };
    const batch = batchOf(data, numbers, { auxiliary: { size: labelsOf(numbers) } });
    const options = { epochs: 1, batchSize: 24, optimizer: 'sgd', lossFn: 'meanSquaredError' };
    const named = (given: object) => learn({ ...options, augment: (() => given) as never }, model, batch);
    const one = (augment: (...args: Parameters<Augment>) => unknown) =>
      learn({ ...compiled, batchSize: 10, augment: augment as Augment });
    const rows = {
      'no name of an input': () => named({ X: { img: tf.zeros([1]) } }),
      'one tensor for two inputs': () => named({ X: tf.zeros([24, 2]) }),
      'another shape for an input': () => named({ X: { age: tf.zeros([24, 2]) } }),
      'another shape for an output': () => named({ y: { size: tf.zeros([23, 1]) } }),
      nothing: () => one(() => undefined),
      'a tensor': () => one(({ X }) => X),
      'another name': () => one(({ X }) => ({ x: X })),
      'a promise': () => one(async () => ({})),
      'an error of the caller': () => one(fails('boom')),
      arrays: () => one(() => ({ X: [[1, 2, 3]] })),
      'fewer rows': () => one(({ X }) => ({ X: tf.slice(X, 0, 5) })),
      'another shape of y': () => one(({ y }) => ({ y: tf.reshape(y, [-1]) })),
    };
    expect(await texts(rows)).toMatchSnapshot();
  });

  it('files', async () => {
    const [broken, short, own] = ['broken', 'short', 'custom'].map((name) => join(folder, name));
    const model = network();
    await mkdir(broken);
    await writeFile(join(broken, 'model.json'), '{"name": "a package"}');
    await saveNetwork(model, short);
    const weights = (await readdir(short)).find((name) => name.endsWith('.bin')) as string;
    await writeFile(join(short, weights), new Uint8Array(80));
    await saveNetwork(custom('Unheard'), own);
    const rows = {
      'no file': () => loadNetwork(join(folder, 'nowhere')),
      'JSON of something else': () => loadNetwork(broken),
      'weights of another length': () => loadNetwork(short),
      'a layer that tfjs does not know': () => loadNetwork(own),
      'a URL that nothing writes to': () => saveNetwork(model, 'ftp://host/model'),
      'a file for a directory': () => saveNetwork(model, 'models/fold-0.json'),
      'an empty place': () => saveNetwork(model, ''),
      'no place': () => saveNetwork(model, {}),
      'no model': () => saveNetwork({ predict: () => 1 }, folder),
      'a model that is disposed': () => saveNetwork(disposed(), folder),
    };
    expect(await plain(rows)).toMatchSnapshot();
  });

  it('backends and packages', async () => {
    const missing = () => Promise.reject(new Error('not installed'));
    const noNode: Imports = { ...defaultImports, '@tensorflow/tfjs-node': missing };
    const onlyCpu: Imports = { ...noNode, '@tensorflow/tfjs-backend-wasm': missing };
    const opened = async (...args: Parameters<typeof openBackend>) => {
      const session = await openBackend(...args);
      await session.close();
      return session.warnings?.[0] ?? session.info.backendReason;
    };
    const layer = (made: unknown) => viewOf(stack(made as tf.layers.Layer));
    const holes = { name: 'holes', filters: 1, kernelSize: 2, dilationRate: 2, inputShape: [4, 4, 4, 1] };
    const large = layer(l.dense({ units: 2000, inputShape: [2000] }));
    const noEngine = createTfjsAdapter({ imports: { '@tensorflow/tfjs': missing } });
    const lost = { ...tf, backend: () => ({}), getBackend: () => 'wasm' } as unknown as typeof tf;
    const trap = () => {
      throw Object.assign(new Error('Aborted()'), { name: 'RuntimeError', stack: '' });
    };
    const add = () => {
      throw new WebAssembly.RuntimeError('unreachable');
    };
    const tensors = { x: tf.zeros([1, 2, 5, 5]), dy: tf.zeros([1, 3, 3, 3]) };
    const channelsFirst = { strides: [1, 1], pad: 'valid', dataFormat: 'NCHW', filterShape: [3, 3, 2, 3] };
    const inUse = async () => {
      const session = await openBackend(tf, noNode, {});
      return openBackend(tf, noNode, { backend: 'cpu' }).finally(() => session.close());
    };
    const cannotStart = async (backend: string, imports: Imports, options: object, model?: unknown) => {
      const { warn, error } = console;
      const had: unknown = tf.findBackendFactory(backend);
      if (had) tf.removeBackend(backend);
      console.warn = console.error = () => undefined;
      tf.registerBackend(backend, () => Promise.reject(new Error('broken')) as never);
      try {
        return await opened(tf, imports, options as never, model as never);
      } finally {
        Object.assign(console, { warn, error });
        tf.removeBackend(backend);
        if (had) tf.registerBackend(backend, had as never, 2);
      }
    };
    const rows = {
      'a layer that tfjs-node does not train': () => opened(tf, noNode, {}, layer(l.conv3d(holes as never))),
      'convolutions where wasm does not start': () =>
        cannotStart('wasm', noNode, {}, layer(l.conv2d({ filters: 1, kernelSize: 2, inputShape: [4, 4, 1] }))),
      'convolutions without wasm': () =>
        opened(bareTf, onlyCpu, {}, layer(l.conv2d({ filters: 1, kernelSize: 2, inputShape: [4, 4, 1] }))),
      'large layers without wasm': () => opened(bareTf, onlyCpu, {}, large),
      'small layers without wasm': () => opened(bareTf, onlyCpu, {}, viewOf(network())),
      'a backend whose package is missing': () => opened(bareTf, onlyCpu, { backend: 'wasm' }),
      'a backend that is not there': () => opened(tf, noNode, { backend: 'webgl' }),
      'no backend': () => opened(tf, noNode, { backend: 'gpu' }),
      'no option': () => opened(tf, noNode, { backends: 'cpu' }),
      'a backend that another run uses': inUse,
      'a backend that does not start': () => cannotStart('tensorflow', noNode, { backend: 'tensorflow' }),
      'a word for a function': () => createTfjsAdapter({ tf }).open?.({ trainStep: 'adam' }),
      'no tfjs': () => noEngine.open?.({}),
      'a package that is missing': () =>
        importPackage({ ...defaultImports, '@tensorflow/tfjs-node': missing }, '@tensorflow/tfjs-node', 'A test'),
      'no wasm backend to complete': () => completeWasm({ ...tf, findBackendFactory: () => null }),
      'channels first for the gradient of a filter on wasm': () =>
        // An error of tfjs, which is what runs kernels.
        onBackend('wasm', () =>
          tf.tidy(() => tf.engine().runKernel('Conv2DBackpropFilter', tensors, channelsFirst)),
        ).catch(({ message }: Error) => message),
      'too much memory': () => explained(tf, () => tf.zeros([2e7, 2e8])),
      'a backend that broke down': () => explained({ ...lost, add } as typeof tf, trap),
    };
    expect(await plain(rows)).toMatchSnapshot();
  });
});
