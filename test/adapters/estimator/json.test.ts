import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RandomForestClassifier } from 'ml-random-forest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { estimatorAdapter } from '../../../adapters/estimator/index.js';
import { DummyClassifier } from '../../../src/estimators/dummyClassifier.js';
import { DummyRegressor } from '../../../src/estimators/dummyRegressor.js';
import { LogisticRegression } from '../../../src/estimators/logisticRegression.js';
import { StandardScaler } from '../../../src/preprocessing/standardScaler.js';
import { ensemble } from '../../../src/runner/ensemble.js';
import type { RefittedModel } from '../../../src/runner/keptModels.js';
import { loadModel } from '../../../src/runner/loadModel.js';
import type { RunOptions } from '../../../src/runner/runOptions.js';
import { UniversalCVRunner } from '../../../src/runner/universalCVRunner.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { blobs } from '../../helpers/nearestMean.js';
import { thrown } from '../../helpers/thrown.js';

const { X, y } = blobs();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cvkit-'));
});
afterAll(() => rm(folder, { recursive: true }));

const run = (model: () => object, options: Partial<RunOptions> = {}) =>
  new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), verbose: 0 }).run({
    model,
    data: [X, y],
    preprocessing: new StandardScaler(),
    refit: true,
    ...options,
  });
const forest = () => new RandomForestClassifier({ nEstimators: 4, seed: 3, noOOB: true });
const fromJSON = (json: unknown) => RandomForestClassifier.load(json as never);

describe('estimators that are saved', () => {
  it.each<[string, () => object, Partial<RunOptions>]>([
    ['a logistic regression with its threshold', () => new LogisticRegression(), { threshold: 'youden' }],
    ['one of three classes', () => new LogisticRegression(), { data: [X, y.map((_, row) => 'abc'[row % 3])] }],
    ['a dummy', () => new DummyClassifier(), {}],
    ['a dummy that draws', () => new DummyClassifier({ strategy: 'stratified', randomState: 4 }), {}],
    ['a dummy of numbers', () => new DummyRegressor({ strategy: 'median' }), { data: [X, X.map(([a]) => a / 3)] }],
    ['a model without preparation', () => new LogisticRegression(), { preprocessing: undefined }],
  ])('come back with their preparation as one: %s', async (name, model, options) => {
    const { refitted } = await run(model, options);
    const path = join(folder, name.replaceAll(' ', '-'));
    await refitted?.save(path);
    expect((await readdir(path, { recursive: true })).some((each) => each.endsWith('estimator.json'))).toBe(true);
    const loaded = (await loadModel(path)) as RefittedModel;
    expect(await loaded.predict(X)).toEqual(await refitted?.predict(X));
    expect([loaded.note, loaded.adjustment]).toEqual([refitted?.note, refitted?.adjustment]);
    expect(loaded.preprocessing === null).toBe('preprocessing' in options);
    expect(loaded.model).toBeInstanceOf(model().constructor);
  });

  it('of another library come back by a function of the caller', async () => {
    const { refitted } = await run(forest);
    const path = join(folder, 'forest');
    await refitted?.save(path);
    const loaded = await loadModel(path, { adapterOptions: { fromJSON } });
    expect(await loaded.predict(X)).toEqual(await refitted?.predict(X));
    const failing = { adapterOptions: { fromJSON: () => JSON.parse('{') } };
    expect(await thrown(() => loadModel(path, failing))).toContain(
      '(load_failed): `fromJSON` must make the saved RandomForestClassifier. It threw',
    );
    expect(await thrown(() => loadModel(path, { adapterOptions: { json: fromJSON } }))).toContain('unknown_option');
  });

  it('are saved by fold, too, and predict together', async () => {
    const modelPath = join(folder, '{fold}');
    const results = await run(() => new LogisticRegression(), { keepModels: 'save', modelPath });
    const inMemory = await run(() => new LogisticRegression(), { keepModels: 'memory' });
    const [saved, held] = [await ensemble(results), await ensemble(inMemory)];
    expect(await saved.predict(X)).toEqual(await held.predict(X));
  });

  it('keep numbers that JSON does not know, and name files that are others', async () => {
    class Limits {
      limits = [Number.NaN, Infinity, -Infinity];
      fit() {
        return this;
      }
      predict = (rows: unknown[]) => rows.map((_, at) => at % 2);
      toJSON() {
        return { limits: this.limits };
      }
    }
    const path = join(folder, 'limits');
    await (await run(() => new Limits())).refitted?.save(path);
    const read = (json: unknown) => Object.assign(new Limits(), json);
    const loaded = (await loadModel(path, { adapterOptions: { fromJSON: read } })) as RefittedModel;
    expect((loaded.model as Limits).limits).toEqual([Number.NaN, Infinity, -Infinity]);
    for (const text of ['{"model":1}', '{', '{"cvkit":"1","class":{"length":1e9},"model":1,"seed":0}']) {
      await writeFile(join(folder, 'estimator.json'), text);
      expect(await thrown(() => estimatorAdapter.load?.(folder))).toContain('(other_json)');
    }
  });
});
