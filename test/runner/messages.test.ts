/** The sentences of this room, reviewed in one file of snapshots; other tests assert codes and evidence. */
import { describe, expect, it } from 'vitest';
import { EarlyStopping } from '../../src/callbacks/earlyStopping.js';
import { LearningRateScheduler } from '../../src/callbacks/learningRateScheduler.js';
import { ModelCheckpoint, type ModelCheckpointOptions } from '../../src/callbacks/modelCheckpoint.js';
import { Plateau } from '../../src/callbacks/plateau.js';
import { ReduceLROnPlateau } from '../../src/callbacks/reduceLROnPlateau.js';
import { InvalidOptionError } from '../../src/core/errors.js';
import type { MemoryPlace } from '../../src/core/memoryPlace.js';
import { randomSource } from '../../src/core/random.js';
import { labelsOf } from '../../src/data/labels.js';
import { rowsOf } from '../../src/data/rows.js';
import { LogisticRegression } from '../../src/estimators/logisticRegression.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';
import { FunctionTransformer } from '../../src/preprocessing/functionTransformer.js';
import { preparationOf } from '../../src/preprocessing/preparation.js';
import { StandardScaler } from '../../src/preprocessing/standardScaler.js';
import { adapterRegistry, registerAdapter } from '../../src/runner/adapterRegistry.js';
import { CallbackError, type CVCallback, type EpochModel } from '../../src/runner/callback.js';
import { checkPredictions } from '../../src/runner/checkPredictions.js';
import { ensemble } from '../../src/runner/ensemble.js';
import type { Executor } from '../../src/runner/executor.js';
import { inlineExecutor } from '../../src/runner/inlineExecutor.js';
import type { RefittedModel } from '../../src/runner/keptModels.js';
import { loadModel } from '../../src/runner/loadModel.js';
import { refuseOnePlace } from '../../src/runner/modelPlace.js';
import { readBy } from '../../src/runner/readBy.js';
import { readData } from '../../src/runner/readData.js';
import { runFold } from '../../src/runner/runFold.js';
import { scorersOf } from '../../src/runner/scoring.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { withPreprocessing } from '../../src/runner/withPreprocessing.js';
import { GroupKFold } from '../../src/splitters/grouped/groupKFold.js';
import { NestedGroupedCV } from '../../src/splitters/grouped/nestedGroupedCV.js';
import { BootstrapValidation } from '../../src/splitters/iid/bootstrapValidation.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { NestedCV } from '../../src/splitters/iid/nestedCV.js';
import { StratifiedKFold } from '../../src/splitters/iid/stratifiedKFold.js';
import { MultilabelStratifiedKFold } from '../../src/splitters/multilabel/multilabelStratifiedKFold.js';
import type { Splitter } from '../../src/splitters/splitter.js';
import { TimeSeriesSplit } from '../../src/splitters/temporal/timeSeriesSplit.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { cloningExecutor } from '../helpers/cloningExecutor.js';
import { texts } from '../helpers/messages.js';
import { blobs, NearestMean, probabilistic, spyAdapter } from '../helpers/nearestMean.js';
import { oneByOne } from '../helpers/oneByOne.js';
import { Climber, line, memoryOf, scriptedAdapter } from '../helpers/scriptedAdapter.js';
import { throwing } from '../helpers/thrown.js';

const { X, y } = blobs(60);
const pairs = y.map((_, row) => row >> 1);
const ordinal = y.map((_, row) => row);
const model = () => new NearestMean();
const three = () => new KFold({ nSplits: 3 });
const SILENT = { trains: true, epochs: true, probabilities: false, saves: false };
const page = (name: string, rows: Record<string, () => unknown>, test: typeof it = it) =>
  test(name, async () => expect(await texts(rows)).toMatchSnapshot());

/** A run of the estimator, or of the adapter that `runner` has. */
const run = (options: object = {}, cvSplitter: Splitter = three(), runner: object = {}) =>
  new UniversalCVRunner({ cvSplitter, verbose: 0, ...runner }).run({ model, data: [X, y], ...options } as never);
const spied = (options: object = {}, cvSplitter: Splitter = three(), replace = {}) =>
  run(options, cvSplitter, { adapter: spyAdapter(replace).adapter });
