/**
 * Splitters on 1,000,000 rows against scikit-learn, as ratios of medians measured in one run, with the target of each.
 * Python is taken from the variable CVKIT_PYTHON, else `python3` on the path; without scikit-learn >= 1.9 there our
 * times stand alone. Then what others cannot do at that size: buffers around 100,000 places, leave-one-out of 20,000.
 */
import { spawnSync } from 'node:child_process';
import {
  BufferedSpatialCV,
  foldsOf,
  GroupKFold,
  KFold,
  LOOCV,
  randomSource,
  StratifiedGroupKFold,
  StratifiedKFold,
} from 'cvkit';

const [ROWS, GROUPS, RUNS, CHECK_TARGET] = [1_000_000, 100_000, 9, 3];
const [SMALL_ROWS, SMALL_GROUPS] = [100_000, 10_000];

// The same formulas in PYTHON below.
const y = Int32Array.from({ length: ROWS }, (_, i) => ((i * 7919) % 1000 < 300 ? 1 : 0));
const names = Array.from(y, (label) => (label ? 'malignant' : 'benign'));
const groups = Int32Array.from({ length: ROWS }, (_, i) => (i * 104_729) % GROUPS);
const small = { y: y.slice(0, SMALL_ROWS), groups: groups.slice(0, SMALL_ROWS).map((id) => id % SMALL_GROUPS) };

const shuffled = { shuffle: true, randomState: 42 };
const cases = {
  KFold: () => new KFold().split(ROWS),
  'KFold shuffled': () => new KFold(shuffled).split(ROWS),
  StratifiedKFold: () => new StratifiedKFold().split(ROWS, y),
  'StratifiedKFold shuffled': () => new StratifiedKFold(shuffled).split(ROWS, y),
  'StratifiedKFold of strings': () => new StratifiedKFold().split(ROWS, names),
  GroupKFold: () => new GroupKFold({ shuffle: false }).split(ROWS, { groups }),
  'StratifiedGroupKFold (1/10)': () =>
    new StratifiedGroupKFold({ randomState: 42 }).split(SMALL_ROWS, small.y, { groups: small.groups }),
};

/** Largest ratio to scikit-learn that is aimed at. */
const TARGETS = {
  KFold: 0.7,
  'KFold shuffled': 0.9,
  StratifiedKFold: 0.7,
  'StratifiedKFold shuffled': 0.9,
  GroupKFold: 0.5,
  'StratifiedGroupKFold (1/10)': 0.15,
};

const PYTHON = `
import json, statistics, sys, time
import numpy as np, sklearn
from sklearn.model_selection import GroupKFold, KFold, StratifiedGroupKFold, StratifiedKFold
assert tuple(map(int, sklearn.__version__.split(".")[:2])) >= (1, 9), sklearn.__version__
n, runs = ${ROWS}, ${RUNS}
i = np.arange(n)
X, y, groups = np.zeros((n, 1)), (i * 7919 % 1000 < 300).astype(np.int32), i * 104729 % ${GROUPS}
names = np.where(y == 1, "malignant", "benign")
m = ${SMALL_ROWS}
shuffled = dict(shuffle=True, random_state=42)
cases = {
    "KFold": lambda: KFold().split(X),
    "KFold shuffled": lambda: KFold(**shuffled).split(X),
    "StratifiedKFold": lambda: StratifiedKFold().split(X, y),
    "StratifiedKFold shuffled": lambda: StratifiedKFold(**shuffled).split(X, y),
    "StratifiedKFold of strings": lambda: StratifiedKFold().split(X, names),
    "GroupKFold": lambda: GroupKFold().split(X, y, groups),
    "StratifiedGroupKFold (1/10)": lambda: StratifiedGroupKFold(**shuffled).split(X[:m], y[:m], groups[:m] % ${SMALL_GROUPS}),
}
def once(split):
    start = time.perf_counter()
    for fold in split():
        pass
    return (time.perf_counter() - start) * 1000
times = {k: statistics.median(once(f) for _ in range(runs if "Group" not in k else 3)) for k, f in cases.items()}
print(json.dumps({"version": sklearn.__version__, "times": times}))
`;

