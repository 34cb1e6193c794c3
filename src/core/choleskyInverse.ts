/**
 * Inverse of a symmetric matrix by Cholesky's method, from its lower triangle; the number of the first column of which the
 * columns before it leave no more than `share` of its own, or than `least`: it is a combination of them.
 */
export function choleskyInverse(
  matrix: readonly ArrayLike<number>[],
  share: number,
  least = 0,
): Float64Array[] | number {
  const k = matrix.length;
  const factor = matrix.map((line) => Float64Array.from(line));
  const root = matrix.map(() => new Float64Array(k)); // the inverse of the factor
  for (let j = 0; j < k; j++) {
    for (let i = j; i < k; i++) for (let m = 0; m < j; m++) factor[i][j] -= factor[i][m] * factor[j][m];
    if (!(factor[j][j] > Math.max(least, share * matrix[j][j]))) return j;
    const pivot = Math.sqrt(factor[j][j]);
    for (let i = j; i < k; i++) factor[i][j] /= pivot;
  }
  for (let i = 0; i < k; i++) {
    root[i][i] = 1 / factor[i][i];
    for (let j = 0; j < i; j++) {
      for (let m = j; m < i; m++) root[i][j] -= factor[i][m] * root[m][j];
      root[i][j] /= factor[i][i];
    }
  }
  return root.map((_, i) => Float64Array.from(root, (__, j) => root.reduce((sum, line) => sum + line[i] * line[j], 0)));
}
