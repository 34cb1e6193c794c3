import { describe, expect, it } from 'vitest';
import { LeaveOneGroupOut } from '../../src/splitters/grouped/leaveOneGroupOut.js';
import { HoldOut } from '../../src/splitters/iid/holdOut.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { PredefinedSplit } from '../../src/splitters/iid/predefinedSplit.js';
import { RepeatedKFold } from '../../src/splitters/iid/repeatedKFold.js';
import { StratifiedKFold } from '../../src/splitters/iid/stratifiedKFold.js';
import { TimeSeriesSplit } from '../../src/splitters/temporal/timeSeriesSplit.js';
import {
  type LeakageInflation,
  type LeakageInflationOptions,
  leakageInflation,
} from '../../src/stats/leakageInflation.js';
import { NearestMean } from '../helpers/nearestMean.js';
import reference from '../reference/leakageInflation.json' with { type: 'json' };
import { Acquaintance, Neighbours, people } from './recognisers.js';

const { patient, y, a, b, naiveFold, guardedFold, level } = reference.price;

/** Predictions are a where the patient is known from training, else b: all are with one design, none with the other. */
const given = (more: Partial<LeakageInflationOptions> = {}) =>
  leakageInflation({
    model: () => new Acquaintance(),
    data: { X: patient.map((who, row) => [a[row], b[row], who]), y, groups: patient },
    guarded: new PredefinedSplit({ testFold: guardedFold }),
    naive: new PredefinedSplit({ testFold: naiveFold }),
    level,
    ...more,
  });

const oneLine = (price: LeakageInflation) => price.summary().replaceAll(/\s+/g, ' ');

