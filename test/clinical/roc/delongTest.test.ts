import { describe, expect, it } from 'vitest';
import { delongTest } from '../../../src/clinical/roc/delongTest.js';
import reference from '../../reference/clinical.json' with { type: 'json' };
import alternatives from '../../reference/delongAlternatives.json' with { type: 'json' };

const { y, s100b, wfns, ndka, tests } = reference.asah;

function expectTest(found: ReturnType<typeof delongTest>, expected: typeof tests.wfnsS100b) {
  expect(found.z).toBeCloseTo(expected.z, 10);
  expect(found.pValue).toBeCloseTo(expected.pValue, 12);
  expect(found.difference.estimate).toBeCloseTo(expected.difference.estimate, 12);
  expect(found.difference.lower).toBeCloseTo(expected.difference.lower, 12);
  expect(found.difference.upper).toBeCloseTo(expected.difference.upper, 12);
}

describe('delongTest', () => {
  it('of aSAH equals roc.test of pROC: wfns against s100b Z 2.208984, p .027176', () => {
    const found = delongTest(y, wfns, s100b);
    expectTest(found, tests.wfnsS100b);
    expect(found.z?.toFixed(6)).toBe('2.208984');
    expect(found.pValue?.toFixed(6)).toBe('0.027176');
    expect(found.aucA.estimate).toBeCloseTo(reference.asah.areas.wfns.plain.estimate, 12);
    expect(found.difference).toMatchObject({ unit: 'row', nUnits: 113, estimand: 'predictions', method: 'delong' });
    expectTest(delongTest(y, s100b, ndka), tests.s100bNdka);
  });

  it('with many ties equals roc.test of pROC', () => {
    for (const { y, a, b, test } of reference.tied) expectTest(delongTest(y, a, b), test);
  });

  it.each(['less', 'greater'] as const)('against one side equals roc.test of pROC: %s', (alternative) => {
    const cases = [
      [y, wfns, s100b, alternatives.wfnsS100b],
      [y, s100b, wfns, alternatives.s100bWfns],
      ...reference.tied.map((each, at) => [each.y, each.a, each.b, alternatives.tied[at]] as const),
    ] as const;
    for (const [labels, a, b, expected] of cases) {
      const { pValue, difference } = delongTest(labels, a, b, { alternative });
      expect(pValue).toBeCloseTo(expected[alternative].pValue, 12);
      // pROC's limits have two sides, whatever the alternative is.
      expect(difference.lower).toBeCloseTo(expected[alternative].lower, 12);
      expect(difference.upper).toBeCloseTo(expected[alternative].upper, 12);
    }
  });

  it('against one side is half of both sides, with patients too', () => {
    const groups = y.map((_, row) => row >> 1);
    const of = (alternative: 'two-sided' | 'less' | 'greater') =>
      delongTest(y, wfns, s100b, { groups, alternative }).pValue as number;
    expect(of('greater')).toBeCloseTo(of('two-sided') / 2, 14);
    expect(of('less') + of('greater')).toBeCloseTo(1, 14);
  });

  it('does not change when all weights are multiplied, or with one row per patient', () => {
    const { y, a, b, weight } = reference.tied[1];
    const plain = delongTest(y, a, b);
    expect(delongTest(y, a, b, { sampleWeight: y.map(() => 4) }).z).toBeCloseTo(plain.z as number, 12);
    expect(delongTest(y, a, b, { groups: y.map((_, row) => row) }).pValue).toBe(plain.pValue);
    const weighted = delongTest(y, a, b, { sampleWeight: weight });
    const tenfold = delongTest(y, a, b, { sampleWeight: weight.map((w) => 10 * w) });
    expect(tenfold.z).toBeCloseTo(weighted.z as number, 10);
  });

  it('is anti-symmetric', () => {
    const [ab, ba] = [delongTest(y, wfns, ndka), delongTest(y, ndka, wfns)];
    expect(ba.z).toBeCloseTo(-(ab.z as number), 12);
    expect(ba.pValue).toBeCloseTo(ab.pValue as number, 12);
    expect(ba.difference.lower).toBeCloseTo(-(ab.difference.upper as number), 12);
  });

  it('counts patients: rows that stand ten times say nothing new, but for the small-sample factor', () => {
    const tenfold = (values: number[]) => values.flatMap((value) => new Array<number>(10).fill(value));
    const patients = tenfold(y.map((_, row) => row));
    const found = delongTest(tenfold(y), tenfold(wfns), tenfold(s100b), { groups: patients });
    expect(found.z).toBeCloseTo(tests.wfnsS100b.z, 10);
    expect(found.difference).toMatchObject({ unit: 'patient', nUnits: 113, method: 'obuchowski' });
    expect(found.pValue as number).toBeGreaterThan(tests.wfnsS100b.pValue);
    expect(found.pValue as number).toBeLessThan(1.2 * tests.wfnsS100b.pValue);
  });

  it('says why there is no test', () => {
    const labels = [0, 1, 0, 1, 0, 1, 0, 1, 0, 1];
    const scores = labels.map((_, row) => row);
    const same = delongTest(labels, scores, scores);
    const few = delongTest([0, 1, 0], [1, 2, 3], [3, 1, 2]);
    const one = delongTest(new Array(12).fill(0), new Array(12).fill(1), new Array(12).fill(2));
    expect([same, few, one].map(({ z, pValue, difference }) => [z, pValue, difference.reason])).toEqual(
      [/vary/, / 3 rows/, /positive/].map((reason) => [null, null, expect.stringMatching(reason)]),
    );
  });
});
