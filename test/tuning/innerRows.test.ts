/** Inner folds: rows of the training rows alone, separated as the outer folds separate them. */
import { describe, expect, it } from 'vitest';
import type { FoldContext } from '../../src/runner/frameworkAdapter.js';
import { LeaveOneGroupOut } from '../../src/splitters/grouped/leaveOneGroupOut.js';
import { BootstrapValidation } from '../../src/splitters/iid/bootstrapValidation.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { RepeatedKFold } from '../../src/splitters/iid/repeatedKFold.js';
import { TimeSeriesSplit } from '../../src/splitters/temporal/timeSeriesSplit.js';
import type { TuningOptions } from '../../src/tuning/tuningOptions.js';
import { noisyRows, searched } from '../helpers/tuning.js';

const { y } = noisyRows();
const groups = y.map((_, row) => (row >> 2) % 5);

/** The rows that the models of a search were trained and tested on; X holds the numbers of the rows. */
async function rowsOf(more: Partial<TuningOptions>) {
  const used: { fold: string; train: number[]; test: number[] }[] = [];
  const modelFn = (_params: object, { fold }: FoldContext) => {
    const rows = { fold, train: [] as number[], test: [] as number[] };
    const numbers = (X: number[][]) => X.map(([row]) => row);
    return {
      fit: (X: number[][]) => void used.push(Object.assign(rows, { train: numbers(X) })),
      predict: (X: number[][]) => {
        rows.test = numbers(X);
        return X.map(() => 0);
      },
    };
  };
  const tuned = await searched({
    modelFn,
    data: [y.map((_, row) => [row]), y],
    paramGrid: { k: [1] },
    scoring: 'accuracy',
    ...more,
  });
  const inner = used.filter(({ fold }) => fold.includes('inner')).sort((a, b) => (a.fold < b.fold ? -1 : 1));
  return { tuned, inner, outer: new Map(tuned.results.indices.map(({ train }, at) => [at, new Set(train)])) };
}

describe('inner folds', () => {
  it.each<[string, Partial<TuningOptions>, RegExp]>([
    ['k folds', {}, /^StratifiedKFold\(\{ nSplits: 3/],
    ['bootstrap samples', { cvSplitter: new BootstrapValidation({ nIterations: 3, randomState: 1 }) }, /^Stratified/],
    ['repeated folds', { cvSplitter: new RepeatedKFold({ nSplits: 3, nRepeats: 2 }) }, /nSplits: 3, nRepeats: 1/],
    ['one group left out', { cvSplitter: new LeaveOneGroupOut(), groups }, /^StratifiedGroupKFold/],
    ['folds in time', { cvSplitter: new TimeSeriesSplit({ nSplits: 3 }) }, /^TimeSeriesSplit/],
    ['folds of the caller', { innerCv: new KFold({ nSplits: 4, shuffle: true }) }, /^KFold\(\{ nSplits: 4/],
  ])('of %s are of outer training rows, with no row on both sides', async (_name, more, design) => {
    const { tuned, inner, outer } = await rowsOf(more);
    expect(tuned.search.innerFolds).toMatch(design);
    const ids = tuned.perFoldParams.map(({ fold }) => fold);
    expect(inner.length).toBeGreaterThan(2 * ids.length);
    for (const { fold, train, test } of inner) {
      const within = outer.get(ids.findIndex((id) => fold.startsWith(`${id}_trial`)));
      if (within) expect([...train, ...test].filter((row) => !within.has(row))).toEqual([]);
      expect(test.length).toBeGreaterThan(0);
      expect(test.filter((row) => train.includes(row))).toEqual([]);
      if (more.groups) expect(test.filter((row) => train.some((own) => groups[own] === groups[row]))).toEqual([]);
      if (design.source.includes('Time')) expect(Math.max(...train)).toBeLessThan(Math.min(...test));
    }
  });

  it('are drawn anew for each outer fold, and the same again', async () => {
    const innerCv = new KFold({ nSplits: 3, shuffle: true });
    const rows = async () => (await rowsOf({ innerCv })).inner.map(({ test }) => test);
    const once = await rows();
    expect(await rows()).toEqual(once);
    // Those on all rows come first by name, then those of fold-0 and of fold-1.
    expect(once[3]).not.toEqual(once[6]);
  });

  it('that are impossible are refused before any model is trained', async () => {
    let trained = 0;
    const modelFn = () => ({ fit: () => void trained++, predict: () => [] });
    await expect(searched({ modelFn, innerCv: new KFold({ nSplits: 50 }) })).rejects.toThrow(/Inner folds of fold-0/);
    expect(trained).toBe(0);
  });
});
