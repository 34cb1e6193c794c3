import { describe, expect, it } from 'vitest';
import { balanceChecks, leakageChecks } from '../../src/checkers/builtInChecks.js';
import { DataLeakageChecker } from '../../src/checkers/dataLeakageChecker.js';
import { RESULT_CHECKS } from '../../src/checkers/resultChecks.js';
import { LeakageError } from '../../src/core/errors.js';
import { fingerprint } from '../../src/core/fingerprint.js';
import { wilson } from '../../src/core/incompleteBeta.js';
import { randomSource } from '../../src/core/random.js';
import { loadCancerImaging } from '../../src/datasets/loadCancerImaging.js';
import { defineMetric } from '../../src/metrics/registry.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { GroupKFold } from '../../src/splitters/grouped/groupKFold.js';
import { LeaveOneGroupOut } from '../../src/splitters/grouped/leaveOneGroupOut.js';
import { BootstrapValidation } from '../../src/splitters/iid/bootstrapValidation.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { NestedCV } from '../../src/splitters/iid/nestedCV.js';
import { PredefinedSplit } from '../../src/splitters/iid/predefinedSplit.js';
import type { Fold, Splitter } from '../../src/splitters/splitter.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import type { ValidateOptions } from '../../src/validator/validateOptions.js';
import type { ValidatorOptions } from '../../src/validator/validatorOptions.js';
import { rejection } from '../helpers/failure.js';
import { blobs, NearestMean, spyAdapter } from '../helpers/nearestMean.js';

/** The codes of the checks of this package. */
const CHECKS = [...leakageChecks, ...balanceChecks, ...Object.values(RESULT_CHECKS)].map(({ code }) => code);
const { X, y } = blobs(60);

defineMetric({
  name: 'blind_accuracy',
  description: 'Share of right labels, without a look at weights.',
  direction: 'maximize',
  range: [0, 1],
  tasks: ['binary'],
  needs: 'labels',
  combine: 'pooled',
  compute: ({ yTrue, yPred, length }) => Array.from(yTrue).filter((label, row) => label === yPred[row]).length / length,
});

/** A score that no training changes: the first feature, over `scale` where it is no probability. */
class ByFeature {
  constructor(readonly scale?: number) {}
  fit(_X: unknown, _y: unknown, _sampleWeight?: unknown) {
    return this;
  }
  predictProba(rows: number[][]) {
    return rows.map(([x]) => (this.scale ? Math.min(1, x / this.scale) : 1 / (1 + Math.exp(-2 * x))));
  }
  predict(rows: number[][]) {
    return this.predictProba(rows).map((p) => (p > 0.5 ? 1 : 0));
  }
}

/** The same, but that it takes a trace of its training rows along: no fixed model. */
class Learned extends ByFeature {
  trace = 0;
  override fit(rows: number[][]) {
    this.trace = rows.reduce((sum, [x]) => sum + x, 0) * 1e-9;
    return this;
  }
  override predictProba(rows: number[][]) {
    return super.predictProba(rows).map((p) => Math.min(1, Math.max(0, p + this.trace)));
  }
}

/** Labels alone, so that no column of probabilities depends on which one is positive. */
class ByLabel {
  fit() {
    return this;
  }
  predict(rows: number[][]) {
    return rows.map(([x]) => (x > 0 ? 1 : 0));
  }
}
const model = () => new NearestMean();
const quiet = () => ({ adapter: spyAdapter().adapter, verbose: 0 });
const validated = (options: ValidatorOptions = {}, call: Partial<ValidateOptions> = {}) =>
  new CVKitValidator(options).validate({ model, X, y, ...quiet(), ...call });

