import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rocAt } from '../../../src/clinical/roc/rocAt.js';
import { unitFacts } from '../../../src/intervals/interval.js';
import reference from '../../reference/rocParts.json' with { type: 'json' };

const { y, s100b, wfns, limits } = reference.asah;
const few = { nBootstrap: 100 };

/** Within 3 standard errors of the difference between one run of ours and the mean of 20 of pROC. */
function expectLimits(found: ReturnType<typeof rocAt>, { mean, sd }: typeof limits.area) {
  [found.lower, found.upper].forEach((limit, at) => {
    expect(Math.abs((limit as number) - mean[at])).toBeLessThan(3 * sd[at] * Math.sqrt(1 + 1 / 20) + 1e-9);
  });
}

describe('rocAt', () => {
  it('equals coords of pROC between points, at points and at ties, with weights as copies', () => {
    const cases = [
      { y, scores: s100b, found: reference.asah.s100bFound },
      { y, scores: wfns, found: reference.asah.wfnsFound },
      ...reference.weighted,
    ];
    for (const { y, scores, found, ...more } of cases) {
      const options = 'weight' in more ? { ...few, sampleWeight: more.weight as number[] } : few;
      found.places.forEach((place, i) => {
        expect(rocAt(y, scores, { specificity: place }, options).estimate).toBeCloseTo(found.specificity[i], 12);
        expect(rocAt(y, scores, { sensitivity: place }, options).estimate).toBeCloseTo(found.sensitivity[i], 12);
      });
    }
  });

  it('has the limits of ci.se and ci.sp of pROC', () => {
    const found = rocAt(y, s100b, { specificity: 0.9 });
    expectLimits(found, limits.specificity90);
    expectLimits(rocAt(y, s100b, { sensitivity: 0.8 }, { level: 0.9 }), limits.sensitivity80);
    expect({ ...found, estimate: 0, lower: 0, upper: 0 }).toEqual({
      ...{ estimand: 'predictions', sampling: 'cohort', method: 'percentile_bootstrap', level: 0.95, nUnits: 113 },
      ...{ unit: 'row', independentUnit: 'row', unitOfAnalysis: 'row', averagedOver: 'row', nTrain: null },
      ...{ estimate: 0, lower: 0, upper: 0, note: expect.stringMatching(/specificity of 0\.9 /) },
    });
  });

  it('by hand: negatives 1 2 3 4, positives 3 5; at specificity 3/4 half of the tie at 3 is crossed', () => {
    // Points (specificity, sensitivity): 0 1, 1/4 1, 1/2 1, then 3 is a tie: 3/4 1/2, then 1 1/2, 1 0.
    const at = (specificity: number) => rocAt([0, 0, 0, 0, 1, 1], [1, 2, 3, 4, 3, 5], { specificity }, few).estimate;
    expect([0.5, 0.625, 0.75, 0.9, 1].map(at)).toEqual([1, 0.75, 0.5, 0.5, 0.5]);
  });

  it('draws patients: ten rows of each say nothing new', () => {
    const tenfold = (values: number[]) => values.flatMap((value) => new Array<number>(10).fill(value));
    const plain = rocAt(y, s100b, { specificity: 0.9 });
    const groups = tenfold(y.map((_, row) => row));
    const found = rocAt(tenfold(y), tenfold(s100b), { specificity: 0.9 }, { groups });
    expect(found).toEqual({ ...plain, ...unitFacts('patient'), note: plain.note });
    const rows = rocAt(tenfold(y), tenfold(s100b), { specificity: 0.9 });
    expect((rows.upper as number) - (rows.lower as number)).toBeLessThan(
      0.5 * ((plain.upper as number) - (plain.lower as number)),
    );
  });

  it('does not change with the scale of scores and weights, and falls as the specificity rises', () => {
    const rows = fc.array(fc.tuple(fc.boolean(), fc.integer({ min: 0, max: 6 })), { minLength: 12, maxLength: 40 });
    fc.assert(
      fc.property(rows, fc.double({ min: 0.01, max: 0.99, noNaN: true }), (pairs, specificity) => {
        const labels = pairs.map(([positive]) => positive);
        const scores = pairs.map(([, score]) => score);
        const found = rocAt(labels, scores, { specificity }, few);
        const twice = rocAt(
          labels,
          scores.map((s) => s ** 3 - 9),
          { specificity },
          { ...few, sampleWeight: scores.map(() => 4) },
        );
        expect(twice.estimate).toEqual(found.estimate);
        expect([twice.lower, twice.upper]).toEqual([found.lower, found.upper]);
        if (found.estimate === null) return;
        const further = rocAt(labels, scores, { specificity: (1 + specificity) / 2 }, few).estimate as number;
        expect(further).toBeLessThanOrEqual(found.estimate + 1e-12);
        if (found.lower !== null) expect(found.upper as number).toBeGreaterThan(found.lower);
      }),
      { numRuns: 60 },
    );
  });

  it('has the width of Wilson where the few resamples that differ lie beyond the limits', () => {
    // All of the four negative rows above the positive ones are left out by 1 % of the resamples.
    const yTrue = Array.from({ length: 30 }, (_, row) => (row < 10 ? 1 : 0));
    const scores = yTrue.map((_, row) => (row < 10 ? 2 : row < 14 ? 3 : 1));
    const { estimate, lower, upper } = rocAt(yTrue, scores, { specificity: 1 });
    expect([estimate, lower]).toEqual([0, 0]);
    expect(upper).toBeCloseTo(1 - 0.722467, 6);
  });

  it('of separate classes has the width of Wilson, and says why there are no limits', () => {
    const labels = Array.from({ length: 30 }, (_, row) => row % 3 === 0);
    const perfect = rocAt(labels, labels.map(Number), { specificity: 0.9 }, few);
    // Wilson of 10 of 10: 10 / (10 + 1.959964^2) = .722467.
    expect(perfect.estimate).toBe(1);
    expect(perfect.lower).toBeCloseTo(0.722467, 6);
    const nine = rocAt([0, 1, 0, 1, 0, 1, 0, 1, 0], [1, 2, 3, 4, 5, 6, 7, 8, 9], { sensitivity: 0.8 }, few);
    const none = rocAt(new Array(20).fill(0), new Array(20).fill(0.5), { sensitivity: 0.8 }, few);
    const lone = rocAt([1, ...new Array(20).fill(0)], [...new Array(21).keys()], { sensitivity: 0.8 }, few);
    expect([perfect.note, nine.reason, none.reason, lone.reason]).toEqual(
      [/10 rows.* 0\.9 .* 2 negative rows/, /9 rows/, /positive/, /1 row/].map((part) => expect.stringMatching(part)),
    );
  });
});
