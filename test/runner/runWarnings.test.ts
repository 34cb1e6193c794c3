import { describe, expect, it } from 'vitest';
import { randomSource } from '../../src/core/random.js';
import { LogisticRegression } from '../../src/estimators/logisticRegression.js';
import { splitPatients } from '../../src/runner/metadataOf.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { foldsOf } from '../../src/splitters/foldsOf.js';
import { GroupKFold } from '../../src/splitters/grouped/groupKFold.js';
import { StratifiedGroupKFold } from '../../src/splitters/grouped/stratifiedGroupKFold.js';
import { HoldOut } from '../../src/splitters/iid/holdOut.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { NestedCV } from '../../src/splitters/iid/nestedCV.js';
import type { Splitter } from '../../src/splitters/splitter.js';
import { PurgedKFoldCV } from '../../src/splitters/temporal/purgedKFoldCV.js';
import { TimeSeriesSplit } from '../../src/splitters/temporal/timeSeriesSplit.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { blobs, NearestMean, spyAdapter } from '../helpers/nearestMean.js';
import { oneByOne } from '../helpers/oneByOne.js';
import { memoryOf } from '../helpers/scriptedAdapter.js';

const { X, y } = blobs(60);
const timestamps = y.map((_, row) => row);
const labelEndTimes = timestamps.map((time) => time + 2);

async function warnings(cvSplitter: Splitter, beside = {}, options = {}, replace = {}): Promise<readonly string[]> {
  const runner = new UniversalCVRunner({ cvSplitter, adapter: spyAdapter(replace).adapter, verbose: 0 });
  const data = { X, y, ...beside };
  return (await runner.run({ model: () => new NearestMean(), data, ...options })).metadata.warnings;
}

