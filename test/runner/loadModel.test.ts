import { spawnSync } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { saveNetwork } from '../../adapters/tfjs/index.js';
import { CVKitError } from '../../src/core/errors.js';
import { lockMark } from '../../src/core/io.node.js';
import { sha256Of } from '../../src/core/sha256Of.js';
import { DummyClassifier } from '../../src/estimators/dummyClassifier.js';
import { LogisticRegression } from '../../src/estimators/logisticRegression.js';
import { FunctionTransformer } from '../../src/preprocessing/functionTransformer.js';
import { StandardScaler } from '../../src/preprocessing/standardScaler.js';
import { ensemble } from '../../src/runner/ensemble.js';
import type { FoldEnsemble } from '../../src/runner/foldEnsemble.js';
import type { RefittedModel } from '../../src/runner/keptModels.js';
import { loadModel } from '../../src/runner/loadModel.js';
import type { RunOptions } from '../../src/runner/runOptions.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { untypedAnswers } from '../helpers/hostileJSON.js';
import { blobs, spyAdapter } from '../helpers/nearestMean.js';
import { Climber, line, scriptedAdapter } from '../helpers/scriptedAdapter.js';
import { stopping } from '../helpers/stoppingFiles.js';
import { tf } from '../helpers/tfjsModels.js';
import { thrown } from '../helpers/thrown.js';

const { X, y } = blobs();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cvkit-'));
});
afterAll(() => rm(folder, { recursive: true }));

const run = (options: Partial<RunOptions> = {}) =>
  new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), verbose: 0 }).run({
    model: () => new LogisticRegression(),
    data: [X, y],
    preprocessing: new StandardScaler(),
    refit: true,
    ...options,
  });
const refitted = async (options: Partial<RunOptions> = {}) => (await run(options)).refitted as RefittedModel;
const network = () =>
  tf.sequential({ layers: [tf.layers.dense({ inputShape: [2], units: 1, activation: 'sigmoid' })] });
const training = { model: network, epochs: 3, optimizer: 'adam', lossFn: 'binaryCrossentropy' } as const;
const codeOf = (error: unknown) => (error instanceof CVKitError ? error.code : String(error));

/** All files of a folder with their bytes. */
async function filesIn(place: string): Promise<[path: string, bytes: Buffer][]> {
  const found: [string, Buffer][] = [];
  for (const name of await readdir(place, { recursive: true })) {
    if ((await stat(join(place, name))).isFile()) found.push([join(place, name), await readFile(join(place, name))]);
  }
  return found;
}

/** Writes `model.json` with other fields and the hash that belongs to them. */
async function seal(place: string, { sha256: _, ...saved }: Record<string, unknown>) {
  const body = `${JSON.stringify(saved, null, 2).slice(0, -2)},\n  "sha256": "`;
  await writeFile(join(place, 'model.json'), `${body}${await sha256Of(body)}"\n}\n`);
}

const reseal = async (place: string, change: (saved: Record<string, unknown>) => Record<string, unknown>) =>
  seal(place, change(JSON.parse(await readFile(join(place, 'model.json'), 'utf8'))));

