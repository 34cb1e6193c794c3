/**
 * Further preparations (CVL010), before and after, as `checkPreprocessingLeakage` sees them: ranges, distances from the
 * median, powers, ranks, codes from the label, filling by class. Each fitted to all rows (planted) and to the training rows.
 */
import { KFold } from 'cvkit';

const normal = (random) => Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random());
const whole = (random, count) => Math.floor(random.random() * count);

const LEVELS = ['north', 'south', 'east', 'west', 'centre', 'abroad'];

/** Skewed laboratory values of different units, a clinic and a stage as text, and a label that some go with. */
function population(random, n) {
  const y = Array.from({ length: n }, () => Number(random.random() < 0.35));
  const numbers = y.map((label) => {
    const common = normal(random);
    return [1, 20, 300, 0.5, 7].map((unit, at) =>
      Number(
        (unit * Math.exp(0.3 * common + (0.2 + 0.15 * at) * normal(random) + (at < 2 ? 0.3 * label : 0))).toPrecision(
          4,
        ),
      ),
    );
  });
  const texts = y.map((label) => [
    LEVELS[Math.min(5, Math.floor(-2 * Math.log(1 - random.random())))],
    `stage ${1 + Math.min(3, whole(random, 3) + (random.random() < 0.4 ? label : 0))}`,
  ]);
  return { numbers, texts, y };
}

const known = (values) => values.filter((value) => value !== null);
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const variance = (values) => mean(values.map((value) => (value - mean(values)) ** 2));
const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  return (sorted[(sorted.length - 1) >> 1] + sorted[sorted.length >> 1]) / 2;
};

/** A step on each column by itself. */
const byColumn = (learn) => (X, rows, y, trained) => {
  const steps = X[0].map((_, at) =>
    learn(
      rows.map((row) => X[row][at]),
      rows.map((row) => y[row]),
    ),
  );
  return X.map((row, at) => row.map((value, column) => steps[column](value, y[at], trained.has(at))));
};
const chain =
  (...steps) =>
  (X, rows, y, trained) =>
    steps.reduce((made, step) => step(made, rows, y, trained), X);
const fixed = (f) => (X) => X.map((row) => row.map(f));

const range = (from, to) =>
  byColumn((values) => {
    const [low, high] = [Math.min(...values), Math.max(...values)];
    return (value) => ((value - low) / (high - low)) * (to - from) + from;
  });
const standardize = byColumn((values) => {
  const [centre, sd] = [mean(values), Math.sqrt(variance(values))];
  return (value) => (value - centre) / sd;
});
const mad = (times) =>
  byColumn((values) => {
    const centre = median(values);
    const spread = median(values.map((value) => Math.abs(value - centre)));
    return (value) => (value - centre) / (spread * times);
  });

/** Yeo and Johnson's curve, its power by likelihood: a grid that closes in. */
function bend(value, power) {
  if (value >= 0) return power === 0 ? Math.log(value + 1) : ((value + 1) ** power - 1) / power;
  return power === 2 ? -Math.log(1 - value) : -((1 - value) ** (2 - power) - 1) / (2 - power);
}
const yeoJohnson = byColumn((values) => {
  const jacobian = values.reduce((sum, value) => sum + Math.sign(value) * Math.log(Math.abs(value) + 1), 0);
  const fit = (power) =>
    (power - 1) * jacobian - (values.length / 2) * Math.log(variance(values.map((value) => bend(value, power))));
  let [best, step] = [0.5, 1];
  while (step > 1e-9) {
    const near = Array.from({ length: 9 }, (_, at) => best + ((at - 4) * step) / 2);
    const scores = near.map(fit);
    const at = scores.indexOf(Math.max(...scores));
    best = near[at];
    // The best at an end may lie further out.
    if (at > 0 && at < near.length - 1) step /= 3;
  }
  return (value) => bend(value, best);
});

/** The share of values below, on straight lines between the sorted values. */
const ranks = byColumn((values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const last = sorted.length - 1;
  return (value) => {
    if (value <= sorted[0]) return 0;
    if (value >= sorted[last]) return 1;
    const [first, after] = [sorted.findIndex((each) => each >= value), sorted.findIndex((each) => each > value)];
    if (sorted[first] === value) return (first + after - 1) / 2 / last;
    return (first - 1 + (value - sorted[first - 1]) / (sorted[first] - sorted[first - 1])) / last;
  };
});

