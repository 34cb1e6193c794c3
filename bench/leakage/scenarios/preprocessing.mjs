/**
 * Preparation of data before they are split (CVL010). Two kinds of scenarios: X alone, as `check` sees it, and
 * (`refit: true`) the data before and after preparation, as `checkPreprocessingLeakage` sees them.
 */
import { KFold } from 'cvkit';

const normal = (random) => Math.sqrt(-2 * Math.log(1 - random.random())) * Math.cos(2 * Math.PI * random.random());
const whole = (random, count) => Math.floor(random.random() * count);
const foldsOf = (random) => new KFold({ nSplits: 5, shuffle: true, randomState: whole(random, 2 ** 31) });

/** Correlated columns of different kinds and scales, and labels that some of them go with. */
function population(random, n, width) {
  const y = Array.from({ length: n }, () => Number(random.random() < 0.4));
  const X = y.map((label) => {
    const common = normal(random);
    return Array.from({ length: width }, (_, at) => {
      const value = 0.6 * common + normal(random) + (at < 3 ? 0.5 * label : 0);
      return at % 4 === 1 ? Math.exp(value) : at % 4 === 2 ? Math.round(20 + 8 * value) : 50 * at + (1 + at) * value;
    });
  });
  return { X, y };
}

const column = (X, at, rows) => rows.map((row) => X[row][at]).filter((value) => value !== null);
const mean = (values) => values.reduce((sum, value) => sum + value, 0) / values.length;
const spread = (values, ddof) =>
  Math.sqrt(values.reduce((sum, value) => sum + (value - mean(values)) ** 2, 0) / (values.length - ddof));
function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  const place = share * (sorted.length - 1);
  const low = sorted[Math.floor(place)];
  return low + (place - Math.floor(place)) * (sorted[Math.ceil(place)] - low);
}
function commonest(values) {
  const counts = new Map();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([a, n], [b, m]) => m - n || a - b)[0][0];
}

/** A step that treats each column by itself: `learn` gives a function of one value. */
const byColumn = (learn) => (X, rows) => {
  const steps = X[0].map((_, at) => learn(column(X, at, rows)));
  return X.map((row) => row.map((value, at) => steps[at](value)));
};
const scale = (centre, size) =>
  byColumn((values) => {
    const [from, by] = [centre(values), size(values)];
    return (value) => (value === null ? null : (value - from) / by);
  });
const fill = (filling) =>
  byColumn((values) => {
    const filled = filling(values);
    return (value) => value ?? filled;
  });

/** Eigenvectors of the covariance by Jacobi rotations, largest first. */
function components(X, rows, count, whiten) {
  const width = X[0].length;
  const means = X[0].map((_, at) => mean(column(X, at, rows)));
  const C = means.map((_, i) =>
    means.map(
      (_, j) => rows.reduce((sum, row) => sum + (X[row][i] - means[i]) * (X[row][j] - means[j]), 0) / (rows.length - 1),
    ),
  );
  const V = C.map((_, i) => C.map((_, j) => Number(i === j)));
  for (let sweep = 0; sweep < 60; sweep++) {
    for (let p = 0; p < width; p++) {
      for (let q = p + 1; q < width; q++) {
        if (Math.abs(C[p][q]) < 1e-300) continue;
        const theta = (C[q][q] - C[p][p]) / (2 * C[p][q]);
        const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta ** 2 + 1));
        const c = 1 / Math.sqrt(t * t + 1);
        const s = t * c;
        for (let k = 0; k < width; k++) [C[k][p], C[k][q]] = [c * C[k][p] - s * C[k][q], s * C[k][p] + c * C[k][q]];
        for (let k = 0; k < width; k++) [C[p][k], C[q][k]] = [c * C[p][k] - s * C[q][k], s * C[p][k] + c * C[q][k]];
        for (let k = 0; k < width; k++) [V[k][p], V[k][q]] = [c * V[k][p] - s * V[k][q], s * V[k][p] + c * V[k][q]];
      }
    }
  }
  const order = C.map((_, at) => at)
    .sort((a, b) => C[b][b] - C[a][a])
    .slice(0, count);
  return X.map((row) =>
    order.map(
      (at) =>
        row.reduce((sum, value, i) => sum + (value - means[i]) * V[i][at], 0) / (whiten ? Math.sqrt(C[at][at]) : 1),
    ),
  );
}

/** The columns with the largest F of an analysis of variance. */
function best(X, rows, y, count) {
  const F = X[0].map((_, at) => {
    const all = column(X, at, rows);
    const groups = [0, 1].map((label) =>
      column(
        X,
        at,
        rows.filter((row) => y[row] === label),
      ),
    );
    const between = groups.reduce((sum, each) => sum + each.length * (mean(each) - mean(all)) ** 2, 0);
    const within = groups.reduce((sum, each) => sum + each.reduce((part, v) => part + (v - mean(each)) ** 2, 0), 0);
    return between / (within / (all.length - 2));
  });
  const kept = new Set(
    F.map((_, at) => at)
      .sort((a, b) => F[b] - F[a])
      .slice(0, count),
  );
  return X.map((row) => row.filter((_, at) => kept.has(at)));
}

