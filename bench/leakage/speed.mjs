/**
 * How long checks take: near-duplicates of 20,000 x 128 with peak memory and the pairs beside those of brute force, and of
 * 100,000 x 512; duplicates of a million rows; all checks of 5,000 x 64, of 300 x 20,000 and of 200,000 patients; checks
 * beside a run that trains, and `validate` beside `run` on a million rows; near-duplicates of pictures. Each part has a
 * process of its own, so that peak memory and warm-up are its own. A part can be run alone: `node speed.mjs wide 300 20000`.
 */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import {
  CVKitValidator,
  DataLeakageChecker,
  GroupKFold,
  KFold,
  loadCancerImaging,
  randomSource,
  UniversalCVRunner,
} from 'cvkit';
import { LogisticRegression } from 'cvkit/estimators';
import { median, milliseconds, verdicts } from '../tfjs/verdicts.mjs';

const [COPIES, NOISE, THRESHOLD] = [100, 0.08, 0.99];

/** Normal features; the last rows are the first ones with noise. */
function dataOf(n, p) {
  const random = randomSource(1);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random());
  const data = Float32Array.from({ length: n * p }, normal);
  for (let row = 0; row < COPIES; row++) {
    for (let k = 0; k < p; k++) data[(n - 1 - row) * p + k] = data[row * p + k] + NOISE * normal();
  }
  return data;
}

/** Pairs of a row of the first half and one of the second whose squared distance is at most `most`, one by one. */
function brute(data, n, p, most) {
  const pairs = [];
  for (let i = 0; i < n / 2; i++) {
    for (let j = n / 2; j < n; j++) {
      let sum = 0;
      for (let k = 0; k < p && sum <= most; k++) {
        const gap = data[i * p + k] - data[j * p + k];
        sum += gap * gap;
      }
      if (sum <= most) pairs.push(`${i} ${j - n / 2}`);
    }
  }
  return pairs;
}

async function near(n, p, compare) {
  const data = dataOf(n, p);
  const half = (n / 2) * p;
  const [train, test] = [data.subarray(0, half), data.subarray(half)].map((part) => ({
    data: part,
    shape: [n / 2, p],
  }));
  const checker = new DataLeakageChecker({ verbose: false });
  let found;
  const wall = await milliseconds(async () => {
    found = await checker.checkNearDuplicates(train, test, { similarityThreshold: THRESHOLD });
  });
  const memory = process.resourceUsage().maxRSS / 1024;
  const expected = compare === 1 ? brute(data, n, p, 2 * p * (1 - THRESHOLD)) : [];
  const ours = found.pairs.map(({ trainIndex, testIndex }) => `${trainIndex} ${testIndex}`);
  const missed = expected.filter((pair) => !ours.includes(pair)).length;
  return { wall, memory, pairs: ours.length, expected: expected.length, missed };
}

/** What the Python toolkit took for its `comprehensive_check` of 5,000 x 64 on the machine where cvkit is developed, ms. */
const TOOLKIT = 659;

/** Equal rows among many, of which a hundred have a copy on the other side. */
async function duplicates(n, p) {
  const data = dataOf(n, p);
  for (let row = 0; row < COPIES; row++) data.copyWithin((n - 1 - row) * p, row * p, (row + 1) * p);
  const checker = new DataLeakageChecker({ verbose: false });
  let report;
  const wall = await milliseconds(async () => {
    report = await checker.check({ data, shape: [n, p] }, { only: ['duplicate'] });
  });
  return { wall, clusters: report.checks[0].evidence.clusters };
}

/** All checks of a table with patients, times and labels, the first time in a process and from then on. */
async function everything(n, p) {
  const data = dataOf(n, p);
  const X = Array.from({ length: n }, (_, row) => Array.from(data.subarray(row * p, (row + 1) * p)));
  const y = X.map(([first]) => Number(first > 0.3));
  const beside = { groups: y.map((_, row) => row >> 1), timestamps: y.map((_, row) => row) };
  const checker = new DataLeakageChecker({ verbose: false });
  const times = [];
  for (let round = 0; round < 8; round++) {
    let found;
    times.push(
      await milliseconds(async () => {
        found = await checker.comprehensiveCheck(X, y, beside);
      }),
    );
    // A check that breaks is quick.
    const broken = found.report.checks.find(({ status }) => status === 'error');
    if (broken) throw new Error(`${broken.code}: ${broken.message}`);
  }
  return { first: times[0], later: median(times.slice(1)) };
}

