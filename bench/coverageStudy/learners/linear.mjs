/**
 * Linear learners of the coverage study. Each takes `{ x, y, n, p }` (x row by row) and gives coefficients, the
 * intercept first; `linearLearner` makes probabilities of them.
 */

export const sigmoid = (z) => 1 / (1 + Math.exp(-z));

/** A learner `(data) => (x, n) => probabilities` from one that gives coefficients. */
export const linearLearner = (coefficientsOf) => (data) => {
  const b = coefficientsOf(data);
  const { p } = data;
  return (x, n) => {
    const probabilities = new Float64Array(n);
    for (let row = 0, at = 0; row < n; row++) {
      let z = b[0];
      for (let j = 1; j <= p; j++) z += b[j] * x[at++];
      probabilities[row] = 1 / (1 + Math.exp(-z));
    }
    return probabilities;
  };
};

/**
 * Solves A x = b in place for a symmetric positive definite A (row by row, its lower half), by Cholesky's
 * decomposition.
 */
function solve(A, b) {
  const n = b.length;
  for (let j = 0; j < n; j++) {
    for (let k = 0; k < j; k++) {
      const factor = A[j * n + k];
      for (let i = j; i < n; i++) A[i * n + j] -= A[i * n + k] * factor;
    }
    const pivot = Math.sqrt(Math.max(A[j * n + j], 1e-12));
    for (let i = j; i < n; i++) A[i * n + j] /= pivot;
  }
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) b[i] -= A[i * n + k] * b[k];
    b[i] /= A[i * n + i];
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) b[i] -= A[k * n + i] * b[k];
    b[i] /= A[i * n + i];
  }
  return b;
}

/** Logistic regression by Newton's method, with a ridge penalty on the slopes. */
export const logistic = (ridge) =>
  linearLearner(({ x, y, n, p }) => {
    const size = p + 1;
    const b = new Float64Array(size);
    const H = new Float64Array(size * size);
    for (let step = 0; step < 12; step++) {
      H.fill(0);
      const gradient = new Float64Array(size);
      for (let j = 1; j < size; j++) {
        H[j * size + j] = ridge;
        gradient[j] = -ridge * b[j];
      }
      H[0] = 1e-9;
      for (let i = 0; i < n; i++) {
        const at = i * p - 1;
        let z = b[0];
        for (let j = 1; j < size; j++) z += b[j] * x[at + j];
        const q = 1 / (1 + Math.exp(-z));
        const w = Math.max(q * (1 - q), 1e-9);
        const error = y[i] - q;
        gradient[0] += error;
        H[0] += w;
        for (let j = 1; j < size; j++) {
          const xj = x[at + j];
          const wx = w * xj;
          gradient[j] += error * xj;
          H[j * size] += wx;
          for (let k = 1; k <= j; k++) H[j * size + k] += wx * x[at + k];
        }
      }
      solve(H, gradient);
      let largest = 0;
      for (let j = 0; j < size; j++) {
        b[j] += gradient[j];
        largest = Math.max(largest, Math.abs(gradient[j]));
      }
      if (largest < 1e-6) break;
    }
    return b;
  });

/** Linear discriminant with a pooled covariance and a little shrinkage. */
export const discriminantCoefficients = ({ x, y, n, p }) => {
  const counts = [0, 0];
  const means = [new Float64Array(p), new Float64Array(p)];
  for (let i = 0; i < n; i++) {
    counts[y[i]]++;
    const mean = means[y[i]];
    for (let j = 0; j < p; j++) mean[j] += x[i * p + j];
  }
  for (const c of [0, 1]) for (let j = 0; j < p; j++) means[c][j] /= counts[c];
  const S = new Float64Array(p * p);
  for (let i = 0; i < n; i++) {
    const mean = means[y[i]];
    for (let j = 0; j < p; j++) {
      const centred = (x[i * p + j] - mean[j]) / n;
      for (let k = 0; k <= j; k++) S[j * p + k] += centred * (x[i * p + k] - mean[k]);
    }
  }
  for (let j = 0; j < p; j++) S[j * p + j] += 1e-3;
  const slopes = solve(
    S,
    means[1].map((value, j) => value - means[0][j]),
  );
  let middle = 0;
  for (let j = 0; j < p; j++) middle += (slopes[j] * (means[0][j] + means[1][j])) / 2;
  return [Math.log(counts[1] / counts[0]) - middle, ...slopes];
};
export const discriminant = linearLearner(discriminantCoefficients);
