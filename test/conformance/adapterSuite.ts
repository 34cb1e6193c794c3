/**
 * What every adapter must do, driven through the {@link FrameworkAdapter} interface alone, so that it serves adapters
 * of third parties too.
 */
import { MissingPackageError } from '../../src/core/errors.js';
import { withSeededRandom } from '../../src/core/seededRandom.js';
import { type LabelsInput, labelsOf } from '../../src/data/labels.js';
import { type Rows, type RowsInput, rowsOf } from '../../src/data/rows.js';
import {
  type Batch,
  checkAdapter,
  disposeOwned,
  type FitHooks,
  type FitOptions,
  type FoldContext,
  type FrameworkAdapter,
  type ModelFactory,
  type ModelPlace,
  type Predictions,
  type WeightSnapshot,
} from '../../src/runner/frameworkAdapter.js';
import { type ConformanceCase, ensure, requireParts, thrownBy } from './suite.js';

/** What the suite needs to know about an adapter. */
export interface AdapterUnderTest {
  readonly adapter: FrameworkAdapter;
  /** Gives a factory of small models that fit the data. Unseeded weights and dropout are welcome. */
  makeFactory(): ModelFactory;
  /** At least 12 rows, any order. Called often; must give the same data every time. */
  makeData(): { X: RowsInput; y: LabelsInput };
  readonly adapterOptions?: Readonly<Record<string, unknown>>;
  /** Options of `fit`, where the models need them. */
  readonly fitOptions?: Partial<FitOptions>;
  /** Models of other frameworks, which `matches` must not take for its own. */
  readonly foreignModels?: readonly unknown[];
  /** Number of things the library holds, for example `() => tf.memory().numTensors`. */
  memory?(): number;
  /** A place to save a model to, another one at every call; when the adapter saves. */
  place?(): ModelPlace | Promise<ModelPlace>;
  /** The adapter as it is where its library is not installed, and the name of that package. */
  readonly missing?: { readonly adapter: FrameworkAdapter; readonly packageName: string };
}

/** One fold: places of the rows to train on and of the rows to predict. */
interface Cut {
  readonly seed: number;
  readonly train: Int32Array;
  readonly test: Int32Array;
}

const EPOCHS = 3;
const NO_HOOKS: FitHooks = { onEpochStart: async () => undefined, onEpochEnd: async () => undefined };

/**
 * The cases that hold for `input.adapter`; those that its capabilities rule out are left away.
 *
 * @example
 * const makeData = () => ({ X: X.slice(0, 40), y: y.slice(0, 40) });
 * const cases = adapterSuite({ adapter: estimatorAdapter, makeFactory: () => () => new LogisticRegression(), makeData });
 * console.log(cases.length > 10); // in a test file: for (const { name, run } of cases) test(name, run)
 */
