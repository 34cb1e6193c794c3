/**
 * CVL002, equal rows on both sides of a fold, and CVL011, ids and times among the features: planted cases and data
 * without any. `coincidences` are rows of few values that are equal by chance: clean.
 */
import { GroupKFold, KFold } from 'cvkit';

const normal = (random) => Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random());
const whole = (random, count) => Math.floor(random.random() * count);
const list = (length, make) => Array.from({ length }, (_, at) => make(at));
const shuffled = (random) => new KFold({ nSplits: 5, shuffle: true, randomState: whole(random, 2 ** 31) });
const grouped = (random) => new GroupKFold({ nSplits: 5, shuffle: true, randomState: whole(random, 2 ** 31) });

/** Kinds of rows, each with labels that go with the first column. */
const TABLES = {
  noise: (random) => list(4, () => normal(random)),
  'one feature': (random) => [normal(random)],
  'wide noise': (random) => list(30, () => normal(random)),
  skewed: (random) => list(6, () => Math.exp(1.5 * normal(random))),
  'heavy tails': (random) => list(6, () => normal(random) / Math.abs(normal(random))),
  integers: (random) => list(8, () => Math.round(20 * normal(random))),
  mixed: (random) => {
    const age = Math.round(60 + 12 * normal(random));
    return {
      age,
      sex: random.random() < 0.5 ? 'female' : 'male',
      stage: ['I', 'II', 'III', 'IV'][whole(random, 4)],
      pressure: random.random() < 0.1 ? null : Math.round(100 + age / 2 + 12 * normal(random)),
      cholesterol: Math.round(200 + age / 2 + 40 * normal(random)),
      crp: Math.round(10 * Math.exp(normal(random))) / 10,
      decade: `[${Math.floor(age / 10)}0)`,
    };
  },
};

const signal = (random, X) => X.map((row) => (Number(Object.values(row)[0]) + normal(random) > 0 ? 1 : 0));
const changed = (X, row, more) =>
  Array.isArray(X[row]) ? [...X[row], ...Object.values(more)] : { ...X[row], ...more };

/** Patients of `each` rows: their own level in every feature, and noise of the same size around it. */
function patients(random, n, each, width = 6) {
  const levels = list(Math.ceil(n / each), () => list(width, () => normal(random)));
  const groups = list(n, (row) => row % levels.length);
  return { groups, X: groups.map((patient) => levels[patient].map((level) => level + normal(random))) };
}

const duplicate = (kind, id, n, effect, make) => ({
  id: `duplicate-${kind}-${id.replaceAll(' ', '-')}-${n}`,
  check: 'CVL002',
  type: 'duplicate',
  kind,
  n,
  effect,
  make,
});

/** Copies of the first rows in the place of the last, so that the number of rows stays. */
function copyRows(X, copies) {
  for (let at = 0; at < copies; at++) X[X.length - 1 - at] = structuredClone(X[at]);
}

