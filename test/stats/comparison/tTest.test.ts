import { describe, expect, it } from 'vitest';
import { accuracy } from '../../../src/metrics/definitions/multiclass.js';
import { studentTCdf, tTest, twoSidedP } from '../../../src/stats/comparison/answers.js';
import reference from '../../reference/comparison.json' with { type: 'json' };

const counts = { unit: 'row', nUnits: 9, nFolds: 3, level: 0.95 };
const facts = { method: 'paired_influence', estimand: 'predictions', ...counts } as const;

it.each(reference.studentT)("Student's t equals R at t %d with %d degrees of freedom", (t, df, below, both) => {
  expect(studentTCdf(t, df)).toBeCloseTo(below, 12);
  // Below the smallest number of full precision, digits are lost on either side.
  expect(twoSidedP(t, df)).toBeCloseTo(both, 12);
  if (both > 1e-300) expect(twoSidedP(t, df) / both).toBeCloseTo(1, 10);
});

describe('tTest', () => {
  it('is Student’s t of the difference over its standard error', () => {
    const found = tTest(facts, accuracy, { estimate: 0.1, variance: 0.0025, df: 4 });
    // R: 2 * pt(-2, 4) = .1161165; qt(.975, 4) = 2.776445
    expect(found).toMatchObject({ ...facts, difference: 0.1, standardError: 0.05, df: 4, t: 2 });
    expect(found.pValue).toBeCloseTo(0.1161165, 7);
    expect(found.lower).toBeCloseTo(0.1 - 0.05 * 2.776445, 6);
    expect(found.upper).toBeCloseTo(0.1 + 0.05 * 2.776445, 6);
  });

  it('keeps limits within the width of the range', () => {
    const { lower, upper } = tTest(facts, accuracy, { estimate: 0.9, variance: 0.25, df: 4 });
    expect([lower, upper]).toEqual([expect.closeTo(0.9 - 0.5 * 2.776445, 6), 1]);
  });

  it('has no value without spread', () => {
    expect(tTest(facts, accuracy, { estimate: 0.1, variance: 0, df: 4 })).toMatchObject({
      difference: 0.1,
      pValue: null,
      lower: null,
      reason: 'the rows have the same difference',
    });
  });
});
