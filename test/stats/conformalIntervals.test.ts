import { describe, expect, it } from 'vitest';
import { normalQuantile } from '../../src/core/normalQuantile.js';
import { type RandomSource, randomSource } from '../../src/core/random.js';
import { conformalIntervals } from '../../src/stats/conformalIntervals.js';
import { failure } from '../helpers/failure.js';
import reference from '../reference/decisions.json' with { type: 'json' };

describe('conformalIntervals', () => {
  it.each(reference.conformal)('equals the definitions, written again in numpy (alpha $alpha)', (each) => {
    const { alpha, value, fitted, ahead, groups, folds, expected } = each;
    const kinds = { row: {}, hcp: { groups }, every: { groups, everyRow: true } };
    for (const kind of ['row', 'hcp', 'every'] as const) {
      const options = { alpha, ...kinds[kind] };
      const same = (found: readonly { lower: number | null; upper: number | null }[], limits: (number | null)[][]) =>
        found.forEach(({ lower, upper }, row) => {
          const [low, high] = limits[row].map((limit) => (limit === null ? null : expect.closeTo(limit, 12)));
          expect([lower, upper], kind).toEqual([low, high]);
        });
      same(conformalIntervals(value, fitted, ahead[0], options).intervals, expected[`split_${kind}_interval`]);
      same(conformalIntervals(value, fitted, ahead, { ...options, folds }).intervals, expected[`cv_${kind}_intervals`]);
    }
  });

  it.each([1, 5, 400])('is the plain weighted quantile of sorted sums, with ties: %i models', (nModels) => {
    const random = randomSource(nModels);
    const n = 400;
    const draw = () => Math.round(40 * random.random()) / 8;
    const [yTrue, yPred] = [0, 1].map(() => Array.from({ length: n }, draw));
    const folds = yTrue.map((_, row) => row % nModels);
    const groups =
      nModels < n ? yTrue.map((_, row) => Math.floor(row / nModels / 3) * nModels + (row % nModels)) : undefined;
    const news = Array.from({ length: nModels }, () => Array.from({ length: 7 }, draw));
    const given = { folds, ...(groups ? { groups } : {}) };
    const { intervals } = conformalIntervals(yTrue, yPred, news, given);
    // The definition, sorted anew for every new row.
    const sizes = new Map<number, number>();
    for (const id of groups ?? folds) sizes.set(id, (sizes.get(id) ?? 0) + 1);
    const expected = (row: number, side: number) => {
      const sums = yTrue
        .map((value, at) => ({
          sum: side * news[folds[at]][row] + Math.abs(value - yPred[at]),
          mass: 1 / (sizes.size + 1) / (sizes.get((groups ?? folds)[at]) as number),
        }))
        .sort((a, b) => a.sum - b.sum);
      let reached = 0;
      const found = sums.find(({ mass }) => {
        reached += mass;
        return reached >= 0.9 - 1e-12;
      });
      return side * (found?.sum ?? Infinity);
    };
    expect(intervals).toEqual(intervals.map((_, row) => ({ lower: expected(row, -1), upper: expected(row, 1) })));
  });

  it('sorts the residuals once: 8,000 new rows beside 8,000 residuals in far less than a sort for each', () => {
    const random = randomSource(1);
    const values = () => Float64Array.from({ length: 8000 }, () => random.random());
    const started = performance.now();
    conformalIntervals(values(), values(), values());
    // A sort of 8,000 residuals for each side of each row took 51 s.
    expect(performance.now() - started).toBeLessThan(3000);
  });

  it('has no limits for fewer than 1 / alpha - 1 units, with the reason', () => {
    const found = conformalIntervals([1, 2, 3], [1, 2, 4], [5]);
    expect(found).toMatchObject({ intervals: [{ lower: null, upper: null }], reason: 'only 3 rows, fewer than 9' });
  });

  it('refuses new predictions of more models than there are folds: one list per new row, for example', () => {
    const y = Array.from({ length: 20 }, (_, row) => row);
    const folds = y.map((row) => row % 5);
    const lists = (count: number, length: number) => Array.from({ length: count }, () => new Array(length).fill(1));
    expect(failure(() => conformalIntervals(y, y, lists(7, 5), { folds }))).toMatch(/length_mismatch.*`folds`/);
    expect(() => conformalIntervals(y, y, lists(4, 7), { folds })).toThrow('folds row 4 must be the number of a model');
    expect(conformalIntervals(y, y, lists(5, 7), { folds }).intervals).toHaveLength(7);
  });
});

