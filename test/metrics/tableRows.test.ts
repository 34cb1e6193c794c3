import { describe, expect, it } from 'vitest';
import { scoreTable } from '../../src/metrics/scoreTable.js';
import { copyTable, joinTables, takeRows } from '../../src/metrics/tableRows.js';
import { failure } from '../helpers/failure.js';

describe('copyTable', () => {
  it('has arrays of its own', () => {
    const table = scoreTable({ yTrue: [0, 1], yProba: [0.1, 0.9] });
    const copy = copyTable(table);
    expect(copy).toEqual(table);
    expect(copy.yTrue).not.toBe(table.yTrue);
    expect(copy.yProba).not.toBe(table.yProba);
  });
});

describe('takeRows', () => {
  it('takes rows with repeats, of every part, also none', () => {
    const yProba = [
      [0.7, 0.2, 0.1],
      [0.1, 0.8, 0.1],
      [0, 0, 1],
    ];
    const table = scoreTable({ yTrue: [0, 1, 2], yProba, sampleWeight: [1, 2, 3] });
    const taken = takeRows(table, Int32Array.of(2, 0, 2));
    expect(Array.from(taken.yTrue)).toEqual([2, 0, 2]);
    expect(Array.from(taken.yProba ?? [])).toEqual([0, 0, 1, 0.7, 0.2, 0.1, 0, 0, 1]);
    expect(Array.from(taken.weight ?? [])).toEqual([3, 1, 3]);
    const none = takeRows(table, new Int32Array(0));
    expect(takeRows(none, new Int32Array(0)).length).toBe(0);
  });
});

describe('joinTables', () => {
  const one = scoreTable({ yTrue: [0, 1], yProba: [0.1, 0.9] });
  const two = scoreTable({ yTrue: [1, 0], yPred: [1, 1], sampleWeight: [2, 3] });

  it('puts rows one after the other; a missing weight is 1, probabilities are kept when all have them', () => {
    const joined = joinTables([one, two]);
    expect(Array.from(joined.yTrue)).toEqual([0, 1, 1, 0]);
    expect(Array.from(joined.yPred)).toEqual([0, 1, 1, 1]);
    expect(Array.from(joined.weight ?? [])).toEqual([1, 1, 2, 3]);
    expect(joined.yProba).toBeUndefined();
    expect(joinTables([one, one]).yProba).toHaveLength(4);
  });

  it('keeps masks in bytes', () => {
    const { data, shape } = { data: Uint8Array.of(0, 1, 1, 0, 1, 1, 0, 0), shape: [2, 2, 2] };
    const masks = scoreTable({ yTrue: { data, shape } as never, yPred: { data, shape } as never });
    const joined = joinTables([masks, masks]);
    expect([joined.yTrue, joined.yPred]).toEqual([Uint8Array.of(...data, ...data), Uint8Array.of(...data, ...data)]);
    expect(joinTables([one, two]).yTrue).toBeInstanceOf(Float64Array);
  });

  it('keeps the shape of masks, and joins none of another shape', () => {
    const masks = (...shape: number[]) => {
      const y = { data: new Uint8Array(16), shape: [1, ...shape] } as never;
      return scoreTable({ yTrue: y, yPred: y });
    };
    expect(joinTables([masks(4, 4), masks(4, 4)])).toMatchObject({ length: 2, shape: [4, 4] });
    const list = scoreTable({ yTrue: [Array(16).fill(0)], yPred: [Array(16).fill(0)], task: 'multilabel' });
    for (const other of [masks(2, 8), list]) {
      expect(failure(() => joinTables([masks(4, 4), other]))).toBe(
        'invalid_data: Tables that are joined must be of one task with the same classes, and masks of one shape. Got different ones.',
      );
    }
    expect('shape' in joinTables([list, list])).toBe(false);
  });

  it('refuses tables of other classes', () => {
    const other = scoreTable({ yTrue: [1, 2], yPred: [1, 2] });
    expect(() => joinTables([one, other])).toThrow('one task with the same classes');
  });
});
