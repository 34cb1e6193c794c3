/** The cases of test/reference/multilabel.json with their data, and how far folds are from balance. */
import { readFileSync } from 'node:fs';
import { randomSource } from '../../src/core/random.js';
import type { Fold } from '../../src/splitters/splitter.js';

type Columns = 'n' | 'labels' | 'nSplits' | 'positives' | 'labelMax' | 'labelMean' | 'sizeMax';
/** One case: its shape, the number of ones in its data, and the balance of the reference's folds. */
export type MultilabelCase = Readonly<Record<Columns | 'seed', number>>;

const reference: { columns: Columns[]; cases: number[][] } = JSON.parse(
  readFileSync(new URL('../reference/multilabel.json', import.meta.url), 'utf8'),
);

export const multilabelCases: MultilabelCase[] = reference.cases.map(
  (row, seed) => Object.fromEntries([['seed', seed], ...reference.columns.map((name, at) => [name, row[at]])]) as never,
);

/** The rows of a case, drawn as test/reference/multilabel.py draws them. */
export function multilabelRows({ seed, n, labels }: MultilabelCase): number[][] {
  const source = randomSource(seed);
  const draw = () => source.random();
  for (let shape = 0; shape < 3; shape++) draw();
  const rates = Array.from({ length: labels }, () => 0.02 + 0.5 * draw() ** 2);
  return Array.from({ length: n }, () => {
    const severity = 2 * draw();
    return rates.map((rate) => (draw() < rate * severity ? 1 : 0));
  });
}

/** Rows per label in some rows of y. */
export const ones = (y: readonly number[][], rows: ArrayLike<number>): number[] =>
  y[0].map((_, label) => Array.from(rows).reduce((sum, row) => sum + y[row][label], 0));

/** Deviations of the labels (largest, mean over labels and folds) and of the sizes (largest) from a k-th. */
export function balance(
  y: readonly number[][],
  folds: Iterable<Fold>,
): Record<'labelMax' | 'labelMean' | 'sizeMax', number> {
  const tests = Array.from(folds, ({ test }) => test);
  const totals = ones(y, [...y.keys()]);
  const off = tests.flatMap((test) =>
    ones(y, test).map((count, label) => Math.abs(count - totals[label] / tests.length)),
  );
  return {
    labelMax: Math.max(...off),
    labelMean: off.reduce((sum, each) => sum + each, 0) / off.length,
    sizeMax: Math.max(...tests.map((test) => Math.abs(test.length - y.length / tests.length))),
  };
}