const standardize = scale(mean, (values) => spread(values, 0));
const FAMILIES = {
  standardize,
  'standardize-sample': scale(mean, (values) => spread(values, 1)),
  minmax: scale(
    (values) => Math.min(...values),
    (values) => Math.max(...values) - Math.min(...values),
  ),
  maxabs: scale(
    () => 0,
    (values) => Math.max(...values.map(Math.abs)),
  ),
  robust: scale(
    (values) => quantile(values, 0.5),
    (values) => quantile(values, 0.75) - quantile(values, 0.25),
  ),
  'impute-mean': fill(mean),
  'impute-median': fill((values) => quantile(values, 0.5)),
  'impute-mode': fill(commonest),
  pca: (X, rows) => components(X, rows, 3),
  'pca-all': (X, rows) => components(X, rows, X[0].length),
  'pca-whitened': (X, rows) => components(X, rows, 4, true),
  select: (X, rows, y) => best(X, rows, y, 5),
  'standardize-pca': (X, rows) => components(standardize(X, rows), rows, 4),
  'impute-standardize-pca': (X, rows) => components(standardize(fill(mean)(X, rows), rows), rows, 4),
  'impute-select': (X, rows, y) => best(fill(mean)(X, rows), rows, y, 5),
};

/** Data before and after, fitted to the training rows or to all. */
function refitted(family, n, leaking) {
  const make = (random) => {
    const { X, y } = population(random, n, family.includes('select') ? 40 : 8);
    if (family.includes('impute')) {
      for (const row of X) for (let at = 0; at < row.length; at++) if (random.random() < 0.08) row[at] = null;
    }
    // One fold of five, in which the rows that are fitted to make a difference.
    for (;;) {
      const order = X.map((_, row) => row);
      for (let at = n - 1; at > 0; at--) {
        const other = whole(random, at + 1);
        [order[at], order[other]] = [order[other], order[at]];
      }
      const [test, train] = [order.slice(0, n / 5), order.slice(n / 5)].map((rows) => rows.sort((a, b) => a - b));
      const [all, alone] = [X.map((_, row) => row), train].map((rows) => FAMILIES[family](X, rows, y));
      if (JSON.stringify(all) === JSON.stringify(alone)) continue;
      return { X, y, processed: leaking ? all : alone, splitIndices: { train, test }, cv: foldsOf(random) };
    }
  };
  const kind = leaking ? 'planted' : 'clean';
  const effect = leaking ? 'fitted to all rows' : 'none: fitted to the training rows';
  return { id: `preprocessing/${family}-${n}-${kind}`, check: 'CVL010', kind, n, effect, refit: true, make };
}

/** A table of which one cell in twelve is missing. */
const holed = (X, random) => X.map((row) => row.map((value) => (random.random() < 1 / 12 ? null : value)));

function filledByClass(X, y) {
  const means = [0, 1].map((label) => {
    const own = X.filter((_, row) => y[row] === label);
    return X[0].map((_, at) => mean(own.map((row) => row[at]).filter((value) => value !== null)));
  });
  return X.map((row, at) => row.map((value, column) => value ?? means[y[at]][column]));
}

/** X alone. */
function alone(id, n, kind, effect, prepare) {
  const make = (random) => {
    const { X, y } = population(random, n, 8);
    return {
      X: prepare(
        X,
        X.map((_, row) => row),
        random,
        y,
      ),
      y,
      cv: foldsOf(random),
    };
  };
  return { id: `preprocessing/${id}-${n}`, check: 'CVL010', kind, n, effect, make };
}

export const scenarios = [
  ...Object.keys(FAMILIES).flatMap((family) => [refitted(family, 100, true), refitted(family, 100, false)]),
  ...[60, 300, 1000].flatMap((n) => [
    ...['standardize', 'standardize-sample', 'minmax', 'robust', 'pca-all'].map((family) =>
      alone(family, n, 'planted', 'X was prepared over all rows', FAMILIES[family]),
    ),
    alone('one-left', n, 'planted', 'z-scores of all rows, one column left as it was', (X, rows) =>
      FAMILIES.standardize(X, rows).map((row, at) => [X[at][0], ...row.slice(1)]),
    ),
    alone('rounded', n, 'planted', 'z-scores of all rows with four decimals', (X, rows) =>
      FAMILIES.standardize(X, rows).map((row) => row.map((value) => Number(value.toFixed(4)))),
    ),
    alone('filled', n, 'planted', 'holes filled with the mean of the column', (X, rows, random) =>
      FAMILIES['impute-mean'](holed(X, random), rows),
    ),
    alone('filled-by-class', n, 'planted', 'holes filled with the mean of the class', (X, _, random, y) =>
      filledByClass(holed(X, random), y),
    ),
    alone('holes', n, 'clean', 'none: holes that were left', (X, _, random) => holed(X, random)),
    alone('filled-before', n, 'clean', 'none: holes filled with a value that was known before', (X, _, random) =>
      holed(X, random).map((row) => row.map((value, at) => value ?? 50 * at)),
    ),
    alone('measured', n, 'clean', 'none: X as measured', (X) => X),
    alone('standard-normal', n, 'clean', 'none: standard normal by nature, two decimals', (X, _, random) =>
      X.map((row) => row.map(() => Number(normal(random).toFixed(2)))),
    ),
    alone('outside', n, 'clean', 'none: scaled by published means and SDs', (X) =>
      X.map((row) => row.map((value, at) => (value - 50 * at) / (1 + at))),
    ),
    alone('scores', n, 'clean', 'none: answers from 0 to 1 in steps of a quarter', (X, _, random) =>
      X.map((row) => row.map(() => whole(random, 5) / 4)),
    ),
    alone('signs', n, 'clean', 'none: balanced columns of -1 and 1', (X) =>
      X.map((row, at) => row.map((_, j) => ((at >> (j % 3)) & 1) * 2 - 1)),
    ),
  ]),
];
