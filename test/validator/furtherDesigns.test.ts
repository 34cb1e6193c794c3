import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CVResults } from '../../src/runner/cvResults.js';
import { readData } from '../../src/runner/readData.js';
import { foldsOf, hasInner, innerFoldsOf } from '../../src/splitters/foldsOf.js';
import { GroupKFold } from '../../src/splitters/grouped/groupKFold.js';
import { RepeatedGroupKFold } from '../../src/splitters/grouped/repeatedGroupKFold.js';
import { BootstrapValidation } from '../../src/splitters/iid/bootstrapValidation.js';
import { HoldOut } from '../../src/splitters/iid/holdOut.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { MonteCarloCV } from '../../src/splitters/iid/monteCarloCV.js';
import { NestedCV } from '../../src/splitters/iid/nestedCV.js';
import { RepeatedKFold } from '../../src/splitters/iid/repeatedKFold.js';
import { StratifiedKFold } from '../../src/splitters/iid/stratifiedKFold.js';
import type { Fold, Splitter } from '../../src/splitters/splitter.js';
import {
  halvesDesign,
  halvesFrom,
  nestedDesign,
  type RunAgain,
  refitEstimates,
} from '../../src/validator/furtherDesigns.js';
import { halvesKind } from '../../src/validator/intervalNeeds.js';

interface Rows {
  /** Patient of each row. */
  readonly patient: number;
  readonly label: number;
  readonly weight: number;
}

const problemOf = (rows: readonly Omit<Rows, 'weight'>[], side: object = {}) =>
  readData(
    {
      X: rows.map((_, row) => [row]),
      y: rows.map(({ label }) => label),
      groups: rows.map(({ patient }) => patient),
      ...side,
    },
    { task: 'binary', positiveLabel: 1 },
  );

const weighted = (rows: readonly Rows[]) => problemOf(rows, { sampleWeight: rows.map(({ weight }) => weight) });

/** No unit is on both sides. */
function expectWhole({ train, test }: Pick<Fold, 'train' | 'test'>, unitOf: ArrayLike<unknown>) {
  const trained = new Set(Array.from(train, (row) => unitOf[row]));
  expect(Array.from(test).filter((row) => trained.has(unitOf[row]))).toEqual([]);
}

/** Both halves together are these patients, as many in the one as in the other, but for one. */
function expectHalves(halves: readonly Int32Array[], rows: readonly Rows[], counting: Iterable<number>) {
  const [first, second] = halves.map((half) => new Set(Array.from(half, (row) => rows[row].patient)));
  expect([...first].filter((patient) => second.has(patient))).toEqual([]);
  expect(ascending([...first, ...second])).toEqual(ascending(counting));
  expect(Math.abs(first.size - second.size)).toBeLessThanOrEqual(1);
}

type Settings = Parameters<typeof halvesDesign>[3];