describe('loadModel', () => {
  it('gives the network with its preparation and its threshold, which predicts what it did', async () => {
    const saved = await refitted({ ...training, threshold: 'youden' });
    const path = join(folder, 'final');
    await saved.save(path);
    const [index, parts] = (await readdir(path)).sort();
    expect([index, parts.replace(/[\da-f]{8}$/, '*')]).toEqual(['model.json', 'parts-*']);
    const loaded = (await loadModel(pathToFileURL(path))) as RefittedModel;
    expect(await loaded.predict(X)).toEqual(await saved.predict(X));
    const facts = (model: RefittedModel) => [model.adjustment, model.note, model.describe()];
    expect(facts(loaded)).toEqual(facts(saved));
    await loaded.dispose();
    await saved.dispose();
  });

  it('says what the model is, and gives a probability for each class', async () => {
    const records = X.map(([a, b]) => ({ a, b }));
    const labels = y.map((each) => (each === 1 ? 'ill' : 'well'));
    const place = join(folder, 'described');
    const options = { data: [records, labels], positiveLabel: 'ill', threshold: { fixed: 0.3 } } as const;
    await (await refitted({ ...options, recalibrate: 'isotonic' } as never)).save(place);
    const model = await loadModel(place);
    expect(model.describe()).toMatchObject({
      framework: 'estimator',
      fold: null,
      task: 'binary',
      classes: ['ill', 'well'],
      positiveLabel: 'ill',
      featureNames: ['a', 'b'],
      preprocessing: 'StandardScaler',
      recalibration: 'isotonic',
      threshold: 0.3,
    });
    expect(model.describe().data?.X).toMatch(/^[\da-f]{64}$/);
    const { predictions, probabilities } = await model.predict(records);
    const both = await model.predictProba(records);
    expect(both.map(([ill]) => ill)).toEqual(Array.from(probabilities ?? []));
    for (const [ill, well] of both) expect(ill + well).toBeCloseTo(1, 12);
    expect(predictions).toEqual(both.map(([ill]) => (ill >= 0.3 ? 'ill' : 'well')));
    const others = records.map(({ a, b }) => ({ b, a }));
    expect(await model.predict(others)).toEqual({ predictions, probabilities });
  });

  it('reads the models of folds, with their threshold', async () => {
    const modelPath = join(folder, 'folds/{fold}');
    const results = await run({ threshold: { fixed: 0.2 }, keepModels: 'save', modelPath });
    const one = await loadModel(results.models[1] as string);
    expect(one.describe()).toMatchObject({ fold: 'fold-1', threshold: 0.2 });
    const { test } = results.indices[1];
    const { predictions } = await one.predict(Array.from(test, (row) => X[row]));
    expect(predictions).toEqual(Array.from(results.predictions[1] as ArrayLike<number>));
    expect((await ensemble(results)).size).toBe(2);
  });

  it('refuses what is none of these', async () => {
    expect(await thrown(() => loadModel(join(folder, 'nothing')))).toMatch(/unreadable_file.*`place`/);
    expect(await thrown(() => loadModel(folder))).toMatch(/unreadable_file.*`place`/);
    expect(await thrown(() => loadModel('indexeddb://final'))).toContain('(unable)');
    expect(await thrown(() => loadModel('x', { adapters: 1 } as never))).toContain('(unknown_option)');
    const place = join(folder, 'network');
    const alone = network();
    await saveNetwork(alone, place);
    alone.dispose();
    expect(await thrown(() => loadModel(place))).toContain('loadNetwork');
  });

  it('refuses an adapter that is none, or cannot load', async () => {
    const model = await refitted();
    const place = join(folder, 'estimator');
    await model.save(place);
    expect(await thrown(() => loadModel(place, { adapter: {} as never }))).toContain('(invalid_adapter)');
    const { adapter } = spyAdapter();
    expect(await thrown(() => loadModel(place, { adapter }))).toContain('(invalid_option)');
    const unable = { ...adapter, name: 'estimator' };
    expect(await thrown(() => loadModel(place, { adapter: unable }))).toBe(
      "AdapterError (unable): A model to load must be of an adapter that can save and load models. Got one of the adapter 'estimator'.",
    );
  });

  it('runs no module that a file names, unless it is allowed', async () => {
    const module = new URL('../node/models/steps.mjs', import.meta.url);
    const place = join(folder, 'module');
    const saved = await refitted({ preprocessing: new FunctionTransformer({ module }) });
    await saved.save(place);
    expect(await thrown(() => loadModel(place))).toContain('(module_refused)');
    const loaded = await loadModel(place, { modules: 'allow' });
    expect(await loaded.predict(X)).toEqual(await saved.predict(X));
  });
});

