/** One p-value for the association of a label with several levels of sites at once. */
import { gather, rowNumbers } from '../../core/labels.js';
import { type RandomSource, sample, shuffle } from '../../core/random.js';
import { associationOf, type PatientLabels, type PatientSites, statisticOf } from './association.js';

const PERMUTATIONS = 999;
/** Enough exceedances to settle that p is above .05, and for p-values that are uniform where nothing is the matter. */
const ENOUGH = 50;
/** An association that matters shows among as many patients; more would cost time alone. */
export const MOST_PATIENTS = 2000;

/**
 * Labels of whole patients are permuted over all levels together, and the largest standardised statistic is compared:
 * p = (b + 1) / (B + 1), or b / (permutations made) when {@link ENOUGH} of them reach the observed one.
 *
 * Source: Besag & Clifford 1991, Biometrika 78:301; Westfall & Young 1993, Resampling-based multiple testing.
 */
export function permutedAssociation(
  labels: PatientLabels,
  levels: readonly PatientSites[],
  random: RandomSource,
): number {
  const n = labels.values.length;
  const chosen = n > MOST_PATIENTS ? sample(random, n, MOST_PATIENTS) : rowNumbers(n);
  const here = { ...labels, values: gather(labels.values, chosen) };
  const tests = levels.map(({ codes, count }) => {
    const sites = { codes: gather(codes, chosen), count };
    const { degrees } = associationOf(here, sites);
    const statistic = statisticOf(here, sites);
    // Mean and spread of the chi-square with as many degrees bring levels of many and of few sites together.
    return (values: ArrayLike<number>) => (statistic(values) - degrees) / Math.sqrt(2 * degrees);
  });
  const largest = (values: ArrayLike<number>) => tests.reduce((most, test) => Math.max(most, test(values)), -Infinity);
  const observed = largest(here.values);
  const values = here.values.slice();
  let [reached, made] = [0, 0];
  while (made < PERMUTATIONS && reached < ENOUGH) {
    made++;
    if (largest(shuffle(random, values)) >= observed - 1e-9 * Math.abs(observed)) reached++;
  }
  return reached === ENOUGH ? reached / made : (reached + 1) / (PERMUTATIONS + 1);
}
