import { describe, expect, it } from 'vitest';
import { MissingPackageError } from '../../src/core/errors.js';
import type { EpochLogs, FitHistory, FrameworkAdapter, Predictions } from '../../src/runner/frameworkAdapter.js';
import { blobs, NearestMean, spyAdapter } from '../helpers/nearestMean.js';
import { type AdapterUnderTest, adapterSuite } from './adapterSuite.js';
import { failures } from './failures.js';

type Adapter = FrameworkAdapter<NearestMean>;
// Its weights appear when training ends; the optional parts are those of `moving`.
const { snapshot: _, ...sound }: Adapter = spyAdapter().adapter;
const noLibrary: Adapter = {
  ...sound,
  open: async () => {
    throw new MissingPackageError('near', 'Training by means', 'npm install near');
  },
};

/** Something that counts what is held, as a framework counts its tensors. */
function library() {
  const held = new Set<NearestMean>();
  const build: Adapter['build'] = async (source, ctx) => {
    const model = await sound.build(source, ctx);
    held.add(model);
    return model;
  };
  return { held, build, memory: () => held.size };
}

function underTest(replace: Partial<Adapter>, more: Partial<AdapterUnderTest> = {}): AdapterUnderTest {
  return {
    adapter: { ...sound, ...replace },
    makeFactory: () => () => new NearestMean(),
    makeData: () => blobs(30),
    missing: { adapter: noLibrary, packageName: 'near' },
    ...more,
  };
}

const found = (replace: Partial<Adapter>, more?: Partial<AdapterUnderTest>) =>
  failures(adapterSuite(underTest(replace, more)));

describe('the adapter suite', () => {
  it('passes a sound adapter', async () => {
    const { held, build, memory } = library();
    expect(await found({ build, dispose: (model) => void held.delete(model) }, { memory })).toEqual([]);
  });

  it('leaves out what an adapter does not claim', () => {
    const names = (adapter: Adapter) =>
      adapterSuite(underTest(adapter, { missing: undefined })).map(({ name }) => name);
    const without = names({ ...sound, capabilities: { ...sound.capabilities, epochs: false } });
    expect(names(sound).filter((name) => !without.includes(name))).toEqual([
      'calls the epoch hooks in order and stops when told',
      'passes on what a hook throws',
      'stops when the signal is aborted',
    ]);
    expect(names({ ...sound, ...moving() }).slice(-4)).toEqual([
      'gives back all memory of a factory that fails',
      'reports memory that is back after a fold',
      'gives back the weights of a snapshot',
      'trains with the learning rate that was set',
    ]);
  });

  it('passes a sound adapter with all optional parts', async () => {
    expect(await found(moving(), { place: () => ({}) })).toEqual([]);
  });
});

type Moving = Partial<Adapter> & Required<Pick<Adapter, 'build' | 'fit' | 'load' | 'dispose' | 'snapshot'>>;

/** A sound adapter with the optional parts: each epoch moves the means by the learning rate. */
function moving(): Moving {
  const rates = new WeakMap<NearestMean, number>();
  const saved = new WeakMap<object, NearestMean['means']>();
  const held = new Set<NearestMean>();
  const copy = (means: NearestMean['means']) => new Map([...means].map(([label, mean]) => [label, [...mean]]));
  return {
    capabilities: { ...sound.capabilities, saves: true },
    async build(source, ctx) {
      const model = await sound.build(source, ctx);
      held.add(model);
      return model;
    },
    async fit(model, train, options, hooks) {
      rates.set(model, 0.5);
      const quiet = { onEpochStart: async () => undefined, onEpochEnd: async () => undefined };
      await sound.fit(model, train, { ...options, epochs: 1 }, quiet);
      const epochs: EpochLogs[] = [];
      for (let epoch = 0; epoch < options.epochs; epoch++) {
        await hooks.onEpochStart(epoch);
        options.signal?.throwIfAborted();
        const [first] = model.means.values();
        first[0] += rates.get(model) ?? 0;
        epochs.push({ loss: 1 });
        if ((await hooks.onEpochEnd(epoch, { loss: 1 })) === 'stop') break;
      }
      return { epochs };
    },
    snapshot(model) {
      const means = copy(model.means);
      const restore = () => {
        model.means = copy(means);
      };
      return { restore, release: () => undefined };
    },
    learningRate: {
      get: (model) => rates.get(model) ?? 0,
      set: (model, rate) => void rates.set(model, rate),
    },
    memory: () => ({ tensors: held.size, bytes: 0 }),
    save: async (model, where) => void saved.set(where as object, copy(model.means)),
    async load(where) {
      const model = new NearestMean();
      model.means = copy(saved.get(where as object) ?? new Map());
      held.add(model);
      return model;
    },
    dispose: (model) => void held.delete(model),
  };
}

