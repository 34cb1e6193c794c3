/** Further scenes of CVL005 and CVL007: spread, correlations, and clean data of many kinds, each a corpus of its own. */
import { GroupKFold, KFold, PredefinedSplit, StratifiedGroupKFold, TimeSeriesSplit } from 'cvkit';

const list = (length, of) => Array.from({ length }, (_, at) => of(at));
const normal = (random) => Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random());
const seedOf = (random) => Math.floor(random.random() * 2 ** 32);
const whole = (random, most) => Math.floor(random.random() * most);

/** Random fifths of n things. */
function fifths(random, n) {
  const fold = list(n, (at) => at % 5);
  for (let i = n - 1; i > 0; i--) {
    const j = whole(random, i + 1);
    [fold[i], fold[j]] = [fold[j], fold[i]];
  }
  return fold;
}

// ---- planted ------------------------------------------------------------------------------------------------------

/** 20 normal features of n patients with `rows` rows each, of which the patient's share is 80 %; `change` those of fold 3. */
function changed(random, { n, rows = 1, change }) {
  const foldOf = fifths(random, n);
  const [X, groups, testFold] = [[], [], []];
  for (let patient = 0; patient < n; patient++) {
    const own = list(20, () => normal(random));
    for (let row = 0; row < rows; row++) {
      const cells = rows === 1 ? own : own.map((z) => Math.sqrt(0.8) * z + Math.sqrt(0.2) * normal(random));
      X.push(change(cells, foldOf[patient] === 3));
      groups.push(patient);
      testFold.push(foldOf[patient]);
    }
  }
  return { X, y: groups.map((id) => id % 2), ...(rows > 1 ? { groups } : {}), cv: new PredefinedSplit({ testFold }) };
}

/** Feature 7 is so many times as wide in the fold. */
const wider = (times) => (cells, inFold) => (inFold ? cells.with(7, cells[7] * times) : cells);

/** Features 7 and 12 have correlation r, in the fold -r. */
const reversed = (r) => (cells, inFold) =>
  cells.with(12, (inFold ? -r : r) * cells[7] + Math.sqrt(1 - r ** 2) * cells[12]);

const SPREADS = [
  { n: 200, times: 3 },
  { n: 300, times: 2.5 },
  { n: 1000, times: 1.6 },
];
const CORRELATIONS = [
  { n: 200, r: 0.8 },
  { n: 300, r: 0.65 },
  { n: 1000, r: 0.35 },
];
const planted = [
  ...SPREADS.map(({ n, times }) => ({
    id: `shift-spread-${n}`,
    n,
    effect: `one of 20 features ${times} times as wide in one fold of 5`,
    make: (random) => changed(random, { n, change: wider(times) }),
  })),
  ...CORRELATIONS.map(({ n, r }) => ({
    id: `shift-correlation-${n}`,
    n,
    effect: `a correlation of ${r}, and -${r} in one fold of 5, 20 features`,
    make: (random) => changed(random, { n, change: reversed(r) }),
  })),
  {
    id: 'shift-spread-patients-300',
    n: 1500,
    effect: 'one of 20 features 2.5 times as wide in one fold of 5, 300 patients x 5 rows',
    make: (random) => changed(random, { n: 300, rows: 5, change: wider(2.5) }),
  },
  {
    id: 'shift-correlation-patients-300',
    n: 1500,
    effect: 'a correlation of .65, and -.65 in one fold of 5, 300 patients x 5 rows',
    make: (random) => changed(random, { n: 300, rows: 5, change: reversed(0.65) }),
  },
];

// ---- clean --------------------------------------------------------------------------------------------------------

/** A cell of each kind, from a number that follows a standard normal distribution. */
const CELLS = {
  skewed: [(z) => Math.exp(2 * z), (z) => -Math.log(1 / (1 + Math.exp(-1.7 * z))), (z) => z ** 4],
  heavy: [
    (z, r) => z / Math.max(1e-12, Math.abs(normal(r))),
    (z, r) => z / Math.sqrt(Math.max(1e-12, -Math.log(1 - r.random()))),
    (z, r) => (r.random() < 0.03 ? 1e6 * z : z),
  ],
  integers: [
    (z) => Math.max(0, Math.round(z)),
    (z) => Math.round(3 * z),
    (z) => Number(z > 1.3) * Math.round(5 * Math.exp(z)),
  ],
  categories: [
    (z) => 'abcdefgh'[Math.min(7, Math.max(0, Math.floor(2 * z + 4)))],
    (z) => (z > 1.5 ? 'yes' : 'no'),
    (_, r) => `code ${Math.floor(40 * r.random() ** 2)}`,
  ],
  missing: [
    (z, r) => (r.random() < 0.4 ? null : z),
    (z, r) => (r.random() < 1 / (1 + Math.exp(-2 * z)) ? null : z),
    (z, r) => (r.random() < 0.03 ? null : Math.round(z)),
  ],
};

