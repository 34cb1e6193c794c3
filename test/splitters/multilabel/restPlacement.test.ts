import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RestPlacement } from '../../../src/splitters/multilabel/multilabelStratifiedKFold.js';

const problem = fc.record({
  nSplits: fc.integer({ min: 2, max: 4 }),
  rows: fc.array(fc.subarray([0, 1, 2, 3, 4]), { minLength: 1, maxLength: 24 }),
});

/** Squared rows per fold and label, summed. */
function squares(rows: number[][], foldOf: ArrayLike<number>, nSplits: number): number {
  const totals = Array.from({ length: nSplits * 5 }, () => 0);
  for (const [row, labels] of rows.entries()) for (const label of labels) totals[foldOf[row] * 5 + label]++;
  return totals.reduce((sum, total) => sum + total ** 2, 0);
}

const sizesOf = (foldOf: number[], nSplits: number) =>
  Array.from({ length: nSplits }, (_, fold) => foldOf.filter((each) => each === fold).length);

const inOrder = (rows: unknown[]) => Int32Array.from(rows.keys());

describe('RestPlacement', () => {
  it('places the rarest label first, its rows where the label is rarest, and among equals where the row adds least', () => {
    // By hand. Label 1 has 2 rows left, label 0 has 4, so label 1 goes first: row 1 into fold 0, row 3 into fold 1.
    // Then label 0, which has one row in each fold: row 0 into fold 0 (first among equals), row 2 into fold 1.
    const rows = [[0], [0, 1], [0], [0, 1]];
    const placement = new RestPlacement(rows, 2, 2);
    placement.placeLabelled(inOrder(rows));
    expect([...placement.placeUnlabelled()]).toEqual([0, 0, 1, 1]);
    expect(placement.excess).toBe(0);
    // Label 0 has 1 row left, so row 3 goes first, into fold 0. Labels 1 and 2 have 2 each: label 1, row 0 into the fold
    // with fewer rows, 1, and row 2 into fold 0, which has none of label 1. Label 2 is in fold 1, but fold 0 is full.
    const more = [[1, 2], [2], [1], [0]];
    const second = new RestPlacement(more, 3, 2);
    second.placeLabelled(inOrder(more));
    expect([...second.placeUnlabelled()]).toEqual([1, 1, 0, 0]);
  });

  it('looks at the label in hand before the other labels of the row', () => {
    // By hand. All labels have two rows, so they go in order. Label 0: rows 0 and 1 into folds 0 and 1. Label 1: row 2
    // into fold 1, as fold 0 has label 2; row 3 into fold 0, which has none of label 1, though it has labels 3 and 4.
    const rows = [[0, 2, 3, 4], [0], [1, 2], [1, 3, 4], [5], [5]];
    const placement = new RestPlacement(rows, 6, 2);
    placement.placeLabelled(inOrder(rows));
    expect([...placement.placeUnlabelled()]).toEqual([0, 1, 1, 0, 0, 1]);
  });

  it('keeps the sizes of the folds, of labelled and of unlabelled rows within one row', () => {
    fc.assert(
      fc.property(problem, ({ nSplits, rows }) => {
        const unlabelled = Array.from({ length: nSplits - 1 }, (): number[] => []);
        const all = [...rows.filter((labels) => labels.length > 0), ...unlabelled];
        const placement = new RestPlacement(all, 5, nSplits);
        placement.placeLabelled(inOrder(all));
        placement.improve({ steps: 1e9 });
        const foldOf = [...placement.placeUnlabelled()];
        for (const part of [foldOf, foldOf.slice(0, 1 - nSplits), foldOf.slice(1 - nSplits)]) {
          const sizes = sizesOf(part, nSplits);
          expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('ends where no exchange of two labelled rows and no move that keeps the sizes brings the labels nearer', () => {
    fc.assert(
      fc.property(problem, ({ nSplits, rows }) => {
        const all = rows.filter((labels) => labels.length > 0);
        const placement = new RestPlacement(all, 5, nSplits);
        placement.placeLabelled(inOrder(all));
        placement.improve({ steps: 1e9 });
        const foldOf = [...placement.placeUnlabelled()];
        const reached = squares(all, foldOf, nSplits);
        for (let a = 0; a < all.length; a++) {
          for (let b = 0; b < a; b++) {
            const swapped = foldOf.with(a, foldOf[b]).with(b, foldOf[a]);
            expect(squares(all, swapped, nSplits)).toBeGreaterThanOrEqual(reached);
          }
          for (let fold = 0; fold < nSplits; fold++) {
            const moved = foldOf.with(a, fold);
            const sizes = sizesOf(moved, nSplits);
            if (Math.max(...sizes) - Math.min(...sizes) > 1) continue;
            expect(squares(all, moved, nSplits)).toBeGreaterThanOrEqual(reached);
          }
        }
      }),
    );
  });

  it('knows how far it is from the least that each label alone allows', () => {
    fc.assert(
      fc.property(problem, ({ nSplits, rows }) => {
        const placement = new RestPlacement(rows, 5, nSplits);
        placement.placeLabelled(inOrder(rows));
        const found = placement.excess;
        // label by label: its rows dealt one by one
        const dealt = [0, 1, 2, 3, 4].map((label) => {
          const held = rows.filter((labels) => labels.includes(label)).map(() => [label]);
          return squares(
            held,
            held.map((_, row) => row % nSplits),
            nSplits,
          );
        });
        const least = dealt.reduce((sum, each) => sum + each, 0);
        expect(found).toBe(squares(rows, placement.placeUnlabelled(), nSplits) - least);
      }),
    );
  });

  it('stops when its budget is spent', () => {
    const rows = Array.from({ length: 60 }, (_, row) =>
      [0, 1, 2, 3, 4].filter((label) => (row * 7 + label * 3) % 5 < 2),
    );
    const budget = { steps: 0 };
    const placement = new RestPlacement(rows, 5, 7);
    placement.placeLabelled(inOrder(rows));
    const before = placement.excess;
    placement.improve(budget);
    expect(placement.excess).toBe(before);
    expect(budget.steps).toBeLessThanOrEqual(0);
  });
});
