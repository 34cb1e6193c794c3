/** The adapter through the runner: every file of the reference, on both runtimes, and what is refused. */
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as ort from 'onnxruntime-node';
import * as web from 'onnxruntime-web';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createOnnxAdapter, type OnnxModelOptions, onnxModel } from '../../../adapters/onnx/index.js';
import { onnxBytes } from '../../../models/scripts/onnxBytes.mjs';
import { CVKitValidator, ensemble, KFold, UniversalCVRunner } from '../../../src/index.js';
import { FunctionTransformer, StandardScaler } from '../../../src/preprocessing/index.js';
import { texts } from '../../helpers/messages.js';
import { simulatedSurvival } from '../../helpers/simulatedSurvival.js';
import { channelsLast, countingOrt, fixtureBytes, fixturePath, inputOf, reference } from './fixtures.js';

type RunOptions = Parameters<UniversalCVRunner['run']>[0];

/** Cross-validates the rows of a reference, one fold for each row. */
const run = (
  model: RunOptions['model'],
  [X, y]: [unknown, unknown],
  { adapterOptions = {}, ...options }: Partial<RunOptions> & { adapterOptions?: Record<string, unknown> } = {},
) => {
  const runner = new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 3 }), verbose: 0, adapterOptions });
  return runner.run({ model, data: [X, y] as never, ...options });
};

const expectNear = (got: ArrayLike<unknown>, wanted: ArrayLike<number>, tolerance = 1e-6) => {
  expect(got.length).toBe(wanted.length);
  for (let at = 0; at < wanted.length; at++) expect(Math.abs(Number(got[at]) - wanted[at])).toBeLessThan(tolerance);
};

const model = (name: string, options: OnnxModelOptions = {}) => onnxModel(fixturePath(name), options);
const classesFor = (rows: number, count: number) => Array.from({ length: rows }, (_, row) => row % count);
/** The 7 rows of most references. */
const THREE: [unknown, number[]] = [inputOf('softmax'), classesFor(7, 3)];
const TWO: [unknown, number[]] = [inputOf('trees-integers'), classesFor(7, 2)];
/** Rows enough to tell probabilities from logits by their range. */
const many = (): [unknown, number[]] => [
  { data: Float64Array.from({ length: 400 }, (_, at) => Math.sin(at * 1.7)), shape: [100, 4] },
  classesFor(100, 2),
];
const softmax = (rows: number[][]) =>
  rows.flatMap((row) => {
    const exps = row.map((value) => Math.exp(value));
    return exps.map((value) => value / exps.reduce((a, b) => a + b));
  });
const probabilities = (results: { outOfFold: { yProba?: unknown } }) => (results.outOfFold.yProba as number[][]).flat();

/** Models that look at other rows, each at those before it or at all: the first row of a batch is the same alone. */
function otherRows(name: string) {
  const weight = (length: number, shape: number[]) =>
    [Float32Array.from({ length }, (_, at) => Math.sin(at + 1) / 2), shape] as [Float32Array, number[]];
  const sum = { op: 'ReduceSum', in: ['x', 'one'], out: 'sum', int: { keepdims: 1 } };
  const integer = (from: 'c0' | 'c1') => ({ op: 'Cast', in: [from], out: NAMES[from], int: { to: 7 } });
  const NAMES = { c0: 'zero', c1: 'one' };
  const NODES = {
    sums: [integer('c0'), integer('c1'), sum, { op: 'CumSum', in: ['sum', 'zero'], out: 'y' }],
    sorted: [integer('c1'), sum, { op: 'Unique', in: ['sum'], out: 'y', int: { axis: 0, sorted: 1 } }],
    // As PyTorch exports an LSTM without `batch_first`: rows are the steps of one sequence.
    recurrent: [
      integer('c1'),
      { op: 'Unsqueeze', in: ['x', 'one'], out: 'steps' },
      { op: 'LSTM', in: ['steps', 'W', 'R'], out: 'states', int: { hidden_size: 1 } },
      { op: 'Flatten', in: ['states'], out: 'y', int: { axis: 1 } },
    ],
  };
  const nodes = NODES[name as keyof typeof NODES] as Parameters<typeof onnxBytes>[0]['nodes'];
  const used = new Set(nodes.flatMap((node) => node.in));
  const all = {
    c0: [new Float32Array([0]), [1]],
    c1: [new Float32Array([1]), [1]],
    W: weight(16, [1, 4, 4]),
    R: weight(4, [1, 4, 1]),
  };
  type Weights = Record<string, [Float32Array, number[]]>;
  const weights = Object.fromEntries(Object.entries(all).filter(([key]) => used.has(key))) as Weights;
  const bytes = onnxBytes({ name, nodes, weights, inputs: { x: ['n', 4] }, outputs: { y: ['n', 1] } });
  return onnxModel(new Uint8Array(bytes), { gives: 'logits' });
}

