import { describe, expect, it } from 'vitest';
import { classColumn } from '../../../src/checkers/CVL009-feature-target/classColumn.js';
import { correlationRatio } from '../../../src/checkers/CVL009-feature-target/featureScreens.js';
import { independentOf } from '../../../src/checkers/CVL009-feature-target/targets.js';

const category = (codes: number[], groups?: string[]) =>
  classColumn(
    { name: 'ward', kind: 'category', values: Float64Array.from(codes), levels: ['a', 'b', 'c', 'd', 'e', 'f'] },
    independentOf(groups ? { groups } : {}, codes.length),
  );

describe('correlationRatio', () => {
  it('is the root of the adjusted R squared of the levels', () => {
    // Within 2 + 2, in all 17.5: 1 - (4 / 4) / (17.5 / 5); R: summary(lm(y ~ level))$adj.r.squared.
    const ratio = correlationRatio(category([0, 0, 0, 1, 1, 1]), Float64Array.of(1, 2, 3, 4, 5, 6));
    expect(ratio).toBeCloseTo(Math.sqrt(1 - 1 / 3.5), 12);
  });

  it('is 0 without spread, levels, or several rows at any level', () => {
    const y = Float64Array.of(1, 2, 3, 4);
    expect(correlationRatio(category([0, 0, 0, 0]), y)).toBe(0);
    expect(correlationRatio(category([0, 1, 2, 3]), y)).toBe(0);
    expect(correlationRatio(category([0, 0, 1, 1]), new Float64Array(4))).toBe(0);
    expect(correlationRatio(category([Number.NaN, Number.NaN, Number.NaN, Number.NaN]), y)).toBe(0);
  });

  it('leaves out rows without a value', () => {
    const y = Float64Array.of(1, 2, 3, 4, 5, 6);
    const some = correlationRatio(category([0, 0, 0, 1, 1, 1, Number.NaN]), Float64Array.of(...y, 99));
    expect(some).toBeCloseTo(correlationRatio(category([0, 0, 0, 1, 1, 1]), y), 12);
  });

  it('says nothing of a level of its own for each patient, however many rows it has', () => {
    const codes = [0, 0, 1, 1, 2, 2, 3, 3];
    const y = Float64Array.of(1, 1, 2, 2, 3, 3, 4, 4);
    expect(correlationRatio(category(codes), y)).toBe(1);
    expect(correlationRatio(category(codes, ['p', 'p', 'q', 'q', 'r', 'r', 's', 's']), y)).toBe(0);
  });
});
