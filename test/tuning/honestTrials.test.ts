/** What trials are made of (preparation, thresholds, watched rows) comes of inner rows alone; outer test rows change no choice. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EarlyStopping } from '../../src/callbacks/earlyStopping.js';
import type { FoldContext } from '../../src/runner/frameworkAdapter.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { foldsOf } from '../../src/splitters/foldsOf.js';
import { GroupKFold } from '../../src/splitters/grouped/groupKFold.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import type { Splitter } from '../../src/splitters/splitter.js';
import type { TuningOptions } from '../../src/tuning/tuningOptions.js';
import type { TuningResults } from '../../src/tuning/tuningResults.js';
import { NearestMean, spyAdapter } from '../helpers/nearestMean.js';
import { rowSpy, transformerSpy } from '../helpers/rowSpy.js';

const N = 48;
const rows = Array.from({ length: N }, (_, row) => row);
const X = rows.map((row) => [row, Math.sin(row * 12.9898)]);
const y = rows.map((row) => Number(Math.sin(row * 7.13) > 0));
const groups = rows.map((row) => row % 16);
const outerCv = new KFold({ nSplits: 3 });

function tune(modelFn: TuningOptions['modelFn'], more: Partial<TuningOptions> = {}, cvSplitter: Splitter = outerCv) {
  return new UniversalCVRunner({ cvSplitter, verbose: 0 }).runWithHyperparameterTuning({
    modelFn,
    paramGrid: { slope: [-2, -1, 0.5, 1, 2] },
    data: [X, y],
    ...more,
  });
}

const outerOf = (fold: string) => /^(fold-\d+)(_|$)/.exec(fold)?.[1];
const testRows = (id: string, cv: Splitter = outerCv, data = {}) =>
  [...foldsOf(cv, N, y, data)].find((fold) => fold.id === id)?.test ?? new Int32Array();

/** No rows of `seen` are test rows of the outer fold within whose search the model was trained; so many were looked at. */
function expectUnseen(seen: readonly { readonly fold: string; readonly rows: readonly number[] }[]): number {
  let looked = 0;
  for (const { fold, rows: touched } of seen) {
    const outer = outerOf(fold);
    if (outer === undefined || fold === outer) continue;
    looked++;
    const test = new Set(testRows(outer));
    expect(touched.filter((row) => test.has(row))).toEqual([]);
  }
  return looked;
}

describe('preparation of trials', () => {
  it.each([
    ['an instance', (spy: ReturnType<typeof transformerSpy>) => spy.make()],
    ['a function of the parameters', (spy: ReturnType<typeof transformerSpy>) => () => spy.make()],
  ])('by %s is fitted on the rows that the model is trained on, and on no others', async (_, preprocessingOf) => {
    const spy = transformerSpy();
    const { make, used } = rowSpy();
    await tune(make, { preprocessing: preprocessingOf(spy) as TuningOptions['preprocessing'] });
    // 5 trials in 3 inner folds, in 4 searches.
    expect(used().filter(({ fold }) => fold.includes('_trial-'))).toHaveLength(5 * 3 * 4);
    for (const { fitted, preparedBy } of used()) {
      expect(preparedBy.size).toBe(1);
      const [id] = preparedBy;
      expect([...spy.fits[id]].sort((a, b) => a - b)).toEqual([...fitted].sort((a, b) => a - b));
    }
  });
});

describe.each<readonly [string, Partial<TuningOptions>]>([
  ['threshold', { threshold: 'youden' }],
  ['recalibrate', { recalibrate: 'platt', scoring: 'log_loss' }],
  ['both', { recalibrate: 'platt', threshold: { sensitivity: 0.8 }, scoring: 'f1' }],
])('%s', (_, more) => {
  it('is fitted in trials without outer test rows', async () => {
    const { make, used } = rowSpy();
    await tune(make, more);
    const seen = used().map(({ fold, fitted, predicted }) => ({ fold, rows: [...fitted, ...predicted] }));
    // Inner folds have inner folds of their own, whose predictions the adjustment is fitted on.
    expect(expectUnseen(seen)).toBeGreaterThan(2 * 5 * 3 * 3);
  });
});

/** Everything that the search within one outer fold came to. */
const searchOf = ({ studies, perFoldParams }: TuningResults, id: string) => ({
  trials: studies[id].trials.map(({ params, value, state, intermediateValues }) => ({
    params,
    value,
    state,
    intermediateValues: [...intermediateValues],
  })),
  chosen: perFoldParams.find(({ fold }) => fold === id)?.params,
  inner: perFoldParams.find(({ fold }) => fold === id)?.innerScore,
});

