import { describe, expect, it } from 'vitest';
import { InfeasibleSplitError } from '../../../src/core/errors.js';
import {
  checkTwoClasses,
  classCoverage,
  coveringGroups,
  lackWarnings,
} from '../../../src/splitters/grouped/assignStratifiedGroups.js';
import { groupTable, StratifiedPlacement } from '../../../src/splitters/grouped/stratifiedPlacement.js';
import { refusal } from '../../helpers/messages.js';
import { inputOf, placements } from '../stratifiedGroups.js';

function coverageOf(held: readonly number[][]) {
  const [groups, strata] = inputOf(held);
  const table = groupTable(groups, strata);
  return { table, names: strata.names, coverage: classCoverage(table, Int32Array.from(held.keys()), strata.names) };
}

/** Every table of up to 3 groups with both of two classes and up to 3 with one class each, 7 in all at most. */
function* smallTables(): Generator<number[][]> {
  for (let several = 0; several <= 3; several++) {
    for (let code = 0; code < 4 ** 4; code++) {
      const single = [0, 1, 2, 3].map((label) => Math.floor(code / 4 ** label) % 4);
      const held = [
        ...Array.from({ length: several }, (_, i) => [i % 4, (i + 1) % 4]),
        ...single.flatMap((count, label) => Array.from({ length: count }, () => [label])),
      ];
      if (held.length >= 2 && held.length <= 7 && new Set(held.flat()).size > 1) yield held;
    }
  }
}

/** Largest number of folds with two classes that any placement has. */
function mostFolds(held: readonly number[][]): number {
  let most = 0;
  for (const foldOf of placements(held.length, held.length)) {
    const classes = held.map(() => new Set<number>());
    for (const [group, fold] of foldOf.entries()) for (const label of held[group]) classes[fold].add(label);
    most = Math.max(most, classes.filter((each) => each.size > 1).length);
  }
  return most;
}

describe('classCoverage', () => {
  it('says how many folds can have two classes: equal to brute force for every small table', () => {
    let tables = 0;
    for (const held of smallTables()) {
      expect(coverageOf(held).coverage.largest, JSON.stringify(held)).toBe(mostFolds(held));
      tables++;
    }
    expect(tables).toBeGreaterThan(400);
  }, 60_000);

  it('finds groups that make them, disjoint and at least one per fold', () => {
    for (const held of smallTables()) {
      const { coverage } = coverageOf(held);
      for (let nSplits = 1; nSplits <= held.length; nSplits++) {
        const folds = coveringGroups(coverage, nSplits, held.length);
        const used = folds.flat();
        expect(folds.length).toBe(nSplits);
        expect(new Set(used).size).toBe(used.length);
        expect(Math.min(...folds.map((groups) => groups.length))).toBeGreaterThan(0);
        const classes = folds.map((groups) => new Set(groups.flatMap((group) => held[group])).size);
        if (nSplits <= coverage.largest) expect(Math.min(...classes)).toBeGreaterThan(1);
      }
    }
  });

  it('proves with counts what cannot be', () => {
    const check = (nSplits: number, held: number[][]) => () => checkTwoClasses('S', nSplits, coverageOf(held).coverage);
    expect(check(3, [[0, 1], [0], [1], [1]])).toThrow(
      refusal('infeasible_split', 'nSplits', 'class 0', 'class 1', 2, 3),
    );
    expect(check(2, [[0], [0], [0], [1]])).toThrow(refusal('infeasible_split', 'class 0', 'class 1'));
    expect(check(5, [[0, 1], [1, 2], [0], [0], [0], [1], [2]])).toThrow(
      refusal('infeasible_split', 'nSplits', 'class 0', 'class 1', 4, 5),
    );
    expect(
      check(
        4,
        [0, 1, 2, 3, 4, 5, 6].map((label) => [label]),
      ),
    ).toThrow(refusal('infeasible_split', 'nSplits', 3, 4));
    expect(check(5, [[0, 1], [1, 2], [0], [0], [0], [1], [2]])).toThrow(InfeasibleSplitError);
    expect(check(4, [[0, 1], [1, 2], [0], [0], [0], [1], [2]])).not.toThrow();
  });
});

describe('lackWarnings', () => {
  const warnings = (held: number[][], foldOf: number[]) => {
    const { table, names, coverage } = coverageOf(held);
    const placement = new StratifiedPlacement(table, Math.max(...foldOf) + 1);
    for (const [group, fold] of foldOf.entries()) placement.place(group, fold);
    return lackWarnings(placement, coverage, names);
  };

  it('are silent where no fold lacks a class', () => {
    expect(warnings([[0, 1, 2], [0, 1], [2]], [0, 1, 1])).toEqual([]);
  });

  it('tell a class in too few groups from one for which the search failed', () => {
    expect(warnings([[0, 1, 2], [0, 1], [0, 1], [1], [3], [3], [3], [3]], [0, 1, 2, 2, 0, 0, 1, 1])).toEqual([
      'Class 2 is in 1 group, fewer than the 3 folds: 2 test folds lack it.',
      'Class 3 is in 4 groups, enough for the 3 folds, but the search found no folds that all test it: 1 test fold ' +
        'lacks it. That does not prove that there are none.',
    ]);
  });

  it('name the folds of one class, and that their metrics mean nothing alone', () => {
    expect(warnings([[0, 1], [0], [0]], [0, 1, 2])).toEqual([
      'Not every test fold can have both classes (groups with both classes: 1, with only class 0: 2, with only class ' +
        '1: 0; 1 + min(2, 0) = 1): fold-1 tests only class 0, fold-2 tests only class 0. Metrics must be read pooled ' +
        'over all folds, not fold by fold.',
    ]);
  });

  it('stay short for many classes', () => {
    const held = Array.from({ length: 9 }, (_, label) => [label, 9]);
    const said = warnings(held, [0, 0, 0, 0, 0, 1, 1, 1, 1]);
    expect(said.length).toBe(6);
    expect(said[5]).toBe('4 more classes are missing from some test folds.');
  });
});
