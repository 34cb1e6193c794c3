/**
 * CVL003: rows that are almost those of a training row of another patient, and data without any. Planted copies have
 * the noise that `effect` names, in standard deviations per feature; they are 5 % of the rows, at least 3.
 */
import { GroupKFold, KFold, LOOCV } from 'cvkit';

const normal = (random) => Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random());
const uint32 = (random) => Math.floor(random.random() * 2 ** 32);
const list = (length, make) => Array.from({ length }, (_, at) => make(at));
const rows = (n, make) => ({ X: list(n, make) });
const shuffled = (random, nSplits = 5) => new KFold({ nSplits, shuffle: true, randomState: uint32(random) });
const grouped = (random) => new GroupKFold({ nSplits: 5, shuffle: true, randomState: uint32(random) });

/** Adds copies of the first rows at the end, as rows of patients of their own. */
function plant(random, X, noise, share = 0.05) {
  const copies = Math.max(3, Math.round(share * X.length));
  list(copies, (at) => {
    X[X.length - 1 - at] = X[at].map((value) => value + noise * normal(random));
  });
}

const planted = (n, p, noise, more = {}) => ({
  id: `near-planted-${n}x${p}`,
  check: 'CVL003',
  kind: 'planted',
  n,
  effect: `copies with noise of ${noise} SD per feature, ${p} normal features`,
  make(random) {
    const { X } = rows(n, () => list(p, () => normal(random)));
    plant(random, X, noise);
    return { X, y: X.map(([x]) => (x + normal(random) > 0 ? 1 : 0)), cv: shuffled(random) };
  },
  ...more,
});

/** A burst: one row as seven rows of other patients. */
const burst = {
  id: 'near-planted-burst',
  check: 'CVL003',
  kind: 'planted',
  n: 200,
  effect: 'one row seven times with noise of .02 SD, 8 normal features, one row per patient',
  make(random) {
    const { X } = rows(200, () => list(8, () => normal(random)));
    for (let at = 1; at < 7; at++) X[at] = X[0].map((value) => value + 0.02 * normal(random));
    return { X, groups: X.map((_, row) => `p${row}`), cv: grouped(random) };
  },
};

/** Patients who were registered twice. */
const registeredTwice = {
  id: 'near-planted-patient',
  check: 'CVL003',
  kind: 'planted',
  n: 1000,
  effect: 'three patients with 20 rows under two ids each, noise of .005 SD, 8 features, rows of a patient .3 SD apart',
  make(random) {
    const { X, groups } = patients(random, 50, 20, 8, 0.3);
    for (let at = 0; at < 60; at++) X[940 + at] = X[at].map((value) => value + 0.005 * normal(random));
    return { X, groups, cv: grouped(random) };
  },
};

/** Rows around the mean of their patient. */
function patients(random, count, each, p, within) {
  const means = list(count, () => list(p, () => normal(random)));
  const groups = list(count * each, (row) => Math.floor(row / each));
  return { X: groups.map((g) => means[g].map((mean) => mean + within * normal(random))), groups };
}

const clean = (name, n, effect, make) => ({
  id: `near-clean-${name}-${n}`,
  check: 'CVL003',
  kind: 'clean',
  n,
  effect,
  make: (random) => ({ cv: shuffled(random), ...make(random, n) }),
});

/** Rows without copies, made by `row`. */
const each = (name, n, effect, row) => clean(name, n, effect, (random) => rows(n, (at) => row(random, at)));

const clusters = (count, p, width) => (random, n) => {
  const centres = list(count, () => list(p, () => 2 * normal(random)));
  return rows(n, (row) => centres[row % count].map((centre) => centre + width * normal(random)));
};

const correlated = (p, hidden, noise) => (random, n) => {
  const loads = list(p, () => list(hidden, () => normal(random)));
  return rows(n, () => {
    const source = list(hidden, () => normal(random));
    return loads.map((load) => load.reduce((sum, w, at) => sum + w * source[at], 0) + noise * normal(random));
  });
};

/** Features that are curves of one hidden number, with little noise. */
const curve = (p, noise) => (random, n) =>
  rows(n, () => {
    const t = 6 * random.random();
    return list(p, (at) => Math.sin(t * (1 + at / 3) + at) + noise * normal(random));
  });