afterEach(() => vi.restoreAllMocks());

describe.each(['node', 'web'] as const)('on onnxruntime-%s', (runtime) => {
  it('gives the probabilities of the reference, row by row', async () => {
    const results = await run(model('softmax', { gives: 'probabilities', runtime }), THREE);
    expectNear(probabilities(results), reference('softmax').outputs.probabilities.flat());
    expect(results.metadata.engine.backend).toMatch(new RegExp(`^onnxruntime-${runtime} \\d`));
    expect(results.metadata.engine.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it('makes probabilities of logits', async () => {
    const results = await run(model('logits', { gives: 'logits', runtime }), [inputOf('logits'), classesFor(7, 3)]);
    expectNear(probabilities(results), softmax(reference('logits').outputs.logits));
  });

  it('scales probabilities that miss a sum of 1 by rounding', async () => {
    const factor: [Float32Array, number[]] = [Float32Array.of(1.005), [1]];
    const nodes = [
      { op: 'Softmax', in: ['x'], out: 'p' },
      { op: 'Mul', in: ['p', 'factor'], out: 'y' },
    ];
    const graph = { name: 'rounded', nodes, weights: { factor }, inputs: { x: ['n', 3] }, outputs: { y: ['n', 3] } };
    const rounded = onnxModel(new Uint8Array(onnxBytes(graph)), { gives: 'probabilities', runtime });
    const X = Array.from({ length: 7 }, (_, row) => [Math.sin(row), Math.cos(row), 0]);
    expectNear(probabilities(await run(rounded, [X, classesFor(7, 3)])), softmax(X));
  });

  it('reads forests with and without ZipMap, in the order of their classes', async () => {
    const wanted: number[][] = reference('trees-integers').outputs.probabilities;
    for (const name of ['zipmap-integers', 'trees-integers', 'zipmap-texts', 'trees-texts']) {
      // The columns of texts are 'yes', 'no': the positive class is the first.
      const isText = name.endsWith('texts');
      const y = TWO[1].map((label) => (isText ? ['no', 'yes'][label] : label));
      const results = await run(model(name, { gives: 'probabilities', runtime }), [TWO[0], y]);
      const positive = wanted.map((row) => row[isText ? 0 : 1]);
      expectNear(results.outOfFold.yProba as number[], positive);
    }
  });

  it('computes with 16-bit floats at the door', async () => {
    const results = await run(model('half', { gives: 'probabilities', runtime }), [inputOf('half'), classesFor(7, 3)]);
    expectNear(probabilities(results), reference('half').outputs.probabilities.flat(), 1e-3);
  });

  it('moves the channels of images to where the file wants them', async () => {
    for (const name of ['colour', 'channels-last', 'grey']) {
      const given = inputOf(name);
      const X = name === 'channels-last' ? given : channelsLast(given);
      const results = await run(model(name, { gives: 'logits', runtime }), [X, [0, 1, 0]]);
      const wanted = softmax(reference(name).outputs.logits).filter((_, at) => at % 2 === 1);
      expectNear(results.outOfFold.yProba as number[], wanted);
    }
  });

  it('feeds one input for each column of a table, texts too', async () => {
    const { age, sex, visits } = reference('columns').inputs;
    const X = age.data.map((_, at) => ({ visits: visits.data[at], age: age.data[at], sex: sex.data[at] }));
    const results = await run(model('columns', { gives: 'probabilities', runtime }), [X, [0, 1, 0]]);
    expectNear(results.outOfFold.yProba as number[], reference('columns').outputs.risk.flat());
  });

  it('takes 64-bit integers and gives labels', async () => {
    const y = [0, 1, 2, 1, 0];
    const results = await run(model('integers', { gives: 'labels', runtime }), [inputOf('integers'), y]);
    expect(results.outOfFold.yPred).toEqual(reference('integers').outputs.class);
    expect(results.scores.log_loss.every(({ value }) => value === null)).toBe(true);
  });

  it('keeps 64-bit floats and takes flags', async () => {
    for (const name of ['double', 'flags']) {
      const runner = new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), verbose: 0 });
      const data = [inputOf(name), [0.1, 0.2]] as never;
      const results = await runner.run({ model: model(name, { runtime }), data, task: 'regression' });
      expectNear(results.outOfFold.yPred as number[], reference(name).outputs.value.flat());
    }
  });
});

