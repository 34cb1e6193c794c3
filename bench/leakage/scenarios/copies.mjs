/**
 * CVL002, copies in tables of every kind: a few rows are there twice, exactly or with one or two cells changed, missing
 * or written otherwise; and the same tables without copies, with what makes rows alike by chance.
 */
import { GroupKFold, KFold } from 'cvkit';

const normal = (random) => Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random());
const whole = (random, count) => Math.floor(random.random() * count);
const list = (length, make) => Array.from({ length }, (_, at) => make(at));
const cut = (value, top) => Math.min(top, Math.max(0, Math.round(value)));
const seedOf = (random) => whole(random, 2 ** 31);
const shuffled = (random) => new KFold({ nSplits: 5, shuffle: true, randomState: seedOf(random) });
const grouped = (random) => new GroupKFold({ nSplits: 5, shuffle: true, randomState: seedOf(random) });

/** Fixed for a data set: level, spread, or rate of each column. */
const spread = (random, count, from, to) => list(count, () => from + (to - from) * random.random());

/** Flags that share a factor, as illnesses do. */
function flags(random, count, from, to) {
  const rates = spread(random, count, from, to);
  return () => {
    const factor = Math.exp(0.5 * normal(random));
    return rates.map((rate) => Number(random.random() < rate * factor));
  };
}

/** Laboratory values: log-normal, rounded to three digits or so, some of them related. */
function laboratory(random, count) {
  const middles = list(count, () => 10 ** (3 * random.random() - 0.5));
  const spreads = spread(random, count, 0.12, 0.5);
  const decimals = middles.map((middle) => (middle > 50 ? 0 : middle > 3 ? 1 : 2));
  return () => {
    const factor = normal(random);
    return middles.map((middle, at) => {
      const value = middle * Math.exp(spreads[at] * (0.5 * factor + 0.87 * normal(random)));
      return Number(value.toFixed(decimals[at]));
    });
  };
}

/** Categories of different numbers of levels, some frequent and some rare, of which neighbours go together. */
function categories(random, levels) {
  const weights = levels.map((count) => list(count, () => 0.15 + random.random() ** 2));
  return () => {
    let last = 0;
    return weights.map((weight) => {
      const total = weight.reduce((sum, one) => sum + one, 0);
      const aim = random.random() * total;
      let below = 0;
      const drawn = weight.findIndex((one) => {
        below += one;
        return aim < below;
      });
      last = random.random() < 0.3 ? Math.floor((last * weight.length) / 20) : drawn;
      return last;
    });
  };
}
const LEVELS = [3, 4, 5, 6, 8, 10, 12, 15, 18, 20, 3, 4, 6, 8, 12, 15];
const hot = (levels) => (codes) => codes.flatMap((code, at) => list(levels[at], (level) => Number(level === code)));

/** Tables by kind: each makes, for one data set, what makes its rows; `shown` is how a row is given to the check. */
const RICH = {
  'doubles and flags': (random) => {
    const own = flags(random, 60, 0.01, 0.4);
    return { row: () => [...list(8, () => normal(random)), ...own()] };
  },
  'zero-inflated counts': (random) => {
    const [zeros, sizes] = [spread(random, 16, 0.4, 0.75), spread(random, 16, 4, 60)];
    return {
      row: () => {
        const activity = Math.exp(0.4 * normal(random));
        return zeros.map((zero, at) =>
          random.random() < zero ? 0 : 1 + Math.floor(-Math.log(1 - random.random()) * sizes[at] * activity),
        );
      },
    };
  },
  encounters: (random) => ({ row: categories(random, LEVELS), shown: hot(LEVELS) }),
  'encounters as text': (random) => ({
    row: categories(random, LEVELS),
    shown: (codes) => Object.fromEntries(codes.map((code, at) => [`variable ${at}`, `level ${code}`])),
  }),
  'labs and flags': (random) => {
    const [values, own] = [laboratory(random, 10 + whole(random, 11)), flags(random, 40, 0.01, 0.4)];
    return { row: () => [...values(), ...own()] };
  },
  microbiome: (random) => {
    const [zeros, sizes] = [spread(random, 200, 0.8, 0.95), list(200, () => 10 ** (0.5 + 2 * random.random()))];
    return {
      row: () => {
        const depth = Math.exp(0.5 * normal(random));
        const count = (at) => Math.ceil(sizes[at] * depth * Math.exp(1.2 * normal(random)));
        return zeros.map((zero, at) => (random.random() < zero ? 0 : count(at)));
      },
    };
  },
  'scanner constants': (random) => {
    const scanners = list(4, () => list(6, () => 10 * random.random()));
    return { row: () => [...scanners[whole(random, 4)], ...list(8, () => 100 * random.random())] };
  },
  'labs and answers': (random) => {
    const [values, own] = [laboratory(random, 10), flags(random, 12, 0.1, 0.5)];
    const answer = (flag) => (flag === 1 ? 'yes' : 'no');
    return { row: () => [...values(), ...own().map(answer)], shown: (row) => ({ ...row }) };
  },
};

