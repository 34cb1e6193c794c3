/** Planted and clean scenes of the shift checks, CVL005 and CVL007, and of class balance, CVB001. */
import {
  BootstrapValidation,
  GroupKFold,
  KFold,
  MonteCarloCV,
  PredefinedSplit,
  RepeatedKFold,
  StratifiedGroupKFold,
  StratifiedKFold,
} from 'cvkit';

// ---- draws --------------------------------------------------------------------------------------------------------

const list = (length, of) => Array.from({ length }, (_, at) => of(at));

/** A standard normal number (Box & Muller). */
const normal = (random) => Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random());
const seedOf = (random) => Math.floor(random.random() * 2 ** 32);
const bernoulli = (random, p) => Number(random.random() < p);

/** 0 ... n-1 in random order. */
function shuffled(random, n) {
  const order = list(n, (at) => at);
  for (let i = n - 1; i > 0; i--) {
    const j = Math.floor(random.random() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

/** Kinds of features, each from a standard normal number that a patient's rows share in part. */
const KINDS = {
  normal: (z) => z,
  skewed: (z) => Math.exp(1.5 * z),
  heavy: (z, random) => z / Math.max(1e-12, Math.abs(normal(random))),
  integer: (z) => Math.round(2 * z + 3),
  binary: (z) => Number(z > 0.8),
  category: (z) => 'abcde'[Math.min(4, Math.max(0, Math.floor(z + 2.5)))],
  missing: (z, random) => (random.random() < 0.15 ? null : z),
};
const MIXED = Object.keys(KINDS);

/** Random fifths of n things. */
function fifths(random, n) {
  const fold = list(n, () => 0);
  shuffled(random, n).forEach((thing, at) => {
    fold[thing] = at % 5;
  });
  return fold;
}

// ---- planted ------------------------------------------------------------------------------------------------------

/**
 * The effect sizes at which the checks must fire: one fold of five. At 54, 31 and 17 points the most powerful test of
 * level .01 over five folds (the likelihood ratio averaged over folds and directions, given the number of positive
 * labels and the size of the difference) finds .944, .917 and .923, and at 1.4, .8 and .44 SD (20 features, variance
 * known) .959, .948 and .954: no test can find .98 of them. These are the least that leave that room; `lesser` are the
 * others, as points of the power curve.
 */
const EFFECTS = [
  { n: 100, sd: 1.6, points: 60, lesser: { sd: 1.4, points: 54 } },
  { n: 300, sd: 0.9, points: 36, lesser: { sd: 0.8, points: 31 } },
  { n: 1000, sd: 0.49, points: 20, lesser: { sd: 0.44, points: 17 } },
];

/** 20 normal features; those of fold 3 are shifted in one of them. */
function shiftedFeature(random, n, sd) {
  const testFold = fifths(random, n);
  const X = list(n, (row) => list(20, (at) => normal(random) + (at === 7 && testFold[row] === 3 ? sd : 0)));
  return { X, y: list(n, () => bernoulli(random, 0.4)), testFold };
}

/** Prevalence .3, and that many points more in fold 3. */
function shiftedLabel(random, n, points) {
  const testFold = fifths(random, n);
  const y = testFold.map((fold) => bernoulli(random, 0.3 + (fold === 3 ? points / 100 : 0)));
  return { X: list(n, () => list(3, () => normal(random))), y, testFold };
}

const asFolds = ({ testFold, ...data }) => ({ ...data, cv: new PredefinedSplit({ testFold }) });

/** Fold 3 as the one test set beside one training set. */
function asTwoSets({ testFold, ...data }) {
  const rows = (test) => list(testFold.length, (row) => row).filter((row) => (testFold[row] === 3) === test);
  const cv = new PredefinedSplit({ folds: [{ train: rows(false), test: rows(true) }] });
  return { ...data, cv, design: 'iid' };
}

/** Every row twenty times, with little noise, as images of one patient. */
function asPatients({ X, y, testFold }, random) {
  const rows = X.flatMap((row, patient) =>
    list(20, () => ({ row: row.map((v) => v + 0.3 * normal(random)), patient })),
  );
  return {
    X: rows.map(({ row }) => row),
    y: rows.map(({ patient }) => y[patient]),
    groups: rows.map(({ patient }) => patient),
    testFold: rows.map(({ patient }) => testFold[patient]),
  };
}

const planted = EFFECTS.flatMap(({ n, sd, points }) => [
  {
    check: 'CVL005',
    id: `shift-feature-folds-${n}`,
    n,
    effect: `${sd} SD in one fold of 5, 20 features`,
    make: (random) => asFolds(shiftedFeature(random, n, sd)),
  },
  {
    check: 'CVL005',
    id: `shift-feature-two-sets-${n}`,
    n,
    effect: `${sd} SD between two sets (4:1), 20 features`,
    make: (random) => asTwoSets(shiftedFeature(random, n, sd)),
  },
  {
    check: 'CVL007',
    id: `shift-label-folds-${n}`,
    n,
    effect: `prevalence .3 + ${points} points in one fold of 5`,
    make: (random) => asFolds(shiftedLabel(random, n, points)),
  },
  {
    check: 'CVL007',
    id: `shift-label-two-sets-${n}`,
    n,
    effect: `prevalence .3 + ${points} points between two sets (4:1)`,
    make: (random) => asTwoSets(shiftedLabel(random, n, points)),
  },
]);

const plantedPatients = {
  check: 'CVL005',
  id: 'shift-feature-patients-100',
  n: 2000,
  effect: '1.6 SD of patients in one fold of 5, 100 patients x 20 rows',
  make: (random) => asFolds(asPatients(shiftedFeature(random, 100, 1.6), random)),
};

// ---- clean --------------------------------------------------------------------------------------------------------

/** Rows of `patients` with `rowsOf(patient)` rows each; half of the variance is the patient's. With signal, y follows X. */
function cleanData(random, { patients, rowsOf = () => 1, kinds = MIXED, width = 20, signal = true, task = 'binary' }) {
  const [X, y, groups] = [[], [], []];
  for (let patient = 0; patient < patients; patient++) {
    const rows = rowsOf(patient, random);
    const own = list(width, () => normal(random));
    const risk = signal ? own[0] + own[1] : 0;
    const label = task === 'regression' ? risk + normal(random) : Number(risk + normal(random) > 0.8);
    const labelled = task === 'multiclass' ? 'abc'[bernoulli(random, 0.4) + label] : label;
    for (let row = 0; row < rows; row++) {
      X.push(
        own.map((z, at) => KINDS[kinds[at % kinds.length]](rows === 1 ? z : (z + normal(random)) / Math.SQRT2, random)),
      );
      y.push(labelled);
      groups.push(`p${patient}`);
    }
  }
  return { X, y, groups };
}

const ungrouped = ({ X, y }) => ({ X, y });
const kFold = (random) => new KFold({ nSplits: 5, shuffle: true, randomState: seedOf(random) });
const clean = [
  ['noise-60', 60, 'noise', (r) => ({ ...ungrouped(cleanData(r, { patients: 60, signal: false })), cv: kFold(r) })],
  ['signal-100', 100, 'signal', (r) => ({ ...ungrouped(cleanData(r, { patients: 100 })), cv: kFold(r) })],
  [
    'heavy-300',
    300,
    'skewed and heavy-tailed',
    (r) => ({ ...ungrouped(cleanData(r, { patients: 300, kinds: ['skewed', 'heavy'] })), cv: kFold(r) }),
  ],
  [
    'integer-300',
    300,
    'integers, categories, missing',
    (r) => ({
      ...ungrouped(cleanData(r, { patients: 300, kinds: ['integer', 'binary', 'category', 'missing'] })),
      cv: kFold(r),
    }),
  ],
  [
    'stratified-1000',
    1000,
    'stratified',
    (r) => ({
      ...ungrouped(cleanData(r, { patients: 1000 })),
      cv: new StratifiedKFold({ nSplits: 5, shuffle: true, randomState: seedOf(r) }),
    }),
  ],
  [
    'regression-200',
    200,
    'regression',
    (r) => ({ ...ungrouped(cleanData(r, { patients: 200, task: 'regression' })), cv: kFold(r) }),
  ],
  [
    'multiclass-200',
    200,
    'three classes',
    (r) => ({ ...ungrouped(cleanData(r, { patients: 200, task: 'multiclass' })), cv: kFold(r) }),
  ],
  [
    'repeated-200',
    200,
    'repeated folds',
    (r) => ({
      ...ungrouped(cleanData(r, { patients: 200 })),
      cv: new RepeatedKFold({ nSplits: 5, nRepeats: 3, randomState: seedOf(r) }),
    }),
  ],
  [
    'patients-60',
    1200,
    '60 patients x 20 rows, grouped',
    (r) => ({
      ...cleanData(r, { patients: 60, rowsOf: () => 20 }),
      cv: new GroupKFold({ nSplits: 5, randomState: seedOf(r) }),
    }),
  ],
  [
    'patients-100',
    2000,
    '100 patients x 20 rows, grouped, stratified',
    (r) => ({
      ...cleanData(r, { patients: 100, rowsOf: () => 20 }),
      cv: new StratifiedGroupKFold({ nSplits: 5, randomState: seedOf(r) }),
    }),
  ],
  [
    'unequal-80',
    800,
    '80 patients x 1-20 rows, grouped',
    (r) => ({
      ...cleanData(r, { patients: 80, rowsOf: () => 1 + Math.floor(20 * r.random() ** 2) }),
      cv: new GroupKFold({ nSplits: 5, randomState: seedOf(r) }),
    }),
  ],
  [
    'torn-100',
    2000,
    '100 patients x 20 rows, torn by shuffled folds',
    (r) => ({ ...cleanData(r, { patients: 100, rowsOf: () => 20 }), cv: kFold(r) }),
  ],
  [
    'blocks-100',
    2000,
    '100 patients x 20 rows, unshuffled blocks',
    (r) => ({ ...cleanData(r, { patients: 100, rowsOf: () => 20 }), cv: new KFold({ nSplits: 3 }) }),
  ],
  [
    'two-sets-200',
    200,
    'two sets drawn alike',
    (r) => ({ ...asTwoSets({ ...ungrouped(cleanData(r, { patients: 200 })), testFold: fifths(r, 200) }) }),
  ],
  [
    'bootstrap-100',
    100,
    'bootstrap',
    (r) => ({
      ...ungrouped(cleanData(r, { patients: 100, width: 10 })),
      cv: new BootstrapValidation({ nIterations: 20, randomState: seedOf(r) }),
    }),
  ],
  [
    'monte-carlo-100',
    100,
    'Monte Carlo',
    (r) => ({
      ...ungrouped(cleanData(r, { patients: 100, width: 10 })),
      cv: new MonteCarloCV({ nIterations: 20, testSize: 0.2, randomState: seedOf(r) }),
    }),
  ],
];

/** A class that one fold never trains on, or never tests. */
function missingClass(random, n, side) {
  const testFold = fifths(random, n);
  const y = testFold.map((fold) =>
    side === 'train' ? (fold === 2 ? 'rare' : 'abc'[fold % 3]) : fold === 2 ? 'a' : 'ab'[bernoulli(random, 0.5)],
  );
  return asFolds({ X: list(n, () => list(3, () => normal(random))), y, testFold });
}

const balance = ['train', 'test'].map((side) => ({
  check: 'CVB001',
  id: `balance-missing-in-${side}`,
  kind: 'planted',
  n: 100,
  effect: `a class that the ${side === 'train' ? 'training' : 'test'} rows of a fold lack`,
  make: (random) => missingClass(random, 100, side),
}));

export const shiftScenarios = [
  ...[...planted, plantedPatients].map((scene) => ({ kind: 'planted', ...scene })),
  ...['CVL005', 'CVL007'].flatMap((check) =>
    clean.map(([id, n, effect, make]) => ({ id: `shift-clean-${id}-${check}`, check, kind: 'clean', n, effect, make })),
  ),
  ...balance,
  ...clean
    .filter(([id]) => !/^(noise|unequal|patients-60)/.test(id))
    .map(([id, n, effect, make]) => ({ id: `balance-clean-${id}`, check: 'CVB001', kind: 'clean', n, effect, make })),
];

/** Power curves: the same planted scenes at other effects; `make(random, effect)` with the effect in `unit`. */
export const shiftPower = EFFECTS.flatMap(({ n, sd, points, lesser }) => [
  {
    check: 'CVL005',
    n,
    unit: 'SD',
    effects: [...[0.4, 0.6, 0.8, 1, 1.1, 1.2].map((times) => Number((times * sd).toPrecision(3))), lesser.sd],
    make: (random, effect) => asFolds(shiftedFeature(random, n, effect)),
  },
  {
    check: 'CVL007',
    n,
    unit: 'points',
    effects: [...[0.4, 0.6, 0.8, 1, 1.1].map((times) => Math.round(times * points)), lesser.points],
    make: (random, effect) => asFolds(shiftedLabel(random, n, effect)),
  },
]);
