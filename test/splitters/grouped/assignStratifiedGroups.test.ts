import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InfeasibleSplitError } from '../../../src/core/errors.js';
import { type RandomSource, randomSource } from '../../../src/core/random.js';
import { assignStratifiedGroups } from '../../../src/splitters/grouped/assignStratifiedGroups.js';
import { caseOf, inputOf, type Measures, measurer, placements, reference } from '../stratifiedGroups.js';

type Held = readonly (readonly number[])[];

const assign = (held: Held, nSplits: number, source: RandomSource | undefined, pool = false) =>
  assignStratifiedGroups(...inputOf(held), nSplits, source, { onInfeasible: pool ? 'pool' : 'error' });
const sourceOf = (seed: number | undefined) => (seed === undefined ? undefined : randomSource(seed));
const sum = ({ classes, rows }: Measures) => classes + rows;
const ROUNDING = 1e-9;

describe('assignStratifiedGroups against scikit-learn 1.9.1 (test/reference/stratifiedGroups.json)', () => {
  const results = reference.cases.map((line) => {
    const { nSplits, held, seed, folds } = caseOf(line);
    const measure = measurer(held, nSplits);
    const ours = measure(assign(held, nSplits, sourceOf(seed)).foldOf);
    return { line, nSplits, held, measure, ours, theirs: measure(Array.from(folds, Number)) };
  });
  /** Where scikit-learn's folds lack no class that ours have: only there balance can be compared. */
  const comparable = results.filter(({ ours, theirs }) => theirs.weak === 0 && theirs.lacked === ours.lacked);

  it('has two classes in every fold of 2,000 cases, and never lacks more classes', () => {
    expect(results.length).toBe(2000);
    for (const { line, ours, theirs } of results) {
      expect(ours.weak, line).toBe(0);
      if (theirs.weak === 0) expect(ours.lacked, line).toBeLessThanOrEqual(theirs.lacked);
    }
    // scikit-learn: 49 cases with a fold of one class, 39 more that lack a class which ours have
    expect(results.filter(({ theirs }) => theirs.weak > 0).length).toBe(49);
    expect(comparable.length).toBe(1912);
  });

  it('is never less even, neither in classes nor in rows, and more even in most cases', () => {
    let better = 0;
    for (const { line, ours, theirs } of comparable) {
      expect(ours.classes, line).toBeLessThanOrEqual(theirs.classes + ROUNDING);
      expect(ours.rows, line).toBeLessThanOrEqual(theirs.rows + ROUNDING);
      if (sum(ours) < sum(theirs) - ROUNDING) better++;
    }
    expect(better).toBeGreaterThan(comparable.length / 2);
  });

  it('is the best there is within those bounds in every case of up to 8 groups, by brute force', () => {
    const tiny = results.filter(({ held }) => held.length <= 8);
    expect(tiny.length).toBeGreaterThan(200);
    for (const { line, nSplits, held, measure, ours, theirs } of tiny) {
      const feasible = Array.from(placements(held.length, nSplits), measure);
      const lacked = Math.min(...feasible.filter(({ weak }) => weak === 0).map((each) => each.lacked));
      const bound = theirs.weak === 0 && theirs.lacked === lacked;
      const sums = feasible
        .filter((each) => each.weak === 0 && each.lacked === lacked)
        .filter((each) => !bound || (each.classes <= theirs.classes + 1e-12 && each.rows <= theirs.rows + 1e-12))
        .map(sum);
      expect(ours.lacked, line).toBe(lacked);
      expect(sum(ours), line).toBeLessThanOrEqual(Math.min(...sums) + ROUNDING);
    }
  });
}, 120_000);

