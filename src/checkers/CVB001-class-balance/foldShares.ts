import { byClass, type ClassCounts } from '../../data/classCounts.js';
import { type Label, rowNumbers } from '../../data/labels.js';
import type { FoldPlan } from '../../splitters/foldsOf.js';

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

/** The counts of every fold, in order. Where a fold trains on all other rows, these are not counted one by one. */
export function* foldCounts(folds: FoldPlan, counts: Pick<ClassCounts, 'of'>) {
  const all = counts.of(rowNumbers(folds.n));
  for (const { id: fold, train, test } of folds.sides()) {
    const tested = counts.of(test);
    const trained = train ? counts.of(train) : all.map((rows, at) => rows - tested[at]);
    yield { fold, nTrain: train?.length ?? folds.n - test.length, nTest: test.length, trained, tested };
  }
}

/** h: Cohen 1988, Statistical Power Analysis for the Behavioral Sciences, section 6.2. */
export function foldShares(folds: FoldPlan, counts: ClassCounts): FoldBalance[] {
  const { classes } = counts;
  return Array.from(foldCounts(folds, counts), ({ fold, nTrain, nTest, trained, tested }) => {
    const [p, q] = [trained.map((rows) => rows / nTrain), tested.map((rows) => rows / nTest)];
    const largest = (of: (p: number, q: number) => number) =>
      p.reduce((most, share, at) => Math.max(most, Math.abs(of(share, q[at]))), 0);
    return {
      fold,
      trainProportions: byClass(classes, p),
      testProportions: byClass(classes, q),
      maxDifference: largest((a, b) => a - b),
      cohenH: largest((a, b) => 2 * Math.asin(Math.sqrt(a)) - 2 * Math.asin(Math.sqrt(b))),
      missingClasses: (['train', 'test'] as const).flatMap((side) =>
        classes
          .filter((_, at) => (side === 'train' ? trained : tested)[at] === 0)
          .map((each) => ({ class: each, side })),
      ),
    };
  });
}