/** A cell of another row, so that the column stays as it is. */
function changeCell(random, X, row, at) {
  for (let tries = 0; tries < 100; tries++) {
    const other = X[whole(random, X.length)][at];
    if (other === X[row][at]) continue;
    X[row][at] = other;
    return;
  }
}

/** How a copy may differ from its row; each gets the place of the copy. */
const HOWS = {
  exactly: () => undefined,
  'but one cell': (random, X, row) => changeCell(random, X, row, whole(random, X[row].length)),
  'but two cells': (random, X, row) => {
    const first = whole(random, X[row].length);
    changeCell(random, X, row, first);
    changeCell(random, X, row, (first + 1 + whole(random, X[row].length - 1)) % X[row].length);
  },
  'two cells missing': (random, X, row) => {
    for (let times = 0; times < 2; times++) X[row][whole(random, X[row].length)] = null;
  },
  'as float32': (_, X, row) => {
    X[row] = X[row].map((value) => (typeof value === 'number' ? Math.fround(value) : value));
  },
  'in other spelling': (random, X, row) => {
    const spelled = [(text) => ` ${text}`, (text) => text.toUpperCase(), (text) => `${text}\u200b`];
    X[row] = X[row].map((value) => (typeof value === 'string' ? spelled[whole(random, 3)](value) : value));
  },
};

/** Hows that a kind has no room for. */
const allowed = (kind, how) =>
  (how !== 'in other spelling' || kind === 'labs and answers') &&
  (how !== 'as float32' || ['doubles and flags', 'labs and flags', 'scanner constants'].includes(kind)) &&
  (how !== 'two cells missing' || !kind.startsWith('encounters'));

/** Rows that are alike for other reasons. */
const ALIKE = {
  'PHQ-9': (random) => () => {
    const trait = -1.2 + 1.4 * normal(random);
    return list(9, (at) => cut(trait - 0.08 * at + 0.8 * normal(random), 3));
  },
  'Likert items': (random) => {
    const loadings = spread(random, 30, 0.5, 0.9);
    const factors = 1 + whole(random, 2);
    return () => {
      const traits = list(factors, () => normal(random));
      return loadings.map((load, at) =>
        cut(2 + 1.2 * (load * traits[at % factors] + Math.sqrt(1 - load ** 2) * normal(random)), 4),
      );
    };
  },
  'SF-36': (random) => () => {
    const [body, mind] = [normal(random), normal(random)];
    return list(36, (at) => {
      const trait = at < 20 ? 0.8 * body + 0.3 * mind : 0.3 * body + 0.8 * mind;
      const top = at < 10 ? 2 : at < 17 ? 1 : 4;
      return cut(top * (0.75 + 0.3 * (trait + 0.6 * normal(random))), top);
    });
  },
  'few categories': (random) => () => [whole(random, 2), whole(random, 4), whole(random, 3), `s${whole(random, 5)}`],
  'related binaries': (random) => () => {
    const factor = normal(random);
    return list(10, (at) => Number(0.85 * factor + 0.5 * normal(random) > 0.1 * at));
  },
  'one age': (random) => () => [Math.round(60 + 12 * normal(random))],
  derived: (random) => () => {
    const [height, weight] = [Math.round(170 + 9 * normal(random)), Math.round(75 + 12 * normal(random))];
    const [s, d] = [Math.round(130 + 16 * normal(random)), Math.round(80 + 9 * normal(random))];
    const items = list(4, () => whole(random, 4));
    const sum = items.reduce((total, item) => total + item, 0);
    return [
      height,
      weight,
      (weight / height ** 2) * 1e4,
      Math.sqrt((height * weight) / 3600),
      s,
      d,
      d + (s - d) / 3,
    ].concat(items, [sum, (100 * sum) / 12]);
  },
  'infusion rates': (random) => () => {
    const [weight, dose, strength] = [
      Math.round(75 + 14 * normal(random)),
      (1 + whole(random, 12)) / 20,
      1 + whole(random, 4),
    ];
    const rate = Math.round((600 * dose * weight) / strength) / 100;
    return [weight, dose, strength, rate, Math.round(24 * rate), 20 + whole(random, 70), whole(random, 2)];
  },
  'pack years': (random) => () => {
    const packs = random.random() < 0.5 ? 0 : (1 + whole(random, 8)) / 4;
    const years = packs === 0 ? 0 : 1 + whole(random, 45);
    return [
      packs,
      years,
      Math.round(10 * packs * (years + random.random() - 0.5)) / 10,
      30 + whole(random, 55),
      whole(random, 2),
      whole(random, 4),
    ];
  },
  'red cell indices': (random) => () => {
    const cells = Math.round(100 * (4.7 + 0.5 * normal(random))) / 100;
    const [size, load] = [89 + 5 * normal(random), 33 + normal(random)];
    const share = Math.round(cells * size) / 10;
    return [
      cells,
      share,
      Math.round(share * load) / 100,
      Math.round((share / cells) * 100) / 10,
      Math.round(load * 10) / 10,
    ];
  },
  'body measures': (random) => () => {
    const [height, weight] = [Math.round(170 + 9 * normal(random)), Math.round(75 + 12 * normal(random))];
    return [height, weight, (weight / height ** 2) * 1e4, Math.sqrt((height * weight) / 3600), whole(random, 2)];
  },
  'ward and hospital': (random) => () => {
    const hospital = whole(random, 30);
    const ward = 4 * hospital + whole(random, 4);
    return { hospital: `H${hospital}`, ward: `W${ward}`, age: whole(random, 10), sex: whole(random, 2) };
  },
  'dates and categories': (random) => () => ({
    admitted: new Date(Date.UTC(2020, 0, 1 + whole(random, 500))),
    stage: 'abcd'[whole(random, 4)],
    sex: whole(random, 2),
    dose: 5 * whole(random, 3),
    arm: whole(random, 2),
  }),
  genotypes: (random) => {
    const blocks = list(12, () => ({ rate: 0.05 + 0.45 * random.random(), size: 4 + whole(random, 8) }));
    const allele = ({ rate }) => Number(random.random() < rate);
    return () =>
      blocks.flatMap((block) => {
        const both = [allele(block), allele(block)];
        return list(block.size, () =>
          both.reduce((sum, one) => sum + (random.random() < 0.04 ? allele(block) : one), 0),
        );
      });
  },
  'half missing': (random) => {
    const values = laboratory(random, 8);
    return () => [
      whole(random, 2),
      ...[...values(), whole(random, 3)].map((cell) => (random.random() < 0.5 ? null : cell)),
    ];
  },
  'panels missing': (random) => {
    const values = laboratory(random, 15);
    return () => {
      const ordered = list(3, () => random.random() < 0.5);
      return [whole(random, 2), ...values().map((cell, at) => (ordered[Math.floor(at / 5)] ? cell : null))];
    };
  },
};

