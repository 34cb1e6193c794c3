import { describe, expect, it } from 'vitest';
import { balanceChecks, leakageChecks } from '../../src/checkers/builtInChecks.js';
import { RESULT_CHECKS } from '../../src/checkers/resultChecks.js';
import { CVKitValidator, evaluate, RepeatedGroupKFold, StratifiedGroupKFold } from '../../src/index.js';
import { rejection } from '../helpers/failure.js';
import { blobs, NearestMean, spyAdapter } from '../helpers/nearestMean.js';

/** The codes of the checks of this package. */
const CHECKS = [...leakageChecks, ...balanceChecks, ...Object.values(RESULT_CHECKS)].map(({ code }) => code);
const yTrue = [0, 0, 1, 1, 1, 0, 1, 0, 0, 1, 0, 0];
const yProba = [0.1, 0.4, 0.35, 0.8, 0.9, 0.6, 0.55, 0.2, 0.3, 0.7, 0.5, 0.05];
const yPred = yProba.map((p) => (p > 0.5 ? 1 : 0));
const weights = [1, 2, 1, 3, 1, 1, 2, 1, 1, 1, 2, 1];
const valuesOf = (result: Awaited<ReturnType<typeof evaluate>>) =>
  Object.fromEntries(Object.entries(result.scores).map(([name, scores]) => [name, scores.map(({ value }) => value)]));
const close = (value: number) => expect.closeTo(value, 9);

describe('scores', () => {
  // scikit-learn 1.9.1: roc_auc_score, brier_score_loss, log_loss, recall_score of the rows above, labels cut at .5.
  it('equal scikit-learn for one column of P(positive), labels cut at .5', async () => {
    const metrics = ['roc_auc', 'brier', 'log_loss', 'sensitivity', 'specificity'];
    expect(valuesOf(await evaluate({ yTrue, yProba, metrics }))).toEqual({
      roc_auc: [close(0.8857142857142857)],
      brier: [close(0.13979166666666668)],
      log_loss: [close(0.43246449813862303)],
      sensitivity: [0.8],
      specificity: [close(0.8571428571428571)],
    });
  });

  it('equal scikit-learn with weights', async () => {
    const result = await evaluate({ yTrue, yProba, sampleWeight: weights, metrics: ['roc_auc', 'accuracy'] });
    expect(valuesOf(result)).toEqual({ roc_auc: [close(0.9027777777777777)], accuracy: [close(0.8823529411764706)] });
  });

  it('equal scikit-learn for columns in an order of their own, and for regression', async () => {
    const proba = [
      [0.2, 0.7, 0.1],
      [0.1, 0.3, 0.6],
      [0.8, 0.1, 0.1],
      [0.3, 0.5, 0.2],
      [0.5, 0.2, 0.3],
      [0.2, 0.2, 0.6],
    ];
    const labels = ['a', 'b', 'c', 'a', 'c', 'b'];
    const metrics = ['accuracy', 'log_loss'];
    const several = await evaluate({ yTrue: labels, yProba: proba, classes: ['c', 'a', 'b'], metrics });
    expect(valuesOf(several)).toEqual({ accuracy: [1], log_loss: [close(0.4979606839841357)] });
    const numbers = await evaluate({ yTrue: [3, -0.5, 2, 7], yPred: [2.5, 0, 2, 8], metrics: ['r2', 'mae'] });
    expect(valuesOf(numbers)).toEqual({ r2: [close(0.9486081370449679)], mae: [0.5] });
  });

  it('take P(positive) from two columns, whichever class sorts last', async () => {
    // By scikit-learn as above; 'case' is the positive class and sorts first.
    const labels = yTrue.map((label) => (label ? 'case' : 'control'));
    const metrics = ['roc_auc', 'sensitivity'];
    const expected = { roc_auc: [close(0.8857142857142857)], sensitivity: [0.8] };
    const two = yProba.map((p) => [p, 1 - p]);
    expect(valuesOf(await evaluate({ yTrue: labels, yProba, metrics }))).toEqual(expected);
    expect(valuesOf(await evaluate({ yTrue: labels, yProba: two, metrics }))).toEqual(expected);
    const turned = two.map(([p, q]) => [q, p]);
    expect(valuesOf(await evaluate({ yTrue: labels, yProba: turned, classes: ['control', 'case'], metrics }))).toEqual(
      expected,
    );
  });

  it('keep labels that were cut elsewhere, and need no probabilities', async () => {
    const cut = yProba.map((p) => (p > 0.33 ? 1 : 0));
    const both = await evaluate({ yTrue, yPred: cut, yProba, metrics: ['sensitivity', 'roc_auc'] });
    expect(valuesOf(both)).toEqual({ sensitivity: [1], roc_auc: [close(0.8857142857142857)] });
    const labels = await evaluate({ yTrue, yPred });
    expect(labels.scores.roc_auc[0]).toMatchObject({ value: null });
    expect(labels.scores.sensitivity[0].value).toBe(0.8);
  });

  it('take typed arrays and { data, shape }', async () => {
    const data = Float32Array.from(yProba.flatMap((p) => [1 - p, p]));
    const result = await evaluate({ yTrue: Int32Array.from(yTrue), yProba: { data, shape: [12, 2] } });
    expect(result.scores.roc_auc[0].value).toBeCloseTo(0.8857142857142857, 6);
  });
});