describe('sources', () => {
  const wanted = reference('softmax').outputs.probabilities.flat();
  const gives = 'probabilities' as const;

  it.each([
    ['a URL', () => onnxModel(fixturePath('softmax'), { gives })],
    ['a path', () => onnxModel(fixturePath('softmax').pathname, { gives })],
    ['bytes', () => onnxModel(fixtureBytes('softmax'), { gives })],
    ['an ArrayBuffer', () => onnxModel(fixtureBytes('softmax').buffer, { gives })],
    ['a factory', () => () => onnxModel(fixturePath('softmax'), { gives })],
    ['a file with its weights beside it', () => onnxModel(fixturePath('external'), { gives })],
  ])('%s', async (_, make) => expectNear(probabilities(await run(make(), THREE)), wanted));

  it('a file that lists its weights as inputs', async () => {
    const results = await run(model('old', { gives, output: 'probabilities' }), [inputOf('old'), classesFor(7, 3)]);
    expectNear(probabilities(results), reference('old').outputs.probabilities.flat());
  });

  it('weights in another place than the folder of the file are refused', async () => {
    const root = await mkdtemp(join(tmpdir(), 'cvkit-onnx-'));
    try {
      const text = Buffer.from(fixtureBytes('external')).toString('latin1');
      // As long as the name that the file holds.
      const bytes = Buffer.from(text.replaceAll('external.weights', '../other.weights'), 'latin1');
      await mkdir(`${root}/models`);
      await writeFile(`${root}/models/external.onnx`, bytes);
      await copyFile(new URL('external.weights', fixturePath('external')), `${root}/other.weights`);
      const moved = onnxModel(`${root}/models/external.onnx`, { gives });
      await expect(run(moved, THREE)).rejects.toThrow('have its weights in its folder');
    } finally {
      await rm(root, { recursive: true });
    }
  });

  it('the path of a file or its bytes as the model itself, with what it gives in adapterOptions', async () => {
    for (const given of [fixturePath('softmax'), fixturePath('softmax').pathname, fixtureBytes('softmax')]) {
      const results = await run(given, THREE, { adapterOptions: { gives } });
      expectNear(probabilities(results), wanted);
    }
  });

  it.each([
    ['onnxruntime-node', ort],
    ['onnxruntime-web', web],
  ])('a session of %s that is open, and stays open', async (_, library) => {
    const session = await library.InferenceSession.create(fixtureBytes('softmax'));
    const release = vi.spyOn(session, 'release');
    expectNear(probabilities(await run(onnxModel(session, { gives }), THREE)), wanted);
    expectNear(probabilities(await run(session, THREE, { adapterOptions: { gives } })), wanted);
    expect(release).not.toHaveBeenCalled();
    await session.release();
  });

  it('one session for all folds, released once, also when a fold fails', async () => {
    const { releases, counting } = countingOrt();
    // Three integers may be numbers: the first model of a factory is asked.
    await run(() => onnxModel(fixturePath('softmax'), { gives, ort: counting }), THREE);
    expect(releases.splice(0, 1)[0]).toHaveBeenCalledTimes(1);
    await run(onnxModel(fixturePath('softmax'), { gives, ort: counting }), THREE);
    const broken = run(onnxModel(fixturePath('logits'), { gives, ort: counting }), THREE);
    await expect(broken).rejects.toThrow('must hold probabilities, as `gives` says');
    expect(releases.length).toBe(3);
    for (const release of releases) expect(release).toHaveBeenCalledTimes(1);
  });

  it('the same model in a later ensemble, which loads it again', async () => {
    const results = await run(model('softmax', { gives }), THREE, { keepModels: 'memory' });
    const { probabilities: found } = await (await ensemble(results)).predict(THREE[0] as never);
    expectNear(found as ArrayLike<number>, wanted);
  });

  it('a missing package is named with its command', async () => {
    const gone = () => Promise.reject(new Error('not here'));
    const adapter = createOnnxAdapter({ imports: { 'onnxruntime-node': gone, 'onnxruntime-web': gone } });
    const runner = new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 3 }), adapter, verbose: 0 });
    await expect(runner.run({ model: model('softmax', { gives }), data: THREE as never })).rejects.toThrow(
      'ONNXRUNTIME_NODE_INSTALL=skip npm install onnxruntime-node',
    );
  });
});