const duplicateScenarios = [100, 300, 1000].flatMap((n) => [
  ...Object.entries(TABLES).flatMap(([id, row]) => {
    const table = (random) => list(n, () => row(random));
    return [
      duplicate('clean', id, n, id, (random) => {
        const X = table(random);
        return { X, y: signal(random, X), cv: shuffled(random) };
      }),
      duplicate('planted', id, n, `${id}: 5 % of the rows are copies of others`, (random) => {
        const X = table(random);
        copyRows(X, n / 20);
        return { X, y: signal(random, X), cv: shuffled(random) };
      }),
    ];
  }),
  duplicate('clean', 'patients', n, '20 rows per patient, grouped folds', (random) => {
    const { X, groups } = patients(random, n, 20);
    return { X, y: signal(random, X), groups, cv: grouped(random) };
  }),
  duplicate('clean', 'repeats', n, 'rows of a patient are equal, grouped folds', (random) => {
    const { X, groups } = patients(random, n, 20);
    const rows = groups.map((patient) => [...X[patient]]);
    return { X: rows, y: groups.map((patient) => patient % 2), groups, cv: grouped(random) };
  }),
  duplicate('planted', 'patients', n, 'copies in other patients, grouped folds', (random) => {
    const { X, groups } = patients(random, n, 5);
    copyRows(X, n / 20);
    return { X, y: signal(random, X), groups, cv: grouped(random) };
  }),
  duplicate('planted', 'numbered', n, 'copies with another number in one column', (random) => {
    const X = list(n, () => TABLES.noise(random));
    copyRows(X, n / 20);
    return { X: X.map((_, row) => changed(X, row, { record: row })), y: signal(random, X), cv: shuffled(random) };
  }),
  ...Object.entries({
    'a row number': (_, row) => row,
    seconds: (random) => 1.6e9 + whole(random, 1e8),
    'a random number': (random) => normal(random),
    'one of eight features': undefined,
  }).map(([id, value]) =>
    duplicate('planted', `all but ${id}`, n, `copies that differ in ${id}`, (random) => {
      const X = list(n, () => list(8, () => normal(random)));
      const last = X.map((row) => row[7]);
      copyRows(X, Math.ceil(n / 30));
      for (let row = n / 2; row < n; row++) X[row][7] = value ? X[row][7] : last[row];
      const rows = value ? X.map((row, at) => [...row, value(random, at)]) : X;
      return { X: rows, y: signal(random, X), cv: shuffled(random) };
    }),
  ),
  duplicate('clean', 'derived', n, 'two indices of height and weight, beside a continuous feature', (random) => {
    const X = list(n, () => {
      const [height, weight] = [Math.round(170 + 9 * normal(random)), Math.round(750 + 120 * normal(random)) / 10];
      return [height, weight, weight / height ** 2, Math.sqrt((height * weight) / 3600), normal(random)];
    });
    return { X, y: signal(random, X), cv: shuffled(random) };
  }),
  duplicate('clean', 'times', n, 'few categories beside a date and two continuous features', (random) => {
    const X = list(n, () => ({
      date: new Date(Date.UTC(2020, 0, 1 + whole(random, 400))),
      stage: 'abcd'[whole(random, 4)],
      sex: whole(random, 2),
      dose: 5 * whole(random, 3),
      level: normal(random),
      marker: normal(random),
    }));
    return { X, y: list(n, () => whole(random, 2)), cv: shuffled(random) };
  }),
  ...['clean', 'planted'].map((kind) =>
    duplicate(kind, 'images', n, kind === 'clean' ? 'images of noise' : '5 % of the images are copies', (random) => {
      const data = Uint8Array.from({ length: n * 256 }, () => whole(random, 256));
      if (kind === 'planted') data.copyWithin((n - n / 20) * 256, 0, (n / 20) * 256);
      return { X: { data, shape: [n, 16, 16] }, y: list(n, (row) => row % 2), cv: shuffled(random) };
    }),
  ),
]);

const identifier = (kind, id, n, effect, make) => ({
  id: `identifier-${kind}-${id.replaceAll(' ', '-')}-${n}`,
  check: 'CVL011',
  type: 'identifier',
  kind,
  n,
  effect,
  make,
});

/** Columns that are no measurement, by row. */
const NAMED = {
  'unique text': (random) => `x${whole(random, 2 ** 31)}`,
  mrn: (random) => whole(random, 2 ** 40),
  counter: (_, row) => 100 + row,
  'visit date': (random) => new Date(Date.UTC(2015, 0, whole(random, 3000))).toISOString().slice(0, 10),
  epoch: (random) => 1.5e9 + whole(random, 2e8),
  yyyymmdd: (random) => 2e7 + 1e4 * whole(random, 20) + 100 * (1 + whole(random, 12)) + 1 + whole(random, 28),
};

/** Values of one patient, beside groups that are numbered otherwise. */
const OF_KNOWN_PATIENTS = {
  names: (random) => `${'ABCDEFGH'[whole(random, 8)]}. Name ${whole(random, 2 ** 31)}`,
  'long numbers': (random) => 1e7 + whole(random, 9e7),
};