/** A regression whose epochs follow a script. */
const scripted = (options: object = {}, script = {}, replace = {}) =>
  run(
    { model: () => new Climber(), data: [line.X, line.y], task: 'regression', ...options },
    new KFold({ nSplits: 2 }),
    { adapter: scriptedAdapter(script, replace).adapter },
  );
const refused =
  (...parts: Parameters<typeof run>) =>
  () =>
    run(...parts);

describe('importance', () => {
  const important = (importance: unknown, options: object = {}) => refused({ importance, ...options });
  const wide = X.map((row) => Array.from({ length: 201 }, () => row[0]));
  page('is refused where it cannot be', {
    'a number': important(5),
    'an unknown option': important({ repeat: 5 }),
    'no repeats': important({ repeats: 0 }),
    'no features': important({ features: [] }),
    'an unknown name': important({ features: ['glucose'] }),
    'a misspelt name': important({ features: ['glucos'] }, { data: { X, y, featureNames: ['glucose', 'age'] } }),
    'a place beyond the last': important({ features: [2] }),
    'an unknown metric': important({ metric: 'aucs' }),
    'a metric of other tasks': important({ metric: 'mse' }),
    'a metric with a target': important({ metric: 'calibration_slope' }),
    'scores with a target alone': important(true, { metrics: ['calibration_slope'] }),
    'functions alone': important(true, { scoring: { own: () => 1 } }),
    'more than 200 features': important(true, { data: [wide, y] }),
    images: important(true, { data: [X.map(([a]) => [[a, a]]), y] }),
  });
});

