import { shuffled } from '../random.mjs';
import { METRICS } from '../scenarios.mjs';
import { around, evaluate, patientRows, Z } from './shared.mjs';

/**
 * The fast bootstrap of the cross-validation estimate. B times patients get bootstrap weights (multinomial: how often
 * a patient is drawn); for each, C times the original patients are split into training and test, and then both sides
 * are weighted, so that no patient is on both. theta_bc = theta + e_b + e_bc; the variance of e_b, estimated by
 * moments (variance of the B means less the variance within over C), is the squared standard error of the
 * cross-validation estimate. The training side has `adjustedSize` patients, since .632 of the patients of a resample
 * are distinct. A weight w is a patient repeated w times. Centre: the estimate of the cross-validation (`estimates`).
 *
 * What differs from the paper: B = 20 and C = 10 (200 fits; there 400 and 20), with the wider quantile for small B of
 * its third algorithm, here drawn from normal theory: the .95 quantile of |Z| s / s*, s* from chi-squared draws of
 * both mean squares. Where the variance of e_b comes out at zero or below, the interval has no width and is not given.
 *
 * Source: Cai, Luo, Guo, Pellegrini, Pang, de Moor, Shen, Charu & Tian, arXiv 2307.00260, algorithms 2 and 3.
 */
export function cvBootstrap({ learner, folds, data, estimates, uniform, normal, resamples = 20, splits = 10 }) {
  const rowsOf = patientRows(data);
  const n = data.nPatients;
  const trained = adjustedSize(n, Math.round((n * (folds - 1)) / folds));
  const values = [];
  for (let b = 0; b < resamples; b++) {
    const weights = new Uint8Array(n);
    for (let draw = 0; draw < n; draw++) weights[Math.floor(uniform() * n)]++;
    const weighted = (patients) => Array.from(patients).flatMap((patient) => Array(weights[patient]).fill(patient));
    const ofResample = [];
    for (let c = 0; c < splits; c++) {
      const order = shuffled(n, uniform);
      const found = evaluate(
        learner,
        data,
        rowsOf,
        weighted(order.subarray(0, trained)),
        weighted(order.subarray(trained)),
      );
      if (found) ofResample.push(found);
    }
    values.push(ofResample);
  }
  const halves = Object.fromEntries(
    METRICS.map((metric) => {
      const table = values
        .map((ofResample) => ofResample.map((each) => each[metric]).filter(Number.isFinite))
        .filter((list) => list.length > 1);
      const parts = components(table);
      return [metric, quantile(parts, normal) * Math.sqrt(parts.between)];
    }),
  );
  return around(estimates, halves);
}

/**
 * Training patients: minimises (a / (m / .632) - 1)^2 + .368 ((n - m) / (n - a) - 1)^2 over m <= a < n (equation 2 of
 * the paper).
 */
export function adjustedSize(n, m) {
  let best = [Number.POSITIVE_INFINITY, m];
  for (let a = m; a < n; a++) {
    const loss = (a / (m / 0.632) - 1) ** 2 + 0.368 * ((n - m) / (n - a) - 1) ** 2;
    if (loss < best[0]) best = [loss, a];
  }
  return best[1];
}

/** Moment estimates of a one-way random-effects model; lists may differ in length, whose harmonic mean then counts. */
export function components(table) {
  const B = table.length;
  const means = table.map((list) => list.reduce((sum, value) => sum + value, 0) / list.length);
  const mean = means.reduce((sum, value) => sum + value, 0) / B;
  const dfWithin = table.reduce((sum, list) => sum + list.length - 1, 0);
  const C = B / table.reduce((sum, list) => sum + 1 / list.length, 0);
  let [ofMeans, within] = [0, 0];
  table.forEach((list, b) => {
    ofMeans += (means[b] - mean) ** 2 / (B - 1);
    for (const value of list) within += (value - means[b]) ** 2 / dfWithin;
  });
  const between = ofMeans - within / C;
  return { between: between > 0 ? between : Number.NaN, within, ofMeans, C, dfBetween: B - 1, dfWithin };
}

const DRAWS = 1000;

/** The factor in the place of 1.96: chi-squared draws by Wilson and Hilferty's normal approximation. */
function quantile({ between, within, ofMeans, C, dfBetween, dfWithin }, normal) {
  if (!(between > 0)) return Z;
  const chiSquared = (df) => Math.max(0, 1 - 2 / (9 * df) + normal() * Math.sqrt(2 / (9 * df))) ** 3;
  const ratios = new Float64Array(DRAWS);
  for (let draw = 0; draw < DRAWS; draw++) {
    const again = ofMeans * chiSquared(dfBetween) - (within / C) * chiSquared(dfWithin);
    // A draw at zero or below would have given no interval: it is held at a hundredth of the estimate.
    ratios[draw] = Math.abs(normal()) * Math.sqrt(between / Math.max(again, between / 100));
  }
  return ratios.sort()[Math.floor(0.95 * DRAWS)];
}