describe('an ensemble', () => {
  const rules = { threshold: 'youden', recalibrate: 'isotonic' } as const;

  it('is saved as one folder, and predicts what it did', async () => {
    const place = join(folder, 'ensemble');
    const results = await run({ ...rules, keepModels: 'memory' });
    const [before, other] = [await ensemble(results), join(folder, 'ensemble-again')];
    await before.save(place);
    const inside = (await filesIn(place)).map(([path]) =>
      path.slice(place.length + 1).replace(/parts-[\da-f]{8}./, ''),
    );
    expect(inside.sort()).toEqual([
      '0/model.preprocessing.json',
      ...['0/model/estimator.json', '1/model.preprocessing.json', '1/model/estimator.json', 'model.json'],
    ]);
    const loaded = (await loadModel(place)) as FoldEnsemble;
    expect(await loaded.predict(X)).toEqual(await before.predict(X));
    expect(await loaded.predictProba(X)).toEqual(await before.predictProba(X));
    expect([loaded.summary(), loaded.describe(), loaded.size]).toEqual([before.summary(), before.describe(), 2]);
    const thresholds = results.foldDetails.map(({ adjustment }) => adjustment?.threshold?.threshold as number);
    expect(loaded.describe()).toMatchObject({
      ...{ threshold: (thresholds[0] + thresholds[1]) / 2, recalibration: 'isotonic', fold: null },
      preprocessing: 'StandardScaler',
    });
    await loaded.save(other);
    expect(await thrown(() => loaded.save(other))).toContain('(place_taken)');
    await loaded.dispose();
    for (const late of [() => loaded.predict(X), () => loaded.save(join(folder, 'late'))]) {
      expect(await thrown(late)).toMatch(/disposed.*before its `dispose\(\)`/);
    }
    const [part] = (await filesIn(other)).find(([path]) => path.includes('/1/')) as [string, Buffer];
    await writeFile(part, '{}');
    expect(await thrown(() => loadModel(other))).toContain('(damaged_model)');
  });

  it('is made of models that were saved before, in any process', async () => {
    const modelPath = join(folder, 'members/{fold}');
    const results = await run({ ...training, ...rules, keepModels: 'save', modelPath });
    const before = tf.memory().numTensors;
    const [direct, later] = [await ensemble(results), await ensemble(results.models as string[])];
    expect(await later.predict(X)).toEqual(await direct.predict(X));
    expect(later.summary()).toContain('Ensemble of 2 saved models');
    const place = join(folder, 'members-as-one');
    await later.save(place);
    const loaded = await loadModel(place);
    expect(await loaded.predict(X)).toEqual(await direct.predict(X));
    for (const each of [direct, later, loaded]) await each.dispose();
    expect(tf.memory().numTensors).toBe(before);
  });

  it('refuses models of other inputs, also where they were saved as one', async () => {
    const places = ['an-input', 'two-inputs', 'mixed'].map((name) => join(folder, name));
    const [one, two, mixed] = places;
    const saved = await refitted();
    for (const place of [one, two]) await saved.save(place);
    const sha256 = await sha256Of('rows');
    const data = { 'X.image': sha256, 'X.table': sha256, y: sha256 };
    const named = (saved: object) => ({ ...saved, run: 'another', data });
    await reseal(two, named);
    expect(await thrown(() => ensemble([one, two]))).toMatch(/mixed_models.*inputs/);
    const results = await run({ keepModels: 'memory' });
    await (await ensemble(results)).save(mixed);
    const second = ({ members, ...about }: Record<string, unknown>) => {
      const [first, other] = members as object[];
      return { ...about, members: [first, named(other)] };
    };
    await reseal(mixed, second);
    expect(await thrown(() => loadModel(mixed))).toMatch(/mixed_models.*inputs/);
  });

  it('refuses models that do not belong together', async () => {
    const [one, three] = [join(folder, 'two-classes'), join(folder, 'three-classes')];
    await (await refitted()).save(one);
    await (await refitted({ data: [X, y.map((_, row) => row % 3)] })).save(three);
    expect(await thrown(() => ensemble([one, three]))).toMatch(/mixed_models.*classes/);
    expect(await thrown(() => ensemble([one, one]))).toMatch(/mixed_models.*different/);
    expect(await thrown(() => ensemble([]))).toContain('(no_models)');
    const results = await run({ keepModels: 'memory' });
    expect(await thrown(() => ensemble(results, { modules: 'allow' }))).toContain('(idle_option)');
  });

  it('votes with saved models that cut their probabilities elsewhere', async () => {
    class Own extends LogisticRegression {
      override predict(rows: never) {
        return this.predictProba(rows).map(([, p]) => (p > 0.1 ? 1 : 0)) as never;
      }
    }
    const modelPath = join(folder, 'own/{fold}');
    const results = await run({ model: () => new Own(), keepModels: 'save', modelPath, preprocessing: undefined });
    const fromJSON = (json: unknown) =>
      Object.assign(Object.create(Own.prototype), LogisticRegression.fromJSON(json as never));
    const options = { adapterOptions: { fromJSON } };
    expect(await thrown(() => ensemble(results.models as string[], options))).toContain('(own_labels)');
  });
});

