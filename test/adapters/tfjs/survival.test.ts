import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { coxLoss, discreteHazardLoss, type SurvivalLoss, tfjsAdapter } from '../../../adapters/tfjs/index.js';
import { lastCut } from '../../../adapters/tfjs/survival.js';
import { recordOf } from '../../../src/core/recorded.js';
import { CoxRegression } from '../../../src/estimators/coxRegression.js';
import { EarlyStopping, KFold, loadModel, StratifiedKFold, UniversalCVRunner } from '../../../src/index.js';
import { StandardScaler } from '../../../src/preprocessing/index.js';
import { partialLikelihood } from '../../../src/survival/coxRiskSets.js';
import { texts } from '../../helpers/messages.js';
import { simulatedSurvival } from '../../helpers/simulatedSurvival.js';
import { outcomesOf } from '../../helpers/survivalTables.js';
import { batchOf, fitOptions, itOn, NO_HOOKS, stack, tf } from '../../helpers/tfjsModels.js';

const TIME = [2, 5, 3, 7, 1, 4];
const EVENT = [1, 0, 1, 1, 0, 1];

/** Value and slopes in the outputs. */
function lossAt(loss: SurvivalLoss, output: number[][], [time, event] = [TIME, EVENT]) {
  return tf.tidy(() => {
    const targets = tf.tensor2d(time.map((each, row) => [each, event[row]]));
    const of = (each: tf.Tensor) => tf.mean(loss(targets, each, tf)) as tf.Scalar;
    const { value, grad } = tf.valueAndGrad(of)(tf.tensor2d(output)) as { value: tf.Tensor; grad: tf.Tensor };
    return { value: value.dataSync()[0], slopes: Array.from(grad.dataSync()) };
  });
}

/** Slopes by central differences of a formula in plain numbers. */
const slopesOf = (formula: (output: number[][]) => number, output: number[][]) =>
  output.flatMap((row, i) =>
    row.map((_, k) => {
      const moved = (by: number) =>
        formula(output.map((each, at) => (at === i ? each.map((value, j) => value + (j === k ? by : 0)) : each)));
      return (moved(1e-5) - moved(-1e-5)) / 2e-5;
    }),
  );

const near = (found: number[], wanted: number[], tolerance: number) => {
  expect(found.length).toBe(wanted.length);
  found.forEach((value, at) => void expect(Math.abs(value - wanted[at]), `place ${at}`).toBeLessThan(tolerance));
};

for (const backend of ['cpu', 'wasm']) {
  describe(`on ${backend}`, () => {
    itOn(backend, 'coxLoss is the negative log partial likelihood per event, with its slopes', async () => {
      const output = [[0.4], [-1.2], [2.1], [0.3], [5], [-0.7]];
      // No ties: Breslow's and Efron's are one.
      const formula = (rows: number[][]) => {
        const found = partialLikelihood(outcomesOf(TIME, EVENT), Float64Array.from(rows.flat()), null);
        return -('value' in found ? found.value : Number.NaN) / 4;
      };
      const { value, slopes } = lossAt(coxLoss(), output);
      expect(value).toBeCloseTo(formula(output), 5);
      near(slopes, slopesOf(formula, output), 1e-5);
      // Two tied events: Breslow takes both out of the whole risk set (hand calculation).
      const tied = lossAt(
        coxLoss(),
        [[0], [1], [2]],
        [
          [1, 1, 2],
          [1, 1, 0],
        ],
      );
      expect(tied.value).toBeCloseTo((2 * Math.log(1 + Math.E + Math.E ** 2) - 1) / 2, 5);
      const without = lossAt(coxLoss(), output, [TIME, EVENT.map(() => 0)]);
      expect([without.value, ...without.slopes].every((each) => each === 0)).toBe(true);
      const far = lossAt(
        coxLoss(),
        [[300], [0], [-300]],
        [
          [3, 2, 1],
          [1, 1, 1],
        ],
      );
      expect(far.value).toBeCloseTo((600 + 300) / 3, 3); // exact where exponentials of differences are 0
    });

    itOn(backend, 'discreteHazardLoss is the negative log likelihood of the intervals, with its slopes', async () => {
      const cuts = [2, 4, 5.5];
      const output = TIME.map((_, row) => cuts.map((__, k) => 0.1 + 0.12 * ((row + 2 * k) % 6)));
      // By interval: 1 the event, 0 free of it, null not counted. Events at 2 and 4 end the first and second interval;
      // censored at 5 is more than half of (4, 5.5]; at 1 half of (0, 2].
      const states = [
        [1, null, null],
        [0, 0, 0],
        [0, 1, null],
        [0, 0, 0],
        [0, null, null],
        [0, 1, null],
      ];
      const formula = (rows: number[][]) =>
        -rows
          .flatMap((row, i) => row.map((p, k) => (states[i][k] === null ? 0 : Math.log(states[i][k] ? p : 1 - p))))
          .reduce((sum, each) => sum + each) / 6;
      const { value, slopes } = lossAt(discreteHazardLoss({ cuts }), output);
      expect(value).toBeCloseTo(formula(output), 5);
      near(slopes, slopesOf(formula, output), 1e-5);
    });
  });
}