describe('CVKitValidator.validate', () => {
  it('gives new folds each time where `randomState: null` is written, and says that they cannot be drawn again', async () => {
    const of = (cv: KFold) => validated({ metrics: ['accuracy'] }, { cv });
    const [a, b] = [await of(new KFold({ shuffle: true })), await of(new KFold({ shuffle: true }))];
    expect(a.manifest.foldFingerprint).toBe(b.manifest.foldFingerprint);
    const fresh = () => of(new KFold({ shuffle: true, randomState: null }));
    const [c, d] = [await fresh(), await fresh()];
    expect(c.manifest.foldFingerprint).not.toBe(d.manifest.foldFingerprint);
    expect(c.manifest.warnings.join()).toContain('The folds cannot be drawn again');
  });

  it('is not moved by what somebody gave to every object', async () => {
    const plain = await validated();
    const prototype = Object.prototype as { reason?: string };
    try {
      prototype.reason = 'polluted';
      const polluted = await validated();
      expect(polluted.verdict).toEqual(plain.verdict);
      expect(polluted.checks.map(({ status }) => status)).toEqual(plain.checks.map(({ status }) => status));
      expect(polluted.estimates).toEqual(plain.estimates);
      expect(polluted.summary()).not.toContain('polluted');
    } finally {
      delete prototype.reason;
    }
  });

  it('is not PASSED where some folds were not run', async () => {
    const acknowledged = { CVR004: 'the model is one column' };
    const declared = { independentRows: true, preparedInside: true, metrics: ['accuracy'], acknowledged };
    const part = await validated(declared, { folds: [0] });
    expect(part.verdict.status).not.toBe('passed');
    expect(part.verdict.text).toContain('1 of 5 folds were run');
  });

  it('takes `apparent` and `folds`, as `run` does', async () => {
    const whole = await validated({ metrics: ['accuracy'] }, { apparent: true });
    // Trained and scored on all rows: nearly everything is right.
    const all = new NearestMean().fit(X, y).predict(X);
    const right = all.filter((label, row) => label === y[row]).length / y.length;
    expect(whole.apparentScores).toEqual({ accuracy: { value: right } });
    expect(whole.summary()).toMatch(/fold sd +apparent/);
    const part = await validated({ metrics: ['accuracy'] }, { folds: [1, 3] });
    expect(part.foldDetails.map(({ index }) => index)).toEqual([1, 3]);
    expect(part.scores.accuracy).toEqual([whole.scores.accuracy[1], whole.scores.accuracy[3]]);
    expect(part.leakageReport?.folds.nFolds).toBe(2);
    expect(part.summary()).toContain('2 of 5 folds');
  });

  it('gives the default metrics, an interval each, and says what each interval is about', async () => {
    const result = await validated({ nBootstrap: 200 });
    const names = ['accuracy', 'roc_auc', 'sensitivity', 'specificity', 'precision', 'recall', 'f1'];
    expect(Object.keys(result.scores)).toEqual(names);
    for (const interval of Object.values(result.confidenceIntervals)) {
      expect(interval).toMatchObject({
        method: 'bootstrap',
        estimand: 'predictions',
        unit: 'row',
        nUnits: 60,
        level: 0.95,
        note: expect.stringContaining('What another training set would change is not in the interval'),
      });
      expect(interval.sampling).toBe('cohort');
      expect(interval.lower).toBeLessThanOrEqual(interval.estimate as number);
      expect(interval.upper).toBeGreaterThanOrEqual(interval.estimate as number);
    }
    expect(result.manifest).toMatchObject({ method: 'stratified_kfold', splitter: 'StratifiedKFold', nSplits: 5 });
  });

  it('gives what a method cannot serve null limits with the reason, and is refused when it serves nothing', async () => {
    const of = (metrics: string[]) => validated({ ciMethod: 'wilson', metrics });
    const { accuracy, roc_auc } = (await of(['accuracy', 'roc_auc'])).confidenceIntervals;
    expect(accuracy).toMatchObject({ method: 'wilson', estimand: 'predictions', lower: expect.any(Number) });
    expect(roc_auc).toMatchObject({ lower: null, reason: 'wilson is for shares of rows, which roc_auc is not' });
    expect(await rejection(of(['roc_auc']))).toMatch(/interval_method.*`ciMethod: 'wilson'`.*roc_auc/);
  });

  it('gives no interval for what depends on the prevalence under case-control sampling', async () => {
    const { confidenceIntervals, manifest } = await validated({ sampling: 'case_control' });
    expect(manifest.sampling).toBe('case_control');
    expect(confidenceIntervals.accuracy).toMatchObject({
      lower: null,
      reason: expect.stringContaining('case-control'),
    });
    expect(confidenceIntervals.roc_auc).toMatchObject({ sampling: 'case_control', lower: expect.any(Number) });
  });

  it('gives both ways to one number; leave-one-out has a pooled area alone, with a note', async () => {
    const options = { metrics: ['accuracy', 'roc_auc'] };
    const folds = await validated(options);
    expect(folds.averages.roc_auc.averaged).toBeCloseTo(folds.meanScores.roc_auc as number, 12);
    expect(folds.averages.accuracy).toEqual({ averaged: expect.any(Number), pooled: expect.any(Number) });
    const single = await validated({ ...options, method: 'loocv' });
    expect(single.averages.roc_auc).toMatchObject({ averaged: null, pooled: expect.any(Number) });
    expect(single.confidenceIntervals.roc_auc).toMatchObject({
      estimate: single.averages.roc_auc.pooled,
      estimand: 'predictions',
      note: expect.stringContaining('No fold has a roc_auc of its own'),
    });
  });

  it('is reproducible: the same options give the same result', async () => {
    const run = async () => {
      const { manifest, foldDetails, ...rest } = (await validated({ nBootstrap: 100 })).toJSON();
      return JSON.stringify(rest);
    };
    expect(await run()).toBe(await run());
  });

  it('keeps repeated patients whole when no method is named, and says why', async () => {
    const patientIds = y.map((_, i) => `p${Math.floor(i / 3)}`);
    const acknowledged = { CVR004: 'the model is one column' };
    const result = await validated({ nBootstrap: 100 }, { patientIds, acknowledged });
    expect(result.manifest).toMatchObject({ method: 'stratified_group_kfold', methodReason: 'patients repeat' });
    expect(result.confidenceIntervals.accuracy).toMatchObject({ unit: 'patient', nUnits: 20 });
    expect(result.checks[0]).toMatchObject({ code: 'CVL001', type: 'patient', status: 'passed' });
    expect(result.overallStatus).toBe('not_fully_verified');
  });

  it('takes patients who stand in the hierarchy alone for patients', async () => {
    const patient = X.map((_, i) => `p${Math.floor(i / 3)}`);
    const options = { nBootstrap: 100, metrics: ['accuracy'] };
    const result = await validated(options, { hierarchy: { patient } });
    const named = await validated(options, { patientIds: patient });
    expect(result.manifest).toMatchObject({ method: 'stratified_group_kfold', nGroups: 20 });
    expect(result.confidenceIntervals).toEqual(named.confidenceIntervals);
    expect(result.checks.find(({ code }) => code === 'CVL001')).toMatchObject({ status: 'passed' });
  });

  it('runs a method that ignores groups as asked, and the leakage check fails', async () => {
    const groups = y.map((_, i) => `p${Math.floor(i / 3)}`);
    const result = await validated({ method: 'kfold', nBootstrap: 100 }, { groups });
    expect(result.checks[0]).toMatchObject({ code: 'CVL001', status: 'failed', severity: 'critical' });
    expect(JSON.stringify(result.checks[0].evidence)).not.toContain('p1');
    expect(result.overallStatus).toBe('failed');
    expect(result.recommendations[0]).toContain('StratifiedGroupKFold');
  });

  it('judges the scored folds, and marks what nobody told it as not evaluated, never as passed', async () => {
    const result = await validated({ nBootstrap: 100 });
    const of = (wanted: string) => result.checks.flatMap(({ type, status }) => (status === wanted ? [type] : []));
    expect(result.checks.map(({ code }) => code)).toEqual(CHECKS);
    expect(of('not_evaluated')).toEqual(expect.arrayContaining(['patient', 'preprocessing']));
    expect(of('not_applicable')).toEqual(
      expect.arrayContaining(['temporal', 'spatial_proximity', 'hierarchical', 'site_confounding']),
    );
    expect([...of('failed'), ...of('error')]).toEqual([]);
    expect(result.overallStatus).toBe('not_fully_verified');
    expect(result.leakageReport?.checks).toEqual(
      result.checks.filter(({ kind }) => kind === 'leakage' || kind === 'shift'),
    );
    expect(result.leakageReport?.folds.fingerprint).toBe(result.manifest.foldFingerprint);
    expect(result.balance).toMatchObject({ isBalanced: true, status: 'passed' });
    expect(result.balance?.folds.map(({ fold }) => fold)).toEqual(result.plan.ids);
  });

  it("checkLeakage: 'strict' ends before any training when a check fails", async () => {
    const groups = y.map((_, i) => `p${i % 20}`);
    const { adapter, spy } = spyAdapter();
    const strict = new CVKitValidator({ method: 'kfold', checkLeakage: 'strict' });
    const error = await strict.validate({ model, X, y, groups, adapter, verbose: 0 }).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(LeakageError);
    expect(error.message).toMatch(/^The folds must not leak\. \d+ of 20 patients are on both sides/);
    expect(error.cause.leakageTypes).toEqual(['patient']);
    expect(spy.trainedOn).toEqual([]);
    await strict.validate({ model, X, y, ...quiet() });
  });

  it('calls shift between folds no leak', async () => {
    const drifting = X.map(([first, ...rest], row) => [first + (row < 12 ? 9 : 0), ...rest]);
    const call = { X: drifting, design: 'iid', cv: new KFold({ nSplits: 5 }) } as const;
    const { checks, leakageReport } = await validated({ nBootstrap: 100 }, call);
    expect(checks.find(({ type }) => type === 'feature_statistics')?.status).toBe('needs_review');
    expect(leakageReport?.hasLeakage).toBe(false);
  });

  it('warns of each check that failed', async () => {
    const patientIds = X.map((_, row) => `p${row % 20}`);
    const cv = new KFold({ nSplits: 5, shuffle: true, randomState: 1 });
    const torn = await validated({ nBootstrap: 100 }, { patientIds, cv });
    const failed = torn.checks.filter(({ status }) => status === 'failed');
    expect(failed.map(({ code }) => code)).toContain('CVL001');
    const { warnings } = torn.manifest;
    expect(warnings.filter((text) => /^CV[LB]\d{3} /.test(text))).toEqual(
      failed.map(({ code, type, message }) => `${code} ${type}: ${message}`),
    );
  });

  it('regression gets KFold and the regression metrics', async () => {
    const target = X.map(([a, b]) => a * 1.5 - b + 0.25);
    class Line {
      m = 0;
      fit(_X: number[][], t: number[]) {
        this.m = t.reduce((sum, v) => sum + v, 0) / t.length;
      }
      predict(rows: number[][]) {
        return rows.map(([a]) => this.m + a);
      }
    }
    const call = { model: () => new Line(), y: target, adapter: undefined };
    const result = await validated({ nBootstrap: 100 }, call as never);
    expect(result.manifest).toMatchObject({ method: 'kfold', task: 'regression' });
    expect(Object.keys(result.scores)).toEqual(['mse', 'rmse', 'mae', 'r2', 'explained_variance']);
  });

  it('lets cv override method, and the manifest records it', async () => {
    const groups = y.map((_, i) => i % 12);
    const cv = new GroupKFold({ nSplits: 3, randomState: 1 });
    const result = await validated({ method: 'kfold', nBootstrap: 100 }, { groups, cv });
    expect(result.manifest).toMatchObject({ method: 'cv', splitter: 'GroupKFold', nSplits: 3 });
    expect(result.manifest.overridden).toContain('`method` by `cv`');
  });

  it('takes cv in the constructor, a number as nSplits, and the call over the constructor', async () => {
    const made = async (constructed: ValidatorOptions, called: Partial<ValidateOptions> = {}) =>
      (await validated({ nBootstrap: 100, ...constructed }, { ...called })).manifest;
    const facts = { method: 'stratified_kfold', splitter: 'StratifiedKFold', overridden: [] };
    expect(await made({ cv: 4 })).toMatchObject({ ...facts, nSplits: 4 });
    expect(await made({}, { cv: 4 })).toMatchObject({ ...facts, nSplits: 4 });
    expect(await made({ nSplits: 5, cv: null }, { cv: 4 })).toMatchObject({ ...facts, nSplits: 4 });
    expect(await made({ nSplits: 7, method: 'kfold' }, { cv: 4 })).toMatchObject({
      method: 'kfold',
      nSplits: 4,
      overridden: ['`nSplits` by `cv`'],
    });
    expect(await made({ cv: new KFold({ nSplits: 3 }) })).toMatchObject({
      method: 'cv',
      splitter: 'KFold',
      nSplits: 3,
    });
    expect(await made({ cv: 4 }, { cv: new KFold({ nSplits: 3 }) })).toMatchObject({
      method: 'cv',
      nSplits: 3,
      overridden: ["the constructor's `cv` by the call's"],
    });
  });

  it.each([
    { cv: 4, nSplits: 4 },
    { cv: 4, nSplits: 5 },
  ])('takes a number of folds twice where it is one, or the default: %j', (input) => {
    expect(() => new CVKitValidator(input)).not.toThrow();
  });

  it("says what to do with a metric of one's own that stands where its name belongs", async () => {
    const metric = defineMetric({
      ...{ name: 'share_of_ones', description: 'A share.', direction: 'maximize', range: [0, 1], needs: 'labels' },
      ...{ tasks: ['binary'], combine: 'pooled', compute: () => 0.5 },
    });
    const way = 'Register a metric of your own with defineMetric and use its name.';
    const refused = (metrics: unknown) => () => new CVKitValidator({ metrics } as never);
    expect(refused(['accuracy', metric])).toThrow(
      /be a list of metric names, or null\. Got an object with the keys name,/,
    );
    expect(refused(['accuracy', metric])).toThrow(`in place 1. ${way}`);
    expect(refused(metric)).toThrow(way);
    const scored = new CVKitValidator().validate({ model, X, y, scoring: { own: metric }, ...quiet() } as never);
    await expect(scored).rejects.toThrow(way);
    expect(refused([metric.name])).not.toThrow();
  });

  it('hands its seed to a splitter without one, which stays as it was', async () => {
    const folds = async (cv: Splitter, seed: number | string | null = 42, called = {}) => {
      const result = await validated({ nBootstrap: 100, randomState: seed }, { groups, cv, ...called });
      return result.manifest;
    };
    const groups = y.map((_, i) => i);
    const shuffled = new KFold({ shuffle: true });
    const first = await folds(shuffled);
    expect(first.foldFingerprint).toBe((await folds(shuffled)).foldFingerprint);
    expect(first.foldFingerprint).toBe(
      fingerprint(new KFold({ shuffle: true, randomState: 42 }).split(y.length) as Iterable<Fold>),
    );
    expect(first.design).toBe('KFold({ nSplits: 5, shuffle: true, randomState: 42 })');
    expect(first.warnings).toEqual([]);
    expect((await folds(shuffled, 7)).foldFingerprint).not.toBe(first.foldFingerprint);
    expect((await folds(shuffled, 42, { randomState: 9 })).foldFingerprint).toBe(first.foldFingerprint);
    expect(shuffled.options.randomState).toBeNull();
    const fresh = await folds(shuffled, null);
    expect((await folds(shuffled, fresh.randomState)).foldFingerprint).toBe(fresh.foldFingerprint);
    const own = new KFold({ shuffle: true, randomState: 1 });
    expect((await folds(own, 7)).foldFingerprint).toBe((await folds(own, 8)).foldFingerprint);
    const nested = new NestedCV({ outerCv: new GroupKFold(), innerCv: new GroupKFold({ nSplits: 2 }) });
    expect((await folds(nested)).design).toBe(
      'NestedCV({ outerCv: GroupKFold({ nSplits: 5, shuffle: true, randomState: 42 }), innerCv: GroupKFold({ nSplits: 2, shuffle: true, randomState: 42 }) })',
    );
  });

  it('says that folds which a foreign splitter draws by itself cannot be drawn again', async () => {
    // Other folds at each call, but the same ones in every run of this test.
    const draws = randomSource(3);
    const drawing: Splitter = {
      split: (rows) => new KFold({ shuffle: true, randomState: draws }).split(rows),
      getNSplits: () => 5,
    };
    const of = (cv: Splitter) => validated({ nBootstrap: 100 }, { cv });
    const result = await of(drawing);
    expect(result.manifest.warnings).toEqual([
      'The folds cannot be drawn again from the seed 42: the splitter draws others at each call. Give it a seed, or keep the folds with foldsToJSON.',
    ]);
    expect(result.summary()).toContain('cannot be drawn again');
    const still: Splitter = { ...drawing, split: (rows) => new KFold().split(rows) };
    expect((await of(still)).manifest.warnings).toEqual([]);
    const stream = new KFold({ shuffle: true, randomState: randomSource(3) });
    expect((await of(stream)).manifest.warnings).toEqual([expect.stringContaining('cannot be drawn again')]);
    const [once] = [[...new KFold().split(y.length)]].map((folds) => folds.values());
    const oneShot = { split: () => once, getNSplits: () => 5 } as unknown as Splitter;
    expect((await of(oneShot)).manifest.warnings).toEqual([expect.stringContaining('cannot be drawn again')]);
  });

  it('balances the classes of one-hot rows also where a column has no row', async () => {
    const patientIds = y.map((_, row) => `p${Math.floor(row / 3)}`);
    const of = (labels: number[] | number[][]) => validated({ metrics: ['accuracy'] }, { y: labels, patientIds });
    const oneHot = await of(y.map((label) => [1 - label, label, 0]));
    expect(oneHot.foldDetails.map(({ nTest }) => nTest)).toEqual([12, 12, 12, 12, 12]);
    expect(oneHot.manifest.foldFingerprint).toBe((await of(y)).manifest.foldFingerprint);
  });

  it('refuses corrected_t for folds of one unit each before anything is trained', async () => {
    let fits = 0;
    const counted = () => ({
      fit: (_rows: number[][], _labels: number[], _weight?: number[]) => {
        fits++;
      },
      predict: (rows: number[][]) => rows.map(() => 0),
    });
    const of = (options: object, more: object = {}) =>
      validated({ ciMethod: 'corrected_t', metrics: ['accuracy'], ...options }, {
        model: counted,
        adapter: undefined,
        ...more,
      } as never);
    const groups = y.map((_, row) => `p${row % 6}`);
    const nOfN = new KFold({ nSplits: y.length, shuffle: true, randomState: 1 });
    for (const [options, more] of [
      [{ cv: new GroupKFold({ nSplits: 6 }) }, { groups }],
      [{ cv: new LeaveOneGroupOut() }, { groups }],
      [{ cv: nOfN }, {}],
    ]) {
      await expect(of(options, more)).rejects.toThrow(
        'The folds of `ciMethod: corrected_t` must be random parts of the data. Got folds of one unit each.',
      );
    }
    // Patients whose rows all have weight 0 are no units: of two patients in each fold one is left.
    const weighing = (patients: number) => ({ groups, sampleWeight: y.map((_, row) => Number(row % 6 < patients)) });
    const cv = new PredefinedSplit({ testFold: y.map((_, row) => row % 3) });
    await expect(of({ cv }, weighing(3))).rejects.toThrow('folds of one unit each');
    expect(fits).toBe(0);
    await expect(of({ cv }, weighing(4))).resolves.toBeDefined();
  });

  it('looks for the estimator in the splitter whose folds are scored, and in bootstraps alone', async () => {
    const refusal = (cv: Splitter) =>
      validated({ nBootstrap: 100 }, { cv }).then(
        () => 'accepted',
        ({ message }) => message,
      );
    const outerCv = new BootstrapValidation({ nIterations: 3, estimator: '.632+', randomState: 1 });
    const nested = new NestedCV({ outerCv: new NestedCV({ outerCv }) });
    expect(await refusal(nested)).toMatch(
      /^The `estimator` of a BootstrapValidation that is the `outerCv` must be 'standard'/,
    );
    expect(await refusal(new NestedCV({ innerCv: outerCv }))).toBe('accepted');
    const own = { options: { estimator: 'svm' }, split: (n: number) => new KFold().split(n), getNSplits: () => 5 };
    expect(await refusal(own as Splitter)).toBe('accepted');
  });

  it('shows what the splitter warns of', async () => {
    const groups = y.map((_, row) => row % 12);
    const three = groups.map((group) => (group < 2 ? 'c' : group % 2 ? 'a' : 'b'));
    const result = await validated({}, { y: three, groups });
    expect(result.manifest).toMatchObject({ method: 'stratified_group_kfold' });
    expect(result.manifest.warnings.join()).toMatch(/Class 'c'/);
    expect(result.summary().replace(/\s+/g, ' ')).toContain(result.manifest.warnings[0]);
  });

  it('takes an interval method for all metrics or by metric', async () => {
    const run = (ciMethod: never) => validated({ ciMethod });
    const all = await run('corrected_t' as never);
    expect(all.confidenceIntervals.accuracy).toMatchObject({
      method: 'corrected_t',
      estimand: 'procedure',
      nTrain: 48,
    });
    const one = await run({ accuracy: 'corrected_t' } as never);
    expect(one.confidenceIntervals.accuracy.method).toBe('corrected_t');
    expect(one.confidenceIntervals.f1.method).toBe('bootstrap');
  });

  it('gives no interval after a failed fold, with the count', async () => {
    let calls = 0;
    const { adapter } = spyAdapter({
      predict: async (m, rows) => {
        if (calls++ === 2) throw new Error('lost');
        return { values: (m as NearestMean).predict((await rows.toArrays()) as number[][]) as number[] };
      },
    });
    const result = await validated({ nBootstrap: 100 }, { adapter, onFoldError: 'record' });
    expect(result.confidenceIntervals.accuracy).toMatchObject({
      lower: null,
      upper: null,
      reason: '1 of 5 folds failed',
    });
    expect(result.summary()).toContain('FAILED  1 of 5 folds, in no score');
    expect(result.summary()).toContain('4 of 5');
  });

  it('says in the first line that no fold gave a result, and why', async () => {
    const fit = async () => {
      throw new Error('out of memory');
    };
    const result = await validated({}, { adapter: spyAdapter({ fit }).adapter, onFoldError: 'record' });
    expect(result.overallStatus).toBe('failed');
    const said = 'Cross-validation: FAILED: no fold gave a result: Fold fold-0 failed: out of memory';
    expect(result.summary().replace(/\s+/g, ' ').startsWith(said)).toBe(true);
    expect(result.estimates.accuracy).toBeNull();
  });

  it('takes a checker of the folds in place of the built-in checks', async () => {
    const seen: number[] = [];
    const leakageChecker = {
      assess: ({ folds }: { folds: { length: number } }) => {
        seen.push(folds.length);
        return [];
      },
    };
    const result = await validated({ nBootstrap: 100 }, { leakageChecker });
    expect(seen).toEqual([5]);
    const leakage = result.checks.filter(({ kind }) => kind === 'leakage' || kind === 'shift');
    expect(new Set(leakage.map(({ status }) => status))).toEqual(new Set(['not_evaluated']));
    expect(result.checks[0].message).toBe('Left to the `leakageChecker`, which did not make it.');
    // One reason for all of them, said once.
    expect(result.summary().match(/which\s+did\s+not\s+make\s+it/g)).toHaveLength(1);
  });

  it('says in the verdict and in the manifest whose checks those of a checker of the caller are', async () => {
    const { checks } = await validated({ nBootstrap: 100 });
    const leakage = checks.filter(({ kind }) => kind === 'leakage' || kind === 'shift');
    const fine = { status: 'passed', severity: 'none', message: 'Fine.', evidence: {}, fix: '' } as const;
    const assess = () => leakage.map(({ code, type, kind }) => ({ code, type, kind, ...fine }));
    const result = await validated({ nBootstrap: 100 }, { leakageChecker: { assess } });
    const n = leakage.length;
    const whose = `${n} of ${CHECKS.length} checks (patient, duplicate, near_duplicate and ${n - 3} more) were made by the \`leakageChecker\` that was given, not by cvkit (the author's word)`;
    expect(result.overallStatus).toBe('passed');
    expect(result.verdict.text).toBe(`PASSED: every check that was made passed; ${whose}`);
    expect(result.leakageReport?.verdict.text).toContain('not by cvkit');
    expect(result.manifest.overridden).toContain('the built-in leakage checks by `leakageChecker`');
    expect(result.summary().replace(/\s+/g, ' ')).toContain(whose);
    expect(result.toMarkdown()).toContain('the built-in leakage checks by');
    // Results of cvkit that are handed on stay its own.
    const leakageChecker = new DataLeakageChecker();
    const { verdict } = await validated({ nBootstrap: 100 }, { leakageChecker });
    expect(verdict.text).not.toContain('leakageChecker');
    expect(verdict.authorsWord).not.toContain('leakageChecker');
  });

  it.each([() => Promise.reject(new Error('boom')), () => null])(
    'a checker that fails is an error and never a pass: %s',
    async (assess) => {
      const { checks, overallStatus } = await validated({ nBootstrap: 100 }, { leakageChecker: { assess } as never });
      expect(checks[0]).toMatchObject({ type: 'leakage_checker', status: 'error' });
      expect(overallStatus).toBe('needs_review');
    },
  );

  it('lists the checks that were turned off', async () => {
    const result = await validated({ nBootstrap: 100, checkLeakage: false, checkBalance: false });
    expect(result.checks).toHaveLength(CHECKS.length - Object.keys(RESULT_CHECKS).length);
    expect(new Set(result.checks.map(({ status }) => status))).toEqual(new Set(['not_evaluated']));
    expect(result.checks[0].message).toBe('Turned off by `checkLeakage: false`.');
  });

  it('weights: 2 everywhere changes nothing, estimates and intervals alike', async () => {
    const run = (sampleWeight?: number[]) =>
      validated({ nBootstrap: 100, metrics: ['accuracy', 'roc_auc'] }, { sampleWeight });
    const plain = await run();
    const heavy = await run(y.map(() => 2));
    expect(heavy.meanScores).toEqual(plain.meanScores);
    expect(heavy.confidenceIntervals.accuracy.lower).toBeCloseTo(
      plain.confidenceIntervals.accuracy.lower as number,
      12,
    );
  });

  it('rows and patients of weight 0 are no units', async () => {
    const patientIds = y.map((_, row) => `p${Math.floor(row / 3)}`);
    const cv = new PredefinedSplit({ testFold: y.map((_, row) => Math.floor(row / 3) % 5) });
    const of = (ciMethod: 'bootstrap' | 'analytic' | 'oof_bootstrap', call: object) =>
      validated({ metrics: ['accuracy', 'roc_auc'], ciMethod }, {
        model: () => new ByFeature(),
        adapter: undefined,
        patientIds,
        cv,
        ...call,
      } as never);
    const weighing = (rows: number) => ({ sampleWeight: y.map((_, row) => Number(row < rows)) });
    const present = X.map((_, row) => row).filter((row) => row < 45);
    for (const ciMethod of ['bootstrap', 'analytic', 'oof_bootstrap'] as const) {
      const { confidenceIntervals: idle } = await of(ciMethod, weighing(45));
      const { confidenceIntervals: absent } = await of(ciMethod, {
        X: present.map((row) => X[row]),
        y: present.map((row) => y[row]),
        patientIds: present.map((row) => patientIds[row]),
        cv: new PredefinedSplit({ testFold: present.map((row) => Math.floor(row / 3) % 5) }),
      });
      expect(idle).toEqual(absent);
      expect(idle.accuracy).toMatchObject({ nUnits: 15, nTrain: 12 });
    }
    const few = await of('bootstrap', weighing(27));
    expect(few.confidenceIntervals.accuracy).toMatchObject({ lower: null, reason: 'only 9 patients, fewer than 10' });
  });

  it('says so when a metric does not read the weights that are given', async () => {
    const run = (sampleWeight?: number[]) =>
      validated({ nBootstrap: 100, metrics: ['blind_accuracy', 'accuracy'] }, { sampleWeight });
    const warnings = (await run(y.map((_, row) => 1 + (row % 2)))).manifest.warnings;
    expect(warnings).toContain(
      '`sampleWeight` leaves rows of weight 0 out of blind_accuracy and has no other effect there. A metric that honours weights says so: `weighted: true` in defineMetric.',
    );
    const plain = await run();
    expect(plain.manifest.warnings.join()).not.toContain('sampleWeight');
    const { blind_accuracy: blind, accuracy } = plain.confidenceIntervals;
    expect([blind.lower, blind.upper]).toEqual([
      expect.closeTo(accuracy.lower as number, 12),
      expect.closeTo(accuracy.upper as number, 12),
    ]);
    expect(blind.note).not.toContain('end of its range');
  });
});

