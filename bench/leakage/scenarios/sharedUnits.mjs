/**
 * CVL002, tables in which rows share what is known of their town, household or day: different people who agree in several
 * columns, and the same tables with a few people there twice.
 */
import { KFold } from 'cvkit';

const normal = (random) => Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random());
const whole = (random, count) => Math.floor(random.random() * count);
const list = (length, make) => Array.from({ length }, (_, at) => make(at));
const rounded = (value, decimals) => Number(value.toFixed(decimals));

/** What is known of one unit. */
const UNITS = {
  days: (random) => ({
    temperature: rounded(12 + 8 * normal(random), 1),
    pressure: rounded(1013 + 8 * normal(random), 1),
    humidity: Math.round(70 + 12 * normal(random)),
    ozone: rounded(60 * random.random(), 1),
    dust: rounded(Math.exp(2.3 + 0.6 * normal(random)), 1),
  }),
  households: (random) => ({
    income: Math.round(45000 + 12000 * normal(random)),
    rooms: 1 + whole(random, 6),
    built: 1900 + whole(random, 120),
    distance: rounded(Math.exp(1.5 + 0.9 * normal(random)), 2),
  }),
  towns: (random) => ({
    income: rounded(40000 + 8000 * normal(random), 2),
    dust: rounded(12 + 3 * normal(random), 3),
    distance: rounded(Math.exp(2.5 + 0.7 * normal(random)), 1),
    people: Math.round(Math.exp(9 + normal(random))),
    green: rounded(random.random(), 4),
  }),
};

/** What is known of a person: coarse columns, or laboratory values beside them. */
const coarse = (random) => ({
  age: 18 + whole(random, 70),
  sex: whole(random, 2),
  bmi: rounded(26 + 4 * normal(random), 1),
  lungs: rounded(2.8 + 0.6 * normal(random), 2),
});
const measured = (random) => ({
  ...coarse(random),
  haemoglobin: rounded(13.5 + 1.5 * normal(random), 1),
  sodium: Math.round(139 + 3 * normal(random)),
  creatinine: Math.round(Math.exp(4.4 + 0.3 * normal(random))),
  ferritin: rounded(Math.exp(4.5 + 0.8 * normal(random)), 1),
});

/** How people are there again. */
const COPIES = [
  { how: 'exactly, coarse', person: coarse, changed: 0 },
  { how: 'exactly', person: measured, changed: 0 },
  { how: 'but one cell', person: measured, changed: 1 },
  { how: 'but two cells', person: measured, changed: 2 },
];

/** People by unit: 25 towns, or units of one and a half to eight people. */
const unitsOf = (kind, random, n) => (kind === 'towns' ? 25 : Math.round(n / (1.5 + 6.5 * random.random())));

function people(kind, random, n, person) {
  const units = list(unitsOf(kind, random, n), () => UNITS[kind](random));
  return list(n, () => ({ ...units[whole(random, units.length)], ...person(random) }));
}

/** The value of another person in so many of the columns of a person. */
function change(random, X, row, count) {
  const names = Object.keys(measured(random));
  const first = whole(random, names.length);
  for (let at = 0; at < count; at++) {
    const name = names[(first + at) % names.length];
    X[row] = { ...X[row], [name]: X.map((each) => each[name]).find((value) => value !== X[row][name]) };
  }
}

const units = (kind, corpus, n, effect, make) => ({
  id: `units-${effect.replaceAll(/[^\w]+/g, '-')}-${n}`,
  check: 'CVL002',
  type: 'duplicate',
  kind,
  corpus,
  n,
  effect,
  make(random) {
    const X = make(random);
    const cv = new KFold({ nSplits: 5, shuffle: true, randomState: whole(random, 2 ** 31) });
    return { X, y: X.map(() => whole(random, 2)), cv };
  },
});

export const sharedUnits = [100, 300, 1000].flatMap((n) =>
  Object.keys(UNITS).flatMap((kind) => [
    units('clean', `people of ${kind}`, n, `people of ${kind}`, (random) => people(kind, random, n, coarse)),
    units('clean', `people of ${kind}`, n, `people of ${kind}, measured`, (random) =>
      people(kind, random, n, measured),
    ),
    ...COPIES.map(({ how, person, changed }) =>
      units('planted', `people of ${kind}`, n, `people of ${kind}: 3 to 6 again, ${how}`, (random) => {
        const X = people(kind, random, n, person);
        const count = 3 + whole(random, 4);
        for (let at = 0; at < count; at++) {
          X[n - 1 - at] = { ...X[at] };
          change(random, X, n - 1 - at, changed);
        }
        return X;
      }),
    ),
  ]),
);