/** A Cox model by hand: the log risk `x w`, or survival exp(-H exp(x w)) at three times. */
function survivalModel(output: 'risk' | 'survival', options: OnnxModelOptions = {}) {
  const risk = { op: 'MatMul', in: ['x', 'w'], out: output === 'risk' ? 'y' : 'r' };
  const curve = [
    { op: 'Exp', in: ['r'], out: 'ratio' },
    { op: 'MatMul', in: ['ratio', 'hazard'], out: 'exponent' },
    { op: 'Exp', in: ['exponent'], out: 'y' },
  ];
  const w: [Float32Array, number[]] = [Float32Array.of(0.06, 0.8, 0), [3, 1]];
  const hazard: [Float32Array, number[]] = [Float32Array.of(-0.1, -0.3, -0.7), [1, 3]];
  const whole = output === 'survival';
  const bytes = onnxBytes({
    name: output,
    nodes: whole ? [risk, ...curve] : [risk],
    weights: whole ? { w, hazard } : { w },
    inputs: { x: ['n', 3] },
    outputs: { y: ['n', whole ? 3 : 1] },
  });
  return onnxModel(new Uint8Array(bytes), options);
}

describe('outcomes by time', () => {
  const { X, y } = simulatedSurvival(60, 3);
  const centred = X.map(([age, marker, sex]) => [age - 60, marker, sex]);
  const metrics = ['concordance', 'integrated_brier'];
  const logRisk = centred.map(([age, marker]) => 0.06 * age + 0.8 * marker);

  it('one column is the risk', async () => {
    const results = await run(survivalModel('risk'), [centred, y], { metrics });
    expectNear(results.outOfFold.yPred as number[], logRisk, 1e-5);
    expect(results.meanScores.concordance).toBeGreaterThan(0.6);
    expect(results.scores.integrated_brier[0].value).toBeNull();
  });

  it('several are survival at `times`, and the risk is 1 - the last', async () => {
    const times = [0.5, 1.5, 3];
    const results = await run(survivalModel('survival', { times }), [centred, y], { metrics, times });
    const at = (hazard: number) => logRisk.map((each) => Math.exp(-hazard * Math.exp(each)));
    expectNear(
      results.outOfFold.yPred as number[],
      at(0.7).map((each) => 1 - each),
      1e-5,
    );
    const columns = results.metadata.survivalTimes ?? [];
    const curves = results.outOfFold.yProba as number[][];
    [0.1, 0.3, 0.7].forEach((hazard, k) => {
      const place = columns.indexOf(times[k]);
      expectNear(
        curves.map((row) => row[place]),
        at(hazard),
        1e-5,
      );
    });
    expect(results.meanScores.integrated_brier).toBeGreaterThan(0);
  });

  it('anything else is refused in one sentence', async () => {
    const times = [1, 2];
    const of = (model: ReturnType<typeof onnxModel>, data: [unknown, unknown] = [centred, y]) =>
      run(model, data, data[1] === y ? { metrics } : {});
    expect(
      await texts({
        'several columns without times': () => of(survivalModel('survival')),
        'other columns than times': () => of(survivalModel('survival', { times })),
        'gives for outcomes by time': () => of(survivalModel('risk', { gives: 'logits' })),
        'times for classes': () => of(survivalModel('survival', { gives: 'logits', times }), [centred, y.event]),
        'times that do not ascend': () => survivalModel('survival', { times: [2, 1] }),
        'risks as survival': () => of(survivalModel('risk', { times: [1] })),
      }),
    ).toMatchSnapshot();
  });
});

