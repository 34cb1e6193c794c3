/** The rule by which scikit-learn's `StratifiedGroupKFold` places groups: where our search begins. */
import type { GroupTable, StratifiedPlacement } from './stratifiedPlacement.js';

/**
 * The groups by falling standard deviation of their counts of classes; among equals in the order of `drawn`. So large
 * groups of one class come first.
 */
export function unevenFirst({ counts, width }: GroupTable, drawn: Int32Array): Int32Array {
  const classes = width - 1;
  const deviations = new Float64Array(drawn.length);
  for (const group of drawn) deviations[group] = deviation(classes, (label) => counts[group * width + label]);
  return drawn.slice().sort((a, b) => deviations[b] - deviations[a]);
}

/**
 * Puts each group that has no fold where the shares of the classes stay most even; among folds that are equal to five
 * digits, where there are fewest rows. Sums run in NumPy's order, so that ties fall as in scikit-learn 1.9.1: the
 * placement is the same, group for group (up to seven classes, from where NumPy sums in pairs).
 */
export function placeGreedily(placement: StratifiedPlacement, order: Int32Array): void {
  const { counts, width, sums } = placement.table;
  const { nSplits } = placement;
  const classes = width - 1;
  for (const group of order) {
    if (placement.foldOf[group] >= 0) continue;
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    let fewest = Number.POSITIVE_INFINITY;
    for (let fold = 0; fold < nSplits; fold++) {
      let sum = 0;
      for (let c = 0; c < classes; c++) {
        const added = counts[group * width + c];
        sum += deviation(nSplits, (each) => (placement.total(each, c) + (each === fold ? added : 0)) / sums[c]);
      }
      const uneven = sum / classes;
      const rows = placement.total(fold, classes);
      const tied = Math.abs(uneven - least) <= 1e-8 + 1e-5 * Math.abs(least);
      if (uneven < least || (tied && rows < fewest)) [best, least, fewest] = [fold, uneven, rows];
    }
    placement.place(group, best);
  }
}

/** Standard deviation of `n` values. */
function deviation(n: number, value: (at: number) => number): number {
  let sum = 0;
  for (let i = 0; i < n; i++) sum += value(i);
  const mean = sum / n;
  let squares = 0;
  for (let i = 0; i < n; i++) squares += (value(i) - mean) ** 2;
  return Math.sqrt(squares / n);
}
