/** Whoever writes out all defaults, or null for what he leaves out, has said nothing: no public name may refuse that. */
import { describe, expect, it } from 'vitest';
import { estimatorAdapter } from '../../adapters/estimator/index.js';
import { tfjsAdapter } from '../../adapters/tfjs/index.js';
import { tables } from '../../scripts/generate/tables.mjs';
import { type OptionShape, type OptionTable, optionTable } from '../../src/core/options.js';
import * as root from '../../src/index.js';
import { splitterRegistry } from '../../src/splitters/registry.js';
import { methodNames } from '../../src/validator/methods.js';
import { blobs, NearestMean } from '../helpers/nearestMean.js';
import { requiredOptions } from '../splitters/examples/index.js';

const all = [...tables.values()] as OptionTable<OptionShape>[];
const tableOf = (owner: string) => tables.get(owner) as OptionTable<OptionShape>;

const rows = Array.from({ length: 40 }, (_, row) => row);
const { X, y } = blobs(rows.length);
const groups = rows.map((row) => `patient ${Math.floor(row / 2)}`);
const side = {
  groups,
  timestamps: rows.map((row) => new Date(Date.UTC(2024, 0, 1 + row))),
  coordinates: rows.map((row) => [row % 7, Math.floor(row / 7)]),
  hierarchy: { patient: groups },
};

/** All options of a table that have a default, with that default. */
const defaultsOf = ({ shape }: OptionTable<OptionShape>) =>
  Object.fromEntries(
    Object.entries(shape).flatMap(([name, { presence, defaultValue }]) =>
      presence === 'defaulted' ? [[name, defaultValue]] : [],
    ),
  );

/** Null for all options of a table that may be left out and do not give null a meaning of its own. */
const nullsOf = ({ shape }: OptionTable<OptionShape>) =>
  Object.fromEntries(
    Object.entries(shape).flatMap(([name, { presence, takesNull }]) =>
      presence === 'required' || takesNull ? [] : [[name, null]],
    ),
  );

describe.each(all.map((table) => [table.owner, table]))('the options of %s', (owner, table) => {
  const free = optionTable(
    owner,
    Object.fromEntries(Object.entries(table.shape).filter(([, { presence }]) => presence !== 'required')),
  );

  it('say nothing when all defaults are written out', () => {
    const { options, changed } = free.parse(defaultsOf(free));
    expect([...changed]).toEqual([]);
    expect(options).toEqual(free.resolve());
  });

  it('say nothing when they are null', () => {
    const { options, written } = free.parse(nullsOf(free));
    expect([...written]).toEqual([]);
    expect(options).toEqual(free.resolve());
  });
});

describe('every class', () => {
  const cvSplitter = new root.KFold();
  const required: Readonly<Record<string, object>> = {
    UniversalCVRunner: { cvSplitter },
    ModelCheckpoint: { path: 'models/{fold}' },
    LearningRateScheduler: { schedule: () => 0.1 },
    LPOCV: { p: 2 },
    LeavePGroupsOut: { nGroups: 2 },
    MultilevelCV: { level: 'patient' },
    RollingWindowCV: { windowSize: 5 },
    PredefinedSplit: { testFold: y },
    KNNDM: { predictionPoints: [[1, 2]] },
  };
  const classes = all.filter(({ owner }) => owner in root && /^[A-Z]/.test(owner));

  it('is one of these', () => {
    expect(classes.map(({ owner }) => owner)).toEqual(
      expect.arrayContaining(['CVKitValidator', 'ClinicalMetrics', 'DataLeakageChecker', 'EarlyStopping', 'KFold']),
    );
    expect(classes.length).toBeGreaterThan([...splitterRegistry].length);
  });

  it.each(classes.map((table) => [table.owner, table]))('%s', (owner, table) => {
    const Class = (root as unknown as Record<string, new (input: object) => object>)[owner];
    const needed = required[owner] ?? requiredOptions(owner);
    const made = new Class(needed ?? {});
    for (const options of [defaultsOf(table), nullsOf(table)]) {
      expect(new Class({ ...options, ...needed })).toEqual(made);
    }
  });
});

describe('every call whose options can contradict each other', () => {
  const probabilities = y.map((label, row) => 0.3 + 0.4 * label + 0.01 * (row % 10));
  const folds = root.foldsOf(new root.KFold(), rows.length);
  const cv = new root.KFold();
  const calls: Readonly<Record<string, (options: object) => unknown>> = {
    calibrationCurve: (options) => root.calibrationCurve(y, probabilities, options),
    decisionCurve: (options) => root.decisionCurve(y, probabilities, options),
    delongTest: (options) =>
      root.delongTest(
        y,
        probabilities,
        X.map(([first]) => first),
        options,
      ),
    calculateAll: (options) => new root.ClinicalMetrics().calculateAll(y, y, options),
    foldsToJSON: (options) => root.foldsToJSON(folds, options),
    checkClassBalance: (options) => new root.BalanceChecker().checkClassBalance(y, options),
    checkCvBalance: (options) => new root.BalanceChecker().checkCvBalance(X, y, cv, options),
    check: (options) => new root.DataLeakageChecker().check(X, null, { ...options, cv }),
    comprehensiveCheck: (options) => new root.DataLeakageChecker().comprehensiveCheck(X, y, { ...options, cv }),
    checkNearDuplicates: (options) => new root.DataLeakageChecker().checkNearDuplicates(X, X, options),
    checkCvSplits: (options) => new root.DataLeakageChecker().checkCvSplits(X, X, options),
    split: (options) => [...new root.KFold().split(X, null, options)],
  };

  it.each(Object.keys(calls))('%s', async (owner) => {
    const table = tableOf(owner);
    await expect((async () => calls[owner](defaultsOf(table)))()).resolves.toBeDefined();
    await expect((async () => calls[owner](nullsOf(table)))()).resolves.toBeDefined();
  });

  it('positional arguments and a whole table of options, too', async () => {
    const splitter = new root.KFold({ nSplits: 2 });
    expect([...splitter.split(4, null, null)]).toEqual([...splitter.split(4)]);
    expect(splitter.getNSplits(null)).toBe(2);
    expect(new root.StratifiedKFold(null as never).options).toEqual(new root.StratifiedKFold().options);
    const checker = new root.DataLeakageChecker({ revealIds: true });
    expect(await checker.checkHierarchicalLeakage(['a'], ['a'], null, null)).toEqual(
      await checker.checkHierarchicalLeakage(['a'], ['a']),
    );
    const table = root.scoreTable({ yTrue: y, yPred: y, yProba: null, sampleWeight: null, task: null, classes: null });
    expect(table).toEqual(root.scoreTable({ yTrue: y, yPred: y }));
  });
});

