/**
 * CVL002, short scales whose items have a trait in common: people at the floor or the ceiling answer alike, and no row is a
 * copy. The same tables as numbers, as text, as dummies, and beside age and sex; and coarse tables of a few columns.
 */
import { KFold } from 'cvkit';

const normal = (random) => Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random());
const whole = (random, count) => Math.floor(random.random() * count);
const list = (length, make) => Array.from({ length }, (_, at) => make(at));
const cut = (value, top) => Math.min(top, Math.max(0, Math.round(value)));
const shuffled = (random) => new KFold({ nSplits: 5, shuffle: true, randomState: whole(random, 2 ** 31) });

/** Likert items of five answers with one to three factors, at a place between floor and ceiling. */
const likert = (count, factors, place) => (random) => {
  const loadings = list(count, () => 0.5 + 0.4 * random.random());
  const levels = list(count, () => place + 0.5 * (random.random() - 0.5));
  return () => {
    const common = normal(random);
    const traits = list(factors, () => 0.6 * common + 0.8 * normal(random));
    return loadings.map((load, at) =>
      cut(levels[at] + 1.2 * (load * traits[at % factors] + Math.sqrt(1 - load ** 2) * normal(random)), 4),
    );
  };
};

/** Of these a share answers all items alike, whatever they are asked. */
const straightLined = (share, rows) => (random) => {
  const row = rows(random);
  return () => {
    const items = row();
    if (random.random() >= share) return items;
    const answer = whole(random, 4) === 0 ? whole(random, 5) : 2;
    return items.map(() => answer);
  };
};

/** What makes a row of each scale, for one data set. */
const SCALES = {
  'PHQ-9': (random) => () => {
    const trait = normal(random) - 0.6;
    return list(9, (at) => cut(0.9 + 0.9 * trait + 0.7 * normal(random) - 0.08 * at, 3));
  },
  'PHQ-9 and its sum': (random) => {
    const row = SCALES['PHQ-9'](random);
    return () => {
      const items = row();
      return [...items, items.reduce((sum, item) => sum + item, 0)];
    };
  },
  'GAD-7': (random) => {
    const load = 0.7 + 0.5 * random.random();
    return () => {
      const trait = normal(random) - 0.5;
      return list(7, (at) => cut(0.8 + load * trait + 0.6 * normal(random) - 0.1 * at, 3));
    };
  },
  'SF-36 subscales': (random) => {
    const steps = [20, 4, 10, 20, 20, 8, 3, 25];
    return () => {
      const [body, mind] = [normal(random), normal(random)];
      return steps.map((count, at) => {
        const trait = at < 4 ? 0.8 * body + 0.3 * mind : 0.3 * body + 0.8 * mind;
        return Math.round((100 / count) * cut(count * (0.65 + 0.3 * (trait + 0.5 * normal(random))), count));
      });
    };
  },
  'Likert 10 items, 1 factor': likert(10, 1, 2),
  'Likert 20 items, 2 factors': likert(20, 2, 2),
  'Likert 30 items, 3 factors': likert(30, 3, 2),
  'Likert 10 items at the floor': likert(10, 1, -0.6),
  'Likert 20 items at the ceiling': likert(20, 2, 4.4),
  'Likert 20 items, 2 % straight-lined': straightLined(0.02, likert(20, 2, 2)),
  'Likert 10 items, 5 % straight-lined': straightLined(0.05, likert(10, 1, 2)),
  'Likert 30 items, 15 % straight-lined': straightLined(0.15, likert(30, 3, 2)),
  'symptoms, 80 % none': (random) => {
    const levels = list(12, () => -1.4 + 0.5 * normal(random));
    return () => {
      const trait = 1.3 * normal(random);
      return levels.map((level) => cut(level + trait + 0.7 * normal(random), 3));
    };
  },
  Barthel: (random) => {
    const tops = [2, 1, 1, 2, 2, 2, 2, 3, 3, 2];
    const ease = list(10, () => 0.4 * normal(random));
    return () => {
      const trait = 0.9 + 1.3 * normal(random);
      return tops.map((top, at) => 5 * cut((top * (1.1 + trait + ease[at] + 0.5 * normal(random))) / 2, top));
    };
  },
  'Glasgow coma scale': (random) => () => {
    const trait = 1 + normal(random);
    return [4, 5, 6].map((top) => 1 + cut((top - 1) * (0.6 + 0.4 * trait + 0.15 * normal(random)), top - 1));
  },
  APGAR: (random) => () => {
    const trait = 1.2 + 0.8 * normal(random);
    return list(5, (at) => cut(0.9 + 0.7 * trait - 0.15 * at + 0.4 * normal(random), 2));
  },
};

