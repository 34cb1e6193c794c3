/** Selection of features by how well each goes with y: the best k of them, from scores on some rows. */

import { sum } from '../../core/numbers.js';
import type { Labels } from '../../data/labels.js';
import { hasSeveralTargets } from '../../data/targets.js';
import type { Column } from '../features/columns.js';

/** Score of one feature on some rows; larger is better, NaN where it is not defined. */
type Score = (values: Float64Array, y: Labels, rows: Int32Array) => number;

/** As scikit-learn's `f_classif`; for two classes in the order of Student's t and of the correlation with a 0/1 label. */
const anova: Score = (values, y, rows) => {
  let total = 0;
  for (const row of rows) total += values[row] / rows.length;
  let squares = 0;
  for (const row of rows) squares += (values[row] - total) ** 2;
  const { counts, sums } = byClass(values, y, rows, total);
  const between = sums.reduce((sum, each, at) => sum + (counts[at] > 0 ? each ** 2 / counts[at] : 0), 0);
  const groups = counts.filter((count) => count > 0).length;
  return between / (groups - 1) / ((squares - between) / (rows.length - groups));
};

/** Size of Pearson's correlation with a number, which orders features as scikit-learn's `f_regression` does. */
const correlation: Score = (values, { numbers }, rows) => {
  let [mx, my] = [0, 0];
  for (const row of rows) {
    mx += values[row] / rows.length;
    my += numbers[row] / rows.length;
  }
  let [xy, xx, yy] = [0, 0, 0];
  for (const row of rows) {
    const [x, y] = [values[row] - mx, numbers[row] - my];
    xy += x * y;
    xx += x * x;
    yy += y * y;
  }
  return Math.abs(xy) / Math.sqrt(xx * yy);
};

/** Chi-squared of the sums of a feature by class, as scikit-learn's `chi2`; values below 0 have none. */
const chi2: Score = (values, y, rows) => {
  if (rows.some((row) => values[row] < 0)) return Number.NaN;
  const { counts, sums } = byClass(values, y, rows);
  const total = sum(sums);
  const expected = counts.map((count) => (count / rows.length) * total);
  return sum(sums.map((each, at) => (counts[at] > 0 ? (each - expected[at]) ** 2 / expected[at] : 0)));
};

/** Rows of each class, and the sums of their values less a centre. */
function byClass(values: Float64Array, { codes, classes }: Labels, rows: Int32Array, centre = 0) {
  const [counts, sums] = [new Float64Array(classes.length), new Float64Array(classes.length)];
  for (const row of rows) {
    counts[codes[row]]++;
    sums[codes[row]] += values[row] - centre;
  }
  return { counts, sums };
}

const FOR_CLASSES = { 'select:anova': anova, 'select:chi2': chi2 };
const FOR_NUMBERS = { 'select:correlation': correlation };

export const SELECTIONS = [...Object.keys(FOR_CLASSES), ...Object.keys(FOR_NUMBERS)];
export const selectionsFor = (y: Labels): string[] => Object.keys(scoresFor(y));

function scoresFor(y: Labels): Record<string, Score> {
  if (y.task === 'multilabel' || hasSeveralTargets(y)) return {};
  return y.task === 'regression' ? FOR_NUMBERS : FOR_CLASSES;
}

const isConstant = (values: Float64Array | Int32Array, rows: Int32Array) =>
  rows.every((row) => values[row] === values[rows[0]]);

/**
 * Constant columns come last. Undefined where a score is not defined: one label, missing or infinite values,
 * chi-squared below 0.
 */
export function selectBest(
  name: string,
  columns: readonly Column[],
  rows: Int32Array,
  y: Labels,
  k: number,
): number[] | undefined {
  const score = scoresFor(y)[name];
  if (!score || k >= columns.length || columns.some(({ kind }) => kind === 'category')) return undefined;
  if (isConstant(y.numbers.length > 0 ? y.numbers : y.codes, rows)) return undefined;
  const scores = columns.map(({ values }) => {
    const found = score(values, y, rows);
    return Number.isNaN(found) && isConstant(values, rows) ? -1 : found;
  });
  if (scores.some(Number.isNaN)) return undefined;
  const best = new Set([...columns.keys()].sort((a, b) => scores[b] - scores[a] || a - b).slice(0, k));
  return [...columns.keys()].filter((at) => best.has(at));
}
