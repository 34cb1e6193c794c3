/** How well features tell the site of a patient: a linear discriminant, cross-validated. */

import { type RandomSource, shuffle } from '../../core/random.js';
import { rowNumbers } from '../../data/labels.js';
import { cholesky, solveWith } from '../features/cholesky.js';
import type { UnitVariable } from '../features/unitMeans.js';
import type { PatientSites } from './association.js';

const FOLDS = 5;

/** Share of the patients whose site is told by the others' features, and by always naming the largest site. */
export interface SiteAccuracy {
  readonly accuracy: number;
  readonly chance: number;
}

/**
 * Five folds of patients. The covariance within sites is drawn towards the identity by d / (d + n), so that it can be
 * inverted with any number d of features.
 *
 * Source: Friedman 1989, JASA 84:165 (regularised discriminant analysis).
 */
export function siteAccuracy(
  variables: readonly UnitVariable[],
  { codes, count }: PatientSites,
  random: RandomSource,
): SiteAccuracy {
  const [n, d] = [codes.length, variables.length];
  const folds = shuffle(
    random,
    codes.map((_, patient) => patient % FOLDS),
  );
  const x = new Float64Array(n * d);
  for (const [j, { values }] of variables.entries()) for (let i = 0; i < n; i++) x[i * d + j] = values[i];
  const parts = Array.from({ length: FOLDS }, (_, fold) => {
    const patients = rowNumbers(n).filter((patient) => folds[patient] === fold);
    return { patients, ...sumsOf(patients) };
  });
  let right = 0;
  for (const tested of parts) {
    const others = parts.filter((part) => part !== tested);
    const sizes = added(others.map((part) => part.sizes));
    const means = added(others.map((part) => part.sums));
    for (let at = 0; at < means.length; at++) means[at] /= sizes[Math.floor(at / d)] || 1;
    const trained = n - tested.patients.length;
    const factor = cholesky(withinSites(added(others.map((part) => part.products)), means, sizes, trained), d);
    const weights = Array.from({ length: count }, (_, site) =>
      solveWith(factor, means.slice(site * d, (site + 1) * d)),
    );
    const offsets = weights.map((weight, site) => {
      let sum = Math.log(sizes[site] / trained);
      for (let j = 0; j < d; j++) sum -= (weight[j] * means[site * d + j]) / 2;
      return sum;
    });
    for (const patient of tested.patients) {
      const scores = weights.map((weight, site) =>
        weight.reduce((sum, each, j) => sum + each * x[patient * d + j], offsets[site]),
      );
      if (scores.indexOf(Math.max(...scores)) === codes[patient]) right++;
    }
  }
  const sizes = added(parts.map((part) => part.sizes));
  return { accuracy: right / n, chance: Math.max(...sizes) / n };

  /** Per site how many patients and their sums; of all the lower triangle of sums of products. */
  function sumsOf(patients: Int32Array) {
    const [sizes, sums, products] = [count, count * d, d * d].map((length) => new Float64Array(length));
    for (const patient of patients) {
      const row = x.subarray(patient * d, (patient + 1) * d);
      sizes[codes[patient]]++;
      for (let i = 0; i < d; i++) {
        sums[codes[patient] * d + i] += row[i];
        for (let j = 0; j <= i; j++) products[i * d + j] += row[i] * row[j];
      }
    }
    return { sizes, sums, products };
  }
}

const added = (parts: readonly Float64Array[]): Float64Array =>
  parts[0].map((_, at) => parts.reduce((sum, part) => sum + part[at], 0));

/** Lower triangle of the covariance within sites, drawn towards the identity. */
function withinSites(products: Float64Array, means: Float64Array, sizes: Float64Array, n: number): Float64Array {
  const d = means.length / sizes.length;
  for (let site = 0; site < sizes.length; site++) {
    const mean = means.subarray(site * d, (site + 1) * d);
    for (let i = 0; i < d; i++) {
      const scaled = sizes[site] * mean[i];
      for (let j = 0; j <= i; j++) products[i * d + j] -= scaled * mean[j];
    }
  }
  const shrink = d / (d + n);
  for (let i = 0; i < d; i++) {
    for (let j = 0; j <= i; j++) products[i * d + j] *= (1 - shrink) / n;
    products[i * d + i] += shrink;
  }
  return products;
}