describe('outer test rows', () => {
  const designs: readonly (readonly [string, Splitter, Partial<TuningOptions>])[] = [
    ['alone', outerCv, {}],
    ['with a random search', outerCv, { sampler: 'random', nTrials: 4, paramGrid: { slope: { low: -2, high: 2 } } }],
    ['with inner folds that are drawn', outerCv, { innerCv: new KFold({ nSplits: 3, shuffle: true }) }],
    ['with TPE', outerCv, { sampler: 'tpe', nTrials: 4, paramGrid: { slope: { low: -2, high: 2 } } }],
    ['with a pruner', outerCv, { pruner: 'median' }],
    ['with a threshold', outerCv, { threshold: 'youden', innerCv: new KFold({ nSplits: 2 }) }],
    ['with preparation', outerCv, { preprocessing: { fit: () => undefined, transform: (part: number[][]) => part } }],
    ['with patients', new GroupKFold({ nSplits: 3, randomState: 1 }), { groups }],
  ];
  it.each(designs)(
    '%s: other values and labels of them change no trial and no choice',
    { tags: 'slow' },
    async (_, cv, more) => {
      const run = (data: [number[][], number[]]) => tune(rowSpy().make, { ...more, data }, cv);
      const before = await run([X, y]);
      let different = 0;
      await fc.assert(
        fc.asyncProperty(fc.nat(2), fc.integer({ min: 1, max: 1000 }), async (number, seed) => {
          const id = `fold-${number}`;
          const test = new Set(testRows(id, cv, more.groups ? { groups } : {}));
          const changed = X.map(([row, value]) => [row, test.has(row) ? Math.cos(row * seed) * 5 : value]);
          const flipped = y.map((label, row) => (test.has(row) ? 1 - label : label));
          const after = await run([changed, flipped]);
          expect(searchOf(after, id)).toEqual(searchOf(before, id));
          // And they do change what is measured on them, and what is found where they are trained on.
          if (after.outerEstimate?.estimate !== before.outerEstimate?.estimate) different++;
          expect(searchOf(after, `fold-${(number + 1) % 3}`)).not.toEqual(searchOf(before, `fold-${(number + 1) % 3}`));
        }),
        { numRuns: 4, seed: 19 },
      );
      expect(different).toBeGreaterThan(0);
    },
  );
});

describe('models that train in epochs', () => {
  /** An adapter that tells which rows each fold is trained on, watches and predicts. */
  function epochSpy() {
    const seen: { fold: string; kind: 'train' | 'watch'; rows: number[] }[] = [];
    const folds = new WeakMap<object, string>();
    const { adapter } = spyAdapter();
    const spied = spyAdapter({
      async build(source: unknown, ctx: FoldContext) {
        const model = typeof source === 'function' ? await source(ctx) : new NearestMean();
        folds.set(model, ctx.fold);
        return model;
      },
      async fit(model, train, options, hooks) {
        const fold = folds.get(model) ?? '';
        seen.push({ fold, kind: 'train', rows: [...train.indices] });
        if (options.validation) seen.push({ fold, kind: 'watch', rows: [...options.validation.indices] });
        return adapter.fit(model, train, options, hooks);
      },
    });
    return { adapter: spied.adapter, seen };
  }

  it.each<readonly [string, Partial<TuningOptions>]>([
    ['a pruner', { pruner: 'median' }],
    ['validation rows', { validation: 0.25 }],
    ['both', { pruner: 'median', validation: 0.25 }],
    ['early stopping on validation rows', { validation: 0.25, callbacks: [new EarlyStopping({ patience: 1 })] }],
  ])('watch inner rows with %s', async (_, more) => {
    const { adapter, seen } = epochSpy();
    await tune(() => new NearestMean(), { paramGrid: { epochs: [2, 3, 4] }, adapter, ...more });
    expect(expectUnseen(seen)).toBeGreaterThanOrEqual(3 * 3 * 2);
    expect(expectUnseen(seen.filter(({ kind }) => kind === 'watch'))).toBeGreaterThan(0);
    // The model that is tested watches no outer test row either.
    for (const { fold, rows: touched } of seen.filter((each) => outerOf(each.fold) === each.fold)) {
      const test = new Set(testRows(fold));
      expect(touched.filter((row) => test.has(row))).toEqual([]);
    }
  });
});
