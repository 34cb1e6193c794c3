/** Features that give y away (CVL009), and clean twins with true predictors of AUC .70 to .98 and pure noise. */
import { GroupKFold, KFold } from 'cvkit';

/** A standard normal number (Box & Muller). */
const normal = (random) => Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random());
const between = (random, low, high) => low + (high - low) * random.random();
const whole = (random, count) => Math.floor(random.random() * count);
const seedOf = (random) => whole(random, 2 ** 31);
const heavy = (random, df) => {
  let sum = 0;
  for (let i = 0; i < df; i++) sum += normal(random) ** 2;
  return normal(random) / Math.sqrt(sum / df);
};

/** The standard normal value that a share of the population lies below (bisection of a series). */
function quantile(share) {
  let [low, high] = [-6, 6];
  for (let step = 0; step < 60; step++) {
    const middle = (low + high) / 2;
    if (below(middle) < share) low = middle;
    else high = middle;
  }
  return low;
}
function below(z) {
  let [sum, term] = [0, z];
  for (let k = 3; k < 400 && Math.abs(term) > 1e-16; k += 2) {
    sum += term;
    term *= (z * z) / k;
  }
  return 0.5 + (Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)) * sum;
}

/** Shapes of features: each draws one value around a place, in units of a standard deviation. */
const SHAPES = {
  normal: (random, at) => at + normal(random),
  skewed: (random, at) => Math.exp(at + normal(random)),
  heavy: (random, at) => at + heavy(random, 3),
  integer: (random, at) => Math.round(10 + 4 * (at + normal(random))),
  few: (random, at) => Math.max(-2, Math.min(2, Math.round(at + normal(random)))),
  category: (random, at) => 'abcdef'[Math.max(0, Math.min(5, Math.round(2 + at + normal(random))))],
  missing: (random, at) => (random.random() < 0.1 ? null : at + normal(random)),
};
const shapes = Object.values(SHAPES);

/** Patients of rows, and folds that keep them whole. */
function design(random, n, perPatient) {
  if (perPatient === 1) {
    return {
      patients: Array.from({ length: n }, (_, row) => row),
      cv: new KFold({ nSplits: 5, shuffle: true, randomState: seedOf(random) }),
    };
  }
  const patients = Array.from({ length: n }, (_, row) => Math.floor(row / perPatient));
  return { patients, groups: patients, cv: new GroupKFold({ nSplits: 5, shuffle: true, randomState: seedOf(random) }) };
}

/** Labels of the patients in `classes` classes, or of rows; each class occurs at least eight times where it can. */
function labels(random, patients, classes, prevalence) {
  const count = patients[patients.length - 1] + 1;
  const ofPatient = Array.from({ length: count }, (_, at) => {
    if (at < 8 * classes) return at % classes;
    return classes === 2 ? Number(random.random() < prevalence) : whole(random, classes);
  });
  return patients.map((patient) => ofPatient[patient]);
}

/** A value per row with a part that all rows of a patient share. */
function shared(random, patients, share) {
  const own = Array.from({ length: patients[patients.length - 1] + 1 }, () => normal(random));
  return (row) => Math.sqrt(share) * own[patients[row]];
}

/** Noise of all shapes, patient by patient where rows repeat. */
function noise(random, patients, count = shapes.length) {
  return Array.from({ length: count }, (_, at) => {
    const part = shared(random, patients, at % 2 === 0 ? 0.8 : 0);
    const draw = shapes[at % shapes.length];
    return (row) => draw(random, part(row));
  });
}

const rowsOf = (n, features) => Array.from({ length: n }, (_, row) => features.map((feature) => feature(row)));

function clean(id, n, perPatient, effect, signals, { classes = 2, top = 0.98 } = {}) {
  const make = (random) => {
    const { patients, ...rest } = design(random, n, perPatient);
    const prevalence = between(random, 0.15, 0.5);
    const y = labels(random, patients, classes, prevalence);
    const features = noise(random, patients);
    for (let at = 0; at < signals; at++) {
      // Two classes a distance d apart have an area of Phi(d / root 2); t with 3 degrees of freedom is wider.
      const distance = Math.SQRT2 * quantile(between(random, 0.7, top));
      const draw = shapes[whole(random, shapes.length)];
      const part = shared(random, patients, 0.5);
      features.push((row) =>
        draw(random, distance * (y[row] === classes - 1 ? 1 : 0) + (perPatient > 1 ? part(row) : 0)),
      );
    }
    return { X: rowsOf(n, features), y, ...rest };
  };
  return { id: `target/${id}`, check: 'CVL009', kind: 'clean', n, effect, make };
}

function cleanNumbers(id, n, perPatient, effect, top) {
  const make = (random) => {
    const { patients, ...rest } = design(random, n, perPatient);
    const part = shared(random, patients, 0.5);
    const y = patients.map((_, row) => part(row) + Math.SQRT1_2 * normal(random));
    const features = noise(random, patients);
    for (let at = 0; at < 3; at++) {
      const r = between(random, 0.3, top);
      const curved = whole(random, 3);
      features.push((row) => {
        const x = r * y[row] + Math.sqrt(1 - r * r) * normal(random);
        return curved === 0 ? x : curved === 1 ? Math.exp(x) : Math.round(5 * x);
      });
    }
    return { X: rowsOf(n, features), y, ...rest };
  };
  return { id: `target/${id}`, check: 'CVL009', kind: 'clean', n, effect, make };
}