describe('models and data', () => {
  const able = spyAdapter().adapter.capabilities;
  const built = new NearestMean();
  const adapter = (parts: object) => () => registerAdapter({ ...spyAdapter().adapter, ...parts } as never);
  const read =
    (more: object, y: unknown = [0, 1, 0, 1]) =>
    () =>
      readData({ X: [[1], [2], [3], [4]], y, ...more } as never, {});
  const library = (use: (rows: never) => unknown) => () =>
    readBy('A library', rowsOf(X), async (rows) => use(rows as never));
  const masks = (side: number) => ({ data: new Uint8Array(60 * side), shape: [60, side, 1] });
  const masked = (cv: Splitter) => () => spied({ data: { X, y: masks(4) } }, cv);
  const letter = ([x]: number[]) => 'abc'[Math.abs(Math.round(7 * x)) % 3];
  const ordered = (order: string[]) => () => ({
    fit: () => undefined,
    predict: (rows: number[][]) => rows.map(letter),
    predictProba: (rows: number[][]) => rows.map((row) => order.map((label) => (label === letter(row) ? 0.6 : 0.2))),
  });
  const halves = { data: new Float64Array(4).fill(0.5), shape: [2, 2] };
  const zeros = (height: number, width: number) => Array.from({ length: height }, () => Array(width).fill(0));
  const checked =
    (predictions: object, y: unknown[] = ['no', 'yes'], positive = 1) =>
    () =>
      checkPredictions(predictions, labelsOf(y as never), positive, undefined);
  page('reading', {
    'an adapter registered twice': adapter({ name: 'estimator' }),
    'a misspelt capability': () => spied({}, three(), { capabilities: { ...able, probabilites: true } }),
    'a capability in words': () => spied({}, three(), { capabilities: { ...able, augments: 'no' } }),
    'a capability too few': () => spied({}, three(), { capabilities: { ...able, epochs: undefined } }),
    'a model built twice': () => spied({}, three(), { build: async () => built }),
    'a dispose that throws': () => spied({}, three(), { dispose: throwing('service 503') }),
    'a close that throws': () =>
      spied({}, three(), { open: async () => ({ info: {}, close: async () => throwing('service 503')() }) }),
    'a metric that throws': () => spied({ scoring: { cost: throwing('service 503') } }),
    'rows that nobody awaits': () =>
      spied({}, three(), {
        predict: async (_: unknown, { toArrays }: { toArrays(): unknown }) => ({
          values: (toArrays() as number[]).map(() => 1),
        }),
      }),
    'no folder': () => loadModel('nowhere/final'),
    'hooks that are not called': () => scripted({}, {}, { fit: async () => ({ epochs: [{ loss: 1 }] }) }),
    'half an adapter': adapter({ name: 'half', capabilities: undefined, fit: undefined }),
    'a prediction of NaN': checked({ values: new Float64Array([1, Number.NaN]) }, [0.5, 1.5], -1),
    'no prediction': checked({}),
    'too few predictions': checked({ values: ['no'] }),
    'predicted masks of another shape': checked({ values: [zeros(2, 8)] }, [zeros(4, 4)], -1),
    'probabilities without a shape': checked({ probabilities: [[0.1, 0.9]] }),
    'probabilities that sum to 1.1': checked({
      probabilities: { data: Float64Array.of(0.2, 0.9, 0.5, 0.5), shape: [2, 2] },
    }),
    'probabilities of an unknown class': checked({ probabilities: halves, classes: ['no', 'maybe'] }),
    'probabilities of one class twice': checked({ probabilities: halves, classes: ['no', 'no'] }),
    'columns in another order': () =>
      run({ model: ordered(['c', 'a', 'b']), data: [X, ordinal.map((row) => 'abc'[row % 3])] }),
    'a row of a view': library((rows) => rows[3]),
    'a method of a view': library((rows) => (rows as number[][]).map((row) => row)),
    'a loop over a view': library((rows) => [...(rows as number[][])]),
    'too few further labels': read({ auxiliary: { age: [61, 47, 72] } }),
    'a further label that is missing': read({ auxiliary: { age: [61, 47, null, 55] } }),
    'further labels without a name': read({ auxiliary: [61, 47, 72, 55] }),
    'a misspelt part of data': read({ group: [1, 1, 2, 2] }),
    'a positive label of three classes': () => readData({ X: [[1], [2], [3]], y: [0, 1, 2] }, { positiveLabel: 1 }),
    'masks to stratify by': masked(new StratifiedKFold()),
    'masks to balance': masked(new MultilabelStratifiedKFold()),
    'masks of another shape': () =>
      new CVKitValidator().fitValidate({ model, XTrain: X, yTrain: masks(4), XTest: X, yTest: masks(6), verbose: 0 }),
    'a score that is a text': async () =>
      (await scorersOf(null, { mine: () => 'high' as never }, { task: 'binary' }))[0].score(
        scoreTable({ yTrue: y, yPred: y }),
      ),
    'no scores': () => scorersOf(null, {}, { task: 'binary' }),
    'a learning rate': refused({ learning_rate: 0.1 }),
    'validation data': refused({ validationData: [X, y] }),
    'an option of the adapter': refused({ trainStep: () => undefined }),
    'a metric of Keras': refused({ metrics: ['auc'] }),
    'a saved network by its place': refused({ model: './model.json' }),
    'an unknown event': () => new UniversalCVRunner({ cvSplitter: three() }).on('fold_end' as never, () => undefined),
    'a listener that is none': () => new UniversalCVRunner({ cvSplitter: three() }).on('progress', null as never),
  });
});

describe('outcomes by time', () => {
  const time = Float64Array.of(3, 1, 4, 1.5, 5, 9);
  const event = Int32Array.of(1, 0, 1, 1, 0, 1);
  const risks = { fit: () => undefined, predictRisk: (rows: number[][]) => rows.map(([a]) => a) };
  const timed = (y: unknown, more: object = {}) =>
    refused({
      model: () => ({ ...risks }),
      data: [Array.from(time, (each) => [-each]), y],
      ...more,
    });
  const broken = (model: object) => timed({ time, event }, { model: () => ({ ...risks, ...model }) });
  page('times', {
    'times beyond the follow-up': timed({ time, event }, { times: [12] }),
    'a time of 0': timed({ time: time.with(2, 0), event }),
    'half an event': timed({ time, event: Float64Array.from(event).with(2, 0.5) }),
    'no event': timed({ time, event: event.map(() => 0) }),
    'another cause': timed({ time, event }, { causeOfInterest: 3 }),
    'events from 1 on': timed({ time, event: event.map((each) => each + 1) }),
    'too few events': timed({ time, event: event.subarray(1) }),
    'a text without a number': timed(['3', 'x', '4+', '1', '5', '9'], { task: 'survival' }),
    'a positive label of times': timed({ time, event }, { positiveLabel: 1 }),
    'times of classes': refused({ times: [1] }),
    'a model without risks': timed(
      { time, event },
      { model: () => ({ fit: () => undefined, predict: (rows: unknown[]) => rows.map(() => 1) }) },
    ),
    'a risk of NaN': broken({ predictRisk: (rows: unknown[]) => rows.map(() => Number.NaN) }),
    'too few risks': broken({ predictRisk: () => [1] }),
    'a curve that rises': broken({
      predictSurvival: (rows: unknown[], times: number[]) => rows.map(() => times.map((_, at) => at / times.length)),
    }),
    'a curve of other times': broken({ predictSurvival: (rows: unknown[]) => rows.map(() => [1, 0.5]) }),
  });
});