describe('intervals', () => {
  const many = Array.from({ length: 10 }, () => yTrue).flat();
  const proba = Array.from({ length: 10 }, () => yProba).flat();

  it('are about these predictions; patients are the units', async () => {
    const patientIds = many.map((_, row) => `p${Math.floor(row / 4)}`);
    const { confidenceIntervals } = await evaluate({ yTrue: many, yProba: proba, patientIds });
    expect(confidenceIntervals.roc_auc).toMatchObject({
      estimand: 'predictions',
      unit: 'patient',
      nUnits: 30,
      nTrain: null,
    });
    const { lower, upper } = confidenceIntervals.sensitivity;
    expect([(lower as number) < 0.8, (upper as number) > 0.8]).toEqual([true, true]);
  });

  it('follow ciMethod: Wilson 1927 by its formula', async () => {
    const { confidenceIntervals } = await evaluate({
      yTrue: many,
      yProba: proba,
      ciMethod: 'wilson',
      metrics: ['accuracy'],
    });
    const [n, p, z] = [120, 100 / 120, 1.959963984540054];
    const centre = (p + (z * z) / (2 * n)) / (1 + (z * z) / n);
    const half = (z / (1 + (z * z) / n)) * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n));
    expect(confidenceIntervals.accuracy.lower).toBeCloseTo(centre - half, 6);
    expect(confidenceIntervals.accuracy.upper).toBeCloseTo(centre + half, 6);
  });

  it('are left out on request', async () => {
    const result = await evaluate({ yTrue: many, yProba: proba, returnConfidenceIntervals: false });
    expect(result.confidenceIntervals).toEqual({});
  });
});