/** All checks of two classes in many columns, without ids. */
async function wide(n, p) {
  const random = randomSource(2);
  const X = { data: Float64Array.from({ length: n * p }, () => random.random()), shape: [n, p] };
  const y = Array.from({ length: n }, (_, row) => row % 2);
  const wall = await milliseconds(() => new DataLeakageChecker({ verbose: false }).check(X, y));
  return { wall };
}

/** All checks of two rows of each of many patients, whose folds keep them whole. */
async function patients(count, p) {
  const { data } = numbersOf(2 * count, p);
  const groups = Array.from({ length: 2 * count }, (_, row) => `patient-${row % count}`);
  const y = groups.map((_, row) => Number(data[row * p] > 0.5));
  const checker = new DataLeakageChecker({ verbose: false });
  const cv = new GroupKFold({ nSplits: 5 });
  const wall = await milliseconds(() => checker.check({ data, shape: [2 * count, p] }, y, { groups, cv }));
  return { wall };
}

/** A run with checks, intervals and a report beside one without any. */
async function million(n, p) {
  const X = numbersOf(n, p);
  const y = Array.from({ length: n }, (_, row) => Number(X.data[row * p] + X.data[row * p + 1] + X.data[row] > 1.5));
  const cvSplitter = new KFold({ nSplits: 5, shuffle: true, randomState: 1 });
  const model = () => new LogisticRegression();
  const run = await milliseconds(() =>
    new UniversalCVRunner({ cvSplitter, verbose: 0 }).run({ model, data: { X, y }, metrics: ['roc_auc'] }),
  );
  const validator = new CVKitValidator({ cv: cvSplitter, metrics: ['roc_auc'] });
  const validate = await milliseconds(() => validator.validate({ model, X, y, verbose: 0 }));
  return { run, validate };
}

function numbersOf(n, p) {
  const random = randomSource(3);
  return { data: Float64Array.from({ length: n * p }, () => random.random()), shape: [n, p] };
}

/** Smooth pictures of noise, none of them a copy. */
async function pictures(n, side) {
  const random = randomSource(4);
  const data = new Float32Array(n * side * side);
  for (let row = 0; row < n; row++) {
    const waves = Array.from({ length: 12 }, () => [1, 6, 6].map((most) => most * (2 * random.random() - 1)));
    for (let y = 0; y < side; y++) {
      for (let x = 0; x < side; x++) {
        const at = (row * side + y) * side + x;
        for (const [size, down, across] of waves) data[at] += size * Math.sin((down * y + across * x) / 8);
      }
    }
  }
  const checker = new DataLeakageChecker({ verbose: false });
  const X = { data, shape: [n, side, side] };
  const wall = await milliseconds(() => checker.check(X, null, { only: ['near_duplicate'] }));
  return { wall };
}

/** Time of the checks beside that of a network that trains on real data, as `npm run demo` does. */
async function overhead() {
  const tf = await import('@tensorflow/tfjs');
  const { X, y } = await loadCancerImaging();
  const network = () =>
    tf.sequential({
      layers: [
        tf.layers.batchNormalization({ inputShape: [30], momentum: 0.9 }),
        tf.layers.dense({ units: 16, activation: 'relu' }),
        tf.layers.dense({ units: 1, activation: 'sigmoid' }),
      ],
    });
  const job = { model: network, X, y, epochs: 40, optimizer: 'adam', lossFn: 'binaryCrossentropy', verbose: 0 };
  const run = (checked) =>
    milliseconds(() =>
      new CVKitValidator({ metrics: ['roc_auc'], checkLeakage: checked, checkBalance: checked }).validate(job),
    );
  await run(true);
  const rounds = [];
  for (let round = 0; round < 5; round++) rounds.push({ bare: await run(false), checked: await run(true) });
  const bare = median(rounds.map((each) => each.bare));
  const checker = new DataLeakageChecker({ verbose: false });
  const alone = [];
  for (let round = 0; round < 5; round++) alone.push(await milliseconds(() => checker.check(X, y)));
  return { bare, checked: median(rounds.map((each) => each.checked)), alone: median(alone) };
}