const copies = (kind, corpus, id, n, effect, make) => ({
  id: `copies-${kind}-${id.replaceAll(/[^\w]+/g, '-')}-${n}`,
  check: 'CVL002',
  type: 'duplicate',
  kind,
  corpus,
  n,
  effect,
  make,
});

const labels = (random, n) => list(n, () => whole(random, 2));

function table(random, n, make) {
  const { row, shown = (cells) => cells } = make(random);
  return { X: list(n, () => row()), shown };
}

export const copyScenarios = [100, 300, 1000].flatMap((n) => [
  ...Object.entries(RICH).flatMap(([kind, make]) => [
    copies('clean', kind, kind, n, kind, (random) => {
      const { X, shown } = table(random, n, make);
      return { X: X.map(shown), y: labels(random, n), cv: shuffled(random) };
    }),
    ...Object.entries(HOWS).flatMap(([how, change]) =>
      !allowed(kind, how)
        ? []
        : copies('planted', kind, `${kind} ${how}`, n, `${kind}: 3 to 6 rows again, ${how}`, (random) => {
            const { X, shown } = table(random, n, make);
            const count = 3 + whole(random, 4);
            for (let at = 0; at < count; at++) {
              X[n - 1 - at] = [...X[at]];
              change(random, X, n - 1 - at);
            }
            return { X: X.map(shown), y: labels(random, n), cv: shuffled(random) };
          }),
    ),
  ]),
  ...Object.entries(ALIKE).map(([id, make]) =>
    copies('clean', id, id, n, id, (random) => {
      const row = make(random);
      return { X: list(n, () => row()), y: labels(random, n), cv: shuffled(random) };
    }),
  ),
  copies('planted', 'exports', 'two exports', n, 'two exports of one table, with the name of the export', (random) => {
    const values = laboratory(random, 4 + whole(random, 4));
    const rows = list(Math.min(n - 3, Math.ceil(n * (0.5 + random.random() / 2))), () => values());
    const again = rows.slice(0, n - rows.length).map((row) => [...row, 'B']);
    const X = [...rows.map((row) => [...row, 'A']), ...again];
    return { X, y: labels(random, X.length), cv: shuffled(random) };
  }),
  copies(
    'planted',
    'drawn again',
    'drawn again',
    n,
    'a twentieth of the rows drawn again until it is half',
    (random) => {
      const values = laboratory(random, 4 + whole(random, 8));
      const few = list(Math.ceil(n / 20), () => values());
      const many = list(n - Math.ceil(n / 2), () => values());
      const X = [...many, ...list(n - many.length, (at) => [...few[at < few.length ? at : whole(random, few.length)]])];
      return { X, y: X.map((_, row) => Number(row >= many.length)), cv: shuffled(random) };
    },
  ),
  copies('clean', 'repeated rows', 'repeated rows', n, 'rows of a patient repeat, grouped folds', (random) => {
    const values = laboratory(random, 8);
    const persons = list(Math.ceil(n / 5), () => values());
    const groups = list(n, (row) => row % persons.length);
    return { X: groups.map((patient) => [...persons[patient]]), y: labels(random, n), groups, cv: grouped(random) };
  }),
]);
