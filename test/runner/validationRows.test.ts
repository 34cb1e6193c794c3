import { describe, expect, it } from 'vitest';
import { EarlyStopping } from '../../src/callbacks/earlyStopping.js';
import type { RunOptions } from '../../src/runner/runOptions.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { foldsOf, hasInner, innerFoldsOf } from '../../src/splitters/foldsOf.js';
import { GroupKFold } from '../../src/splitters/grouped/groupKFold.js';
import { NestedGroupedCV } from '../../src/splitters/grouped/nestedGroupedCV.js';
import { BootstrapValidation } from '../../src/splitters/iid/bootstrapValidation.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { NestedCV } from '../../src/splitters/iid/nestedCV.js';
import type { Splitter } from '../../src/splitters/splitter.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { rejection } from '../helpers/failure.js';
import { blobs, NearestMean, type Spy, spyAdapter } from '../helpers/nearestMean.js';

const { X, y } = blobs(60);
const groups = y.map((_, row) => `p${Math.floor(row / 3)}`);
const grouped = new NestedGroupedCV({
  outerCv: new GroupKFold({ nSplits: 4, randomState: 1 }),
  innerCv: new GroupKFold({ nSplits: 3, randomState: 2 }),
});

/** A run of rows in groups, with what its models were trained on and watched. */
async function spied(cvSplitter: Splitter, options: object = {}, runner: object = {}, replace: object = {}) {
  const { adapter, spy } = spyAdapter(replace);
  const call = { model: () => new NearestMean(), data: [X, y, groups], ...options } as unknown as RunOptions;
  const results = await new UniversalCVRunner({ cvSplitter, adapter, verbose: 0, ...runner }).run(call);
  return { ...spy, results };
}
/** The same of a validation. */
async function validated(cv: Splitter, ids: object): Promise<Spy> {
  const { adapter, spy } = spyAdapter();
  await new CVKitValidator().validate({ model: () => new NearestMean(), X, y, cv, adapter, verbose: 0, ...ids });
  return spy;
}

/** The inner rows are the first inner fold, and hold no row and no group of the outer test rows. */
function expectInnerFolds(spy: Spy): void {
  const plan = foldsOf(grouped, 60, y, { groups });
  expect(spy.validatedOn.length).toBe(plan.length);
  for (const [at, fold] of [...plan].entries()) {
    const inner = hasInner(fold) ? innerFoldsOf(fold, 60).at(0) : undefined;
    expect(spy.trainedOn[at]).toEqual([...(inner?.train ?? [])]);
    expect(spy.validatedOn[at]).toEqual([...(inner?.test ?? [])]);
    const outside = new Set(Array.from(fold.test, (row) => groups[row]));
    const reached = [...spy.trainedOn[at], ...spy.validatedOn[at]].map((row) => groups[row]);
    expect(reached.filter((group) => outside.has(group))).toEqual([]);
  }
}

it('`validation_split`, as Keras calls it, is `validation`', async () => {
  const watched = async (options: object) => (await spied(new KFold({ nSplits: 3 }), options)).validatedOn;
  const rows = await watched({ validation: 0.25 });
  expect(rows[0].length).toBeGreaterThan(0);
  expect(await watched({ validation_split: 0.25 })).toEqual(rows);
  expect(await watched({ validationSplit: 0.25 })).toEqual(rows);
  expect(await rejection(spied(new KFold(), { validation: 0.2, validation_split: 0.2 }))).toMatch(/^duplicate_option/);
});

describe('the inner folds of a nested design', () => {
  it('are what a run watches, and no outer test row or group reaches them', async () => {
    const { results, ...spy } = await spied(grouped, { epochs: 2 });
    expectInnerFolds(spy);
    expect(results.metadata.design).toBe(
      'NestedGroupedCV({ outerCv: GroupKFold({ nSplits: 4, shuffle: true, randomState: 1 }), innerCv: GroupKFold({ nSplits: 3, shuffle: true, randomState: 2 }) })',
    );
  });

  it('are what the validator watches', async () => {
    expectInnerFolds(await validated(grouped, { patientIds: groups }));
  });

  it('make callbacks that watch validation logs possible', async () => {
    const callbacks = [new EarlyStopping({ monitor: 'val_loss', patience: 1 })];
    expect((await spied(new NestedCV(), { data: [X, y], epochs: 9, callbacks })).validatedOn.length).toBe(5);
  });

  it('give way to the `validation` option, and to adapters without epochs', async () => {
    expect((await spied(grouped, { validation: 0.2 })).validatedOn[0].length).toBe(9);
    const capabilities = { trains: true, epochs: false, probabilities: true, saves: false };
    const plain = await spied(grouped, {}, {}, { capabilities });
    expect(plain.validatedOn).toEqual([]);
    expect(plain.trainedOn[0].length).toBe(45);
  });

  it('must keep patients whole when there are any, in every outer fold, before anything is trained', async () => {
    // fold 0 trains on patients of one row, which no split tears apart, fold 1 on patients of three
    const mixed = y.map((_, row) => (row < 30 ? Math.floor(row / 3) : row));
    const cv = new NestedCV({ outerCv: new KFold({ nSplits: 2 }), innerCv: new KFold({ nSplits: 4 }) });
    const { adapter, spy } = spyAdapter();
    const run = (folds: number[]) =>
      new UniversalCVRunner({ cvSplitter: cv, adapter, verbose: 0 }).run({
        ...{ model: () => new NearestMean(), data: [X, y, mixed], folds },
      });
    expect(await rejection(run([0, 1]))).toMatch(/invalid_option.*fold-1.*group.*NestedGroupedCV/);
    expect(spy.trainedOn).toEqual([]);
    expect((await run([0])).foldDetails.length).toBe(1);
  });
});

describe('the inner folds of a nested design without a seed', () => {
  it("get the run's seed", async () => {
    const outerCv = new GroupKFold({ randomState: 1 });
    const innerCv = new GroupKFold({ nSplits: 3 });
    const watched = async (cvSplitter: Splitter, randomState = 42) =>
      (await spied(cvSplitter, {}, { randomState })).validatedOn;
    for (const splitter of [new NestedGroupedCV({ outerCv, innerCv }), new NestedGroupedCV()]) {
      expect(await watched(splitter)).toEqual(await watched(splitter));
      expect(await watched(splitter, 7)).not.toEqual(await watched(splitter));
    }
    expect((await validated(new NestedGroupedCV(), { groups })).validatedOn.length).toBe(5);
  });

  it('make a fold that is run alone watch what it watches in a run', async () => {
    const [alone, whole] = [await spied(grouped, { folds: [2] }), await spied(grouped)];
    expect(alone.validatedOn).toEqual([whole.validatedOn[2]]);
  });
});

describe('validation rows of a bootstrap', () => {
  it('are never copies of rows that the model trains on', async () => {
    const cvSplitter = new BootstrapValidation({ nIterations: 8, randomState: 1 });
    const spy = await spied(cvSplitter, { data: [X, y], validation: 0.25, epochs: 1 });
    spy.trainedOn.forEach((rows, fold) => {
      expect(new Set(rows).size).toBeLessThan(rows.length);
      expect(spy.validatedOn[fold].length).toBeGreaterThan(5);
      expect(spy.validatedOn[fold].filter((row) => rows.includes(row))).toEqual([]);
    });
  });
});
