/**
 * The learners of the coverage study, small and dependency-free: `train({ x, y, n, p, seed })` gives a function of the
 * rows (x, n) to probabilities of 1. Stable ones change little with the training set; unstable ones change much, and
 * have a lower goal.
 */
import { lasso } from './lasso.mjs';
import { discriminant, logistic } from './linear.mjs';
import { additive, naiveBayes, nearest, network, select } from './others.mjs';
import { bagging, boosting, tree } from './trees.mjs';

export const LEARNERS = {
  logistic: { train: logistic(1e-3), stable: true },
  ridge: { train: logistic(5), stable: true },
  discriminant: { train: discriminant, stable: true },
  lasso: { train: lasso(0.15), stable: true },
  naiveBayes: { train: naiveBayes, stable: true },
  nearest15: { train: nearest(15), stable: true },
  additive: { train: additive(1.5), stable: true },
  nearest5: { train: nearest(5), stable: false },
  tree: { train: tree(4, 5), stable: false },
  stump: { train: tree(2, 5), stable: false },
  select5of100: { train: select(5), stable: false },
  bagging: { train: bagging(15, 3, 5), stable: false },
  boosting: { train: boosting(30, 0.3), stable: false },
  network: { train: network(4, 40), stable: false },
};

/** A number from the training rows themselves: equal rows give equal models, whoever trains them. */
export function fingerprint({ x, y, p, n }) {
  const bits = new Int32Array(new Float64Array(1).buffer);
  const value = new Float64Array(bits.buffer);
  let hash = n | 0;
  for (let i = 0; i < n; i++) {
    value[0] = x[i * p];
    hash = Math.imul(hash ^ bits[0], 0x01000193);
    hash = Math.imul(hash ^ bits[1] ^ y[i], 0x01000193) + (hash >>> 15);
  }
  return hash | 0;
}

/** Trains with a seed of the training rows' own; with `memo`, a Map, equal rows are trained once. */
export function trainOn(name, data, memo) {
  const seed = fingerprint(data);
  const key = `${seed} ${data.n} ${data.x[data.x.length - 1]}`;
  const known = memo?.get(key);
  if (known) return known;
  const model = LEARNERS[name].train({ ...data, seed });
  memo?.set(key, model);
  return model;
}
