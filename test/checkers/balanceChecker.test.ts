import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BalanceChecker } from '../../src/checkers/balanceChecker.js';
import { GroupKFold } from '../../src/splitters/grouped/groupKFold.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { LOOCV } from '../../src/splitters/iid/loocv.js';
import { PredefinedSplit } from '../../src/splitters/iid/predefinedSplit.js';
import { StratifiedKFold } from '../../src/splitters/iid/stratifiedKFold.js';
import { TimeSeriesSplit } from '../../src/splitters/temporal/timeSeriesSplit.js';
import reference from '../reference/shift.json' with { type: 'json' };

const checker = new BalanceChecker();

describe('checkClassBalance', () => {
  it('counts rows and patients', () => {
    const y = ['ill', 'healthy', 'healthy', 'healthy', 'ill', 'healthy'];
    const groups = [1, 1, 2, 2, 3, 4];
    expect(checker.checkClassBalance(y, { groups, positiveLabel: 'ill' })).toEqual({
      counts: { healthy: 4, ill: 2 },
      proportions: { healthy: 4 / 6, ill: 2 / 6 },
      minorityClass: 'ill',
      imbalanceRatio: 0.5,
      isBalanced: true,
      status: 'passed',
      prevalence: 2 / 6,
      byGroup: { groups: 4, counts: { healthy: 3, ill: 2 }, mixed: 1 },
      message:
        "6 rows of 4 patients: 4 of class 'healthy' (66.7 %), 2 of class 'ill' (33.3 %); smallest by largest 0.500.",
      recommendations: [],
    });
  });

  it('knows its ratio, which the tolerated difference of folds does not move', async () => {
    const y = Array.from({ length: 100 }, (_, row) => Number(row < 8));
    const rare = { imbalanceRatio: 8 / 92, isBalanced: false, status: 'needs_review' };
    expect(checker.checkClassBalance(y)).toMatchObject(rare);
    const tolerant = new BalanceChecker({ minorityRatio: 8 / 92 });
    expect(tolerant.checkClassBalance(y)).toMatchObject({ isBalanced: true, status: 'passed' });
    expect(new BalanceChecker({ threshold: 0.01 }).checkClassBalance(y).isBalanced).toBe(false);
    // Blocks of 50: 8 of 50 rows against none, 16 points.
    const rows = y.map((v) => [v]);
    const balance = (options: object, labels: number[]) =>
      new BalanceChecker(options).checkCvBalance(rows, labels, new KFold({ nSplits: 2 }));
    expect((await balance({}, y)).maxDifference).toBeCloseTo(0.16, 12);
    const options = [{}, { threshold: 0.15 }, { minorityRatio: 0.5 }];
    const found = await Promise.all(options.map((each) => balance(each, [1, ...y.slice(1, 99), 1])));
    expect(found.map(({ isBalanced }) => isBalanced)).toEqual([false, true, false]);
    expect(checker.checkClassBalance([0, 1, 1, 0])).toMatchObject({ minorityClass: null, imbalanceRatio: 1 });
  });

  it('has no ratio for one class, and takes each of several labels by itself', () => {
    const one = { minorityClass: null, imbalanceRatio: null, isBalanced: false, status: 'failed' };
    expect(checker.checkClassBalance([3, 3, 3])).toMatchObject(one);
    // Label 0 has 3 of 4 rows, 1 by 3 without; label 1 has 2 of 4.
    const several = ['11', '11', '10', '00'].map((row) => Array.from(row, Number));
    const rarest = { counts: { 0: 3, 1: 2 }, minorityClass: 0, imbalanceRatio: 1 / 3 };
    expect(checker.checkClassBalance(several)).toMatchObject(rarest);
  });

  it('holds for any labels', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 60 }), (y) => {
        const { counts, proportions, imbalanceRatio, byGroup } = checker.checkClassBalance(y, {
          groups: y.map((_, row) => row),
        });
        expect(Object.values(counts).reduce((a, b) => a + b)).toBe(y.length);
        expect(Object.values(proportions).reduce((a, b) => a + b)).toBeCloseTo(1, 12);
        if (imbalanceRatio !== null) expect(imbalanceRatio).toBeGreaterThan(0);
        expect(byGroup).toEqual({ groups: y.length, counts, mixed: 0 });
      }),
    );
  });
});