describe('a Blob', () => {
  const withBytes = (bytes: Uint8Array<ArrayBuffer>) => new Blob([bytes]);

  it('holds the model that a folder holds, and the ensemble', async () => {
    const saved = await refitted({ ...training, threshold: 'youden', recalibrate: 'isotonic' });
    const before = tf.memory().numTensors;
    const loaded = await loadModel(await saved.toBlob());
    expect(await loaded.predict(X)).toEqual(await saved.predict(X));
    expect(loaded.describe()).toEqual(saved.describe());
    await loaded.dispose();
    expect(tf.memory().numTensors).toBe(before);
    const together = await ensemble(await run({ keepModels: 'memory' }));
    const blob = await together.toBlob();
    expect(await (await loadModel(blob)).predict(X)).toEqual(await together.predict(X));
    const members = await Promise.all(
      [1, 10].map(async (C) => (await refitted({ model: () => new LogisticRegression({ C }) })).toBlob()),
    );
    expect((await ensemble(members)).size).toBe(2);
  });

  it('is refused with any byte changed, left out or added', async () => {
    const blob = await (await refitted({ threshold: 'youden', model: () => new DummyClassifier() })).toBlob();
    const bytes = new Uint8Array(await blob.arrayBuffer());
    const codes = new Set<string>();
    for (let at = 0; at < bytes.length; at += 7) {
      const changed = bytes.slice();
      changed[at] ^= 1 << (at % 8);
      codes.add(await loadModel(withBytes(changed)).then(() => `loaded ${at}`, codeOf));
    }
    for (const length of [0, 5, 30, bytes.length - 1])
      codes.add(await loadModel(withBytes(bytes.slice(0, length))).then(() => 'loaded', codeOf));
    codes.add(await loadModel(new Blob([bytes, 'x'])).then(() => 'loaded', codeOf));
    expect([...codes]).toEqual(['damaged_model']);
    expect(await loadModel(withBytes(bytes)).then(() => 'loaded')).toBe('loaded');
  });

  it('is not for adapters that write to paths alone, and a page is not for Node', async () => {
    const { adapter } = scriptedAdapter();
    const paths = { ...adapter, capabilities: { ...adapter.capabilities, saves: true } };
    const results = new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), adapter: paths, verbose: 0 }).run({
      model: () => new Climber(),
      data: [line.X, line.y],
      task: 'regression',
      refit: true,
    });
    expect(await thrown(async () => (await results).refitted?.toBlob())).toMatch(/\(unable\).*savesToMemory/);
    const one = await refitted();
    expect(await thrown(() => one.save('indexeddb://final'))).toMatch(/\(unable\).*IndexedDB/);
    expect(await thrown(() => one.save('https://example.org/final'))).toContain('(unable)');
  });
});