const gamma = (random, shape) => list(shape, () => -Math.log(1 - random.random())).reduce((a, b) => a + b, 0);
const heavy = (random) => normal(random) / Math.sqrt(gamma(random, 1));
const poisson = (random, mean) => {
  let count = 0;
  for (let rest = Math.exp(mean) * (1 - random.random()); rest > 1 && count < 1000; count++)
    rest *= 1 - random.random();
  return count;
};

/** Height and weight of a person. */
const person = (random) => [1.7 + 0.1 * normal(random), Math.exp(4.3 + 0.2 * normal(random))];
const between = (random, low, high) => low + (high - low) * random.random();

/** Features of which some follow from others, or all from a few hidden numbers: more columns than dimensions. */
const derived = {
  bodyMass: [
    'height, weight, body mass index',
    (r) => {
      const [h, w] = person(r);
      return [h, w, w / h / h];
    },
  ],
  body: [
    'height, weight, age, and four features computed of them',
    (r) => {
      const [[h, w], age] = [person(r), between(r, 20, 90)];
      return [h, w, age, w / h / h, Math.sqrt((100 * h * w) / 3600), age * age, 10 * w + 625 * h - 5 * age + 5];
    },
  ],
  filtration: [
    'creatinine, age, and the filtration rate that follows',
    (r) => {
      const [creatinine, age] = [0.9 * Math.exp(0.35 * normal(r)), between(r, 20, 90)];
      const part = creatinine / 0.9;
      return [creatinine, age, 142 * Math.min(part, 1) ** -0.302 * Math.max(part, 1) ** -1.2 * 0.9938 ** age];
    },
  ],
  logs: [
    '3 features, their logarithms and products',
    (r) => {
      const [a, b, c] = list(3, () => Math.exp(0.5 * normal(r)));
      return [a, b, c, Math.log(a), Math.log(b), Math.log(c), a * b, b * c, a * c];
    },
  ],
  moments: [
    'mean, SD and four features computed of them',
    (r) => {
      const [mean, sd] = [10 + 2 * normal(r), Math.exp(0.4 * normal(r))];
      return [mean, sd, sd * sd, mean * mean + sd * sd, sd / mean, Math.log(sd)];
    },
  ],
  ball: [
    'radius, perimeter, area, volume',
    (r) => {
      const radius = Math.exp(0.3 * normal(r));
      return [radius, 2 * Math.PI * radius, Math.PI * radius ** 2, (4 / 3) * Math.PI * radius ** 3];
    },
  ],
  peaks: [
    'curves of 40 points, one peak each',
    (r) => {
      const [height, middle, width] = [between(r, 0.5, 2), between(r, 10, 30), between(r, 2, 6)];
      return list(40, (at) => height * Math.exp(-((at - middle) ** 2) / 2 / width ** 2));
    },
  ],
  lines: [
    'straight lines of 20 points',
    (r) => {
      const [start, slope] = [normal(r), normal(r)];
      return list(20, (at) => start + (slope * at) / 10);
    },
  ],
  decays: [
    'decays of 12 points',
    (r) => {
      const [start, rate] = [Math.exp(0.4 * normal(r)), Math.exp(-1 + 0.5 * normal(r))];
      return list(12, (at) => start * Math.exp(-rate * at));
    },
  ],
  shares: [
    'shares of 8 parts',
    (r) => {
      const parts = list(8, () => gamma(r, 2));
      const all = parts.reduce((a, b) => a + b, 0);
      return parts.map((part) => part / all);
    },
  ],
};

/** Copies among most rows: pairs, or versions of a few. */
const versions = (originals, each, p, noise) => ({
  id: `near-planted-versions-${originals}x${each}`,
  check: 'CVL003',
  kind: 'planted',
  n: originals * each,
  effect: `${each} versions of each of ${originals} rows, noise of ${noise} SD, ${p} features`,
  make(random) {
    const { X } = rows(originals, () => list(p, () => normal(random)));
    const all = list(originals * each, (row) => X[row % originals].map((value) => value + noise * normal(random)));
    return { X: all, cv: shuffled(random) };
  },
});

const manyPairs = (share) => ({
  id: `near-planted-pairs-${100 * share}`,
  check: 'CVL003',
  kind: 'planted',
  n: 300,
  effect: `${100 * share} % of the rows in pairs, noise of .05 SD, 8 normal features`,
  make(random) {
    const { X } = rows(300, () => list(8, () => normal(random)));
    plant(random, X, 0.05, share / 2);
    return { X, cv: shuffled(random) };
  },
});

