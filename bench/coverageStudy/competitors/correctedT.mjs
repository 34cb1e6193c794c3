/** .975 quantiles of Student's t by degrees of freedom, one less than the number of fold scores in the study. */
const T = { 4: 2.7764451051977987, 9: 2.2621571628540993, 14: 2.1447866879169273 };

/**
 * The corrected resampled t interval: mean of the J fold scores, their variance (ddof 1) times 1/J + n_test/n_train, J
 * - 1 degrees of freedom. The ruler for width. Over repeats the same formula with J = folds times repeats.
 *
 * Source: Nadeau & Bengio 2003, Machine Learning 52:239, equation 9.
 */
export function correctedT(scores, folds, [low, high]) {
  const values = scores.map(({ value }) => value);
  const J = values.length;
  if (values.includes(null)) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / J;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (J - 1);
  const half = T[J - 1] * Math.sqrt(variance * (1 / J + 1 / (folds - 1)));
  return [Math.max(low, mean - half), Math.min(high, mean + half)];
}