const identifierScenarios = [100, 300, 1000].flatMap((n) => [
  ...[2, 5].flatMap((each) =>
    ['number', 'text'].map((kind) =>
      identifier('planted', `${kind} of ${each} rows`, n, `patient ${kind}, ${each} rows each, ICC .5`, (random) => {
        const { X, groups } = patients(random, n, each);
        const ids = list(n, () => whole(random, 1e8));
        const id = (row) => (kind === 'number' ? ids[groups[row]] : `p${ids[groups[row]]}`);
        return { X: X.map((_, row) => changed(X, row, { id: id(row) })), y: signal(random, X), cv: shuffled(random) };
      }),
    ),
  ),
  ...['number', 'text'].map((kind) =>
    identifier(
      'planted',
      `named ${kind}`,
      n,
      `patient ${kind} of 4 rows with one label, features of noise`,
      (random) => {
        const ids = list(Math.ceil(n / 4), () => whole(random, 1e6));
        const ills = ids.map((_, patient) => (patient < 2 ? patient : Number(random.random() < 0.3)));
        const X = list(n, (row) => {
          const id = ids[row % ids.length];
          return { patient_id: kind === 'number' ? id : `MRN-${id}`, ...list(6, () => normal(random)) };
        });
        return { X, y: list(n, (row) => ills[row % ids.length]), cv: shuffled(random) };
      },
    ),
  ),
  ...['ward', 'category', 'zip', 'room_number', 'case_no'].map((name) =>
    identifier('clean', `${name} of 4 rows`, n, `${name} of 4 rows per level, to which the label goes`, (random) => {
      const levels = list(Math.ceil(n / 4), () => [whole(random, 1e5), normal(random)]);
      const X = list(n, (row) => {
        const [code, effect] = levels[row % levels.length];
        const level = name.includes('n') ? code : `${name} ${code}`;
        return { [name]: level, a: effect / 2 + normal(random), ...list(4, () => normal(random)) };
      });
      const y = X.map(({ a }, row) => Number(a + 2 * levels[row % levels.length][1] + normal(random) > 0));
      return { X, y, cv: shuffled(random) };
    }),
  ),
  ...Object.entries(NAMED).map(([name, value]) =>
    identifier('planted', name, n, name, (random) => {
      const X = list(n, (row) => ({ ...TABLES.mixed(random), [name]: value(random, row) }));
      return { X, y: list(n, (row) => row % 2), cv: shuffled(random) };
    }),
  ),
  ...Object.entries(TABLES).map(([id, row]) =>
    identifier('clean', id, n, id, (random) => {
      const X = list(n, () => row(random));
      return { X, y: signal(random, X), cv: shuffled(random) };
    }),
  ),
  identifier('clean', 'factor', n, 'integers that share a factor', (random) => {
    const X = list(n, () => {
      const factor = normal(random);
      return list(10, () => Math.round(8 * (0.8 * factor + 0.6 * normal(random))));
    });
    return { X, y: signal(random, X), cv: shuffled(random) };
  }),
  identifier('clean', 'codes', n, '20 codes with effects of .5 SD on two features', (random) => {
    const effects = list(20, () => 0.5 * normal(random));
    const X = list(n, () => {
      const code = whole(random, 20);
      return [code, `I${code}`, effects[code] + normal(random), normal(random) - effects[code], normal(random)];
    });
    return { X, y: signal(random, X), cv: shuffled(random) };
  }),
  identifier('clean', 'patients', n, '20 rows per patient, whole numbers, grouped folds', (random) => {
    const { X, groups } = patients(random, n, 20);
    const ages = list(n, () => Math.round(60 + 15 * normal(random)));
    const rows = X.map((row, at) => [ages[groups[at]], ...row.map((value) => Math.round(10 * value))]);
    return { X: rows, y: groups.map((patient) => patient % 2), groups, cv: grouped(random) };
  }),
  ...Object.entries(OF_KNOWN_PATIENTS).map(([id, value]) =>
    identifier('planted', `known ${id}`, n, `${id}, 4 rows each, patients known`, (random) => {
      const { X, groups } = patients(random, n, 4);
      const ids = list(n, () => value(random));
      return { X: X.map((row, at) => [...row, ids[groups[at]]]), y: signal(random, X), groups, cv: grouped(random) };
    }),
  ),
  identifier('clean', 'known constants', n, 'what does not change within known patients', (random) => {
    const { X, groups } = patients(random, n, 4);
    const persons = list(n, () => ({
      birthWeight: Math.round(3400 + 500 * normal(random)),
      birthYear: 1930 + whole(random, 80),
      platelets: 1000 * Math.round(250 + 60 * normal(random)),
      income: 10 ** (4 + random.random()),
      reads: Math.round(Math.exp(13 + normal(random))),
      genotype: `${'ACGT'[whole(random, 4)]}${'ACGT'[whole(random, 4)]}`,
      ward: `ward ${whole(random, 40)}`,
      sex: whole(random, 2) ? 'f' : 'm',
    }));
    const rows = X.map((row, at) => ({ ...row, ...persons[groups[at]] }));
    return { X: rows, y: groups.map((patient) => patient % 2), groups, cv: grouped(random) };
  }),
]);