describe('coverage of conformalIntervals', () => {
  const alpha = 0.1;
  const runs = 600;
  const normal = (random: RandomSource) => normalQuantile(random.random() || 0.5);
  const least = (promise: number) => promise - 3 * Math.sqrt((promise * (1 - promise)) / runs);
  type Point = readonly [x: number, y: number];

  /** Least squares through few points: an unstable learner. */
  function line(points: readonly Point[]): (x: number) => number {
    const mean = (value: (p: Point) => number) => points.reduce((sum, p) => sum + value(p), 0) / points.length;
    const [mx, my] = [mean(([x]) => x), mean(([, y]) => y)];
    const slope = mean(([x, y]) => (x - mx) * (y - my)) / mean(([x]) => (x - mx) ** 2);
    return (x) => my + slope * (x - mx);
  }

  it.each([
    ['CV+', 5],
    ['jackknife+', 20],
  ])('of %s is at least 1 - 2 alpha, and near 1 - alpha', (_, K) => {
    const random = randomSource(33);
    let covered = 0;
    for (let run = 0; run < runs; run++) {
      const points: Point[] = Array.from({ length: 21 }, () => {
        const x = normal(random);
        return [x, x + normal(random)];
      });
      const [x, y] = points[20];
      const rows = points.slice(0, 20);
      const folds = rows.map((__, row) => row % K);
      const models = Array.from({ length: K }, (__, fold) => line(rows.filter((___, row) => folds[row] !== fold)));
      const found = conformalIntervals(
        rows.map(([, value]) => value),
        rows.map(([at], row) => models[folds[row]](at)),
        models.map((model) => [model(x)]),
        { alpha, folds },
      );
      const { lower, upper } = found.intervals[0];
      if ((lower as number) <= y && y <= (upper as number)) covered++;
      expect(found.coverage).toBeLessThanOrEqual(0.8);
    }
    expect(covered / runs).toBeGreaterThan(least(0.8));
    expect(covered / runs).toBeGreaterThan(0.86);
  });

  it('of CV+ by patient is at least 1 - 2 alpha where counting rows falls to less', () => {
    const random = randomSource(34);
    const covered = { rows: 0, patients: 0, everyRow: 0 };
    const K = 4;
    for (let run = 0; run < runs; run++) {
      // 12 patients of 8 rows, each with an offset of his own; the model is the mean of the others.
      const patients = Array.from({ length: 13 }, () => {
        const own = 3 * normal(random);
        return Array.from({ length: 8 }, () => own + 0.3 * normal(random));
      });
      const fresh = patients[12];
      const groups = patients.slice(0, 12).flatMap((rows, id) => rows.map(() => id));
      const yTrue = patients.slice(0, 12).flat();
      const folds = groups.map((id) => id % K);
      const models = Array.from({ length: K }, (_, fold) => {
        const train = yTrue.filter((__, row) => folds[row] !== fold);
        return train.reduce((sum, each) => sum + each, 0) / train.length;
      });
      const yPred = folds.map((fold) => models[fold]);
      const news = models.map((model) => fresh.map(() => model));
      const inside = (options: object) =>
        conformalIntervals(yTrue, yPred, news, { alpha, folds, ...options }).intervals.map(
          ({ lower, upper }, row) => (lower as number) <= fresh[row] && fresh[row] <= (upper as number),
        );
      if (inside({})[0]) covered.rows++;
      if (inside({ groups })[0]) covered.patients++;
      if (inside({ groups, everyRow: true }).every(Boolean)) covered.everyRow++;
    }
    expect(covered.patients / runs).toBeGreaterThan(0.86);
    expect(covered.everyRow / runs).toBeGreaterThan(0.86);
    expect(covered.rows).toBeLessThan(covered.patients - 0.03 * runs);
  });
});
