import { describe, expect, it } from 'vitest';
import { combineBlocks, combineFolds, foldBlocks } from '../../src/metrics/combineFolds.js';
import { precision } from '../../src/metrics/definitions/binary.js';
import { rocAuc } from '../../src/metrics/definitions/ranking.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

const fold = (yTrue: number[], yPred: number[]) =>
  scoreTable({ yTrue, yPred, yProba: yPred.map((p) => 0.8 * p), classes: [0, 1] });
const a = fold([1, 1, 0], [1, 0, 0]); // precision 1/1, AUC (2 + 1) / 2 pairs of 2 = .75
const b = fold([1, 0, 0, 0], [1, 1, 1, 0]); // precision 1/3, AUC (.5 + .5 + 1) / 3
const lone = fold([0, 0], [0, 0]);

describe('combineFolds', () => {
  it('pools counts, so that large folds count for more (hand calculation: 2 of 4)', () => {
    expect(combineFolds(precision, [a, b])).toMatchObject({ value: 0.5 });
  });

  it('averages ranks over folds (hand calculation)', () => {
    expect(combineFolds(rocAuc, [a, b]).value).toBeCloseTo((0.75 + 2 / 3) / 2, 14);
  });

  it('leaves out folds without a value and counts them', () => {
    const { value, note, defined, total } = combineFolds(rocAuc, [a, b, lone]);
    expect(value).toBeCloseTo((0.75 + 2 / 3) / 2, 14);
    expect({ note, defined, total }).toEqual({
      note: '2 of 3 folds have a value (no positive rows); the others are left out.',
      defined: 2,
      total: 3,
    });
  });

  it('is null with the count when no fold has a value', () => {
    const reason = '0 of 2 folds have a value (no positive rows)';
    expect(combineFolds(rocAuc, [lone, lone])).toMatchObject({ value: null, reason });
    expect(combineFolds(precision, [lone])).toMatchObject({ value: null, reason: 'no row is predicted positive' });
    expect(combineFolds(precision, [])).toMatchObject({ value: null, reason: 'no folds' });
    for (const metric of [rocAuc, precision]) {
      expect(combineBlocks(metric, [])).toMatchObject({ value: null, reason: 'no fold gave a result', total: 0 });
    }
  });

  it('pools within a repeat and averages over repeats (hand calculation: (1 + 1/3) / 2)', () => {
    expect(combineFolds(precision, [a, lone, b, lone], [0, 0, 1, 1]).value).toBeCloseTo(2 / 3, 14);
  });
});

describe('foldBlocks', () => {
  it('scores folds alone or all of a repeat together', () => {
    expect(foldBlocks({ combine: 'mean' }, [0, 0, 1])).toEqual([[[0], [1]], [[2]]]);
    expect(foldBlocks({ combine: 'pooled' }, [0, 0, 1])).toEqual([[[0, 1]], [[2]]]);
  });
});
