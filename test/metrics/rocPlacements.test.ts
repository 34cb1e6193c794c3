import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  ascendingOrder,
  concordance,
  type Ranked,
  type RocPlacements,
  rocPlacements,
} from '../../src/metrics/rocPlacements.js';
import reference from '../reference/placements.json' with { type: 'json' };

interface Row {
  readonly y: number;
  readonly score: number;
  readonly w: number;
}

/** Few different scores, so that ties abound, and weights of which some are 0 and some are fractions. */
const rows = fc.array(
  fc.record({
    y: fc.integer({ min: 0, max: 1 }),
    score: fc.integer({ min: -3, max: 3 }),
    w: fc.constantFrom(0, 0.3, 1, 1, 2, 3.7),
  }),
  { minLength: 1, maxLength: 30 },
);

const rankedOf = (list: readonly Row[]): Ranked => ({
  length: list.length,
  positive: 1,
  yTrue: list.map(({ y }) => y),
  scores: Float64Array.from(list, ({ score }) => score),
  weight: Float64Array.from(list, ({ w }) => w),
});

/** By definition: the share of the rows of the other class that lie on the right side, ties half. */
function placementOf(row: Row, list: readonly Row[]): number {
  let [right, total] = [0, 0];
  for (const other of list) {
    if (other.y === row.y) continue;
    const ahead = row.y === 1 ? row.score - other.score : other.score - row.score;
    total += other.w;
    right += other.w * (ahead > 0 ? 1 : ahead === 0 ? 0.5 : 0);
  }
  return right / total;
}

const weightOf = (list: readonly Row[], side: number) => list.reduce((sum, { y, w }) => sum + (y === side ? w : 0), 0);

describe('placements', () => {
  it('are those of the definition, pair by pair, with ties and weights', () => {
    fc.assert(
      fc.property(rows, (list) => {
        const found = rocPlacements(rankedOf(list));
        const [negatives, positives] = [0, 1].map((side) => weightOf(list, side));
        if (positives === 0) expect(found).toEqual({ reason: 'no positive rows' });
        else if (negatives === 0) expect(found).toEqual({ reason: 'no negative rows' });
        else {
          const { values, ...sums } = found as RocPlacements;
          expect(sums.positives).toBeCloseTo(positives, 12);
          expect(sums.negatives).toBeCloseTo(negatives, 12);
          list.forEach((row, i) => {
            expect(values[i]).toBeCloseTo(placementOf(row, list), 12);
          });
          for (const side of [0, 1]) {
            const mean = list.reduce((sum, { y, w }, i) => sum + (y === side ? w * values[i] : 0), 0);
            expect(mean / weightOf(list, side)).toBeCloseTo(sums.auc, 12);
          }
        }
      }),
    );
  });

  it('of four rows (hand calculation)', () => {
    const found = rocPlacements(
      rankedOf([
        { y: 1, score: 9, w: 2 },
        { y: 1, score: 4, w: 1 },
        { y: 0, score: 4, w: 3 },
        { y: 0, score: 1, w: 1 },
      ]),
    ) as RocPlacements;
    // Negatives weigh 4: below 9 all, at 4 half of 3 and 1. Positives weigh 3: above 4 there are 2 and half of 1.
    expect(Array.from(found.values)).toEqual([1, 2.5 / 4, 2.5 / 3, 1]);
    expect(found.auc).toBeCloseTo((2 * 4 + 2.5) / 12, 14);
  });
});

describe('concordance', () => {
  it(`is the area of scikit-learn ${reference.versions['scikit-learn']} on 1,000 cases full of ties`, () => {
    const digits = (text: string) => Array.from(text, Number);
    expect(reference.cases).toHaveLength(1000);
    for (const [y, scores, w, expected] of reference.cases as [string, string, string, number][]) {
      const [classes, weights] = [digits(y), digits(w)];
      const list = digits(scores).map((score, i) => ({ y: classes[i], score, w: weights[i] }));
      const { positives, negatives, concordant } = concordance(rankedOf(list));
      expect(Math.abs(concordant / (positives * negatives) - expected)).toBeLessThanOrEqual(1e-12);
      expect(Math.abs((rocPlacements(rankedOf(list)) as RocPlacements).auc - expected)).toBeLessThanOrEqual(1e-12);
    }
  });

  it('comes to an end also with scores that are no numbers', () => {
    const list = [Number.NaN, 0.5, Number.NaN].map((score, row) => ({ y: row % 2, score, w: 1 }));
    expect(concordance(rankedOf(list))).toMatchObject({ positives: 1, negatives: 2 });
  });

  it('shows every run of ties once, with the weights below it and in it', () => {
    fc.assert(
      fc.property(rows, (list) => {
        const ranked = rankedOf(list);
        const order = ascendingOrder(ranked.scores);
        let next = 0;
        concordance(ranked, (from, to, ...weights) => {
          const [below, tied] = [weights.slice(0, 2), weights.slice(2)];
          expect(from).toBe(next);
          next = to;
          const score = ranked.scores[order[from]];
          for (const [at, side] of [1, 0].entries()) {
            expect(below[at]).toBeCloseTo(
              weightOf(
                list.filter((row) => row.score < score),
                side,
              ),
              12,
            );
            expect(tied[at]).toBeCloseTo(
              weightOf(
                list.filter((row) => row.score === score),
                side,
              ),
              12,
            );
          }
        });
        expect(next).toBe(list.length);
      }),
    );
  });
});

describe('ascendingOrder', () => {
  it('sorts row numbers by score, once per array', () => {
    const scores = Float64Array.of(0.3, -1, 0.2);
    const order = ascendingOrder(scores);
    expect(Array.from(order)).toEqual([1, 2, 0]);
    expect(ascendingOrder(scores)).toBe(order);
  });

  it('is a stable sort, whatever the scores', { tags: 'slow' }, () => {
    const score = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.integer({ min: -3, max: 3 }),
      fc.constantFrom(-0, 0, 1e308, -1e308, 5e-324, 1, 1 + Number.EPSILON),
    );
    fc.assert(
      fc.property(fc.array(score, { maxLength: 60 }), (list) => {
        const rows = list.map((_, row) => row);
        const expected = rows.toSorted((a, b) => list[a] - list[b] || a - b);
        // Zeros of either sign are equal, and their order among each other is of no account.
        const values = (order: ArrayLike<number>) => Array.from(order, (row) => list[row] + 0);
        // Repeated, so that the sorts for more rows are tried, too.
        for (const length of [300, 5000]) {
          const many = Array.from({ length }, (_, row) => list[row % Math.max(1, list.length)] ?? 0);
          const ofMany = ascendingOrder(Float64Array.from(many));
          for (let at = 1; at < many.length; at++) {
            const [before, after] = [ofMany[at - 1], ofMany[at]];
            expect(many[before] < many[after] || (many[before] === many[after] && before < after)).toBe(true);
          }
        }
        const found = ascendingOrder(Float64Array.from(list));
        expect(values(found)).toEqual(values(expected));
        if (!list.some((each) => Object.is(each, -0))) expect(Array.from(found)).toEqual(expected);
      }),
    );
  });
});
