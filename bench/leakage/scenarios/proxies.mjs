/**
 * Levels that imply a class (CVL009): treatments, wards, examinations, caps, codes, and copies of y with errors; beside
 * them clean tables whose levels are strong, rare, many, graded, or common.
 */
import { GroupKFold, KFold } from 'cvkit';

const normal = (random) => Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random());
const between = (random, low, high) => low + (high - low) * random.random();
const whole = (random, count) => Math.floor(random.random() * count);
const chance = (random, share) => random.random() < share;
const pick = (random, list) => list[whole(random, list.length)];
const folds = (random, groups) =>
  groups
    ? { groups, cv: new GroupKFold({ nSplits: 5, shuffle: true, randomState: whole(random, 2 ** 31) }) }
    : { cv: new KFold({ nSplits: 5, shuffle: true, randomState: whole(random, 2 ** 31) }) };

/** Weighted choice among levels: `weights` need not sum to 1. */
function drawn(random, weights) {
  let left = random.random() * weights.reduce((sum, each) => sum + each, 0);
  return weights.findIndex((weight) => {
    left -= weight;
    return left < 0;
  });
}

/** 0 and 1, with at least ten of each. */
const binary = (random, n, share) =>
  Array.from({ length: n }, (_, row) => (row < 20 ? row % 2 : Number(chance(random, share))));
const several = (random, n, classes) =>
  Array.from({ length: n }, (_, row) => (row < 20 ? row % classes : whole(random, classes)));

/** What any table holds: age, sex, a laboratory value, a region, a score, and something that is often missing. */
function ordinary(random, y) {
  const effect = between(random, 0, 1);
  const ill = (row) => effect * Number(y[row] === 1);
  return {
    age: (row) => Math.round(60 + 12 * normal(random) + 5 * ill(row)),
    sex: () => pick(random, ['f', 'm']),
    crp: (row) => Math.round(10 * Math.exp(1 + normal(random) + ill(row))) / 10,
    region: () => pick(random, ['north', 'south', 'east', 'west']),
    score: (row) => Math.max(0, Math.min(10, Math.round(4 + 2 * normal(random) + ill(row)))),
    ferritin: (row) => (chance(random, 0.3) ? null : 100 + 30 * normal(random) + 10 * ill(row)),
  };
}

function table(random, y, features, groups) {
  const columns = Object.entries({ ...ordinary(random, y), ...features });
  const X = y.map((_, row) => Object.fromEntries(columns.map(([name, cell]) => [name, cell(row)])));
  return { X, y, ...folds(random, groups) };
}

const scenario = (kind, id, n, effect, make, corpus) => ({
  id: `proxies/${id}-${n}`,
  check: 'CVL009',
  kind,
  n,
  effect,
  ...(corpus ? { corpus } : {}),
  make,
});

/** A leak in a table with a binary outcome. */
const planted = (id, sizes, effect, leak, share = [0.25, 0.5]) =>
  sizes.map((n) =>
    scenario('planted', id, n, effect, (random) => {
      const y = binary(random, n, between(random, ...share));
      return table(random, y, leak(random, y));
    }),
  );

/** The label, told wrong in that share of the rows, rounded down. */
function flipped(random, y, wrong, classes = 2) {
  const rows = new Set();
  while (rows.size < Math.floor(wrong * y.length)) rows.add(whole(random, y.length));
  return y.map((label, row) => (rows.has(row) ? (label + 1 + whole(random, classes - 1)) % classes : label));
}