describe('checkCvBalance', () => {
  const X = Array.from({ length: 60 }, (_, row) => [row]);
  const y = X.map((_, row) => (row < 20 ? 'ill' : 'healthy'));

  it('passes stratified folds', async () => {
    // 5 folds of 4 ill and 8 healthy rows.
    const balance = await checker.checkCvBalance(X, y, new StratifiedKFold({ nSplits: 5 }));
    expect(balance).toMatchObject({ isBalanced: true, status: 'passed', pValue: 1 });
    expect(balance.maxDifference).toBeCloseTo(0, 12);
    expect(balance.folds[0]).toEqual({
      fold: 'fold-0',
      trainProportions: { healthy: 32 / 48, ill: 16 / 48 },
      testProportions: { healthy: 8 / 12, ill: 4 / 12 },
      maxDifference: expect.closeTo(0, 12),
      cohenH: expect.closeTo(0, 7),
      missingClasses: [],
    });
  });

  it('asks for a look at unshuffled ones', async () => {
    const balance = await checker.checkCvBalance(X, y, new KFold({ nSplits: 3 }));
    expect(balance).toMatchObject({ maxDifference: 1, isBalanced: false, status: 'needs_review', pValue: 0.001 });
    expect(balance.folds[0].missingClasses).toEqual([
      { class: 'ill', side: 'train' },
      { class: 'healthy', side: 'test' },
    ]);
    expect(balance.message).toMatch(/100\.0 points.*3 folds.*p = 0\.001.*3 folds/);
  });

  it('lets chance pass: a difference above the threshold that permutations show, too', async () => {
    const mixed = X.map((_, row) => Number((row * 7) % 11 < 4));
    const balance = await checker.checkCvBalance(X, mixed, new KFold({ nSplits: 5, shuffle: true, randomState: 3 }));
    expect(balance.maxDifference).toBeGreaterThan(0.1);
    expect(balance).toMatchObject({ isBalanced: false, status: 'passed' });
    expect(balance.pValue).toBeGreaterThan(0.01);
  });

  it('compares numbers by fifths, and says so', async () => {
    const numbers = X.map(([row]) => row + 0.5);
    const balance = await checker.checkCvBalance(X, numbers, new KFold({ nSplits: 5 }));
    expect(Object.keys(balance.folds[0].testProportions).length).toBe(5);
    // Unshuffled fifths of ascending numbers: each fold is a fifth.
    expect(balance).toMatchObject({ maxDifference: 1, status: 'needs_review' });
    expect(balance.message).toMatch(/^Shares of the fifths of y differ by at most 100\.0 .*; 5 folds lack a fifth\.$/);
  });

  it('compares masks by fifths of the share that is marked', async () => {
    // Ten rows each with 0, 1, 2, 3 and 4 of four pixels marked.
    const rows = Array.from({ length: 50 }, (_, row) => [row]);
    const masks = rows.map(([row]) => [
      [Number(row % 5 > 0), Number(row % 5 > 1)],
      [Number(row % 5 > 2), Number(row % 5 > 3)],
    ]);
    const by = (foldOf: (row: number) => number) =>
      checker.checkCvBalance(rows, masks, new PredefinedSplit({ testFold: rows.map(([row]) => foldOf(row)) }));
    const apart = await by((row) => row % 5);
    expect(apart).toMatchObject({ maxDifference: 1, isBalanced: false, status: 'needs_review' });
    expect(Object.values(apart.folds[3].testProportions).sort()).toEqual([0, 0, 0, 0, 1]);
    // Fold k tests the rows with k pixels marked: the k-th fifth, from few marks to many.
    const fifths = ['0 to 0.2', '0.2 to 0.4', '0.4 to 0.6', '0.6 to 0.8', '0.8 to 1'];
    expect(
      apart.folds.map(({ testProportions }) => fifths.findIndex((at) => testProportions[`bin ${at}`] === 1)),
    ).toEqual([0, 1, 2, 3, 4]);
    const even = await by((row) => Math.floor(row / 5) % 5);
    expect(even).toMatchObject({ maxDifference: 0, isBalanced: true, status: 'passed', pValue: 1 });
  });

  it('gives the reason where there is no p', async () => {
    const timestamps = X.map(([row]) => row);
    const mixed = X.map((_, row) => row % 2);
    const balance = await checker.checkCvBalance(X, mixed, new TimeSeriesSplit({ nSplits: 4 }), { timestamps });
    expect(balance).toMatchObject({ status: 'passed', pValue: null });
    expect(balance.reason).toContain('periods of time');
    expect(await checker.checkCvBalance(X, mixed, new LOOCV())).toMatchObject({ status: 'passed', pValue: null });
  });

  it('permutes whole patients', async () => {
    const groups = X.map((_, row) => Math.floor(row / 3));
    const labels = groups.map((patient) => patient % 2);
    const folds = new GroupKFold({ nSplits: 3, randomState: 1 });
    expect((await checker.checkCvBalance(X, labels, folds, { groups })).status).toBe('passed');
  });

  it('refuses labels of another length and unknown options', async () => {
    const calls = [
      () => checker.checkCvBalance(X, [0, 1], new KFold()),
      () => checker.checkCvBalance(X, y, new KFold(), { group: [] } as object),
      () => checker.checkCvBalance(X, y, {} as KFold),
    ];
    const messages = await Promise.all(calls.map((call) => call().catch((error: Error) => error.message)));
    expect(messages).toEqual([
      expect.stringMatching(/^y .*60.*2/),
      expect.stringMatching(/`group`.*`groups`/),
      expect.stringMatching(/`split`/),
    ]);
  });
});

