import { describe, expect, it } from 'vitest';
import { binaryRows } from '../../src/clinical/binaryRows.js';

describe('binaryRows', () => {
  it('codes the positive class and the patients, without rows of weight 0', () => {
    const { y, table, units, nUnits, unit } = binaryRows(['no', 'yes', 'yes', 'no'], [0.1, 0.8, 0.7, 0.2], {
      groups: ['b', 'a', 'a', 'c'],
      sampleWeight: [1, 2, 0, 1],
    });
    expect(Array.from(y)).toEqual([0, 1, 0]);
    expect(Array.from(table.yProba)).toEqual([0.1, 0.8, 0.2]);
    expect(Array.from(table.weight as Float64Array)).toEqual([1, 2, 1]);
    expect([Array.from(units), nUnits, unit]).toEqual([[1, 0, 2], 3, 'patient']);
  });

  it('takes the positive label that is asked for', () => {
    expect(Array.from(binaryRows([0, 1], [0.1, 0.2], { positiveLabel: 0 }).y)).toEqual([1, 0]);
  });
});
