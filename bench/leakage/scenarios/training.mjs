/**
 * Leaks that only training shows: persons that a model recognises (CVL013), labels that reach it past the folds (CVL014),
 * and the price of a leak. These scenarios train, so `make` gives the options of a call and `fired` makes it: each takes
 * from ten fits (the price) to five hundred.
 */
import { StratifiedGroupKFold, StratifiedKFold } from 'cvkit';
import { identityConfounding, labelPermutationGap, leakageInflation } from 'cvkit/stats';

const normal = (random) => Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random());
const seedOf = (random) => Math.floor(random.random() * 2 ** 31);

/**
 * Patients with one label each. `own` is the spread between patients of what is not the disease, `signal` what the disease
 * adds to two of five features; rows vary by a standard normal. `rows` is a number, or a function of the patient.
 */
function people(random, { patients, rows, own = 0, signal = 0, prevalence = 0.5 }) {
  const X = [];
  const y = [];
  const groups = [];
  for (let patient = 0; patient < patients; patient++) {
    const label = Number(patient < patients * prevalence);
    const person = Array.from({ length: 5 }, () => own * normal(random));
    const count = typeof rows === 'function' ? rows(patient) : rows;
    for (let row = 0; row < count; row++) {
      X.push(person.map((value, j) => value + normal(random) + (j < 2 ? signal * label : 0)));
      y.push(label);
      groups.push(`patient ${patient}`);
    }
  }
  return { X, y, groups };
}

class Classifier {
  predict(X) {
    return this.predictProba(X).map(([, p]) => Number(p > 0.5));
  }
}

/** The share of class 1 among the k nearest training rows: it knows persons again. */
class Neighbours extends Classifier {
  constructor(k) {
    super();
    this.k = k;
  }
  fit(X, y) {
    this.known = X.map((row, at) => ({ row, label: y[at] }));
  }
  predictProba(X) {
    return X.map((row) => {
      const nearest = this.known
        .map(({ row: other, label }) => ({
          label,
          far: row.reduce((sum, value, j) => sum + (value - other[j]) ** 2, 0),
        }))
        .sort((a, b) => a.far - b.far)
        .slice(0, this.k);
      const share = nearest.reduce((sum, { label }) => sum + label, 0) / this.k;
      return [1 - share, share];
    });
  }
}

/** Linear discriminant with a unit covariance: it finds the disease, and persons only as far as they lie on its line. */
class Means extends Classifier {
  fit(X, y) {
    this.means = [0, 1].map((label) => {
      const rows = X.filter((_, at) => y[at] === label);
      return X[0].map((_, j) => rows.reduce((sum, row) => sum + row[j], 0) / rows.length);
    });
  }
  predictProba(X) {
    const [a, b] = this.means;
    return X.map((row) => {
      const line = row.reduce((sum, value, j) => sum + (b[j] - a[j]) * (value - (a[j] + b[j]) / 2), 0);
      const p = 1 / (1 + Math.exp(-line));
      return [1 - p, p];
    });
  }
}

/** Answers with what any fold was trained on: state that outlives its fold. */
const hoarder = () => {
  const memory = new Map();
  return class extends Classifier {
    fit(X, y) {
      X.forEach((row, at) => {
        memory.set(row.join(), y[at]);
      });
    }
    predictProba(X) {
      return X.map((row) => {
        const p = memory.get(row.join()) ?? 0.5;
        return [1 - p, p];
      });
    }
  };
};

const torn = (random) => new StratifiedKFold({ nSplits: 5, shuffle: true, randomState: seedOf(random) });
const whole = (random) => new StratifiedGroupKFold({ nSplits: 5, shuffle: true, randomState: seedOf(random) });
const LEARNERS = { neighbour: () => new Neighbours(1), neighbours: () => new Neighbours(5), means: () => new Means() };

const fires = ({ status }) => status === 'failed' || status === 'needs_review';

