/** Lower triangle L of a positive definite matrix A = L L', row-major `[width, width]`, in place of A. */
export function cholesky(a: Float64Array, width: number): Float64Array {
  for (let i = 0; i < width; i++) {
    for (let j = 0; j <= i; j++) {
      let sum = a[i * width + j];
      for (let k = 0; k < j; k++) sum -= a[i * width + k] * a[j * width + k];
      a[i * width + j] = i === j ? Math.sqrt(sum) : sum / a[j * width + j];
    }
  }
  return a;
}

/** Solves L L' x = b in place of b. */
export function solveWith(lower: Float64Array, b: Float64Array): Float64Array {
  const width = b.length;
  for (let i = 0; i < width; i++) {
    for (let k = 0; k < i; k++) b[i] -= lower[i * width + k] * b[k];
    b[i] /= lower[i * width + i];
  }
  for (let i = width - 1; i >= 0; i--) {
    for (let k = i + 1; k < width; k++) b[i] -= lower[k * width + i] * b[k];
    b[i] /= lower[i * width + i];
  }
  return b;
}
