/** Learners of the coverage study that split: one tree, trees that vote, boosted stumps. */
import { stream } from '../random.mjs';
import { binned } from './bins.mjs';

/**
 * Grows a tree by Gini impurity on the rows `rows` (a row may be there more than once); a leaf keeps at least `leaf`
 * rows and its `share` is that of positive rows with one row of each class added.
 */
function grow(y, bins, rows, leaf, level) {
  const total = rows.length;
  let positives = 0;
  for (let at = 0; at < total; at++) positives += y[rows[at]];
  const share = (positives + 1) / (total + 2);
  if (level === 0 || positives === 0 || positives === total || total < 2 * leaf) return { share };
  let [gain, feature, bin] = [1e-9, -1, 0];
  const all = new Int32Array(bins.bins);
  const positive = new Int32Array(bins.bins);
  for (let j = 0; j < bins.codes.length; j++) {
    const codes = bins.codes[j];
    all.fill(0);
    positive.fill(0);
    for (let at = 0; at < total; at++) {
      const i = rows[at];
      all[codes[i]]++;
      positive[codes[i]] += y[i];
    }
    let [count, left] = [0, 0];
    for (let cut = 0; cut < bins.cuts[j].length; cut++) {
      count += all[cut];
      left += positive[cut];
      if (all[cut] === 0 || count < leaf) continue;
      if (total - count < leaf) break;
      const right = positives - left;
      const found = (left * left) / count + (right * right) / (total - count) - (positives * positives) / total;
      if (found > gain) [gain, feature, bin] = [found, j, cut];
    }
  }
  if (feature < 0) return { share };
  const codes = bins.codes[feature];
  const sides = [new Int32Array(total), new Int32Array(total)];
  const sizes = [0, 0];
  for (let at = 0; at < total; at++) {
    const side = codes[rows[at]] <= bin ? 0 : 1;
    sides[side][sizes[side]++] = rows[at];
  }
  const [left, right] = [0, 1].map((side) => grow(y, bins, sides[side].subarray(0, sizes[side]), leaf, level - 1));
  return { feature, cut: bins.cuts[feature][bin], left, right };
}

function leafShare(node, x, at) {
  let here = node;
  while (here.left) here = x[at + here.feature] <= here.cut ? here.left : here.right;
  return here.share;
}

/** A classification tree of a given depth. */
export const tree = (depth, leaf) => (data) => {
  const rows = Int32Array.from({ length: data.n }, (_, row) => row);
  const root = grow(data.y, binned(data), rows, leaf, depth);
  return (x, n) => {
    const probabilities = new Float64Array(n);
    for (let row = 0; row < n; row++) probabilities[row] = leafShare(root, x, row * data.p);
    return probabilities;
  };
};

/**
 * Trees on resamples of the rows, which vote: the probability is the share of votes, with one vote of each class
 * added.
 */
export const bagging = (count, depth, leaf) => (data) => {
  const bins = binned(data);
  const { uniform } = stream(data.seed);
  const rows = new Int32Array(data.n);
  const roots = Array.from({ length: count }, () => {
    for (let draw = 0; draw < data.n; draw++) rows[draw] = Math.floor(uniform() * data.n);
    return grow(data.y, bins, rows, leaf, depth);
  });
  return (x, n) => {
    const votes = new Float64Array(n).fill(1);
    for (const root of roots) {
      for (let row = 0; row < n; row++) if (leafShare(root, x, row * data.p) > 0.5) votes[row]++;
    }
    for (let row = 0; row < n; row++) votes[row] /= count + 2;
    return votes;
  };
};

/**
 * Boosted stumps: steps on the logistic loss, each a cut of one feature with Newton's values on both sides (Friedman
 * 2001).
 */
export const boosting = (rounds, rate) => (data) => {
  const { y, n, p } = data;
  const { codes, cuts, bins } = binned(data);
  let positives = 0;
  for (let i = 0; i < n; i++) positives += y[i];
  const start = Math.log((positives + 0.5) / (n - positives + 0.5));
  const score = new Float64Array(n).fill(start);
  const gradient = new Float64Array(n);
  const weight = new Float64Array(n);
  const [inBin, weightInBin] = [new Float64Array(bins), new Float64Array(bins)];
  const stumps = [];
  for (let round = 0; round < rounds; round++) {
    let [allGradient, allWeight] = [0, 0];
    for (let i = 0; i < n; i++) {
      const q = 1 / (1 + Math.exp(-score[i]));
      gradient[i] = y[i] - q;
      weight[i] = Math.max(q * (1 - q), 1e-6);
      allGradient += gradient[i];
      allWeight += weight[i];
    }
    let [gain, feature, bin, left, right] = [0, -1, 0, 0, 0];
    for (let j = 0; j < p; j++) {
      const code = codes[j];
      inBin.fill(0);
      weightInBin.fill(0);
      for (let i = 0; i < n; i++) {
        inBin[code[i]] += gradient[i];
        weightInBin[code[i]] += weight[i];
      }
      let [g, w] = [0, 0];
      for (let cut = 0; cut < cuts[j].length; cut++) {
        g += inBin[cut];
        w += weightInBin[cut];
        const found = (g * g) / (w + 1) + (allGradient - g) ** 2 / (allWeight - w + 1);
        if (found <= gain) continue;
        [gain, feature, bin] = [found, j, cut];
        [left, right] = [(rate * g) / (w + 1), (rate * (allGradient - g)) / (allWeight - w + 1)];
      }
    }
    if (feature < 0) break;
    stumps.push({ feature, cut: cuts[feature][bin], left, right });
    const code = codes[feature];
    for (let i = 0; i < n; i++) score[i] += code[i] <= bin ? left : right;
  }
  return (x, rows) => {
    const probabilities = new Float64Array(rows);
    for (let row = 0; row < rows; row++) {
      let z = start;
      for (const { feature, cut, left, right } of stumps) z += x[row * p + feature] <= cut ? left : right;
      probabilities[row] = 1 / (1 + Math.exp(-z));
    }
    return probabilities;
  };
};
