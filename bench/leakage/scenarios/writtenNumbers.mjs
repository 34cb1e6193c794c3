/**
 * CVL009, features as people write them: numbers with limits, units, decimal commas, a few words or marks of missing
 * values among them, which give y away or are true predictors; and numbers y that were cut into classes.
 */
import { KFold } from 'cvkit';

const normal = (random) => Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random());
const whole = (random, count) => Math.floor(random.random() * count);
const list = (length, make) => Array.from({ length }, (_, at) => make(at));
const pick = (random, items) => items[whole(random, items.length)];

/** How a positive number is written; a few cells are something else. */
const WAYS = {
  'a limit': (_, value, low) => (value < low ? `<${low.toFixed(1)}` : Number(value.toFixed(2))),
  'decimal commas': (_, value) => value.toFixed(2).replace('.', ','),
  'a unit': (_, value) => `${value.toFixed(2)} ng/ml`,
  'a few words': (random, value) =>
    random.random() < 0.02 ? pick(random, ['haemolysed', 'not done', 'see letter']) : Number(value.toFixed(2)),
  'marks of missing values': (random, value) => (random.random() < 0.1 ? pick(random, ['NA', 'n/a', '?']) : value),
};

/** The same in all rows of a column; a twentieth of the values lies below the limit. */
function written(random, way, values) {
  const low = values.toSorted((a, b) => a - b)[Math.floor(values.length / 20)];
  return values.map((value) => WAYS[way](random, value, low));
}

const scenario = (kind, corpus, n, effect, make) => ({
  id: `written-${effect.replaceAll(/[^\w]+/g, '-')}-${n}`,
  check: 'CVL009',
  type: 'feature_target',
  kind,
  corpus,
  n,
  effect,
  make(random) {
    const { X, y, task } = make(random);
    const cv = new KFold({ nSplits: 5, shuffle: true, randomState: whole(random, 2 ** 31) });
    return { X, y, cv, ...(task ? { task } : {}) };
  },
});

/** A laboratory value beside others; the classes lie `distance` apart, or do not overlap. */
function laboratory(random, n, way, apart) {
  const share = 0.3 + 0.4 * random.random();
  const y = list(n, () => Number(random.random() < share));
  const distance = 1 + 1.5 * random.random();
  const level = y.map((ill) =>
    apart ? Math.exp(3 * ill + 2 * random.random()) : Math.exp(1 + 0.6 * (distance * ill + normal(random))),
  );
  const lab = written(random, way, level);
  return { X: lab.map((value) => ({ lab: value, age: 20 + whole(random, 70), marker: normal(random) })), y };
}

/** A number and a class of it, or of a cause of it. */
function staged(random, n, bins, copied) {
  const cause = list(n, () => normal(random));
  const y = cause.map((value) => 70 + 20 * value + 10 * normal(random));
  const of = copied ? y : cause;
  const cuts = of.toSorted((a, b) => a - b).filter((_, at) => at > 0 && at % Math.ceil(n / bins) === 0);
  const X = of.map((value) => ({
    stage: `stage ${cuts.filter((cut) => value >= cut).length}`,
    age: 20 + whole(random, 70),
    marker: normal(random),
  }));
  return { X, y, task: 'regression' };
}

export const writtenNumbers = [300, 1000].flatMap((n) => [
  ...Object.keys(WAYS).flatMap((way) => [
    scenario('planted', 'numbers as written', n, `a copy of y with ${way}`, (random) =>
      laboratory(random, n, way, true),
    ),
    scenario('clean', 'numbers as written', n, `a true predictor with ${way}`, (random) =>
      laboratory(random, n, way, false),
    ),
  ]),
  ...[10, 40].flatMap((bins) => [
    scenario('planted', 'numbers in classes', n, `y in ${bins} classes as text`, (random) =>
      staged(random, n, bins, true),
    ),
    scenario('clean', 'numbers in classes', n, `a true predictor in ${bins} classes as text`, (random) =>
      staged(random, n, bins, false),
    ),
  ]),
]);