const WARDS = ['surgery', 'medicine', 'intensive care', 'geriatrics', 'hospice'];
const leaks = [
  ...planted('treatment', [300, 1000], 'given to 60 % of the ill and to no one else', (random, y) => ({
    treatment: (row) => Number(y[row] && chance(random, 0.6)),
  })),
  ...planted(
    'fifth',
    [1200, 3000],
    'a code for a quarter of the ill alone',
    (random, y) => ({
      code: (row) => (y[row] && chance(random, 0.25) ? 'Z51' : pick(random, ['K21', 'I10', 'E11'])),
    }),
    [0.35, 0.5],
  ),
  ...planted('hospice', [500, 2000], 'a ward for 40 % of those who die', (random, y) => ({
    ward: (row) => WARDS[y[row] ? drawn(random, [10, 15, 25, 10, 40]) : drawn(random, [35, 35, 15, 15, 0])],
  })),
  ...planted('biopsy', [300, 1000], 'known for 70 % of the ill alone', (random, y) => ({
    biopsy: (row) => (y[row] && chance(random, 0.7) ? pick(random, ['G1', 'G2', 'G3']) : null),
  })),
  ...planted(
    'measured or not done',
    [300, 1000],
    'measured in 70 % of the ill alone, `not done` in all others',
    (random, y) => ({
      biopsy: (row) => (y[row] && chance(random, 0.7) ? Math.round(30 + 100 * normal(random)) / 10 : 'not done'),
    }),
  ),
  ...planted('measured', [300, 1000], 'measured in 70 % of the ill alone', (random, y) => ({
    lvef: (row) => (y[row] && chance(random, 0.7) ? 50 + 10 * normal(random) : Number.NaN),
  })),
  ...planted('follow-up', [300, 1000], '365 days unless an event or, in 15 %, lost', (random, y) => ({
    followUp: (row) => (y[row] || chance(random, 0.15) ? 1 + whole(random, 364) : 365),
  })),
  ...planted('dose', [300, 1000], 'a dose above 0 in 60 % of the ill alone', (random, y) => ({
    dose: (row) => (y[row] && chance(random, 0.6) ? Math.round(500 * Math.exp(0.3 * normal(random))) : 0),
  })),
  ...planted('dummies', [500, 2000], 'six codes of 60 % of the ill alone, as columns of 0 and 1', (random, y) => {
    const code = y.map((ill) => (ill && chance(random, 0.6) ? whole(random, 6) : 6 + whole(random, 5)));
    return Object.fromEntries(
      Array.from({ length: 11 }, (_, k) => [`code_${'BDFHJLACEGI'[k]}`, (row) => Number(code[row] === k)]),
    );
  }),
  ...planted('wide', [1000], 'a treatment among 200 other categories', (random, y) => ({
    ...Object.fromEntries(Array.from({ length: 200 }, (_, k) => [`q${k}`, () => whole(random, 5)])),
    treatment: (row) => Number(y[row] && chance(random, 0.6)),
  })),
  ...planted('copy', [200, 1000], 'y with 2 % flipped', (random, y) => {
    const copy = flipped(random, y, 0.02);
    return { outcome: (row) => copy[row] };
  }),
  ...planted('copy-text', [200, 1000], 'y in words, 2 % wrong', (random, y) => {
    const copy = flipped(random, y, 0.02);
    return { outcome: (row) => (copy[row] ? 'deceased' : 'discharged home') };
  }),
  ...[300, 1000].flatMap((n) => [
    scenario('planted', 'copy-classes', n, 'y of four classes with 2 % wrong', (random) => {
      const y = several(random, n, 4);
      const copy = flipped(random, y, 0.02, 4);
      return table(random, y, { stage: (row) => copy[row] });
    }),
    scenario('planted', 'copy-dummies', n, 'three classes as columns of 0 and 1, 2 % wrong', (random) => {
      const y = several(random, n, 3);
      const copy = flipped(random, y, 0.02, 3);
      return table(random, y, Object.fromEntries([0, 1, 2].map((k) => [`y_${k}`, (row) => Number(copy[row] === k)])));
    }),
    scenario('planted', 'copy-numbers', n, 'numbers with 2 % replaced', (random) => {
      const y = Array.from({ length: n }, () => 50 + 10 * normal(random));
      const copy = y.map((value) => (chance(random, 0.02) ? 50 + 10 * normal(random) : 2 * value + 1));
      return table(random, y, { score2: (row) => copy[row] });
    }),
  ]),
  ...[500, 2000].map((n) =>
    scenario('planted', 'costs', n, 'numbers, 0 in 40 %: a bed only where they are not', (random) => {
      const y = Array.from({ length: n }, () => (chance(random, 0.4) ? 0 : Math.exp(6 + normal(random))));
      return table(random, y, { bed: (row) => (y[row] > 0 ? pick(random, ['A', 'B']) : 'none') });
    }),
  ),
  ...[4000].map((n) =>
    scenario('planted', 'patients', n, '10 rows per patient: a treatment of 60 % of the ill', (random) => {
      const ill = binary(random, n / 10, between(random, 0.3, 0.5));
      const treated = ill.map((each) => Number(each && chance(random, 0.6)));
      const groups = Array.from({ length: n }, (_, row) => Math.floor(row / 10));
      return table(
        random,
        groups.map((at) => ill[at]),
        { treatment: (row) => treated[groups[row]] },
        groups,
      );
    }),
  ),
];

/** Clean tables: `features(random, y)` beside the ordinary ones, for each size. */
const clean = (corpus, sizes, effect, features, { share = [0.1, 0.5], classes = 2 } = {}) =>
  sizes.map((n) =>
    scenario(
      'clean',
      corpus,
      n,
      effect,
      (random) => {
        const y =
          classes === 2
            ? binary(random, n, between(random, ...share))
            : several(random, n, 2 + whole(random, classes - 1));
        return table(random, y, features(random, y));
      },
      corpus,
    ),
  );

/** A category whose first level is of class 1 in `right` of its rows and covers `covers` of them; the others tell nothing. */
function levelOf(random, y, covers, right) {
  const share = y.reduce((sum, each) => sum + each, 0) / y.length;
  const wrong = Math.min(1, (covers * share * (1 - right)) / (right * (1 - share)));
  return (row) => (chance(random, y[row] ? covers : wrong) ? 'a' : pick(random, ['b', 'c', 'd']));
}

