import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ratioOfSums, weightedMean, weightedVariance } from '../../src/metrics/ratioOfSums.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

const tableOf = (above: readonly number[], below: readonly number[], sampleWeight: readonly number[]) =>
  scoreTable({ yTrue: above, yPred: below, sampleWeight, task: 'regression' });
const ratio = ratioOfSums(({ yTrue, yPred }) => ({ part: (row) => yTrue[row], whole: (row) => yPred[row] }), 'nothing');
const mean = ratioOfSums(({ yTrue }) => ({ part: (row) => yTrue[row] }));

describe('ratioOfSums', () => {
  it('divides weighted sums (hand calculation: (1 2 + 3 4) / (1 5 + 3 1) = 14 / 8)', () => {
    expect(ratio.compute(tableOf([2, 4], [5, 1], [1, 3]))).toBe(14 / 8);
  });

  it('is a mean where only the upper terms are named (hand calculation: (2 + 12) / 4)', () => {
    expect(mean.compute(tableOf([2, 4], [5, 1], [1, 3]))).toBe(14 / 4);
    expect(mean.compute(scoreTable({ yTrue: [2, 4], yPred: [0, 0], task: 'regression' }))).toBe(3);
  });

  it('passes over rows of weight 0 whose terms are not finite', () => {
    const odd =
      ({ yTrue }: { yTrue: ArrayLike<number> }) =>
      (row: number) =>
        [Infinity, Number.NaN, 1][yTrue[row]] ?? 4;
    const { compute } = ratioOfSums((table) => ({ part: odd(table) }));
    expect(compute(tableOf([0, 1, 2, 3], [1, 1, 1, 1], [0, 0, 3, 1]))).toBe(7 / 4);
    expect(compute(tableOf([0, 1, 2, 3], [1, 1, 1, 1], [1, 0, 3, 1]))).toBe(Infinity);
    const { compute: over } = ratioOfSums((table) => ({ part: (row) => table.yTrue[row], whole: odd(table) }));
    expect(over(tableOf([0, 1, 2, 3], [1, 1, 1, 1], [0, 0, 3, 1]))).toBe(9 / 7);
  });

  it('has the influence w (a - ratio b) / sum w b (hand calculation)', () => {
    const influence = ratio.influence(tableOf([2, 4], [5, 1], [1, 3]), 14 / 8);
    expect(Array.from(influence)).toEqual([(2 - (14 / 8) * 5) / 8, (3 * (4 - 14 / 8)) / 8]);
  });

  it('has influences that sum to 0 at its value, and to the distance at any other centre', () => {
    const numbers = fc.array(fc.tuple(...[0, 1, 2].map(() => fc.integer({ min: 1, max: 9 }))), { minLength: 1 });
    fc.assert(
      fc.property(numbers, fc.integer({ min: -3, max: 3 }), (rows, off) => {
        const [above, below, weight] = [0, 1, 2].map((part) => rows.map((row) => row[part]));
        const table = tableOf(above, below, weight);
        const value = ratio.compute(table) as number;
        expect(ratio.influence(table, value - off).reduce((sum, each) => sum + each, 0)).toBeCloseTo(off, 9);
      }),
    );
  });

  it('does not look at rows of weight 0', () => {
    const table = { ...tableOf([2, 4, 1], [5, 1, 1], [1, 3, 0]), yTrue: [2, 4, Number.NaN] };
    expect(ratio.compute(table)).toBe(14 / 8);
    expect(ratio.influence(table, 14 / 8)[2]).toBe(0);
  });

  it('is undefined without anything below the line, for the reason given', () => {
    expect(ratio.compute(tableOf([2, 4], [0, 0], [1, 3]))).toEqual({ reason: 'nothing' });
    expect(mean.compute({ ...tableOf([2], [0], [1]), weight: Float64Array.of(0) })).toEqual({ reason: 'no rows' });
  });
});

it('weightedMean and weightedVariance leave out rows of weight 0 (hand calculation: 5/3, (4/9 + 2 * 1/9) / 3)', () => {
  const table = tableOf([1, 2, 4], [0, 0, 0], [1, 2, 0]);
  expect(weightedMean(table, (row) => table.yTrue[row])).toBeCloseTo(5 / 3, 14);
  expect(weightedMean(table, (row) => (row === 2 ? Infinity : 1))).toBe(1);
  expect(weightedVariance(table, (row) => table.yTrue[row])).toBeCloseTo(2 / 9, 14);
  // Exactly 0 for equal values, whose mean may be rounded.
  expect(weightedVariance({ ...table, weight: new Float64Array(3).fill(1) }, () => 0.1)).toBe(0);
});

describe('a fixed table', () => {
  it('is read once, whatever the weights; any other table is read again', () => {
    let reads = 0;
    const { compute } = ratioOfSums(({ yPred }) => {
      reads++;
      return { part: (row) => yPred[row] };
    });
    const table = scoreTable({ yTrue: [0, 1, 1], yPred: [0, 1, 1] });
    expect([compute(table), compute(table), reads]).toEqual([2 / 3, 2 / 3, 2]);
    const fixed = { ...table, fixed: true } as const;
    expect([compute(fixed), compute({ ...fixed, weight: Float64Array.of(2, 1, 1) }), reads]).toEqual([2 / 3, 0.5, 3]);
    expect([compute({ ...fixed, yPred: Int32Array.of(1, 1, 1) }), reads]).toEqual([1, 4]);
  });
});
