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

  it('refuses a positive label where there is no positive class', () => {
    expect(() => readData([X, [0, 1, 2, 0]], { positiveLabel: 1 })).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: The \`positiveLabel\` option of run has no effect: the task is multiclass, which has no positive class. Leave it out.]`,
    );
  });

  it('refuses an unknown key of data with the nearest name', () => {
    expect(() => readData({ X, y: [0, 1, 0, 1], group: [1, 1, 2, 2] } as never, {})).toThrowErrorMatchingInlineSnapshot(
      `[InvalidOptionError: data has no option \`group\`. Did you mean \`groups\`?]`,
    );
  });
});
