import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { RunOptions } from '../../src/index.js';
import { Climber, scriptedAdapter } from '../helpers/scriptedAdapter.js';
import { DIST, needDist } from '../meta/dist.js';
import { breakOff, countedRuns, model, patients, thrownBy, X, y } from './countedRuns.js';

let cvkit: typeof import('../../src/index.js');
let tuning: typeof import('../../src/tuning/index.js');
let stats: typeof import('../../src/stats/index.js');
const NODE = pathToFileURL(join(DIST, 'node', 'index.js')).href;

beforeAll(async () => {
  needDist();
  cvkit = await import(/* @vite-ignore */ NODE);
  stats = await import(/* @vite-ignore */ pathToFileURL(join(DIST, 'node', 'stats.js')).href);
  tuning = await import(/* @vite-ignore */ pathToFileURL(join(DIST, 'node', 'tuning.js')).href);
});

let place: string;
const { fits } = countedRuns((each) => {
  place = each;
});

const modelFn = new URL('./models/tuned.mjs', import.meta.url);

/** A directory that has nothing but the salt of pseudonyms of `place`. */
async function undisturbed(of = '.') {
  const other = `${place}-undisturbed`;
  await mkdir(join(other, of, 'private'), { recursive: true });
  for (const name of ['run.json', 'private/salt']) await cp(join(place, of, name), join(other, of, name));
  return other;
}
const resultIn = (of: string) => readFile(join(of, 'result.json'), 'utf8');
const grouped = () => new cvkit.GroupKFold({ nSplits: 3, shuffle: true, randomState: 1 });

