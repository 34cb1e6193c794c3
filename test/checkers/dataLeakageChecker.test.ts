import { describe, expect, it } from 'vitest';
import { DataLeakageChecker } from '../../src/checkers/dataLeakageChecker.js';
import type { LeakageReport } from '../../src/checkers/leakageReport.js';
import { randomSource } from '../../src/core/random.js';
import { GroupKFold } from '../../src/splitters/grouped/groupKFold.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { rejection } from '../helpers/failure.js';

const random = randomSource(5);
const normal = () => Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random());
const X = Array.from({ length: 100 }, () => [normal(), normal(), normal(), normal()]);
const y = X.map(([first]) => Number(first + normal() > 0));
const groups = X.map((_, row) => `patient-${row % 50}`);
const checker = new DataLeakageChecker();
const statusOf = ({ checks }: LeakageReport, wanted: string) => checks.find(({ type }) => type === wanted)?.status;

describe('check', () => {
  it('judges plain shuffled folds when nobody names any, and says so', async () => {
    const report = await checker.check(X, y, { groups });
    const splitter = 'KFold({ nSplits: 5, shuffle: true, randomState: 42 })';
    expect(report.folds).toMatchObject({ splitter, nRows: 100 });
    expect(report.summary().replace(/\s+/g, ' ')).toContain('nobody named folds');
    expect(report.leakageTypes).toEqual(['patient']);
  });

  it('judges the folds of cv', async () => {
    const report = await checker.check(X, y, { groups, cv: new GroupKFold({ nSplits: 4, randomState: 1 }) });
    expect(report.folds).toMatchObject({ nFolds: 4, note: null });
    expect([report.hasLeakage, statusOf(report, 'patient')]).toEqual([false, 'passed']);
  });

  it('without anything but X says of every check whose question arises what to pass', async () => {
    const { checks } = await checker.check(X);
    const fixOf = (wanted: string) =>
      Object.fromEntries(checks.flatMap(({ type, status, fix }) => (status === wanted ? [[type, fix]] : [])));
    expect(fixOf('not_evaluated')).toMatchObject({
      patient: 'Pass `patientIds` (or `groups`), or `independentRows: true` if each row is its own patient.',
      label_distribution: 'Pass `y`.',
      feature_target: 'Pass `y`.',
      preprocessing: expect.stringContaining('`preparedInside: true`'),
    });
    const questions = ['temporal', 'spatial_proximity', 'hierarchical', 'site_confounding'];
    expect(Object.keys(fixOf('not_applicable'))).toEqual(questions);
  });

  it('takes the options in the place of y, patients of the hierarchy alone, and one check alone', async () => {
    const report = await checker.check(X, { hierarchy: { patient: groups }, only: ['patient'] });
    expect(report.checks.map(({ type, status }) => [type, status])).toEqual([['patient', 'failed']]);
  });

  it('design: order in time fails only under prospective', async () => {
    const timestamps = X.map((_, row) => row);
    const of = async (more: { design?: 'iid' | 'prospective' }) =>
      (await checker.check(X, y, { timestamps, ...more, only: ['temporal'] })).checks[0].status;
    expect([await of({}), await of({ design: 'iid' })]).toEqual(['not_applicable', 'not_applicable']);
    expect(await of({ design: 'prospective' })).toBe('failed');
  });

  it('prints ids when asked to, and by default hashes that no other report has', async () => {
    const shown = await new DataLeakageChecker({ revealIds: true }).check(X, y, { groups, only: ['patient'] });
    expect(shown.summary()).toContain('patient-');
    const [one, two] = [await checker.check(X, y, { groups }), await checker.check(X, y, { groups })];
    expect(one.summary()).not.toContain('patient-');
    expect(one.summary()).not.toBe(two.summary());
  });

  it('verbose: false leaves out what passed', async () => {
    const quiet = await new DataLeakageChecker({ verbose: false }).check(X, y, { groups });
    expect(quiet.summary()).not.toContain(': passed.');
    expect((await checker.check(X, y, { groups })).summary()).toContain(': passed.');
  });

  it('the same seed gives the same results, whatever other checks run', async () => {
    const all = await checker.check(X, y, { groups });
    const alone = await checker.check(X, y, { groups, only: ['feature_statistics'] });
    const byCode = await checker.check(X, y, { groups, only: ['CVL005'] });
    expect(byCode.checks.map(({ type }) => type)).toEqual(['feature_statistics']);
    expect(alone.checks[0]).toEqual(all.checks.find(({ type }) => type === 'feature_statistics'));
  });
});

