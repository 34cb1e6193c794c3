/** Functions to be made small. tpe_optuna.py has the same; tpe.mjs sees to it that both mean the same. */

/** Branin (Dixon & Szegő 1978); smallest value .397887. */
function branin(trial) {
  const [x, y] = [trial.suggestFloat('x', -5, 10), trial.suggestFloat('y', 0, 15)];
  const valley = y - (5.1 / (4 * Math.PI ** 2)) * x ** 2 + (5 / Math.PI) * x - 6;
  return valley ** 2 + 10 * (1 - 1 / (8 * Math.PI)) * Math.cos(x) + 10;
}

const ALPHA = [1, 1.2, 3, 3.2];
const RATES = [
  [10, 3, 17, 3.5, 1.7, 8],
  [0.05, 10, 17, 0.1, 8, 14],
  [3, 3.5, 1.7, 10, 17, 8],
  [17, 8, 0.05, 10, 0.1, 14],
];
const PEAKS = [
  [0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886],
  [0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991],
  [0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.665],
  [0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381],
];

/** Hartmann with six parameters (Dixon & Szegő 1978); smallest value -3.32237. */
function hartmann6(trial) {
  const x = PEAKS[0].map((_, at) => trial.suggestFloat(`x${at}`, 0, 1));
  const peak = (k) => x.reduce((sum, v, at) => sum + RATES[k][at] * (v - PEAKS[k][at]) ** 2, 0);
  return -ALPHA.reduce((sum, alpha, k) => sum + alpha * Math.exp(-peak(k)), 0);
}

/** Rosenbrock 1960 in five dimensions; smallest value 0. */
function rosenbrock5(trial) {
  const x = [0, 1, 2, 3, 4].map((at) => trial.suggestFloat(`x${at}`, -5, 10));
  return x.slice(1).reduce((sum, b, at) => sum + 100 * (b - x[at] ** 2) ** 2 + (1 - x[at]) ** 2, 0);
}

/** Three kinds of models; two of them ask for a parameter of their own. Smallest value 0. */
function conditional(trial) {
  const kind = trial.suggestCategorical('kind', ['linear', 'trees', 'network']);
  const rate = Math.log10(trial.suggestFloat('rate', 1e-5, 1, { log: true })) + 2.5;
  const size = (Math.log2(trial.suggestInt('size', 4, 256, { log: true })) - 5.3) / 2;
  const common = 0.3 * rate ** 2 + 0.4 * size ** 2 + 0.2 * rate * size;
  if (kind === 'linear') return 0.5 + common;
  if (kind === 'trees') return 0.1 + common + 0.05 * (trial.suggestInt('depth', 1, 12) - 7) ** 2;
  return common + 2 * (trial.suggestFloat('dropout', 0, 0.9) - 0.35 + 0.1 * rate) ** 2;
}

/** Six parameters of all kinds, for the clock. */
function sixParameters(trial) {
  const [x, y] = [trial.suggestFloat('x', -5, 5), trial.suggestFloat('y', -5, 5)];
  const rate = Math.log10(trial.suggestFloat('rate', 1e-5, 1, { log: true })) + 2.5;
  const share = trial.suggestFloat('share', 0, 1);
  const count = trial.suggestInt('count', 1, 50);
  const kind = trial.suggestCategorical('kind', ['a', 'b', 'c']);
  return x ** 2 + y ** 2 + rate ** 2 + (share - 0.3) ** 2 + (count - 20) ** 2 / 100 + 'abc'.indexOf(kind);
}

/** A network whose values were worked out before: `values[rate][units][dropout]`, see network.mjs. */
export const tableObjective = (values) => (trial) => {
  const rate = trial.suggestFloat('rate', -4, 0, { step: 0.5 });
  const units = trial.suggestInt('units', 2, 16, { step: 2 });
  const dropout = trial.suggestFloat('dropout', 0, 0.8, { step: 0.2 });
  return values[Math.round((rate + 4) / 0.5)][units / 2 - 1][Math.round(dropout / 0.2)];
};

export const OBJECTIVES = { branin, hartmann6, rosenbrock5, conditional, sixParameters };