const dense = (units: number, activation: 'linear' | 'sigmoid' | 'tanh', seed: number, inputShape?: number[]) =>
  tf.layers.dense({
    units,
    activation,
    kernelInitializer: tf.initializers.glorotUniform({ seed }),
    ...(inputShape ? { inputShape } : {}),
  });
const coxNetwork = () => stack(dense(8, 'tanh', 1, [3]), dense(1, 'linear', 2));
const cuts = [0.5, 1, 1.5, 2, 3, 4];
const hazardNetwork = () => stack(dense(8, 'tanh', 1, [3]), dense(cuts.length, 'sigmoid', 2));
const data = simulatedSurvival(300, 11);
const scaled = data.X.map(([age, marker, sex]) => [(age - 60) / 10, marker, sex]);

/** A fit by the adapter, and its predictions at some times. */
async function fitted(model: tf.LayersModel, lossFn: unknown, options: object = {}, hooks = NO_HOOKS) {
  const batch = batchOf(scaled, data.y);
  const optimizer = tf.train.adam(0.02);
  await tfjsAdapter.fit(model, batch, fitOptions({ epochs: 12, batchSize: 100, optimizer, lossFn, ...options }), hooks);
  const facts = { ...batch.y, classes: [1, 3] };
  return { batch, facts, ...(await tfjsAdapter.predict(model, batch.X, facts)) };
}

