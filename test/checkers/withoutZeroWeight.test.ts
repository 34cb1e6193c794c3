/** A row of weight 0 is as if it had never been passed: checks see neither its features nor its label. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { patientOverlap } from '../../src/checkers/CVL001-patient/patientOverlap.js';
import { nearDuplicates } from '../../src/checkers/CVL003-near-duplicate/nearDuplicates.js';
import { featureStatistics } from '../../src/checkers/CVL005-feature-statistics/featureStatistics.js';
import { featureTarget } from '../../src/checkers/CVL009-feature-target/featureTarget.js';
import { runChecks } from '../../src/checkers/check.js';
import { type CheckInput, type CheckParts, checkInput } from '../../src/checkers/checkInput.js';
import { withoutZeroWeight } from '../../src/checkers/withoutZeroWeight.js';
import { randomSource } from '../../src/core/random.js';
import { labelsOf } from '../../src/data/labels.js';
import { rowsOf } from '../../src/data/rows.js';
import { foldsOf } from '../../src/splitters/foldsOf.js';
import { PredefinedSplit } from '../../src/splitters/iid/predefinedSplit.js';
import { judged } from './judged.js';

interface Row {
  readonly x: readonly number[];
  readonly y: number;
  readonly fold: number;
  readonly patient: string;
  readonly weight: number;
}

/**
 * Sixty patients with two rows each of six features. The third feature almost is y, the fourth drifts in fold 2, and the
 * last row of each of three patients is a copy, with little noise, of a row that another fold tests.
 */
const random = randomSource(11);
const rows = Array.from({ length: 120 }, (_, at): Row => {
  const patient = at >> 1;
  const fold = patient % 4;
  const y = patient % 2;
  const x = Array.from({ length: 6 }, () => random.random());
  x[2] = y + 0.1 * x[2];
  x[3] += fold === 2 ? 0.7 : 0;
  return { x, y, fold, patient: `p${patient}`, weight: 1 + (at % 2) };
}).map((row, at, all) =>
  at < 6 && at % 2 === 1 ? { ...row, x: all[at + 4].x.map((value) => value + 1e-6 * random.random()) } : row,
);

const CHECKS = [nearDuplicates, featureStatistics, featureTarget];

/** What the three checks say of rows, whose patients are named or not. */
const found = (given: readonly Row[], named: boolean) =>
  Promise.all(
    CHECKS.map((check) =>
      judged(check, {
        X: given.map(({ x }) => [...x]),
        y: given.map(({ y }) => y),
        ...(named ? { data: { groups: given.map(({ patient }) => patient) } } : {}),
        weight: Float64Array.from(given, ({ weight }) => weight),
        splitter: new PredefinedSplit({ testFold: given.map(({ fold }) => fold) }),
        randomState: 3,
      }),
    ),
  );

/** Rows of weight 0: noise, copies of what counts, far away, or without a value. */
const idle = fc.record({
  at: fc.nat({ max: rows.length }),
  y: fc.constantFrom(0, 1),
  fold: fc.nat({ max: 3 }),
  patient: fc.nat({ max: 80 }).map((patient) => `p${patient}`),
  x: fc.oneof(
    fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 6, maxLength: 6 }),
    fc.constantFrom(...rows.map(({ x }) => x)),
    fc.constant(Array.from({ length: 6 }, () => Number.NaN)),
  ),
});

/** The rows with others of weight 0 between them, and where those that count then stand. */
function among(extra: readonly { readonly at: number }[]) {
  const mixed: Row[] = [];
  const places: number[] = [];
  for (let at = 0; at <= rows.length; at++) {
    mixed.push(...extra.flatMap((each) => (each.at === at ? [{ ...(each as unknown as Row), weight: 0 }] : [])));
    if (at < rows.length) places.push(mixed.push(rows[at]) - 1);
  }
  return { mixed, places };
}

describe('rows of weight 0 in the checks that read features', () => {
  it('are there to be seen: all three checks find something in the rows that count', async () => {
    expect((await found(rows, true)).map(({ status }) => status)).toEqual(['failed', 'needs_review', 'failed']);
  });

  it.each([true, false])(
    'change no status and no score, and rows keep the numbers of the caller (patients: %s)',
    async (named) => {
      const expected = await found(rows, named);
      await fc.assert(
        fc.asyncProperty(fc.array(idle, { minLength: 1, maxLength: 40 }), async (extra) => {
          const { mixed, places } = among(extra);
          const [near, ...others] = await found(mixed, named);
          const [nearExpected, ...othersExpected] = expected;
          const examples = (nearExpected.evidence.examples as { train: number; test: number }[]).map((each) => ({
            ...each,
            train: places[each.train],
            test: places[each.test],
          }));
          expect(near).toEqual({ ...nearExpected, evidence: { ...nearExpected.evidence, examples } });
          expect(others).toEqual(othersExpected);
        }),
        { numRuns: 15, seed: 7 },
      );
    },
  );
});

