import { describe, expect, it } from 'vitest';
import {
  type AucProblem,
  averagePrecision,
  meanAuc,
  rocAuc,
  rocAucOvoMacro,
  rocAucOvrMacro,
  scoreColumns,
} from '../../../src/metrics/definitions/ranking.js';
import { scoreTable } from '../../../src/metrics/scoreTable.js';

const table = scoreTable({ yTrue: [1, 1, 0, 0], yProba: [0.9, 0.4, 0.4, 0.1] });

const up = Float64Array.of(0.9, 0.4, 0.4, 0.1);

const areaOf = (scores: Float64Array, more: Partial<AucProblem> = {}): AucProblem => ({ ...table, scores, ...more });

describe('meanAuc', () => {
  it('is the mean of the areas (hand calculation: 3.5/4 and 0.5/4)', () => {
    expect(meanAuc(() => [areaOf(up)]).compute(table)).toBe(0.875);
    const both = meanAuc(() => [areaOf(up), areaOf(up.map((score) => -score))]);
    expect(both.compute(table)).toBe(0.5);
  });

  it('has the placement less the area, over the rows of the class, as influence (hand calculation)', () => {
    // Placements 1, .75 of the positives and .75, 1 of the negatives; two rows in each class.
    const influence = meanAuc(() => [areaOf(up)]).influence(table, 0.875);
    expect(Array.from(influence)).toEqual([0.125 / 2, -0.125 / 2, -0.125 / 2, 0.125 / 2]);
  });

  it('centres each area at its own value, and all of them as far from it as the estimate is', () => {
    const { influence } = meanAuc(() => [areaOf(up), areaOf(up.map((score) => -score))]);
    const sum = (estimate: number) => influence(table, estimate).reduce((total, each) => total + each, 0);
    expect(sum(0.5)).toBeCloseTo(0, 14);
    expect(sum(0.6)).toBeCloseTo(-0.2, 14); // -.1 for either class
  });

  it('is undefined when an area is, and says which', () => {
    const lone = areaOf(up, { yTrue: [1, 1, 1, 1], of: ' of this' });
    const metric = meanAuc(() => [areaOf(up), lone]);
    expect(metric.compute(table)).toEqual({ reason: 'no negative rows of this' });
    expect(Array.from(metric.influence(table, 0.5))).toEqual([0, 0, 0, 0]);
    expect(meanAuc(() => [areaOf(up, { yTrue: [0, 0, 0, 0] })]).compute(table)).toEqual({
      reason: 'no positive rows',
    });
  });
});

describe('columnsOf', () => {
  it('takes a row-major table apart, once', () => {
    const values = Float64Array.of(1, 2, 3, 4, 5, 6);
    const columns = scoreColumns(values, 2);
    expect(columns.map((column) => Array.from(column))).toEqual([
      [1, 3, 5],
      [2, 4, 6],
    ]);
    expect(scoreColumns(values, 2)).toBe(columns);
    expect(scoreColumns(values, 3)).toHaveLength(3);
  });
});

describe('roc_auc', () => {
  it('counts pairs, ties one half (hand calculation: 3.5 of 4)', () => {
    const table = scoreTable({ yTrue: [1, 1, 0, 0], yProba: [0.9, 0.4, 0.4, 0.1] });
    expect(rocAuc.compute(table)).toBe(0.875);
  });

  it('weighs pairs (hand calculation: (2 * 4 + 1.5 + 1) / (3 * 4))', () => {
    const table = scoreTable({ yTrue: [1, 1, 0, 0], yProba: [0.9, 0.4, 0.4, 0.1], sampleWeight: [2, 1, 3, 1] });
    expect(rocAuc.compute(table)).toBeCloseTo(10.5 / 12, 14);
  });

  it('of a ranking that is wrong throughout is 0, not turned round', () => {
    expect(rocAuc.compute(scoreTable({ yTrue: [1, 0], yProba: [0.1, 0.9] }))).toBe(0);
  });

  it('is undefined with one class alone', () => {
    const yProba = [0.1, 0.9];
    expect(rocAuc.compute(scoreTable({ yTrue: [0, 0], yProba }))).toEqual({ reason: 'no positive rows' });
    expect(rocAuc.compute(scoreTable({ yTrue: [1, 1], yProba }))).toEqual({ reason: 'no negative rows' });
  });

  it('reads the same scores under other weights and other truths', () => {
    const table = scoreTable({ yTrue: [1, 0, 1, 0], yProba: [0.4, 0.3, 0.2, 0.1] });
    expect(rocAuc.compute(table)).toBe(0.75);
    expect(rocAuc.compute({ ...table, weight: Float64Array.of(1, 1, 0, 1) })).toBe(1);
    expect(rocAuc.compute({ ...table, yTrue: [0, 1, 0, 1] })).toBe(0.25);
  });
});