describe('a search with a run directory', () => {
  const options = {
    paramGrid: { shrink: { low: 0, high: 1 }, kind: ['a', 'b'] },
    ...{ nTrials: 6, sampler: 'tpe', pruner: 'median', innerCv: 3, scoring: 'neg_log_loss' },
  };
  const tune = (more: object = {}) =>
    new cvkit.UniversalCVRunner({ cvSplitter: grouped(), verbose: 0 }).runWithHyperparameterTuning({
      ...{ modelFn, data: [X, y, patients], runDirectory: place, ...options, scoring: 'brier', ...more },
    } as never);

  it('that is killed goes on to the same parameters, trials and bytes of the result', async () => {
    const inProcess = async (runDirectory: string, env = {}) => {
      const program = `
        const { UniversalCVRunner, GroupKFold } = await import(${JSON.stringify(NODE)});
        const { X, y, patients, modelFn, ...rest } = ${JSON.stringify({ X, y, patients, modelFn, ...options, scoring: 'brier', runDirectory })};
        const cvSplitter = new GroupKFold({ nSplits: 3, shuffle: true, randomState: 1 });
        await new UniversalCVRunner({ cvSplitter, verbose: 0 })
          .runWithHyperparameterTuning({ modelFn, data: [X, y, patients], ...rest });`;
      const how = { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit'] as const };
      return once(spawn(process.execPath, ['--input-type=module', '-e', program], how as object), 'exit');
    };
    expect(await inProcess(place, { BREAKS_AFTER: '25', KILLED: '1' })).toEqual([null, 'SIGKILL']);
    expect(await inProcess(place)).toEqual([0, null]);
    const afterAll = await fits();
    const other = await undisturbed();
    expect(await inProcess(other)).toEqual([0, null]);
    expect(await resultIn(place)).toBe(await resultIn(other));
    // Nothing that is kept was trained again.
    expect(await fits()).toBe(2 * afterAll);
    const { bestParams, trials } = JSON.parse(await resultIn(place));
    expect(Object.keys(bestParams)).toEqual(['shrink', 'kind']);
    expect(Object.values(trials).map((each) => (each as unknown[]).length)).toEqual([6, 6, 6, 6]);
    expect(await readFile(join(place, 'trials.log'), 'utf8')).toContain('tuning/all-rows');
  });

  it('gives what it gives without one, and trains nothing again, also to correct the best score', async () => {
    for (const outer of [true, false]) {
      const of = { outer, runDirectory: `${place}-${outer}` };
      const [first, again, without] = [await tune(of), await tune(of), await tune({ ...of, runDirectory: undefined })];
      expect(again.modelsTrained).toBe(first.modelsTrained);
      const plain = ({ search: _, ...rest }: ReturnType<typeof first.toJSON>) => {
        const { trials, bestParams, correctedBest, outerEstimate, perFoldParams } = rest;
        return { trials, bestParams, correctedBest, outerEstimate, perFoldParams };
      };
      expect(plain(again.toJSON())).toEqual(plain(first.toJSON()));
      expect(plain(without.toJSON())).toEqual(plain(first.toJSON()));
      expect(again.warnings).toEqual(first.warnings);
    }
  });

  it('knows of trials that failed and were pruned what it knew before', async () => {
    const pruner = new tuning.MedianPruner({ nStartupTrials: 1 });
    const call = { paramGrid: { shrink: [0.9, 0, 0.1, 0.5, 0.7, 1] }, sampler: 'grid', outer: false, pruner };
    await breakOff(() => tune(call), 7);
    const again = await tune(call);
    const other = await undisturbed();
    await tune({ ...call, runDirectory: other });
    expect(await resultIn(place)).toBe(await resultIn(other));
    expect(again.study.trials[0].state).toBe('failed');
    expect(again.study.trials.map(({ state }) => state)).toContain('pruned');
  });

  it('tells the pruner of the epochs of folds that are kept', async () => {
    let trained = 0;
    const { adapter } = scriptedAdapter();
    const fit = (...args: Parameters<typeof adapter.fit>) => {
      trained++;
      return adapter.fit(...args);
    };
    const call = (runDirectory: string) =>
      new cvkit.UniversalCVRunner({ cvSplitter: grouped(), verbose: 0 }).runWithHyperparameterTuning({
        modelFn: ({ rate }: { rate: number }) => Object.assign(new Climber(), { rate }),
        paramGrid: { rate: [1, 0.9, 0.8, 0.7, 0.6, 0.5, 0.1, 0.05] },
        ...{ nTrials: 8, data: [X, y.map((label) => 4 + label / 100), patients], task: 'regression', scoring: 'rmse' },
        ...{ adapter: { ...adapter, fit }, epochs: 4, outer: false, pruner: 'median' },
        ...{ runDirectory, resumeKey: 'climbers' },
      } as never);
    const first = await call(place);
    const models = trained;
    const again = await call(place);
    expect(trained).toBe(models);
    expect(again.study.trials.map(({ state }) => state)).toContain('pruned');
    expect(again.toJSON().trials).toEqual(first.toJSON().trials);
    const steps = again.study.trials.map(({ intermediateValues }) => [...intermediateValues.keys()]);
    expect([steps[0], steps[7]]).toEqual([[1, 2, 3, 4, 8, 12], [1]]);
  });
});

describe('a comparison of models with a run directory', () => {
  const compare = (models: object = {}, more: object = {}) =>
    stats.compareModels({
      models: { 'A model': model, b: modelFn, ...models },
      ...{ X, y, groups: patients, cv: grouped(), runDirectory: place, ...more },
    } as never) as unknown as ReturnType<typeof stats.compareModels> & Promise<never>;

  it('has a run directory of each model, and trains none again for another row', async () => {
    await compare();
    expect(await fits()).toBe(6);
    const folders = (await readdir(place)).sort();
    expect(folders).toEqual([expect.stringMatching(/^A_model\.[\da-f]{8}$/), 'b', 'result.json', 'run.json']);
    for (const each of folders.slice(0, 2)) {
      expect(await readdir(join(place, each))).toEqual(expect.arrayContaining(['folds', 'result.json', 'run.json']));
    }
    if (process.platform !== 'win32') expect((await stat(place)).mode & 0o777).toBe(0o700);
    const [first, ofB] = [await resultIn(place), await resultIn(join(place, 'b'))];
    await compare();
    expect(await resultIn(place)).toBe(first);
    expect(await resultIn(join(place, 'b'))).toBe(ofB);
    expect(ofB).not.toContain('patient-');
    await compare({ c: model });
    expect(await fits()).toBe(9);
  });

  it('goes on where it broke off', async () => {
    // The first model is whole, of the second one fold.
    const call = () => compare({}, { onFoldError: 'throw' });
    process.env.BREAKS_AFTER = '4';
    const { rows } = (await call()) as { rows: { reason?: string }[] };
    expect(rows[1].reason).toContain('broken off');
    delete process.env.BREAKS_AFTER;
    await call();
    expect(await fits()).toBe(6);
  });

  it('ends with Ctrl-C, and goes on with the next call', async () => {
    let presses = 1;
    const callbacks = [{ onFoldEnd: () => void (presses-- > 0 && process.emit('SIGINT')) }];
    const { write } = process.stderr;
    process.stderr.write = () => true;
    const error = await thrownBy(() => compare({}, { callbacks, resumeKey: 'the same' }));
    process.stderr.write = write;
    expect(error).toMatchObject({ name: 'AbortError', message: expect.stringContaining('the same call goes on') });
    expect(process.listenerCount('SIGINT')).toBe(0);
    expect(await fits()).toBeLessThan(3);
    await compare({}, { callbacks, resumeKey: 'the same' });
    expect(await fits()).toBe(6);
  });

  it('refuses a model in no module, the folder of a single run, and a run in its own folder', async () => {
    expect(await thrownBy(() => compare({ c: () => ({}) }))).toMatchObject({ code: 'unnamed_function' });
    const run = (runDirectory: string) =>
      new cvkit.UniversalCVRunner({ cvSplitter: grouped(), verbose: 0 }).run({
        ...{ model, data: [X, y, patients], runDirectory },
      } as RunOptions);
    expect(await thrownBy(() => run(place))).toMatchObject({ code: 'no_run_directory' });
    await run(`${place}-single`);
    expect(await thrownBy(() => compare({}, { runDirectory: `${place}-single` }))).toMatchObject({
      code: 'no_run_directory',
    });
  });
});

describe('functions that run often, with a run directory', () => {
  const data = { X, y, groups: patients };
  // One label for each patient.
  const ofPatients = { X, y: patients.map((_, row) => (((row % 60) * 7) % 3 > 0 ? 1 : 0)), groups: patients };
  const common = () => ({ model, cv: grouped(), runDirectory: place });
  const calls: [string, (more?: object) => Promise<object>, number][] = [
    [
      'permutationTest',
      (more) => stats.permutationTest({ ...common(), ...data, scheme: 'within', nPermutations: 19, ...more } as never),
      60,
    ],
    [
      'labelPermutationGap',
      (more) => stats.labelPermutationGap({ ...common(), ...ofPatients, nPermutations: 19, ...more } as never),
      60,
    ],
    [
      'identityConfounding',
      (more) => stats.identityConfounding({ ...common(), ...ofPatients, nPermutations: 19, ...more } as never),
      60,
    ],
    ['learningCurve', (more) => stats.learningCurve({ ...common(), ...data, sizes: [0.3, 0.6], ...more } as never), 9],
    [
      'leakageInflation',
      (more) => stats.leakageInflation({ model, data: [X, y, patients], runDirectory: place, ...more } as never),
      10,
    ],
  ];

  it.each(calls)('%s goes on where it broke off, to the same numbers', async (name, call, models) => {
    await breakOff(call, Math.floor(0.7 * models));
    const text = JSON.stringify(await call());
    expect(await fits()).toBe(models);
    const first = await resultIn(place);
    expect(first).toContain('cvkit-result-1');
    expect(first).not.toContain('patient-');
    expect(JSON.stringify(await call())).toBe(text);
    expect(await fits()).toBe(models);
    expect(await resultIn(place)).toBe(first);
    expect(JSON.stringify(await call({ runDirectory: undefined }))).toBe(text);
    const other = await thrownBy(() => call({ epochs: 3 }));
    expect(other.message).toContain(`\`${name}.epochs\` 3, before left out`);
  });

  it('refuse a seed that is drawn', async () => {
    for (const [, call] of calls) {
      expect((await thrownBy(() => call({ randomState: null }))).message).toContain('since a seed that is drawn');
    }
  });
});

describe('the run directory of other calls', () => {
  const run = (options: object = {}, runDirectory = place) =>
    new cvkit.UniversalCVRunner({ cvSplitter: grouped(), verbose: 0 }).run({
      ...{ model, data: [X, y, patients], runDirectory, ...options },
    } as RunOptions);

  it('keeps the one fold of fitValidate', async () => {
    const call = () =>
      new cvkit.CVKitValidator().fitValidate({
        ...{ model, XTrain: X.slice(0, 100), yTrain: y.slice(0, 100), XTest: X.slice(100), yTest: y.slice(100) },
        ...{ runDirectory: place, verbose: 0 },
      } as never);
    const first = await call();
    const before = await resultIn(place);
    const again = await call();
    expect(await fits()).toBe(1);
    expect(again.estimates).toEqual(first.estimates);
    expect(await resultIn(place)).toBe(before);
  });

  it('is none of evaluate, which trains nothing', async () => {
    const error = await thrownBy(() => cvkit.evaluate({ yTrue: y, yPred: y, runDirectory: place } as never));
    expect(error.message).toMatch(/runDirectory.*evaluate|evaluate.*runDirectory/);
  });

  it('is not that of a run inside one of its folds, which may have its own', async () => {
    const inner = `${place}-inner`;
    for (const options of [{ runDirectory: undefined }, { runDirectory: inner }]) {
      const callback = { onFoldEnd: async () => void (await run({ ...options, callbacks: [] })) };
      await run({ callbacks: [callback], resumeKey: 'the same' }, `${place}-${String(options.runDirectory === inner)}`);
    }
    expect(await fits()).toBe(3 + 9 + 3 + 3);
    expect(await readdir(join(`${place}-false`, 'folds'))).toHaveLength(3);
    expect(await readdir(join(inner, 'folds'))).toHaveLength(3);
    const own = { onFoldEnd: async () => void (await run({ callbacks: [] })) };
    expect(await thrownBy(() => run({ callbacks: [own], resumeKey: 'the same' }))).toHaveProperty(
      'message',
      expect.stringContaining('It is a run of this process: name another folder.'),
    );
  });

  it('has no model in memory: that of all rows is trained again', async () => {
    const first = await run({ refit: true });
    const again = await run({ refit: true });
    expect(await fits()).toBe(3 + 1 + 1);
    expect(await again.refitted?.predict(X)).toEqual(await first.refitted?.predict(X));
  });

  it('holds saved models also where the folds were kept without', async () => {
    const { LogisticRegression } = await import(
      /* @vite-ignore */ pathToFileURL(join(DIST, 'node', 'estimators.js')).href
    );
    const call = { model: new LogisticRegression() };
    await run(call);
    const saved = await run({ ...call, keepModels: 'save' });
    for (const each of saved.models) expect((await cvkit.loadModel(each as string)).describe()).toBeDefined();
    const again = await run({ ...call, keepModels: 'save' });
    const [first, second] = [await cvkit.ensemble(saved), await cvkit.ensemble(again)];
    expect(await second.predict(X)).toEqual(await first.predict(X));
  });
});
