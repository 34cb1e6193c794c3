/** Predictions that are bad in one way: what every function that reads them is shown. */

/** Bad in one way, fine in all others. */
export interface Input {
  readonly y: readonly number[];
  readonly p: readonly number[];
  readonly groups?: readonly (number | string)[];
  readonly sampleWeight?: readonly number[];
  readonly level?: number;
  readonly prevalence?: number;
}

const N = 40;
const each = <T>(value: (row: number) => T, n = N): T[] => Array.from({ length: n }, (_, row) => value(row));
/** Overlapping classes: nothing about them is bad. */
const y = each<number>((row) => (row % 3 === 0 ? 1 : 0));
const p = each((row) => ((row * 7) % N) / N);
const at = (row: number, value: unknown) => p.with(row, value as number);
/** Truth and prediction of every row follow from four cells. */
const cells = (tp: number, fp: number, fn: number, tn: number): Input => ({
  y: [...new Array(tp).fill(1), ...new Array(fp).fill(0), ...new Array(fn).fill(1), ...new Array(tn).fill(0)],
  p: each((row) => (row < tp + fp ? 0.6 + row / 200 : 0.1 + row / 200), tp + fp + fn + tn),
});

/** What no statistic can make something of: refused by every function that reads the part that is bad. */
export const REFUSED: Readonly<Record<string, Input>> = {
  'a probability above 1': { y, p: at(3, 1.2) },
  'a probability below 0': { y, p: at(3, -0.1) },
  'a NaN probability': { y, p: at(3, Number.NaN) },
  'an infinite probability': { y, p: at(3, Number.POSITIVE_INFINITY) },
  'a missing probability': { y, p: at(3, null) },
  'a probability in words': { y, p: at(3, 'high') },
  'a NaN label': { y: y.with(3, Number.NaN), p },
  'a missing label': { y: y.with(3, undefined as never), p },
  'three classes': { y: y.with(3, 2), p },
  'lengths that differ': { y, p: p.slice(1) },
  'no rows': { y: [], p: [] },
};

/** The same beside the predictions. */
export const REFUSED_BESIDE: Readonly<Record<string, Input>> = {
  'only weights of 0': { y, p, sampleWeight: each(() => 0) },
  'a negative weight': { y, p, sampleWeight: each((row) => (row === 3 ? -1 : 1)) },
  'a NaN weight': { y, p, sampleWeight: each((row) => (row === 3 ? Number.NaN : 1)) },
  'an infinite weight': { y, p, sampleWeight: each((row) => (row === 3 ? Number.POSITIVE_INFINITY : 1)) },
  'a weight that would overflow': { y, p, sampleWeight: each(() => 1e307) },
  'a weight that would underflow': { y, p, sampleWeight: each(() => 1e-300) },
  'a missing patient': { y, p, groups: each((row) => (row === 3 ? Number.NaN : row)) },
  'patients of other rows': { y, p, groups: [1, 2, 3] },
};

export const LEVELS = Object.fromEntries(
  [0, 1, -0.5, 95, Number.NaN].map((level) => [`level ${level}`, { y, p, level }]),
);
export const PREVALENCES = Object.fromEntries(
  [0, 1, -1, 2, Number.NaN].map((prevalence) => [`prevalence ${prevalence}`, { y, p, prevalence }]),
);

/** What has an answer, if one with gaps. */
export const ANSWERED: Readonly<Record<string, Input>> = {
  'nothing bad': { y, p },
  'positive rows alone': { y: each(() => 1), p },
  'negative rows alone': { y: each(() => 0), p },
  'one positive row': { y: each((row) => (row === 5 ? 1 : 0)), p },
  'equal probabilities': { y, p: each(() => 0.4) },
  'two probabilities': { y, p: each((row) => (row % 2 ? 0.2 : 0.7)) },
  'probabilities of 0 alone': { y, p: each(() => 0) },
  'probabilities of 1 alone': { y, p: each(() => 1) },
  'probabilities that are the outcome': { y, p: y },
  'probabilities that are the opposite': { y, p: y.map((label) => 1 - label) },
  'separable classes': { y: each((row) => (row < 20 ? 0 : 1)), p: each((row) => row / N) },
  'no true positives': cells(0, 5, 9, 26),
  'no false positives': cells(9, 0, 5, 26),
  'no false negatives': cells(9, 5, 0, 26),
  'no true negatives': cells(9, 26, 5, 0),
  'true positives and true negatives alone': cells(14, 0, 0, 26),
  'false predictions alone': cells(0, 20, 20, 0),
  'positive predictions alone': cells(14, 26, 0, 0),
  'negative predictions alone': cells(0, 0, 14, 26),
  'true positives alone': cells(40, 0, 0, 0),
  'one row': { y: [1], p: [0.7] },
  'two rows': { y: [1, 0], p: [0.7, 0.2] },
  'one patient': { y, p, groups: each(() => 'a') },
  'two patients': { y, p, groups: each((row) => row % 2) },
  'two patients of one class each': { y, p, groups: y },
  'ten patients, one of them positive': {
    y: each((row) => (row % 10 === 0 ? 1 : 0)),
    p,
    groups: each((row) => row % 10),
  },
  'one patient with almost all rows': { y, p, groups: each((row) => Math.max(0, row - 28)) },
  'weights of 0 for one class': { y, p, sampleWeight: y.map((label) => 1 - label) },
  'one weight that outweighs all': { y, p, sampleWeight: each((row) => (row === 3 ? 1e15 : 1)) },
  'the smallest weights': { y, p, sampleWeight: each(() => 1e-50) },
  'the largest weights': { y, p, sampleWeight: each(() => 1e50) },
  'the smallest weights beside the largest': { y, p, sampleWeight: each((row) => (row % 2 ? 1e-50 : 1e50)) },
  'a level near 1': { y, p, level: 1 - 1e-16 },
  'a level near 0': { y, p, level: 1e-12 },
  'a prevalence near 0': { y, p, prevalence: 1e-300 },
  'a prevalence near 1': { y, p, prevalence: 1 - 1e-16 },
};