const rows = {
  yTrue: ['a', 'b', 'c'],
  yProba: [
    [0.6, 0.3, 0.1],
    [0.5, 0.3, 0.2],
    [0.2, 0.2, 0.6],
  ],
};

describe('roc_auc_ovr_macro', () => {
  it('is the mean over classes of each against the others (hand calculation: 1, 1.5/2, 1)', () => {
    expect(rocAucOvrMacro.compute(scoreTable(rows))).toBeCloseTo((1 + 0.75 + 1) / 3, 14);
  });

  it('is the mean over labels (hand calculation: 1 and 1/2)', () => {
    const yTrue = [
      [1, 0],
      [0, 1],
    ];
    const yProba = [
      [0.7, 0.4],
      [0.2, 0.4],
    ];
    expect(rocAucOvrMacro.compute(scoreTable({ yTrue, yProba, task: 'multilabel' }))).toBe(0.75);
  });

  it('is undefined where a class or a label lacks a side, and names it', () => {
    const absent = scoreTable({ ...rows, yTrue: ['a', 'b', 'b'], classes: ['a', 'b', 'c'] });
    expect(rocAucOvrMacro.compute(absent)).toEqual({ reason: "no positive rows of class 'c'" });
    const full = scoreTable({
      yTrue: [
        [1, 0],
        [1, 1],
      ],
      yProba: [
        [1, 0],
        [1, 1],
      ],
    });
    expect(rocAucOvrMacro.compute(full)).toEqual({ reason: 'no negative rows of label 0' });
  });
});

describe('roc_auc_ovo_macro', () => {
  it('is the mean over ordered pairs of classes (hand calculation: b against a ties, the other five are right)', () => {
    expect(rocAucOvoMacro.compute(scoreTable(rows))).toBeCloseTo(5.5 / 6, 14);
  });

  it('does not change with the share of the classes', () => {
    const table = scoreTable({ ...rows, sampleWeight: [1, 5, 0.5] });
    expect(rocAucOvoMacro.compute(table)).toBeCloseTo(5.5 / 6, 14);
  });

  it('is undefined where a class has no rows, and names the pair', () => {
    const absent = scoreTable({ ...rows, yTrue: ['a', 'b', 'b'], classes: ['a', 'b', 'c'] });
    expect(rocAucOvoMacro.compute(absent)).toEqual({ reason: "no negative rows in the pair 'a', 'c'" });
  });
});

describe('average_precision', () => {
  it('is the mean of the precisions at the positive rows (hand calculation: (1/1 + 2/3) / 2)', () => {
    const table = scoreTable({ yTrue: [1, 0, 1, 0], yProba: [0.9, 0.8, 0.7, 0.6] });
    expect(averagePrecision.compute(table)).toBeCloseTo(5 / 6, 14);
  });

  it('puts rows of equal score at one threshold (hand calculation: (1/2 + 2/3) / 2)', () => {
    const table = scoreTable({ yTrue: [0, 1, 1], yProba: [0.5, 0.5, 0.4] });
    expect(averagePrecision.compute(table)).toBeCloseTo(7 / 12, 14);
  });

  it('of scores that are all equal is the prevalence', () => {
    expect(averagePrecision.compute(scoreTable({ yTrue: [0, 1, 0, 0], yProba: [0.5, 0.5, 0.5, 0.5] }))).toBe(0.25);
  });

  it('is undefined with one class alone, where there is nothing to rank', () => {
    const yProba = [0.1, 0.9];
    const reasonOf = (yTrue: number[]) => averagePrecision.compute(scoreTable({ yTrue, yProba }));
    expect(reasonOf([0, 0])).toEqual({ reason: 'no positive rows' });
    expect(reasonOf([1, 1])).toEqual({ reason: 'no negative rows' });
  });
});
