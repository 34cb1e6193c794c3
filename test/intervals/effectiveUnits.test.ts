import { describe, expect, it } from 'vitest';
import { effectiveUnits } from '../../src/intervals/effectiveUnits.js';
import { sensitivity } from '../../src/metrics/definitions/binary.js';
import { accuracy } from '../../src/metrics/definitions/multiclass.js';
import { rocAuc } from '../../src/metrics/definitions/ranking.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

const table = scoreTable({ yTrue: [1, 1, 0, 0, 0, 0], yPred: [1, 1, 0, 0, 0, 0] });

describe('effectiveUnits', () => {
  it('counts equal units', () => {
    expect(effectiveUnits(accuracy, table, [0, 1, 2, 3, 4, 5])).toBe(6);
    expect(effectiveUnits(accuracy, table, [0, 0, 1, 1, 2, 2])).toBe(3);
  });

  it('counts unequal units for less (hand calculation: 6^2 / (4^2 + 1 + 1) = 2)', () => {
    expect(effectiveUnits(accuracy, table, [0, 0, 0, 0, 1, 2])).toBe(2);
  });

  it('weighs rows and does not change when all weights are multiplied (hand calculation: 9^2 / (4^2 + 5 * 1))', () => {
    const weight = Float64Array.of(4, 1, 1, 1, 1, 1);
    const units = [0, 1, 2, 3, 4, 5];
    expect(effectiveUnits(accuracy, { ...table, weight }, units)).toBeCloseTo(81 / 21, 14);
    expect(effectiveUnits(accuracy, { ...table, weight: weight.map((w) => 10 * w) }, units)).toBeCloseTo(81 / 21, 14);
  });

  it('counts only the units that the metric rests on, in its smallest stratum', () => {
    expect(effectiveUnits(sensitivity, table, [0, 1, 2, 3, 4, 5])).toBe(2);
    expect(effectiveUnits(rocAuc, table, [0, 1, 2, 3, 4, 5])).toBe(2);
  });

  it('sums the weights of a unit whose rows lie apart, in each stratum by itself', () => {
    // Stratum 1: unit 7 weighs 1 + 2, unit 9 weighs 3, so 6^2 / (9 + 9) = 2. Stratum 0: units 7 (4), 8 (1): 25 / 17.
    const weight = Float64Array.of(1, 2, 4, 3, 1, 0);
    const mixed = scoreTable({ yTrue: [1, 1, 0, 1, 0, 0], yPred: [1, 1, 0, 0, 0, 0] });
    expect(effectiveUnits(rocAuc, { ...mixed, weight }, [7, 7, 7, 9, 8, 9])).toBeCloseTo(25 / 17, 14);
    expect(effectiveUnits(sensitivity, { ...mixed, weight }, [7, 7, 7, 9, 8, 9])).toBeCloseTo(2, 14);
  });

  it('needs no list of all units for each stratum: 40,000 of either would be 13 GB', () => {
    const each = Array.from({ length: 40_000 }, (_, row) => row);
    const many = { ...table, length: each.length, yTrue: each };
    expect(effectiveUnits({ stratum: ({ yTrue }, row) => yTrue[row] }, many, each)).toBe(1);
  });
});