describe('a network', () => {
  itOn('wasm', 'that is linear finds what a Cox regression finds, risks and survival', async () => {
    const model = stack(dense(1, 'linear', 3, [3]));
    const { risk = [], survival } = await fitted(model, coxLoss(), { epochs: 150, batchSize: 300 });
    const cox = new CoxRegression().fit(scaled, data.y);
    const wanted = cox.predictRisk(scaled);
    near(
      Array.from(risk, (each) => each - risk[0]),
      wanted.map((each) => each - wanted[0]),
      0.02,
    );
    expect(survival?.times).toEqual([1, 3]);
    near(Array.from(survival?.data ?? []), cox.predictSurvival(scaled, [1, 3]).flat(), 0.01);
    tfjsAdapter.dispose?.(model);
  });

  itOn('cpu', 'of hazards gives their product as survival at the cuts, and 1 - the last as risk', async () => {
    const model = hazardNetwork();
    const { risk = [], survival } = await fitted(model, discreteHazardLoss({ cuts }));
    expect(survival?.times).toEqual(cuts);
    const hazards = (model.predict(tf.tensor2d(scaled)) as tf.Tensor).arraySync() as number[][];
    const product = hazards.map((row) => row.map((_, k) => row.slice(0, k + 1).reduce((left, h) => left * (1 - h), 1)));
    near(Array.from(survival?.data ?? []), product.flat(), 1e-6);
    near(
      Array.from(risk),
      product.map((row) => 1 - row[cuts.length - 1]),
      1e-6,
    );
    tfjsAdapter.dispose?.(model);
  });

  itOn('cpu', 'whose weights are put back has the baseline of these weights', async () => {
    const model = coxNetwork();
    let early: { restore(): unknown; release(): unknown } | undefined;
    let then: unknown;
    const hooks = {
      onEpochStart: async () => undefined,
      onEpochEnd: async (epoch: number) => {
        if (epoch !== 3) return undefined;
        early = await tfjsAdapter.snapshot?.(model);
        then = await tfjsAdapter.predict(model, batchOf(scaled, data.y).X, { task: 'survival', classes: [1, 3] });
        return undefined;
      },
    };
    const { survival, batch, facts } = await fitted(model, coxLoss(), {}, hooks);
    await early?.restore();
    const again = await tfjsAdapter.predict(model, batch.X, facts);
    expect(again).toEqual(then);
    expect(again.survival).not.toEqual(survival);
    early?.release();
    tfjsAdapter.dispose?.(model);
  });

  itOn('cpu', 'reads the cause of interest, and counts row weights in the loss of hazards', async () => {
    const event = data.y.event.map((each, row) => (each === 1 ? 2 : row % 2)); // others have an event 1
    const one = await fitted(coxNetwork(), coxLoss());
    const model = coxNetwork();
    const batch = batchOf(scaled, { time: data.y.time, event });
    const y = { ...batch.y, positive: 2 };
    const options = fitOptions({ epochs: 12, batchSize: 100, optimizer: tf.train.adam(0.02), lossFn: coxLoss() });
    await tfjsAdapter.fit(model, { ...batch, y }, options, NO_HOOKS);
    const two = await tfjsAdapter.predict(model, batch.X, { ...y, classes: [1, 3] });
    expect([two.risk, two.survival]).toEqual([one.risk, one.survival]);
    expect(lastCut(discreteHazardLoss({ cuts: [1, 2] }), { classes: [1, 2] })).toEqual([]);
    expect(lastCut(discreteHazardLoss({ cuts: [1, 2] }), { classes: [1, 5] })[0]).toContain(
      'is 2, and scores look at times up to 5',
    );
    expect([...lastCut(coxLoss(), { classes: [5] }), ...lastCut('meanSquaredError', { classes: ['a', 'b'] })]).toEqual(
      [],
    );
    const sampleWeight = Float64Array.from(scaled, (_, row) => 1 + (row % 2));
    const lossFn = discreteHazardLoss({ cuts });
    const run = (model: tf.LayersModel, parts: object) =>
      tfjsAdapter.fit(model, batchOf(scaled, data.y, parts), fitOptions({ optimizer: 'sgd', lossFn }), NO_HOOKS);
    const [plain, weighted] = [hazardNetwork(), hazardNetwork()];
    await run(plain, {});
    await run(weighted, { sampleWeight });
    expect(plain.getWeights()[0].dataSync()).not.toEqual(weighted.getWeights()[0].dataSync());
  });
});

