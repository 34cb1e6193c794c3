/** Dice and iou of masks against scikit-learn (test/reference/segmentation.py), and what they have in common. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dice } from '../../src/metrics/dice.js';
import { iou } from '../../src/metrics/iou.js';
import { type ScoreTable, scoreTable } from '../../src/metrics/scoreTable.js';
import reference from '../reference/segmentation.json' with { type: 'json' };

const [HEIGHT, WIDTH] = reference.shape;
const range = (n: number) => Array.from({ length: n }, (_, i) => i);

/** The mask of a disc, as the script draws it. */
const drawn = ([y, x, radius]: number[]) =>
  range(HEIGHT).map((row) => range(WIDTH).map((column) => Number((row - y) ** 2 + (column - x) ** 2 < radius ** 2)));

describe(`dice and iou of masks against scikit-learn ${reference.versions['scikit-learn']}`, () => {
  it.each(reference.cases.map((each, i) => [i, each] as const))('case %s', (_, each) => {
    const [yTrue, yPred] = [each.yTrue.map(drawn), each.yPred.map(drawn)];
    const pixels = [yTrue, yPred].map((masks) => masks.flat(2).filter(Boolean).length);
    expect(pixels).toEqual(each.pixels);
    const { sampleWeight } = each;
    // biome-ignore lint/suspicious/noExplicitAny: rows of any depth
    const table = scoreTable({ yTrue, yPred, ...(sampleWeight ? { sampleWeight } : {}) } as any);
    expect(table.shape).toEqual(reference.shape);
    expect(dice.compute(table)).toBeCloseTo(each.expected.dice, 12);
    expect(iou.compute(table)).toBeCloseTo(each.expected.iou, 12);
  });
});

const rowsOf = (n: number) =>
  fc.array(fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 5, maxLength: 5 }), { minLength: n, maxLength: n });
const tableOf = (yTrue: number[][], yPred: number[][]): ScoreTable => scoreTable({ yTrue, yPred, task: 'multilabel' });

describe('dice and iou', () => {
  it('of one row: iou = dice / (2 - dice)', () => {
    fc.assert(
      fc.property(rowsOf(1), rowsOf(1), (yTrue, yPred) => {
        const table = tableOf(yTrue, yPred);
        const d = dice.compute(table) as number;
        expect(iou.compute(table)).toBeCloseTo(d / (2 - d), 12);
      }),
    );
  });

  it('do not tell truth from prediction', () => {
    fc.assert(
      fc.property(rowsOf(4), rowsOf(4), (yTrue, yPred) => {
        for (const metric of [dice, iou]) {
          expect(metric.compute(tableOf(yTrue, yPred))).toBe(metric.compute(tableOf(yPred, yTrue)));
        }
      }),
    );
  });

  it('are counted anew when either side is other', () => {
    const table = tableOf([[1, 1]], [[1, 0]]);
    expect(dice.compute(table)).toBeCloseTo(2 / 3, 14);
    expect(dice.compute({ ...table, yTrue: Uint8Array.of(1, 0) })).toBe(1);
    expect(dice.compute({ ...table, yPred: Uint8Array.of(0, 0) })).toBe(0);
    expect(dice.compute(table)).toBeCloseTo(2 / 3, 14);
  });
});