const cleans = [
  ...Object.entries(derived).flatMap(([name, [effect, row]]) =>
    [100, 500, 1500].map((n) => each(name, n, effect, row)),
  ),
  ...[1, 2, 4, 8, 16, 30, 128].flatMap((p) =>
    [60, 100, 300, 1000].map((n) => each(`noise${p}`, n, `${p} normal features`, (r) => list(p, () => normal(r)))),
  ),
  ...[100, 1000].flatMap((n) => [
    clean('signal', n, '10 features, classes 2 SD apart in all', (random) => {
      const y = list(n, () => (random.random() < 0.4 ? 1 : 0));
      return { X: y.map((label) => list(10, () => 2 * label + normal(random))), y };
    }),
    clean('correlated', n, '20 features of 4 hidden ones, noise .3', correlated(20, 4, 0.3)),
    clean('nearlySingular', n, '12 features of 3 hidden ones, noise .02', correlated(12, 3, 0.02)),
    clean('clusters5', n, '5 clusters of .1 SD, 6 features', clusters(5, 6, 0.1)),
    clean('clusters8', n, '8 clusters of .01 SD, 16 features', clusters(8, 16, 0.01)),
    clean('clusters3', n, '3 clusters of .05 SD, 3 features', clusters(3, 3, 0.05)),
    clean('curve', n, '10 features on a curve, noise .01', curve(10, 0.01)),
    clean('noisyCurve', n, '6 features on a curve, noise .1', curve(6, 0.1)),
    each('lognormal1', n, '4 lognormal features, sigma 1', (r) => list(4, () => Math.exp(normal(r)))),
    each('lognormal2', n, '4 lognormal features, sigma 2', (r) => list(4, () => Math.exp(2 * normal(r)))),
    each('lognormal8', n, '8 lognormal features, sigma 1.5', (r) => list(8, () => Math.exp(1.5 * normal(r)))),
    each('heavy', n, '4 features, t with 2 degrees of freedom', (r) => list(4, () => heavy(r))),
    each('heavyOne', n, '1 feature, t with 2 degrees of freedom', (r) => [heavy(r)]),
    each('scaleMixture', n, '6 features, rows with scales from .03 to 30', (r) => {
      const scale = Math.exp(3.4 * (2 * r.random() - 1));
      return list(6, () => scale * normal(r));
    }),
    each('rounded', n, '3 features rounded to .1 SD', (r) => list(3, () => Math.round(10 * normal(r)) / 10)),
    each('rounded2', n, '2 features rounded to .01 SD', (r) => list(2, () => Math.round(100 * normal(r)) / 100)),
    each('integers', n, '6 features, Poisson 30', (r) => list(6, () => poisson(r, 30))),
    each('counts', n, '8 features, Poisson 3, and one normal', (r) => [...list(8, () => poisson(r, 3)), normal(r)]),
    each('zeros', n, '6 features, 60 % zeros else lognormal', (r) =>
      list(6, () => (r.random() < 0.6 ? 0 : Math.exp(normal(r)))),
    ),
    each('categories', n, '3 categories and 2 numbers', (r) => [
      ...list(3, () => 'abcd'[Math.floor(4 * r.random())]),
      normal(r),
      normal(r),
    ]),
    each('missing', n, '5 features, 30 % missing', (r) => list(5, () => (r.random() < 0.3 ? null : normal(r)))),
    each('mixed', n, 'age, sex, two laboratory values, 10 % missing', (r) => [
      Math.round(60 + 15 * normal(r)),
      r.random() < 0.5 ? 'f' : 'm',
      r.random() < 0.1 ? null : Math.round(10 * Math.exp(1 + 0.5 * normal(r))) / 10,
      r.random() < 0.1 ? null : Math.round(120 + 15 * normal(r)),
    ]),
    each('huge', n, '3 features with values of 1e300 and 1e-300', (r) => [
      r.random() < 0.05 ? 1e300 : normal(r),
      1e-300 * normal(r),
      normal(r) * (r.random() < 0.5 ? 1e-9 : 1),
    ]),
    each('sites', n, 'two sites, 8 features, 3 SD apart, another scale', (r) => {
      const site = r.random() < 0.5 ? 1 : 0;
      return list(8, () => 3 * site + (1 - 0.8 * site) * normal(r));
    }),
    clean('leaveOneOut', n, '4 normal features, leave-one-out', (random) => ({
      ...rows(n, () => list(4, () => normal(random))),
      cv: new LOOCV(),
    })),
  ]),
  ...[0.05, 0.3, 1].flatMap((within) =>
    [4, 12].map((p) =>
      clean(
        `patients${p}within${within}`,
        1000,
        `50 patients with 20 rows, ${within} SD apart, ${p} features`,
        (r) => ({
          ...patients(r, 50, 20, p, within),
          cv: grouped(r),
        }),
      ),
    ),
  ),
  clean('patientConstants', 600, '30 patients with 20 rows, 3 features of the patient, 3 of the row', (r) => {
    const { X, groups } = patients(r, 30, 20, 6, 1);
    return {
      X: X.map((x, row) => [...X[20 * Math.floor(row / 20)].slice(0, 3), ...x.slice(3)]),
      groups,
      cv: grouped(r),
    };
  }),
];

