import { describe, expect, it } from 'vitest';
import {
  accuracy,
  balancedAccuracy,
  cohenKappa,
  cohenKappaLinear,
  cohenKappaQuadratic,
  f1Macro,
  f1Micro,
  f1Weighted,
  mcc,
} from '../../../src/metrics/definitions/multiclass.js';
import { scoreTable } from '../../../src/metrics/scoreTable.js';

// 3 true positives, 1 false negative, 2 false positives, 4 true negatives
const table = scoreTable({ yTrue: [1, 1, 1, 1, 0, 0, 0, 0, 0, 0], yPred: [1, 1, 1, 0, 1, 1, 0, 0, 0, 0] });
const three = scoreTable({ yTrue: ['a', 'a', 'b', 'b', 'c', 'c'], yPred: ['a', 'b', 'b', 'b', 'c', 'a'] });
// Grades 1, 2, 4 as steps 0, 1, 2: truth 2, 2, 2; predicted 1, 4, 1; two rows are one step off
const grades = scoreTable({ yTrue: [1, 1, 2, 2, 4, 4], yPred: [1, 2, 2, 2, 4, 2] });
const empty = scoreTable({ yTrue: [[0, 0]], yPred: [[0, 0]], task: 'multilabel' });

it.each([
  ['accuracy is (TP + TN) / n', accuracy, table, 7 / 10],
  ['balanced_accuracy is (3/4 + 4/6) / 2', balancedAccuracy, table, 17 / 24],
  ['f1_macro is the mean of the F1 of the classes: 2/4, 4/5, 2/3', f1Macro, three, (2 / 4 + 4 / 5 + 2 / 3) / 3],
  ['mcc is (TP TN - FP FN) / sqrt of the product of the margins', mcc, table, 10 / Math.sqrt(4 * 6 * 5 * 5)],
  // 4 of 6 right; truth 2, 2, 2; predicted 2, 3, 1: (4 6 - 12) / sqrt((36 - 12) (36 - 14))
  ["mcc of more classes is Gorodkin's R_K", mcc, three, 12 / Math.sqrt(24 * 22)],
  ['cohen_kappa is (po - pe) / (1 - pe): po = .7, pe = .4 .5 + .6 .5', cohenKappa, table, 0.2 / 0.5],
  ['cohen_kappa of more classes adds their chances up: po = 4/6, pe = 12/36', cohenKappa, three, 0.5],
  // steps by chance: 2 (0 + 4 + 2) + 2 (1 + 0 + 1) + 2 (2 + 4 + 0) = 28 of 36 pairs; squared 2 (4 + 4) + 2 (1 + 1) + 2 (4 + 4) = 36
  ['cohen_kappa_linear counts steps between classes: 1 - (2 / 6) / (28 / 36)', cohenKappaLinear, grades, 4 / 7],
  ['cohen_kappa_quadratic counts them squared: 1 - (2 / 6) / (36 / 36)', cohenKappaQuadratic, grades, 2 / 3],
])('%s (hand calculation)', (_, metric, rows, value) => {
  expect(metric.compute(rows)).toBeCloseTo(value, 14);
});

describe('accuracy', () => {
  it('of several labels counts a row only when all are right (hand calculation: 1 of 2)', () => {
    const yTrue = [
      [1, 0, 1],
      [0, 0, 1],
    ];
    expect(
      accuracy.compute(
        scoreTable({
          yTrue,
          yPred: [
            [1, 0, 1],
            [0, 1, 1],
          ],
          task: 'multilabel',
        }),
      ),
    ).toBe(0.5);
  });
});

describe('balanced_accuracy', () => {
  it('is undefined, never 0, without anything to divide by', () => {
    expect(balancedAccuracy.compute(scoreTable({ yTrue: [0, 0], yPred: [0, 1] }))).toEqual({
      reason: 'no rows of class 1',
    });
  });
});

describe('f1_macro', () => {
  it('counts 0 for a class that is present and not predicted, or the reverse (hand calculation: 2/3, 0, 0)', () => {
    const table = scoreTable({ yTrue: ['a', 'b'], yPred: ['a', 'a'], classes: ['a', 'b'], task: 'multiclass' });
    expect(f1Macro.compute(table)).toBeCloseTo(2 / 3 / 2, 14);
    const reverse = scoreTable({ yTrue: ['a', 'a'], yPred: ['a', 'b'], classes: ['a', 'b'], task: 'multiclass' });
    expect(f1Macro.compute(reverse)).toBeCloseTo(2 / 3 / 2, 14);
  });

  it('is undefined where a class is neither present nor predicted, and names it', () => {
    const table = scoreTable({ yTrue: ['a', 'b'], yPred: ['a', 'a'], classes: ['a', 'b', 'c'] });
    expect(f1Macro.compute(table)).toEqual({ reason: "class 'c' is neither present nor predicted" });
    const labels = scoreTable({ yTrue: [[1, 0]], yPred: [[1, 0]], task: 'multilabel' });
    expect(f1Macro.compute(labels)).toEqual({ reason: 'class 1 is neither present nor predicted' });
  });
});

