import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { CVResults } from '../../src/runner/cvResults.js';
import { readData } from '../../src/runner/readData.js';
import { foldsOf, innerFoldsOf } from '../../src/splitters/foldsOf.js';
import { GroupKFold } from '../../src/splitters/grouped/groupKFold.js';
import { BootstrapValidation } from '../../src/splitters/iid/bootstrapValidation.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { NestedCV } from '../../src/splitters/iid/nestedCV.js';
import { RepeatedKFold } from '../../src/splitters/iid/repeatedKFold.js';
import type { Splitter } from '../../src/splitters/splitter.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { refitEstimates } from '../../src/validator/furtherRuns.js';
import type { RunAgain } from '../../src/validator/halfRuns.js';
import { blobs, NearestMean, spyAdapter } from '../helpers/nearestMean.js';

/** What one refit would run. */
type Asked = Parameters<RunAgain>[0];

/** Row numbers as features, so that rows drawn can be told; `y` by patient. */
function problemOf(groups: readonly number[], labelOf = (patient: number) => patient % 2) {
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
          const problem = problemOf(groups);
          const splitter = new GroupKFold({ nSplits, randomState: 1 });
          const plan = [...foldsOf(splitter, groups.length, problem.y, problem.data)];
          const foldOf = new Map(plan.flatMap(({ id, test }) => Array.from(test, (row) => [row, id] as const)));
          const { asked } = await askedFor(problem, splitter, { count: 5 });
          for (const run of asked) {
            const rows = await rowsIn(run);
            const ids = Array.from(run.problem.data.groups as ArrayLike<number>);
            const times = (row: number) => rows.filter((each) => each === row).length;
            expect(ids).toEqual(rows.map((row) => groups[row]));
            expect(Array.from(run.problem.weight as ArrayLike<number>)).toEqual(rows.map((row) => 1 + (row % 3)));
            const firstRow = (patient: number) => groups.indexOf(patient);
            for (const row of groups.keys()) expect(times(row)).toBe(times(firstRow(groups[row])));
            const drawn = sizes.reduce((sum, _, patient) => sum + times(firstRow(patient)), 0);
            expect(drawn).toBe(sizes.length);
            for (const { id, train, test } of foldsOf(run.cvSplitter, rows.length)) {
              const trained = new Set(Array.from(train, (at) => ids[at]));
              expect(Array.from(test).some((at) => trained.has(ids[at]))).toBe(false);
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
    const problem = problemOf(patients(40, 3));
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
    const problem = readData({ X: groups.map((_, row) => [row]), y, groups, sampleWeight: weight }, {});
    for (const sampling of ['cohort', 'case_control'] as const) {
      const { asked } = await askedFor(problem, new GroupKFold({ nSplits: 3, randomState: 1 }), { sampling });
      for (const run of asked) {
        const ids = Array.from(run.problem.data.groups as ArrayLike<number>);
        expect(ids).toHaveLength(15 * 2);
        expect(Math.min(...ids)).toBeGreaterThanOrEqual(5);
      }
    }
    // The only rows of class 0 that have a weight are those of patient 6: most resamples are of one class.
    const lone = readData(
      { X: y.map((_, row) => [row]), y, groups, sampleWeight: groups.map((p) => Number(p === 6 || p % 2)) },
      {},
    );
    const { asked } = await askedFor(lone, new GroupKFold({ nSplits: 2, randomState: 1 }), { count: 40 });
    for (const run of asked) expect(Array.from(run.problem.data.groups as ArrayLike<number>)).toContain(6);
  });

  it('keeps the number of patients of each class under case-control sampling', async () => {
    const problem = problemOf(patients(12, 2), (patient) => Number(patient < 4));
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
      expect(Array.from(run.problem.data.groups as ArrayLike<number>)).toEqual(await rowsIn(run));
    }
    expect(new Set(asked.map(({ randomState }) => randomState)).size).toBe(20);
  });

  it('takes copies of what a bootstrap drew twice, and inner folds along', async () => {
    const problem = problemOf(patients(15, 2));
    const bags = await askedFor(problem, new BootstrapValidation({ nIterations: 3, randomState: 1 }), { count: 3 });
    for (const {
      cvSplitter,
      problem: { data },
    } of bags.asked) {
      const ids = data.groups as ArrayLike<number>;
      for (const { train, test } of foldsOf(cvSplitter, 30)) {
        expect(new Set(train).size).toBeLessThan(train.length);
        const trained = new Set(Array.from(train, (at) => ids[at]));
        expect(Array.from(test).some((at) => trained.has(ids[at]))).toBe(false);
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
    const problem = problemOf(patients(3, 2), (patient) => Number(patient === 0));
    const { asked, refitsOf } = await askedFor(problem, new KFold({ nSplits: 2 }), { look: () => ({ a: null, b: 1 }) });
    expect(asked.length).toBeLessThan(20);
    expect(refitsOf('a')).toEqual({ values: [], count: 20 });
    expect(refitsOf('b').values).toHaveLength(asked.length);
    expect(refitsOf('c')).toEqual({ values: [], count: 20 });
  });
});

describe('refits of the bootstrap estimators', () => {
  it('give the .632+ estimate an interval', async () => {
    const { X, y } = blobs(60);
    const validator = new CVKitValidator({
      method: 'bootstrap',
      bootstrapValidationEstimator: '.632+',
      bootstrapValidationIterations: 5,
      ciRefits: 20,
      metrics: ['accuracy'],
    });
    const { adapter, spy } = spyAdapter();
    const result = await validator.validate({ model: () => new NearestMean(), X, y, adapter, verbose: 0 });
    expect(spy.trainedOn).toHaveLength(21 * (5 + 1));
    const { accuracy } = result.confidenceIntervals;
    expect(accuracy.lower).toBeLessThan(accuracy.estimate as number);
    expect(accuracy.upper).toBeGreaterThan(accuracy.estimate as number);
    expect(accuracy.note).toContain('Standard error of 20 refits on resampled rows, times sqrt(.632).');
  });
});