describe('estimates', () => {
  const metrics = ['roc_auc', 'precision', 'accuracy'];

  it('are the numbers that intervals are about and summaries show first, of `run` too', async () => {
    const cv = new KFold({ nSplits: 7, shuffle: true, randomState: 3 });
    const result = await validated({ nBootstrap: 100, metrics }, { cv });
    const run = await new UniversalCVRunner({ cvSplitter: cv, ...quiet() }).run({ model, data: [X, y], metrics });
    expect(result.estimates).toEqual(run.estimates);
    for (const name of metrics) {
      expect(result.estimates[name]).toBe(result.confidenceIntervals[name].estimate);
      const shown = (result.estimates[name] as number).toFixed(3);
      // A score with notes of its own is marked.
      expect(result.summary()).toMatch(new RegExp(`${name}(?: \\*)? +${shown}`));
      expect(run.summary()).toMatch(new RegExp(`${name} +${shown}`));
    }
    expect(result.estimates.roc_auc).toBeCloseTo(result.meanScores.roc_auc as number, 12);
    const { yTrue, yPred } = result.outOfFold;
    const said = Array.from(yPred, (label, row) => [label, yTrue[row]] as const).filter(([label]) => label === 1);
    expect(result.estimates.precision).toBeCloseTo(said.filter(([, truth]) => truth === 1).length / said.length, 12);
  });

  it('follow the method, and need no interval', async () => {
    const of = (options: object) => validated({ metrics: ['precision'], ...options });
    const t = await of({ ciMethod: 'corrected_t' });
    expect(t.estimates.precision).toBeCloseTo(t.meanScores.precision as number, 12);
    const none = await of({ returnConfidenceIntervals: false });
    expect(none.estimates).toEqual((await of({ nBootstrap: 100 })).estimates);
    const between = await of({ method: 'bootstrap', bootstrapEstimator: '.632', returnConfidenceIntervals: false });
    expect(between.estimates.precision).toBe(between.bootstrapEstimates?.precision.value);
  });
});