describe('a run warns of', () => {
  it('predictions that are all equal: probabilities, labels and numbers', async () => {
    const of = async (values: (row: readonly number[]) => number[], labels: readonly number[], n = 60) => {
      const model = {
        fit: () => undefined,
        predict: (rows: number[][]) => rows.map((row) => Math.round(values(row)[0])),
      };
      const withProba = { ...model, predictProba: (rows: number[][]) => rows.map(values) };
      const runner = new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), verbose: 0 });
      const data = { X: X.slice(0, n), y: labels.slice(0, n) };
      const results = await Promise.all(
        [model, withProba].map((each) => runner.run({ model: () => ({ ...each }), data, metrics: ['accuracy'] })),
      );
      return results.map(
        ({ metadata }) => metadata.warnings.filter((text) => text.includes('predictions are equal')).length,
      );
    };
    expect(await of(() => [0, 1], y)).toEqual([1, 1]);
    expect(await of(() => [0, 1], y, 8)).toEqual([0, 0]);
    expect(await of(([x]) => (x > X[0][0] ? [0.4, 0.6] : [0.3, 0.7]), y)).toEqual([1, 0]);
  });

  it('class weights, after which risks are those of other class shares', async () => {
    const few = y.map((_, row) => (row % 3 === 0 ? 1 : 0));
    const cv = new KFold({ nSplits: 2 });
    const warned = (options: object) => warnings(cv, { y: few }, options);
    const text = 'The training rows were weighted by `classWeight`, the test rows were not: predicted risks are';
    const lost = expect.stringContaining(`${text} no longer calibrated. Use \`recalibrate\``);
    for (const classWeight of ['balanced', { 0: 1, 1: 2 }]) expect(await warned({ classWeight })).toContainEqual(lost);
    const mapped = expect.stringContaining(`${text} those of other class shares, and \`recalibrate\` maps them back.`);
    expect(await warned({ classWeight: 'balanced', recalibrate: 'platt', validation: 0.2 })).toContainEqual(mapped);
    expect(await warned({ classWeight: { 0: 2, 1: 2 } })).toEqual([]);
    const results = await new UniversalCVRunner({ cvSplitter: cv, verbose: 0 }).run({
      ...{ model: () => new LogisticRegression({ classWeight: 'balanced' }), data: [X, few] },
    });
    expect(results.metadata.warnings).toContainEqual(lost);
  });

  it('inner folds that are drawn anew at each call, where the outer folds stay', async () => {
    const drawing: Splitter = { split: (rows) => new KFold({ shuffle: true }).split(rows), getNSplits: () => 5 };
    const keeping: Splitter = { split: (rows) => new KFold().split(rows), getNSplits: () => 5 };
    const own = (shuffle: boolean): Splitter => ({
      *split() {
        for (const { id, train, test } of new KFold({ nSplits: 2 }).split(60)) {
          const full = (rows: Int32Array) => rows.map((row) => train[row]);
          const inner = {
            *split() {
              for (const fold of new KFold({ shuffle }).split(train.length)) {
                yield { id: fold.id, train: full(fold.train), test: full(fold.test) };
              }
            },
            getNSplits: () => 5,
          };
          yield { id, train, test, inner };
        }
      },
      getNSplits: () => 2,
    });
    const nested = (innerCv: Splitter) => new NestedCV({ outerCv: new KFold({ nSplits: 2 }), innerCv });
    const validation = 0.2;
    const said = (cv: Splitter) => warnings(cv, {}, { validation });
    const text =
      /^The inner folds cannot be drawn again from the seed 42: .* draws others at each call. Give it a seed.$/;
    expect(await said(own(true))).toEqual([expect.stringMatching(text)]);
    expect(await said(nested(drawing))).toEqual([expect.stringMatching(text)]);
    expect(await said(own(false))).toEqual([]);
    expect(await said(nested(keeping))).toEqual([]);
    expect(await said(nested(new KFold()))).toEqual([]);
  });

  it('classes that are one class in two spellings, or a word for missing', async () => {
    const write = (texts: readonly string[]) =>
      warnings(new KFold(), { y: X.map((_, row) => texts[row % texts.length]) });
    expect(await write(['no', 'yes'])).toEqual([]);
    expect(await write(['no', 'yes', 'Yes '])).toEqual([
      "The classes 'Yes ', 'yes' differ in capitals or blanks alone. Write one class in one way.",
    ]);
    for (const word of ['Unknown', 'NA', '?']) {
      expect(await write(['no', 'yes', word])).toEqual([
        `The class '${word}' is a word for missing. Leave out rows without a label.`,
      ]);
    }
  });

  it('times that the splitter looks past', async () => {
    expect(await warnings(new TimeSeriesSplit(), { timestamps })).toEqual([]);
    // Of patients who repeat, the past of the same patient is not what a fold should train on.
    const groups = timestamps.map((_, row) => row >> 1);
    for (const side of [{ groups }, { hierarchy: { patient: groups } }]) {
      expect(await warnings(new KFold(), { timestamps, ...side })).toContain(
        'KFold does not use the timestamps that were given; PurgedGroupTimeSeriesSplit({ groupExclusive: true }) trains on the past of other patients alone.',
      );
    }
    expect(await warnings(new KFold(), { timestamps, groups: timestamps.map((_, row) => row) })).toEqual([
      'KFold does not use the timestamps that were given; TimeSeriesSplit trains on the past alone.',
    ]);
    expect(await warnings(new PurgedKFoldCV(), { timestamps, labelEndTimes })).toEqual([]);
    expect(await warnings(new KFold())).toEqual([]);
  });

  oneByOne('tensors that a fold left behind, by its name', async () => {
    let held = 5;
    const left = async (leaks: boolean, options = {}) => {
      const build = async (_source: unknown, { index }: { index: number }) => {
        if (leaks && index === 1) held += 2;
        return new NearestMean();
      };
      return warnings(new KFold(), {}, options, { memory: memoryOf(() => held), dispose: () => undefined, build });
    };
    expect(await left(false)).toEqual([]);
    expect(await left(true)).toHaveLength(1);
    expect(await left(true, { keepModels: 'memory' })).toEqual([]);
  });

  oneByOne('tensors that the first fold left behind: its model is there before the fold begins', async () => {
    let held = 5;
    const dispose = () => {
      held -= 3;
    };
    const left = (leak: number) => {
      const model = () => {
        held += 3 + leak;
        return new NearestMean();
      };
      return warnings(new HoldOut({ randomState: 1 }), {}, { model }, { memory: memoryOf(() => held), dispose });
    };
    expect(await left(0)).toEqual([]);
    expect((await left(2))[0]).toContain('fold-0 left 2 tensors (2.0 kB) behind');
  });

  it('rows that are watched, unless the caller chose them and they are kept apart as the test rows are', async () => {
    expect(await warnings(new KFold(), {}, { validation: 0.2 })).toEqual([]);
    expect(await warnings(new NestedCV(), {}, { validation: 0.2 })).toEqual([]);
    const capabilities = { trains: true, epochs: false, probabilities: true, saves: false };
    expect(await warnings(new NestedCV(), {}, {}, { capabilities })).toEqual([]);
  });
});

