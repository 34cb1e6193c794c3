import { describe, expect, it } from 'vitest';
import { scoreTable } from '../../src/metrics/scoreTable.js';
import type { CompletedFold } from '../../src/runner/foldResult.js';
import { outOfFold, outOfFoldJSON } from '../../src/runner/outOfFold.js';

const foldOf = (index: number, test: number[], table: CompletedFold['table']) =>
  ({ fold: { index, repeat: 0, test: Int32Array.from(test) }, table }) as unknown as CompletedFold;

describe('outOfFold', () => {
  it('has one entry per tested row in the order of the folds', () => {
    const first = scoreTable({ yTrue: ['no', 'yes'], yProba: [0.1, 0.7], task: 'binary' });
    const second = scoreTable({ yTrue: ['yes', 'no'], yProba: [0.4, 0.2], task: 'binary' });
    const table = outOfFold([foldOf(0, [0, 3], first), foldOf(1, [1, 2], second)], ['a', 'b', 'c', 'd']);
    expect(table).toEqual({
      row: Int32Array.of(0, 3, 1, 2),
      fold: Int32Array.of(0, 0, 1, 1),
      repeat: new Int32Array(4),
      group: ['a', 'd', 'b', 'c'],
      yTrue: ['no', 'yes', 'yes', 'no'],
      yPred: ['no', 'yes', 'no', 'no'],
      yProba: [0.1, 0.7, 0.4, 0.2],
      weight: null,
    });
  });

  it('lists the labels of a row, and the pixels of a mask without copying them', () => {
    const rows = [
      [1, 1],
      [0, 1],
    ];
    const labels = outOfFold([foldOf(0, [0, 1], scoreTable({ yTrue: rows, yProba: rows }))], undefined);
    expect([labels.yTrue, labels.yPred, labels.yProba]).toEqual([rows, rows, rows]);

    const data = Uint8Array.of(0, 1, 1, 1, 0, 0, 0, 1);
    const truth = { data, shape: [2, 2, 2] } as never;
    const yProba = [
      [0.25, 0.75, 1, 1],
      [0, 0, 0, 0.5],
    ];
    const masks = scoreTable({ yTrue: truth, yProba });
    const table = outOfFold([foldOf(0, [4, 2], masks)], undefined);
    expect(table.yTrue).toEqual([Uint8Array.of(0, 1, 1, 1), Uint8Array.of(0, 0, 0, 1)]);
    expect(table.yPred).toEqual([Uint8Array.of(0, 1, 1, 1), Uint8Array.of(0, 0, 0, 0)]);
    expect(table.yProba).toEqual(yProba.map((row) => Float64Array.from(row)));
    expect((table.yTrue[1] as Uint8Array).buffer).toBe((masks.yTrue as Uint8Array).buffer);
    // and plain lists in JSON
    const [yTrue, yPred] = [table.yTrue, table.yPred].map((column) =>
      Array.from(column as Uint8Array[], (row) => [...row]),
    );
    expect(JSON.parse(JSON.stringify(outOfFoldJSON(table, String)))).toEqual({
      ...{ row: [4, 2], fold: [0, 0], repeat: [0, 0], group: null, yTrue, yPred, yProba, weight: null },
    });
  });
});