describe('preparation', () => {
  const trial = (params: object): Executor => ({
    ...inlineExecutor,
    async *run(tasks, link) {
      const own = Array.from(tasks, (task) => ({ ...task, ctx: { ...task.ctx, params } }));
      yield* inlineExecutor.run(own as never, link);
    },
  });
  const step = (params: object, preprocessing: unknown = [['scale', new StandardScaler()]]) =>
    refused({ preprocessing }, undefined, { executor: trial(params) });
  const chosen = (choose: () => unknown) => async () => {
    const adapter = withPreprocessing(
      await adapterRegistry.get('estimator').load(),
      preparationOf(choose as never, { byParams: true }),
    );
    return run({}, undefined, { adapter, executor: trial({}) });
  };
  class Shift {
    fit = () => undefined;
    transform = (rows: unknown) => rows;
    setParams() {
      throw new RangeError('by is below 0');
    }
  }
  page('steps', {
    'a model that is trained': async () => {
      const { refitted } = await run({ refit: true });
      return run({ model: refitted });
    },
    'no transformer': refused({ preprocessing: { scale: true } }),
    'a class': refused({ preprocessing: StandardScaler }),
    'a function outside tuning': refused({ preprocessing: () => new StandardScaler() }),
    'a misspelt step': step({ scaler__withMean: true }),
    'a misspelt parameter': step({ scale__mean: 1 }),
    'a wrong parameter': step({ scale__withMean: 'no' }),
    'a parameter that setParams refuses': step({ shift__by: -1 }, new Shift()),
    'a function that throws': chosen(() => {
      throw new TypeError('no scale of that name');
    }),
    'a function of nothing': chosen(() => undefined),
    'a function of no steps': chosen(() => []),
    'a function of a model': chosen(model),
  });
});

describe('callbacks', () => {
  const watch = (monitor: string, mode?: 'min' | 'max') => () => new Plateau('Some', { monitor, minDelta: 0, mode });
  const to =
    (options: ModelCheckpointOptions, more = {}, replace = {}) =>
    () =>
      scripted(
        { epochs: 1, validation: 0.25, callbacks: new ModelCheckpoint(options), ...more },
        { valLoss: [1] },
        replace,
      );
  const stopping =
    (options: object, replace = {}, more = {}) =>
    () =>
      scripted({ epochs: 6, validation: 0.25, callbacks: new EarlyStopping(options), ...more }, {}, replace);
  const rates =
    (options: object, replace = {}) =>
    () =>
      scripted({ epochs: 2, callbacks: new LearningRateScheduler(options as never) }, {}, replace);
  const forFold = (hooks: unknown) => () => spied({ epochs: 2, callbacks: { name: 'mine', forFold: () => hooks } });
  let handle: EpochModel | undefined;
  const late: CVCallback = {
    name: 'late',
    onEpochEnd: ({ model }) => {
      handle = model;
    },
    onFoldEnd: () => handle?.keepWeights(),
  };
  page('hooks', {
    'an error of a hook': () => {
      throw new CallbackError('Watcher', 'onFoldEnd', new Error('boom'));
    },
    'an error of cvkit in a hook': () => {
      throw new CallbackError('Watcher', 'onEpochEnd', new InvalidOptionError('The `monitor` option must be a log.'));
    },
    'forFold of no object': forFold(7),
    'forFold of a misspelt hook': forFold({ onEpochEnds: () => undefined }),
    'forFold that throws, without a name': () => spied({ callbacks: { forFold: throwing('no') } }),
    'weights kept after training': () => scripted({ epochs: 4, callbacks: late }),
  });
  page('EarlyStopping and Plateau', {
    'a log of unknown direction': watch('val_dense_loss'),
    'a misspelt log': watch('val_los'),
    'the area as Keras calls it': watch('val_auc'),
    'an option of Keras': stopping({ restoreBestWeights: true }),
    'the smallest rate as Keras calls it': () => new ReduceLROnPlateau({ minLr: 0.1 } as never),
    'the wrong direction': watch('val_loss', 'max'),
    'a direction of a target': watch('val_calibration_slope', 'max'),
    'a log that is not there': stopping({ monitor: 'val_auc', mode: 'max' }),
    'weights that cannot be kept': stopping({}, { snapshot: undefined }),
    'a metric without a value': stopping({ monitor: 'val_r2' }, {}, { data: [line.X, line.y.map(() => 1)] }),
  });
  page('LearningRateScheduler', {
    'a rate of NaN': rates({ schedule: () => Number.NaN }),
    'a minimum of a function': rates({ schedule: () => 1, minimum: 0.1 }),
    'an adapter without a rate': rates({ schedule: 'cosine' }, { learningRate: undefined }),
    'an unknown schedule': rates({ schedule: 'step' }),
  });
  page('ModelCheckpoint', {
    'one path for all folds': to({ path: 'best' }),
    'a monitor of every second epoch': to({ path: '{fold}', every: 2, monitor: 'val_mse' }),
    'an adapter that cannot save': to({ path: '{fold}' }, {}, { save: undefined }),
    'no validation rows': to({ path: '{fold}' }, { validation: undefined }),
    'one place for all folds': to({ path: () => 'memory://one' }),
    'a function of no place': to({ path: () => undefined as never }),
    'an unknown part of a path': to({ path: 'm/{fold}-{val_loss}' }),
  });
});