const draws: Adapter['fit'] = async (model, ...rest) => {
  const history = await sound.fit(model, ...rest);
  for (const mean of model.means.values()) mean[0] += Math.random();
  return history;
};
const peeks: Adapter['fit'] = async (model, train, ...rest) => {
  train.X.take(Int32Array.of(train.X.length));
  return sound.fit(model, train, ...rest);
};
const reverses: Adapter['fit'] = async (model, train, ...rest) => {
  train.indices.reverse();
  return sound.fit(model, train, ...rest);
};
const goesOn: Adapter['fit'] = (model, train, options, hooks) =>
  sound.fit(model, train, options, { ...hooks, onEpochEnd: async (...end) => void (await hooks.onEpochEnd(...end)) });
const swallows: Adapter['fit'] = (...all) => sound.fit(...all).catch(() => ({ epochs: [] }));
const deaf: Adapter['fit'] = (model, train, { signal, ...options }, hooks) => sound.fit(model, train, options, hooks);
const learns: Adapter['predict'] = async (model, ...rest) => {
  const predictions = await sound.predict(model, ...rest);
  for (const mean of model.means.values()) mean[0] += 0.1;
  return predictions;
};
const forgets: Adapter['snapshot'] = () => ({ restore: () => undefined, release: () => undefined });
const predicts = (answer: (n: number) => Predictions): Partial<Adapter> => ({
  predict: async (_model, X) => answer(X.length),
});

const SHAPE = 'gives predictions of the right shape';
const ALONE = 'trains a fold alone as it does after another fold';
const TWICE = 'trains the same way twice from the same seed';
const ABORTED = 'stops when the signal is aborted';