export function adapterSuite(input: AdapterUnderTest): ConformanceCase[] {
  requireParts('adapterSuite', input, { adapter: 'object', makeFactory: 'function', makeData: 'function' });
  const { adapter } = input;
  const driven = (work: (driven: Driven) => Promise<void>) => () =>
    inSession(input, () => {
      const data = read(input);
      const [cut, other] = cuts(data);
      return work({ input, adapter, data, cut, other });
    });
  const cases: ConformanceCase[] = [
    { name: 'has the parts of an adapter', run: () => void checkAdapter(adapter) },
    { name: 'knows its own models and no others', run: () => knowsItsModels(input) },
    { name: 'gives every fold a model of its own', run: driven(freshModels) },
    { name: 'takes factories that are async', run: driven(asyncFactory) },
    { name: 'trains a fold alone as it does after another fold', run: () => foldAlone(input) },
    { name: 'trains the same way twice from the same seed', run: driven(twice) },
    { name: 'reads no rows but those it was given', run: driven(onlyGivenRows) },
    { name: 'predicts the same when asked again', run: driven(predictsAgain) },
    { name: 'predicts each row by itself', run: driven(rowByRow) },
    { name: 'gives predictions of the right shape', run: driven(shapes) },
    { name: 'changes nothing of the data', run: driven(dataUnchanged) },
  ];
  if (adapter.capabilities.epochs) {
    cases.push(
      { name: 'calls the epoch hooks in order and stops when told', run: driven(hooksInOrder) },
      { name: 'passes on what a hook throws', run: driven(hookThrows) },
      { name: 'stops when the signal is aborted', run: driven(aborted) },
    );
  }
  if (input.memory) {
    cases.push({ name: 'gives back all memory after a fold', run: driven(memoryAfterFold) });
    if (adapter.capabilities.epochs) {
      cases.push({ name: 'gives back all memory after an error', run: driven(memoryAfterError) });
    }
  }
  if (input.memory || adapter.memory) {
    cases.push({ name: 'gives back all memory of a factory that fails', run: driven(memoryAfterFactory) });
  }
  if (adapter.memory) cases.push({ name: 'reports memory that is back after a fold', run: driven(reportsMemory) });
  if (adapter.capabilities.epochs && adapter.snapshot) {
    cases.push({ name: 'gives back the weights of a snapshot', run: driven(snapshots) });
  }
  if (adapter.capabilities.epochs && adapter.learningRate) {
    cases.push({ name: 'trains with the learning rate that was set', run: driven(learningRates) });
  }
  if (adapter.capabilities.saves && adapter.save && adapter.load && input.place) {
    cases.push({ name: 'loads what it has saved', run: driven(savesAndLoads) });
  }
  if (input.missing) cases.push({ name: 'names the package that is missing', run: () => missingPackage(input) });
  return cases;
}

// ---- driving an adapter as the fold loop does ---------------------------------------------------------------------

interface Data {
  readonly X: Rows;
  readonly y: ReturnType<typeof labelsOf>;
}

function read(input: AdapterUnderTest): Data {
  const { X, y } = input.makeData();
  return { X: rowsOf(X), y: labelsOf(y) };
}

/** Two folds with disjoint test rows. */
function cuts({ y }: Data): [Cut, Cut] {
  const rows = Array.from({ length: y.length }, (_, row) => row);
  const cut = (fold: number): Cut => ({
    seed: 1000 + fold,
    train: Int32Array.from(rows.filter((row) => row % 3 !== fold)),
    test: Int32Array.from(rows.filter((row) => row % 3 === fold)),
  });
  return [cut(0), cut(1)];
}

function context({ X, y }: Data, { seed, train, test }: Cut): FoldContext {
  return Object.freeze({
    fold: `fold-${seed}`,
    index: 0,
    repeat: 0,
    nSplits: 2,
    nTrain: train.length,
    nTest: test.length,
    seed,
    inputShape: X.rowShape,
    classes: y.classes,
    task: y.task,
    params: {},
  });
}

const batchOf = ({ X, y }: Data, indices: Int32Array): Batch => ({ X: X.take(indices), y: y.take(indices), indices });

/** The factory as the fold loop hands it over: with `Math.random` seeded by the fold. */
function guarded(input: AdapterUnderTest): ModelFactory {
  const factory = input.makeFactory();
  return (ctx) => withSeededRandom(ctx.seed, () => factory(ctx));
}

interface FoldParts {
  readonly train?: (batch: Batch) => Batch;
  readonly source?: ModelFactory;
  readonly hooks?: FitHooks;
  readonly signal?: AbortSignal;
  /** Told of the model before it is trained. */
  readonly built?: (model: unknown) => void;
  /** What to do with the trained model; predicting the test rows when left out. */
  readonly use?: (model: unknown) => Promise<Predictions>;
}