describe('models of the folds', () => {
  const saveable = async (labels: readonly number[]) =>
    (await run({ model: () => new LogisticRegression(), data: [X, labels], refit: true })).refitted as RefittedModel;
  const blobOf = async (labels: readonly number[]) => (await saveable(labels)).toBlob();
  const combined =
    (options: object, how: object = {}) =>
    async () =>
      ensemble(await scripted({ keepModels: 'memory', ...options }), how);
  const saving =
    (modelPath?: unknown, replace = {}) =>
    () =>
      scripted({ keepModels: 'save', ...(modelPath ? { modelPath } : {}) }, {}, replace);
  page('kept', {
    'an ensemble': async () => {
      const build = async (_: unknown, { index }: { index: number }) => {
        if (index === 1) throw new Error('no');
        return new Climber();
      };
      return (await ensemble(await scripted({ keepModels: 'memory', onFoldError: 'record' }, {}, { build }))).summary();
    },
    'no models': combined({ keepModels: 'none' }),
    'a vote over numbers': combined({}, { combine: 'vote' }),
    'an unknown combination': combined({}, { combine: 'median' }),
    'a mean of labels': async () => (await ensemble(await run({ keepModels: 'memory' }))).predict(X),
    'no results': () => ensemble({} as never),
    'no places': () => ensemble([]),
    'no place': saving(),
    'one place for all folds': saving('models'),
    'a way up in a path': () => refuseOnePlace('m/{fold}/../same', 2, 'It'),
    'a place by epoch': saving('{fold}/{epoch}'),
    'a function of one place': saving(() => 'memory://same'),
    'a place that is not used': () => scripted({ modelPath: 'models/{fold}' }),
    'an adapter that cannot save': saving('{fold}', { save: undefined }),
    'an adapter that says that it does not save': saving('{fold}', { capabilities: SILENT }),
    'a model that cannot be saved': () => run({ keepModels: 'save', modelPath: 'never/{fold}' }),
    'a step that cannot be saved': () =>
      run({
        ...{ keepModels: 'save', modelPath: 'never/{fold}', model: () => new LogisticRegression() },
        preprocessing: new FunctionTransformer((rows: unknown) => rows as never),
      }),
    'models of several tasks': async () => ensemble([await blobOf(y), await blobOf(ordinal.map((row) => row % 3))]),
    'a model twice': async () => {
      const blob = await blobOf(y);
      return ensemble([blob, blob]);
    },
    'options of loading for results': combined({}, { modules: 'allow' }),
  });
  const memorable = async (save: (model: Climber, place: MemoryPlace) => Promise<unknown>) => {
    const capabilities = { trains: true, epochs: true, probabilities: false, saves: true, savesToMemory: true };
    return (await scripted({ refit: true }, {}, { save, capabilities })).refitted as RefittedModel;
  };
  const named = async (text: string) => (await memorable(async (_, place) => place.write('', text))).toBlob();
  page('refitted', {
    'a model of all rows': async () => (await run({ refit: true })).refitted?.note,
    'a refit of a nested design': refused({ refit: true }, new NestedCV()),
    'apparent scores of a nested design': refused({ apparent: true }, new NestedCV()),
    'a model that cannot be saved': async () => (await run({ refit: true })).refitted?.save('somewhere'),
    'an adapter that cannot save': async () => (await spied({ refit: true })).refitted?.save('somewhere'),
    'an adapter that writes to paths alone': async () =>
      (await scripted({ refit: true, model: () => new Climber() })).refitted?.toBlob(),
    'a save that writes nothing': async () => (await memorable(async () => undefined)).toBlob(),
    'a model of an adapter that is not here': async () => loadModel(await named('scripted')),
    'a model of another adapter': async () => loadModel(await named('scripted'), { adapter: spyAdapter().adapter }),
    'a place in a page': async () => (await saveable(y)).save('indexeddb://final'),
    'a place on a server': async () => (await saveable(y)).save('https://example.org/final'),
    'a place of another kind': () => loadModel('https://example.org/final'),
    'a Blob of something else': () => loadModel(new Blob(['text'])),
  });
});

