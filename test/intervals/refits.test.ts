import { describe, expect, it } from 'vitest';
import { studentTQuantile } from '../../src/core/incompleteBeta.js';
import { randomSource } from '../../src/core/random.js';
import { refitLimits, refitSpread } from '../../src/intervals/foldInterval.js';
import type { IntervalInput } from '../../src/intervals/interval.js';
import { accuracy } from '../../src/metrics/definitions/multiclass.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

describe('refitSpread', () => {
  it('is sqrt(.632) times the standard deviation (hand calculation)', () => {
    // Mean .7, squares .01 + 0 + .01, so a standard deviation of .1.
    expect(refitSpread({ values: [0.6, 0.7, 0.8], count: 3 }).se).toBeCloseTo(0.1 * Math.sqrt(0.632), 14);
  });

  it('counts resamples without a value, and gives none when they are more than half', () => {
    const values = [0.6, 0.7, 0.8];
    expect(refitSpread({ values, count: 6 })).toMatchObject({
      note: '3 of 6 refits left the metric undefined and were dropped.',
    });
    expect(refitSpread({ values, count: 7 })).toEqual({
      se: null,
      reason: '4 of 7 refits left the metric undefined',
    });
    expect(refitSpread({ values: [], count: 20 }).se).toBeNull();
  });
});

const rows = Array.from({ length: 20 }, (_, row) => row);

const table = scoreTable({ yTrue: rows.map((row) => row % 2), yPred: rows.map((row) => Number(row % 3 === 0)) });

const inputOf = (more: Partial<IntervalInput> = {}): IntervalInput => ({
  metric: accuracy,
  folds: [{ table, score: { value: 0.5 }, units: Int32Array.from(rows), nTrain: 20, repeat: 0 }],
  level: 0.95,
  unit: 'row',
  nBootstrap: 100,
  random: randomSource(1),
  refits: { values: [0.6, 0.7, 0.8], count: 3 },
  ...more,
});

const logit = (x: number) => Math.log(x / (1 - x));

describe('refitLimits', () => {
  it('lie symmetrically on the logit scale with t for n - 1 (hand calculation)', () => {
    const { lower, upper, note } = refitLimits(inputOf(), 0.7);
    const half = (studentTQuantile(0.975, 19) * 0.1 * Math.sqrt(0.632)) / (0.7 * 0.3);
    expect(logit(upper as number) - logit(0.7)).toBeCloseTo(half, 12);
    expect(logit(0.7) - logit(lower as number)).toBeCloseTo(half, 12);
    expect(note).toBe('Standard error of 3 refits on resampled rows, times sqrt(.632).');
  });

  it('are null with the reason where refits say too little', () => {
    const reason = (more: Partial<IntervalInput>) => {
      const { lower, upper, reason } = refitLimits(inputOf(more), 0.7);
      expect([lower, upper]).toEqual([null, null]);
      return reason;
    };
    expect(reason({ refits: { values: [0.6], count: 20 } })).toBe('19 of 20 refits left the metric undefined');
    expect(reason({ sampling: 'case_control' })).toContain('depends on the prevalence');
    expect(reason({ folds: inputOf().folds.map((fold) => ({ ...fold, units: new Int32Array(20) })) })).toBe(
      'only 1 row, fewer than 10',
    );
  });
});