describe('a model that is saved', () => {
  it('is not written over unless the caller says so', async () => {
    const place = join(folder, 'taken');
    const [a, b] = [await refitted(), await refitted({ threshold: { fixed: 0.01 } })];
    await a.save(place);
    expect(await thrown(() => b.save(place))).toContain('(place_taken)');
    expect(await (await loadModel(place)).predict(X)).toEqual(await a.predict(X));
    await b.save(place, { overwrite: true });
    expect(await (await loadModel(place)).predict(X)).toEqual(await b.predict(X));
    expect(await readdir(place)).toHaveLength(2);
    const modelPath = join(folder, 'taken-{fold}');
    const saving = { keepModels: 'save', modelPath } as const;
    const first = await run(saving);
    const model = vi.fn(() => new LogisticRegression({ C: 0.1 }));
    expect(await thrown(() => run({ ...saving, model }))).toContain('(place_taken)');
    expect(model.mock.calls.length).toBeLessThan(2); // no fold was trained
    await run({ ...saving, model, overwrite: true });
    const old = await ensemble(first);
    expect(await thrown(() => old.predict(X))).toContain('(other_run)');
  });

  it('is that of one run where two save to one place at once', async () => {
    const modelPath = join(folder, 'at-once/{fold}');
    const saving = (C: number) => run({ model: () => new LogisticRegression({ C }), keepModels: 'save', modelPath });
    const both = await Promise.allSettled([saving(1), saving(1e-4)]);
    const wanted = await Promise.all(
      [1, 1e-4].map(async (C) => {
        const kept = await run({ model: () => new LogisticRegression({ C }), keepModels: 'memory' });
        return (await ensemble(kept)).predict(X);
      }),
    );
    for (const [at, each] of both.entries()) {
      if (each.status === 'rejected') expect(codeOf(each.reason)).toBe('place_taken');
      else expect(await (await ensemble(each.value)).predict(X)).toEqual(wanted[at]);
    }
    expect(both.some(({ status }) => status === 'rejected')).toBe(true);
  });

  it('is saved to a place alone', async () => {
    for (const place of ['', ' ']) {
      expect(await thrown(() => loadModel(place))).toContain('(invalid_place)');
      expect(await thrown(async () => (await refitted()).save(place))).toContain('(invalid_place)');
    }
  });

  it('takes away what killed saves left, when it is replaced; not what a live save is at, nor files of others', async () => {
    const place = join(folder, 'left');
    const model = await refitted();
    await model.save(place);
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    const [machine] = lockMark().split('\n');
    const left = ['parts-0000000a/model', 'model.json.0000000b.tmp', 'weights-0000000c.bin'];
    // A date has eight digits, too.
    const others = ['notes.txt', 'parts-20240131', 'weights-20240131.bin', 'model.json.tmp'];
    const parts = ['parts-0000000a', 'weights-0000000c.bin'].join('\n');
    for (const name of [...left, ...others]) {
      await mkdir(dirname(join(place, name)), { recursive: true });
      await writeFile(join(place, name), 'x');
    }
    await writeFile(join(place, '0000000d.saving'), `${machine}\n${process.pid}\n${parts}`);
    await model.save(place, { overwrite: true });
    expect(await readdir(place)).toEqual(expect.arrayContaining(['parts-0000000a', '0000000d.saving', ...others]));
    await writeFile(join(place, '0000000d.saving'), `${machine}\n${pid}\n${parts}`);
    await model.save(place, { overwrite: true });
    const names = await readdir(place);
    expect(names.filter((name) => !others.includes(name)).map((name) => name.replace(/-.*/, ''))).toEqual([
      'model.json',
      'parts',
    ]);
    expect(names).toEqual(expect.arrayContaining(others));
    await loadModel(place);
  });

  it.each(['kill', 'full'] as const)('is the old or the new one, whole, wherever a save stops: %s', async (how) => {
    const [a, b] = [await refitted(), await refitted({ threshold: { fixed: 0.01 } })];
    const [ofA, ofB] = [await a.predict(X), await b.predict(X)];
    const first = join(folder, `${how}-first`);
    await a.save(first);
    const seen = new Set<string>();
    let steps = 0;
    for (let error: unknown = true; error !== undefined; steps++) {
      const place = join(folder, `${how}-${steps}`);
      await cp(first, place, { recursive: true });
      error = await stopping(steps, how, () => b.save(place, { overwrite: true }));
      if (error !== undefined) expect(codeOf(error)).toBe('unwritable_place');
      const found = await (await loadModel(place)).predict(X);
      const which = found.predictions.toString() === ofA.predictions.toString() ? 'a' : 'b';
      expect(found).toEqual(which === 'a' ? ofA : ofB);
      if (how === 'full' && error !== undefined) expect([which, (await readdir(place)).length]).toEqual(['a', 2]);
      seen.add(which);
      // What was left behind is in nobody's way.
      await b.save(place, { overwrite: true });
      expect(await (await loadModel(place)).predict(X)).toEqual(ofB);
      // A new place holds the whole model or none.
      const fresh = join(folder, `${how}-new-${steps}`);
      await stopping(steps, how, () => b.save(fresh));
      const code = await loadModel(fresh).then(() => 'whole', codeOf);
      expect(['whole', 'unreadable_file']).toContain(code);
    }
    expect([[...seen], steps > 8]).toEqual([['a', 'b'], true]);
  });

  it('is refused with any byte changed, wherever it stands', { tags: 'slow' }, async () => {
    const place = join(folder, 'flipped');
    await (await refitted({ threshold: 'youden', model: () => new DummyClassifier() })).save(place);
    const all = await filesIn(place);
    expect(all.length).toBe(3);
    const loadedWith: string[] = [];
    for (const [path, bytes] of all) {
      for (let at = 0; at < bytes.length; at++) {
        const changed = new Uint8Array(bytes);
        changed[at] ^= 1 << (at % 8);
        await writeFile(path, changed);
        const code = await loadModel(place).then(() => 'loaded', codeOf);
        if (code !== 'damaged_model') loadedWith.push(`${path} ${at}: ${code}`);
      }
      await writeFile(path, bytes);
    }
    expect(loadedWith).toEqual([]);
    expect(((await loadModel(place)) as RefittedModel).adjustment).not.toBeNull();
  });

  it('is refused with a field that is misspelt, missing or of another kind, whatever its hash says', async () => {
    const place = join(folder, 'misspelt');
    await (await refitted({ threshold: 'youden' })).save(place);
    const changed = async (change: (threshold: Record<string, unknown>, saved: Record<string, unknown>) => void) => {
      const other = join(folder, 'misspelt-copy');
      await rm(other, { recursive: true, force: true });
      await cp(place, other, { recursive: true });
      await reseal(other, (saved) => {
        change((saved.adjustment as Record<string, Record<string, unknown>>).threshold, saved);
        return saved;
      });
      return thrown(() => loadModel(other));
    };
    expect(await changed(() => undefined)).toBe('nothing thrown');
    const misspelt = ({ threshold }: Record<string, unknown>) => ({ thresh0ld: threshold, threshold: undefined });
    expect(await changed((threshold) => Object.assign(threshold, misspelt(threshold)))).toContain(
      'adjustment.threshold.thresh0ld',
    );
    for (const value of [30.5, -0.1, null, '0.5']) {
      expect(await changed((threshold) => Object.assign(threshold, { threshold: value }))).toContain('(other_json)');
    }
    expect(await changed((_, saved) => Object.assign(saved, { positive: 7 }))).toContain('(damaged_model)');
    expect(await changed((_, saved) => Object.assign(saved, { folder: '..' }))).toContain('(other_json)');
  });

  it('answers hostile JSON with one sentence', async () => {
    const place = join(folder, 'hostile');
    await (await refitted({ threshold: 'youden' })).save(place);
    const saved = JSON.parse(await readFile(join(place, 'model.json'), 'utf8'));
    const use = async (each: unknown) => {
      const isObject = typeof each === 'object' && each !== null && !Array.isArray(each) && 'format' in each;
      await seal(place, isObject ? (each as Record<string, unknown>) : { format: each });
      return (await loadModel(place)).predict(X);
    };
    expect(await untypedAnswers(saved, use, 50)).toEqual([]);
  });

  it('leaves no tensor where it cannot be loaded', async () => {
    const place = join(folder, 'tensors');
    const saved = await refitted(training);
    await saved.save(place);
    await saved.dispose();
    const [path] = (await filesIn(place)).find(([name]) => /model[/\\]model\.json$/.test(name)) as [string, Buffer];
    const json = JSON.parse(await readFile(path, 'utf8'));
    json.weightsManifest[0].weights[1].name = 'another/bias';
    await writeFile(path, JSON.stringify(json));
    const bytes = await readFile(path);
    const sha256 = await sha256Of(bytes);
    await reseal(place, ({ parts, ...rest }) => ({
      ...rest,
      parts: (parts as { path: string }[]).map((part) =>
        part.path === 'model/model.json' ? { ...part, bytes: bytes.length, sha256 } : part,
      ),
    }));
    const before = tf.memory().numTensors;
    expect(await thrown(() => loadModel(place))).toContain('(unreadable_model)');
    expect(tf.memory().numTensors).toBe(before);
  });
});
