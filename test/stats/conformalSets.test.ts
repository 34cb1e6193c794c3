import { describe, expect, it } from 'vitest';
import { normalQuantile } from '../../src/core/normalQuantile.js';
import { type RandomSource, randomSource } from '../../src/core/random.js';
import { conformalSets } from '../../src/stats/conformalSets.js';
import reference from '../reference/decisions.json' with { type: 'json' };

describe('conformalSets', () => {
  it.each(reference.conformal)('equals the definitions, written again in numpy (alpha $alpha)', (each) => {
    const { alpha, yTrue, yProba, newProba, groups, folds, expected } = each;
    const classes = [0, 1, 2];
    const kinds = { row: {}, hcp: { groups }, every: { groups, everyRow: true } };
    for (const kind of ['row', 'hcp', 'every'] as const) {
      const options = { alpha, classes, ...kinds[kind] };
      const split = (perClass: boolean) => conformalSets(yTrue, yProba, newProba[0], { ...options, perClass }).sets;
      expect(split(false), kind).toEqual(expected[`split_${kind}_all`]);
      expect(split(true), kind).toEqual(expected[`split_${kind}_class`]);
      expect(conformalSets(yTrue, yProba, newProba, { ...options, folds }).sets, kind).toEqual(
        expected[`cv_${kind}_sets`],
      );
    }
  });

  it('of nine rows at alpha .1 asks for a score below the largest (hand calculation: 9 of 10)', () => {
    const yProba = [0.9, 0.8, 0.7, 0.95, 0.85, 0.75, 0.65, 0.6, 0.55];
    const { sets, note, ...facts } = conformalSets(new Array(9).fill(1), yProba, [0.56, 0.55, 0.54, 0.44]);
    expect(sets).toEqual([[1], [1], [], [0]]);
    expect(note).toBeUndefined();
    const asked = { method: 'split', alpha: 0.1, everyRow: false, perClass: false };
    expect(facts).toEqual({ ...asked, coverage: 0.9, unit: 'row', nUnits: 9 });
  });

  it('of too few rows gives every label, and says so', () => {
    const found = conformalSets([1, 0, 1, 0], [0.9, 0.2, 0.7, 0.1], [0.99]);
    expect(found.sets).toEqual([[0, 1]]);
    expect(found.note).toBe('Always in the set: 0, 1, with fewer than 9 rows.');
  });

  it('promises what CV+ and jackknife+ prove (Barber et al. 2021, theorems 1 and 4)', () => {
    const y = Array.from({ length: 20 }, (_, row) => row % 2);
    const p = y.map(() => 0.5);
    const coverage = (K: number) =>
      conformalSets(y, p, new Array(K).fill([0.5]), { folds: y.map((_, row) => row % K) }).coverage;
    expect(coverage(20)).toBeCloseTo(0.8, 14);
    expect(coverage(5)).toBeCloseTo(0.8 - Math.min((2 * 0.8) / 5, 0.75 / 6), 14);
  });
});

describe('coverage of conformalSets', () => {
  const alpha = 0.1;
  const runs = 1500;
  const expit = (u: number) => 1 / (1 + Math.exp(-u));
  const normal = (random: RandomSource) => normalQuantile(random.random() || 0.5);
  /** Three Monte Carlo standard errors below the promise. */
  const least = (promise: number) => promise - 3 * Math.sqrt((promise * (1 - promise)) / runs);

  it('split and per class is at least 1 - alpha, also with a bad model', { tags: 'slow' }, () => {
    const random = randomSource(31);
    const covered = { split: 0, rareSplit: 0, rarePerClass: 0 };
    for (let run = 0; run < runs; run++) {
      // One in five is positive; the model thinks the others far more likely than they are.
      const draw = (n: number, y?: number) => {
        const yTrue = Array.from({ length: n }, () => y ?? (random.random() < 0.2 ? 1 : 0));
        return { yTrue, yProba: yTrue.map((each) => expit(each + normal(random) - 2)) };
      };
      const rows = draw(99);
      const [any, rare] = [draw(1), draw(1, 1)];
      const sets = (perClass: boolean) =>
        conformalSets(rows.yTrue, rows.yProba, [any.yProba[0], rare.yProba[0]], { alpha, perClass, classes: [0, 1] })
          .sets;
      const [split, perClass] = [sets(false), sets(true)];
      if (split[0].includes(any.yTrue[0])) covered.split++;
      if (split[1].includes(1)) covered.rareSplit++;
      if (perClass[1].includes(1)) covered.rarePerClass++;
    }
    expect(covered.split / runs).toBeGreaterThan(least(0.9));
    expect(covered.split / runs).toBeLessThan(0.93);
    expect(covered.rarePerClass / runs).toBeGreaterThan(least(0.9));
    expect(covered.rareSplit / runs).toBeLessThan(0.75); // the average over classes hides the rare one
  });

  it('by patient is at least 1 - alpha where counting rows falls below', { tags: 'slow' }, () => {
    const random = randomSource(32);
    const covered = { rows: 0, patients: 0, everyRow: 0 };
    for (let run = 0; run < runs; run++) {
      // 12 patients; whether the model is right depends on the patient far more than on his row.
      const patient = (size: number) => {
        const own = 2 * normal(random);
        return Array.from({ length: size }, () => expit(1 + own + 0.3 * normal(random)));
      };
      const patients = Array.from({ length: 12 }, () => patient(10));
      const groups = patients.flatMap((rows, id) => rows.map(() => id));
      const fresh = patient(10);
      const yTrue = groups.map(() => 1);
      const sets = (options: object) =>
        conformalSets(yTrue, patients.flat(), fresh, { alpha, classes: [0, 1], ...options }).sets.map((set) =>
          set.includes(1),
        );
      if (sets({})[0]) covered.rows++;
      if (sets({ groups })[0]) covered.patients++;
      if (sets({ groups, everyRow: true }).every(Boolean)) covered.everyRow++;
    }
    expect(covered.patients / runs).toBeGreaterThan(least(0.9));
    expect(covered.everyRow / runs).toBeGreaterThan(least(0.9));
    expect(covered.rows / runs).toBeLessThan(0.87);
  });
});