describe('the default interval', () => {
  it('of a fixed score is about that of Wilson: WDBC, the mean radius over 30', async () => {
    const { X: rows, y: labels } = await loadCancerImaging();
    const call = { model: () => new ByFeature(30), X: rows, y: labels, adapter: undefined };
    const { confidenceIntervals } = await validated({ metrics: ['specificity', 'sensitivity'] }, call as never);
    // 357 benign and 212 malignant rows
    for (const [name, n] of [
      ['specificity', 357],
      ['sensitivity', 212],
    ] as const) {
      const { estimate, lower, upper } = confidenceIntervals[name];
      const [low, high] = wilson(estimate as number, n, 0.95);
      expect(Math.abs((lower as number) - low)).toBeLessThan(0.012);
      expect(Math.abs((upper as number) - high)).toBeLessThan(0.012);
    }
    expect(confidenceIntervals.specificity.lower).toBeGreaterThan(0.93);
  });

  it('of sensitivity is that of specificity where the other label is the positive one', async () => {
    const of = async (positiveLabel: number, ciMethod: 'bootstrap' | 'analytic') => {
      const call = { model: () => new ByLabel(), adapter: undefined, positiveLabel };
      return (await validated({ metrics: ['sensitivity', 'specificity'], ciMethod }, call as never))
        .confidenceIntervals;
    };
    for (const ciMethod of ['bootstrap', 'analytic'] as const) {
      const [one, zero] = [await of(1, ciMethod), await of(0, ciMethod)];
      expect(zero.specificity).toEqual(one.sensitivity);
      expect(zero.sensitivity).toEqual(one.specificity);
    }
  });

  it('of a model that is not trained speaks of no training, whatever the method', async () => {
    const { adapter } = spyAdapter();
    const fixed = {
      ...adapter,
      capabilities: { ...adapter.capabilities, trains: false, why: 'it can only predict' },
      build: async () => new NearestMean().fit(X, y),
    };
    for (const ciMethod of ['bootstrap', 'analytic', 'corrected_t'] as const) {
      const { manifest, confidenceIntervals } = await validated(
        { ciMethod, metrics: ['accuracy'] },
        { adapter: fixed },
      );
      expect(manifest.fixedModel).toBe('it can only predict');
      expect(confidenceIntervals.accuracy).toMatchObject({
        estimand: 'predictions',
        note: expect.stringContaining('A fixed model: folds show spread, not training.'),
      });
      expect(confidenceIntervals.accuracy.note).not.toContain('another training set');
    }
  });

  it('of a fixed model with a cut-off or recalibration fitted in each fold is told score by score', async () => {
    const of = async (adjustment: object) => {
      const call = { model: () => new ByFeature(), adapter: undefined, ...adjustment };
      const options = { metrics: ['roc_auc', 'brier', 'sensitivity'], nBootstrap: 100 };
      const { confidenceIntervals } = await validated(options, call as never);
      return Object.entries(confidenceIntervals).flatMap(([name, { note }]) =>
        note?.includes('A fixed model') ? [name] : [],
      );
    };
    expect(await of({})).toEqual(['roc_auc', 'brier', 'sensitivity']);
    // statistics.md, step 5: what depends on a threshold or a recalibration fitted per fold counts as trained.
    expect(await of({ threshold: 'youden' })).toEqual(['roc_auc', 'brier']);
    expect(await of({ threshold: { fixed: 0.4 } })).toEqual(['roc_auc', 'brier', 'sensitivity']);
    expect(await of({ recalibrate: 'platt' })).toEqual([]);
  });

  it('warns where the folds differ more than their test rows explain', async () => {
    // Folds by feature: the second half of the rows has its labels turned round.
    const turned = y.map((label, row) => (row < 30 ? label : 1 - label));
    const cv = new PredefinedSplit({ testFold: y.map((_, row) => (row < 30 ? 0 : 1)) });
    const of = (model: () => ByFeature) =>
      validated({ metrics: ['accuracy'] }, { model, y: turned, cv, adapter: undefined } as never);
    const said = 'The folds differ more than their test rows explain in accuracy';
    const { manifest, confidenceIntervals } = await of(() => new Learned());
    expect(confidenceIntervals.accuracy.heterogeneity?.pValue).toBeLessThan(0.01);
    expect(manifest.warnings.join(' ')).toContain(said);
    // No other training set would change a fixed model.
    const fixed = await of(() => new ByFeature());
    expect(fixed.manifest.fixedModel).not.toBeNull();
    expect(fixed.manifest.warnings.join(' ')).not.toContain(said);
  });
});