/** Five or six coarse columns of which one is a measurement or two. */
const COARSE = {
  'five coarse columns': (random) => () => {
    const [age, height] = [20 + whole(random, 71), Math.round(170 + 9 * normal(random))];
    return [age, height, Math.round(height - 95 + 12 * normal(random)), whole(random, 2), whole(random, 41)];
  },
  'six columns of an emergency': (random) => () => {
    const ill = random.random() < 0.25;
    const signs = ill ? [0.3, 0.7] : [0.8, 0.82];
    const ecg = random.random();
    return {
      age: Math.round(55 + 15 * normal(random)),
      troponin: Math.round(Math.exp(2.2 + 2.2 * Number(ill) + 0.9 * normal(random))),
      ecg: ecg < signs[0] ? 'normal' : ecg < signs[1] ? 'elevated' : 'other',
      pain: whole(random, 11),
      rapid: random.random() < (ill ? 0.85 : 0.04) ? 'positive' : 'negative',
      temperature: Math.round(369 + 5 * normal(random)) / 10,
    };
  },
  'vital signs': (random) => () => {
    const illness = normal(random);
    const heart = Math.round(78 + 8 * illness + 10 * normal(random));
    const pressure = 5 * Math.round((125 - 5 * illness + 14 * normal(random)) / 5);
    const oxygen = Math.min(100, Math.round(97 - illness + normal(random)));
    return [heart, pressure, oxygen, Math.round(16 + 2 * illness + normal(random)), whole(random, 2)];
  },
};

const SHOWN = {
  'as text': (X) => X.map((row) => Object.fromEntries(row.map((cell, at) => [`item ${at}`, `answer ${cell}`]))),
  'as dummies': (X) => {
    const levels = list(X[0].length, (at) => [...new Set(X.map((row) => row[at]))].sort((a, b) => a - b));
    return X.map((row) => row.flatMap((cell, at) => levels[at].map((level) => Number(level === cell))));
  },
  'beside age and sex': (X, random) =>
    X.map((row) => [Math.min(95, Math.max(18, Math.round(50 + 17 * normal(random)))), whole(random, 2), ...row]),
};

const clean = (corpus, n, make, shown) => ({
  id: `questionnaires-clean-${corpus.replaceAll(/[^\w]+/g, '-')}-${n}`,
  check: 'CVL002',
  type: 'duplicate',
  kind: 'clean',
  corpus,
  n,
  effect: corpus,
  make(random) {
    const row = make(random);
    const X = list(n, () => row());
    const y = list(n, () => whole(random, 2));
    return { X: shown ? shown(X, random) : X, y, cv: shuffled(random) };
  },
});

export const questionnaireScenarios = [60, 120, 200, 500, 2000].flatMap((n) => [
  ...[...Object.entries(SCALES), ...Object.entries(COARSE)].map(([corpus, make]) => clean(corpus, n, make)),
  ...Object.entries(SCALES).flatMap(([corpus, make]) =>
    Object.entries(SHOWN).map(([how, shown]) => clean(`${corpus} ${how}`, n, make, shown)),
  ),
]);