/** Builds, fits, predicts and disposes, as the fold loop does. */
async function fold(input: AdapterUnderTest, data: Data, cut: Cut, parts: FoldParts = {}): Promise<Predictions> {
  const { adapter, fitOptions } = input;
  const signal = parts.signal ? { signal: parts.signal } : {};
  const options: FitOptions = { epochs: EPOCHS, batchSize: 4, ...fitOptions, seed: cut.seed, ...signal };
  const model = await adapter.build(parts.source ?? guarded(input), context(data, cut));
  parts.built?.(model);
  try {
    const train = batchOf(data, cut.train);
    if (adapter.capabilities.trains) {
      await adapter.fit(model, parts.train ? parts.train(train) : train, options, parts.hooks ?? NO_HOOKS);
    }
    return await (parts.use ? parts.use(model) : adapter.predict(model, data.X.take(cut.test), data.y));
  } finally {
    await disposeOwned(adapter, model);
  }
}

/** Runs `work` in an open session that is closed whatever happens. */
async function inSession<T>({ adapter, adapterOptions }: AdapterUnderTest, work: () => Promise<T>): Promise<T> {
  const session = await adapter.open?.(adapterOptions ?? {});
  try {
    return await work();
  } finally {
    await session?.close();
  }
}

/** What a case gets: the adapter in an open session, and data with two folds of disjoint test rows. */
interface Driven {
  readonly input: AdapterUnderTest;
  readonly adapter: FrameworkAdapter;
  readonly data: Data;
  readonly cut: Cut;
  readonly other: Cut;
}

const plain = ({ values, probabilities }: Predictions) =>
  JSON.stringify([values && Array.from(values), probabilities && Array.from(probabilities.data)]);

const ensureSame = (a: Predictions, b: Predictions, message: string) => ensure(plain(a) === plain(b), message);

// ---- the cases ----------------------------------------------------------------------------------------------------

async function knowsItsModels(input: AdapterUnderTest): Promise<void> {
  const { adapter } = input;
  await inSession(input, async () => {
    const data = read(input);
    const model = await guarded(input)(context(data, cuts(data)[0]));
    const known = adapter.matches(model);
    await disposeOwned(adapter, model);
    ensure(known, `${adapter.name}.matches must be true for a model of its factory. Got false.`);
  });
  const others = [
    undefined,
    null,
    0,
    'model',
    true,
    [],
    {},
    () => undefined,
    new Map(),
    ...(input.foreignModels ?? []),
  ];
  for (const [place, other] of others.entries()) {
    ensure(adapter.matches(other) === false, `${adapter.name}.matches must be false for foreign model ${place}.`);
  }
}

async function freshModels({ input, data, cut, other }: Driven): Promise<void> {
  const source = guarded(input);
  const a = await input.adapter.build(source, context(data, cut));
  const b = await input.adapter.build(source, context(data, other));
  const same = a === b;
  await disposeOwned(input.adapter, a);
  if (!same) await disposeOwned(input.adapter, b);
  ensure(!same, 'build must give every fold a model of its own. Got the same object twice.');
}

async function asyncFactory({ input, data, cut }: Driven): Promise<void> {
  const factory = input.makeFactory();
  const source: ModelFactory = (ctx) =>
    withSeededRandom(ctx.seed, async () => {
      await Promise.resolve();
      return factory(ctx);
    });
  const later = await fold(input, data, cut, { source });
  ensureSame(await fold(input, data, cut), later, 'an async factory must give what a sync one gives.');
}

async function foldAlone(input: AdapterUnderTest): Promise<void> {
  const data = read(input);
  const [first, second] = cuts(data);
  const alone = await inSession(input, () => fold(input, data, second));
  const after = await inSession(input, async () => {
    await fold(input, data, first);
    return fold(input, data, second);
  });
  ensureSame(alone, after, 'a fold must not depend on the folds before it. Its predictions changed.');
}

async function twice({ input, data, cut }: Driven): Promise<void> {
  const first = await fold(input, data, cut);
  ensureSame(first, await fold(input, data, cut), 'the same seed must give the same predictions.');
}

