import { mean } from '../core/numbers.js';
import { eventLabels } from './eventLabels.js';
import { countClasses, type Label, type Labels, rowNumbers } from './labels.js';
import { targetColumns } from './targets.js';

/** Counts of the classes that have rows: of labels that are several per row, of the rows that carry each. */
export interface ClassCounts {
  readonly n: number;
  readonly classes: readonly Label[];
  of(rows: Int32Array): Float64Array;
  /** Whether a row has the class at that place. */
  has(row: number, at: number): boolean;
}

/** The classes of `y` with their counts, of outcomes by time the events; undefined for numbers and masks, which have none. */
export function classCounts(y: Labels): ClassCounts | undefined {
  const { task, shape, length, classes, codes, indicators } = eventLabels(y);
  if (task === 'regression' || shape) return undefined;
  const width = classes.length;
  const several = task === 'multilabel';
  const all = (rows: Int32Array) => {
    const counts = new Float64Array(width);
    if (several) for (const row of rows) for (let at = 0; at < width; at++) counts[at] += indicators[row * width + at];
    else for (let i = 0; i < rows.length; i++) counts[codes[rows[i]]]++;
    return counts;
  };
  const total = all(rowNumbers(length));
  // One-hot columns, and a view of some rows of `y`, name classes that nobody has. A label that nobody has is a finding.
  const present = [...classes.keys()].filter((code) => several || total[code] > 0);
  const names = present.map((code) => classes[code]);
  return {
    n: length,
    classes: several ? classes : countClasses(names, () => total.filter((rows) => rows > 0)),
    of: (rows) => {
      const counts = all(rows);
      return Float64Array.from(present, (code) => counts[code]);
    },
    has: (row, at) => (several ? indicators[row * width + at] === 1 : codes[row] === present[at]),
  };
}

/** One number per row of what has no classes: the number itself, of several targets their mean in standard deviations, of a mask the share that is marked. */
export function numberPerRow({ shape, numbers, indicators, classes, length }: Labels): Float64Array {
  if (!shape) return classes.length > 0 ? standardisedMeans(targetColumns({ numbers, length })) : numbers;
  const width = classes.length;
  return Float64Array.from({ length }, (_, row) => mean(indicators.subarray(row * width, (row + 1) * width)));
}

/** Of each row, the mean of its targets in standard deviations. */
function standardisedMeans(targets: readonly Float64Array[]): Float64Array {
  const centres = targets.map((values) => mean(values));
  const spreads = targets.map((values, at) => Math.sqrt(mean(values.map((value) => (value - centres[at]) ** 2))) || 1);
  return targets[0].map((_, row) => mean(targets.map((values, at) => (values[row] - centres[at]) / spreads[at])));
}

export const byClass = (classes: readonly Label[], values: ArrayLike<number>): Record<string, number> =>
  Object.fromEntries(classes.map((each, at) => [String(each), values[at]]));

/** The smallest class by the largest; of labels that are several per row, the worst of with by without. */
export function rarest(counts: ArrayLike<number>, n: number, several: boolean): { at: number; ratio: number } {
  const sizes = Array.from(counts);
  const largest = sizes.reduce((most, count) => Math.max(most, count));
  const ratios = several
    ? sizes.map((count) => Math.min(count, n - count) / Math.max(count, n - count))
    : sizes.map((count) => count / largest);
  const ratio = ratios.reduce((least, each) => Math.min(least, each));
  return { at: ratios.indexOf(ratio), ratio };
}
