/** How two samples of distances differ. Both samples ascend. */

/**
 * First Wasserstein distance: the area between the two cumulative distributions, in the unit of the values. Equals
 * `scipy.stats.wasserstein_distance`.
 */
export function wasserstein(a: Float64Array, b: Float64Array): number {
  let area = 0;
  for (const { aheadBy, width } of steps(a, b)) area += Math.abs(aheadBy) * width;
  return area;
}

/**
 * p-value of the one-sided two-sample Kolmogorov-Smirnov test against "the values of `a` are smaller than those of
 * `b`". Asymptotic: equals R's `ks.test(a, b, alternative = 'greater', exact = FALSE)`.
 */
export function smallerPValue(a: Float64Array, b: Float64Array): number {
  let most = 0;
  for (const { aheadBy } of steps(a, b)) most = Math.max(most, aheadBy);
  return Math.exp((-2 * most ** 2 * a.length * b.length) / (a.length + b.length));
}

/** From each distinct value to the next: by how much more of `a` than of `b` lies at or below it, and how far it is. */
function* steps(a: Float64Array, b: Float64Array): Generator<{ aheadBy: number; width: number }> {
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const value = Math.min(a[i] ?? Number.POSITIVE_INFINITY, b[j] ?? Number.POSITIVE_INFINITY);
    while (a[i] === value) i++;
    while (b[j] === value) j++;
    const next = Math.min(a[i] ?? Number.POSITIVE_INFINITY, b[j] ?? Number.POSITIVE_INFINITY);
    yield { aheadBy: i / a.length - j / b.length, width: next === Number.POSITIVE_INFINITY ? 0 : next - value };
  }
}