/** One scenario of CVL013. */
const identity = (id, kind, effect, learner, cv, what) => ({
  id: `identity-${id}`,
  check: 'CVL013',
  kind,
  n: what.patients,
  effect,
  make: (random) => ({
    ...people(random, what),
    model: LEARNERS[learner],
    cv: cv(random),
    nPermutations: 39,
    randomState: seedOf(random),
  }),
  fired: async (options) => fires(await identityConfounding(options)),
});

const PLANTED = 'spread between patients twice that of rows';
const identities = [
  identity('neighbours', 'planted', PLANTED, 'neighbours', torn, { patients: 60, rows: 5, own: 2 }),
  identity('few', 'planted', PLANTED, 'neighbour', torn, { patients: 30, rows: 6, own: 2 }),
  identity('signal', 'planted', `${PLANTED}, and a disease`, 'neighbour', torn, {
    patients: 60,
    rows: 5,
    own: 2,
    signal: 0.8,
  }),
  identity('linear', 'planted', PLANTED, 'means', torn, { patients: 60, rows: 5, own: 2 }),
  identity('noise', 'clean', 'none', 'neighbour', torn, { patients: 60, rows: 5 }),
  identity('disease', 'clean', 'disease of 1.5 SD', 'means', torn, { patients: 60, rows: 5, signal: 1.5 }),
  identity('uneven', 'clean', 'disease of 1 SD', 'neighbours', torn, {
    patients: 60,
    rows: (at) => 1 + (at % 9),
    signal: 1,
  }),
  identity('single', 'clean', 'disease of 1 SD', 'means', torn, { patients: 100, rows: 1, signal: 1 }),
  identity('grouped', 'clean', PLANTED, 'neighbours', whole, { patients: 60, rows: 5, own: 2 }),
];

/** One scenario of CVL014; groups are known where `grouped`. A clean one has a real signal: noise is to be reviewed. */
const gap = (id, kind, effect, model, cv, what, grouped) => ({
  id: `gap-${id}`,
  check: 'CVL014',
  kind,
  n: what.patients,
  effect,
  make: (random) => {
    const { groups, ...data } = people(random, what);
    const common = { ...data, cv: cv(random), nPermutations: 39, randomState: seedOf(random) };
    return { ...common, ...(grouped ? { groups } : {}), model: model() };
  },
  fired: async (options) => fires(await labelPermutationGap(options)),
});
const learner = (name) => () => LEARNERS[name];
const cached = () => {
  const Model = hoarder();
  return () => new Model();
};

const gaps = [
  gap('cache', 'planted', 'labels kept between folds', cached, torn, { patients: 60, rows: 1 }, false),
  gap('persons', 'planted', PLANTED, learner('neighbour'), torn, { patients: 60, rows: 4, own: 2 }, true),
  gap('disease', 'clean', 'disease of 1.5 SD', learner('means'), torn, { patients: 100, rows: 1, signal: 1.5 }, false),
  gap('grouped', 'clean', 'disease of 1.5 SD', learner('means'), whole, { patients: 60, rows: 3, signal: 1.5 }, true),
];

/** One scenario of the price: it fires when the interval lies above 0. */
const price = (id, kind, effect, name, what) => ({
  id: `price-${id}`,
  check: 'leakageInflation',
  kind,
  n: what.patients,
  effect,
  make: (random) => {
    const { X, y, groups } = people(random, what);
    return { data: [X, y, groups], model: LEARNERS[name], randomState: seedOf(random) };
  },
  fired: async (options) => (await leakageInflation(options)).difference.lower > 0,
});

const prices = [
  price('neighbours', 'planted', PLANTED, 'neighbours', { patients: 60, rows: 5, own: 2 }),
  price('noise', 'clean', 'none', 'neighbours', { patients: 60, rows: 5 }),
  price('disease', 'clean', 'disease of .8 SD', 'means', { patients: 60, rows: 5, signal: 0.8 }),
  price('pairs', 'clean', 'disease of .8 SD', 'neighbour', { patients: 100, rows: 2, signal: 0.8 }),
];

export const training = [...identities, ...gaps, ...prices];