describe('adjustment', () => {
  const cut =
    (threshold: unknown, more: object = {}, cv?: Splitter) =>
    () =>
      run({ model: probabilistic, threshold, ...more }, cv);
  /** For what is refused before anything is trained. */
  const unbuilt = { model: () => expect.unreachable('a model was built') };
  const nested = new NestedCV({ outerCv: three(), innerCv: new KFold({ nSplits: 4 }) });
  const firsts = X.map(([a]) => a);
  const rare = ordinal.map((row) => Number(row < 2));
  const torn = new NestedCV({ outerCv: new GroupKFold({ nSplits: 3, randomState: 1 }), innerCv: three() });
  const halves = async (_: unknown, { length }: { length: number }) => ({
    values: new Float64Array(length),
    probabilities: { data: new Float64Array(2 * length).fill(0.5), shape: [length, 2] },
  });
  page('adjustment', {
    'what was fitted': async () => (await cut('youden', { recalibrate: 'platt' }, nested)()).metadata.adjustment,
    'an unknown rule': cut('best', unbuilt),
    'a number': cut(0.3, unbuilt),
    'no rule': cut({}, unbuilt),
    'an impossible sensitivity': cut({ sensitivity: 2 }, unbuilt),
    'a regression': cut(undefined, { ...unbuilt, data: [X, firsts], recalibrate: 'platt', metrics: ['mse'] }),
    'folds in time': cut('youden', unbuilt, new TimeSeriesSplit({ nSplits: 3 })),
    'labels alone': cut('youden', { model }),
    'two positive patients': cut('youden', { data: [X, rare] }, new StratifiedKFold({ nSplits: 2 })),
    'a guarantee with weights': cut({ guaranteedSensitivity: 0.8 }, { sampleWeight: y.map(() => 1) }),
    'a guarantee of too few': cut({ guaranteedSensitivity: 0.95 }),
    'inner folds that tear groups': cut('youden', { data: [X, y, pairs] }, torn),
    'a callback that stops an inner fold': () => {
      const callbacks = { needsEpochs: true, onFoldEnd: () => 'stop' };
      return scripted({ data: [X, y], task: 'binary', threshold: 'youden', callbacks }, {}, { predict: halves });
    },
  });
});

