/**
 * Metrics and intervals: 10,000 rows against scikit-learn as ratios of medians in one run, DeLong on 1,000,000 rows, and
 * how times grow with rows. Python is taken from the variable CVKIT_PYTHON, else `python3` on the path; without
 * scikit-learn there our times stand alone.
 */
import { spawnSync } from 'node:child_process';
import { ClinicalMetrics, CVKitValidator, delongTest, randomSource } from 'cvkit';
import { median, milliseconds, verdicts } from './tfjs/verdicts.mjs';

const [ROWS, PATIENTS, RESAMPLES, MANY] = [10_000, 2_000, 1_000, 1_000_000];

/** Labels of which 30 % are positive, scores that rank them, patients of five rows. */
function dataOf(n, seed) {
  const random = randomSource(seed);
  const y = new Int32Array(n);
  const p = new Float64Array(n);
  const q = new Float64Array(n);
  for (let row = 0; row < n; row++) {
    y[row] = random.random() < 0.3 ? 1 : 0;
    p[row] = (0.4 * y[row] + random.random()) / 1.4;
    q[row] = (0.3 * y[row] + random.random()) / 1.3;
  }
  return { y, p, q, yPred: Int32Array.from(p, (each) => (each > 0.5 ? 1 : 0)) };
}

const small = dataOf(ROWS, 1);
const groups = Int32Array.from(small.y, (_, row) => row % PATIENTS);
const clinical = new ClinicalMetrics();
const calculateAll = ({ y, p, yPred }) => clinical.calculateAll(y, yPred, { yProba: p });

/** Five metrics by a bootstrap of patients, on predictions that are read from a column. */
const resampled = () =>
  new CVKitValidator({
    metrics: ['roc_auc', 'accuracy', 'sensitivity', 'specificity', 'brier'],
    ciMethod: 'oof_bootstrap',
    nBootstrap: RESAMPLES,
    checkLeakage: false,
    checkBalance: false,
  }).fitValidate({
    model: () => ({
      fit: () => undefined,
      predict: (X) => X.map(([p]) => (p > 0.5 ? 1 : 0)),
      predictProba: (X) => X.map(([p]) => p),
    }),
    XTrain: [[0.2], [0.8]],
    yTrain: [0, 1],
    groups: [-1, -2],
    XTest: { data: small.p, shape: [ROWS, 1] },
    yTest: small.y,
    testGroups: groups,
    verbose: 0,
  });

const PYTHON = `
import json, statistics, time
import numpy as np, sklearn
from sklearn.metrics import roc_auc_score
rng = np.random.default_rng(1)
n, patients, resamples = ${ROWS}, ${PATIENTS}, ${RESAMPLES}
y = (rng.random(n) < 0.3).astype(int)
p = (0.4 * y + rng.random(n)) / 1.4
groups = np.arange(n) % patients
rows_of = [np.flatnonzero(groups == g) for g in range(patients)]
start = time.perf_counter()
for _ in range(resamples):
    rows = rng.integers(0, n, n)
    roc_auc_score(y[rows], p[rows])
by_row = (time.perf_counter() - start) * 1000
start = time.perf_counter()
for _ in range(resamples):
    rows = np.concatenate([rows_of[g] for g in rng.integers(0, patients, patients)])
    roc_auc_score(y[rows], p[rows])
by_patient = (time.perf_counter() - start) * 1000
print(json.dumps({"version": sklearn.__version__, "byRow": by_row, "byPatient": by_patient}))
`;

function scikitLearn() {
  const python = process.env.CVKIT_PYTHON ?? 'python3';
  const { status, stdout, stderr, error } = spawnSync(python, ['-c', PYTHON], { encoding: 'utf8' });
  if (status === 0) return JSON.parse(stdout);
  const why = error?.message ?? stderr.trim().split('\n').at(-1);
  console.log(`Python with scikit-learn is absent (${python}: ${why}); our times stand alone.`);
  return undefined;
}

/** Median time of a few runs after one that warms up. */
async function timeOf(work, runs = 5) {
  await work();
  const times = [];
  for (let run = 0; run < runs; run++) times.push(await milliseconds(work));
  return median(times);
}

const theirs = scikitLearn();
const all = await timeOf(() => calculateAll(small), 15);
const bootstrap = await timeOf(resampled, 3);
verdicts(`${ROWS.toLocaleString('en')} rows${theirs ? `, beside scikit-learn ${theirs.version}` : ''}`, [
  { measure: 'calculateAll, every value with its interval, ms', value: all, digits: 1 },
  { measure: `patient bootstrap of 5 metrics, ${RESAMPLES} resamples, ms`, value: bootstrap, digits: 0 },
  ...(theirs
    ? [
        { measure: 'scikit-learn: 1,000 bootstraps of the AUC by row, ms', value: theirs.byRow, digits: 0 },
        { measure: 'scikit-learn: 1,000 bootstraps of the AUC by patient, ms', value: theirs.byPatient, digits: 0 },
        { measure: 'calculateAll / 1,000 bootstraps of the AUC', value: all / theirs.byRow, digits: 4, atMost: 0.02 },
        {
          measure: '5 metrics by patient / the AUC alone',
          value: bootstrap / theirs.byPatient,
          digits: 3,
          atMost: 0.2,
        },
      ]
    : []),
]);

const large = dataOf(MANY, 2);
const tenth = dataOf(MANY / 10, 3);
const delong = ({ y, p, q }) => delongTest(y, p, q);
const [delongLarge, delongTenth] = [await timeOf(() => delong(large), 3), await timeOf(() => delong(tenth), 3)];
const [allLarge, allTenth] = [await timeOf(() => calculateAll(large), 1), await timeOf(() => calculateAll(tenth), 3)];
verdicts('1,000,000 rows', [
  { measure: 'paired DeLong test, seconds', value: delongLarge / 1000, atMost: 2 },
  { measure: 'the same over a tenth of the rows, times', value: delongLarge / delongTenth, digits: 1, atMost: 30 },
  { measure: 'calculateAll, seconds', value: allLarge / 1000 },
  { measure: 'the same over a tenth of the rows, times', value: allLarge / allTenth, digits: 1, atMost: 30 },
]);