describe('predictions of a cross-validation made elsewhere', () => {
  it('give the scores, averages and baseline of that run', async () => {
    const { X, y } = blobs(120);
    const patientIds = y.map((_, row) => Math.floor(row / 3));
    const cv = new StratifiedGroupKFold({ nSplits: 4, randomState: 1 });
    const model = () => new NearestMean();
    const run = await new CVKitValidator().validate({
      ...{ model, X, y, patientIds, cv, verbose: 0 },
      adapter: spyAdapter().adapter,
    });
    const { row, fold: tested } = run.outOfFold;
    const order = Array.from(row).map((_, at) => Array.from(row).indexOf(at));
    const fold = order.map((at) => tested[at]);
    const given = run.outOfFold.yProba;
    const proba = given && order.map((at) => given[at] as number);
    const predicted = order.map((at) => run.outOfFold.yPred[at]);
    const again = await evaluate({
      ...{ yTrue: y, yPred: predicted, patientIds, fold },
      ...(proba ? { yProba: proba } : {}),
      metrics: Object.keys(run.scores).filter((name) => proba || name !== 'roc_auc'),
    });
    for (const name of Object.keys(again.scores)) {
      expect([name, again.scores[name]]).toEqual([name, run.scores[name]]);
      expect([name, again.averages[name]]).toEqual([name, run.averages[name]]);
      expect([name, again.baseline?.[name]]).toEqual([name, run.baseline?.[name]]);
    }
    expect(again.checks.find(({ type }) => type === 'patient')).toMatchObject({ status: 'passed' });
  });

  it.each([1, 3])('join over repeats, of %i rows a patient', async (rowsEach) => {
    const { X, y } = blobs(120);
    const patientIds = y.map((_, row) => Math.floor(row / rowsEach));
    const cv = new RepeatedGroupKFold({ nSplits: 3, nRepeats: 2, randomState: 1 });
    const run = await new CVKitValidator().validate({
      ...{ model: () => new NearestMean(), X, y, patientIds, cv, metrics: ['accuracy', 'mcc'], verbose: 0 },
      adapter: spyAdapter().adapter,
    });
    const { fold, repeat, group, yTrue, yPred } = run.outOfFold;
    const joined = { yTrue: yTrue as number[], yPred: yPred as number[], patientIds: group as number[] };
    // Numbers of folds in the plan, and numbers of folds in a repeat.
    for (const numbers of [fold, fold.map((each) => each % 3)]) {
      const again = await evaluate({ ...joined, fold: numbers, repeat, metrics: ['accuracy', 'mcc'] });
      for (const name of ['accuracy', 'mcc']) {
        expect(again.scores[name]).toEqual(run.scores[name]);
        expect(again.averages[name]).toEqual(run.averages[name]);
        expect(again.baseline?.[name]).toEqual(run.baseline?.[name]);
      }
      expect(again.confidenceIntervals.accuracy).toMatchObject({ nUnits: 120 / rowsEach, unit: 'patient' });
      expect(again.outOfFold.repeat).toEqual(repeat);
      expect(again.checks.find(({ type }) => type === 'patient')).toMatchObject({ status: 'passed' });
    }
    const torn = { ...joined, fold: fold.map((each, row) => (row === 0 ? (each + 1) % 3 : each)), repeat };
    const found = (await evaluate(torn)).checks.find(({ type }) => type === 'patient');
    expect(found?.status).toBe(rowsEach === 1 ? 'passed' : 'failed');
  });

  it('show a patient in two folds, by a pseudonym', async () => {
    const patientIds = yTrue.map((_, row) => `SECRET-${row % 6}`);
    const fold = yTrue.map((_, row) => (row < 6 ? 'a' : 'b'));
    const result = await evaluate({ yTrue, yProba, patientIds, fold });
    expect(result.checks.find(({ type }) => type === 'patient')).toMatchObject({ status: 'failed' });
    expect(result.overallStatus).toBe('failed');
    expect(result.summary()).not.toContain('SECRET');
  });
});

describe('checks', () => {
  it('are not claimed where predictions alone cannot tell', async () => {
    const { checks, overallStatus, leakageReport } = await evaluate({ yTrue, yProba });
    const made = checks.filter(({ status }) => status !== 'not_evaluated' && status !== 'not_applicable');
    expect(made).toEqual([expect.objectContaining({ type: 'class_balance', status: 'passed' })]);
    expect(checks.map(({ code }) => code)).toEqual(CHECKS);
    expect([overallStatus, leakageReport?.hasLeakage]).toEqual(['not_fully_verified', false]);
  });

  it('say so of a rare class, and nothing of classes in regression', async () => {
    const rare = Array.from({ length: 60 }, (_, row) => (row < 2 ? 1 : 0));
    const balanceOf = async (input: Parameters<typeof evaluate>[0]) =>
      (await evaluate(input)).checks.find(({ type }) => type === 'class_balance')?.status;
    expect(await balanceOf({ yTrue: rare, yPred: rare })).toBe('needs_review');
    expect(await balanceOf({ yTrue: [0.5, 1.5, 2.5], yPred: [1, 2, 3] })).toBe('not_applicable');
  });
});