/** The distance of two normal classes whose area is about that. */
const apart = (area) => 4.91 * (area ** 0.14 - (1 - area) ** 0.14) * Math.SQRT2;

/** A predictor of that area in few steps, as numbers, text, with a floor, or as counts. */
function stepped(random, y, area, shape) {
  const distance = apart(area);
  const latent = (row) => normal(random) + distance * Number(y[row] === 1);
  const width = between(random, 0.5, 1.2);
  const floor = between(random, -1, 0.8);
  return (row) => {
    const z = latent(row);
    if (shape === 'floor') return Math.max(floor, z);
    if (shape === 'cap') return Math.min(distance - floor, z);
    if (shape === 'count') return Math.max(0, Math.round(3 * (z - floor)));
    const step = Math.max(-2, Math.min(3, Math.round(z / width)));
    return shape === 'text' ? 'abcdef'[step + 2] : step;
  };
}

const SHAPES = ['floor', 'cap', 'count', 'number', 'text'];
const graded = (random, y) =>
  Object.fromEntries(SHAPES.map((shape) => [shape, stepped(random, y, between(random, 0.7, 0.98), shape)]));

const twins = [
  ...clean('strong levels', [100, 300, 1000, 5000], 'none: levels right in 70 to 85 %', (random, y) => ({
    genotype: levelOf(random, y, between(random, 0.2, 0.6), 0.8),
    stage: levelOf(random, y, between(random, 0.2, 0.6), 0.85),
    sign: levelOf(random, y, between(random, 0.2, 0.8), between(random, 0.7, 0.85)),
  })),
  ...clean('rare signs', [300, 1000, 5000], 'none: pathognomonic for 1 to 10 % of a class', (random, y) => ({
    sign: levelOf(random, y, between(random, 0.01, 0.1), 1),
    antibody: levelOf(random, y, between(random, 0.01, 0.1), 0.99),
  })),
  ...clean(
    'graded',
    [60, 100, 300, 1000, 5000],
    'none: predictors of AUC .70 to .98 in steps, with a floor or cap',
    graded,
  ),
  ...clean('rare outcome', [300, 2000], 'none: prevalence .02 to .1', graded, { share: [0.02, 0.1] }),
  ...clean('common outcome', [300, 2000], 'none: prevalence .9 to .98', graded, { share: [0.9, 0.98] }),
  ...clean('classes', [100, 1000], 'none: two to five classes', graded, { classes: 5 }),
  ...clean('wide', [40, 200, 1000], 'none: 200 categories', (random) =>
    Object.fromEntries(Array.from({ length: 200 }, (_, k) => [`q${k}`, () => whole(random, 2 + (k % 6))])),
  ),
  ...clean('odd columns', [200, 2000], 'none: many levels, one value, nothing, mixed cells, dummies', (random, y) => {
    const region = y.map(() => whole(random, 6));
    const doctor = y.map(() => whole(random, Math.max(10, y.length / 8)));
    return {
      postcode: () => `p${whole(random, 10_000)}`,
      doctor: (row) => `dr ${doctor[row]}`,
      one: () => 1,
      nothing: () => null,
      mixed: () => pick(random, [1, 'x', true, null, 2.5]),
      visit: () => whole(random, 30),
      ...Object.fromEntries(Array.from({ length: 6 }, (_, k) => [`region_${k}`, (row) => Number(region[row] === k)])),
    };
  }),
  ...[400, 2000, 8000].map((n) =>
    scenario(
      'clean',
      'patients',
      n,
      'none: 20 rows per patient, categories of the patient',
      (random) => {
        const ill = binary(random, n / 20, between(random, 0.2, 0.5));
        const groups = Array.from({ length: n }, (_, row) => Math.floor(row / 20));
        const own = ill.map((each) => [
          whole(random, 4),
          whole(random, n / 60),
          each && chance(random, 0.3) ? 9 : whole(random, 5),
        ]);
        const cell = (at) => (row) => own[groups[row]][at];
        return table(
          random,
          groups.map((at) => ill[at]),
          {
            blood: cell(0),
            doctor: cell(1),
            known: (row) => (cell(2)(row) > 3 ? 1 : null),
            graded: stepped(random, ill, 0.9, 'number'),
          },
          groups,
        );
      },
      'patients',
    ),
  ),
  ...[300, 2000].map((n) =>
    scenario(
      'clean',
      'numbers',
      n,
      'none: numbers with many zeros',
      (random) => {
        const y = Array.from({ length: n }, () => (chance(random, 0.4) ? 0 : Math.exp(2 + normal(random))));
        const some = (row) => Number(y[row] > 0);
        return table(random, y, {
          ward: (row) => drawn(random, [1 + 4 * some(row), 2, 2]),
          sick: (row) => some(row) * 2 + normal(random),
          grade: (row) => Math.round(some(row) * 2 + normal(random)),
        });
      },
      'numbers',
    ),
  ),
];

export const proxies = [...leaks, ...twins];