describe('checkFeatureDistribution', () => {
  it('equals numpy and scipy', async () => {
    const { values, ...expected } = reference.feature;
    const rows = values.map((value) => [value]);
    const { features } = await checker.checkFeatureDistribution(rows, { featureNames: ['crp'] });
    expect(features).toEqual([
      {
        ...expected,
        name: 'crp',
        mean: expect.closeTo(expected.mean, 9),
        std: expect.closeTo(expected.std, 9),
        skewness: expect.closeTo(expected.skewness, 9),
        missing: 0,
        constant: false,
      },
    ]);
  });

  it('gives null with the reason, never NaN or Infinity', async () => {
    const X = [0, 1, 2, 3].map((row) => ({
      constant: 2,
      missing: null,
      lone: row === 0 ? 5 : null,
      text: 'ab'[row % 2],
      infinite: row === 0 ? Number.POSITIVE_INFINITY : row,
      huge: row % 2 ? 1e300 : -1e300,
      tiny: row * 1e-300,
    }));
    const { features, warnings } = await checker.checkFeatureDistribution(X);
    const facts = (name: string) => {
      const { mean, std, min, max, skewness, ...rest } = features.find((each) => each.name === name)!;
      return { moments: [mean, std, min, max, skewness], ...rest };
    };
    const none = [null, null, null, null, null];
    const whole = { missing: 0, constant: false, outliers: 0 };
    const lone = { missing: 3, distinct: 1, constant: true, outliers: 0, reason: 'one value' };
    const empty = { missing: 4, distinct: 0, constant: true, outliers: null, reason: 'no value' };
    expect(facts('constant')).toMatchObject({ moments: [2, 0, 2, 2, null], distinct: 1, reason: 'constant' });
    const huge = [0, 1.1547005383792515e300, -1e300, 1e300, 0];
    expect(facts('huge')).toMatchObject({ moments: huge, distinct: 2, ...whole });
    expect(facts('tiny')).toMatchObject({ moments: [1.5e-300, 1.2909944487358057e-300, 0, 3e-300, 0], ...whole });
    expect(facts('infinite')).toMatchObject({ moments: none, distinct: 4, outliers: null, reason: 'infinite values' });
    expect(facts('lone')).toEqual({ moments: [5, null, 5, 5, null], name: 'lone', ...lone });
    expect(facts('missing')).toEqual({ moments: none, name: 'missing', ...empty });
    expect(facts('text')).toMatchObject({ moments: none, distinct: 2, outliers: null, reason: 'text' });
    expect(warnings).toEqual([
      expect.stringMatching(/^Constant.*: constant, missing, lone\.$/),
      expect.stringMatching(/^Missing.*: missing, lone\.$/),
      expect.stringMatching(/infinite.*: infinite\.$/),
    ]);
    // Of -1, 1, -1, 1: sd sqrt(4/3); of 0, 1, 2, 3: sqrt(5/3).
    expect((features[5].std as number) / 1e300).toBeCloseTo(Math.sqrt(4 / 3), 9);
    expect((features[6].std as number) * 1e300).toBeCloseTo(Math.sqrt(5 / 3), 9);
  });
});

describe('generateReport', () => {
  it('tells everything that was checked, in order', async () => {
    const fresh = new BalanceChecker();
    expect(fresh.generateReport()).toBe('Nothing was checked yet.');
    const y = Array.from({ length: 40 }, (_, row) => (row < 3 ? 'rare' : 'common'));
    const X = y.map((_, row) => [row, row % 4]);
    fresh.checkClassBalance(y);
    await fresh.checkCvBalance(X, y, new KFold({ nSplits: 2 }));
    await fresh.checkFeatureDistribution(X, { featureNames: ['age', 'stage'] });
    expect(fresh.generateReport()).toMatchInlineSnapshot(`
      "Balance of the classes: needs review
        40 rows: 37 of class 'common' (92.5 %), 3 of class 'rare' (7.5 %); smallest
          by largest 0.081.
        Advice: Score by what does not depend on the majority (balanced_accuracy,
                roc_auc, mcc), not by accuracy.
        Advice: Keep the rare class in every fold: StratifiedKFold, or
                StratifiedGroupKFold with groups.

      Balance of the folds: needs review
        Shares of the classes differ by at most 15.0 points between the sides of 2
          folds (Fewer than 10 rows differ from the others in any label, so there is
          nothing to compare.); 2 folds lack a class.
        fold    largest difference (points)  Cohen's h  missing classes
        fold-0  15.0                         0.80       rare (train)
        fold-1  15.0                         0.80       rare (test)

      Features: 2 features
        feature    mean      sd    min     max   skewness  missing  distinct  outliers
        age      19.500  11.690  0.000  39.000  -8.03e-17        0        40         0
        stage     1.500   1.132  0.000   3.000      0.000        0         4         0"
    `);
  });
});
