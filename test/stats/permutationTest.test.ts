import { describe, expect, it } from 'vitest';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { PredefinedSplit } from '../../src/splitters/iid/predefinedSplit.js';
import { StratifiedKFold } from '../../src/splitters/iid/stratifiedKFold.js';
import { permutationTest } from '../../src/stats/permutationTest.js';
import { blobs, NearestMean, spyAdapter } from '../helpers/nearestMean.js';
import reference from '../reference/comparison.json' with { type: 'json' };
import { Given } from './given.js';

const { rows, blocks, visits } = reference.permutation;
const B = 299;
/** 3 Monte Carlo standard errors of a p-value from B permutations, and what counting the data adds. */
const noise = (p: number) => 3 * Math.sqrt((p * (1 - p)) / B) + 1 / B;

/** Given probabilities, every row or patient tested in a fold of its own, the Brier score pooled over them. */
const given = ({ x, y, patients }: { x: number[]; y: number[]; patients?: number[] }, scheme?: 'within' | 'between') =>
  permutationTest({
    model: () => new Given(),
    X: x.map((value) => [value]),
    y,
    ...(patients ? { groups: patients } : {}),
    cv: new PredefinedSplit({ testFold: patients ?? x.map((_, row) => row) }),
    metric: 'brier',
    nPermutations: B,
    ...(scheme ? { scheme } : {}),
  });

describe('permutationTest', () => {
  it('of rows comes to the exact p-value over all labellings', { tags: 'slow' }, async () => {
    const test = await given(rows);
    expect(test.observed).toBeCloseTo(rows.brier, 12);
    expect(Math.abs(test.pValue - rows.p)).toBeLessThan(noise(rows.p));
    expect(test).toMatchObject({ scheme: 'rows', sameFolds: true, metric: 'brier' });
    expect(test.pValue).toBe((test.nAtLeast + 1) / (B + 1));
  });

  it('makes the folds once per run', async () => {
    let made = 0;
    const cv = new StratifiedKFold({ nSplits: 3 });
    const counted = {
      repeatable: true,
      claims: cv.claims,
      getNSplits: () => 3,
      split: (...input: Parameters<typeof cv.split>) => {
        made++;
        return cv.split(...input);
      },
    };
    const { X, y } = blobs(30);
    const test = await permutationTest({
      model: () => new NearestMean(),
      X,
      y,
      cv: counted,
      metric: 'accuracy',
      nPermutations: 19,
    });
    expect([test.sameFolds, made]).toEqual([false, 20]);
  });

  it('moves whole patients when each has one label', { tags: 'slow' }, async () => {
    const test = await given(blocks);
    expect(test.observed).toBeCloseTo(blocks.brier, 12);
    expect(Math.abs(test.pValue - blocks.p)).toBeLessThan(noise(blocks.p));
    expect(test.scheme).toBe('patients');
  });

  it.each([
    ['within', visits.pWithin],
    ['between', visits.pBetween],
  ] as const)(
    'moves labels %s patients where they vary and the caller says so',
    { tags: 'slow' },
    async (scheme, p) => {
      const test = await given(visits, scheme);
      expect(test.observed).toBeCloseTo(visits.brier, 12);
      expect(Math.abs(test.pValue - p)).toBeLessThan(noise(p));
      expect(test.scheme).toBe(scheme);
    },
  );

  const { X, y } = blobs(40);
  const { adapter, spy } = spyAdapter();
  const trained = (more: object) =>
    permutationTest({
      model: () => new NearestMean(),
      X,
      y,
      adapter,
      cv: new KFold({ nSplits: 4 }),
      nPermutations: 19,
      ...more,
    });

  it('says in how many cross-validations folds failed', async () => {
    let built = 0;
    const model = () => {
      if (built++ % 20 === 1) throw new Error('out of memory');
      return new NearestMean();
    };
    const { notes } = await trained({ model, adapter: undefined, metric: 'accuracy', onFoldError: 'record' });
    expect(notes.at(-1)).toBe('In 4 of 20 cross-validations folds failed and count in no estimate.');
    expect((await trained({})).notes.join()).not.toContain('failed');
  });

  it('retrains the model every time on the same folds, also when their seed is fresh each time', async () => {
    spy.built = 0;
    spy.trainedOn.length = 0;
    const test = await trained({ cv: new KFold({ nSplits: 4, shuffle: true, randomState: null }) });
    expect(spy.built).toBe(4 * 20);
    expect(new Set(spy.trainedOn.map(String)).size).toBe(4);
    expect(test.pValue).toBe(1 / 20);
    expect(test.sameFolds).toBe(true);
  });

  it('makes folds anew when they follow the labels', async () => {
    spy.trainedOn.length = 0;
    const test = await trained({ cv: new StratifiedKFold({ nSplits: 4 }) });
    expect(test.sameFolds).toBe(false);
    expect(new Set(spy.trainedOn.map(String)).size).toBeGreaterThan(4);
    const foreign = { split: (n: number) => new KFold({ nSplits: 4 }).split(n), getNSplits: () => 4 };
    expect((await trained({ cv: foreign })).sameFolds).toBe(false);
  });

  it('repeats itself for a seed and leaves its input alone', async () => {
    const before = JSON.stringify([X, y]);
    const [one, again, other] = [await trained({}), await trained({}), await trained({ randomState: 7 })];
    expect(again.permuted).toEqual(one.permuted);
    expect(other.permuted).not.toEqual(one.permuted);
    expect(JSON.stringify([X, y])).toBe(before);
  });
});