describe('the report', () => {
  it('is there in every form, and neither seeds folds nor names a model', async () => {
    const result = await evaluate({ yTrue, yProba });
    expect(result.summary()).toContain('given predictions');
    expect(result.toMarkdown()).toContain('given predictions');
    expect(await result.toHTML()).toContain('given predictions');
    expect(JSON.parse(JSON.stringify(result.toJSON()))).toMatchObject({ manifest: { method: 'given predictions' } });
  });
});

describe('what it refuses', () => {
  it.each([null, undefined, Number.NaN, {}, ''])('a fold that is no text or number, by its row', async (none) => {
    const fold = yTrue.map((_, row) => (row === 3 ? none : row % 2)) as number[];
    await expect(evaluate({ yTrue, yPred, fold })).rejects.toThrow(
      /^fold row 3 must be an id \(a number or a string\)\. Got /,
    );
  });

  it('labels that look like ids, without printing any', async () => {
    for (const ids of [0, 1].map((kind) =>
      Array.from({ length: 12 }, (_, row) => (kind ? 7000 + row : `anna${row}`)),
    )) {
      const [text, columns] = [typeof ids[0] === 'string', ids.map(() => [0.5, 0.5])];
      for (const given of [
        { yPred: [text ? 'zz' : 1, ...ids.slice(1)] },
        { yPred: ids, classes: ids.slice(1) },
        { yPred: ids, classes: [...ids, ids[3]] },
        { yProba: columns },
      ]) {
        const error = await rejection(evaluate({ yTrue: ids, ...given } as Parameters<typeof evaluate>[0]));
        expect(String(error)).not.toMatch(/anna|70\d\d/);
        expect(String(error)).toMatch(/12 different (texts|values)|number \d+ twice/);
      }
    }
  });

  it('nothing where a class is never predicted, or is missing among the rows', async () => {
    const one = await evaluate({ yTrue: [0, 0, 0], yPred: [0, 1, 0], metrics: ['specificity', 'sensitivity'] });
    expect(valuesOf(one)).toEqual({ specificity: [close(2 / 3)], sensitivity: [null] });
    const named = await evaluate({
      yTrue: ['a', 'b', 'a'],
      yPred: ['a', 'b', 'c'],
      classes: ['a', 'b', 'c'],
      metrics: ['accuracy'],
    });
    expect([named.manifest.task, named.scores.accuracy[0].value]).toEqual(['multiclass', 2 / 3]);
  });

  it('holds one column against the labels that are given', async () => {
    const yTrue = Array.from({ length: 40 }, (_, row) => row % 2);
    const yProba = yTrue.map((label, row) => 0.3 + 0.4 * label + row / 1000);
    const yPred = yProba.map((p) => (p > 0.5 ? 0 : 1));
    await expect(evaluate({ yTrue, yProba, yPred })).rejects.toThrow(
      'yProba must be P(1), the positive class. Got numbers that agree with yPred as P(0).',
    );
    // The other class's by a cut-off of its own, where .5 tells nothing.
    const cut = yProba.map((p) => p / 3);
    const labels = cut.map((p) => (p > 0.13 ? 0 : 1));
    await expect(evaluate({ yTrue, yProba: cut, yPred: labels })).rejects.toThrow('as P(0)');
    await expect(evaluate({ yTrue, yProba: cut.map((p) => 1 - p), yPred: labels })).resolves.toBeDefined();
  });
});
