/** How much a label differs between sites: chi-square of classes, Kruskal and Wallis's H of numbers. */
import { mean, sum } from '../../core/numbers.js';
import { tally } from '../../data/encode.js';

export interface PatientLabels {
  readonly values: Int32Array | Float64Array;
  readonly classes?: number;
}

export interface PatientSites {
  readonly codes: Int32Array;
  readonly count: number;
}

export interface Association {
  readonly statistic: number;
  readonly degrees: number;
  /** Classes: Cramer's V less its bias. Numbers: root of epsilon squared, the share of variance less its bias. */
  readonly effect: number;
}

/** The statistic of labels in any order, for one set of sites; the sizes do not change when labels are permuted. */
export function statisticOf(
  labels: PatientLabels,
  { codes, count }: PatientSites,
): (values: ArrayLike<number>) => number {
  const n = codes.length;
  const sizes = tally(codes, count);
  const { classes } = labels;
  if (classes !== undefined) {
    const totals = tally(labels.values as Int32Array, classes);
    const table = new Int32Array(count * classes);
    return (values) => {
      table.fill(0);
      for (let patient = 0; patient < n; patient++) table[codes[patient] * classes + values[patient]]++;
      let total = 0;
      for (let site = 0; site < count; site++) {
        for (let label = 0; label < classes; label++) {
          const found = table[site * classes + label];
          if (found > 0) total += found ** 2 / sizes[site] / totals[label];
        }
      }
      return Math.max(0, n * (total - 1));
    };
  }
  const numbers = Float64Array.from(labels.values);
  const centre = mean(numbers);
  const square = sum(numbers.map((value) => (value - centre) ** 2));
  const sums = new Float64Array(count);
  return (values) => {
    sums.fill(0);
    for (let patient = 0; patient < n; patient++) sums[codes[patient]] += values[patient] - centre;
    let between = 0;
    for (let site = 0; site < count; site++) if (sizes[site] > 0) between += sums[site] ** 2 / sizes[site];
    return ((n - 1) * between) / square;
  };
}

/**
 * The association of labels and sites. Labels and sites must both differ.
 *
 * Source: Bergsma 2013, Journal of the Korean Statistical Society 42:323 (V less its bias); Kelley 1935, PNAS 21:554
 * (epsilon squared).
 */
export function siteAssociation(labels: PatientLabels, sites: PatientSites): Association {
  const n = sites.codes.length;
  const statistic = statisticOf(labels, sites)(labels.values);
  const rows = tally(sites.codes, sites.count).filter((size) => size > 0).length - 1;
  if (labels.classes === undefined) {
    const share = (statistic - rows) / (n - 1 - rows);
    return { statistic, degrees: rows, effect: n - 1 > rows ? Math.sqrt(Math.max(0, share)) : 0 };
  }
  const columns = tally(labels.values as Int32Array, labels.classes).filter((size) => size > 0).length - 1;
  const excess = Math.max(0, statistic / n - (rows * columns) / (n - 1));
  const smaller = Math.min(rows - rows ** 2 / (n - 1), columns - columns ** 2 / (n - 1));
  return { statistic, degrees: rows * columns, effect: smaller > 0 ? Math.min(1, Math.sqrt(excess / smaller)) : 0 };
}

/**
 * At level .005 with probability .9: the noncentrality of the chi-square is 11 + 5.8 sqrt(degrees) within 3 % for 1 to
 * 100.
 */
export function detectableEffect({ degrees }: Association, n: number, rank: number): number {
  return Math.sqrt((11 + 5.8 * Math.sqrt(degrees)) / (n * rank));
}
