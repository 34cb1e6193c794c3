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

// By hand: |A| = 3, |B| = 2, both 2: 4/5. |A| = 0, |B| = 1: 0. Both empty: 1.
const masks = {
  yTrue: [
    [
      [1, 1],
      [1, 0],
    ],
    [
      [0, 0],
      [0, 0],
    ],
    [
      [0, 0],
      [0, 0],
    ],
  ],
  yPred: [
    [
      [1, 0],
      [1, 0],
    ],
    [
      [0, 0],
      [0, 1],
    ],
    [
      [0, 0],
      [0, 0],
    ],
  ],
};

// biome-ignore lint/suspicious/noExplicitAny: rows of any depth
const table = (more: object = {}) => scoreTable({ ...masks, ...more } as any);

describe('dice', () => {
  it('is 2 |A and B| / (|A| + |B|), mean over rows: (4/5 + 0 + 1) / 3 (hand calculation)', () => {
    expect(dice.compute(table())).toBeCloseTo(0.6, 14);
  });

  it('counts a row as often as it weighs: (4/5 x 5 + 0 x 0 + 1 x 3) / 8', () => {
    expect(dice.compute(table({ sampleWeight: [5, 0, 3] }))).toBeCloseTo(7 / 8, 14);
  });

  it('is 1 where there is nothing and nothing is found, and 0 where all that is found is not there', () => {
    expect(dice.compute(table({ sampleWeight: [0, 0, 1] }))).toBe(1);
    expect(dice.compute(table({ sampleWeight: [0, 1, 0] }))).toBe(0);
  });
});

describe('iou', () => {
  // By hand: both 1 of 3 in either: 1/3. |A or B| = 2, none in both: 0. Both empty: 1.
  const table = (sampleWeight: number[] = [1, 1, 1]) =>
    scoreTable({
      yTrue: [
        [1, 1, 0],
        [0, 1, 0],
        [0, 0, 0],
      ],
      yPred: [
        [0, 1, 1],
        [1, 0, 0],
        [0, 0, 0],
      ],
      sampleWeight,
    });

  describe('iou', () => {
    it('is |A and B| / |A or B|, mean over rows: (1/3 + 0 + 1) / 3 (hand calculation)', () => {
      expect(iou.compute(table())).toBeCloseTo(4 / 9, 14);
    });

    it('is 1 where there is nothing and nothing is found', () => {
      expect(iou.compute(table([0, 0, 2]))).toBe(1);
    });

    it('is found by its other name', () => {
      expect(metricRegistry.get('jaccard')).toBe(iou);
    });
  });
});

describe('f1_samples', () => {
  it('is the mean over rows of 2 |A and B| / (|A| + |B|), 1 for a row without labels (hand calculation)', () => {
    const yTrue = [
      [1, 0],
      [1, 1],
      [0, 0],
    ];
    const yPred = [
      [1, 1],
      [0, 1],
      [0, 0],
    ];
    expect(f1Samples.compute(scoreTable({ yTrue, yPred }))).toBeCloseTo((2 / 3 + 2 / 3 + 1) / 3, 14);
  });
});