/** Rows that keep to themselves: asking for a place outside them is an error. */
async function onlyGivenRows({ input, data, cut }: Driven): Promise<void> {
  const outside: number[] = [];
  const spied = (rows: Rows): Rows => ({
    ...rows,
    take(indices) {
      outside.push(...Array.from(indices).filter((place) => !(place >= 0 && place < rows.length)));
      return rows.take(indices.filter((place) => place >= 0 && place < rows.length));
    },
  });
  await thrownBy(() => fold(input, data, cut, { train: (batch) => ({ ...batch, X: spied(batch.X) }) }));
  ensure(outside.length === 0, `fit must read the training rows only. It asked for place ${outside[0]}.`);
}

async function predictsAgain({ input, data, cut }: Driven): Promise<void> {
  const test = data.X.take(cut.test);
  await fold(input, data, cut, {
    async use(model) {
      const first = await input.adapter.predict(model, test, data.y);
      ensureSame(first, await input.adapter.predict(model, test, data.y), 'predicting must not change the model.');
      return first;
    },
  });
}

/** Predictions of a row that depend on the other rows have been fitted to the test set. */
async function rowByRow({ input, data, cut }: Driven): Promise<void> {
  await fold(input, data, cut, {
    async use(model) {
      const together = await input.adapter.predict(model, data.X.take(cut.test), data.y);
      for (const [place, row] of cut.test.entries()) {
        const alone = await input.adapter.predict(model, data.X.take(Int32Array.of(row)), data.y);
        const gap = difference(alone, rowOf(together, place));
        ensure(gap < 1e-5, `predict must not depend on the other rows. Row ${place} differs by ${gap} when alone.`);
      }
      return together;
    },
  });
}

function rowOf({ values, probabilities }: Predictions, place: number): Predictions {
  const width = probabilities?.shape[1] ?? 0;
  return {
    ...(values ? { values: [values[place]] as never } : {}),
    ...(probabilities
      ? { probabilities: { data: probabilities.data.slice(place * width, (place + 1) * width), shape: [1, width] } }
      : {}),
  };
}

/** Largest difference of numbers; labels that differ count as 1. */
function difference(a: Predictions, b: Predictions): number {
  const listed = ({ values, probabilities }: Predictions) =>
    [...(values ?? []), ...Array.from(probabilities?.data ?? [])].flat() as unknown[];
  const [left, right] = [listed(a), listed(b)];
  if (left.length !== right.length) return 1;
  return left.reduce<number>((worst, value, at) => {
    const other = right[at];
    const gap =
      typeof value === 'number' && typeof other === 'number' ? Math.abs(value - other) : Number(value !== other);
    return Math.max(worst, gap);
  }, 0);
}

async function shapes({ input, data, cut }: Driven): Promise<void> {
  const n = cut.test.length;
  const { values, probabilities } = await fold(input, data, cut);
  ensure(values ?? probabilities, 'predict must give values or probabilities. Got neither.');
  ensure(!values || values.length === n, `predict must give ${n} values. Got ${values?.length}.`);
  if (!probabilities) return;
  const width = data.y.classes.length;
  const [rows, columns] = probabilities.shape;
  ensure(
    rows === n && (columns === width || (columns === 1 && width === 2)),
    `probabilities must have the shape [${n}, ${width}], or [${n}, 1] of a binary task. Got [${rows}, ${columns}].`,
  );
  ensure(probabilities.data.length === n * columns, `probabilities must be ${n * columns} numbers.`);
  for (const p of probabilities.data) ensure(p >= 0 && p <= 1, `a probability must be from 0 to 1. Got ${p}.`);
}

async function dataUnchanged({ input, data, cut }: Driven): Promise<void> {
  const picture = async () => JSON.stringify([await data.X.toArrays(), data.y.toArray()]);
  const before = await picture();
  const indices = [...cut.train];
  await fold(input, data, cut);
  ensure((await picture()) === before, 'fit and predict must not change X or y.');
  ensure(
    indices.every((row, place) => row === cut.train[place]),
    'fit must not change the indices.',
  );
}