const grid = (size, cell) => list(size, (y) => list(size, (x) => cell(y, x)));

/** Shades of five waves, with the noise of a detector. */
function shades(random, size) {
  const waves = list(5, () => [0.5 * random.random(), 0.5 * random.random(), 6.3 * random.random(), random.random()]);
  const at = (y, x) => waves.reduce((sum, [a, b, c, height]) => sum + height * Math.sin(a * y + b * x + c), 0);
  return grid(size, (y, x) => 100 + 40 * at(y, x) + 4 * normal(random));
}

/** A mask of one disc. */
function disc(random, size) {
  const [y, x, radius] = [
    size * (0.15 + 0.7 * random.random()),
    size * (0.15 + 0.7 * random.random()),
    1 + 3 * random.random(),
  ];
  return grid(size, (i, j) => (Math.hypot(i - y, j - x) < radius ? 1 : 0));
}

/** Images of other patients, in other shades and with noise of their own. */
const rescanned = {
  id: 'near-planted-images',
  check: 'CVL003',
  kind: 'planted',
  n: 120,
  effect: '6 of 120 images of 24 x 24 scanned again: half of them mirrored, half as bright again, noise of 4 in 40',
  make(random) {
    const X = list(120, () => shades(random, 24));
    for (let at = 0; at < 6; at++) {
      const copy = X[at].map((line) => line.map((value) => 1.5 * value + 4 * normal(random)));
      X[119 - at] = at % 2 ? copy.map((line) => line.reverse()) : copy;
    }
    return { X, cv: shuffled(random) };
  },
};

const others = [
  clean('skewed', 400, '10 lognormal features that go together, as laboratory values do', (random) => {
    const row = () => {
      const level = normal(random);
      return list(10, () => Math.exp(1.5 * level + 0.3 * normal(random)));
    };
    return rows(400, row);
  }),
  clean('towns', 600, '150 towns with 5 numbers each, 2 numbers of each row', (random) => {
    const towns = list(150, () => list(5, () => normal(random)));
    return rows(600, () => [...towns[Math.floor(150 * random.random())], normal(random), normal(random)]);
  }),
  clean('images', 120, 'images of 24 x 24: five waves and noise', (random) => rows(120, () => shades(random, 24))),
  clean('masks', 150, 'masks of 28 x 28: one small disc', (random) => rows(150, () => disc(random, 28))),
  clean('batches', 750, '30 batches 15 SD apart that the hierarchy names, 5 features', (random) => {
    const means = list(30, () => list(5, () => 15 * normal(random)));
    const batch = list(750, () => Math.floor(30 * random.random()));
    return { X: batch.map((at) => means[at].map((mean) => mean + normal(random))), hierarchy: { batch } };
  }),
];

export const nearDuplicates = [
  planted(100, 1, 2e-6),
  planted(100, 2, 0.001),
  planted(100, 4, 0.03),
  planted(100, 8, 0.15),
  planted(100, 16, 0.35),
  planted(20_000, 4, 0.002),
  planted(20_000, 8, 0.04),
  planted(20_000, 16, 0.17),
  burst,
  registeredTwice,
  ...[0.3, 0.6, 1].map(manyPairs),
  versions(100, 3, 4, 0.01),
  versions(40, 12, 6, 0.01),
  versions(60, 30, 8, 0.02),
  rescanned,
  ...cleans,
  ...others,
];