function halvesOf(problem: ReturnType<typeof problemOf>, splitter: Splitter, settings: Partial<Settings> = {}) {
  const plan = foldsOf(splitter, problem.X.length, problem.y, problem.data);
  const kind = halvesKind(plan, problem);
  if (kind === undefined) throw new Error('no halves');
  const design = halvesDesign(kind, plan, problem, { count: 5, seed: 1, sampling: 'cohort', ...settings });
  const folds = foldsOf(design, problem.X.length, problem.y, problem.data);
  return { kind, plan: folds, folds: [...folds] };
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

describe('halvesDesign', () => {
  it('halves the patients that count, whole, in sizes that differ by at most one', () => {
    fc.assert(
      fc.property(rowsArbitrary, fc.integer(), (rows, seed) => {
        const problem = weighted(rows);
        const { folds, kind } = halvesOf(problem, new KFold({ nSplits: 3 }), { seed });
        const counting = ascending(new Set(rows.map(({ patient }) => patient))).filter((each) => kindOf(rows, each));
        expect(kind).toBe('crossed');
        expect(folds).toHaveLength(10);
        for (const [a, b] of pairsOf(folds)) {
          // Each is tested by the model of the other, and nothing else is tested.
          expect(setOf(a, 'test')).toEqual(setOf(b, 'train'));
          expect(setOf(a, 'train')).toEqual(setOf(b, 'test'));
          expect(a.repeat).toBe(b.repeat);
          expectHalves([a.test, b.test], rows, counting);
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
        const { folds } = halvesOf(weighted(rows), new KFold({ nSplits: 3 }), { seed, sampling: 'case_control' });
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
  const problem = problemOf(rows);
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
    const single = halvesOf(problemOf(rows, { groups: undefined }), kFold).folds;
    expect(single.map(({ test }) => test.length)).toEqual(pairsOf(single).flatMap(() => [21, 20]));
    const site = rows.map(({ patient }) => patient % 10);
    const hierarchy = { site, patient: rows.map((each) => each.patient) };
    for (const fold of halvesOf(problemOf(rows, { groups: undefined, hierarchy }), kFold).folds) {
      expect(new Set(Array.from(fold.train, (row) => site[row])).size).toBe(5);
      expectWhole(fold, site);
    }
  });

  it('of one fold halves the training patients and tests both models on its test rows', () => {
    fc.assert(
      fc.property(rowsArbitrary, fc.integer(), (drawn, seed) => {
        const given = weighted(drawn);
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
        const { kind, folds } = halvesOf(given, one, { seed });
        expect(kind).toBe('test_set');
        const counting = new Set(train.map((row) => drawn[row].patient).filter((each) => kindOf(drawn, each)));
        for (const [a, b] of pairsOf(folds)) {
          expect(setOf(a, 'test')).toEqual(test);
          expect(setOf(b, 'test')).toEqual(test);
          expectHalves([a.train, b.train], drawn, counting);
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
    const { plan } = halvesOf(problem, kFold);
    const { halvings } = halvesFrom({ folds: [], plan }, problem, { kind: 'crossed', sampling: 'cohort' });
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
    const problem = problemOf(rows, { hierarchy: { site: rows.map(({ site }) => site) } });
    const patientOf = rows.map(({ patient }) => patient);
    for (const fold of halvesOf(problem, new KFold()).folds) expectWhole(fold, patientOf);
  });
});

/** Data of `n` rows; a patient has the rows of one code. */
const nestedProblem = (groups: readonly number[] | undefined, n = groups?.length ?? 0) => {
  const rows = Array.from({ length: n }, (_, row) => row);
  return readData({ X: rows.map((row) => [row]), y: rows.map((row) => row % 2), ...(groups ? { groups } : {}) }, {});
};

describe('nestedDesign', () => {
  it('trains K models without one fold and K (K - 1) / 2 without two, each tested on what it left out', () => {
    const problem = nestedProblem(undefined, 24);
    const design = nestedDesign(new KFold({ nSplits: 4, shuffle: true }), problem, { repeats: 2, seed: 3 });
    const plan = [...foldsOf(design.splitter, 24)];
    expect(plan).toHaveLength((2 * 4 * 5) / 2);
    for (const repeat of [0, 1]) {
      const folds = plan.filter((fold) => fold.repeat === repeat);
      const tests = folds.slice(0, 4).map(({ test }) => Array.from(test));
      expect(ascending(tests.flat())).toEqual(Array.from({ length: 24 }, (_, row) => row));
      const unions = tests.flatMap((first, j) => tests.slice(j + 1).map((second) => ascending([...first, ...second])));
      expect(folds.slice(4).map(({ test }) => Array.from(test))).toEqual(unions);
      for (const { train, test } of folds) expect(train.length + test.length).toBe(24);
    }
    const [first, second] = [plan[0], plan[10]].map(({ test }) => Array.from(test));
    expect(first).not.toEqual(second);
  });

  it('gives each test of a pair to both outer folds', () => {
    const problem = nestedProblem(undefined, 12);
    const design = nestedDesign(new KFold({ nSplits: 3 }), problem, { repeats: 1, seed: 3 });
    const tests = design.testsOf({ folds: [] });
    // Consecutive folds: rows 0-3, 4-7 and 8-11.
    expect(tests.map(({ outer, inner, units }) => [outer, inner, units[0], units.length])).toEqual([
      [0, null, 0, 4],
      [1, null, 4, 4],
      [2, null, 8, 4],
      [1, 0, 0, 4],
      [0, 1, 4, 4],
      [2, 0, 0, 4],
      [0, 2, 8, 4],
      [2, 1, 4, 4],
      [1, 2, 8, 4],
    ]);
    expect(tests[0].error).toBe('a callback ended the run');
  });

  it('never has a patient on both sides of any fold', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 12, maxLength: 40 }),
        fc.integer({ min: 3, max: 5 }),
        fc.integer({ min: 1, max: 3 }),
        fc.integer({ min: 0, max: 1e6 }),
        fc.boolean(),
        (sizes, nSplits, repeats, seed, repeated) => {
          const groups = sizes.flatMap((size, patient) => Array.from({ length: size }, () => patient));
          const problem = nestedProblem(groups);
          const splitter = repeated
            ? new RepeatedGroupKFold({ nSplits, nRepeats: 2, randomState: 1 })
            : new GroupKFold({ nSplits });
          const design = nestedDesign(splitter, problem, { repeats, seed });
          const plan = [...foldsOf(design.splitter, groups.length, problem.y, problem.data)];
          expect(plan).toHaveLength((repeats * nSplits * (nSplits + 1)) / 2);
          for (const fold of plan) expectWhole(fold, groups);
          for (const { units, outer, inner } of design.testsOf({ folds: [] })) {
            expect(units.length).toBeGreaterThan(0);
            expect(outer).not.toBe(inner);
          }
        },
      ),
      { numRuns: 40 },
    );
  });

  it('draws repeats of its own seed, whatever the seed and the repeats of the splitter', () => {
    const of = (nRepeats: number, seed: number) =>
      [
        ...foldsOf(
          nestedDesign(new RepeatedKFold({ nSplits: 3, nRepeats, randomState: 9 }), nestedProblem(undefined, 15), {
            repeats: 2,
            seed,
          }).splitter,
          15,
        ),
      ].map(({ test }) => Array.from(test));
    expect(of(1, 4)).toEqual(of(5, 4));
    expect(of(1, 4)).not.toEqual(of(1, 5));
  });
});

/** What one refit would run. */
type Asked = Parameters<RunAgain>[0];

/** Row numbers as features, so that rows drawn can be told; `y` by patient. */
function refitProblem(groups: readonly number[], labelOf = (patient: number) => patient % 2) {
  const X = groups.map((_, row) => [row]);
  const weight = groups.map((_, row) => 1 + (row % 3));
  return readData({ X, y: groups.map(labelOf), groups, sampleWeight: weight }, {});
}

/** The refits of a design, not run but looked at. */
async function askedFor(
  problem: ReturnType<typeof problemOf>,
  splitter: Splitter,
  {
    count = 20,
    sampling = 'cohort',
    look = () => ({}),
  }: {
    count?: number;
    sampling?: 'cohort' | 'case_control';
    look?: (asked: Asked) => Record<string, number | null>;
  } = {},
) {
  const plan = foldsOf(splitter, problem.X.length, problem.y, problem.data);
  const asked: Asked[] = [];
  const runAgain: RunAgain = async (run) => {
    asked.push(run);
    return run as unknown as CVResults;
  };
  const input = { problem, plan, count, seed: 5, sampling };
  const refitsOf = await refitEstimates(input, runAgain, (run) => look(run as unknown as Asked));
  return { asked, refitsOf };
}

const idsIn = ({ problem }: Asked) => Array.from(problem.data.groups as ArrayLike<number>);
const rowsIn = async ({ problem }: Asked) => ((await problem.X.toArrays()) as number[][]).map(([row]) => row);

const patients = (count: number, rowsEach: number) =>
  Array.from({ length: count * rowsEach }, (_, row) => Math.floor(row / rowsEach));

describe('refitEstimates', () => {
  it('draws whole patients with everything that belongs to their rows, in the folds that the plan gave them', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 8, maxLength: 20 }),
        fc.integer({ min: 2, max: 4 }),
        async (sizes, nSplits) => {
          const groups = sizes.flatMap((size, patient) => Array.from({ length: size }, () => patient));
          const problem = refitProblem(groups);
          const splitter = new GroupKFold({ nSplits, randomState: 1 });
          const plan = [...foldsOf(splitter, groups.length, problem.y, problem.data)];
          const foldOf = new Map(plan.flatMap(({ id, test }) => Array.from(test, (row) => [row, id] as const)));
          const { asked } = await askedFor(problem, splitter, { count: 5 });
          for (const run of asked) {
            const rows = await rowsIn(run);
            const ids = idsIn(run);
            const times = (row: number) => rows.filter((each) => each === row).length;
            expect(ids).toEqual(rows.map((row) => groups[row]));
            expect(Array.from(run.problem.weight as ArrayLike<number>)).toEqual(rows.map((row) => 1 + (row % 3)));
            const firstRow = (patient: number) => groups.indexOf(patient);
            for (const row of groups.keys()) expect(times(row)).toBe(times(firstRow(groups[row])));
            const drawn = sizes.reduce((sum, _, patient) => sum + times(firstRow(patient)), 0);
            expect(drawn).toBe(sizes.length);
            for (const fold of foldsOf(run.cvSplitter, rows.length)) {
              const { id, train, test } = fold;
              expectWhole(fold, ids);
              for (const at of test) expect(foldOf.get(rows[at])).toBe(id);
              for (const at of train) expect(foldOf.get(rows[at])).not.toBe(id);
              expect(train.length + test.length).toBe(rows.length);
            }
          }
        },
      ),
      { numRuns: 25 },
    );
  });

  it('has the standard deviation of a mean over patients, within 3 Monte Carlo standard errors', async () => {
    // Patient means 0 or 1, half of each: the standard error of their mean is .5 / sqrt(40).
    const problem = refitProblem(patients(40, 3));
    const mean = ({ problem }: Asked) => {
      const values = problem.y.toArray() as number[];
      return { mean: values.reduce((a, b) => a + b) / values.length };
    };
    const { refitsOf } = await askedFor(problem, new GroupKFold({ randomState: 1 }), { count: 400, look: mean });
    const { values, count } = refitsOf('mean');
    expect([values.length, count]).toEqual([400, 400]);
    const centre = values.reduce((a, b) => a + b) / 400;
    const sd = Math.sqrt(values.reduce((sum, value) => sum + (value - centre) ** 2, 0) / 399);
    expect(Math.abs(sd / (0.5 / Math.sqrt(40)) - 1)).toBeLessThan(3 / Math.sqrt(2 * 400));
  });

  it('draws patients of weight 0 never, and as if their rows were not there', async () => {
    const groups = patients(20, 2);
    const y = groups.map((patient) => patient % 2);
    const weight = groups.map((patient, row) => (patient < 5 ? 0 : 1 + (row % 2)));
    const of = (sampleWeight: number[]) => readData({ X: y.map((_, row) => [row]), y, groups, sampleWeight }, {});
    const problem = of(weight);
    for (const sampling of ['cohort', 'case_control'] as const) {
      const { asked } = await askedFor(problem, new GroupKFold({ nSplits: 3, randomState: 1 }), { sampling });
      for (const run of asked) {
        const ids = idsIn(run);
        expect(ids).toHaveLength(15 * 2);
        expect(Math.min(...ids)).toBeGreaterThanOrEqual(5);
      }
    }
    // The only rows of class 0 that have a weight are those of patient 6: most resamples are of one class.
    const lone = of(groups.map((p) => Number(p === 6 || p % 2)));
    const { asked } = await askedFor(lone, new GroupKFold({ nSplits: 2, randomState: 1 }), { count: 40 });
    for (const run of asked) expect(idsIn(run)).toContain(6);
  });

  it('keeps the number of patients of each class under case-control sampling', async () => {
    const problem = refitProblem(patients(12, 2), (patient) => Number(patient < 4));
    const { asked } = await askedFor(problem, new GroupKFold({ nSplits: 3, randomState: 1 }), {
      sampling: 'case_control',
    });
    for (const run of asked) {
      const labels = run.problem.y.toArray() as number[];
      expect(labels.filter((label) => label === 1)).toHaveLength(8);
      expect(labels).toHaveLength(24);
    }
  });

  it('refits the first of several repeats, and rows where there are no patients', async () => {
    const X = Array.from({ length: 20 }, (_, row) => [row]);
    const problem = readData({ X, y: X.map(([row]) => row % 2) }, {});
    const { asked } = await askedFor(problem, new RepeatedKFold({ nSplits: 4, nRepeats: 3, randomState: 1 }));
    expect(asked).toHaveLength(20);
    for (const run of asked) {
      expect(run.cvSplitter.getNSplits()).toBe(4);
      expect(idsIn(run)).toEqual(await rowsIn(run));
    }
    expect(new Set(asked.map(({ randomState }) => randomState)).size).toBe(20);
  });

  it('takes copies of what a bootstrap drew twice, and inner folds along', async () => {
    const problem = refitProblem(patients(15, 2));
    const bags = await askedFor(problem, new BootstrapValidation({ nIterations: 3, randomState: 1 }), { count: 3 });
    for (const run of bags.asked) {
      for (const fold of foldsOf(run.cvSplitter, 30)) {
        expect(new Set(fold.train).size).toBeLessThan(fold.train.length);
        expectWhole(fold, idsIn(run));
      }
    }
    const nested = new NestedCV({
      outerCv: new GroupKFold({ nSplits: 3, shuffle: true, randomState: 1 }),
      innerCv: new GroupKFold({ nSplits: 2, shuffle: true, randomState: 1 }),
    });
    for (const { cvSplitter } of (await askedFor(problem, nested, { count: 3 })).asked) {
      for (const fold of foldsOf(cvSplitter, 30)) {
        const inner = innerFoldsOf(fold as Parameters<typeof innerFoldsOf>[0], 30);
        expect(inner.length).toBeGreaterThan(0);
        for (const { train, test } of inner) expect(train.length + test.length).toBe(fold.train.length);
      }
    }
  });

  it('passes over resamples of one class', async () => {
    const problem = refitProblem(patients(3, 2), (patient) => Number(patient === 0));
    const { asked, refitsOf } = await askedFor(problem, new KFold({ nSplits: 2 }), { look: () => ({ a: null, b: 1 }) });
    expect(asked.length).toBeLessThan(20);
    expect(refitsOf('a')).toEqual({ values: [], count: 20 });
    expect(refitsOf('b').values).toHaveLength(asked.length);
    expect(refitsOf('c')).toEqual({ values: [], count: 20 });
  });
});