describe('through the runner', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cvkit-timed-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));

  const run = (options: object) => {
    const cvSplitter = new StratifiedKFold({ nSplits: 2, shuffle: true, randomState: 1 });
    const runner = new UniversalCVRunner({ cvSplitter, verbose: 0, adapterOptions: { backend: 'cpu' } });
    const metrics = ['concordance', 'integrated_brier'];
    const training = { epochs: 40, batchSize: 64, optimizer: tf.train.adam(0.01), preprocessing: new StandardScaler() };
    return runner.run({ data: { X: data.X, y: data.y }, metrics, ...training, ...options } as never);
  };

  it.each([
    ['coxLoss', () => coxNetwork(), coxLoss()],
    ['discreteHazardLoss', () => hazardNetwork(), discreteHazardLoss({ cuts })],
  ] as const)(
    '%s learns, is scored by its curves, and is saved with what its output means',
    async (name, model, lossFn) => {
      const results = await run({ model, lossFn, keepModels: 'save', modelPath: join(folder, name, '{fold}') });
      expect(results.meanScores.concordance).toBeGreaterThan(0.7);
      expect(results.meanScores.integrated_brier).toBeLessThan(0.2);
      expect(results.metadata.training?.lossFn).toBe(name);
      const loaded = await loadModel(String(results.models[1]), { adapterOptions: { backend: 'cpu' } });
      const { test } = results.indices[1];
      const { predictions, probabilities } = await loaded.predict(Array.from(test, (row) => data.X[row]));
      expect(predictions).toEqual(Array.from(results.predictions[1] as number[]));
      expect(probabilities).toEqual(results.probabilities[1]);
      await loaded.dispose();
    },
  );

  it('early stopping by a score of curves keeps weights and their baseline', async () => {
    const watch = { monitor: 'val_integrated_brier', mode: 'min', patience: 3 } as const;
    const options = { model: coxNetwork, lossFn: coxLoss(), validation: 0.25, epochs: 60 };
    const results = await run({ ...options, callbacks: [new EarlyStopping(watch)] });
    expect(results.meanScores.concordance).toBeGreaterThan(0.65);
    expect(results.meanScores.integrated_brier).toBeLessThan(0.2);
  });

  it('takes a trainStep that calls the loss itself, and a model that was compiled with it', async () => {
    const trainStep = ({ tf: library, model, optimizer, x, y }: Record<string, never>) => {
      const step = optimizer as tf.Optimizer;
      const apply = () => (model as tf.LayersModel).apply(x, { training: true }) as tf.Tensor;
      return step.minimize(() => coxLoss()(y, apply(), library), true);
    };
    const cvSplitter = new KFold({ nSplits: 2, shuffle: true, randomState: 1 });
    const of = (adapterOptions: object, options: object) =>
      new UniversalCVRunner({ cvSplitter, verbose: 0, adapterOptions: { backend: 'cpu', ...adapterOptions } }).run({
        data: { X: scaled, y: data.y },
        ...{ epochs: 5, batchSize: 64, metrics: ['concordance', 'integrated_brier'], ...options },
      } as never);
    const own = await of({ trainStep }, { model: coxNetwork, optimizer: 'adam' });
    const compiled = () => {
      const model = coxNetwork();
      model.compile({ optimizer: 'adam', loss: coxLoss() as never });
      return model;
    };
    const plain = await of({}, { model: compiled });
    expect(own.scores).toEqual(plain.scores);
    expect(plain.scores.integrated_brier[0].value).toBeGreaterThan(0);
  });

  it('the manifest tells cuts apart', async () => {
    const [one, two, again] = await Promise.all(
      [
        [1, 2],
        [1, 3],
        [1, 2],
      ].map((cuts) => recordOf(discreteHazardLoss({ cuts }))),
    );
    expect(one).toEqual(again);
    expect(one).not.toEqual(two);
  });

  it('refuses in one sentence what does not fit', async () => {
    const model = coxNetwork;
    const lossFn = coxLoss();
    const binary = { X: scaled, y: data.y.event };
    const sampleWeight = data.y.time;
    expect(
      await texts({
        'another loss': () => run({ model, lossFn: 'meanSquaredError' }),
        'a function that is another loss': () => run({ model, lossFn: () => tf.scalar(1) }),
        'a survival loss for classes': () => run({ model, lossFn, data: binary, metrics: ['accuracy'] }),
        'more units than a log risk': () => run({ model: hazardNetwork, lossFn }),
        'fewer units than cuts': () => run({ model, lossFn: discreteHazardLoss({ cuts }) }),
        'a log risk by a sigmoid': () => run({ model: () => stack(dense(1, 'sigmoid', 1, [3])), lossFn }),
        'hazards by a linear layer': () =>
          run({ model: () => stack(dense(1, 'linear', 1, [3])), lossFn: discreteHazardLoss({ cuts: [1] }) }),
        'row weights in risk sets': () => run({ model, lossFn, sampleWeight }),
        'cuts that do not ascend': () => discreteHazardLoss({ cuts: [2, 1] }),
        'a cut at 0': () => discreteHazardLoss({ cuts: [0, 1] }),
        'no cuts': () => discreteHazardLoss({ cuts: [] }),
        'a call without tf': () => lossFn(tf.zeros([1, 2]), tf.zeros([1, 1])),
      }),
    ).toMatchSnapshot();
  });
});