describe('the adapter suite finds an adapter that', () => {
  it.each<[string, Partial<Adapter>, string[]]>([
    ['takes everything for its own', { matches: () => true }, ['knows its own models and no others']],
    ['does not know its own models', { matches: () => false }, ['knows its own models and no others']],
    ['draws without a seed', { fit: draws }, ['takes factories that are async', ALONE, TWICE]],
    ['peeks at rows beyond those it may train on', { fit: peeks }, ['reads no rows but those it was given']],
    [
      'learns while it predicts',
      { predict: learns },
      ['predicts the same when asked again', 'predicts each row by itself'],
    ],
    ['goes on when told to stop', { fit: goesOn }, ['calls the epoch hooks in order and stops when told']],
    ['swallows what a hook throws', { fit: swallows }, ['passes on what a hook throws', ABORTED]],
    ['does not listen to the signal', { fit: deaf }, [ABORTED]],
    ['restores other weights', { ...moving(), snapshot: forgets }, ['gives back the weights of a snapshot']],
    [
      'reports memory that it does not know',
      { ...moving(), memory: () => ({ tensors: 1, bytes: 0 }) },
      ['reports memory that is back after a fold'],
    ],
  ])('%s', async (_, replace, cases) => {
    expect(await found(replace)).toEqual(cases);
  });

  it.each<[string, Partial<Adapter>, string]>([
    ['gives nothing', predicts(() => ({})), SHAPE],
    ['gives too few values', predicts((n) => ({ values: new Float64Array(n - 1) })), SHAPE],
    [
      'a column too many',
      predicts((n) => ({ probabilities: { data: new Float64Array(3 * n), shape: [n, 3] } })),
      SHAPE,
    ],
    [
      'gives scores instead of probabilities',
      predicts((n) => ({ probabilities: { data: new Float64Array(n * 2).fill(3), shape: [n, 2] } })),
      SHAPE,
    ],
    ['reorders the caller’s rows', { fit: reverses }, 'changes nothing of the data'],
  ])('%s, among others', async (_, replace, expected) => {
    expect(await found(replace)).toContain(expected);
  });

  it('trains one model in all folds', async () => {
    const shared = new NearestMean();
    expect(await found({ build: async () => shared })).toContain('gives every fold a model of its own');
  });

  it('does not wait for an async factory', async () => {
    const build: Adapter['build'] = (source, ctx) =>
      typeof source === 'function' ? (source(ctx) as never) : (source as never);
    const broken: Partial<Adapter> = {
      build: (source, ctx) => ({ model: build(source, ctx) }) as never,
      fit: (holder, ...rest) => sound.fit((holder as unknown as { model: NearestMean }).model, ...rest),
      predict: (holder, ...rest) => sound.predict((holder as unknown as { model: NearestMean }).model, ...rest),
    };
    expect(await found(broken)).toEqual(['takes factories that are async']);
  });

  it('carries rows from fold to fold', async () => {
    const seen: [X: number[][], y: unknown[]] = [[], []];
    const fit: Adapter['fit'] = async (model, train, options, hooks): Promise<FitHistory> => {
      const history = await sound.fit(model, train, options, hooks);
      seen[0].push(...((await train.X.toArrays()) as number[][]));
      seen[1].push(...train.y.toArray());
      model.fit(seen[0], seen[1]);
      return history;
    };
    expect(await found({ fit })).toContain(ALONE);
  });

  it('centres the test rows before it predicts them', async () => {
    const predict: Adapter['predict'] = async (model, X, facts): Promise<Predictions> => {
      const { probabilities } = await sound.predict(model, X, facts);
      const data = Float64Array.from(probabilities?.data ?? []);
      const mean = data.reduce((sum, p) => sum + p, 0) / data.length;
      const first = data.filter((_, i) => i % 2 === 0).reduce((sum, p) => sum + p, 0) / X.length;
      return { probabilities: { data: data.map((p) => p * (mean + first / 4)), shape: [X.length, 2] } };
    };
    expect(await found({ predict })).toEqual(['predicts each row by itself']);
  });

  it('keeps what it should give back', async () => {
    const { build, memory } = library();
    expect(await found({ build }, { memory })).toEqual([
      'gives back all memory after a fold',
      'gives back all memory after an error',
    ]);
  });

  it('keeps things only when training fails', async () => {
    const { held, build, memory } = library();
    const fit: Adapter['fit'] = async (model, ...rest) => {
      held.add(new NearestMean());
      const history = await sound.fit(model, ...rest);
      held.clear();
      return history;
    };
    expect(await found({ build, fit, dispose: (model) => void held.delete(model) }, { memory })).toEqual([
      'gives back all memory after an error',
    ]);
  });

  it('does not train with the learning rate', async () => {
    let rate = 1;
    const set = (_: NearestMean, to: number) => {
      rate = to;
    };
    expect(await found({ ...moving(), learningRate: { get: () => rate, set } })).toEqual([
      'trains with the learning rate that was set',
    ]);
  });

  it('loads another model than it has saved', async () => {
    const adapter = moving();
    const load: Adapter['load'] = async (where) => {
      const model = await adapter.load(where);
      model.means.clear();
      return model;
    };
    expect(await found({ ...adapter, load }, { place: () => ({}) })).toEqual(['loads what it has saved']);
  });

  it('keeps what a factory made before it failed', async () => {
    const made = new Set<object>();
    const makeFactory = () => () => {
      const model = new NearestMean();
      made.add(model);
      return model;
    };
    const dispose: Adapter['dispose'] = (model) => void made.delete(model);
    expect(await found({ dispose }, { makeFactory, memory: () => made.size })).toEqual([
      'gives back all memory of a factory that fails',
    ]);
  });

  it('says nothing useful when its library is missing', async () => {
    const open: Adapter['open'] = async () => {
      throw new Error("Cannot find package 'near'");
    };
    expect(await found({}, { missing: { adapter: { ...sound, open }, packageName: 'near' } })).toEqual([
      'names the package that is missing',
    ]);
  });
});
