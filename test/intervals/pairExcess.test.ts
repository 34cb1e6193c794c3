import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pairExcess } from '../../src/intervals/trainingPart.js';
import type { UnitBlock } from '../../src/intervals/unitBlocks.js';
import { scoreTable } from '../../src/metrics/scoreTable.js';

interface Row {
  readonly label: number;
  /** Few values, so that ties abound. */
  readonly score: number;
  readonly unit: number;
  readonly weight: number;
}

const blockOf = (rows: readonly Row[], weighted = true): UnitBlock => ({
  table: scoreTable({
    yTrue: rows.map(({ label }) => label),
    yProba: rows.map(({ score }) => score),
    classes: [0, 1],
    ...(weighted ? { sampleWeight: rows.map(({ weight }) => weight) } : {}),
  }),
  units: Int32Array.from(rows, ({ unit }) => unit),
});

/** The definition, pair by pair. */
function bruteForce(folds: readonly (readonly Row[])[], estimate: number): number {
  let [excess, valued] = [0, 0];
  for (const rows of folds) {
    const [positive, negative] = [1, 0].map((side) => rows.filter(({ label, weight }) => label === side && weight > 0));
    if (positive.length === 0 || negative.length === 0) continue;
    valued++;
    const psi = (a: Row, b: Row) => (a.score > b.score ? 1 : a.score === b.score ? 0.5 : 0);
    const total = (side: readonly Row[]) => side.reduce((sum, { weight }) => sum + weight, 0);
    for (const g of new Set(positive.map(({ unit }) => unit))) {
      for (const h of new Set(negative.map(({ unit }) => unit))) {
        let sum = 0;
        for (const a of positive.filter(({ unit }) => unit === g)) {
          for (const b of negative.filter(({ unit }) => unit === h))
            sum += a.weight * b.weight * (psi(a, b) - estimate);
        }
        excess += (sum / (total(positive) * total(negative))) ** 2;
      }
    }
  }
  return valued === 0 ? 0 : excess / valued ** 2;
}

const rowsOf = (units: number, weight = fc.integer({ min: 0, max: 3 })) =>
  anyRows(units, weight).filter((rows) => rows.some((row) => row.weight > 0));

const anyRows = (units: number, weight: fc.Arbitrary<number>) =>
  fc.array(
    fc.record({
      label: fc.integer({ min: 0, max: 1 }),
      score: fc.integer({ min: 0, max: 6 }).map((score) => score / 6),
      unit: fc.integer({ min: 0, max: units - 1 }),
      weight,
    }),
    { minLength: 2, maxLength: 25 },
  );

describe('pairExcess', () => {
  it('is what a loop over all pairs gives, with ties, weights and clusters of rows', () => {
    fc.assert(
      fc.property(
        fc.array(rowsOf(8), { minLength: 1, maxLength: 4 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        (folds, estimate) => {
          const blocks = folds.map((rows) => blockOf(rows));
          expect(pairExcess([blocks], estimate)).toBeCloseTo(bruteForce(folds, estimate), 12);
        },
      ),
      { numRuns: 300 },
    );
  });

  it('is the same for weight 1 as without weights, for all weights times three, and for k rows instead of weight k', () => {
    fc.assert(
      fc.property(rowsOf(6, fc.integer({ min: 1, max: 3 })), (rows) => {
        const once = rows.map((row) => ({ ...row, weight: 1 }));
        const same = (a: UnitBlock, b: UnitBlock) => {
          expect(pairExcess([[a]], 0.6)).toBeCloseTo(pairExcess([[b]], 0.6), 12);
        };
        same(blockOf(once), blockOf(once, false));
        same(blockOf(rows), blockOf(rows.map((row) => ({ ...row, weight: 3 * row.weight }))));
        same(
          blockOf(rows),
          blockOf(
            rows.flatMap((row) => Array.from({ length: row.weight }, () => row)),
            false,
          ),
        );
      }),
    );
  });

  it('by hand: two positive and two negative rows with one pair in the wrong order', () => {
    const rows = [
      [1, 0.9],
      [1, 0.4],
      [0, 0.6],
      [0, 0.1],
    ].map(([label, score], unit) => ({ label, score, unit, weight: 1 }));
    // psi is 1, 1 / 0, 1, its mean 3/4: squares 3 x 1/16 + 9/16 = 3/4, divided by (2 x 2)^2.
    expect(pairExcess([[blockOf(rows)]], 0.75)).toBe(0.75 / 16);
  });

  it('is 0 without a fold of both classes, and does not mind one', () => {
    const row = { label: 1, score: 0.5, unit: 0, weight: 1 };
    const lone = blockOf([row, { ...row, unit: 1 }]);
    expect(pairExcess([[lone]], 0.5)).toBe(0);
    expect(pairExcess([[]], 0.5)).toBe(0);
    const both = blockOf([row, { ...row, label: 0, unit: 1 }, { ...row, label: 0, score: 0.1, unit: 2 }]);
    expect(pairExcess([[both, lone]], 0.5)).toBe(pairExcess([[both]], 0.5));
  });
});
