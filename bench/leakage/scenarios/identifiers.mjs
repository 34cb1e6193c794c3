/**
 * CVL011, what looks like an id or a time and what does not: times as people, spreadsheets and computers write them,
 * numbers of rows in any order and scale, ids that numbers cannot hold; and clean tables of whole numbers.
 */
import { KFold, loadCancerImaging } from 'cvkit';

const normal = (random) => Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random());
const whole = (random, count) => Math.floor(random.random() * count);
const list = (length, make) => Array.from({ length }, (_, at) => make(at));
const shuffled = (random) => new KFold({ nSplits: 5, shuffle: true, randomState: whole(random, 2 ** 31) });
const clip = (value, low, high) => Math.min(high, Math.max(low, value));
const sum = (values) => values.reduce((total, value) => total + value, 0);
const two = (value) => String(value).padStart(2, '0');

function permuted(random, n) {
  const order = list(n, (at) => at);
  for (let at = n - 1; at > 0; at--) {
    const other = whole(random, at + 1);
    [order[at], order[other]] = [order[other], order[at]];
  }
  return order;
}

/** A row of measurements of several kinds, which go with each other. */
function measured(random) {
  const age = clip(Math.round(60 + 12 * normal(random)), 18, 95);
  return {
    age,
    sex: whole(random, 2),
    pressure: Math.round(100 + age / 2 + 12 * normal(random)),
    crp: Math.round(10 * Math.exp(normal(random))) / 10,
    stage: 1 + whole(random, 4),
  };
}

const labels = (random, X) =>
  X.map((row) => Number(Number(Object.values(row)[0]) > 60 + 12 * normal(random))).map((label, row) =>
    row < 2 ? row : label,
  );

// ---- planted ----------------------------------------------------------------------------------------------------

const day = (random) => new Date(Date.UTC(2014, 0, 1 + whole(random, 3000), whole(random, 24), whole(random, 60)));
const parts = (date) => [date.getUTCFullYear(), two(date.getUTCMonth() + 1), two(date.getUTCDate())];
const clock = (date) => `${two(date.getUTCHours())}:${two(date.getUTCMinutes())}`;
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** Values of a column by kind, for all rows at once. */
const PLANTED = {
  'dates as 03.02.2019': (random, n) => list(n, () => parts(day(random)).reverse().join('.')),
  'dates as 02/03/2019, some unknown': (random, n) =>
    list(n, () => {
      const [year, month, date] = parts(day(random));
      return random.random() < 0.05 ? 'unknown' : `${month}/${date}/${year}`;
    }),
  'dates as 2019-02-03 14:05': (random, n) =>
    list(n, () => {
      const date = day(random);
      return `${parts(date).join('-')} ${clock(date)}`;
    }),
  'dates as 3-Feb-2019': (random, n) =>
    list(n, () => {
      const date = day(random);
      return `${date.getUTCDate()}-${MONTHS[date.getUTCMonth()]}-${date.getUTCFullYear()}`;
    }),
  'dates as 2/13/19': (random, n) =>
    list(n, () => {
      const date = day(random);
      return `${date.getUTCMonth() + 1}/${date.getUTCDate()}/${String(date.getUTCFullYear()).slice(2)}`;
    }),
  'days and minutes of a spreadsheet': (random, n) =>
    list(n, () => Number((42_000 + whole(random, 2500) + whole(random, 1440) / 1440).toFixed(5))),
  'days of a spreadsheet': (random, n) => list(n, () => 42_000 + whole(random, 2500)),
  'seconds since 1970': (random, n) => list(n, () => Math.round(day(random) / 1000)),
  'milliseconds since 1970': (random, n) => list(n, () => Number(day(random)) + whole(random, 60_000)),
  'nanoseconds since 1970': (random, n) => list(n, () => 1e6 * Number(day(random))),
  'row numbers, shuffled': permuted,
  'row numbers from 1, shuffled': (random, n) => permuted(random, n).map((at) => at + 1),
  'row numbers scaled to 0 ... 1': (random, n) => permuted(random, n).map((at) => at / (n - 1)),
  'row numbers in thousands': (random, n) => permuted(random, n).map((at) => (10_000 + at) / 1000),
  'row numbers as z scores': (random, n) =>
    permuted(random, n).map((at) => (at - (n - 1) / 2) / Math.sqrt((n * n - 1) / 12)),
  'row numbers as z scores, floats of 32 bits': (random, n) =>
    permuted(random, n).map((at) => Math.fround((at - (n - 1) / 2) / Math.sqrt((n * n - 1) / 12))),
  'ids of 18 digits': (random, n) => list(n, () => 4e17 + 2 ** 20 * whole(random, 2 ** 36) + whole(random, 2 ** 20)),
  'ids of 18 digits as text': (random, n) => list(n, () => `4${list(17, () => whole(random, 10)).join('')}`),
  'ids of 18 digits as 64-bit integers': (random, n) =>
    list(n, () => BigInt(`4${list(17, () => whole(random, 10)).join('')}`)),
};