async function hooksInOrder({ input, data, cut }: Driven): Promise<void> {
  const calls: string[] = [];
  const hooks: FitHooks = {
    async onEpochStart(epoch) {
      calls.push(`start ${epoch}`);
    },
    async onEpochEnd(epoch, logs) {
      calls.push(`end ${epoch}`);
      ensure(Number.isFinite(logs.loss), `the logs of an epoch must have a finite loss. Got ${logs.loss}.`);
      return epoch === 1 ? 'stop' : undefined;
    },
  };
  await fold(input, data, cut, { hooks });
  const found = calls.join(', ');
  ensure(found === 'start 0, end 0, start 1, end 1', `hooks must run in pairs until 'stop'. Got ${found}.`);
}

const throwing = (error: Error): FitHooks => ({
  onEpochStart: async () => undefined,
  async onEpochEnd() {
    throw error;
  },
});

async function hookThrows({ input, data, cut }: Driven): Promise<void> {
  const error = new Error('from a hook');
  const thrown = await thrownBy(() => fold(input, data, cut, { hooks: throwing(error) }));
  ensure(thrown === error, 'fit must pass on what a hook throws.');
}

async function aborted({ input, data, cut }: Driven): Promise<void> {
  const controller = new AbortController();
  const reason = new Error('aborted');
  const hooks: FitHooks = { ...NO_HOOKS, onEpochStart: async () => controller.abort(reason) };
  const thrown = await thrownBy(() => fold(input, data, cut, { hooks, signal: controller.signal }));
  ensure(thrown === reason, 'fit must throw the reason of the signal once it is aborted.');
}

/** Memory is that of the input, or what the adapter reports. */
const counted = ({ adapter, memory }: AdapterUnderTest) => memory?.() ?? adapter.memory?.().tensors;

async function keepsMemory(input: AdapterUnderTest, after: string, work: () => Promise<unknown>): Promise<void> {
  const before = counted(input);
  await work();
  ensure(counted(input) === before, `memory must be back at ${before} after ${after}. Got ${counted(input)}.`);
}

async function memoryAfterFold({ input, data, cut, other }: Driven): Promise<void> {
  await fold(input, data, cut);
  await keepsMemory(input, 'a fold', () => fold(input, data, other));
}

async function memoryAfterError({ input, data, cut }: Driven): Promise<void> {
  await fold(input, data, cut);
  const hooks = throwing(new Error('from a hook'));
  await keepsMemory(input, 'an error', () => thrownBy(() => fold(input, data, cut, { hooks })));
}

async function memoryAfterFactory({ input, data, cut }: Driven): Promise<void> {
  await fold(input, data, cut);
  const made = guarded(input)(context(data, cut));
  await input.adapter.dispose?.(await made);
  // What an asynchronous factory makes after its first `await` cannot be told from what others make meanwhile.
  if (typeof made?.then === 'function') return;
  const source: ModelFactory = (ctx) => {
    guarded(input)(ctx);
    throw new Error('from a factory');
  };
  // After that model, of which the adapter may not own everything.
  await keepsMemory(input, 'a factory that fails', async () => {
    ensure(await thrownBy(() => fold(input, data, cut, { source })), 'build must throw what a factory throws.');
  });
}

async function reportsMemory({ input, data, cut, other }: Driven): Promise<void> {
  await fold(input, data, cut);
  const picture = () => JSON.stringify(input.adapter.memory?.());
  const before = picture();
  let during = before;
  await fold(input, data, other, {
    use: async (model) => {
      during = picture();
      return input.adapter.predict(model, data.X.take(other.test), data.y);
    },
  });
  ensure(during !== before, `memory must count what a model holds. Got ${during} with and without one.`);
  ensure(picture() === before, `memory must be back at ${before} after a fold. Got ${picture()}.`);
}

