/** Learners of the coverage study that are neither linear nor trees. */
import { stream } from '../random.mjs';
import { discriminant, discriminantCoefficients, sigmoid } from './linear.mjs';

/** Gaussian naive Bayes. */
export const naiveBayes = ({ x, y, n, p }) => {
  const counts = [0, 0];
  const sums = [0, 1].map(() => ({ mean: new Float64Array(p), variance: new Float64Array(p) }));
  for (let i = 0; i < n; i++) {
    counts[y[i]]++;
    for (let j = 0; j < p; j++) sums[y[i]].mean[j] += x[i * p + j];
  }
  for (const c of [0, 1]) for (let j = 0; j < p; j++) sums[c].mean[j] /= counts[c];
  for (let i = 0; i < n; i++) {
    const { mean, variance } = sums[y[i]];
    for (let j = 0; j < p; j++) variance[j] += (x[i * p + j] - mean[j]) ** 2 / counts[y[i]];
  }
  let start = Math.log(counts[1] / counts[0]);
  for (let j = 0; j < p; j++) {
    for (const c of [0, 1]) sums[c].variance[j] += 1e-3;
    start += 0.5 * Math.log(sums[0].variance[j] / sums[1].variance[j]);
  }
  return (test, rows) =>
    Float64Array.from({ length: rows }, (_, row) => {
      let z = start;
      for (let j = 0; j < p; j++) {
        const value = test[row * p + j];
        z += (value - sums[0].mean[j]) ** 2 / (2 * sums[0].variance[j]);
        z -= (value - sums[1].mean[j]) ** 2 / (2 * sums[1].variance[j]);
      }
      return sigmoid(z);
    });
};

/** The k nearest rows, with one row of each class added (Laplace). */
export const nearest =
  (k) =>
  ({ x, y, n, p }) =>
  (test, rows) => {
    const best = new Float64Array(k);
    const labels = new Uint8Array(k);
    return Float64Array.from({ length: rows }, (_, row) => {
      best.fill(Number.POSITIVE_INFINITY);
      labels.fill(0);
      for (let i = 0; i < n; i++) {
        let distance = 0;
        for (let j = 0; j < p; j++) distance += (test[row * p + j] - x[i * p + j]) ** 2;
        if (distance >= best[k - 1]) continue;
        let at = k - 1;
        for (; at > 0 && best[at - 1] > distance; at--) {
          best[at] = best[at - 1];
          labels[at] = labels[at - 1];
        }
        best[at] = distance;
        labels[at] = y[i];
      }
      let positives = 0;
      for (let at = 0; at < k; at++) positives += labels[at];
      return (positives + 1) / (k + 2);
    });
  };

/**
 * Picks the `count` features with the largest absolute t statistic of the training rows, then a linear discriminant.
 */
export const select = (count) => (data) => {
  const { x, y, n, p } = data;
  const counts = [0, 0];
  const sums = [new Float64Array(p), new Float64Array(p)];
  const squares = [new Float64Array(p), new Float64Array(p)];
  for (let i = 0; i < n; i++) {
    const [sum, square] = [sums[y[i]], squares[y[i]]];
    counts[y[i]]++;
    for (let j = 0; j < p; j++) {
      const value = x[i * p + j];
      sum[j] += value;
      square[j] += value * value;
    }
  }
  const t = Float64Array.from({ length: p }, (_, j) => {
    const means = [0, 1].map((c) => sums[c][j] / counts[c]);
    const variances = [0, 1].map((c) => squares[c][j] / counts[c] - means[c] ** 2);
    return Math.abs(means[1] - means[0]) / Math.sqrt(variances[0] / counts[0] + variances[1] / counts[1] + 1e-12);
  });
  const kept = Array.from(t.keys())
    .sort((a, b) => t[b] - t[a])
    .slice(0, count);
  const columns = (rows, from) => {
    const taken = new Float64Array(rows * count);
    for (let i = 0; i < rows; i++) for (let j = 0; j < count; j++) taken[i * count + j] = from[i * p + kept[j]];
    return taken;
  };
  const model = discriminant({ x: columns(n, x), y, n, p: count });
  return (test, rows) => model(columns(rows, test), rows);
};