/** Names under which numbers say who it is. */
const NAMED = {
  'numbers of 9 digits in floats of 32 bits': [
    'mrn',
    (random, n) => list(n, () => Math.fround(1e8 + whole(random, 9e8))),
  ],
  'neighbours above 2^24 in floats of 32 bits': [
    'patient_id',
    (random, n) => permuted(random, n).map((at) => Math.fround(2e7 + 3 * at)),
  ],
};

const scenario = (kind, n, effect, make, more = {}) => ({
  id: `${effect.replaceAll(/\W+/g, '-')}-${n}`,
  check: 'CVL011',
  kind,
  n,
  effect,
  make,
  ...more,
});

function withColumn(random, n, name, values) {
  const rows = list(n, () => measured(random));
  return { X: rows.map((row, at) => ({ ...row, [name]: values[at] })), y: labels(random, rows), cv: shuffled(random) };
}

const planted = [100, 300].flatMap((n) => [
  ...Object.entries(PLANTED).map(([effect, make]) =>
    scenario('planted', n, effect, (random) => withColumn(random, n, 'column', make(random, n))),
  ),
  ...Object.entries(NAMED).map(([effect, [name, make]]) =>
    scenario('planted', n, effect, (random) => withColumn(random, n, name, make(random, n))),
  ),
]);

// ---- clean ------------------------------------------------------------------------------------------------------

/** Answers to `count` questions of `levels` grades that share a trait. */
const items = (random, count, levels, { trait = normal(random), floor = 0, noise = 0.8 } = {}) =>
  list(count, () => clip(Math.round((levels - 1) / 2 - floor + trait + noise * normal(random)), 0, levels - 1));

const SF36 = [10, 4, 4, 2, 4, 2, 3, 5];

function histogram(random, bins, count) {
  const [middle, width] = [bins * (0.5 + 0.15 * normal(random)), bins * (0.08 + 0.1 * random.random())];
  const found = list(bins, () => 0);
  for (let at = 0; at < count; at++) found[clip(Math.round(middle + width * normal(random)), 0, bins - 1)]++;
  return found;
}