/** The mean of the label by level, drawn to that of all rows by `m` rows. */
const target = (m) =>
  byColumn((values, labels) => {
    const overall = mean(labels);
    return (value) => {
      const own = labels.filter((_, at) => values[at] === value);
      return own.length + m === 0
        ? overall
        : (own.reduce((sum, each) => sum + each, 0) + m * overall) / (own.length + m);
    };
  });

const fillByClass = (statistic, labelled) =>
  byColumn((values, labels) => {
    const overall = statistic(known(values));
    const own = [0, 1].map((label) => statistic(known(values.filter((_, at) => labels[at] === label))));
    return (value, label, isTrained) => value ?? (labelled || isTrained ? own[label] : overall);
  });

/** Numbers, texts, both beside each other, or numbers with holes. */
const FAMILIES = {
  'minmax-1..1': ['numbers', range(-1, 1)],
  mad: ['numbers', mad(1)],
  'mad-normal': ['numbers', mad(1.482602218505602)],
  'log-standardize': ['numbers', chain(fixed(Math.log), standardize)],
  'log1p-minmax': ['numbers', chain(fixed(Math.log1p), range(0, 1))],
  'yeojohnson-standardize': ['numbers', chain(yeoJohnson, standardize)],
  quantile: ['numbers', ranks],
  target: ['texts', target(0)],
  'target-smoothed': ['texts', target(10)],
  'target-beside-scaled': ['both', target(4), standardize],
  'class-mean': ['holes', fillByClass(mean, false)],
  'class-median-standardize': ['holes', chain(fillByClass(median, false), standardize)],
};

function dataOf(kind, { numbers, texts }, random) {
  if (kind === 'texts') return texts;
  if (kind !== 'holes') return numbers;
  return numbers.map((row) => row.map((value) => (random.random() < 0.12 ? null : value)));
}

function scenario(id, n, kind, effect, [data, step, beside], prepare) {
  const make = (random) => {
    const people = population(random, n);
    const { y, texts } = people;
    const numbers = dataOf(data, people, random);
    const all = y.map((_, row) => row);
    const cv = new KFold({ nSplits: 5, shuffle: true, randomState: whole(random, 2 ** 31) });
    for (;;) {
      const order = all.map((row) => [random.random(), row]).sort(([a], [b]) => a - b);
      const [test, train] = [order.slice(0, n / 5), order.slice(n / 5)].map((part) =>
        part.map(([, row]) => row).sort((a, b) => a - b),
      );
      const trained = new Set(train);
      const made = (rows) => {
        if (!beside) return step(numbers, rows, y, trained);
        const scaled = beside(numbers, rows, y, trained);
        return step(texts, rows, y, trained).map((row, at) => [...row, ...scaled[at]]);
      };
      const [leaking, clean] = [made(all), made(train)];
      // The two must differ, as they do but for extremes that are all in the training rows.
      if (JSON.stringify(leaking) === JSON.stringify(clean)) continue;
      const X = beside ? texts.map((row, at) => [...row, ...numbers[at]]) : numbers;
      return {
        X,
        y,
        cv,
        splitIndices: { train, test },
        processed: prepare({ leaking, clean, numbers, train, y, trained }),
      };
    }
  };
  return {
    id: `preprocessing/${id}-${n}-${kind}`,
    check: 'CVL010',
    corpus: 'prepared tables',
    kind,
    n,
    effect,
    refit: true,
    make,
  };
}

const numbersWith = (step) => ['numbers', step];
export const scenarios = [
  ...Object.entries(FAMILIES).flatMap(([name, family]) =>
    [100, 300].flatMap((n) => [
      scenario(name, n, 'planted', 'fitted to all rows', family, ({ leaking }) => leaking),
      scenario(name, n, 'clean', 'none: fitted to the training rows', family, ({ clean }) => clean),
    ]),
  ),
  scenario('log1p', 100, 'clean', 'none: a fixed curve', numbersWith(standardize), ({ numbers }) =>
    fixed(Math.log1p)(numbers),
  ),
  scenario(
    'class-mean-of-tested',
    100,
    'planted',
    'fitted to the training rows; test cells filled by their own class',
    ['holes', fillByClass(mean, true)],
    ({ numbers, train, y, trained }) => fillByClass(mean, true)(numbers, train, y, trained),
  ),
];