/** Seven rows in three folds, of which rows 1, 4 and 6 have weight 0; fold 0 tests row 6 alone. */
const scene = (parts: Partial<CheckParts> = {}) => {
  const X = rowsOf([[0], [1], [2], [3], [4], [5], [6]]);
  const folds = foldsOf(new PredefinedSplit({ testFold: [1, 1, 2, 2, 2, 1, 0] }), 7);
  const data = { groups: ['a', 'a', 'b', 'b', 'c', 'd', 'e'], hierarchy: { site: [0, 0, 1, 1, 2, 2, 2] } };
  return checkInput({
    X,
    y: labelsOf([0, 1, 0, 1, 0, 1, 0]),
    data,
    folds,
    weight: [1, 0, 2, 1, 0, 1, 0],
    ...parts,
  });
};

const cutOf = (input: CheckInput) => {
  const cut = withoutZeroWeight(input);
  if (!cut) throw new Error('no fold is left');
  return cut;
};

describe('withoutZeroWeight', () => {
  it('holds rows, labels, side data and folds of the rows that count', async () => {
    const input = scene({ embeddings: rowsOf([[7], [6], [5], [4], [3], [2], [1]]), trainRows: 3 });
    const cut = cutOf(input);
    expect(await cut.X?.toArrays()).toEqual([[0], [2], [3], [5]]);
    expect(await cut.embeddings?.toArrays()).toEqual([[7], [5], [4], [2]]);
    expect((await cut.features()).columns.map(({ values }) => Array.from(values))).toEqual([[0, 2, 3, 5]]);
    expect(cut.y?.toArray()).toEqual([0, 0, 1, 1]);
    expect(cut.data).toEqual({ groups: ['a', 'b', 'b', 'd'], hierarchy: { site: [0, 1, 1, 2] } });
    expect(Array.from(cut.weight ?? [])).toEqual([1, 2, 1, 1]);
    // Rows 3 and 5 are the first and the third of the second set.
    expect([0, 1, 2, 3].map(cut.rowOf)).toEqual([0, 2, 0, 2]);
    expect(cut.trainRows).toBe(2);
  });

  it('leaves out folds without a row that counts on a side, and keeps the facts of the plan', () => {
    const { folds } = scene();
    const { folds: cut } = cutOf(scene());
    expect([cut.n, cut.length, cut.ids, cut.splitterName]).toEqual([4, 2, ['fold-1', 'fold-2'], 'PredefinedSplit']);
    expect(cut.fingerprint).toBe(folds.fingerprint);
    const sides = [
      { id: 'fold-1', train: [1, 2], test: [0, 3] },
      { id: 'fold-2', train: [0, 3], test: [1, 2] },
    ];
    const plain = ({ id, train, test }: { id: string; train?: Int32Array; test: Int32Array }) => ({
      id,
      ...(train ? { train: Array.from(train) } : {}),
      test: Array.from(test),
    });
    expect(Array.from(cut, plain)).toEqual(sides);
    expect(Array.from(cut.sides(), plain)).toEqual(sides.map(({ train: _, ...side }) => side));
    expect([cut.at(1).index, ...Array.from(cut, ({ index }) => index)]).toEqual([1, 0, 1]);
  });

  it('is the scene itself without weights of 0', () => {
    const weighted = scene({ weight: [1, 2, 1, 1, 1, 1, 1] });
    expect(withoutZeroWeight(weighted)).toBe(weighted);
    const unweighted = scene({ weight: null });
    expect(withoutZeroWeight(unweighted)).toBe(unweighted);
  });

  it('is nothing where no fold is left: no check has anything to look at', async () => {
    const lone = scene({ weight: [1, 0, 0, 0, 0, 0, 0] });
    expect(withoutZeroWeight(lone)).toBeUndefined();
    expect((await runChecks([patientOverlap], lone))[0]).toMatchObject({
      status: 'not_evaluated',
      message: 'No fold has rows of weight above 0 on both sides.',
    });
  });
});