describe('CVKitValidator.fitValidate', () => {
  const parts = { XTrain: X.slice(0, 40), yTrain: y.slice(0, 40), XTest: X.slice(40), yTest: y.slice(40) };

  it('trains on one set and tests on the other, once', async () => {
    const { adapter, spy } = spyAdapter();
    const result = await new CVKitValidator({ nBootstrap: 100 }).fitValidate({ model, ...parts, adapter, verbose: 0 });
    expect(spy.trainedOn).toEqual([Array.from({ length: 40 }, (_, i) => i)]);
    expect(Array.from(result.outOfFold.row)).toEqual(Array.from({ length: 20 }, (_, i) => 40 + i));
    expect(result.outOfFold.yTrue).toEqual(parts.yTest);
    expect(result.manifest).toMatchObject({ method: 'given test set', nSplits: 1 });
  });

  it('finds a patient on both sides', async () => {
    const result = await new CVKitValidator({ nBootstrap: 100 }).fitValidate({
      model,
      ...parts,
      patientIds: Array.from({ length: 40 }, (_, i) => i),
      testPatientIds: Array.from({ length: 20 }, (_, i) => 35 + i),
      ...quiet(),
    });
    expect(result.checks[0]).toMatchObject({ status: 'failed', evidence: { patients: 5 } });
  });

  const tested = async (options: object, named: { fitted?: ArrayLike<number>[] } = {}) => {
    const { adapter, spy } = spyAdapter();
    const call = { model, ...parts, metrics: ['accuracy'], adapter, verbose: 0, ...options };
    const result = await new CVKitValidator({ nBootstrap: 100 }).fitValidate(call);
    named.fitted = spy.trainedOn;
    return result;
  };
  const unknown = (set: string, option: string) => ({
    ...{ code: 'CVL001', status: 'not_evaluated' },
    message: `The patients of the ${set} rows are not known.`,
    fix: `Pass \`${option}\`, too.`,
  });

  it.each([String, Number])('takes the patients of the test rows alone: they are the units', async (kind) => {
    const testPatientIds = parts.yTest.map((_, row) => kind(row % 10));
    const acknowledged = { CVR004: 'the model is one column' };
    const result = await tested({ testPatientIds, acknowledged });
    expect(result.checks[0]).toMatchObject(unknown('training', 'patientIds'));
    expect(result.outOfFold.group).toEqual(testPatientIds);
    expect(result.confidenceIntervals.accuracy).toMatchObject({ unit: 'patient', nUnits: 10, nTrain: null });
    expect(result.manifest.nGroups).toBeNull();
    expect(result.verdict.text).toContain('not evaluated (patient');
    const both = await tested({
      testPatientIds,
      acknowledged,
      patientIds: parts.yTrain.map((_, row) => kind(row + 10)),
    });
    const { nTrain, ...interval } = both.confidenceIntervals.accuracy;
    expect([nTrain, { ...interval, nTrain: null }]).toEqual([40, result.confidenceIntervals.accuracy]);
  });

  it.each([String, Number])(
    'takes the patients of the training rows alone: inner parts keep them whole',
    async (kind) => {
      const patientIds = parts.yTrain.map((_, row) => kind(row % 8));
      const named: { fitted?: ArrayLike<number>[] } = {};
      const result = await tested({ patientIds, validation: 0.3, epochs: 1 }, named);
      expect(result.checks[0]).toMatchObject(unknown('test', 'testPatientIds'));
      expect(result.outOfFold.group).toBeNull();
      expect(result.confidenceIntervals.accuracy).toMatchObject({ unit: 'row', nUnits: 20 });
      const fitted = Array.from(named.fitted?.[0] ?? []);
      const inside = new Set(fitted.map((row) => row % 8));
      expect(fitted).toHaveLength(inside.size * 5);
      expect(inside.size).toBeLessThan(8);
    },
  );

  it('takes either weights alone: the other rows weigh 1', async () => {
    const weights = { train: parts.yTrain.map((_, row) => 1 + (row % 3)), test: parts.yTest.map((_, row) => row % 4) };
    const [ones, none] = [parts.yTest.map(() => 1), await tested({})];
    const ofTest = await tested({ sampleWeightTest: weights.test });
    expect(ofTest.outOfFold.yPred).toEqual(none.outOfFold.yPred);
    const right = none.outOfFold.yPred.map((label, row) => Number(label === parts.yTest[row]));
    const sum = (values: number[]) => values.reduce((total, each) => total + each, 0);
    const expected = sum(right.map((each, row) => each * weights.test[row])) / sum(weights.test);
    expect(ofTest.estimates.accuracy).toBeCloseTo(expected, 12);
    const ofTrain = await tested({ sampleWeight: weights.train });
    const both = await tested({ sampleWeight: weights.train, sampleWeightTest: ones });
    expect(ofTrain.confidenceIntervals).toEqual(both.confidenceIntervals);
    expect(Array.from(ofTrain.outOfFold.weight ?? [])).toEqual(ones);
  });
});

it('accepts snake_case and aliases', async () => {
  const options = { n_splits: 3, ci_level: 0.9, n_repeats: 2, method: 'repeated_kfold' };
  const fine = await validated(options as never);
  expect(fine.foldDetails).toHaveLength(6);
  expect(fine.ciLevel).toBe(0.9);
});