describe('a fixed model', () => {
  it('is said to be one, and its threshold may still be fitted on training rows', async () => {
    const n = 60;
    const X = { data: Float64Array.from({ length: 4 * n }, (_, at) => Math.sin(at * 1.7)), shape: [n, 4] };
    const y = classesFor(n, 2);
    const result = await new CVKitValidator({ nSplits: 3 }).validate({
      model: model('sigmoid', { gives: 'probabilities' }),
      X: X as never,
      y,
      threshold: 'youden',
      independentRows: true,
      verbose: 0,
    });
    expect(result.overallStatus).toBe('not_fully_verified');
    expect(result.summary().replace(/\s+/g, ' ')).toContain('not trained: an ONNX model can only predict');
    expect(result.confidenceIntervals.roc_auc?.estimand).toBe('predictions');
    expect(result.manifest.modelsTrained).toBe(0);
  });

  it('may say whose probability its one column holds', async () => {
    const risk = reference('sigmoid').outputs.risk.flat();
    const X = inputOf('sigmoid');
    const y = classesFor(7, 2);
    const own = await run(model('sigmoid', { gives: 'probabilities', classes: [1] }), [X, y], { positiveLabel: 0 });
    const others = risk.map((p: number) => 1 - p);
    expectNear(own.outOfFold.yProba as number[], others);
  });

  it('reads a source in batches where the model takes one row at a time', async () => {
    const asked: number[] = [];
    const { data, shape } = inputOf('softmax');
    const take = (rows: Int32Array) => {
      asked.push(rows.length);
      const cells = [...rows].flatMap((row) => [...data.subarray(4 * row, 4 * row + 4)]);
      return { data: Float64Array.from(cells), shape: [rows.length, shape[1]] };
    };
    const results = await run(model('one-row', { gives: 'probabilities' }), [{ length: 7, take }, THREE[1]]);
    expect(Math.max(...asked)).toBeGreaterThan(1);
    expect(probabilities(results).length).toBe(21);
    expect(results.metadata.warnings).toContainEqual(
      'The ONNX model takes one row at a time, so rows are predicted one by one.',
    );
  });

  it('is not forgotten where its rows are scaled in each fold: it may still know them', async () => {
    const n = 60;
    const X = { data: Float64Array.from({ length: 4 * n }, (_, at) => Math.sin(at * at)), shape: [n, 4] };
    const validate = (preprocessing: object) =>
      new CVKitValidator({ nSplits: 3, acknowledged: { CVR003: 'it was never trained', CVR004: 'likewise' } }).validate(
        {
          model: model('sigmoid', { gives: 'probabilities' }),
          X: X as never,
          y: classesFor(n, 2),
          preprocessing: preprocessing as never,
          independentRows: true,
          verbose: 0,
        },
      );
    const scaled = await validate(new StandardScaler());
    expect(scaled.overallStatus).toBe('not_fully_verified');
    const weighted = { preprocessing: new StandardScaler(), classWeight: { 1: 2 } };
    await expect(run(model('sigmoid', { gives: 'probabilities' }), TWO, weighted)).rejects.toThrow(
      'The `classWeight` option of run has no effect: an ONNX model can only predict.',
    );
    expect(scaled.manifest).toMatchObject({ fixedModel: null, trainedBefore: 'an ONNX model can only predict' });
    const halves = (rows: number[][]) => rows.map((row) => row.map((cell) => cell / 2));
    const halved = await validate(new FunctionTransformer(halves as never));
    expect(halved.overallStatus).toBe('not_fully_verified');
    expect(halved.manifest).toMatchObject({ fixedModel: 'an ONNX model can only predict', trainedBefore: null });
  });

  it('can be tested on folds whose training rows have one class', async () => {
    const results = await run(model('sigmoid', { gives: 'probabilities' }), [TWO[0], [0, 0, 0, 0, 0, 0, 1]]);
    expect(results.outOfFold.yProba?.length).toBe(7);
  });

  it('the size of batches moves no prediction', async () => {
    const one = await run(model('softmax', { gives: 'probabilities', batchSize: 1 }), THREE);
    const all = await run(model('softmax', { gives: 'probabilities', batchSize: 1000 }), THREE);
    expectNear(probabilities(one), probabilities(all), 1e-7);
  });
});

