/** CVL003 on tables whose rows do not all fill as many dimensions: clean, and copies among them. */
import { KFold } from 'cvkit';
import { between, list, normal } from './pictureKinds.mjs';

const uint32 = (random) => Math.floor(random.random() * 2 ** 32);

/** Some rows follow two factors, with a little noise, and the others are free. */
function factors(random, p, share, noise) {
  const loads = list(p, () => [normal(random), normal(random)]);
  return (row) => {
    if (row % 100 >= 100 * share) return list(p, () => normal(random));
    const [f, g] = [normal(random), normal(random)];
    return loads.map(([a, b]) => (a * f + b * g) / Math.hypot(a, b) + noise * normal(random));
  };
}

/** Hour and weekday as points on circles, with a few measurements. */
function clock(random, more, continuous) {
  return () => {
    const hour = continuous ? between(random, 0, 24) : Math.floor(between(random, 0, 24 * 60)) / 60;
    const day = Math.floor(between(random, 0, 7));
    const [a, b] = [(hour * Math.PI) / 12, (day * 2 * Math.PI) / 7];
    return [Math.sin(a), Math.cos(a), Math.sin(b), Math.cos(b), ...list(more, () => normal(random))];
  };
}

/** Rows of which each kind has features of its own; the others are constant there. */
function panels(random, p) {
  return () => {
    const kind = Math.floor(3 * random.random());
    return list(p, (at) => (at % 3 === kind || at < 2 ? normal(random) : 0.01 * normal(random)));
  };
}

/** What is known of one of so many clinics, of one of so many days, and three measurements of a person. */
function visits(random, clinics, days) {
  const known = (count) => list(count, () => list(4, () => Number(normal(random).toFixed(2))));
  const [places, times] = [known(clinics), known(days)];
  const one = (of) => of[Math.floor(of.length * random.random())] ?? [];
  return () => [...one(places), ...one(times), ...list(3, () => normal(random))];
}

/** Visits to clinics that differ in how far their measurements spread, which the clinic and the day shift as well. */
function uneven(random) {
  const unit = () => ({ known: list(3, () => Number(normal(random).toFixed(2))), effect: normal(random) });
  const clinics = list(30, () => ({ ...unit(), spread: Math.exp(0.5 * normal(random)) }));
  const days = list(60, unit);
  return () => {
    const clinic = clinics[Math.floor(30 * random.random())];
    const day = days[Math.floor(60 * random.random())];
    const own = list(5, () => clinic.spread * normal(random) + clinic.effect + day.effect);
    return [...clinic.known, ...day.known, ...own];
  };
}

/** Numbers of which copies change a few, so that most cells of a copy are equal. */
const COARSE = {
  'whole numbers, of which a third is off by one': {
    draw: (random) => Math.round(50 + 5 * normal(random)),
    change: (cell, random) => cell + (random.random() < 1 / 3 ? 1 : 0),
  },
  'four fifths zeros, the rest with noise of .001 SD': {
    draw: (random) => (random.random() < 0.8 ? 0 : Math.exp(normal(random))),
    change: (cell, random) => (cell === 0 ? 0 : cell + 1e-3 * normal(random)),
  },
};

const MIXED = {
  'half on two factors, half free': (r) => factors(r, 8, 0.5, 0),
  'half on two factors with noise, half free': (r) => factors(r, 8, 0.5, 0.02),
  'a tenth on two factors, 16 features': (r) => factors(r, 16, 0.1, 0.01),
  'nine tenths on two factors, 6 features': (r) => factors(r, 6, 0.9, 0),
  'hour and weekday as sine and cosine': (r) => clock(r, 0, true),
  'minute and weekday as sine and cosine, two measurements': (r) => clock(r, 2, false),
  'hour and weekday as sine and cosine, one measurement': (r) => clock(r, 1, true),
  'three kinds of rows with features of their own': (r) => panels(r, 9),
  'twelve clinics and sixty days, three measurements': (r) => visits(r, 12, 60),
  'sixty days, three measurements': (r) => visits(r, 0, 60),
  'thirty clinics of a spread of their own and sixty days, five measurements': (r) => uneven(r),
};

/** Rows with copies at the end that have noise from a column on. */
const make =
  (rowsFrom, n, copies, noise, from = 0) =>
  (random) => {
    const row = rowsFrom(random);
    const X = list(n, row);
    for (let at = 0; at < copies; at++)
      X[n - 1 - at] = X[at].map((value, k) => (k < from ? value : value + noise * normal(random)));
    return { X, cv: new KFold({ nSplits: 5, shuffle: true, randomState: uint32(random) }) };
  };

export const mixedTables = [
  ...Object.entries(MIXED).flatMap(([name, rowsFrom]) =>
    [100, 400, 1200].map((n) => ({
      id: `mixed-clean-${name}-${n}`,
      check: 'CVL003',
      kind: 'clean',
      corpus: `tables: ${name}`,
      n,
      effect: name,
      // Ten rows of a kind: two of them look like copies. The page says that so few cannot be told.
      ...(name.startsWith('a tenth') && n === 100 ? { goal: false } : {}),
      make: make(rowsFrom, n, 0, 0),
    })),
  ),
  {
    id: 'mixed-planted',
    check: 'CVL003',
    kind: 'planted',
    n: 400,
    effect: '10 rows of 400 again with noise of .000005 SD: half on two factors, half free',
    make: make(MIXED['half on two factors, half free'], 400, 10, 5e-6),
  },
  ...Object.entries(COARSE).map(([name, { draw, change }]) => ({
    id: `mixed-planted-${name}`,
    check: 'CVL003',
    kind: 'planted',
    n: 400,
    effect: `10 rows of 400 again in 30 columns: ${name}`,
    make(random) {
      const X = list(400, () => list(30, () => draw(random)));
      for (let at = 0; at < 10; at++) X[399 - at] = X[at].map((cell) => change(cell, random));
      return { X, cv: new KFold({ nSplits: 5, shuffle: true, randomState: uint32(random) }) };
    },
  })),
  {
    id: 'mixed-planted-visits',
    check: 'CVL003',
    kind: 'planted',
    n: 400,
    effect: '10 visits of 400 again, the three measurements with noise of .001 SD: twelve clinics and sixty days',
    make: make(MIXED['twelve clinics and sixty days, three measurements'], 400, 10, 1e-3, 8),
  },
];