const model = () => new NearestMean();
const quiet = { adapter: estimatorAdapter, verbose: 0 } as const;

describe('CVKitValidator', () => {
  const splitterOptions: Readonly<Record<string, Record<string, unknown>>> = {
    leave_p_groups_out: { nGroups: 1 },
    multilevel_cv: { level: 'patient' },
    rolling_window_cv: { windowSize: 30 },
    expanding_window_cv: { initialTrainSize: 30 },
    nested_temporal_cv: {
      outerCv: new root.ExpandingWindowCV({ initialTrainSize: 34 }),
      innerCv: new root.RollingWindowCV({ windowSize: 30 }),
    },
    blocked_time_series: { blockSize: 5 },
    predefined_split: { testFold: y },
    knndm: { predictionPoints: [[1, 2]], nSplits: 3 },
    spatiotemporal_block_cv: { nSpatialBlocks: 2, nTemporalBlocks: 2 },
    environmental_health_cv: { spatialBlocks: 2 },
  };

  it.each(methodNames())("method: '%s' with all defaults of the validator", async (method) => {
    const ours = defaultsOf(tableOf('CVKitValidator'));
    const needed = splitterOptions[method] ?? requiredOptions(method);
    const options = needed ? { splitterOptions: needed } : {};
    const validator = new root.CVKitValidator({ ...ours, method, ...options });
    expect(validator).toBeInstanceOf(root.CVKitValidator);
  });

  it.each(['stratified_kfold', 'holdout', 'temporal', 'repeated_kfold'])(
    "method: '%s', then all defaults of validate",
    async (method) => {
      const said = { ...defaultsOf(tableOf('validate')), ...nullsOf(tableOf('validate')) };
      const call = { ...side, ...defaultsOf(tableOf('validate')), ...quiet, model, X, y };
      const validator = new root.CVKitValidator({ ...defaultsOf(tableOf('CVKitValidator')), method, nBootstrap: 100 });
      const plain = await new root.CVKitValidator({ method, nBootstrap: 100 }).validate({
        ...side,
        ...quiet,
        model,
        X,
        y,
      });
      const written = await validator.validate(call as never);
      expect(written.scores).toEqual(plain.scores);
      const nothing = await validator.validate({ ...said, ...side, ...quiet, model, X, y } as never);
      expect(nothing.scores).toEqual(plain.scores);
    },
  );

  it('fitValidate', async () => {
    const sets = { XTrain: X, yTrain: y, XTest: X.slice(0, 20), yTest: y.slice(0, 20) };
    const validator = new root.CVKitValidator(defaultsOf(tableOf('CVKitValidator')));
    const call = { ...defaultsOf(tableOf('fitValidate')), ...quiet, ...sets, model };
    const { scores } = await new root.CVKitValidator().fitValidate({ ...quiet, ...sets, model });
    expect((await validator.fitValidate(call as never)).scores).toEqual(scores);
  });

  it('takes null beside the rows, in `data` too', async () => {
    const runner = new root.UniversalCVRunner({ cvSplitter: new root.KFold(), ...quiet });
    const { scores } = await runner.run({ model, data: [X, y] });
    const nulls = nullsOf(tableOf('data'));
    expect((await runner.run({ model, data: { X, y, ...nulls } })).scores).toEqual(scores);
    expect((await runner.run({ model, data: [X, y, null] })).scores).toEqual(scores);
  });
});

describe('run with all defaults written out', () => {
  const run = defaultsOf(tableOf('run'));
  const runner = defaultsOf(tableOf('UniversalCVRunner'));
  const cvSplitter = new root.KFold();

  it('estimator', async () => {
    const made = new root.UniversalCVRunner({ ...runner, ...quiet, cvSplitter } as never);
    expect((await made.run({ ...run, model, data: [X, y] } as never)).folds).toHaveLength(5);
  });

  it('tfjs', async () => {
    const tf = await import('@tensorflow/tfjs');
    const network = () =>
      tf.sequential({ layers: [tf.layers.dense({ units: 1, activation: 'sigmoid', inputShape: [X[0].length] })] });
    const options = { adapter: tfjsAdapter, verbose: 0, adapterOptions: { backend: 'cpu' } };
    const made = new root.UniversalCVRunner({ ...runner, ...options, cvSplitter } as never);
    const training = { optimizer: 'sgd', lossFn: 'binaryCrossentropy' };
    const results = await made.run({ ...run, ...training, model: network, data: [X, y] } as never);
    expect(results.folds).toHaveLength(5);
  });
});
