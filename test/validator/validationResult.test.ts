import { beforeAll, describe, expect, it } from 'vitest';
import { balanceChecks, leakageChecks } from '../../src/checkers/builtInChecks.js';
import type { CheckResult } from '../../src/checkers/check.js';
import { DataLeakageChecker } from '../../src/checkers/dataLeakageChecker.js';
import { RESULT_CHECKS } from '../../src/checkers/resultChecks.js';
import { ClinicalMetrics } from '../../src/clinical/clinicalMetrics.js';
import type { CheckStatus } from '../../src/core/checkOutcome.js';
import { InvalidOptionError } from '../../src/core/errors.js';
import { randomSource } from '../../src/core/random.js';
import { loadCancerImaging } from '../../src/datasets/loadCancerImaging.js';
import { LogisticRegression } from '../../src/estimators/logisticRegression.js';
import type { CVResults } from '../../src/runner/cvResults.js';
import { LeaveOneGroupOut } from '../../src/splitters/grouped/leaveOneGroupOut.js';
import { LOOCV } from '../../src/splitters/iid/loocv.js';
import { PredefinedSplit } from '../../src/splitters/iid/predefinedSplit.js';
import { StratifiedKFold } from '../../src/splitters/iid/stratifiedKFold.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { evaluate } from '../../src/validator/evaluate.js';
import { type Manifest, ValidationResult } from '../../src/validator/validationResult.js';
import { NearestMean } from '../helpers/nearestMean.js';
import { someResult } from '../helpers/result.js';
import { Given } from '../stats/given.js';

/** The codes of the checks of this package. */
const CHECKS = [...leakageChecks, ...balanceChecks, ...Object.values(RESULT_CHECKS)].map(({ code }) => code);
let result: ValidationResult;
beforeAll(async () => {
  result = await someResult();
});

const verdict = (statuses: readonly CheckStatus[], foldsFailed = 0) =>
  new ValidationResult({
    cv: { metadata: { foldsFailed }, estimates: {}, foldDetails: [] } as unknown as CVResults,
    confidenceIntervals: {},
    intervalsOf: () => ({}),
    averages: {},
    baseline: null,
    bootstrapEstimates: null,
    leakageReport: null,
    balance: null,
    evidenceOf: null,
    tableOne: null,
    checks: statuses.map((status): CheckResult => ({ ...result.checks[0], status, fix: `mend ${status}` })),
    manifest: {} as Manifest,
  });

describe('overallStatus', () => {
  it('is that of the checks, and never passed with a failed fold', () => {
    expect(verdict(['passed']).overallStatus).toBe('passed');
    expect(verdict(['passed'], 1).overallStatus).toBe('needs_review');
    expect(verdict(['failed'], 1).overallStatus).toBe('failed');
  });

  it('recommends what the checks that did not pass advise', () => {
    expect(verdict(['passed', 'failed', 'needs_review']).recommendations).toEqual(['mend failed', 'mend needs_review']);
  });
});

