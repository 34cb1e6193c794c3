import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomSource } from '../../../src/core/random.js';
import { foldsFromAssignment } from '../../../src/splitters/assignment.js';
import {
  iterativeStratification,
  labelSetsOf,
  multilabelOf,
  RestPlacement,
} from '../../../src/splitters/multilabel/multilabelStratifiedKFold.js';
import { balance, type MultilabelCase, multilabelCases, multilabelRows, ones } from '../multilabelData.js';

const stratify = (y: number[][], nSplits: number, seed?: number) =>
  iterativeStratification(
    labelSetsOf(multilabelOf(y, y.length)),
    nSplits,
    seed === undefined ? undefined : randomSource(seed),
  );

describe('iterativeStratification and iterative-stratification, 200 cases (test/reference/multilabel.json)', () => {
  const rows = multilabelCases.map(multilabelRows);
  const balances = (seed?: number) =>
    multilabelCases.map(({ nSplits }, at) =>
      balance(rows[at], foldsFromAssignment(stratify(rows[at], nSplits, seed), nSplits)),
    );

  it('speak of the same data', () => {
    expect(multilabelCases).toHaveLength(200);
    expect(rows.map((y) => y.flat().reduce((a, b) => a + b, 0))).toEqual(multilabelCases.map((each) => each.positives));
  });

  it.each([undefined, 2, 3])('the labels are never farther from their shares, seed %s', (seed) => {
    const found = balances(seed);
    const measure = (name: 'labelMax' | 'labelMean', worse: (ours: number, theirs: number) => boolean) =>
      multilabelCases.filter((each: MultilabelCase, at) => worse(found[at][name], each[name])).map(({ seed }) => seed);
    for (const name of ['labelMax', 'labelMean'] as const) {
      expect(measure(name, (ours, theirs) => ours > theirs + 1e-8)).toEqual([]);
      expect(measure(name, (ours, theirs) => ours < theirs - 1e-8).length).toBeGreaterThan(80);
    }
  });

  it('the sizes of the folds differ by at most one row, where the reference loses that five times', () => {
    expect(multilabelCases.filter(({ sizeMax }) => sizeMax >= 1)).toHaveLength(5);
    expect(balances().filter(({ sizeMax }) => sizeMax >= 1)).toEqual([]);
  });
});

const problem = fc
  .record({
    n: fc.integer({ min: 2, max: 80 }),
    width: fc.integer({ min: 2, max: 6 }),
    nSplits: fc.integer({ min: 2, max: 7 }),
  })
  .chain(({ n, width, nSplits }) =>
    fc.record({
      nSplits: fc.constant(nSplits),
      seed: fc.option(fc.nat(), { nil: undefined }),
      y: fc.array(fc.array(fc.integer({ min: 0, max: 1 }), { minLength: width, maxLength: width }), {
        minLength: n,
        maxLength: n,
      }),
    }),
  );

describe('iterativeStratification', () => {
  /** Rows per fold, of those that pass. */
  const perFold = (foldOf: Int32Array, nSplits: number, passes: (row: number) => boolean) =>
    Array.from(
      { length: nSplits },
      (_, fold) => Array.from(foldOf.keys()).filter((row) => foldOf[row] === fold && passes(row)).length,
    );
  const spread = (counts: number[]) => Math.max(...counts) - Math.min(...counts);

  it('spreads rows, rows with and rows without labels to within one', () => {
    fc.assert(
      fc.property(problem, ({ y, nSplits, seed }) => {
        const foldOf = stratify(y, nSplits, seed);
        const empty = (row: number) => y[row].every((value) => value === 0);
        for (const passes of [() => true, empty, (row: number) => !empty(row)]) {
          expect(spread(perFold(foldOf, nSplits, passes))).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('gives every fold its part of every label set', () => {
    fc.assert(
      fc.property(problem, ({ y, nSplits, seed }) => {
        const { codes, counts } = labelSetsOf(multilabelOf(y, y.length));
        const foldOf = stratify(y, nSplits, seed);
        for (const [set, count] of counts.entries()) {
          const part = Math.min(...perFold(foldOf, nSplits, (row) => codes[row] === set));
          expect(part).toBeGreaterThanOrEqual(Math.floor(count / nSplits));
        }
      }),
    );
  });

  it('draws nothing without a source, and which rows go where with one', () => {
    const y = Array.from({ length: 60 }, (_, row) => [row % 2, row % 3 === 0 ? 1 : 0]);
    expect(stratify(y, 4)).toEqual(stratify(y, 4));
    const drawn = Array.from({ length: 20 }, (_, seed) => String(stratify(y, 4, seed)));
    expect(new Set(drawn).size).toBe(20);
    expect(String(stratify(y, 4, 7))).toBe(drawn[7]);
  });

  it('deals the rows of a label set in order when nothing is drawn', () => {
    // by hand: six rows of each of two sets in three folds are two and two
    const y = Array.from({ length: 12 }, (_, row) => [row % 2, 0]);
    expect([...stratify(y, 3)]).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2]);
  });

  it('takes the best of several attempts, of which the first is the one in order', () => {
    let better = 0;
    for (let seed = 0; seed < 20; seed++) {
      const source = randomSource(seed);
      const y = Array.from({ length: 30 }, () => Array.from({ length: 20 }, () => (source.random() < 0.3 ? 1 : 0)));
      const sets = labelSetsOf(multilabelOf(y, 30));
      expect(sets.labels).toHaveLength(30); // so that no row is dealt before
      const first = new RestPlacement(sets.labels, 20, 4);
      first.placeLabelled(Int32Array.from(y.keys()));
      first.improve({ steps: 1e9 });
      const squares = (foldOf: Int32Array) =>
        Array.from({ length: 4 }, (_, fold) =>
          ones(
            y,
            Array.from(y.keys()).filter((row) => foldOf[row] === fold),
          ),
        )
          .flat()
          .reduce((sum, count) => sum + count ** 2, 0);
      const gain = squares(first.placeUnlabelled()) - squares(stratify(y, 4));
      expect(gain).toBeGreaterThanOrEqual(0);
      if (gain > 0) better++;
    }
    expect(better).toBeGreaterThan(10);
  });

  it('ends on more labels than rows, where no placement is even', () => {
    const source = randomSource(1);
    const y = Array.from({ length: 60 }, () => Array.from({ length: 200 }, () => (source.random() < 0.3 ? 1 : 0)));
    expect(spread(perFold(stratify(y, 7), 7, () => true))).toBe(1);
  });
});