async function snapshots({ input, adapter, data, cut }: Driven): Promise<void> {
  const test = data.X.take(cut.test);
  await fold(input, data, cut);
  const before = counted(input);
  let taken: WeightSnapshot | undefined;
  let then: Predictions | undefined;
  const model: { now?: unknown } = {};
  const hooks: FitHooks = {
    ...NO_HOOKS,
    async onEpochEnd(epoch) {
      if (epoch > 0) return undefined;
      taken = await adapter.snapshot?.(model.now);
      then = await adapter.predict(model.now, test, data.y);
      return undefined;
    },
  };
  await fold(input, data, cut, {
    hooks,
    built: (made) => {
      model.now = made;
    },
    async use(trained) {
      ensure(taken && then, 'the epoch hooks must be called, so that a snapshot can be taken between epochs.');
      await taken.restore();
      const restored = await adapter.predict(trained, test, data.y);
      ensureSame(restored, then, 'restore must give back the weights of the snapshot, bit for bit.');
      await taken.release();
      ensureSame(await adapter.predict(trained, test, data.y), then, 'release must leave the model as it is.');
      return restored;
    },
  });
  const after = counted(input);
  ensure(after === before, `memory must be back at ${before} after a snapshot is released. Got ${after}.`);
}

async function learningRates({ input, data, cut }: Driven): Promise<void> {
  const { learningRate } = input.adapter;
  const usual = await fold(input, data, cut);
  const withRate = async (change: (rate: number) => number) => {
    const model: { now?: unknown } = {};
    const hooks: FitHooks = {
      ...NO_HOOKS,
      async onEpochStart(epoch) {
        if (epoch !== 1) return;
        const wanted = change(learningRate?.get(model.now) ?? Number.NaN);
        learningRate?.set(model.now, wanted);
        const got = learningRate?.get(model.now);
        ensure(got === wanted, `the learning rate must be ${wanted} once it is set. Got ${got}.`);
      },
    };
    const built = (made: unknown) => {
      model.now = made;
    };
    return fold(input, data, cut, { hooks, built });
  };
  ensureSame(await withRate((rate) => rate), usual, 'a learning rate that stays must change nothing.');
  const smaller = plain(await withRate((rate) => rate / 10));
  ensure(smaller !== plain(usual), 'another learning rate must change the training. The predictions are the same.');
}

async function savesAndLoads({ input, adapter, data, cut }: Driven): Promise<void> {
  const test = data.X.take(cut.test);
  await fold(input, data, cut);
  const before = counted(input);
  await fold(input, data, cut, {
    async use(model) {
      const expected = await adapter.predict(model, test, data.y);
      const place = (await input.place?.()) as ModelPlace;
      await adapter.save?.(model, place);
      ensureSame(await adapter.predict(model, test, data.y), expected, 'saving must leave the model as it is.');
      const loaded = await adapter.load?.(place);
      try {
        ensureSame(await adapter.predict(loaded, test, data.y), expected, 'a loaded model must predict the same.');
      } finally {
        await adapter.dispose?.(loaded);
      }
      return expected;
    },
  });
  const after = counted(input);
  ensure(after === before, `memory must be back at ${before} after saving and loading. Got ${after}.`);
}

async function missingPackage({ missing, adapterOptions }: AdapterUnderTest): Promise<void> {
  if (!missing) return;
  const thrown = await thrownBy(async () => (await missing.adapter.open?.(adapterOptions ?? {}))?.close());
  ensure(thrown instanceof MissingPackageError, 'open must throw a MissingPackageError where its library is missing.');
  ensure(
    thrown.packageName === missing.packageName && thrown.message.includes('Run: '),
    `the error must name ${missing.packageName} and the command that installs it. Got: ${thrown.message}`,
  );
}