/**
 * A toy whose training set adds one shared term to every loss: a discriminant on all but the last two features,
 * blurred by the last but one (noise), by as much as the mean of the last over the training rows says. In the
 * population 'shared' that mean is high where hard patients were drawn, so that what a patient adds as a test and as a
 * training row agree in sign.
 */
export const additive = (strength) => (data) => {
  const { x, y, n, p } = data;
  const used = p - 2;
  const columns = new Float64Array(n * used);
  let mean = 0;
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < used; j++) columns[i * used + j] = x[i * p + j];
    mean += x[i * p + p - 1] / n;
  }
  const b = discriminantCoefficients({ x: columns, y, n, p: used });
  const blur = Math.exp(strength * mean);
  return (test, rows) =>
    Float64Array.from({ length: rows }, (_, row) => {
      let z = b[0] + blur * test[row * p + used];
      for (let j = 0; j < used; j++) z += b[j + 1] * test[row * p + j];
      return sigmoid(z);
    });
};

/**
 * A network with one hidden layer of tanh units and a logistic output, trained on all rows at once by Rprop
 * (Riedmiller & Braun 1993) with a little weight decay. Its first weights come from `data.seed`, or are `data.weights`;
 * the model has those it ended with as `weights`.
 */
export const network =
  (hidden, steps, decay = 0.01) =>
  ({ x, y, n, p, seed, weights: first }) => {
    const { normal } = stream(seed);
    // Per unit its bias and p weights; after them the output's bias and weights.
    const size = hidden * (p + 1);
    const weights = Float64Array.from(first ?? { length: size + hidden + 1 }, (w) => w ?? normal() / Math.sqrt(p));
    const gradient = new Float64Array(weights.length);
    const last = new Float64Array(weights.length);
    const step = new Float64Array(weights.length).fill(0.1);
    const units = new Float64Array(hidden);
    const output = (from, at) => {
      let z = weights[size];
      for (let h = 0; h < hidden; h++) {
        const w = h * (p + 1);
        let sum = weights[w];
        for (let j = 0; j < p; j++) sum += weights[w + 1 + j] * from[at + j];
        // tanh by the exponential function: a third of the time of Math.tanh.
        units[h] = 1 - 2 / (1 + Math.exp(2 * sum));
        z += weights[size + 1 + h] * units[h];
      }
      return 1 / (1 + Math.exp(-z));
    };
    for (let round = 0; round < steps; round++) {
      for (let at = 0; at < weights.length; at++) gradient[at] = decay * weights[at];
      for (let i = 0; i < n; i++) {
        const error = (output(x, i * p) - y[i]) / n;
        gradient[size] += error;
        for (let h = 0; h < hidden; h++) {
          gradient[size + 1 + h] += error * units[h];
          const back = error * weights[size + 1 + h] * (1 - units[h] * units[h]);
          const w = h * (p + 1);
          gradient[w] += back;
          for (let j = 0; j < p; j++) gradient[w + 1 + j] += back * x[i * p + j];
        }
      }
      for (let at = 0; at < weights.length; at++) {
        const agreement = gradient[at] * last[at];
        if (agreement > 0) step[at] = Math.min(step[at] * 1.2, 1);
        else if (agreement < 0) step[at] *= 0.5;
        last[at] = agreement < 0 ? 0 : gradient[at];
        if (agreement >= 0) weights[at] -= Math.sign(gradient[at]) * step[at];
      }
    }
    const model = (test, rows) => Float64Array.from({ length: rows }, (_, row) => output(test, row * p));
    return Object.assign(model, { weights });
  };
