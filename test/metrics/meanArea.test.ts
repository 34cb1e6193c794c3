import { describe, expect, it } from 'vitest';
import { type Area, columnsOf, meanArea } from '../../src/metrics/meanArea.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

const table = scoreTable({ yTrue: [1, 1, 0, 0], yProba: [0.9, 0.4, 0.4, 0.1] });
const up = Float64Array.of(0.9, 0.4, 0.4, 0.1);
const areaOf = (scores: Float64Array, more: Partial<Area> = {}): Area => ({ ...table, scores, ...more });

describe('meanArea', () => {
  it('is the mean of the areas (hand calculation: 3.5/4 and 0.5/4)', () => {
    expect(meanArea(() => [areaOf(up)]).compute(table)).toBe(0.875);
    const both = meanArea(() => [areaOf(up), areaOf(up.map((score) => -score))]);
    expect(both.compute(table)).toBe(0.5);
  });

  it('has the placement less the area, over the rows of the class, as influence (hand calculation)', () => {
    // Placements 1, .75 of the positives and .75, 1 of the negatives; two rows in each class.
    const influence = meanArea(() => [areaOf(up)]).influence(table, 0.875);
    expect(Array.from(influence)).toEqual([0.125 / 2, -0.125 / 2, -0.125 / 2, 0.125 / 2]);
  });

  it('centres each area at its own value, and all of them as far from it as the estimate is', () => {
    const { influence } = meanArea(() => [areaOf(up), areaOf(up.map((score) => -score))]);
    const sum = (estimate: number) => influence(table, estimate).reduce((total, each) => total + each, 0);
    expect(sum(0.5)).toBeCloseTo(0, 14);
    expect(sum(0.6)).toBeCloseTo(-0.2, 14); // -.1 for either class
  });

  it('is undefined when an area is, and says which', () => {
    const lone = areaOf(up, { yTrue: [1, 1, 1, 1], of: ' of this' });
    const metric = meanArea(() => [areaOf(up), lone]);
    expect(metric.compute(table)).toEqual({ reason: 'no negative rows of this' });
    expect(Array.from(metric.influence(table, 0.5))).toEqual([0, 0, 0, 0]);
    expect(meanArea(() => [areaOf(up, { yTrue: [0, 0, 0, 0] })]).compute(table)).toEqual({
      reason: 'no positive rows',
    });
  });
});

describe('columnsOf', () => {
  it('takes a row-major table apart, once', () => {
    const values = Float64Array.of(1, 2, 3, 4, 5, 6);
    const columns = columnsOf(values, 2);
    expect(columns.map((column) => Array.from(column))).toEqual([
      [1, 3, 5],
      [2, 4, 6],
    ]);
    expect(columnsOf(values, 2)).toBe(columns);
    expect(columnsOf(values, 3)).toHaveLength(3);
  });
});
