import { type Label, rowNumbers } from '../../data/labels.js';
import type { FoldPlan } from '../../splitters/foldsOf.js';
import { byClass, type ClassCounts } from './classCounts.js';

/** A class that one side of a fold lacks. */
export interface MissingClass {
  readonly class: Label;
  readonly side: 'train' | 'test';
}

/** Shares of the classes on both sides of a fold. */
export interface FoldBalance {
  readonly fold: string;
  /** Share of the training rows by class (label, bin). */
  readonly trainProportions: Readonly<Record<string, number>>;
  readonly testProportions: Readonly<Record<string, number>>;
  /** Largest difference between the two, 0 to 1. */
  readonly maxDifference: number;
  /** Largest |2 asin sqrt(p) - 2 asin sqrt(q)|, 0 to pi: .2 is small, .5 medium, .8 large. */
  readonly cohenH: number;
  readonly missingClasses: readonly MissingClass[];
}

/**
 * The classes on both sides of every fold.
 *
 * Source: Cohen 1988, Statistical Power Analysis for the Behavioral Sciences, section 6.2 (h).
 */
export function foldShares(folds: FoldPlan, counts: ClassCounts): FoldBalance[] {
  const { classes } = counts;
  const all = counts.of(rowNumbers(folds.n));
  return Array.from(folds.sides(), ({ id, train, test }) => {
    const tested = counts.of(test);
    const trained = train ? counts.of(train) : all.map((rows, at) => rows - tested[at]);
    const nTrain = train?.length ?? folds.n - test.length;
    const [p, q] = [trained.map((rows) => rows / nTrain), tested.map((rows) => rows / test.length)];
    const largest = (of: (p: number, q: number) => number) =>
      p.reduce((most, share, at) => Math.max(most, Math.abs(of(share, q[at]))), 0);
    return {
      fold: id,
      trainProportions: byClass(classes, p),
      testProportions: byClass(classes, q),
      maxDifference: largest((a, b) => a - b),
      cohenH: largest((a, b) => 2 * Math.asin(Math.sqrt(a)) - 2 * Math.asin(Math.sqrt(b))),
      missingClasses: [
        ...classes.flatMap((each, at) => (trained[at] === 0 ? [{ class: each, side: 'train' as const }] : [])),
        ...classes.flatMap((each, at) => (tested[at] === 0 ? [{ class: each, side: 'test' as const }] : [])),
      ],
    };
  });
}
