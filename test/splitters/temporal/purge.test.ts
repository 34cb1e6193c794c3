import { describe, expect, it } from 'vitest';
import {
  checkTrainable,
  EMBARGOED,
  embargoRows,
  fewestThatCover,
  foldOfSides,
  LATER,
  labelledRows,
  PURGED,
  sidesAround,
  TEST,
  TRAIN,
  testBlocks,
} from '../../../src/splitters/temporal/purge.js';
import { refusal } from '../../helpers/messages.js';

describe('embargoRows', () => {
  it('rounds a share up, and does not trust the last binary digit', () => {
    expect(0.07 * 100).toBeGreaterThan(7);
    expect(embargoRows(0.07, 100)).toBe(7);
    expect(embargoRows(0.071, 100)).toBe(8);
    expect(embargoRows(0, 100)).toBe(0);
    expect(embargoRows(1e-6, 100)).toBe(1);
    // every whole percentage of many n, by integer arithmetic
    for (let n = 1; n <= 2000; n += 7) {
      const percentages = Array.from({ length: 100 }, (_, percent) => percent);
      const expected = percentages.map((percent) => Math.ceil((percent * n) / 100));
      expect(percentages.map((percent) => embargoRows(percent / 100, n))).toEqual(expected);
    }
  });
});

describe('labelledRows', () => {
  it('sorts label ends with their rows', () => {
    const rows = labelledRows('Me', { timestamps: [5, -1, 3], labelEndTimes: [9, 0, 3] }, 3);
    expect([...rows.rows]).toEqual([1, 2, 0]);
    expect([...rows.times]).toEqual([-1, 3, 5]);
    expect([...rows.ends]).toEqual([0, 3, 9]);
  });

  it('takes a timestamp for an interval where there are no label ends, and a place where there are no timestamps', () => {
    expect([...labelledRows('Me', { timestamps: [5, -1] }, 2).ends]).toEqual([-1, 5]);
    expect([...labelledRows('Me', {}, 3).ends]).toEqual([0, 1, 2]);
  });

  it('reads Dates and ISO strings as one kind', () => {
    const rows = labelledRows(
      'Me',
      { timestamps: ['2024-01-01', '2024-01-02'], labelEndTimes: [new Date(2e12), '2024-01-02'] },
      2,
    );
    expect([...rows.ends]).toEqual([2e12, Date.UTC(2024, 0, 2)]);
  });
});

describe('sidesAround', () => {
  it('purges, embargoes and fills what an earlier block reaches behind a later one', () => {
    // ten rows at times 0 ... 9; blocks 2-3 and 6-7; the label of row 2 ends at 8, that of row 0 at 2
    const labelEndTimes = [2, 1, 8, 3, 4, 5, 6, 7, 8, 9];
    const rows = labelledRows('Me', { timestamps: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], labelEndTimes }, 10);
    const blocks = testBlocks(rows, [2, 4, 6, 8], { purgeGap: 0, embargoSize: 0.1 }, String);
    expect(blocks[0]).toEqual({ from: 2, to: 4, back: 2, clear: 9, released: 10 });
    const sides = sidesAround(rows, [blocks[0], blocks[2]]);
    // by hand: 0 reaches the block, 4, 5 and 8 lie within the label of 2, 9 is the one row of its embargo
    expect([...sides]).toEqual([PURGED, TRAIN, TEST, TEST, PURGED, PURGED, TEST, TEST, PURGED, EMBARGOED]);
  });

  it('gives folds their lists, and leaves out those that are empty', () => {
    const rows = labelledRows('Me', { timestamps: [3, 2, 1, 0] }, 4);
    const fold = foldOfSides(rows, 7, Uint8Array.of(TRAIN, EMBARGOED, TEST, LATER));
    expect(fold).toEqual({
      id: 'fold-7',
      train: Int32Array.of(3),
      test: Int32Array.of(1),
      excluded: { embargoed: Int32Array.of(2) },
    });
    expect(foldOfSides(rows, 0, Uint8Array.of(TRAIN, TRAIN, TEST, TEST))).not.toHaveProperty('excluded');
  });
});

describe('fewestThatCover', () => {
  const blocksOf = (labelEndTimes: number[], purgeGap: number) => {
    const rows = labelledRows('Me', { timestamps: labelEndTimes.map((_, row) => row), labelEndTimes }, 8);
    return fewestThatCover(rows, testBlocks(rows, [0, 2, 4, 6, 8], { purgeGap, embargoSize: 0 }, String));
  };

  it('is every block where none keeps a row of another from training', () => {
    expect(blocksOf([0, 1, 2, 3, 4, 5, 6, 7], 0)).toEqual([0, 1, 2, 3]);
  });

  it('counts on the gap and on labels, by hand', () => {
    // with a gap of 2 block 1 shuts the places 0-5, block 2 the places 2-7
    expect(blocksOf([0, 1, 2, 3, 4, 5, 6, 7], 2)).toEqual([1, 2]);
    // the label of row 1 reaches row 7: block 0 alone
    expect(blocksOf([0, 7, 2, 3, 4, 5, 6, 7], 0)).toEqual([0]);
    // the label of row 0 reaches row 5, which leaves the last block
    expect(blocksOf([5, 1, 2, 4, 4, 5, 6, 7], 0)).toEqual([0, 3]);
  });
});

describe('refuses', () => {
  const rowsOf = (timestamps: unknown[] | undefined, labelEndTimes: unknown[]) => () =>
    labelledRows('PurgedKFoldCV', { timestamps, labelEndTimes } as object, labelEndTimes.length);

  it('label ends that are no ends of these times', () => {
    expect(rowsOf(undefined, [1, 2])).toThrow(refusal('missing_timestamps', 'timestamps', 'labelEndTimes'));
    expect(rowsOf([1, 2], ['2024-01-01', '2024-01-02'])).toThrow(refusal('invalid_data', 'labelEndTimes', 'row 0'));
    expect(rowsOf(['2024-01-01', '2024-01-02'], [1, 2])).toThrow(refusal('invalid_data', 'labelEndTimes', 'row 0'));
    expect(rowsOf([1, 9, 9], [1, 8, 2])).toThrow(refusal('invalid_data', 'labelEndTimes', 'row 1'));
    expect(rowsOf([new Date(0), new Date(5)], [new Date(0), new Date(4)])).toThrow(
      refusal('invalid_data', 'labelEndTimes', 'row 1'),
    );
    expect(rowsOf([1, 2], [1, Number.NaN])).toThrow(refusal('invalid_data', 'labelEndTimes', 'row 1', 'NaN'));
  });

  it('blocks without rows and folds without training rows', () => {
    const rows = labelledRows('Me', { timestamps: [1, 1, 1, 2] }, 4);
    expect(() =>
      testBlocks(rows, [0, 3, 3, 4], { purgeGap: 0, embargoSize: 0 }, (block) => `Block ${block} of Me`),
    ).toThrow(refusal('infeasible_split', '4 rows', '2 distinct times'));
    expect(() => checkTrainable('Me', 2, Uint8Array.of(TEST, TEST, PURGED, EMBARGOED))).toThrow(
      refusal('infeasible_split', 'fold-2', '2 tested', '1 purged', '1 embargoed'),
    );
    expect(() => checkTrainable('Me', 0, Uint8Array.of(PURGED, TEST, LATER))).toThrow(
      refusal('infeasible_split', 'fold-0', '1 tested', '1 purged', '0 embargoed', '1 later'),
    );
    expect(() => checkTrainable('Me', 0, Uint8Array.of(TRAIN, TEST))).not.toThrow();
  });
});