/** Rows of clean tables, by corpus. */
const ROWS = {
  questionnaires: {
    '30 items and their sum': (random) => {
      const answers = items(random, 30, 5);
      return [...answers, sum(answers)];
    },
    '30 independent items, their sum and 60 labs': (random) => {
      const answers = list(30, () => whole(random, 5));
      return [...list(60, () => normal(random)), ...answers, sum(answers)];
    },
    'items with gaps and the sum of those known': (random) => {
      const answers = items(random, 20, 5, { noise: 0.5 }).map((answer) => (random.random() < 0.05 ? null : answer));
      return [...answers, sum(answers.map(Number))];
    },
    'PHQ-9 and GAD-7 with their sums': (random) => {
      const trait = 1.2 * normal(random);
      const [sad, tense] = [9, 7].map((count) => items(random, count, 4, { trait, floor: 1.5 }));
      return [...sad, ...tense, sum(sad), sum(tense), sum(sad) + sum(tense), Math.round(50 + 12 * normal(random))];
    },
    'PHQ-9 of one row in two at 0': (random) => {
      const answers = items(random, 9, 4, { trait: 1.5 * normal(random), floor: 2 });
      return [...answers, sum(answers), whole(random, 2)];
    },
    'sum scores without their items': (random) => {
      const trait = normal(random);
      return [9, 7, 20, 14].map((count) => sum(items(random, count, 4, { trait })));
    },
    'SF-36 subscales': (random) => {
      const trait = normal(random);
      return SF36.map((count) => {
        const own = items(random, count, 5, { trait: 0.7 * trait + 0.7 * normal(random) });
        return Math.round((100 * sum(own)) / (4 * count));
      });
    },
    'SF-36 items, subscales and summary': (random) => {
      const trait = normal(random);
      const answers = SF36.map((count) => items(random, count, 5, { trait: 0.7 * trait + 0.7 * normal(random) }));
      const scales = answers.map((own) => Math.round((100 * sum(own)) / (4 * own.length)));
      return [...answers.flat(), ...scales, Math.round(sum(scales) / 8), 2 * scales[0] + scales[1] - scales[2]];
    },
    'answers as words and their sum': (random) => {
      const answers = items(random, 20, 5);
      return [...answers.map((answer) => ['never', 'rarely', 'at times', 'often', 'always'][answer]), sum(answers)];
    },
  },
  histograms: {
    '16 bins of 200': (random) => histogram(random, 16, 200),
    '32 bins of 1000': (random) => histogram(random, 32, 1000),
    '64 bins of 1000': (random) => histogram(random, 64, 1000),
  },
  counts: {
    'microbes of 40 kinds': (random) =>
      list(40, () => (random.random() < 0.5 ? 0 : Math.floor(Math.exp(2 + 1.5 * normal(random))))),
    'reads of genes': (random) => {
      const depth = Math.exp(0.3 * normal(random));
      return list(50, (gene) => Math.round(depth * Math.exp(3 + gene / 10 + 0.5 * normal(random))));
    },
    'events of few sizes': (random) => list(8, () => Math.floor(-5 * Math.log(1 - random.random()))),
    'cell counts and costs, mostly different': (random) => ({
      platelets: Math.round(1000 * (250 + 70 * normal(random))),
      cells: Math.round(Math.exp(9 + 0.8 * normal(random))),
      costs: Math.round(Math.exp(8 + normal(random))),
      days: 1 + Math.floor(-6 * Math.log(1 - random.random())),
      age: Math.round(60 + 12 * normal(random)),
    }),
  },
  codes: {
    genotypes: (random) =>
      list(60, (at) => whole(random, 2) * Number(random.random() < 0.2 + at / 100) + whole(random, 2)),
    'one-hot and ordinal codes': (random) => {
      const ward = whole(random, 6);
      return [...list(6, (at) => Number(at === ward)), 1 + whole(random, 4), whole(random, 10), whole(random, 2)];
    },
    'zip codes, repeated, with income': (random) => {
      const zip = whole(random, 30);
      return {
        zip: 46_201 + 7 * zip,
        income: 30 + zip / 3 + 8 * normal(random),
        age: Math.round(60 + 12 * normal(random)),
      };
    },
    'doses, hours and years of birth': (random) => ({
      dose: 50 * (1 + whole(random, 8)),
      hour: whole(random, 24),
      weekday: whole(random, 7),
      birth: 1930 + whole(random, 75),
      visit: 1 + whole(random, 4),
      version: `${1 + whole(random, 2)}.${whole(random, 9)}.${whole(random, 12)}`,
      pressure: `${Math.round(130 + 15 * normal(random))}/${Math.round(80 + 8 * normal(random))}`,
    }),
  },
  measurements: {
    'mixed labs in whole numbers': measured,
    'a factor in whole numbers': (random) => {
      const factor = normal(random);
      return list(10, () => Math.round(30 * (0.8 * factor + 0.6 * normal(random))));
    },
    'cells per litre': (random) => list(3, () => 1e7 * Math.round(150 + 20 * normal(random))),
    'hundredths, mostly different': (random) => list(5, () => Math.round(100 * (40 + 6 * normal(random))) / 100),
  },
};

/** Clean tables that are made as a whole. */
const TABLES = {
  'ranked tables': (random, n) => {
    const columns = list(5, () => list(n, () => normal(random)));
    const ranks = columns.map((values) => {
      const order = list(n, (row) => row).sort((a, b) => values[a] - values[b]);
      const found = [];
      for (const [rank, row] of order.entries()) found[row] = rank + 1;
      return found;
    });
    return list(n, (row) => ranks.map((rank) => rank[row]));
  },
  'one ranked lab that goes with another': (random, n) => {
    const rows = list(n, () => ({ lab: normal(random), age: Math.round(60 + 12 * normal(random)) }));
    const order = list(n, (row) => row).sort((a, b) => rows[a].lab - rows[b].lab);
    order.forEach((row, rank) => {
      rows[row].rank = rank + 1;
    });
    return rows.map(({ lab, age, rank }) => ({ age, crp: lab + 0.8 * normal(random), rank }));
  },
  'sorted by age': (random, n) => list(n, () => measured(random)).sort((a, b) => a.age - b.age),
  'breast cancer': async (random, n) => {
    const { X } = await loadCancerImaging();
    return permuted(random, X.length)
      .slice(0, n)
      .map((row) => [...X[row]]);
  },
};

const tables = [
  ...Object.entries(ROWS).flatMap(([corpus, kinds]) =>
    Object.entries(kinds).map(([effect, row]) => [corpus, effect, (random, n) => list(n, () => row(random))]),
  ),
  ...Object.entries(TABLES).map(([effect, make]) => [effect, effect, make]),
];

const clean = [40, 100, 300].flatMap((n) =>
  tables.map(([corpus, effect, make]) =>
    scenario(
      'clean',
      n,
      effect,
      async (random) => {
        const X = await make(random, n);
        return { X, y: list(n, (row) => (row < 2 ? row : whole(random, 2))), cv: shuffled(random) };
      },
      { corpus },
    ),
  ),
);

export const identifiers = [...planted, ...clean];