const PARTS = { near, duplicates, everything, wide, patients, million, pictures, overhead };
const [part, ...sizes] = process.argv.slice(2);
if (part) {
  console.log(JSON.stringify(await PARTS[part](...sizes.map(Number))));
} else {
  const apart = (...args) => {
    const command = [fileURLToPath(import.meta.url), ...args.map(String)];
    const { status, stdout, stderr } = spawnSync(process.execPath, command, { encoding: 'utf8' });
    if (status !== 0) throw new Error(stderr);
    return JSON.parse(stdout.trim().split('\n').at(-1));
  };
  const all = apart('everything', 5000, 64);
  verdicts('All checks, 5,000 x 64', [
    { measure: 'time once warm, ms', value: all.later, digits: 0, atMost: 0.5 * TOOLKIT },
    { measure: 'time of the first call in a process, ms', value: all.first, digits: 0 },
  ]);
  verdicts('All checks, 300 x 20,000', [
    { measure: 'time, s', value: apart('wide', 300, 20_000).wall / 1000, atMost: 5 },
  ]);
  verdicts('All checks, 200,000 patients with two rows of 5 features', [
    { measure: 'time, s', value: apart('patients', 200_000, 5).wall / 1000, digits: 1, atMost: 10 },
  ]);
  const both = apart('million', 1_000_000, 10);
  verdicts('A logistic regression of 1,000,000 x 10, five folds', [
    { measure: 'run, s', value: both.run / 1000, digits: 1 },
    { measure: 'validate, s', value: both.validate / 1000, digits: 1 },
    { measure: 'validate over run', value: both.validate / both.run, atMost: 2 },
  ]);
  verdicts('Near-duplicates of pictures, 64 x 64', [
    { measure: 'of 1,000, s', value: apart('pictures', 1000, 64).wall / 1000, digits: 1 },
    { measure: 'of 10,000, s', value: apart('pictures', 10_000, 64).wall / 1000, digits: 1 },
  ]);
  const beside = apart('overhead');
  verdicts('Checks beside a run that trains (569 x 30, five folds, 40 epochs)', [
    { measure: 'run without checks, s', value: beside.bare / 1000, digits: 1 },
    { measure: 'run with checks, s', value: beside.checked / 1000, digits: 1 },
    { measure: 'checks alone over the run', value: beside.alone / beside.bare, digits: 4, atMost: 0.02 },
  ]);
  const equal = apart('duplicates', 1_000_000, 20);
  verdicts('Duplicates, 1,000,000 x 20', [
    { measure: 'time, s', value: equal.wall / 1000, digits: 1, atMost: 5 },
    { measure: 'clusters found', value: equal.clusters, digits: 0, atLeast: 1 },
  ]);
  const small = apart('near', 20_000, 128, 1);
  verdicts('Near-duplicates, 20,000 x 128', [
    { measure: 'time, ms', value: small.wall, digits: 0 },
    { measure: 'peak memory, MB', value: small.memory, digits: 0, atMost: 500 },
    { measure: 'pairs found by brute force', value: small.expected, digits: 0, atLeast: COPIES },
    { measure: 'of these not found', value: small.missed, digits: 0, atMost: 0 },
  ]);
  const large = apart('near', 100_000, 512);
  verdicts('Near-duplicates, 100,000 x 512', [
    { measure: 'time, s', value: large.wall / 1000, digits: 1, atMost: 60 },
    { measure: 'pairs found', value: large.pairs, digits: 0, atLeast: COPIES },
    { measure: 'peak memory, MB', value: large.memory, digits: 0 },
  ]);
}