describe('checkCvSplits', () => {
  const [train, test] = [X.slice(0, 70), X.slice(70)];

  it('judges two sets; rows are numbered within theirs', async () => {
    const XTest = test.with(4, X[11]);
    const report = await checker.checkCvSplits(train, XTest, { yTrain: y.slice(0, 70), yTest: y.slice(70) });
    const duplicate = report.checks.find(({ type }) => type === 'duplicate');
    expect(duplicate).toMatchObject({ status: 'failed', evidence: { examples: [{ train: 11, test: 4 }] } });
    expect(report.folds.note).toBe('one training and one test set');
  });

  it('takes ids, times, places and levels of both sets', async () => {
    const ids = (set: number[][], from: number) => set.map((_, row) => `p${from + row}`);
    const report = await checker.checkCvSplits(train, test, {
      patientIdsTrain: ids(train, 0),
      patientIdsTest: ids(test, 69),
      timestampsTrain: train.map((_, row) => row),
      timestampsTest: test.map((_, row) => 50 + row),
      hierarchyTrain: { site: ids(train, 0) },
      hierarchyTest: { site: ids(test, 70) },
      design: 'prospective',
    });
    expect(report.leakageTypes).toEqual(expect.arrayContaining(['patient', 'temporal']));
    expect(report.checks.find(({ type }) => type === 'patient')?.message).toBe('1 of 99 patients is in both sets.');
    expect(report.summary()).not.toMatch(/in 1 of 1|on both sides of a fold|best in/);
    expect(statusOf(report, 'hierarchical')).not.toBe('not_evaluated');
  });

  it('shift fails only between sets that are declared iid', async () => {
    const moved = test.map(([first, ...rest]) => [first + 4, ...rest]);
    const of = async (design?: 'iid' | 'deployment') =>
      statusOf(await checker.checkCvSplits(train, moved, design ? { design } : {}), 'feature_statistics');
    expect([await of(), await of('iid'), await of('deployment')]).toEqual(['needs_review', 'failed', 'not_applicable']);
  });
});