/** Rows of few values: equal rows are there, and are no copies. */
export const coincidences = [100, 300, 1000].flatMap((n) =>
  Object.entries({
    'three binary features': (random) => [0.5, 0.3, 0.1].map((rate) => Number(random.random() < rate)),
    'related binary features': (random) => {
      const factor = normal(random);
      return list(8, () => Number(0.9 * factor + 0.45 * normal(random) > 0.5));
    },
    'six patterns': (random) => {
      const pattern = whole(random, 6);
      return list(12, (at) => (random.random() < 0.85 ? (7 * pattern + 3 * at) % 4 : whole(random, 4)));
    },
    'a feature twice': (random) => {
      const [a, b] = [whole(random, 4), whole(random, 20)];
      return [a, a, b, b, Number(random.random() < 0.2)];
    },
    'pressures and what follows': (random) => {
      const [s, d] = [Math.round(130 + 16 * normal(random)), Math.round(80 + 9 * normal(random))];
      return [s, d, s - d, Math.round(d + (s - d) / 3)];
    },
    'items and their sum': (random) => {
      const items = list(5, () => whole(random, 4));
      return [...items, items.reduce((sum, item) => sum + item, 0)];
    },
    'questionnaire of zeros': (random) => {
      const healthy = random.random() < 0.3;
      return list(20, () => (healthy ? 0 : whole(random, 4)));
    },
    'questionnaire with a floor': (random) => {
      const trait = 2.5 * normal(random);
      return list(20, () => Math.min(3, Math.max(0, Math.round(trait + 0.7 * normal(random)))));
    },
    'a ward and its hospital': (random) => {
      const hospital = whole(random, 60);
      const ward = 2 * hospital + whole(random, 2);
      return { hospital: `H${hospital}`, ward: `W${ward}`, age: whole(random, 10), sex: whole(random, 2) };
    },
    'a diagnosis and its chapter': (random) => {
      const chapter = whole(random, 20);
      const code = `${chapter}.${whole(random, 10)}`;
      return { chapter: `c${chapter}`, code, age: whole(random, 8), sex: whole(random, 2) };
    },
    'a risk in per cent': (random) => {
      const [age, sex, ill] = [20 + whole(random, 60), whole(random, 2), whole(random, 2)];
      return [age, sex, ill, Math.round(100 / (1 + Math.exp(4 - 0.0513 * age - 0.337 * sex - 0.8171 * ill)))];
    },
    'an age': (random) => [Math.round(60 + 12 * normal(random))],
    'mostly zero': (random) => {
      const ill = random.random() < 0.3;
      return list(10, () => (ill ? Math.round(20 * Math.abs(normal(random))) : 0));
    },
  }).map(([id, row]) =>
    duplicate('coincident', id, n, id, (random) => {
      const X = list(n, () => row(random));
      return { X, y: signal(random, X), cv: shuffled(random) };
    }),
  ),
);

export const duplicates = [...duplicateScenarios, ...identifierScenarios];
