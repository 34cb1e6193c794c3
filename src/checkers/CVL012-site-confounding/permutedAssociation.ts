/** One p-value for the association of a label with several levels of sites at once. */

import { permutationPValue } from '../../core/permutationPValue.js';
import { type RandomSource, sample, shuffle } from '../../core/random.js';
import { gather, rowNumbers } from '../../data/labels.js';
import { type PatientLabels, type PatientSites, siteAssociation, statisticOf } from './association.js';

/** The test goes on until p > .05 is certain, further than a finding needs: p is shown where there is none, too. */
const TEST = { alpha: 0.05, permutations: 999 };
/** An association that matters shows among as many patients; more would cost time alone. */
export const MOST_PATIENTS = 2000;

/**
 * Labels of whole patients are permuted over all levels together, and the largest standardised statistic is compared.
 *
 * Source: Westfall & Young 1993, Resampling-based multiple testing.
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
    const { degrees } = siteAssociation(here, sites);
    const statistic = statisticOf(here, sites);
    // Mean and spread of the chi-square with as many degrees bring levels of many and of few sites together.
    return (values: ArrayLike<number>) => (statistic(values) - degrees) / Math.sqrt(2 * degrees);
  });
  const largest = (values: ArrayLike<number>) => tests.reduce((most, test) => Math.max(most, test(values)), -Infinity);
  const observed = largest(here.values);
  const values = here.values.slice();
  const least = observed - 1e-9 * Math.abs(observed);
  return permutationPValue(() => largest(shuffle(random, values)) >= least, TEST).pValue;
}
