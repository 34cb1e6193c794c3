import { describe, expect, it } from 'vitest';
import { randomSource } from '../../src/core/random.js';
import { framedInterval } from '../../src/intervals/framedInterval.js';
import { rocAuc } from '../../src/metrics/definitions/ranking.js';
import { score } from '../../src/metrics/metric.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

/** A fold of `n` rows of both classes, then one of a single class, which has no value. */
function inputOf(n: number, labels: (row: number) => number = (row) => row % 2, weights?: number[]) {
  const fold = (yTrue: number[], from: number) => {
    const table = scoreTable({ yTrue, yProba: yTrue.map((y) => 0.2 + 0.6 * y), classes: [0, 1] });
    const units = Int32Array.from(yTrue, (_, row) => from + row);
    return { table, units, nTrain: n, repeat: 0, score: score(rocAuc, table) };
  };
  const all = Array.from({ length: n }, (_, row) => labels(row));
  const whole = fold(all, 0);
  const table = weights ? { ...whole.table, weight: Float64Array.from(weights) } : whole.table;
  const folds = [{ ...whole, table }, fold([0, 0], n)];
  return { metric: rocAuc, folds, level: 0.9, unit: 'row', nBootstrap: 100, random: randomSource(1) };
}
const frame = (input: ReturnType<typeof inputOf>, unfit?: string) =>
  framedInterval(input, { method: 'some', estimand: 'predictions', unfit }, ({ estimate, nUnits, repeats }) => ({
    lower: estimate - 0.1,
    upper: estimate,
    note: `${nUnits} units in ${repeats.flat().length} block.`,
  }));

describe('framedInterval', () => {
  it('puts facts, estimate, limits and notes together', () => {
    expect(frame(inputOf(10))).toEqual({
      method: 'some',
      estimand: 'predictions',
      level: 0.9,
      unit: 'row',
      nUnits: 10, // those of the fold of one class are in no count
      unitOfAnalysis: 'row',
      independentUnit: 'row',
      averagedOver: 'row',
      nTrain: 10,
      sampling: 'cohort',
      estimate: 1,
      lower: 0.9,
      upper: 1,
      note: '1 of 2 folds have a value (no positive rows); the others are left out. 10 units in 1 block.',
    });
  });

  it('gives null limits with the reason, the want of a value first', () => {
    const none = inputOf(10, () => 0);
    expect(frame(none, 'unfit')).toMatchObject({
      estimate: null,
      lower: null,
      reason: expect.stringContaining('0 of 2'),
    });
    expect(frame(inputOf(4), 'unfit')).toMatchObject({ estimate: 1, upper: null, reason: 'unfit' });
    expect(frame(inputOf(4))).toMatchObject({ estimate: 1, upper: null, reason: 'only 4 rows, fewer than 10' });
    const uneven = inputOf(10, undefined, [1e6, ...new Array(9).fill(1)]);
    const weight = 'the weight lies on few rows, worth 1 of equal weight, fewer than 5';
    expect(frame(uneven)).toMatchObject({ estimate: 1, upper: null, reason: weight });
  });
});