function planted(id, n, perPatient, effect, leak, { classes = 2, numbers = false } = {}) {
  const make = (random) => {
    const { patients, ...rest } = design(random, n, perPatient);
    const y = numbers
      ? patients.map(() => normal(random))
      : labels(random, patients, classes, between(random, 0.3, 0.5));
    const features = noise(random, patients);
    features.splice(whole(random, features.length), 0, leak(random, y));
    return { X: rowsOf(n, features), y, ...rest };
  };
  return { id: `target/${id}`, check: 'CVL009', kind: 'planted', n, effect, make };
}

/** The class, told wrong for 1 % of the rows (rounded down). */
function flipped(random, y) {
  const wrong = new Set();
  while (wrong.size < Math.floor(0.01 * y.length)) wrong.add(whole(random, y.length));
  return (row) => (wrong.has(row) ? 1 - y[row] : y[row]);
}

/** A continuous value on its side of a threshold: nothing but the order tells. */
const beside = (random, side) => (side ? 1 : -1) * Math.abs(normal(random));

export const scenarios = [
  ...[60, 100, 300, 1000].map((n) => clean(`noise-${n}`, n, 1, 'none: noise', 0)),
  ...[60, 100, 150, 300, 1000].map((n) => clean(`signal-${n}`, n, 1, 'none: predictors of AUC .70 to .98', 3)),
  ...[60, 150, 300].map((n) => clean(`classes-${n}`, n, 1, 'none: three classes', 3, { classes: 3 })),
  ...[400, 1000, 4000].map((n) => clean(`patients-${n}`, n, 20, 'none: 20 rows per patient, predictors', 3)),
  ...[60, 300, 1000].map((n) => cleanNumbers(`numbers-${n}`, n, 1, 'none: predictors of r .30 to .93', 0.93)),
  ...[1000, 4000].map((n) => cleanNumbers(`patient-numbers-${n}`, n, 20, 'none: 20 rows per patient', 0.9)),

  ...[60, 100, 300, 1000].flatMap((n) => [
    planted(`copy-${n}`, n, 1, '1 % flipped', (random, y) => flipped(random, y)),
    planted(`words-${n}`, n, 1, 'class in other words', (_, y) => (row) => (y[row] ? 'positive' : 'none')),
    planted(
      `jitter-${n}`,
      n,
      1,
      'exp(3 y) with noise of 5 %',
      (random, y) => (row) => Math.exp(3 * y[row]) * (1 + 0.05 * normal(random)),
    ),
    planted(
      `missing-${n}`,
      n,
      1,
      'measured in one class only',
      (random, y) => (row) => (y[row] ? normal(random) : null),
    ),
  ]),
  ...[200, 300, 1000].flatMap((n) => [
    planted(`threshold-${n}`, n, 1, 'continuous, y is a threshold, 1 % flipped', (random, y) => {
      const side = flipped(random, y);
      return (row) => beside(random, side(row));
    }),
  ]),
  ...[300, 1000].flatMap((n) => [
    planted(
      `middle-${n}`,
      n,
      1,
      'continuous, y is a middle interval',
      (random, y) => (row) =>
        y[row] ? between(random, -1, 1) : (random.random() < 0.5 ? -1 : 1) * between(random, 1, 4),
    ),
    planted(
      `codes-${n}`,
      n,
      1,
      'twelve codes, each of one class',
      (random, y) => (row) => `${'KAQZBXCMDJEL'[2 * whole(random, 6) + y[row]]}${y[row]}`,
    ),
    planted(
      `three-${n}`,
      n,
      1,
      'continuous, three classes by two thresholds',
      (random, y) => (row) => 2 * y[row] + random.random() * 2,
      { classes: 3 },
    ),
  ]),
  planted('patients-2000', 2000, 20, '20 rows per patient, copy, 1 % flipped', (random, y) => flipped(random, y)),
  planted(
    'patients-threshold-4000',
    4000,
    20,
    '20 rows per patient, continuous threshold',
    (random, y) => (row) => beside(random, y[row]),
  ),
  ...[60, 300, 1000].flatMap((n) => [
    planted(`log-${n}`, n, 1, 'exp(y)', (_, y) => (row) => Math.exp(y[row]), { numbers: true }),
    planted(
      `units-${n}`,
      n,
      1,
      'y in another unit, r .995',
      (random, y) => (row) => 1.8 * (y[row] + 0.1 * normal(random)) + 32,
      { numbers: true },
    ),
  ]),
  ...[100, 300, 1000].map((n) =>
    planted(
      `curve-${n}`,
      n,
      1,
      'y = (x - .5) squared',
      (random, y) => {
        const x = y.map(() => 3 * normal(random));
        y.forEach((_, row) => {
          y[row] = (x[row] - 0.5) ** 2;
        });
        return (row) => x[row];
      },
      { numbers: true },
    ),
  ),
];