describe('a splitter of the caller', () => {
  it('is given the rows that it can read, at every call', async () => {
    const seen = new Set<unknown>();
    /** Tests the rows with the smaller first feature. */
    const byValue: Splitter = {
      split(rows) {
        seen.add(rows);
        const given = rows as number[][];
        const sorted = given.map((row, at) => [row[0], at]).sort((a, b) => a[0] - b[0]);
        const at = (from: number, to?: number) => sorted.slice(from, to).map(([, place]) => place);
        return [[at(30), at(0, 30)] as const];
      },
      getNSplits: () => 1,
    };
    const runner = new UniversalCVRunner({ cvSplitter: byValue, verbose: 0 });
    const call = { model: () => new NearestMean(), metrics: ['accuracy'] };
    const { outOfFold } = await runner.run({ ...call, data: [X, y] });
    const smaller = X.map((_, row) => row).sort((a, b) => X[a][0] - X[b][0]);
    expect(outOfFold.row.toSorted()).toEqual(Int32Array.from(smaller.slice(0, 30)).sort());
    await new CVKitValidator({ independentRows: true, metrics: ['accuracy'], ciMethod: 'wilson' }).validate({
      ...{ ...call, X, y, cv: byValue, verbose: 0 },
    });
    expect([...seen]).toEqual([X]);
  });
});

describe('a class without rows', () => {
  it('to train on is said', async () => {
    const rare = y.map((label, row) => (row === 0 ? 2 : label)); // of one row, which is tested once
    const said = await warnings(new KFold({ nSplits: 3, shuffle: true, randomState: 1 }), { y: rare });
    expect(said.join()).toContain('In 1 of 3 folds a class has no row to train on');
    expect(await warnings(new KFold({ nSplits: 3, shuffle: true, randomState: 1 }))).toEqual([]);
  });

  it('to watch is said, and whole groups are drawn by class where that can be', async () => {
    const random = randomSource(2);
    const ids = Array.from({ length: 180 }, (_, row) => `p${Math.floor(row / 3)}`);
    const rare = ids.map((_, row) => Number(row < 15)); // five patients of sixty
    const rows = rare.map((label) => [random.random() + label / 2, random.random()]);
    const watched = async (beside: object, validation: number) => {
      const { adapter, spy } = spyAdapter();
      const cvSplitter = new StratifiedGroupKFold({ nSplits: 5, randomState: 3 });
      const data = { X: rows, y: rare, groups: ids, ...beside };
      const runner = new UniversalCVRunner({ cvSplitter, adapter, verbose: 0 });
      const results = await runner.run({ model: () => new NearestMean(), data, validation, metrics: ['accuracy'] });
      for (const [at, seen] of spy.validatedOn.entries()) {
        const trained = new Set(spy.trainedOn[at].map((row) => ids[row]));
        expect(seen.filter((row) => trained.has(ids[row]))).toEqual([]);
      }
      const positives = spy.validatedOn.map((seen) => seen.filter((row) => data.y[row] === 1).length);
      return { without: positives.filter((count) => count === 0).length, said: results.metadata.warnings.join() };
    };
    // Four patients in each training set have the rare class: one of them is watched, of 48.
    expect(await watched({}, 0.2)).toEqual({ without: 0, said: '' });
    // A third class of one patient cannot be on both sides; the rare one still is.
    const third = rare.map((label, row) => (row >= 177 ? 2 : label));
    const { without, said } = await watched({ y: third }, 0.2);
    expect([without, said.includes('the watched rows lack a class')]).toEqual([0, true]);
  });
});

describe('splitPatients', () => {
  const groups = [0, 0, 1, 1, 2, 2, 3, 3];
  const warned = (splitter: Splitter, ids: readonly unknown[] | undefined, folds = [0, 1]) =>
    splitPatients({
      plan: foldsOf(splitter, 8, { groups } as never),
      data: (ids ? { groups: ids } : {}) as never,
      folds,
    });

  it('counts patients on both sides of a fold', () => {
    // Rows 0 to 3 and 4 to 7: no pair is cut.
    expect(warned(new KFold({ nSplits: 2 }), groups)).toEqual([]);
    expect(warned(new KFold({ nSplits: 2 }), [0, 1, 2, 3, 0, 1, 4, 5])[0]).toMatch(
      /^2 patients stood on both sides of a fold/,
    );
  });

  it('says nothing where patients are not known, or the splitter promises to keep them whole', () => {
    expect(warned(new KFold({ nSplits: 2 }), undefined)).toEqual([]);
    expect(warned(new GroupKFold({ nSplits: 2 }), groups)).toEqual([]);
  });

  it('looks at the folds that run alone', () => {
    const plan = foldsOf(new KFold({ nSplits: 4 }), 8);
    const ids = [0, 1, 2, 3, 4, 5, 0, 6];
    expect(splitPatients({ plan, data: { groups: ids } as never, folds: [1, 2] })).toEqual([]);
    expect(splitPatients({ plan, data: { groups: ids } as never, folds: [3] })).toHaveLength(1);
  });
});
