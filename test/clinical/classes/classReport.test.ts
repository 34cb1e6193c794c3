import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classReport } from '../../../src/clinical/classes/classReport.js';
import { ClinicalMetrics } from '../../../src/clinical/clinicalMetrics.js';
import type { Interval } from '../../../src/intervals/interval.js';
import { numbersIn } from '../../helpers/numbersIn.js';
import intervals from '../../reference/classIntervals.json' with { type: 'json' };
import reference from '../../reference/classReport.json' with { type: 'json' };

type Limits = { estimate: number; lower: number; upper: number };

function close(found: Interval, { estimate, lower, upper }: Limits, digits = 9) {
  expect(found.estimate).toBeCloseTo(estimate, digits);
  expect(found.lower).toBeCloseTo(lower, digits);
  expect(found.upper).toBeCloseTo(upper, digits);
}

const NAMES = ['sensitivity', 'specificity', 'ppv', 'npv', 'f1'] as const;

describe('classReport', () => {
  it.each(reference.cases)('equals confusion_matrix and classification_report of scikit-learn', (each) => {
    const { yTrue, yPred, weight, perClass, macro } = each;
    const found = classReport(yTrue, yPred, { sampleWeight: weight });
    expect(found.matrix).toEqual(each.matrix);
    expect(found.accuracy.estimate).toBeCloseTo(each.accuracy, 12);
    perClass.forEach((row, code) => {
      expect(found.perClass[code].sensitivity.estimate).toBeCloseTo(row.recall, 12);
      expect(found.perClass[code].ppv.estimate).toBeCloseTo(row.precision, 12);
      expect(found.perClass[code].f1.estimate).toBeCloseTo(row['f1-score'], 12);
      expect(found.perClass[code].support).toBeCloseTo(row.support, 12);
    });
    expect(found.macro.sensitivity.estimate).toBeCloseTo(macro.recall, 12);
    expect(found.macro.ppv.estimate).toBeCloseTo(macro.precision, 12);
    expect(found.macro.f1.estimate).toBeCloseTo(macro['f1-score'], 12);
  });

  describe('of independent rows', () => {
    const { yTrue, yPred, perClass, macro, accuracy } = intervals.independent;
    const found = classReport(yTrue, yPred);

    it('has the intervals of epiR per class, Wilson and Clopper-Pearson', () => {
      const exact = classReport(yTrue, yPred, { proportionMethod: 'clopper_pearson' });
      perClass.forEach((row, code) => {
        for (const name of ['sensitivity', 'specificity', 'ppv', 'npv'] as const) {
          close(found.perClass[code][name], row.wilson[name]);
          close(exact.perClass[code][name], row.exact[name]);
        }
        close(found.perClass[code].f1, row.f1, 6); // R's derivative is numeric
      });
      close(found.accuracy, accuracy);
    });

    it('has averages by the delta method', () => {
      for (const name of NAMES) close(found.macro[name], macro[name], 6);
      expect(found.macro.f1).toMatchObject({ unit: 'row', nUnits: 160, method: 'delta', estimand: 'predictions' });
      expect([found.micro.sensitivity, found.micro.ppv, found.micro.f1]).toEqual(new Array(3).fill(found.accuracy));
      // True negatives of all classes over negatives of all: (right rows twice, wrong ones once) / (2 n).
      const right = yTrue.filter((label, row) => label === yPred[row]).length;
      const n = yTrue.length;
      expect(found.micro.specificity.estimate).toBeCloseTo((2 * right + (n - right)) / (2 * n), 12);
      expect(found.micro.npv.lower).toBeCloseTo(1 - (1 - accuracy.lower) / 2, 9);
    });
  });

  it('of patients equals the ratio estimator of clubSandwich, and the influences summed per patient', () => {
    const { yTrue, yPred, weight, groups, perClass, macro, accuracy } = intervals.clustered;
    const found = classReport(yTrue, yPred, { sampleWeight: weight, groups });
    perClass.forEach((row, code) => {
      for (const name of NAMES) close(found.perClass[code][name], row[name], name === 'f1' ? 6 : 9);
    });
    for (const name of NAMES) close(found.macro[name], macro[name], 6);
    close(found.accuracy, accuracy);
    expect(found.perClass[0].ppv).toMatchObject({ unit: 'patient', nUnits: 30, method: 'ratio_estimator' });
  });

  it('of two classes says what ClinicalMetrics says', () => {
    const { yTrue, yPred } = reference.cases[0];
    const clinical = new ClinicalMetrics().calculateAll(yTrue, yPred, { positiveLabel: 'type B' });
    const { perClass } = classReport(yTrue, yPred);
    for (const name of NAMES) expect(perClass[1][name]).toEqual(clinical[name]);
    expect(perClass[0].sensitivity).toEqual(clinical.specificity);
  });

  it('gives no number to a class never seen or never predicted', () => {
    const yTrue = ['a', 'b', 'a', 'b', 'a', 'b', 'c', 'c', 'a', 'b', 'a', 'c'];
    const yPred = yTrue.map((label) => (label === 'c' ? 'a' : label));
    const found = classReport(yTrue, yPred, { classes: ['a', 'b', 'c', 'd'] });
    const [, , c, d] = found.perClass;
    expect(
      [c.ppv, d.sensitivity, d.ppv, d.f1, found.macro.ppv, found.macro.sensitivity].map((each) => each.reason),
    ).toEqual(
      [/predicted.*'c'/, /class 'd'$/, /predicted.*'d'/, /class 'd' or/, /predicted.*'c'/, /class 'd'$/].map((part) =>
        expect.stringMatching(part),
      ),
    );
    expect([c.ppv.estimate, d.f1.estimate, found.macro.f1.estimate]).toEqual([null, null, null]);
    expect([c.sensitivity.estimate, c.f1.estimate, d.specificity.estimate]).toEqual([0, 0, 1]);
    expect(c.sensitivity.upper as number).toBeGreaterThan(0.5); // 0 of 3
    expect(found.summary()).toMatch(/ d +— b +1\.000 \[0\.758, 1\.000\] +— c +1\.000 \[0\.758, 1\.000\] +— d\n/);
    const one = classReport([1, 1, 1], [1, 1, 1]);
    expect(one.perClass[1].specificity).toMatchObject({ estimate: null, reason: 'every row is of class 1' });
    expect(one.perClass[1].sensitivity).toMatchObject({
      estimate: 1,
      lower: null,
      reason: 'only 3 rows, fewer than 10',
    });
  });

  it('marks each reason with a letter of its own, however many there are', () => {
    const labels = Array.from({ length: 30 }, (_, row) => row);
    const summary = classReport(
      labels,
      labels.map(() => 0),
    ).summary();
    const marks = Array.from(
      summary.matchAll(/^ {2}([a-z]+) {2}(?:no|every) row is predicted to be/gm),
      ([, mark]) => mark,
    );
    expect(marks).toHaveLength(30);
    expect(new Set(marks).size).toBe(30);
    expect(marks).toEqual(expect.arrayContaining(['z', 'aa', 'ad']));
  });

  it('prints values with their intervals', () => {
    const { yTrue, yPred } = intervals.independent;
    expect(classReport(yTrue, yPred).summary()).toMatch(
      / macro +0\.727 \[0\.652, 0\.791\] +0\.860 \[0\.821, 0\.892\] /,
    );
  });

  it('counts a weight of k as k rows, and does not change intervals when all weights are multiplied', () => {
    const rows = fc.array(fc.tuple(fc.nat(2), fc.nat(2), fc.integer({ min: 0, max: 3 })), {
      minLength: 12,
      maxLength: 40,
    });
    fc.assert(
      fc.property(rows, (triples) => {
        const used = [...triples, [0, 0, 1], [1, 1, 1], [2, 2, 1]];
        const [yTrue, yPred, sampleWeight] = [0, 1, 2].map((at) => used.map((triple) => triple[at]));
        const found = classReport(yTrue, yPred, { sampleWeight });
        const copies = used.flatMap(([truth, said, times]) => new Array<number[]>(times).fill([truth, said]));
        const expanded = classReport(
          copies.map(([truth]) => truth),
          copies.map(([, said]) => said),
          { classes: [0, 1, 2] },
        );
        expect(found.matrix).toEqual(expanded.matrix);
        found.perClass.forEach((row, code) => {
          for (const name of NAMES) expect(row[name].estimate).toBe(expanded.perClass[code][name].estimate);
        });
        for (const name of NAMES) {
          const estimate = found.macro[name].estimate as number;
          expect(estimate).toBeCloseTo(expanded.macro[name].estimate as number, 12);
        }
        const tenfold = classReport(yTrue, yPred, { sampleWeight: sampleWeight.map((w) => 8 * w) });
        expect(numbersIn(tenfold.macro)).toEqual(numbersIn(found.macro).map((each) => expect.closeTo(each, 9)));
        for (const each of numbersIn(found)) expect(Number.isFinite(each)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });
});
