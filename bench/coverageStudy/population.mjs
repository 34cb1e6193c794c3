/** The patients of the coverage study: populations with a known signal, and samples from them. */
import { deriveSeed } from 'cvkit';
import { stream } from './random.mjs';

/** A patient has at most that many rows. */
const MOST_ROWS = 30;

/** How many features carry signal, and how labels vary between patients where every row has a label of its own. */
const SIGNALS = 2;
const CONCENTRATION = 2;

/**
 * Draws `nPatients` patients: `{ x, y, group, n, p, nPatients }`, x row by row in one Float64Array.
 *
 * - `prevalence`: share of positive patients, or with `labels: 'row'` the mean share of positive rows (a patient's own
 *   share is Beta with that mean and concentration 2). With `positives`, exactly that many patients are positive.
 * - `kind`: 'linear' (class means of the first two features lie `signal` total standard deviations apart), 'tails'
 *   (the same, features follow Student's t with 3 degrees of freedom), 'xor' (the sign of the product of the first two
 *   features agrees with the label with probability 1/2 + signal / 2), 'shared' (linear, and the last feature is 1 for
 *   patients whose signal is small, -1 for others: the learner `additive` makes every loss depend on its mean over the
 *   training set).
 * - `between`: the part of the variance of features that lies between patients.
 * - `rows`: mean rows per patient; 1 to 2 rows - 1, at most 30. `sizes`: 'random', 'label' (positive patients have
 *   more rows: means 1.5 and .5 times `rows`), or 'hard' (half of the patients have a third of the signal, and three
 *   times the rows of the others). With 'label' and 'hard' rows must be 2 or more.
 */
export function sample(scenario, nPatients, seed, positives) {
  const { prevalence, signal, features: p, rows, kind, labels, sizes, between } = scenario;
  const { uniform, normal, t3 } = stream(seed);
  const draw = kind === 'tails' ? t3 : normal;
  const capacity = nPatients * (rows === 1 ? 1 : Math.min(MOST_ROWS, 4 * rows));
  const x = new Float64Array(capacity * p);
  const y = new Uint8Array(capacity);
  const group = new Int32Array(capacity);
  const [outer, inner] = [Math.sqrt(between), Math.sqrt(1 - between)];
  const centre = new Float64Array(p);
  let n = 0;
  for (let patient = 0; patient < nPatients; patient++) {
    const share =
      labels === 'row'
        ? betaOf(prevalence, uniform)
        : Number(positives === undefined ? uniform() < prevalence : patient < positives);
    const hard = sizes === 'hard' || kind === 'shared' ? uniform() < 0.5 : false;
    const effect = hard ? signal / 3 : signal;
    for (let j = 0; j < p; j++) centre[j] = outer === 0 ? 0 : outer * draw();
    const count = rowsOf(rows, sizes, hard, share, uniform);
    for (let row = 0; row < count; row++, n++) {
      const label = labels === 'row' ? Number(uniform() < share) : share;
      const at = n * p;
      for (let j = 0; j < p; j++) x[at + j] = centre[j] + (inner === 0 ? 0 : inner * draw());
      if (kind === 'xor') {
        const agrees = uniform() < 0.5 + effect / 2 ? 1 : -1;
        const sign = agrees * (label === 1 ? 1 : -1);
        if (Math.sign(x[at] * x[at + 1]) !== sign) x[at + 1] = -x[at + 1];
      } else {
        for (let j = 0; j < SIGNALS; j++) x[at + j] += (label === 1 ? effect : -effect) / 2;
      }
      if (kind === 'shared') x[at + p - 1] = hard ? 1 : -1;
      y[n] = label;
      group[n] = patient;
    }
  }
  return { x: x.subarray(0, n * p), y: y.subarray(0, n), group: group.subarray(0, n), n, p, nPatients };
}

/** A patient's share of positive rows. Beta with the given mean and concentration 2. */
function betaOf(mean, uniform) {
  // Johnk 1964: quick as the sum of both shapes is 2.
  const [a, b] = [CONCENTRATION * mean, CONCENTRATION * (1 - mean)];
  for (;;) {
    const u = uniform() ** (1 / a);
    const v = uniform() ** (1 / b);
    if (u + v <= 1 && u + v > 0) return u / (u + v);
  }
}

function rowsOf(rows, sizes, hard, share, uniform) {
  if (rows === 1) return 1;
  let mean = rows;
  if (sizes === 'label') mean = rows * (0.5 + share);
  if (sizes === 'hard') mean = rows * (hard ? 1.5 : 0.5);
  return Math.min(MOST_ROWS, 1 + Math.floor(uniform() * (2 * mean - 1)));
}

/** Patients with a positive row and patients with a negative one. */
function patientsPerClass({ y, group, n, nPatients }) {
  const has = [new Uint8Array(nPatients), new Uint8Array(nPatients)];
  for (let row = 0; row < n; row++) has[y[row]][group[row]] = 1;
  return has.map((flags) => flags.reduce((sum, flag) => sum + flag, 0));
}

/**
 * A sample of `n` patients for training or for a repetition: drawn again until both classes have `minimum` patients;
 * in a case-control study the numbers per class are fixed.
 */
export function drawn(scenario, n, minimum, ...path) {
  const positives = scenario.sampling === 'case_control' ? Math.round(n * scenario.prevalence) : undefined;
  for (let draw = 0; ; draw++) {
    const data = sample(scenario, n, deriveSeed(...path, draw), positives);
    if (positives !== undefined || Math.min(...patientsPerClass(data)) >= minimum) return data;
  }
}

/** The rows of `data` in `rows`, in that order. */
export function take({ x, y, group, p, nPatients }, rows) {
  const taken = new Float64Array(rows.length * p);
  for (let at = 0; at < rows.length; at++) taken.set(x.subarray(rows[at] * p, (rows[at] + 1) * p), at * p);
  return {
    x: taken,
    y: Uint8Array.from(rows, (row) => y[row]),
    group: Int32Array.from(rows, (row) => group[row]),
    n: rows.length,
    p,
    nPatients,
  };
}