describe('what is refused, in one sentence', () => {
  const gives = 'probabilities' as const;
  const fails = (
    given: RunOptions['model'],
    data: [unknown, unknown] = THREE,
    options: Parameters<typeof run>[2] = {},
  ) => run(given, data, options);
  const words = ({ 1: y }: [unknown, number[]], texts: readonly string[]): [unknown, unknown] => [
    TWO[0],
    y.map((label) => texts[label]),
  ];

  it('by what the output holds, by classes, and by what a file is', async () => {
    const rows = {
      'what the output holds is not said': () => fails(model('softmax')),
      'logits said to be probabilities': () => fails(model('logits', { gives })),
      'probabilities said to be logits': () => fails(model('softmax', { gives: 'logits' })),
      'probabilities behind a column': () => fails(model('softmax-column', { gives: 'logits' }), TWO),
      'probabilities behind casts': () => fails(model('softmax-cast', { gives: 'logits' })),
      'probabilities of ZipMap said to be logits': () => fails(model('zipmap-integers', { gives: 'logits' }), TWO),
      'probabilities of a linear classifier': () => fails(model('linear-softmax', { gives: 'logits' }), TWO),
      'probabilities of a formula': () => fails(model('written-out-sigmoid', { gives: 'logits' }), many()),
      'classes in another order than the file has': () =>
        fails(model('zipmap-texts', { gives, classes: ['no', 'yes'] }), words(TWO, ['no', 'yes'])),
      'columns that nothing names': () => fails(model('softmax', { gives }), words(THREE, ['a', 'b', 'c'])),
      'classes that y does not have': () => fails(model('softmax', { gives, classes: [0, 1, 3] })),
      'classes of the file that y does not have': () => fails(model('trees-texts', { gives }), TWO),
      'classes for one column': () => fails(model('sigmoid', { gives, classes: [0, 1] }), TWO),
      'other columns than classes': () => fails(model('softmax', { gives }), TWO),
      'several outputs': () => fails(model('two-outputs', { gives })),
      'an output that is not there': () => fails(model('two-outputs', { gives, output: 'probability' })),
      'a sequence': () => fails(model('sequence', { gives })),
      'a model for eight rows': () => fails(model('eight-rows', { gives })),
      bfloat16: () => fails(model('bfloat16', { gives })),
      'half a file': () => fails(onnxModel(fixtureBytes('softmax').subarray(0, 100), { gives })),
      'gives for a regression': () =>
        fails(model('regression', { gives }), [inputOf('regression'), [0.5, 1.5, 2.5, 3, 4.1, 5, 6.7]]),
      'an option twice': () => fails(model('softmax', { gives }), THREE, { adapterOptions: { gives } }),
      'an unknown option': () => model('softmax', { give: gives } as never),
      'a number that is not finite': () =>
        fails(model('not-finite'), [
          [[1], [2], [-1], [3], [4], [5]],
          [1.5, 2.5, 3.5, 4.5, 5.5, 6.5],
        ]),
      'an option of training': () => fails(model('softmax', { gives }), THREE, { epochs: 3 }),
      refit: () => fails(model('softmax', { gives }), THREE, { refit: true }),
      verifyIsolation: () => fails(model('softmax', { gives }), THREE, { verifyIsolation: true }),
    };
    const folder = new URL('.', fixturePath('softmax')).href;
    const found = Object.entries(await texts(rows)).map(([name, text]) => [
      name,
      text.replaceAll(folder, '<fixtures>/'),
    ]);
    expect(Object.fromEntries(found)).toMatchSnapshot();
  });

  it.each([
    ['an output that draws', () => model('draws', { gives: 'logits' }), THREE],
    ['an output that depends on the other rows', () => model('batch-mean', { gives: 'logits' }), THREE],
    ...['sums', 'recurrent', 'sorted'].map(
      (name) => [`rows that are added, stepped through or sorted: ${name}`, () => otherRows(name), many()] as const,
    ),
  ] as const)('%s', async (_, make, data) => {
    await expect(fails(make(), data as [unknown, unknown])).rejects.toThrow('must be the same for the same row.');
  });

  it('a newer opset, and a file that is not there, in the words of the runtime', async () => {
    await expect(fails(model('newer', { gives }))).rejects.toThrow(
      'It needs the operations of ai.onnx 99: export it for an older opset, or install a newer runtime.',
    );
    await expect(fails(onnxModel('no/such/file.onnx', { gives }))).rejects.toThrow(
      'The ONNX model no/such/file.onnx must be a file that can be read. Got ENOENT',
    );
  });
});
