/** scikit-learn's StratifiedGroupKFold from test/reference/stratifiedGroups.json, the cases of its generator, measures. */
import { readFileSync } from 'node:fs';
import { groupsOf } from '../../src/data/sideData.js';
import { strataOf } from '../../src/splitters/strata.js';

interface Reference {
  versions: Record<string, string>;
  fixture: { groups: number[][]; nSplits: number; seeds: number; degenerate: number; first: number[] };
  /** Number of the case and scikit-learn's fold of each group, as one digit. */
  cases: string[];
}

export const reference: Reference = JSON.parse(
  readFileSync(new URL('../reference/stratifiedGroups.json', import.meta.url), 'utf8'),
);

/** The rows of groups, given the classes that each group holds. */
export function rowsOf(held: readonly (readonly number[])[]) {
  return { y: held.flat(), groups: held.flatMap((labels, group) => labels.map(() => group)) };
}

/** What `assignStratifiedGroups` takes. */
export function inputOf(held: readonly (readonly number[])[]) {
  const { y, groups } = rowsOf(held);
  return [groupsOf(groups, y.length), strataOf(y, y.length, { owner: 'a test', instead: '' })] as const;
}

/** A case of the reference: `case` of test/reference/stratifiedGroups.py. */
export function caseOf(line: string) {
  const [number, folds] = line.split(' ');
  return { ...draw(Number(number)), seed: Number(number) % 4 === 3 ? undefined : Number(number), folds };
}

function draw(number: number): { nSplits: number; held: number[][] } {
  let state = Math.imul(number, 2654435761) >>> 0;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  for (let i = 0; i < 4; i++) next();
  const whole = (low: number, high: number) => low + Math.floor(next() * (high - low + 1));
  const classes = number % 2 === 0 ? 2 : whole(3, 5);
  const nSplits = whole(2, 5);
  const groups = number % 3 === 0 ? whole(5, 12) : whole(5, 60);
  const [largest, skew] = [[3, 8, 20, 50][whole(0, 3)], whole(1, 4)];
  const pure = [0, 0.2, 0.6, 1][whole(0, 3)];
  const weights = Array.from({ length: classes }, () => 0.05 + next() ** 2);
  const sum = weights.reduce((a, b) => a + b);
  const label = () => {
    let at = next() * sum;
    let found = 0;
    while (found < classes - 1 && at >= weights[found]) at -= weights[found++];
    return found;
  };
  const held = Array.from({ length: groups }, () => {
    const size = 1 + Math.floor(largest * next() ** skew);
    const own = next() < pure ? label() : undefined;
    return Array.from({ length: size }, () => own ?? label());
  });
  return { nSplits, held };
}

/** What a placement of groups is like. */
export interface Measures {
  /** Mean over classes of the standard deviation over folds of the share of the class: what scikit-learn minimises. */
  readonly classes: number;
  /** Standard deviation of the fold sizes / rows. */
  readonly rows: number;
  /** Folds with one class or none. */
  readonly weak: number;
  /** Folds without rows. */
  readonly empty: number;
  /** Classes that folds lack, summed over folds. */
  readonly lacked: number;
}

/** Measures placements of groups, by nothing that the solver has. */
export function measurer(held: readonly (readonly number[])[], nSplits: number) {
  const labels = [...new Set(held.flat())];
  const counts = held.map((rows) => labels.map((label) => rows.filter((row) => row === label).length));
  const spread = (values: readonly number[]) => {
    const sum = values.reduce((a, b) => a + b);
    return Math.sqrt(values.reduce((all, value) => all + (value / sum - 1 / nSplits) ** 2, 0) / nSplits);
  };
  return (foldOf: ArrayLike<number>): Measures => {
    const folds = Array.from({ length: nSplits }, () => labels.map(() => 0));
    for (const [group, own] of counts.entries()) {
      for (const [label, count] of own.entries()) folds[foldOf[group]][label] += count;
    }
    const classes = folds.map((fold) => fold.filter((count) => count > 0).length);
    return {
      classes: labels.reduce((all, _, label) => all + spread(folds.map((fold) => fold[label])), 0) / labels.length,
      rows: spread(folds.map((fold) => fold.reduce((a, b) => a + b))),
      weak: classes.filter((count) => count < 2).length,
      empty: classes.filter((count) => count === 0).length,
      lacked: classes.reduce((all, count) => all + labels.length - count, 0),
    };
  };
}

/** Every way to put groups into at most `nSplits` folds, up to the names of the folds. */
export function* placements(groups: number, nSplits: number): Generator<readonly number[]> {
  const foldOf: number[] = Array(groups).fill(0);
  function* from(group: number, used: number): Generator<readonly number[]> {
    if (group === groups) {
      yield foldOf;
      return;
    }
    for (let fold = 0; fold < Math.min(nSplits, used + 1); fold++) {
      foldOf[group] = fold;
      yield* from(group + 1, Math.max(used, fold + 1));
    }
  }
  yield* from(0, 0);
}
