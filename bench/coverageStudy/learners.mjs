/**
 * The learners of the coverage study, small and dependency-free: `{ fit(X, y), predictProba(X) }` on arrays of rows with
 * labels 0 and 1. Stable ones change little with the training set; unstable ones change much.
 */

/** Solves A x = b for a symmetric positive definite A, by Cholesky's decomposition. */
function solve(A, b) {
  const n = b.length;
  const L = A.map((row) => Float64Array.from(row));
  for (let j = 0; j < n; j++) {
    for (let k = 0; k < j; k++) for (let i = j; i < n; i++) L[i][j] -= L[i][k] * L[j][k];
    const pivot = Math.sqrt(Math.max(L[j][j], 1e-12));
    for (let i = j; i < n; i++) L[i][j] /= pivot;
  }
  const x = Float64Array.from(b);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) x[i] -= L[i][k] * x[k];
    x[i] /= L[i][i];
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) x[i] -= L[k][i] * x[k];
    x[i] /= L[i][i];
  }
  return x;
}

const sigmoid = (z) => 1 / (1 + Math.exp(-z));
const linear = (coefficients, row) => row.reduce((sum, value, j) => sum + coefficients[j + 1] * value, coefficients[0]);
const linearModel = (coefficientsOf) => () => {
  let coefficients;
  return {
    fit(X, y) {
      coefficients = coefficientsOf(X, y);
    },
    predictProba: (X) => X.map((row) => sigmoid(linear(coefficients, row))),
  };
};

/** Logistic regression by Newton's method, with a ridge penalty on the slopes. */
const logistic = (ridge) =>
  linearModel((X, y) => {
    const p = X[0].length + 1;
    let b = new Float64Array(p);
    for (let step = 0; step < 12; step++) {
      const gradient = new Float64Array(p);
      const H = Array.from({ length: p }, (_, j) => {
        const row = new Float64Array(p);
        row[j] = j === 0 ? 1e-9 : ridge;
        return row;
      });
      for (let j = 1; j < p; j++) gradient[j] = -ridge * b[j];
      for (let i = 0; i < X.length; i++) {
        const row = X[i];
        const q = sigmoid(linear(b, row));
        const w = Math.max(q * (1 - q), 1e-9);
        for (let j = 0; j < p; j++) {
          const xj = j === 0 ? 1 : row[j - 1];
          gradient[j] += (y[i] - q) * xj;
          for (let k = 0; k <= j; k++) H[j][k] += w * xj * (k === 0 ? 1 : row[k - 1]);
        }
      }
      for (let j = 0; j < p; j++) for (let k = j + 1; k < p; k++) H[j][k] = H[k][j];
      const change = solve(H, gradient);
      b = b.map((value, j) => value + change[j]);
      if (change.every((value) => Math.abs(value) < 1e-6)) break;
    }
    return b;
  });

/** Logistic regression with an L1 penalty, by coordinate descent on quadratic approximations (Friedman 2010). */
const lasso = (share) =>
  linearModel((X, y) => {
    const n = X.length;
    const p = X[0].length;
    const rate = y.reduce((sum, value) => sum + value, 0) / n;
    const b = new Float64Array(p + 1);
    b[0] = Math.log(rate / (1 - rate));
    const slopes = X[0].map((_, j) => Math.abs(X.reduce((sum, row, i) => sum + row[j] * (y[i] - rate), 0)) / n);
    const penalty = share * Math.max(...slopes);
    for (let outer = 0; outer < 8; outer++) {
      const eta = X.map((row) => linear(b, row));
      const w = eta.map((z) => Math.max(sigmoid(z) * (1 - sigmoid(z)), 1e-4));
      const residual = eta.map((z, i) => (y[i] - sigmoid(z)) / w[i]);
      const total = w.reduce((sum, value) => sum + value, 0);
      for (let inner = 0; inner < 5; inner++) {
        const shift = residual.reduce((sum, r, i) => sum + w[i] * r, 0) / total;
        b[0] += shift;
        for (let i = 0; i < n; i++) residual[i] -= shift;
        for (let j = 0; j < p; j++) {
          let [up, down] = [0, 0];
          for (let i = 0; i < n; i++) {
            up += w[i] * X[i][j] * residual[i];
            down += w[i] * X[i][j] ** 2;
          }
          const pull = up / n + (down / n) * b[j + 1];
          const next = (Math.sign(pull) * Math.max(Math.abs(pull) - penalty, 0)) / (down / n);
          const change = next - b[j + 1];
          if (change === 0) continue;
          b[j + 1] = next;
          for (let i = 0; i < n; i++) residual[i] -= change * X[i][j];
        }
      }
    }
    return b;
  });

