import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { dice, f1Samples, hammingLoss, iou } from '../../../src/metrics/definitions/multilabel.js';
import { metricRegistry } from '../../../src/metrics/registry.js';
import { type ScoreTable, scoreTable } from '../../../src/metrics/scoreTable.js';
import reference from '../../reference/segmentation.json' with { type: 'json' };

describe('hamming_loss', () => {
  it('is the share of wrong labels, rows weighed (hand calculation: (1 1/2 + 3 2/2) / 4)', () => {
    const yTrue = [
      [1, 0],
      [1, 1],
    ];
    const yPred = [
      [1, 1],
      [0, 0],
    ];
    expect(hammingLoss.compute(scoreTable({ yTrue, yPred, sampleWeight: [1, 3] }))).toBe(3.5 / 4);
  });
});

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

// By hand: |A| = 3, |B| = 2, both 2: dice 4/5, iou 2/3. |A| = 0, |B| = 1: 0. Both empty: 1.
const mask = (pixels: string) => [pixels.slice(0, 2), pixels.slice(2)].map((row) => Array.from(row, Number));
const masks = {
  yTrue: ['1110', '0000', '0000'].map(mask),
  yPred: ['1010', '0001', '0000'].map(mask),
};

describe.each([
  ['dice, 2 |A and B| / (|A| + |B|)', dice, 4 / 5],
  ['iou, |A and B| / |A or B|', iou, 2 / 3],
])('%s', (_, metric, first) => {
  // biome-ignore lint/suspicious/noExplicitAny: rows of any depth
  const of = (more: object = {}) => metric.compute(scoreTable({ ...masks, ...more } as any));

  it('is the mean over rows (hand calculation)', () => {
    expect(of()).toBeCloseTo((first + 0 + 1) / 3, 14);
  });

  it('counts a row as often as it weighs', () => {
    expect(of({ sampleWeight: [5, 0, 3] })).toBeCloseTo((5 * first + 3) / 8, 14);
  });

  it('is 1 where there is nothing and nothing is found, and 0 where all that is found is not there', () => {
    expect([of({ sampleWeight: [0, 0, 1] }), of({ sampleWeight: [0, 1, 0] })]).toEqual([1, 0]);
  });
});

it('iou is found by its other name, and f1_samples is dice', () => {
  expect(metricRegistry.get('jaccard')).toBe(iou);
  expect(f1Samples.compute).toBe(dice.compute);
});