describe('leakageInflation', () => {
  it.each(['roc_auc', 'brier'] as const)(
    'of given predictions has the difference and limits of numpy: %s',
    async (metric) => {
      const expected = reference.price[metric];
      const price = await given({ metric });
      expect(price.naive.estimate).toBeCloseTo(expected.naive, 12);
      expect(price.guarded.estimate).toBeCloseTo(expected.guarded, 12);
      expect(price.difference.estimate).toBeCloseTo(expected.difference, 12);
      expect(price.difference.lower).toBeCloseTo(expected.lower, 9);
      expect(price.difference.upper).toBeCloseTo(expected.upper, 9);
      expect(price.difference).toMatchObject({ unit: 'patient', nUnits: 30, level, estimand: 'procedure' });
      expect(price.inflation).toMatch(/^No price is seen: the interval of the difference, -0\.\d+ to 0\.\d+, covers 0/);
    },
  );

  it('is above 0 for a planted patient leak, and covers 0 without', async () => {
    const leak = people({ patients: 60, rows: 5, own: 2 });
    const data: [number[][], number[], string[]] = [leak.X, leak.y, leak.groups];
    const price = await leakageInflation({ model: () => new Neighbours(), data });
    expect(price.difference.lower).toBeGreaterThan(0);
    expect(price.inflation).toMatch(/^The naive folds make roc_auc look better than it is by 0\.\d+ \(95 % interval/);
    const loss = await leakageInflation({ model: () => new Neighbours(), data, metric: 'brier' });
    expect(loss.difference.upper).toBeLessThan(0);
    expect(loss.inflation).toContain('look better than it is');
    const none = people({ patients: 60, rows: 5, signal: 1 });
    const { difference } = await leakageInflation({
      model: () => new Neighbours(),
      data: [none.X, none.y, none.groups],
    });
    expect(difference.lower).toBeLessThan(0);
    expect(difference.upper).toBeGreaterThan(0);
  });

  it('counts sites as independent only where ten or more of them have a value under both designs', async () => {
    const { X, y, groups } = people({ patients: 120, rows: 2, signal: 1 });
    // Four sites with both classes, and twelve with one alone, which have no area under the curve.
    const siteOf = (patient: number, ill: number) =>
      patient < 48 ? Math.floor(patient / 12) : 4 + ill * 6 + (Math.floor(patient / 2) % 6);
    const site = y.map((ill, row) => siteOf(Math.floor(row / 2), ill));
    const price = await leakageInflation({
      model: () => new Neighbours(),
      data: { X, y, groups, hierarchy: { site } },
      guarded: new PredefinedSplit({ testFold: site }),
    });
    expect(price.difference).toMatchObject({ unit: 'patient', nUnits: 120 });
    expect(price.guarded).toMatchObject({ unit: 'patient', nUnits: 48, lower: expect.any(Number) });
    expect(price.notes).toContainEqual(expect.stringContaining('4 sites, too few to count as independent'));
  });

  it('covers 0 in 93 % of studies or more when nothing leaks', { tags: 'slow' }, async () => {
    let covered = 0;
    for (let seed = 0; seed < 40; seed++) {
      const { X, y, groups } = people({ seed, patients: 40, rows: 4, signal: 0.8 });
      const model = () => new NearestMean();
      const { difference } = await leakageInflation({
        model,
        data: [X, y, groups],
        metric: 'accuracy',
        randomState: seed,
      });
      if ((difference.lower as number) <= 0 && (difference.upper as number) >= 0) covered++;
    }
    // Of 40 studies with a probability of .93 fewer than 33 cover 0 in 6 of 1,000 cases (binomial).
    expect(covered).toBeGreaterThanOrEqual(33);
  });

  it('takes data in each of the three ways, repeats itself for a seed, and leaves its input alone', async () => {
    const { X, y, groups } = people({ patients: 20 });
    const before = JSON.stringify([X, y, groups]);
    const model = () => new NearestMean();
    const price = (more: LeakageInflationOptions['data'], rest = {}) =>
      leakageInflation({ model, data: more, metric: 'accuracy', ...rest });
    const one = await price([X, y, groups]);
    for (const again of [
      await price({ X, y, groups }),
      await price([X, y], { groups }),
      await price({ X, y, hierarchy: { patient: groups } }),
    ]) {
      expect(JSON.stringify(again)).toBe(JSON.stringify(one));
    }
    expect((await price([X, y, groups], { randomState: 7 })).difference).not.toEqual(one.difference);
    expect(JSON.stringify([X, y, groups])).toBe(before);
  });

  it('makes as many naive folds and repeats as the guarded design has, and the other way round', async () => {
    const { X, y, groups } = people({ patients: 20 });
    const model = () => new NearestMean();
    const naive = new RepeatedKFold({ nSplits: 4, nRepeats: 2, randomState: 1 });
    const repeated = await leakageInflation({ model, data: [X, y, groups], naive, metric: 'accuracy' });
    expect(oneLine(repeated)).toContain('RepeatedGroupKFold({ nSplits: 5, nRepeats: 2');
    const guarded = new StratifiedKFold({ nSplits: 3 });
    const rows = await leakageInflation({ model, data: [X, y], guarded, metric: 'accuracy' });
    expect(oneLine(rows)).toContain('StratifiedKFold({ nSplits: 3, shuffle: true');
    expect(rows.difference).toMatchObject({ unit: 'row', nUnits: 80 });
  });

  it('weighs rows: weight 2 is the row twice for estimates, and a common factor changes nothing', async () => {
    const double = y.map((_, row) => 1 + (row % 2));
    const twice = double.flatMap((times, row) => new Array<number>(times).fill(row));
    const take = <T>(values: readonly T[]) => twice.map((row) => values[row]);
    const weighted = (factor: number) => given({ sampleWeight: double.map((w) => w * factor) });
    const plain = await leakageInflation({
      model: () => new Acquaintance(),
      data: { X: twice.map((row) => [a[row], b[row], patient[row]]), y: take(y), groups: take(patient) },
      guarded: new PredefinedSplit({ testFold: take(guardedFold) }),
      naive: new PredefinedSplit({ testFold: take(naiveFold) }),
      level,
    });
    const [one, ten] = [await weighted(1), await weighted(10)];
    expect(one.difference.estimate).toBeCloseTo(plain.difference.estimate as number, 12);
    expect(ten.difference.lower).toBeCloseTo(one.difference.lower as number, 12);
    expect(ten.difference.upper).toBeCloseTo(one.difference.upper as number, 12);
  });

  it('compares the rows that both designs test, about these predictions where a design is no shuffle', async () => {
    const { X, y, groups } = people({ patients: 20 });
    const data = { X, y, groups };
    const price = await leakageInflation({
      model: () => new NearestMean(),
      data,
      guarded: new TimeSeriesSplit({ nSplits: 4 }),
      metric: 'accuracy',
    });
    expect(price.notes).toEqual(['Compared on the 64 rows, of 80, that both designs test.']);
    expect(price.difference).toMatchObject({ estimand: 'predictions', nUnits: 16 });
    expect(price.difference.note).not.toContain('multiplied');
    const everyone = new LeaveOneGroupOut();
    const one = await leakageInflation({ model: () => new NearestMean(), data, guarded: everyone, metric: 'accuracy' });
    expect(one.difference).toMatchObject({ estimand: 'predictions', nUnits: 20 });
    expect(one.difference.note).toContain('these predictions alone');
  });

  it('has no limits where a fold failed, patients are few, or nothing differs, and says why', async () => {
    const { X, y, groups } = people({ patients: 20 });
    let built = 0;
    const failing = () => {
      if (built++ === 2) throw new Error('out of memory');
      return new NearestMean();
    };
    const options = { data: [X, y, groups] as [number[][], number[], string[]], metric: 'accuracy' };
    const failed = await leakageInflation({ ...options, model: failing, onFoldError: 'record' });
    expect(failed.difference).toMatchObject({ lower: null, upper: null, reason: '1 of 5 folds failed' });
    expect(failed.inflation).toBe('There is no answer: 1 of 5 folds failed.');
    const model = () => new NearestMean();
    const few = people({ patients: 8 });
    const eight = await leakageInflation({
      ...options,
      model,
      data: [few.X, few.y, few.groups],
      guarded: new KFold({ nSplits: 4 }),
    });
    expect(eight.difference.reason).toBe('only 8 patients, fewer than 10');
    const constant = { fit: () => undefined, predict: (rows: unknown[]) => rows.map(() => 1) };
    const same = await leakageInflation({ ...options, model: () => ({ ...constant }) });
    expect(same.difference).toMatchObject({
      estimate: 0,
      lower: null,
      reason: 'every patient has the same difference',
    });
    expect(same.summary()).toContain('There is no answer: every patient has the same difference.');
  });

  it('says where the two designs test different rows', async () => {
    const { X, y, groups } = people({ patients: 12 });
    const price = await leakageInflation({
      model: () => new NearestMean(),
      data: [X, y, groups],
      guarded: new HoldOut({ randomState: 1 }),
      metric: 'accuracy',
      naive: new KFold({ nSplits: 3, shuffle: true, randomState: 1 }),
    });
    expect(price.notes[0]).toContain('that both designs test');
  });
});