describe('assignStratifiedGroups', () => {
  /** Rows of up to four classes in up to 8 groups; a class number is a row. */
  const tables = fc.array(fc.array(fc.nat(3), { minLength: 1, maxLength: 4 }), { minLength: 2, maxLength: 8 });
  const drawn = fc.option(fc.nat(), { nil: undefined });

  it('has two classes in every fold exactly where brute force finds such folds; pooled, as many as there can be', {
    tags: 'slow',
    timeout: 60_000,
  }, () => {
    const seen = { feasible: 0, infeasible: 0 };
    fc.assert(
      fc.property(tables, fc.integer({ min: 2, max: 4 }), drawn, (held, nSplits, seed) => {
        fc.pre(held.length >= nSplits && new Set(held.flat()).size > 1);
        const measure = measurer(held, nSplits);
        const all = Array.from(placements(held.length, nSplits), measure);
        const weak = Math.min(...all.filter(({ empty }) => empty === 0).map((each) => each.weak));
        const pooled = assign(held, nSplits, sourceOf(seed), true);
        const ours = measure(pooled.foldOf);
        expect([ours.empty, ours.weak]).toEqual([0, weak]);
        expect(pooled.warnings.some((text) => text.endsWith('not fold by fold.'))).toBe(weak > 0);
        expect(pooled.warnings.length > 0).toBe(ours.lacked > 0);
        if (weak > 0) {
          seen.infeasible++;
          expect(() => assign(held, nSplits, sourceOf(seed))).toThrow(InfeasibleSplitError);
        } else {
          seen.feasible++;
          expect(assign(held, nSplits, sourceOf(seed)).foldOf).toEqual(pooled.foldOf);
        }
      }),
      { numRuns: 500 },
    );
    expect(seen.feasible).toBeGreaterThan(50);
    expect(seen.infeasible).toBeGreaterThan(50);
  });

  it('names the largest number of folds that is feasible: one more is refused, that many are made', () => {
    let refused = 0;
    fc.assert(
      fc.property(tables, (held) => {
        fc.pre(new Set(held.flat()).size > 1);
        let most = held.length;
        try {
          assign(held, most, undefined);
        } catch (error) {
          expect(error).toBeInstanceOf(InfeasibleSplitError);
          most = Number(/at most (\d+)/.exec((error as Error).message)?.[1]);
          refused++;
        }
        if (most < held.length) expect(() => assign(held, most + 1, undefined)).toThrow(`= ${most}`);
        if (most >= 2) expect(measurer(held, most)(assign(held, most, undefined).foldOf).weak).toBe(0);
      }),
      { numRuns: 1000 },
    );
    expect(refused).toBeGreaterThan(100);
  });

  it('makes the largest feasible number of folds of up to 65 groups, mostly of one class', {
    tags: 'slow',
    timeout: 60_000,
  }, () => {
    let tight = 0;
    for (let seed = 0; seed < 400; seed++) {
      const source = randomSource(seed);
      const whole = (count: number) => Math.floor(source.random() * count);
      const [classes, common] = [2 + whole(5), source.random()];
      const held = Array.from({ length: 6 + whole(60) }, () => {
        const label = source.random() < common ? 0 : whole(classes);
        const rows = Array<number>(1 + Math.floor(30 * source.random() ** 5)).fill(label);
        return source.random() < 0.1 ? [...rows, whole(classes)] : rows;
      });
      const single = held.filter((rows) => new Set(rows).size === 1).map(([label]) => label);
      const perClass = Array.from({ length: classes }, (_, label) => single.filter((each) => each === label).length);
      const pairs = Math.min(Math.floor(single.length / 2), single.length - Math.max(...perClass));
      const nSplits = held.length - single.length + pairs;
      if (nSplits < 2 || new Set(held.flat()).size < 2) continue;
      tight++;
      expect(measurer(held, nSplits)(assign(held, nSplits, source).foldOf).weak, `seed ${seed}`).toBe(0);
    }
    expect(tight).toBeGreaterThan(300);
  });

  it('draws from the source only, and nothing without one', () => {
    const { held, nSplits } = caseOf(reference.cases[2]);
    const state = randomSource(5);
    const [first, second] = [assign(held, nSplits, state).foldOf, assign(held, nSplits, state).foldOf];
    expect(first).toEqual(assign(held, nSplits, randomSource(5)).foldOf);
    expect(first).not.toEqual(second);
    expect(assign(held, nSplits, undefined).foldOf).toEqual(assign(held, nSplits, undefined).foldOf);
  });

  it('names its owner in every error', () => {
    const owned = (held: Held, nSplits: number) => () =>
      assignStratifiedGroups(...inputOf(held), nSplits, undefined, { owner: 'RepeatedGroupKFold' });
    for (const split of [owned([[0], [1]], 3), owned([[0], [0]], 2), owned([[0], [0], [1]], 2)]) {
      expect(split).toThrow(/RepeatedGroupKFold/);
    }
  });

  it('takes many groups at once', () => {
    const held = Array.from({ length: 10_000 }, (_, i) => Array.from({ length: 1 + (i % 19) }, (_, j) => (i * j) % 3));
    const { classes, rows, lacked } = measurer(held, 5)(assign(held, 5, randomSource(0)).foldOf);
    // 100,000 rows of three classes: by hand, 1e-4 of a class is about three rows
    expect(classes + rows).toBeLessThan(1e-4);
    expect(lacked).toBe(0);
  });
});