function milliseconds(work) {
  const start = performance.now();
  work();
  return performance.now() - start;
}

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const timesOf = (work) => Array.from({ length: RUNS }, () => milliseconds(work));
function drain(folds) {
  for (const _ of folds);
}

function scikitLearn() {
  const python = process.env.CVKIT_PYTHON ?? 'python3';
  const { status, stdout, stderr, error } = spawnSync(python, ['-c', PYTHON], { encoding: 'utf8' });
  if (status === 0) return JSON.parse(stdout);
  const why = error?.message ?? stderr.trim().split('\n').at(-1);
  console.log(`Python with scikit-learn >= 1.9 is absent (${python}: ${why}); our times stand alone.`);
  return undefined;
}

for (const split of Object.values(cases)) drain(split());
const ours = Object.fromEntries(Object.entries(cases).map(([name, split]) => [name, timesOf(() => drain(split()))]));
const theirs = scikitLearn();
// Ours again, so that a busy moment of the machine does not meet one side only.
for (const [name, split] of Object.entries(cases)) ours[name].push(...timesOf(() => drain(split())));

console.log(`${ROWS.toLocaleString('en')} rows, 5 folds, medians${theirs ? `; scikit-learn ${theirs.version}` : ''}`);
for (const [name, times] of Object.entries(ours)) {
  const mine = median(times);
  const other = theirs?.times[name];
  const target = TARGETS[name] === undefined ? '' : `  (target ${TARGETS[name]})`;
  const ratio =
    other === undefined ? '' : `${other.toFixed(1).padStart(9)} ms${(mine / other).toFixed(2).padStart(7)}${target}`;
  console.log(`${name.padEnd(28)}${mine.toFixed(1).padStart(8)} ms${ratio}`);
}

for (const [name, splitter] of Object.entries({ KFold: new KFold(), 'KFold shuffled': new KFold(shuffled) })) {
  const folds = [...splitter.split(ROWS)];
  const known = { split: () => folds, claims: splitter.claims, getNSplits: () => folds.length };
  const perFold = median(timesOf(() => foldsOf(known, ROWS))) / folds.length;
  console.log(
    `foldsOf check of ${name.padEnd(15)}${perFold.toFixed(1).padStart(4)} ms per fold (target ${CHECK_TARGET})`,
  );
}

const random = randomSource(7);
const coordinates = Array.from({ length: 100_000 }, () => [360 * random.random() - 180, 160 * random.random() - 80]);
for (const distanceMetric of ['euclidean', 'manhattan', 'haversine']) {
  const places = distanceMetric === 'haversine' ? coordinates.map(([lon, lat]) => [lat, lon]) : coordinates;
  const bufferSize = distanceMetric === 'haversine' ? 100 : 1;
  const splitter = new BufferedSpatialCV({ distanceMetric, bufferSize, randomState: 42 });
  const time = milliseconds(() => drain(splitter.split(places.length, { coordinates: places })));
  console.log(
    `BufferedSpatialCV, 100,000 places, ${distanceMetric.padEnd(10)}${(time / 1000).toFixed(2)} s (target 5; a distance matrix would take 80 GB)`,
  );
}

const heap = () => {
  globalThis.gc?.();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return (heapUsed + arrayBuffers) / 1e6;
};
const before = heap();
const leaveOneOut = new LOOCV().split(20_000)[Symbol.iterator]();
const first = milliseconds(() => leaveOneOut.next());
let most = 0;
for (let fold = 1; !leaveOneOut.next().done; fold++) if (fold % 2000 === 0) most = Math.max(most, heap() - before);
console.log(
  `LOOCV of 20,000 rows: first fold ${first.toFixed(1)} ms (target 50), heap grows ${most.toFixed(1)} MB (target 50)`,
);
