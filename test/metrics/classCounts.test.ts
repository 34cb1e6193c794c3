import { describe, expect, it } from 'vitest';
import { type ClassCounts, dot, ofClassCounts } from '../../src/metrics/definitions/multiclass.js';
import { undefinedBecause } from '../../src/metrics/metric.js';
import { type ScoreTable, scoreTable } from '../../src/metrics/scoreTable.js';

/** The counts that a metric would be given. */
function countsOf(table: ScoreTable) {
  const seen: ClassCounts[] = [];
  ofClassCounts((counts) => {
    seen.push(counts);
    return undefinedBecause('just looking');
  }).compute(table);
  const { total, ...perClass } = seen[0];
  return { total, ...Object.fromEntries(Object.entries(perClass).map(([name, each]) => [name, Array.from(each)])) };
}

const labels = { yTrue: ['a', 'a', 'b', 'c'], yPred: ['a', 'b', 'b', 'a'] };

describe('ofClassCounts', () => {
  it('counts truth, prediction and both per class (hand count)', () => {
    expect(countsOf(scoreTable(labels))).toEqual({ total: 4, truth: [2, 1, 1], predicted: [2, 2, 0], both: [1, 1, 0] });
  });

  it('counts a row as often as it weighs', () => {
    expect(countsOf(scoreTable({ ...labels, sampleWeight: [1, 2, 0, 3] }))).toEqual({
      total: 6,
      truth: [3, 0, 3],
      predicted: [4, 2, 0],
      both: [1, 0, 0],
    });
  });

  it('counts a row for each of its labels, or for none', () => {
    const yTrue = [
      [1, 1],
      [0, 0],
      [0, 1],
    ];
    const yPred = [
      [1, 0],
      [0, 0],
      [1, 1],
    ];
    expect(countsOf(scoreTable({ yTrue, yPred }))).toEqual({
      total: 3,
      truth: [1, 2],
      predicted: [2, 1],
      both: [1, 1],
    });
  });

  it('adds up the derivatives that a row touches (hand calculation), or 0 where there is no value', () => {
    const metric = ofClassCounts(() => ({
      value: 1,
      slope: 1000,
      slopes: (code) => ({ truth: 1 + code, predicted: 10 * (1 + code), both: 100 * (1 + code) }),
    }));
    const table = scoreTable({ ...labels, sampleWeight: [1, 1, 2, 1] });
    // a as a: 1000 + 1 + 10 + 100. a as b: 1000 + 1 + 20. b as b, twice: 1000 + 2 + 20 + 200. c as a: 1000 + 3 + 10.
    expect(Array.from(metric.influence(table, 1))).toEqual([1111, 1021, 2444, 1013]);
    const none = ofClassCounts(() => undefinedBecause('0/0'));
    expect(Array.from(none.influence(table, 1))).toEqual([0, 0, 0, 0]);
    expect(none.compute(table)).toEqual({ reason: '0/0' });
  });

  it('dot sums the products', () => {
    expect(dot(Float64Array.of(1, 2), Float64Array.of(3, 4))).toBe(11);
  });
});
