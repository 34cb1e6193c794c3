import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blandAltman } from '../../../src/clinical/agreement/blandAltman.js';
import type { Interval } from '../../../src/intervals/interval.js';
import { unitFacts } from '../../../src/intervals/interval.js';
import reference from '../../reference/blandAltman.json' with { type: 'json' };

type Limits = { estimate: number; lower: number; upper: number };
type Expected = { bias: Limits; lowerLimit: Limits; upperLimit: Limits; sd: number };

function close(found: ReturnType<typeof blandAltman>, expected: Expected, back = (value: number) => value) {
  for (const name of ['bias', 'lowerLimit', 'upperLimit'] as const) {
    for (const part of ['estimate', 'lower', 'upper'] as const) {
      expect(found[name][part]).toBeCloseTo(back(expected[name][part]), 9);
    }
  }
  expect(found.sd).toBeCloseTo(expected.sd, 9);
}

const width = ({ lower, upper }: Interval) => (upper as number) - (lower as number);

describe('blandAltman', () => {
  const { single, several, balanced } = reference;

  it('of one row each has the t interval and the exact limits of R, on both scales', () => {
    const found = blandAltman(single.a, single.b);
    close(found, single.difference);
    close(blandAltman(single.a, single.b, { level: 0.9, agreement: 0.8 }), single.narrow);
    close(blandAltman(single.a, single.b, { scale: 'ratio' }), single.ratio, Math.exp);
    expect(found.lowerLimit).toMatchObject({ method: 'noncentral_t', unit: 'row', nUnits: 40, unitOfAnalysis: 'row' });
    expect(found.withinSd).toBeNull();
    expect(found.points[3]).toEqual({
      average: (single.a[3] + single.b[3]) / 2,
      difference: single.a[3] - single.b[3],
    });
  });

  it('gives the numbers that Bland & Altman 1986 print for 17 differences of mean -2.1 and sd 38.8', () => {
    // Eight differences of +1, eight of -1 and one of 0 have mean 0 and sum of squares 16 = n - 1, so sd 1.
    const differences = Array.from({ length: 17 }, (_, row) => -2.1 + 38.8 * Math.sign(8 - row));
    const { bias, upperLimit, lowerLimit } = blandAltman(differences, new Array(17).fill(0));
    // "-22.0 to 17.8"
    expect([bias.lower, bias.upper].map((limit) => limit?.toFixed(1))).toEqual(['-22.0', '17.8']);
    // They take 2 sd for 1.96 sd: -79.7 and 75.5.
    expect((lowerLimit.estimate as number) - 38.8 * (2 - 1.959964)).toBeCloseTo(-79.7, 4);
    expect((upperLimit.estimate as number) + 38.8 * (2 - 1.959964)).toBeCloseTo(75.5, 4);
    // Their large-sample interval, 40.9 to 110.1, is symmetric; the exact one reaches further out.
    expect(upperLimit.lower as number).toBeGreaterThan(40.9);
    expect(upperLimit.upper as number).toBeGreaterThan(110.1);
  });

  it('of several rows per patient equals Zou 2013 in R, and the mean squares of aov where all have as many', () => {
    const { a, b, groups } = several;
    const found = blandAltman(a, b, { groups });
    close(found, several.difference);
    expect(found.withinSd).toBeCloseTo(several.difference.withinSd, 9);
    close(blandAltman(a, b, { groups, scale: 'ratio', level: 0.9, agreement: 0.9 }), several.ratio, Math.exp);
    const even = blandAltman(balanced.a, balanced.b, { groups: balanced.groups });
    close(even, balanced.difference);
    expect((even.sd as number) ** 2).toBeCloseTo(balanced.variance, 9);
    expect(found.upperLimit).toMatchObject({ method: 'mover', unit: 'patient', nUnits: 24, unitOfAnalysis: 'patient' });
  });

  it('counts patients: rows that stand ten times say no more about the bias', () => {
    const tenfold = (values: number[]) => values.flatMap((value) => new Array<number>(10).fill(value));
    const groups = tenfold(single.a.map((_, row) => row));
    const found = blandAltman(tenfold(single.a), tenfold(single.b), { groups });
    const plain = blandAltman(single.a, single.b);
    expect(found.bias.lower).toBeCloseTo(plain.bias.lower as number, 10);
    expect(found.sd).toBeCloseTo(plain.sd as number, 10);
    expect(found.withinSd).toBeCloseTo(0, 10);
    const asRows = blandAltman(tenfold(single.a), tenfold(single.b));
    expect(width(asRows.upperLimit)).toBeLessThan(0.4 * width(plain.upperLimit));
    const one = blandAltman(single.a, single.b, { groups: single.a.map((_, row) => row) });
    expect(one.upperLimit).toEqual({ ...plain.upperLimit, ...unitFacts('patient', 'patient') });
  });

  it('turns with the measurements and moves with a constant', () => {
    const value = fc.integer({ min: 1, max: 1000 });
    fc.assert(
      fc.property(fc.array(fc.tuple(value, value, fc.nat(14)), { minLength: 40, maxLength: 60 }), (triples) => {
        const [a, b, groups] = [0, 1, 2].map((at) => triples.map((triple) => triple[at]));
        const [there, back] = [blandAltman(a, b, { groups }), blandAltman(b, a, { groups })];
        const moved = blandAltman(
          a.map((each) => each + 512),
          b,
          { groups },
        );
        if (there.upperLimit.lower === null) {
          expect(there.upperLimit.reason).toBeTruthy();
          return;
        }
        expect(back.lowerLimit.upper).toBeCloseTo(-there.upperLimit.lower, 8);
        expect(moved.upperLimit.upper).toBeCloseTo(512 + (there.upperLimit.upper as number), 8);
        expect(there.upperLimit.lower).toBeLessThan(there.upperLimit.estimate as number);
      }),
      { numRuns: 50 },
    );
  });

  it('takes more rows than a call takes arguments', () => {
    const a = Float64Array.from({ length: 300_000 }, (_, row) => row % 7);
    expect(blandAltman(a, a.toReversed()).bias.estimate).toBeCloseTo(0, 3);
  });

  it('says why there are no limits', () => {
    const ten = Array.from({ length: 12 }, (_, row) => row);
    const answers = [
      blandAltman([1], [2]),
      blandAltman([1, 2, 3], [1, 1, 1]),
      blandAltman(ten, ten, { groups: ten.map((row) => row % 3) }),
      blandAltman(
        ten.map((row) => row + 0.3),
        ten,
      ),
    ];
    expect(
      answers.map(({ bias, upperLimit }) => [bias.estimate, bias.reason, upperLimit.estimate, upperLimit.lower]),
    ).toEqual([
      [-1, expect.stringMatching(/ 1 row/), null, null],
      [1, expect.stringMatching(/ 3 rows/), expect.closeTo(1 + 1.959963984540054, 12), null],
      [0, expect.stringMatching(/ 3 patients/), 0, null],
      [expect.closeTo(0.3, 12), expect.stringMatching(/vary/), expect.closeTo(0.3, 12), null],
    ]);
  });
});
