import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CVResults } from '../../src/runner/cvResults.js';
import { readData } from '../../src/runner/readData.js';
import { foldsOf, hasInner, innerFoldsOf } from '../../src/splitters/foldsOf.js';
import { HoldOut } from '../../src/splitters/iid/holdOut.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { MonteCarloCV } from '../../src/splitters/iid/monteCarloCV.js';
import { RepeatedKFold } from '../../src/splitters/iid/repeatedKFold.js';
import { StratifiedKFold } from '../../src/splitters/iid/stratifiedKFold.js';
import type { Splitter } from '../../src/splitters/splitter.js';
import { HalvesDesign } from '../../src/validator/halfRuns.js';
import { halvesKind } from '../../src/validator/intervalNeeds.js';

interface Rows {
  /** Patient of each row. */
  readonly patient: number;
  readonly label: number;
  readonly weight: number;
}

const problemOf = (rows: readonly Rows[], { weighted = true, grouped = true } = {}) =>
  readData(
    {
      X: rows.map((_, row) => [row]),
      y: rows.map(({ label }) => label),
      ...(grouped ? { groups: rows.map(({ patient }) => patient) } : {}),
      ...(weighted ? { sampleWeight: rows.map(({ weight }) => weight) } : {}),
    },
    { task: 'binary', positiveLabel: 1 },
  );

type Settings = ConstructorParameters<typeof HalvesDesign>[3];

function halvesOf(problem: ReturnType<typeof problemOf>, splitter: Splitter, settings: Partial<Settings> = {}) {
  const plan = foldsOf(splitter, problem.X.length, problem.y, problem.data);
  const kind = halvesKind(plan, problem);
  if (kind === undefined) throw new Error('no halves');
  const design = new HalvesDesign(kind, plan, problem, { count: 5, seed: 1, sampling: 'cohort', ...settings });
  return { design, plan, folds: [...foldsOf(design, problem.X.length, problem.y, problem.data)] };
}

const setOf = (fold: { readonly train: Int32Array; readonly test: Int32Array }, side: 'train' | 'test') =>
  Array.from(fold[side]);
const ascending = (rows: Iterable<number>) => [...rows].sort((a, b) => a - b);
const pairsOf = <T>(folds: readonly T[]) =>
  Array.from({ length: folds.length / 2 }, (_, halving) => [folds[2 * halving], folds[2 * halving + 1]] as const);

/** Patients of 1-4 rows; labels by row, weights of which some are 0. Both classes are there. */
const rowsArbitrary = fc
  .array(
    fc.array(fc.record({ label: fc.integer({ min: 0, max: 1 }), weight: fc.integer({ min: 0, max: 3 }) }), {
      minLength: 1,
      maxLength: 4,
    }),
    { minLength: 6, maxLength: 30 },
  )
  .map((patients): Rows[] => [
    ...patients.flatMap((rows, patient) => rows.map((row) => ({ patient, ...row }))),
    ...[0, 1, 0, 1].map((label, at) => ({ patient: patients.length + at, label, weight: 1 })),
  ]);

/** Classes of a patient, by rows that count: "0", "1", "01" or, without any, "". */
const kindOf = (rows: readonly Rows[], patient: number) =>
  ascending(new Set(rows.filter((each) => each.patient === patient && each.weight > 0).map(({ label }) => label))).join(
    '',
  );