/** Standardises by its training rows alone, then takes the class of the nearer mean. */
class ScaledMean extends NearestMean {
  #mean: number[] = [];
  #sd: number[] = [];
  override fit(X: number[][], labels: unknown[]): this {
    const over = (of: (row: number[], at: number) => number) =>
      X[0].map((_, at) => X.reduce((sum, row) => sum + of(row, at), 0) / X.length);
    this.#mean = over((row, at) => row[at]);
    this.#sd = over((row, at) => (row[at] - this.#mean[at]) ** 2).map(Math.sqrt);
    return super.fit(this.#scaled(X), labels);
  }
  override predict(X: number[][]): unknown[] {
    return super.predict(this.#scaled(X));
  }
  #scaled = (X: number[][]) => X.map((row) => row.map((value, at) => (value - this.#mean[at]) / this.#sd[at]));
}

describe('the verdict on the breast cancer data', async () => {
  const { X, y, featureNames } = await loadCancerImaging();
  const rows = X as number[][];
  const alone = { independentRows: true, preparedInside: true };
  const judged = async (changed: object, constructed: object = alone) => {
    const validator = new CVKitValidator({ nBootstrap: 100, metrics: ['accuracy'], ...constructed });
    return validator.validate({ model: () => new ScaledMean(), X: rows, y, verbose: 0, ...changed });
  };

  it('is PASSED for data as measured, rows of their own, and a model that prepares inside', async () => {
    const { verdict, overallStatus, checks, manifest } = await judged({});
    expect(checks.filter(({ status }) => !['passed', 'not_applicable'].includes(status))).toEqual([]);
    expect(verdict.text).toBe('PASSED: every check that applies was made and passed');
    expect(overallStatus).toBe('passed');
    expect(verdict.authorsWord).toEqual(['independentRows', 'preparedInside']);
    expect(manifest).toMatchObject(alone);
  });

  it('is PASSED for patients with several rows in folds that keep them whole', async () => {
    const patientIds = rows.map((_, row) => `p${row >> 1}`);
    const { verdict, manifest } = await judged({ patientIds }, { preparedInside: true });
    expect(manifest.method).toBe('stratified_group_kfold');
    expect(verdict.status).toBe('passed');
  });

  it('asks for what nobody said', async () => {
    const { verdict } = await judged({}, {});
    expect(verdict.text).toBe(
      `NOT FULLY VERIFIED: 2 of ${CHECKS.length} checks not evaluated (patient, preprocessing)`,
    );
    const named = rows.map((row, at) => ({
      ...Object.fromEntries(featureNames.slice(0, 8).map((name, of) => [name, row[of]])),
      hospital: `h${at % 3}`,
    }));
    const open = await new DataLeakageChecker().check(named, y, alone);
    expect(open.verdict).toMatchObject({ status: 'not_fully_verified', open: ['hierarchical', 'site_confounding'] });
  });

  const columns = rows.map((row) => row.slice(0, 3));
  const rare = y.map((label, row) => (Number(label) === 1 && row % 10 > 0 ? 0 : label)) as number[];

  it('lets stand what the author acknowledges, as his word in every form of the report', async () => {
    const acknowledged = { CVB001: 'rare outcome by design' };
    const asked = { X: columns, y: rare };
    const open = await judged(asked);
    expect(open.overallStatus).toBe('needs_review');
    expect(open.recommendations.join(' ')).toContain("`acknowledged: { CVB001: 'why' }`");
    const advised = await judged(asked, { ...alone, metrics: ['roc_auc', 'balanced_accuracy'] });
    expect(advised.overallStatus).toBe('passed');
    for (const result of [await judged(asked, { ...alone, acknowledged }), await judged({ ...asked, acknowledged })]) {
      expect(result.overallStatus).toBe('passed_with_acknowledgements');
      expect(result.checks.find(({ code }) => code === 'CVB001')).toMatchObject({ acknowledged: acknowledged.CVB001 });
      expect(result.manifest.acknowledged).toEqual(acknowledged);
      expect(result.recommendations).toEqual([]);
      const json = JSON.stringify(result.toJSON());
      const summary = result.summary().replace(/\s+/g, ' ');
      for (const text of [summary, result.toMarkdown(), await result.toHTML(), json]) {
        expect(text).toContain('CVB001: rare outcome by design');
      }
      expect(json).toContain('"overallStatus":"passed_with_acknowledgements"');
    }
  });

  it('lets nobody acknowledge what failed, did not arise or is no check', async () => {
    const twice = [...columns.slice(0, 566), ...columns.slice(0, 3)];
    const failed = await judged({ X: twice, acknowledged: { CVL002: 'I know', CVL009: 'nothing' } });
    expect(failed.overallStatus).toBe('failed');
    for (const code of ['CVL002', 'CVL009']) {
      expect(failed.checks.find((each) => each.code === code)).not.toHaveProperty('acknowledged');
      expect(failed.manifest.warnings.some((warning) => warning.includes(`no effect on ${code}`))).toBe(true);
    }
    await expect(judged({ X: columns, acknowledged: { CVB01: 'x' } })).rejects.toThrow(InvalidOptionError);
    for (const [reason, got] of [
      [' ', "Got ' ' for CVB001."],
      [1, 'Got 1 for CVB001.'],
      [null, 'Got null for CVB001.'],
    ]) {
      expect(() => new CVKitValidator({ acknowledged: { CVL002: 'x', CVB001: reason } as never })).toThrow(
        got as string,
      );
    }
    const checker = new DataLeakageChecker({ verbose: false });
    await expect(checker.check(columns, y, { acknowledged: { CVL99: 'x' } })).rejects.toThrow(InvalidOptionError);
  });

  const pairs = rows.map((_, row) => `p${row >> 1}`);
  const random = randomSource(5);
  it.each<[string, object, object, string]>([
    ['patients on both sides', { patientIds: pairs }, { method: 'kfold', preparedInside: true }, 'patient'],
    ['six rows that are three twice', { X: [...rows.slice(0, 566), ...rows.slice(0, 3)] }, alone, 'duplicate'],
    [
      'a row that is nearly another',
      { X: [...rows.slice(0, 568), rows[0].map((value) => value * (1 + 1e-4 * random.random()))] },
      alone,
      'near_duplicate',
    ],
    [
      'the outcome as a feature',
      { X: rows.map((row, at) => [...row, 2 * Number(y[at]) + 1]) },
      alone,
      'feature_target',
    ],
    [
      'later rows that teach',
      { timestamps: rows.map((_, row) => row), design: 'prospective' },
      { ...alone, method: 'kfold' },
      'temporal',
    ],
    [
      'sites in several parts',
      { hierarchy: { site: rows.map((_, row) => row % 9) }, design: 'deployment' },
      alone,
      'hierarchical',
    ],
  ])('is FAILED for a planted leak, with its share: %s', async (_, changed, constructed, type) => {
    const { verdict } = await judged(changed, constructed);
    expect(verdict.worst).toMatchObject({ type, status: 'failed' });
    shares[type] = verdict.text;
  });
  const shares: Record<string, string> = {};

  it('says how much of the data the leak concerns', () => {
    expect(shares).toEqual({
      duplicate: expect.stringMatching(/^FAILED.*CVL002.* 6 of 569 /),
      feature_target: expect.stringMatching(/^FAILED.*CVL009.* 1 of 31 /),
      hierarchical: expect.stringMatching(/^FAILED.*CVL008.* 569 of 569 /),
      near_duplicate: expect.stringMatching(/^FAILED.*CVL003.* 1 of 569 /),
      patient: expect.stringMatching(/^FAILED.*CVL001.* 458 of 569 /),
      temporal: expect.stringMatching(/^FAILED.*CVL004.* 2,266 of 2,276 /),
    });
  });

  it('asks for a look at scaling over all rows, whatever is declared', async () => {
    const mean = rows[0].map((_, at) => rows.reduce((sum, row) => sum + row[at], 0) / rows.length);
    const sd = mean.map((m, at) => Math.sqrt(rows.reduce((sum, row) => sum + (row[at] - m) ** 2, 0) / rows.length));
    const { verdict } = await judged({ X: rows.map((row) => row.map((value, at) => (value - mean[at]) / sd[at])) });
    expect(verdict.text).toBe('NEEDS REVIEW: CVL010 preprocessing (low), 30 of 30 columns');
  });
});

describe('forms', () => {
  it('JSON holds plain values and everything but the models', () => {
    const json = result.toJSON();
    expect(JSON.parse(JSON.stringify(json))).toEqual(json);
    expect(Object.keys(json)).toEqual(
      expect.arrayContaining(['scores', 'confidenceIntervals', 'checks', 'manifest', 'outOfFold']),
    );
    expect(json).not.toHaveProperty('models');
  });

  it('text, Markdown and HTML come from the same result', async () => {
    for (const form of [result.summary(), result.toMarkdown(), await result.toHTML()]) {
      expect(form.replace(/\s+/g, ' ')).toContain(result.verdict.text);
    }
  });
});

describe('areas under the curve of noise', () => {
  const random = randomSource(7);
  // 24 people of 4 rows, each of one class: folds that leave out a person, or a row, have one class alone.
  const person = Array.from({ length: 96 }, (_, row) => row >> 2);
  const labels = person.map((each) => each % 2);
  const noise = person.map(() => [random.random(), random.random()]);
  const given = { model: () => new LogisticRegression(), X: noise, y: labels, verbose: 0 } as const;
  const declared = { metrics: ['roc_auc', 'accuracy'], preparedInside: true, nBootstrap: 100 };

  it.each([
    ['leave-one-out', { cv: new LOOCV() }, { ...declared, independentRows: true }],
    ['folds of single rows', { cv: 96, method: undefined }, { ...declared, independentRows: true, method: 'kfold' }],
    ['a person left out in turn', { cv: new LeaveOneGroupOut(), patientIds: person }, declared],
  ])('are biased, have no interval and are not passed: %s', async (_, call, constructed) => {
    const { method: _m, ...more } = call as { method?: unknown };
    for (const returnConfidenceIntervals of [true, false]) {
      const { nBootstrap, ...rest } = constructed;
      const options = returnConfidenceIntervals ? constructed : { ...rest, returnConfidenceIntervals };
      const found = await new CVKitValidator(options).validate({ ...given, ...more });
      expect(found.estimates.roc_auc).toBeLessThan(0.5);
      expect(found.overallStatus).toBe('needs_review');
      expect(found.verdict.text).toMatch(/roc_auc .*LPOCV with p = 2/);
      expect(found.manifest.warnings.join()).toMatch(/Parker 2007; Airola 2011.*StratifiedGroupKFold/);
      if (!returnConfidenceIntervals) continue;
      expect(found.confidenceIntervals.roc_auc).toMatchObject({
        lower: null,
        reason: expect.stringContaining('LPOCV'),
      });
      expect(found.confidenceIntervals.accuracy.lower).toEqual(expect.any(Number));
    }
  });

  it('of one model for all rows are compared on one scale', async () => {
    const model = () => new Given();
    const found = await new CVKitValidator({ ...declared, independentRows: true }).validate({
      ...given,
      model,
      cv: new LOOCV(),
    });
    expect(found.confidenceIntervals.roc_auc.lower).toEqual(expect.any(Number));
    expect(found.verdict.text).not.toContain('roc_auc');
  });

  it('of one model do not depend on the folds; a recalibration of each fold makes them models of their own', async () => {
    const of = async (n: number, more = {}) => {
      const cv = new StratifiedKFold({ nSplits: n, shuffle: true, randomState: n });
      const validator = new CVKitValidator({ ...declared, independentRows: true, ciMethod: 'oof_bootstrap' });
      return validator.validate({ ...given, model: () => new Given(), cv, ...more });
    };
    const [first, second, recalibrated] = [await of(3), await of(8), await of(8, { recalibrate: 'isotonic' })];
    const { estimate, lower, upper } = first.confidenceIntervals.roc_auc;
    expect(first.meanScores.roc_auc).not.toBeCloseTo(second.meanScores.roc_auc as number, 3);
    expect(second.estimates.roc_auc).toBeCloseTo(estimate as number, 12);
    expect(second.confidenceIntervals.roc_auc.lower).toBeCloseTo(lower as number, 12);
    expect(second.confidenceIntervals.roc_auc.upper).toBeCloseTo(upper as number, 12);
    expect(recalibrated.estimates.roc_auc).toBeCloseTo(recalibrated.meanScores.roc_auc as number, 12);
  });

  it('of one model over sites that differ is that over all rows', async () => {
    // Ranks are right within each of 4 sites, and scores at another level in each: pooled, many pairs are in the wrong order.
    const X = labels.map((label, row) => [Math.floor(row / 24) * 0.2 + 0.1 * label + 0.002 * (row % 24)]);
    const testFold = labels.map((_, row) => Math.floor(row / 24));
    const pairs = X.flatMap(([a], i) =>
      X.flatMap(([b], j) => (labels[i] === 1 && labels[j] === 0 ? [Number(a > b)] : [])),
    );
    const pooled = pairs.reduce((sum, each) => sum + each, 0) / pairs.length;
    const found = await new CVKitValidator({ ...declared, independentRows: true, ciFits: 0 }).validate({
      ...given,
      X,
      model: () => new Given(),
      cv: new PredefinedSplit({ testFold }),
    });
    expect(found.estimates.roc_auc).toBeCloseTo(pooled, 12);
    expect(found.confidenceIntervals.roc_auc.estimate).toBeCloseTo(pooled, 12);
    expect(found.meanScores.roc_auc).toBe(1);
    expect(found.averages.roc_auc.pooled).toBeCloseTo(pooled, 12);
    const text = `roc_auc of the fixed model is ${pooled.toFixed(3)} over all rows, and 1.000 as the mean within folds`;
    expect(found.manifest.warnings.join()).toContain(text);
    expect(found.summary().replace(/\s+/g, ' ')).toContain(text);
  });

  it('hide a positive label that reads like the id of a patient, as among the classes', async () => {
    const yTrue = labels.map((label) => `M-1000${label}`);
    const asked = { yTrue, yPred: yTrue, positiveLabel: 'M-10001', metrics: ['accuracy'], nBootstrap: 100 };
    const found = await evaluate(asked as never);
    expect([found.manifest.classes, found.manifest.positiveLabel]).toEqual([['number 0', 'number 1'], 'number 1']);
    expect(JSON.stringify(found.manifest) + found.summary() + found.toMarkdown()).not.toContain('M-1000');
  });

  it('are worse than chance where the classes are swapped', async () => {
    const yProba = labels.map((label, row) => 0.2 + 0.5 * (1 - label) + 0.01 * (row % 30));
    for (const positiveLabel of [0, 1]) {
      const found = await evaluate({ yTrue: labels, yProba, positiveLabel, metrics: ['roc_auc'], nBootstrap: 100 });
      const worse = found.estimates.roc_auc === null || found.estimates.roc_auc < 0.5;
      expect(worse).toBe(positiveLabel === 1);
      expect(found.manifest.warnings.some((text) => text.includes('is the positive class the right one'))).toBe(worse);
    }
    // Three of ten labels are right: surely below 1/2 of two classes, not below 1/3 of three.
    for (const classes of [2, 3]) {
      const yTrue = Array.from({ length: 300 }, (_, row) => row % classes);
      const yPred = yTrue.map((label, row) => (row % 10 < 3 ? label : (label + 1) % classes));
      const asked = { yTrue, yPred, metrics: ['mcc', 'balanced_accuracy', 'cohen_kappa', 'accuracy'], nBootstrap: 100 };
      const { manifest } = await evaluate(asked as never);
      const named = manifest.warnings
        .filter((text) => text.includes('Worse than chance'))
        .map((text) => text.split(' ')[0]);
      expect(named).toEqual(classes === 2 ? ['mcc', 'balanced_accuracy', 'cohen_kappa'] : []);
    }
    // Chance gives the prevalence as average precision, and 0 to what compares with one value for every row.
    const wrong = {
      yTrue: labels,
      yProba,
      positiveLabel: 1,
      metrics: ['average_precision', 'scaled_brier'],
      nBootstrap: 100,
    };
    const below = (await evaluate(wrong as never)).manifest.warnings.filter((text) => text.includes('Worse than'));
    expect(below.map((text) => text.replace(/ is .*(Worse than \w+).*/, ': $1'))).toEqual([
      'average_precision: Worse than chance',
      'scaled_brier: Worse than one',
    ]);
    const times = Array.from({ length: 200 }, (_, row) => row % 50);
    const turned = {
      yTrue: times,
      yPred: times.map((time) => 49 - time),
      task: 'regression',
      metrics: ['r2', 'concordance_correlation', 'mae'],
      nBootstrap: 100,
    };
    const { manifest } = await evaluate(turned as never);
    expect(
      manifest.warnings.filter((text) => text.includes('Worse than one value')).map((text) => text.split(' ')[0]),
    ).toEqual(['r2', 'concordance_correlation']);
    const metrics = new ClinicalMetrics().calculateAll(
      labels,
      labels.map((label) => 1 - label),
      { yProba },
    );
    expect(metrics.rocAuc?.note).toContain('is the positive class the right one');
  });
});
