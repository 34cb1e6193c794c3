import { describe, expect, it } from 'vitest';
import { wilson } from '../../src/core/incompleteBeta.js';
import { type AucScale, delong } from '../../src/intervals/delong.js';
import { sampleOf } from '../../src/intervals/sample.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';
import reference from '../reference/clinical.json' with { type: 'json' };

interface Given {
  sampleWeight?: number[];
  groups?: number[];
  level?: number;
}

/** Scores need not be probabilities. */
const sample = (yTrue: number[], scores: number[], { sampleWeight, groups, level = 0.95 }: Given = {}) => {
  const table = scoreTable({ yTrue, yPred: yTrue, classes: [0, 1], ...(sampleWeight ? { sampleWeight } : {}) });
  return sampleOf({ ...table, yProba: Float64Array.from(scores) }, groups, level);
};

function expectClose(found: object, expected: Record<string, number>, digits = 9) {
  for (const [key, value] of Object.entries(expected)) {
    expect((found as Record<string, number>)[key], key).toBeCloseTo(value, digits);
  }
}

describe('delong', () => {
  const { y, areas } = reference.asah;

  it.each(['s100b', 'wfns', 'ndka'] as const)('of aSAH equals pROC: %s', (marker) => {
    const expected = areas[marker];
    const given = sample(y, reference.asah[marker], { level: expected.level });
    expectClose(delong(given), expected.plain, 12);
    expectClose(delong(given, 'logit'), expected.logit, 12);
  });

  it('of s100b is .731369 (.630118 to .832619)', () => {
    const { estimate, lower, upper } = delong(sample(y, reference.asah.s100b));
    expect([estimate, lower, upper].map((value) => value?.toFixed(6))).toEqual(['0.731369', '0.630118', '0.832619']);
  });

  it('with many ties equals pROC, and with weights the area of rows that stand k times', () => {
    for (const { y, a, weight, ones, expanded } of reference.tied) {
      expectClose(delong(sample(y, a)), ones.plain, 12);
      expect(delong(sample(y, a, { sampleWeight: weight })).estimate).toBeCloseTo(expanded, 12);
    }
  });

  it('has the same limits when all weights are multiplied', () => {
    const [{ y, a, weight }] = reference.tied;
    const one = delong(sample(y, a, { sampleWeight: weight }));
    const ten = delong(sample(y, a, { sampleWeight: weight.map((w) => 10 * w) }));
    expectClose(ten, { lower: one.lower as number, upper: one.upper as number }, 12);
    expectClose(delong(sample(y, a, { sampleWeight: y.map(() => 7) })), reference.tied[0].ones.plain, 12);
  });

  it("equals Obuchowski's equations where every patient has both classes, on the logit scale with Student's t", () => {
    const { y, yProba, groups, rocAuc } = reference.patients[0] as { rocAuc?: Record<string, number> } & Given & {
        y: number[];
        yProba: number[];
        groups: number[];
      };
    const found = delong(sample(y, yProba, { groups }));
    expect(found.method).toBe('obuchowski');
    expectClose(found, rocAuc as Record<string, number>, 12);
  });

  it('comes close to them where some patients have one class (her small-sample factors are apart: 2 %)', () => {
    const { y, yProba, groups, obuchowski } = reference.patients[2];
    const { lower, upper } = delong(sample(y, yProba, { groups, level: 0.6826894921370859 }), 'plain');
    const se = ((upper as number) - (lower as number)) / 2;
    expect(se / Math.sqrt((obuchowski as { variance: number }).variance)).toBeCloseTo(1.01, 1.7);
  });

  it('with one row per patient is the interval of rows', () => {
    const { y, a } = reference.tied[0];
    expect(delong(sample(y, a, { groups: y.map((_, row) => 100 - row) }))).toEqual(delong(sample(y, a)));
  });

  it.each(['plain', 'logit', undefined] as (AucScale | undefined)[])(
    'has width at 1 and with all ties (%s)',
    (scale) => {
      const yTrue = Array.from({ length: 20 }, (_, row) => (row < 8 ? 1 : 0));
      const perfect = delong(sample(yTrue, yTrue), scale);
      expect([perfect.estimate, perfect.lower, perfect.upper]).toEqual([1, ...wilson(1, 8, 0.95)]);
      const tied = delong(sample(yTrue, new Array(20).fill(0.3)), scale);
      expect([tied.estimate, tied.lower, tied.upper]).toEqual([0.5, ...wilson(0.5, 8, 0.95)]);
      expect(tied.note).toMatch(/Wilson.* 8 rows/);
    },
  );

  it('clips the plain scale and says so', () => {
    const yTrue = [1, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0];
    const found = delong(sample(yTrue, [5, 6, 2, 1, 1, 1, 1, 1, 1, 3, 1]));
    expect(found.upper).toBe(1);
    expect(found.note).toMatch(/ 0 to 1/);
  });
});