/** Rows of patients who share half of the variance of their rows; two factors tie the features together. */
function people(random, { patients, rowsOf = () => 1, kind, width = 12, wide = () => 1 }) {
  const cells = kind ? CELLS[kind] : [(z) => z];
  const loadings = list(width, () => [random.random(), random.random() - 0.5]);
  const [X, y, groups] = [[], [], []];
  for (let patient = 0; patient < patients; patient++) {
    const factors = [normal(random), normal(random)];
    const own = loadings.map(
      ([a, b]) => (a * factors[0] + b * factors[1] + normal(random)) / Math.sqrt(1 + a ** 2 + b ** 2),
    );
    const [size, rows] = [wide(random), rowsOf(random)];
    const label = Number(factors[0] + normal(random) > 0.7);
    for (let row = 0; row < rows; row++) {
      const values = own.map((z) => size * (rows === 1 ? z : (z + normal(random)) / Math.SQRT2));
      X.push(values.map((z, at) => cells[at % cells.length](z, random)));
      y.push(label);
      groups.push(`p${patient}`);
    }
  }
  return { X, y, groups };
}

const kFold = (random, nSplits = 5) => new KFold({ nSplits, shuffle: true, randomState: seedOf(random) });
const rowsAlone = (random, about, nSplits) => {
  const { X, y } = people(random, about);
  return { X, y, cv: kFold(random, nSplits) };
};
const grouped = (random, about, Splitter = GroupKFold, nSplits = 5) => ({
  ...people(random, about),
  cv: new Splitter({ nSplits, randomState: seedOf(random) }),
});

/** Rows in the order of time, with a trend: a difference is expected, and described. */
function overTime(random) {
  const { X, y } = people(random, { patients: 200 });
  const timestamps = X.map((_, row) => row);
  return { X: X.map((row, at) => row.map((z) => z + at / 60)), y, timestamps, cv: new TimeSeriesSplit({ nSplits: 4 }) };
}

const CORPORA = [
  ['skewed', 120, (r) => rowsAlone(r, { patients: 120, kind: 'skewed' })],
  ['heavy tails', 250, (r) => rowsAlone(r, { patients: 250, kind: 'heavy' })],
  ['integers and zero-inflated counts', 200, (r) => rowsAlone(r, { patients: 200, kind: 'integers' })],
  ['categories of many levels', 300, (r) => rowsAlone(r, { patients: 300, kind: 'categories' })],
  ['missing values, at random and not', 250, (r) => rowsAlone(r, { patients: 250, kind: 'missing' })],
  ['factors that tie features together', 400, (r) => rowsAlone(r, { patients: 400, width: 24 })],
  ['rows of unlike spread', 300, (r) => rowsAlone(r, { patients: 300, wide: (s) => Math.exp(normal(s)) })],
  ['small folds: ten of 80 rows', 80, (r) => rowsAlone(r, { patients: 80 }, 10)],
  ['20 rows per patient, grouped', 1200, (r) => grouped(r, { patients: 60, rowsOf: () => 20 })],
  [
    '20 rows per patient of unlike spread, grouped',
    1200,
    (r) => grouped(r, { patients: 60, rowsOf: () => 20, wide: (s) => Math.exp(normal(s)) }, StratifiedGroupKFold),
  ],
  ['few patients, many rows', 600, (r) => grouped(r, { patients: 24, rowsOf: (s) => 5 + whole(s, 40) }, GroupKFold, 3)],
  ['folds over time, described', 200, overTime],
];

export const shiftKinds = [
  ...planted.map((scene) => ({ check: 'CVL005', kind: 'planted', ...scene })),
  ...['CVL005', 'CVL007'].flatMap((check) =>
    CORPORA.map(([corpus, n, make]) => ({
      id: `shift-corpus-${corpus.replaceAll(/\W+/g, '-')}-${check}`,
      check,
      kind: 'clean',
      n,
      effect: corpus,
      corpus,
      make,
    })),
  ),
];
