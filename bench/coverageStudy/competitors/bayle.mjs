import { LOSSES } from '../scenarios.mjs';
import { Z } from './shared.mjs';

/**
 * The intervals of Bayle et al. for the mean loss: normal, with the variance of the losses around their overall mean
 * ("all pairs", divided by the number of units) or the mean over folds of the variance within the fold (ddof 1). They
 * are about the test error of these models (the estimand `predictions`). Units are patients: a patient's value is the
 * sum over its rows of loss less the mean loss, over the mean number of rows per patient, so that with one row per
 * patient it is the published form.
 *
 * `table`: { y, p, group, fold, repeat }, one entry per tested row. Of a repeated cross-validation the first repeat
 * counts, since the theory has one. Returns { bayle_all, bayle_within }, each { metric: [lower, upper] }.
 *
 * Source: Bayle, Bayle, Janson & Mackey 2020, NeurIPS 33:16339, equations 4 and 5.
 */
export function bayle({ y, p, group, fold, repeat }) {
  const rows = Array.from({ length: y.length }, (_, row) => row).filter((row) => repeat[row] === repeat[0]);
  const found = { bayle_all: {}, bayle_within: {} };
  for (const metric of LOSSES) {
    const losses = rows.map((row) => LOSS[metric](y[row], p[row]));
    const mean = losses.reduce((sum, loss) => sum + loss, 0) / losses.length;
    const units = new Map();
    losses.forEach((loss, at) => {
      const unit = units.get(group[rows[at]]) ?? { fold: fold[rows[at]], value: 0, rows: 0 };
      unit.value += loss - mean;
      unit.rows++;
      units.set(group[rows[at]], unit);
    });
    const all = [...units.values()];
    const perUnit = losses.length / all.length;
    const squares = (list, centre) => list.reduce((sum, unit) => sum + (unit.value / perUnit - centre) ** 2, 0);
    const within = [...new Set(all.map((unit) => unit.fold))].map((name) => {
      const list = all.filter((unit) => unit.fold === name);
      // A fold's mean loss is over its rows; with one row per patient this is its mean.
      const centre = list.reduce((sum, unit) => sum + unit.value / perUnit, 0) / list.length;
      return squares(list, centre) / (list.length - 1);
    });
    const variances = {
      bayle_all: squares(all, 0) / all.length,
      bayle_within: within.reduce((sum, value) => sum + value, 0) / within.length,
    };
    for (const [method, variance] of Object.entries(variances)) {
      const half = Z * Math.sqrt(variance / all.length);
      found[method][metric] = [mean - half, mean + half];
    }
  }
  return found;
}

const EPSILON = 2 ** -52;
const LOSS = {
  accuracy: (y, p) => Number(p > 0.5 === (y === 1)),
  brier: (y, p) => (p - y) ** 2,
  log_loss: (y, p) => -Math.log(Math.min(1 - EPSILON, Math.max(EPSILON, y === 1 ? p : 1 - p))),
};