/** Linear discriminant with a pooled covariance and a little shrinkage. */
const discriminant = linearModel((X, y) => {
  const p = X[0].length;
  const counts = [0, 0];
  const means = [new Float64Array(p), new Float64Array(p)];
  X.forEach((row, i) => {
    counts[y[i]]++;
    row.forEach((value, j) => {
      means[y[i]][j] += value;
    });
  });
  for (const c of [0, 1]) means[c] = means[c].map((sum) => sum / counts[c]);
  const S = Array.from({ length: p }, (_, j) => Float64Array.from({ length: p }, (_, k) => (j === k ? 1e-3 : 0)));
  X.forEach((row, i) => {
    const centred = row.map((value, j) => value - means[y[i]][j]);
    for (let j = 0; j < p; j++) for (let k = 0; k < p; k++) S[j][k] += (centred[j] * centred[k]) / X.length;
  });
  const slopes = solve(
    S,
    means[1].map((value, j) => value - means[0][j]),
  );
  const middle = slopes.reduce((sum, slope, j) => sum + (slope * (means[0][j] + means[1][j])) / 2, 0);
  return [Math.log(counts[1] / counts[0]) - middle, ...slopes];
});

/** Gaussian naive Bayes. */
const naiveBayes = () => {
  let classes;
  const logDensity = ({ share, mean, variance }, row) =>
    row.reduce(
      (sum, value, j) => sum - 0.5 * Math.log(variance[j]) - (value - mean[j]) ** 2 / (2 * variance[j]),
      Math.log(share),
    );
  return {
    fit(X, y) {
      classes = [0, 1].map((label) => {
        const rows = X.filter((_, i) => y[i] === label);
        const mean = X[0].map((_, j) => rows.reduce((sum, row) => sum + row[j], 0) / rows.length);
        const variance = mean.map((m, j) => rows.reduce((sum, row) => sum + (row[j] - m) ** 2, 0) / rows.length + 1e-3);
        return { share: rows.length / X.length, mean, variance };
      });
    },
    predictProba: (X) => X.map((row) => sigmoid(logDensity(classes[1], row) - logDensity(classes[0], row))),
  };
};

/** The k nearest rows, with one row of each class added (Laplace). */
const nearest = (k) => () => {
  let train;
  return {
    fit(X, y) {
      train = { flat: Float64Array.from(X.flat()), y };
    },
    predictProba: (X) =>
      X.map((row) => {
        const best = new Float64Array(k).fill(Number.POSITIVE_INFINITY);
        const labels = new Float64Array(k);
        const { flat, y } = train;
        for (let i = 0; i < y.length; i++) {
          let distance = 0;
          for (let j = 0; j < row.length; j++) distance += (row[j] - flat[i * row.length + j]) ** 2;
          if (distance >= best[k - 1]) continue;
          let at = k - 1;
          for (; at > 0 && best[at - 1] > distance; at--) {
            best[at] = best[at - 1];
            labels[at] = labels[at - 1];
          }
          best[at] = distance;
          labels[at] = y[i];
        }
        return (labels.reduce((sum, label) => sum + label, 0) + 1) / (k + 2);
      }),
  };
};

/** A classification tree by Gini impurity; leaves give shares with one row of each class added. */
const tree = (depth, leaf) => () => {
  let root;
  // `orders`: the rows of the node by each feature, sorted once at the root.
  const grow = (X, y, orders, level) => {
    const [rows] = orders;
    const positives = rows.reduce((sum, i) => sum + y[i], 0);
    const share = (positives + 1) / (rows.length + 2);
    if (level === 0 || positives === 0 || positives === rows.length || rows.length < 2 * leaf) return { share };
    let best = { gain: 1e-9 };
    for (let j = 0; j < X[0].length; j++) {
      const order = orders[j];
      let left = 0;
      for (let at = 1; at < order.length; at++) {
        left += y[order[at - 1]];
        if (at < leaf || order.length - at < leaf || X[order[at - 1]][j] === X[order[at]][j]) continue;
        const right = positives - left;
        const gain = left ** 2 / at + right ** 2 / (order.length - at) - positives ** 2 / order.length;
        if (gain > best.gain) best = { gain, j, cut: (X[order[at - 1]][j] + X[order[at]][j]) / 2 };
      }
    }
    if (best.j === undefined) return { share };
    const side = (isLeft) => orders.map((order) => order.filter((i) => X[i][best.j] <= best.cut === isLeft));
    return { ...best, left: grow(X, y, side(true), level - 1), right: grow(X, y, side(false), level - 1) };
  };
  const shareOf = (node, row) =>
    node.left ? shareOf(row[node.j] <= node.cut ? node.left : node.right, row) : node.share;
  return {
    fit(X, y) {
      const orders = X[0].map((_, j) => X.map((_, i) => i).sort((a, b) => X[a][j] - X[b][j]));
      root = grow(X, y, orders, depth);
    },
    predictProba: (X) => X.map((row) => shareOf(root, row)),
  };
};

/** By name: how to make one, and whether it is stable. */
export const LEARNERS = {
  logistic: { make: logistic(1e-3), stable: true },
  ridge: { make: logistic(5), stable: true },
  discriminant: { make: discriminant, stable: true },
  lasso: { make: lasso(0.15), stable: true },
  naiveBayes: { make: naiveBayes, stable: true },
  tree: { make: tree(4, 5), stable: false },
  stump: { make: tree(2, 5), stable: false },
  nearest5: { make: nearest(5), stable: false },
  nearest15: { make: nearest(15), stable: false },
};
