/**
 * How time and memory of `validate` grow with the data, with models that cost nothing: what is left is cvkit. Each case
 * runs at a size and at twice that size, in processes of their own, and linear work reads 2. Leave-one-out hands n rows
 * to n models, so its cheap copies grow with the square; nothing else may. `npm run bench:scale loocv` runs cases whose
 * names begin so; `run` before it leaves out checks and intervals.
 */
import { spawnSync } from 'node:child_process';
import {
  BootstrapValidation,
  CVKitValidator,
  GroupKFold,
  KFold,
  LOOCV,
  LPOCV,
  RepeatedKFold,
  randomSource,
  UniversalCVRunner,
} from 'cvkit';

const random = randomSource(1);
const uniform = () => random.random();
const list = (n, make) => Array.from({ length: n }, (_, at) => make(at));
const table = (n, width) => list(n, () => list(width, uniform));
const dense = (n, width) => ({ data: Float64Array.from({ length: n * width }, uniform), shape: [n, width] });
const halves = (n) => list(n, () => Number(uniform() < 0.4));

/** A model of two classes that reads one feature. */
const oneFeature = () => ({
  fit: () => undefined,
  predict: (rows) => rows.map(([x]) => Number(x > 0.5)),
  predictProba: (rows) => rows.map(([x]) => [0.9 - 0.8 * x, 0.1 + 0.8 * x]),
});
/** A model that says the same of every row. */
const constant = (value, probabilities) => () => ({
  fit: () => undefined,
  predict: (rows) => rows.map(() => value),
  ...(probabilities ? { predictProba: (rows) => rows.map(() => probabilities) } : {}),
});

const kFold = () => new KFold({ shuffle: true, randomState: 1 });
const twoClasses = (n, cv, X = table(n, 5)) => ({ X, y: halves(n), model: oneFeature, cv });
const classes = (k, n, probabilities) => ({
  X: table(n, 2),
  y: list(n, (row) => row % k),
  task: 'multiclass',
  model: constant(0, probabilities),
  cv: kFold(),
});
const labels = (k) => ({
  X: table(1000, 5),
  y: list(1000, () => list(k, () => Number(uniform() < 0.3))),
  model: constant(list(k, () => 0)),
  cv: kFold(),
});

/** Name, the smaller size, and the problem of a size. */
const CASES = [
  ['loocv, rows', 2500, (n) => twoClasses(n, new LOOCV())],
  ['loocv, rows of typed array', 2500, (n) => twoClasses(n, new LOOCV(), dense(n, 5))],
  ['lpocv, rows', 80, (n) => twoClasses(n, new LPOCV({ p: 2 }))],
  ['classes, 5 rows each', 2500, (k) => classes(k, 5 * k)],
  ['classes of 10,000 rows', 250, (k) => classes(k, 10_000)],
  ['classes of 5,000 rows, probabilities', 250, (k) => classes(k, 5000, new Array(k).fill(1 / k))],
  ['labels of 1,000 rows', 500, labels],
  ['KFold, rows', 500_000, (n) => twoClasses(n, kFold(), dense(n, 5))],
  [
    'GroupKFold, patients of 3 rows',
    50_000,
    (n) => ({
      ...twoClasses(3 * n, new GroupKFold({ randomState: 1 }), dense(3 * n, 5)),
      groups: list(3 * n, (row) => `patient ${row % n}`),
    }),
  ],
  [
    'bootstrap of 200, rows',
    10_000,
    (n) => twoClasses(n, new BootstrapValidation({ nIterations: 200, randomState: 1 })),
  ],
  ['50 repeats of 5 folds, rows', 10_000, (n) => twoClasses(n, new RepeatedKFold({ nRepeats: 50, randomState: 1 }))],
];

const [mode, ...rest] = process.argv.slice(2);
if (mode === 'child') await measure(...rest);
else compare(mode === 'run' ? 'run' : 'validate', (mode === 'run' ? rest[0] : mode) ?? '');

/** Prints milliseconds and the largest memory of this process. */
async function measure(how, place, size) {
  const { cv, model, ...data } = CASES[Number(place)][2](Number(size));
  const { X, y, groups, ...options } = data;
  const start = performance.now();
  if (how === 'validate') await new CVKitValidator().validate({ model, cv, ...data, verbose: 0 });
  else {
    const runner = new UniversalCVRunner({ cvSplitter: cv, verbose: 0 });
    await runner.run({ model, data: groups ? [X, y, groups] : [X, y], ...options });
  }
  const milliseconds = performance.now() - start;
  console.log(JSON.stringify({ milliseconds, megabytes: process.resourceUsage().maxRSS / 1000 }));
}

function compare(how, prefix) {
  console.log(`${how} with a model that costs nothing: time and peak memory of the process at n and 2n`);
  for (const [place, [name, size]] of CASES.entries()) {
    if (!name.startsWith(prefix)) continue;
    const [once, twice] = [size, 2 * size].map((each) => {
      const given = ['child', how, place, each].map(String);
      const { status, stdout, stderr } = spawnSync(process.execPath, [import.meta.filename, ...given]);
      if (status !== 0) throw new Error(`${name} at ${each}: ${stderr}`);
      return JSON.parse(stdout);
    });
    const pair = (of, digits) => `${of(once).toFixed(digits).padStart(7)} ${of(twice).toFixed(digits).padStart(7)}`;
    const seconds = ({ milliseconds }) => milliseconds / 1000;
    const ratio = (seconds(twice) / seconds(once)).toFixed(1);
    const sizes = `${size.toLocaleString('en')}, ${(2 * size).toLocaleString('en')}`;
    console.log(
      `${name.padEnd(38)}${sizes.padStart(20)}${pair(seconds, 2)} s${ratio.padStart(6)}${pair((run) => run.megabytes, 0)} MB`,
    );
  }
}
