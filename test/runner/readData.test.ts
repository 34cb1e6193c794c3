import { describe, expect, it } from 'vitest';
import { readData } from '../../src/runner/readData.js';

const X = [[1], [2], [3], [4]];

describe('readData', () => {
  it('reads [X, y], [X, y, groups] and the object alike', () => {
    const groups = ['a', 'a', 'b', 'b'];
    const object = readData({ X, y: [0, 1, 0, 1], groups }, {});
    const triple = readData([X, [0, 1, 0, 1], groups], {});
    expect(triple.nGroups).toBe(2);
    expect(triple.data).toEqual(object.data);
    expect(readData([X, [0, 1, 0, 1]], {}).nGroups).toBeNull();
  });

  it('finds the positive class: the larger number, or the one that is named', () => {
    expect(readData([X, [1, 2, 1, 2]], {}).positive).toBe(1);
    expect(readData([X, [1, 2, 1, 2]], { positiveLabel: 1 }).positive).toBe(0);
    expect(readData([X, ['benign', 'malignant', 'benign', 'benign']], {}).positive).toBe(1);
  });

  it('reads the targets of further outputs, each with a task of its own', () => {
    const stage = ['I', 'II', 'III', 'II'];
    const { auxiliary } = readData({ X, y: [0, 1, 0, 1], auxiliary: { age: [61.5, 47, 72, 55], stage } }, {});
    expect(Object.entries(auxiliary ?? {}).map(([output, { task }]) => [output, task])).toEqual([
      ['age', 'regression'],
      ['stage', 'multiclass'],
    ]);
    expect(auxiliary?.stage.take(Int32Array.of(2)).toArray()).toEqual(['III']);
    expect(readData([X, [0, 1, 0, 1]], {}).auxiliary).toBeUndefined();
  });

  it('reads masks and several inputs', () => {
    const { y, X: rows } = readData(
      {
        X: { image: { data: new Float32Array(16), shape: [4, 2, 2] }, age: [61, 47, 72, 55] },
        y: { data: new Uint8Array(16), shape: [4, 2, 2] },
      },
      {},
    );
    expect([y.task, y.shape, rows.kind, rows.length]).toEqual(['multilabel', [2, 2], 'inputs', 4]);
  });
});