describe('the single checks', () => {
  it('checkFeatureTargetLeakage names the feature', async () => {
    const withCopy = X.map((row, at) => [...row, 2 * y[at] + 1]);
    const found = await checker.checkFeatureTargetLeakage(withCopy, y);
    expect(found).toMatchObject({ hasLeakage: true, status: 'failed', count: 1, fraction: 0.2, threshold: 0.95 });
    expect(found.features).toEqual([expect.objectContaining({ name: 'feature 4' })]);
    expect(await checker.checkFeatureTargetLeakage(X, y)).toMatchObject({ hasLeakage: false, count: 0, features: [] });
  });

  it('checkNearDuplicates gives the pairs', async () => {
    const [train, test] = [X.slice(0, 70), X.slice(70)];
    const copy = X[5].map((value) => value + 0.001);
    const near = test.with(2, copy);
    const found = await checker.checkNearDuplicates(train, near);
    expect(found).toMatchObject({ hasLeakage: true, count: 1, fraction: 1 / 30, threshold: 0.99 });
    expect(found.pairs).toEqual([{ trainIndex: 5, testIndex: 2, similarity: expect.closeTo(1, 4) }]);
    const byCosine = await checker.checkNearDuplicates(train, near, { metric: 'cosine' });
    expect(byCosine.pairs[0]).toMatchObject({ trainIndex: 5 });
    const none = await checker.checkNearDuplicates(train, test);
    expect(none).toMatchObject({ hasLeakage: false, status: 'passed', pairs: [] });
    const vectors = { embeddingsTrain: train, embeddingsTest: near };
    const zeros = (set: number[][]) => set.map(() => [0, 0]);
    expect((await checker.checkNearDuplicates(zeros(train), zeros(test), vectors)).count).toBe(1);
  });

  it('a similarityThreshold of the caller decides: the pairs with such a cosine, chance or not', async () => {
    const [train, test] = [X.slice(0, 70), X.slice(70)];
    const cosine = (a: number[], b: number[]) =>
      a.reduce((sum, value, at) => sum + value * b[at], 0) / (Math.hypot(...a) * Math.hypot(...b));
    const expected = test.flatMap((row, testIndex) =>
      train.flatMap((other, trainIndex) => (cosine(row, other) >= 0.97 ? [{ trainIndex, testIndex }] : [])),
    );
    expect(expected.length).toBeGreaterThan(0);
    const embedded = { embeddingsTrain: train, embeddingsTest: test, similarityThreshold: 0.97 };
    const found = await checker.checkNearDuplicates(train, test, embedded);
    expect(found).toMatchObject({ hasLeakage: true, status: 'failed', threshold: 0.97, count: expected.length });
    const places = (pairs: readonly { trainIndex: number; testIndex: number }[]) =>
      pairs.map(({ trainIndex, testIndex }) => `${trainIndex}/${testIndex}`).sort();
    expect(places(found.pairs)).toEqual(places(expected));
    for (const { trainIndex, testIndex, similarity } of found.pairs)
      expect(similarity).toBeCloseTo(cosine(test[testIndex], train[trainIndex]), 5);
    expect(found.fraction).toBe(new Set(expected.map(({ testIndex }) => testIndex)).size / 30);
    const none = await checker.checkNearDuplicates(train, test, { ...embedded, similarityThreshold: 0.999999 });
    expect(none).toMatchObject({ hasLeakage: false, status: 'passed', count: 0, fraction: 0 });
    expect(none.message).toContain('a cosine of at least 0.999999 with');
    const rows = await checker.checkNearDuplicates(train.slice(0, 3), [train[1]], { similarityThreshold: 0.9 });
    expect(rows.count).toBe(1);
    expect(rows.message).toContain('1 of 1 test row has a cosine (of standardised rows) of at least 0.9 with');
  });

  it('checkHierarchicalLeakage names what is shared, hashed', async () => {
    const parents = [['Miller', 'Jones'], 'Jones Smith'.split(' ')] as const;
    const found = await checker.checkHierarchicalLeakage(['v1', 'v2'], ['v3', 'v4'], ...parents);
    expect(found).toMatchObject({ hasLeakage: true, status: 'failed', count: 1, fraction: 0.5, threshold: null });
    expect(found.overlapping).toEqual({ groups: [], parents: [expect.stringMatching(/^#[0-9a-f]{8}$/)] });
    const none = { hasLeakage: false, count: 0, message: 'No group or parent of a group is in both sets.' };
    expect(await checker.checkHierarchicalLeakage([1, 2], [3], ['a', 'b'], ['c'])).toMatchObject(none);
    expect(found).toMatchObject({ message: '1 parent is in both sets.', evidence: { groups: 0, parents: 1 } });
  });

  it('checkPreprocessingLeakage is true, false, or cannot tell', async () => {
    const all = X.map((_, row) => row);
    const rows = { train: all.slice(0, 80), test: all.slice(80) };
    const scaled = (from: number[]) =>
      X.map((row) =>
        row.map((value, at) => {
          const column = from.map((each) => X[each][at]);
          const mean = column.reduce((sum, each) => sum + each, 0) / column.length;
          return (value - mean) / Math.sqrt(column.reduce((sum, each) => sum + (each - mean) ** 2, 0) / column.length);
        }),
      );
    expect(await checker.checkPreprocessingLeakage(X, scaled(rows.train), rows)).toBe(false);
    expect(await checker.checkPreprocessingLeakage(X, scaled(all), [rows.train, rows.test])).toBe(true);
    const odd = X.map((row) => row.map((value) => Math.sin(value)));
    expect(await rejection(checker.checkPreprocessingLeakage(X, odd, rows))).toMatch(
      /^unknown_preprocessing: XProcessed must be made/,
    );

    expect(await checker.checkPreprocessing(X, scaled(all), rows)).toMatchObject({
      hasLeakage: true,
      status: 'failed',
      count: 1,
      fraction: 1,
      threshold: 1e-6,
      message: expect.stringContaining('XProcessed is XOriginal after standardize, fitted to all rows'),
      fix: expect.stringContaining('as a pipeline'),
      evidence: { steps: ['standardize'], fittedToAllRows: ['standardize'] },
    });
    expect(await checker.checkPreprocessing(X, scaled(rows.train), rows)).toMatchObject({
      hasLeakage: false,
      status: 'passed',
      count: 0,
      fraction: 0,
      evidence: { steps: ['standardize'], fittedToAllRows: [] },
    });
    expect(await rejection(checker.checkPreprocessing(X, odd, rows, { step: 'pca' } as object))).toBe(
      'unknown_option: checkPreprocessing has no option `step`. Did you mean `steps`?',
    );
    const open = { hasLeakage: false, status: 'not_evaluated', count: 0, fraction: null, threshold: null };
    expect(await checker.checkPreprocessing(X, odd, rows)).toMatchObject(open);
  });
});

describe('comprehensiveCheck', () => {
  it('gives the report and the single checks by name', async () => {
    const all = await checker.comprehensiveCheck(X, y, { groups });
    expect(all.overallSeverity).toBe('critical');
    expect(all.recommendations).toEqual(all.report.recommendations);
    const named = [all.featureTarget, all.nearDuplicates, all.hierarchical];
    expect(named.map(({ type }) => type)).toEqual(['feature_target', 'near_duplicate', 'hierarchical']);
  });

  it('gives the single checks with their keys', async () => {
    const KEYS = ['hasLeakage', 'status', 'count', 'fraction', 'threshold', 'evidence', 'message', 'fix'];
    const keysOf = (each: object) => KEYS.filter((key) => key in each);
    const site = X.map((_, row) => `site-${row % 4}`);
    const copied = X.map(([first, ...rest], row) => [...Array(6).fill(2 * y[row]), first, ...rest]);
    const cv = new KFold({ nSplits: 10 });
    const data = { hierarchy: { site }, cv, design: 'deployment' as const };
    const { featureTarget, hierarchical } = await checker.comprehensiveCheck(copied, y, data);
    // The last ten rows, the last fold, are almost the ten before them.
    const near = X.map((row, at) => (at < 90 ? row : X[at - 10].map((value) => value + 1e-6)));
    const { nearDuplicates } = await checker.comprehensiveCheck(near, y, { cv });
    expect(nearDuplicates.threshold).toBeGreaterThan(0);
    expect(nearDuplicates.threshold).toBeLessThan(1);
    for (const each of [featureTarget, nearDuplicates, hierarchical]) expect(keysOf(each)).toEqual(KEYS);
    expect(featureTarget).toMatchObject({ hasLeakage: true, count: 6, fraction: 0.6, threshold: 0.95 });
    expect(featureTarget.features.map(({ name }) => name)).toHaveLength(6);
    // Ten pairs, five of them shown, each in the first fold that tears it.
    expect(nearDuplicates).toMatchObject({ hasLeakage: true, count: 10, fraction: 0.1 });
    expect(nearDuplicates.pairs).toHaveLength(5);
    const [{ trainIndex, testIndex, similarity }] = nearDuplicates.pairs;
    expect([Math.abs(trainIndex - testIndex), similarity]).toEqual([10, expect.closeTo(1, 6)]);
    // Each of the four sites has rows in each of the ten folds.
    expect(hierarchical).toMatchObject({ hasLeakage: true, count: 4, fraction: 1, threshold: null });
    expect(hierarchical.overlapping).toEqual({
      groups: [],
      parents: Array(4).fill(expect.stringMatching(/^#[0-9a-f]{8}$/)),
    });
    const clean = await checker.comprehensiveCheck(X, { groups });
    expect(clean.featureTarget).toMatchObject({ status: 'not_evaluated', count: 0, fraction: null, features: [] });
    expect(clean.nearDuplicates).toMatchObject({ hasLeakage: false, count: 0, fraction: 0, pairs: [] });
    expect(clean.hierarchical).toMatchObject({ fraction: null, overlapping: { groups: [], parents: [] } });
  });

  it('a featureThreshold of the caller decides; the default leaves it to the calibrated verdict', async () => {
    const target = X.map(([first]) => first);
    const noisy = X.map(([first, ...rest]) => [first + 0.45 * normal(), ...rest]); // r about .91
    const of = async (featureThreshold: number) =>
      (await checker.comprehensiveCheck(noisy, target, { featureThreshold })).featureTarget.status;
    expect([await of(0.95), await of(0.7)]).toEqual(['passed', 'failed']);
    const { report, featureTarget } = await checker.comprehensiveCheck(noisy, target, { featureThreshold: 0.7 });
    expect(report.leakageTypes).toContain('feature_target');
    // Pearson's r by its definition.
    const [a, b] = [noisy.map(([value]) => value), target];
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const covariance = (x: number[], z: number[]) => mean(x.map((value, at) => (value - mean(x)) * (z[at] - mean(z))));
    const r = covariance(a, b) / Math.sqrt(covariance(a, a) * covariance(b, b));
    expect(featureTarget).toMatchObject({ hasLeakage: true, count: 1, threshold: 0.7 });
    expect(featureTarget.features[0]).toEqual({ name: 'feature 0', kind: 'correlation', score: expect.closeTo(r, 10) });
    const at = (threshold: number) => checker.checkFeatureTargetLeakage(noisy, target, { threshold });
    expect([(await at(r - 1e-6)).hasLeakage, (await at(r + 1e-6)).hasLeakage]).toEqual([true, false]);
  });
});

describe('what a review found', () => {
  it('shift under folds is never a failure, whatever the design', async () => {
    const drifting = X.map(([first, ...rest], row) => [first + (row < 20 ? 4 : 0), ...rest]);
    const report = await checker.check(drifting, y, { cv: new KFold({ nSplits: 5 }), design: 'iid' });
    expect(statusOf(report, 'feature_statistics')).toBe('needs_review');
  });

  it('a hierarchy without a level is none', async () => {
    const report = await checker.check(X, y, { hierarchy: {}, only: ['hierarchical'] });
    expect(report.checks[0]).toMatchObject({
      status: 'not_applicable',
      message: 'Without `hierarchy` there is nothing to judge: no column of X looks like a site.',
    });
  });

  it('a missing timestamp leaves the other checks alone', async () => {
    const timestamps = X.map((_, row) => (row === 3 ? null : row)) as number[];
    const report = await checker.check(X, y, { timestamps, groups, design: 'prospective' });
    const without = await checker.check(X, y, { groups, design: 'prospective' });
    const others = ({ checks }: typeof report) =>
      checks.filter(({ type }) => type !== 'temporal').map(({ type, status }) => [type, status]);
    expect(others(report)).toEqual(others(without));
    expect(statusOf(report, 'temporal')).toBe('failed');
  });

  it('levels of a column that holds ids are numbered, whatever is compared', async () => {
    const of = (name: string, row: number) => `${name}-${100 + Math.floor(row / 20)}`;
    const rows = X.map((_, row) => ({
      a: Math.sin(row ** 2),
      patient: of('SECRET', row),
      hospital: of('HIDDEN', row),
      mrn: of('QUIET', row),
      colour: row % 2 ? 'red' : 'blue',
    }));
    const data = {
      groups: rows.map(({ patient }) => patient),
      hierarchy: { ward: rows.map(({ hospital }) => hospital) },
    };
    const labels = rows.map((_, row) => (row % 40 < 20 ? 1 : 0));
    for (const cv of [new KFold({ nSplits: 5 }), new KFold({ nSplits: 5, shuffle: true, randomState: 1 })]) {
      const report = await checker.check(rows, labels, { ...data, cv, design: 'iid' });
      const printed = `${JSON.stringify(report.toJSON())} ${report.summary()}`;
      for (const id of ['SECRET', 'HIDDEN', 'QUIET']) expect(printed).not.toContain(id);
      const revealed = await new DataLeakageChecker({ revealIds: true }).check(rows, labels, { ...data, cv });
      expect(JSON.stringify(revealed.toJSON())).toContain('SECRET-1');
    }
  });

  it('ids that stand among the features are not printed', async () => {
    const withIds = X.map((row, at) => [...row, `Miller-${at % 50}`]);
    for (const more of [{}, { groups }]) {
      const report = await checker.check(withIds, y, more);
      expect(`${JSON.stringify(report.toJSON())} ${report.summary()}`).not.toContain('Miller-');
    }
  });

  it('a missing id of a level leaves the other checks alone', async () => {
    const site = X.map((_, row) => (row < 5 ? (null as never) : `site ${row % 4}`));
    const { checks } = await checker.check(X, y, { hierarchy: { site } });
    expect(checks.filter(({ status }) => status === 'error')).toEqual([]);
  });
});