describe('HalvesDesign', () => {
  it('halves the patients that count, whole, in sizes that differ by at most one', () => {
    fc.assert(
      fc.property(rowsArbitrary, fc.integer(), (rows, seed) => {
        const problem = problemOf(rows);
        const { folds, design } = halvesOf(problem, new KFold({ nSplits: 3 }), { seed });
        const counting = ascending(new Set(rows.map(({ patient }) => patient))).filter((each) => kindOf(rows, each));
        expect(design.kind).toBe('crossed');
        expect(design.getNSplits()).toBe(10);
        expect(folds).toHaveLength(10);
        for (const [a, b] of pairsOf(folds)) {
          // Each is tested by the model of the other, and nothing else is tested.
          expect(setOf(a, 'test')).toEqual(setOf(b, 'train'));
          expect(setOf(a, 'train')).toEqual(setOf(b, 'test'));
          expect(a.repeat).toBe(b.repeat);
          const [first, second] = [a, b].map(({ test }) => new Set(Array.from(test, (row) => rows[row].patient)));
          expect([...first].filter((patient) => second.has(patient))).toEqual([]);
          expect(ascending([...first, ...second])).toEqual(counting);
          expect(Math.abs(first.size - second.size)).toBeLessThanOrEqual(1);
          // With all of their rows.
          const all = rows.flatMap(({ patient }, row) => (counting.includes(patient) ? [row] : []));
          expect(ascending([...a.test, ...b.test])).toEqual(all);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('halves every class under case-control sampling; patients with rows of both are a class of their own', () => {
    fc.assert(
      fc.property(rowsArbitrary, fc.integer(), (rows, seed) => {
        const { folds } = halvesOf(problemOf(rows), new KFold({ nSplits: 3 }), { seed, sampling: 'case_control' });
        for (const pair of pairsOf(folds)) {
          const halves = pair.map(({ test }) => new Set(Array.from(test, (row) => rows[row].patient)));
          const sizes = (kind: string) =>
            halves.map((patients) => [...patients].filter((each) => kindOf(rows, each) === kind).length);
          for (const kind of ['0', '1', '01']) {
            const [first, second] = sizes(kind);
            expect(Math.abs(first - second)).toBeLessThanOrEqual(1);
          }
          expect(Math.abs(halves[0].size - halves[1].size)).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 60 },
    );
  });

  const rows = Array.from({ length: 41 }, (_, row) => ({
    patient: Math.floor(row / 2),
    label: row % 3 ? 0 : 1,
    weight: 1,
  }));
  const problem = problemOf(rows, { weighted: false });
  const kFold = new KFold({ nSplits: 4 });

  it('lets classes fall as they may in a cohort', () => {
    const alone = rows.map((row, at) => ({ ...row, patient: at }));
    const { folds } = halvesOf(problemOf(alone), kFold, { count: 10 });
    const positives = folds.map(({ test }) => test.filter((row) => alone[row].label === 1).length);
    expect(Math.max(...positives) - Math.min(...positives)).toBeGreaterThan(1);
  });

  it('has the same halving r whatever their number, from its seed', () => {
    const of = (settings: Partial<Settings>) =>
      halvesOf(problem, kFold, settings).folds.map(({ id, train, test, repeat }) => ({
        id,
        repeat,
        train: Array.from(train),
        test: Array.from(test),
      }));
    const five = of({ count: 5 });
    expect(of({ count: 10 }).slice(0, 10)).toEqual(five);
    expect(of({ count: 5 })).toEqual(five);
    expect(of({ seed: 2 })).not.toEqual(five);
    expect(new Set(five.map(({ test }) => String(test))).size).toBe(10);
    expect(five.slice(0, 3).map(({ id }) => id)).toEqual(['halving-0_half-0', 'halving-0_half-1', 'halving-1_half-0']);
  });

  it('takes rows as units where no patients are named, and sites where there are ten or more', () => {
    const single = halvesOf(problemOf(rows, { weighted: false, grouped: false }), kFold).folds;
    expect(single.map(({ test }) => test.length)).toEqual(pairsOf(single).flatMap(() => [21, 20]));
    const site = rows.map(({ patient }) => patient % 10);
    const sites = readData(
      {
        X: rows.map((_, row) => [row]),
        y: rows.map(({ label }) => label),
        hierarchy: { site, patient: rows.map((r) => r.patient) },
      },
      {},
    );
    for (const { train, test } of halvesOf(sites, kFold).folds) {
      const trained = new Set(Array.from(train, (row) => site[row]));
      expect(trained.size).toBe(5);
      expect(Array.from(test).filter((row) => trained.has(site[row]))).toEqual([]);
    }
  });

  it('of one fold halves the training patients and tests both models on its test rows', () => {
    fc.assert(
      fc.property(rowsArbitrary, fc.integer(), (drawn, seed) => {
        const given = problemOf(drawn);
        const testFold = drawn.map(({ patient }) => (patient % 3 === 0 ? 0 : -1));
        const train = testFold.flatMap((fold, row) => (fold === -1 ? [row] : []));
        const test = testFold.flatMap((fold, row) => (fold === 0 ? [row] : []));
        const one: Splitter = {
          claims: {},
          getNSplits: () => 1,
          *split() {
            yield { train: Int32Array.from(train), test: Int32Array.from(test) };
          },
        };
        const { design, folds } = halvesOf(given, one, { seed });
        expect(design.kind).toBe('test_set');
        const counting = new Set(train.map((row) => drawn[row].patient).filter((each) => kindOf(drawn, each)));
        for (const [a, b] of pairsOf(folds)) {
          expect(setOf(a, 'test')).toEqual(test);
          expect(setOf(b, 'test')).toEqual(test);
          const [first, second] = [a, b].map((fold) => new Set(Array.from(fold.train, (row) => drawn[row].patient)));
          expect([...first].filter((patient) => second.has(patient))).toEqual([]);
          expect(ascending([...first, ...second])).toEqual(ascending(counting));
          expect(Math.abs(first.size - second.size)).toBeLessThanOrEqual(1);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('makes inner folds of each half with the inner splitter of a nested design', () => {
    const { folds } = halvesOf(problem, kFold, {
      inner: new StratifiedKFold({ nSplits: 2, shuffle: true, randomState: 3 }),
    });
    for (const fold of folds) {
      if (!hasInner(fold)) throw new Error('no inner folds');
      const trained = new Set(fold.train);
      const inner = [...innerFoldsOf(fold, rows.length)];
      expect(inner).toHaveLength(2);
      for (const { train, test } of inner) {
        expect(ascending([...train, ...test])).toEqual(ascending(fold.train));
        expect([...train, ...test].every((row) => trained.has(row))).toBe(true);
      }
    }
  });

  it('says of each half that a callback kept from running that it did', () => {
    const { design, plan } = halvesOf(problem, kFold);
    const { kind, halvings } = design.halvesOf({ folds: [], plan } as unknown as CVResults, {});
    expect(kind).toBe('crossed');
    expect(halvings).toHaveLength(5);
    expect(halvings.flat().every(({ table, error }) => !table && error === 'a callback ended the run')).toBe(true);
  });
});

describe('halvesKind', () => {
  const n = 30;
  const X = Array.from({ length: n }, (_, row) => [row]);
  const y = X.map((_, row) => row % 2);
  const kindOfPlan = (splitter: Splitter, weight?: readonly number[]) => {
    const { data, weight: read } = readData({ X, y, ...(weight ? { sampleWeight: weight } : {}) }, {});
    return halvesKind(foldsOf(splitter, n), { ...data, weight: read });
  };

  it('is crossed where every row that counts is tested once per repeat, and test_set for one fold', () => {
    expect(kindOfPlan(new KFold())).toBe('crossed');
    expect(kindOfPlan(new RepeatedKFold({ nSplits: 3, nRepeats: 2 }))).toBe('crossed');
    expect(kindOfPlan(new HoldOut({ randomState: 1 }))).toBe('test_set');
    expect(kindOfPlan(new MonteCarloCV({ nIterations: 5, randomState: 1 }))).toBeUndefined();
    // Rows are tested twice, but not once per repeat.
    const swapped: Splitter = {
      claims: {},
      getNSplits: () => 4,
      *split() {
        const parity = (side: number) => Int32Array.from({ length: 15 }, (_, at) => 2 * at + side);
        for (const at of [0, 1, 2, 3]) {
          yield { id: `f${at}`, repeat: at % 2, train: parity(1 - (at % 2)), test: parity(at % 2) };
        }
      },
    };
    expect(kindOfPlan(swapped)).toBeUndefined();
    const without: Splitter = {
      claims: {},
      getNSplits: () => 2,
      *split() {
        const rowsOf = (from: number, to: number) => Int32Array.from({ length: to - from }, (_, at) => from + at);
        yield { train: rowsOf(15, 30), test: rowsOf(0, 15) };
        yield { train: rowsOf(0, 15), test: rowsOf(15, 29) };
      },
    };
    expect(kindOfPlan(without)).toBeUndefined();
    expect(
      kindOfPlan(
        without,
        X.map((_, row) => (row === 29 ? 0 : 1)),
      ),
    ).toBe('crossed');
  });

  it('keep a patient who was seen at two sites in one half', () => {
    // Thirty sites in pairs: a patient of each pair has a row at both.
    const rows = Array.from({ length: 60 }, (_, row) => ({
      patient: Math.floor(row / 2),
      site: row % 2 === 0 ? row % 30 : (row - 1) % 30 === 28 ? 0 : ((row - 1) % 30) + 1,
      label: row % 2,
    }));
    const problem = readData(
      {
        X: rows.map((_, row) => [row]),
        y: rows.map(({ label }) => label),
        groups: rows.map(({ patient }) => patient),
        hierarchy: { site: rows.map(({ site }) => site) },
      },
      { task: 'binary', positiveLabel: 1 },
    );
    const { folds } = halvesOf(problem, new KFold());
    for (const { train, test } of folds) {
      const trained = new Set(Array.from(train, (row) => rows[row].patient));
      expect(Array.from(test).filter((row) => trained.has(rows[row].patient))).toEqual([]);
    }
  });
});