describe('f1_micro', () => {
  it('adds the counts of the labels up (hand calculation: 2 2 / (3 + 3))', () => {
    const yTrue = [
      [1, 0],
      [1, 1],
    ];
    const yPred = [
      [1, 1],
      [0, 1],
    ];
    expect(f1Micro.compute(scoreTable({ yTrue, yPred }))).toBeCloseTo(4 / 6, 14);
  });

  it('is the accuracy where every row has one class', () => {
    const table = scoreTable({ yTrue: ['a', 'b', 'c'], yPred: ['a', 'b', 'a'], sampleWeight: [1, 2, 3] });
    expect(f1Micro.compute(table)).toBe(accuracy.compute(table));
    expect(f1Micro.compute(table)).toBe(0.5);
  });

  it('is undefined without any label', () => {
    expect(f1Micro.compute(empty)).toEqual({ reason: 'no row has a label in truth or prediction' });
  });
});

describe('f1_weighted', () => {
  it('weighs the F1 of a class by its rows (hand calculation: (3 4/5 + 1 2/3) / 4)', () => {
    const table = scoreTable({ yTrue: [0, 0, 0, 1], yPred: [0, 0, 1, 1] });
    expect(f1Weighted.compute(table)).toBeCloseTo((3 * (4 / 5) + 2 / 3) / 4, 14);
  });

  it('gives a class without rows no weight', () => {
    const table = scoreTable({ yTrue: ['a', 'b'], yPred: ['a', 'b'], classes: ['a', 'b', 'c'] });
    expect(f1Weighted.compute(table)).toBe(1);
  });

  it('is undefined where no row has a label', () => {
    expect(f1Weighted.compute(empty)).toEqual({ reason: 'no row has a label' });
  });
});

describe('mcc', () => {
  it('is undefined, never 0, where truth or prediction is one class', () => {
    expect(mcc.compute(scoreTable({ yTrue: [0, 0], yPred: [0, 1] }))).toEqual({ reason: 'only one class is present' });
    expect(mcc.compute(scoreTable({ yTrue: [0, 1], yPred: [1, 1] }))).toEqual({
      reason: 'only one class is predicted',
    });
    const absent = scoreTable({ yTrue: [0, 0, 1], yPred: [0, 1, 1], sampleWeight: [1, 1, 0] });
    expect(mcc.compute(absent)).toEqual({ reason: 'only one class is present' });
  });
});

describe('cohen_kappa', () => {
  it('is undefined only where there is one class altogether; one class on one side is no agreement', () => {
    expect(cohenKappa.compute(scoreTable({ yTrue: [0, 0], yPred: [0, 0] }))).toEqual({
      reason: 'truth and prediction are one class',
    });
    expect(cohenKappa.compute(scoreTable({ yTrue: [0, 0], yPred: [0, 1] }))).toBe(0);
  });
});

describe('weighted kappas', () => {
  it('are kappa itself of two classes, whatever these are', () => {
    const words = scoreTable({
      yTrue: ['no', 'no', 'yes', 'yes', 'yes'],
      yPred: ['no', 'yes', 'yes', 'no', 'yes'],
      positiveLabel: 'yes',
    });
    for (const each of [table, words]) {
      const plain = cohenKappa.compute(each);
      for (const metric of [cohenKappaLinear, cohenKappaQuadratic])
        expect(metric.compute(each)).toBeCloseTo(plain as number, 14);
    }
  });

  it('are undefined for texts, which have no order', () => {
    const reason = 'texts have no order: use numbers as classes';
    for (const metric of [cohenKappaLinear, cohenKappaQuadratic]) expect(metric.compute(three)).toEqual({ reason });
  });

  it('keep the steps where a fold lacks a class', () => {
    const rows = { yTrue: [1, 1, 3, 3], yPred: [1, 3, 3, 3] };
    const all = scoreTable({ ...rows, classes: [1, 2, 3] });
    expect(cohenKappaQuadratic.compute(all)).toBeCloseTo(cohenKappa.compute(scoreTable(rows)) as number, 14);
  });
});
