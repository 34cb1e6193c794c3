import { describe, expect, it } from 'vitest';
import { EarlyStopping } from '../../src/callbacks/earlyStopping.js';
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
const model = () => new NearestMean();

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

describe('the inner folds of a nested design', () => {
  it('are what a run watches, and no outer test row or group reaches them', async () => {
    const { adapter, spy } = spyAdapter();
    const runner = new UniversalCVRunner({ cvSplitter: grouped, adapter, verbose: 0 });
    const results = await runner.run({ model, data: [X, y, groups], epochs: 2 });
    expectInnerFolds(spy);
    expect(results.metadata.design).toBe(
      'NestedGroupedCV({ outerCv: GroupKFold({ nSplits: 4, shuffle: true, randomState: 1 }), innerCv: GroupKFold({ nSplits: 3, shuffle: true, randomState: 2 }) })',
    );
  });

  it('are what the validator watches', async () => {
    const { adapter, spy } = spyAdapter();
    await new CVKitValidator().validate({ model, X, y, patientIds: groups, cv: grouped, adapter, verbose: 0 });
    expectInnerFolds(spy);
  });

  it('make callbacks that watch validation logs possible', async () => {
    const { adapter, spy } = spyAdapter();
    const stop = new EarlyStopping({ monitor: 'val_loss', patience: 1 });
    const runner = new UniversalCVRunner({ cvSplitter: new NestedCV(), adapter, verbose: 0 });
    await runner.run({ model, data: [X, y], epochs: 9, callbacks: [stop] });
    expect(spy.validatedOn.length).toBe(5);
  });

  it('give way to the `validation` option, and to adapters without epochs', async () => {
    const { adapter, spy } = spyAdapter();
    const runner = new UniversalCVRunner({ cvSplitter: grouped, adapter, verbose: 0 });
    await runner.run({ model, data: [X, y, groups], validation: 0.2 });
    expect(spy.validatedOn[0].length).toBe(9);
    const plain = spyAdapter({ capabilities: { trains: true, epochs: false, probabilities: true, saves: false } });
    await new UniversalCVRunner({ cvSplitter: grouped, adapter: plain.adapter, verbose: 0 }).run({
      model,
      data: [X, y, groups],
    });
    expect(plain.spy.validatedOn).toEqual([]);
    expect(plain.spy.trainedOn[0].length).toBe(45);
  });

  it('must keep patients whole when there are any, in every outer fold, before anything is trained', async () => {
    // fold 0 trains on patients of one row, which no split tears apart, fold 1 on patients of three
    const mixed = y.map((_, row) => (row < 30 ? Math.floor(row / 3) : row));
    const cv = new NestedCV({ outerCv: new KFold({ nSplits: 2 }), innerCv: new KFold({ nSplits: 4 }) });
    const { adapter, spy } = spyAdapter();
    const run = (folds: number[]) =>
      new UniversalCVRunner({ cvSplitter: cv, adapter, verbose: 0 }).run({ model, data: [X, y, mixed], folds });
    expect(await rejection(run([0, 1]))).toMatch(/invalid_option.*fold-1.*group.*NestedGroupedCV/);
    expect(spy.trainedOn).toEqual([]);
    expect((await run([0])).foldDetails.length).toBe(1);
  });
});

describe('the inner folds of a nested design without a seed', () => {
  it("get the run's seed", async () => {
    const outerCv = new GroupKFold({ randomState: 1 });
    const innerCv = new GroupKFold({ nSplits: 3 });
    const watched = async (cvSplitter: Splitter, randomState = 42) => {
      const { adapter, spy } = spyAdapter();
      await new UniversalCVRunner({ cvSplitter, adapter, verbose: 0, randomState }).run({
        model,
        data: [X, y, groups],
      });
      return spy.validatedOn;
    };
    for (const splitter of [new NestedGroupedCV({ outerCv, innerCv }), new NestedGroupedCV()]) {
      expect(await watched(splitter)).toEqual(await watched(splitter));
      expect(await watched(splitter, 7)).not.toEqual(await watched(splitter));
    }
    const { adapter, spy } = spyAdapter();
    await new CVKitValidator().validate({ model, X, y, groups, cv: new NestedGroupedCV(), adapter, verbose: 0 });
    expect(spy.validatedOn.length).toBe(5);
  });

  it('make a fold that is run alone watch what it watches in a run', async () => {
    const watched = async (folds?: number[]) => {
      const { adapter, spy } = spyAdapter();
      await new UniversalCVRunner({ cvSplitter: grouped, adapter, verbose: 0 }).run({
        model,
        data: [X, y, groups],
        ...(folds ? { folds } : {}),
      });
      return spy.validatedOn;
    };
    expect(await watched([2])).toEqual([(await watched())[2]]);
  });
});

describe('validation rows of a bootstrap', () => {
  it('are never copies of rows that the model trains on', async () => {
    const { adapter, spy } = spyAdapter();
    const cvSplitter = new BootstrapValidation({ nIterations: 8, randomState: 1 });
    const runner = new UniversalCVRunner({ cvSplitter, adapter, verbose: 0 });
    await runner.run({ model, data: [X, y], validation: 0.25, epochs: 1 });
    spy.trainedOn.forEach((rows, fold) => {
      expect(new Set(rows).size).toBeLessThan(rows.length);
      expect(spy.validatedOn[fold].length).toBeGreaterThan(5);
      expect(spy.validatedOn[fold].filter((row) => rows.includes(row))).toEqual([]);
    });
  });
});
