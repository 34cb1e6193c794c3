import { mkdir, mkdtemp, readdir, rm, rmdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { StandardScaler } from '../../src/preprocessing/standardScaler.js';
import { ensemble } from '../../src/runner/ensemble.js';
import type { RunOptions } from '../../src/runner/runOptions.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { blobs, NearestMean, probabilistic, spyAdapter } from '../helpers/nearestMean.js';
import { thrown } from '../helpers/thrown.js';

const { X, y } = blobs();

const run = (options: Partial<RunOptions> = {}, runner = {}) =>
  new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 4 }), verbose: 0, ...runner }).run({
    model: () => new NearestMean(),
    data: [X, y],
    metrics: ['accuracy'],
    refit: true,
    ...options,
  });

describe('refitted', () => {
  it('is a model of all rows, in no number of the folds', async () => {
    const [plain, refit] = [await run({ refit: false }), await run()];
    expect(await (await refit.refitted?.predict(X))?.predictions).toEqual(new NearestMean().fit(X, y).predict(X));
    expect([plain.refitted, refit.apparent]).toEqual([null, null]);
    expect(refit.scores).toEqual(plain.scores);
    expect(refit.refitted?.preprocessing).toBeNull();
    expect(refit.metadata.modelsTrained).toBe(plain.metadata.modelsTrained + 1);
    expect(refit.refitted?.note).toMatch(/all 40 rows.* 30\./);
  });

  it('prepares rows as its own fit did', async () => {
    const { refitted } = await run({ preprocessing: new StandardScaler() });
    const scaled = await new StandardScaler().fitTransform(X);
    expect((await refitted?.predict(X))?.predictions).toEqual(new NearestMean().fit(scaled, y).predict(scaled));
    expect(refitted?.preprocessing).toMatchObject({ mean: { length: 2 } });
    expect(refitted?.model).toBeInstanceOf(NearestMean);
  });

  it('cuts at the threshold that is fitted on inner folds of all rows', async () => {
    const { refitted } = await run({ model: probabilistic, preprocessing: new StandardScaler(), threshold: 'youden' });
    const threshold = refitted?.adjustment?.threshold?.threshold as number;
    const { predictions, probabilities } = (await refitted?.predict(X)) ?? {};
    expect(predictions).toEqual(Array.from(probabilities ?? [], (p) => (p >= threshold ? 1 : 0)));
    expect(refitted?.adjustment?.from).toBe('inner folds');
  });

  it('is there after `validate`, and where the model is asked for what it gives on these rows', async () => {
    const validator = new CVKitValidator({ nSplits: 3, checkLeakage: false, checkBalance: false });
    const result = await validator.validate({ model: probabilistic, X, y, refit: true, apparent: true, verbose: 0 });
    expect((await result.refitted?.predict(X))?.predictions).toHaveLength(40);
    expect(result.apparentScores).not.toBeNull();
  });

  it('is freed by its owner alone', async () => {
    const { adapter, spy } = spyAdapter();
    const { refitted } = await run({}, { adapter });
    expect(spy.built - spy.disposed).toBe(1);
    await refitted?.dispose();
    expect(spy.built - spy.disposed).toBe(0);
  });

  it('cannot be saved where models cannot, and leaves nothing there', async () => {
    const { refitted } = await run();
    const folder = await mkdtemp(join(tmpdir(), 'cvkit-refused-'));
    for (const place of ['somewhere', 'some/where/else', 'some/where/']) {
      expect(await thrown(() => refitted?.save(`${folder}/${place}`))).toMatch(/unable.*`toJSON`/);
      expect(await readdir(folder)).toEqual([]);
      await mkdir(`${folder}/some`);
      expect(await thrown(() => refitted?.save(`${folder}/${place}`))).toMatch(/unable.*`toJSON`/);
      expect(await readdir(folder, { recursive: true })).toEqual(['some']);
      await rmdir(`${folder}/some`);
    }
    const saving = { refit: false, keepModels: 'save', modelPath: `${folder}/models/{fold}` } as const;
    expect(await thrown(() => run(saving))).toMatch(/unable.*`toJSON`/);
    expect(await readdir(folder)).toEqual([]);
    await rm(folder, { recursive: true });
  });

  it('and an ensemble name the columns that rows to predict lack, or have besides', async () => {
    const named = X.map(([a, b]) => ({ age: a, bmi: b, dose: 1 }));
    const model = () => ({ fit: () => undefined, predict: (rows: object[]) => rows.map(() => 1) });
    const results = await run({ model, data: [named, y], keepModels: 'memory' });
    const predicting = [results.refitted, await ensemble(results, { combine: 'vote' })];
    const without = named.map(({ age }) => ({ age }));
    const more = named.map((row) => ({ ...row, a: 1, b: 1, c: 1, d: 1, e: 1 }));
    const turned = named.map(({ age, bmi, dose }) => ({ bmi, age, dose }));
    for (const each of predicting) {
      expect((await each?.predict(named))?.predictions).toHaveLength(X.length);
      expect(await thrown(() => each?.predict(without))).toMatch(
        /column_mismatch.*1 column, without 'bmi', 'dose'\. With readTable/,
      );
      expect(await thrown(() => each?.predict(more))).toMatch(/column_mismatch.*with 'a', 'b', 'c' and 2 others/);
      expect((await each?.predict(turned))?.predictions).toHaveLength(X.length);
    }
  });

  it('ends the run where its training fails', async () => {
    const fit = (rows: unknown[]) => {
      if (rows.length === X.length) throw new Error('too many rows');
    };
    const model = () => ({ fit, predict: (rows: unknown[]) => rows.map((_, at) => at % 2) });
    expect(await thrown(() => run({ model, onFoldError: 'record' }))).toContain('too many rows');
  });
});
