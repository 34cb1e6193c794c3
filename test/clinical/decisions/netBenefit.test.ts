import { describe, expect, it } from 'vitest';
import { netBenefit } from '../../../src/clinical/decisions/netBenefit.js';

/** 200 rows: 50 positive, of whom 30 are treated, and 20 negative ones treated. */
const yTrue = Array.from({ length: 200 }, (_, row) => (row < 50 ? 1 : 0));
const yProba = yTrue.map((_, row) => (row < 30 || row >= 180 ? 0.6 : 0.1));

// Intervals are compared with R in decisionCurve.test.ts.
describe('netBenefit', () => {
  it('of 30 true and 20 false positives among 200 is .125 at .2 (30/200 - 20/200 * .25)', () => {
    const found = netBenefit(yTrue, yProba, { threshold: 0.2 });
    const facts = { method: 'delta', estimand: 'predictions', unit: 'row', nUnits: 200, sampling: 'cohort' };
    expect(found).toMatchObject(facts);
    expect(found.estimate).toBeCloseTo(0.125, 15);
  });

  it('of a quarter of positives, all treated, is .0625 at .2 (.25 - .75 * .25)', () => {
    expect(netBenefit(yTrue, new Array(200).fill(1), { threshold: 0.2 }).estimate).toBeCloseTo(0.0625, 15);
  });

  it('treats from the threshold on', () => {
    expect(netBenefit([1, 0], [0.2, 0.1], { threshold: 0.2 }).estimate).toBe(0.5);
  });

  it('at another prevalence weighs the classes anew (.1 * 30/50 - .9 * 20/150 * .25)', () => {
    const found = netBenefit(yTrue, yProba, { threshold: 0.2, prevalence: 0.1 });
    expect(found.sampling).toBe('case_control');
    expect(found.estimate).toBeCloseTo(0.1 * 0.6 - 0.9 * (20 / 150) * 0.25, 15);
    // Independent binomials: sum of share^2 * p (1 - p) / (n - 1).
    const se = Math.sqrt((0.1 ** 2 * 0.6 * 0.4) / 49 + ((0.9 * 0.25) ** 2 * (20 / 150) * (130 / 150)) / 149);
    const half = ((found.upper as number) - (found.lower as number)) / 2;
    expect(half / se).toBeGreaterThan(1.96);
    expect(half / se).toBeLessThan(2.02);
  });

  it('at another prevalence needs both classes', () => {
    const found = netBenefit(new Array(20).fill(1), new Array(20).fill(0.4), { threshold: 0.2, prevalence: 0.1 });
    expect(found).toMatchObject({ estimate: null, lower: null, upper: null, reason: 'no negative rows' });
  });

  it('takes weights as counts, and not as more patients', () => {
    const sampleWeight = yTrue.map(() => 3);
    const [one, three] = [undefined, sampleWeight].map((w) =>
      netBenefit(yTrue, yProba, { threshold: 0.2, ...(w ? { sampleWeight: w } : {}) }),
    );
    expect(three.lower).toBeCloseTo(one.lower as number, 12);
    expect(three.upper).toBeCloseTo(one.upper as number, 12);
  });

  it('has no limits where nobody is treated, and none near 1 are infinite', () => {
    expect(netBenefit(yTrue, yProba, { threshold: 0.9 })).toMatchObject({
      estimate: 0,
      lower: null,
      reason: 'the estimate, 0.000, has no spread',
    });
    const near = netBenefit(yTrue, new Array(200).fill(1), { threshold: 1 - 1e-12 });
    expect([near.estimate, near.lower, near.upper].every(Number.isFinite)).toBe(true);
  });
});