describe('runs', () => {
  const warned = async (cv: Splitter, beside = {}, options = {}) => {
    const results = await spied({ data: { X, y, ...beside }, ...options }, cv, { capabilities });
    return results.metadata.warnings.join('\n');
  };
  const capabilities = { trains: true, epochs: true, probabilities: true, saves: false };
  const side = { timestamps: ordinal, labelEndTimes: ordinal.map((time) => time + 2) };
  const lazy: Executor = {
    ...{ name: 'lazy', concurrency: 1, close: async () => undefined },
    async *run(tasks, { services, emit }) {
      for (const task of tasks) if (task.ctx.index !== 1) yield runFold(task, { ...services, emit });
    },
  };
  const grouped = new NestedGroupedCV({
    outerCv: new GroupKFold({ randomState: 1 }),
    innerCv: new GroupKFold({ nSplits: 3, randomState: randomSource(1) }),
  });
  const watched = new KFold({ nSplits: 3, shuffle: true, randomState: 1 });
  page('warnings', {
    'times that are not used': () => warned(new KFold(), side),
    'ends of labels that are not used': () => warned(new TimeSeriesSplit(), side),
    'validation rows at random': () => warned(new TimeSeriesSplit(), { timestamps: ordinal }, { validation: 0.2 }),
    'training rows that are not used': () =>
      warned(new KFold(), {}, { validation: { splitter: new TimeSeriesSplit({ nSplits: 4 }) } }),
    'rows that a nested design holds out': () => warned(new NestedCV()),
  });
  const leaking = (folds: number[]) => async () => {
    let held = 5;
    const build = async (_: unknown, { index }: { index: number }) => {
      if (folds.includes(index)) held += 2;
      return model();
    };
    const parts = { memory: memoryOf(() => held), dispose: () => undefined, build };
    return (await spied({}, new KFold(), parts)).metadata.warnings.join('\n');
  };
  page('tensors', { 'of one fold': leaking([3]), 'of three folds': leaking([1, 2, 4]) }, oneByOne as typeof it);
  page('validation rows and executors', {
    'inner folds that tear groups': () =>
      spied({ data: [X, y, pairs] }, new NestedCV({ outerCv: three(), innerCv: watched })),
    'inner folds without a seed': () => spied({ data: [X, y, pairs] }, grouped),
    'a splitter of rows that were drawn twice': () =>
      spied({ validation: { splitter: watched } }, new BootstrapValidation({ nIterations: 8, randomState: 1 })),
    'an unknown executor': refused({}, undefined, { executor: 'threads' }),
    'an executor that loses folds': refused({}, undefined, { executor: lazy }),
    'isolation of folds at once': refused({ verifyIsolation: true }, undefined, { executor: cloningExecutor(4) }),
    'weights that outlive a fold': () => {
      let models = 0;
      const climber = () => Object.assign(new Climber(), { weight: models++ });
      return scripted({ model: climber, epochs: 4, verifyIsolation: true });
    },
    'logs that outlive a fold': () => {
      let epochs = 0;
      return scripted({ epochs: 4, verifyIsolation: true }, { logs: () => ({ acc: epochs++ }) });
    },
  });
});

describe('scores of patients', () => {
  const scored = (aggregate: unknown, more: object = {}) => run({ data: [X, y, pairs], aggregate, ...more });
  const own = pairs.map((pair) => pair % 2);
  const half = () => ({ fit: () => undefined, predictProba: (rows: unknown[]) => rows.map(() => [0.5, 0.5]) });
  const three = pairs.map((pair) => pair % 3);
  const labels = () => ({ fit: () => undefined, predict: (rows: unknown[]) => rows.map((_, row) => row % 3) });
  const mask = Array.from({ length: 8 }, () => [
    [0, 1],
    [1, 0],
  ]);
  page('aggregate', {
    'another word': () => scored('median'),
    'no patients': () => scored('mean', { data: [X, y] }),
    'labels that differ within patients': () => scored('mean'),
    'classes that differ within patients': () => scored('max', { data: [X, three.map((_, row) => row % 3), pairs] }),
    'a rule that gives no probability': () => scored(() => 2, { data: [X, own, pairs], model: half }),
    'a rule that throws': () =>
      scored(
        () => {
          throw new Error('service 503');
        },
        { data: [X, own, pairs], model: half },
      ),
    'the largest of labels alone': () => scored('max', { data: [X, three, pairs], model: labels }),
    'a threshold': () => scored('mean', { data: [X, own, pairs], threshold: { fixed: 0.4 } }),
    masks: () => scored('mean', { data: [mask, mask, [0, 0, 1, 1, 2, 2, 3, 3]] }),
    'a test set without patients': () =>
      new CVKitValidator().fitValidate({
        ...{ model, XTrain: X, yTrain: own, XTest: X, yTest: own, patientIds: pairs, aggregate: 'mean' },
      }),
  });
});
