import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { randomSource } from '../../src/core/random.js';
import { labelsOf } from '../../src/data/labels.js';
import { foldsOf } from '../../src/splitters/foldsOf.js';
import { RepeatedGroupKFold } from '../../src/splitters/grouped/repeatedGroupKFold.js';
import { StratifiedGroupKFold } from '../../src/splitters/grouped/stratifiedGroupKFold.js';
import { HoldOut } from '../../src/splitters/iid/holdOut.js';
import { NestedCV } from '../../src/splitters/iid/nestedCV.js';
import { PredefinedSplit } from '../../src/splitters/iid/predefinedSplit.js';
import { RepeatedKFold } from '../../src/splitters/iid/repeatedKFold.js';
import { StratifiedKFold } from '../../src/splitters/iid/stratifiedKFold.js';
import { quantileStrata, strataOf } from '../../src/splitters/strata.js';
import { refusal } from '../helpers/messages.js';
import { nestedFolds } from '../helpers/nestedFolds.js';

const asker = { owner: 'a test', instead: '' };
/** test/reference/strata.py: scikit-learn's folds of joined labels, and numpy's quantile bins. */
const reference = JSON.parse(readFileSync(new URL('../reference/strata.json', import.meta.url), 'utf8'));
const { y: outcome, sex, site, numbers, bins, binOf } = reference;
const patients = Array.from({ length: outcome.length }, (_, row) => Math.floor(row / 3));

describe('strataOf', () => {
  it('knows the classes that have rows, in ascending order', () => {
    const expected = { codes: Int32Array.of(1, 0, 1), counts: Int32Array.of(1, 2), names: ['class 0', 'class 2'] };
    const y = labelsOf([2, 0, 2, 1]).take(Int32Array.of(0, 1, 2));
    expect(strataOf(y, 3, asker)).toEqual(expected);
    const oneHot = [2, 0, 2].map((label) => [0, 1, 2, 3].map((column) => Number(column === label)));
    expect(strataOf(oneHot, 3, asker)).toEqual(expected);
    expect(strataOf(['b', 'a', 'b'], 3, asker)).toEqual({ ...expected, names: ["class 'a'", "class 'b'"] });
  });
});

describe('quantileStrata', () => {
  it('knows the bins that have rows', () => {
    // quartiles 0, 5 and 10 of nine rows of 0 and nine of 10: nothing lies above 0 and up to 5
    const y = Array.from({ length: 18 }, (_, row) => (row % 2) * 10);
    const { counts, names } = quantileStrata('a test', y, 18, 4);
    expect([[...counts], names]).toEqual([
      [9, 9],
      ['bin 0 to 0', 'bin 5 to 10'],
    ]);
    expect(foldsOf(new StratifiedKFold({ bins: 4 }), 18, y).length).toBe(5);
  });
});

/** Rows of two classes in 20 groups of 3. */
const y = Array.from({ length: 60 }, (_, row) => Number((row * 7) % 5 < 2));
const groups = Array.from(y, (_, row) => `p${Math.floor(row / 3)}`);
/** The same in three columns, the middle one of which no row has. */
const oneHot = y.map((label) => [1 - label, 0, label]);
const STRATIFIED = [
  new StratifiedGroupKFold({ nSplits: 5, randomState: 1 }),
  new StratifiedGroupKFold({ nSplits: 5, shuffle: false }),
  new RepeatedGroupKFold({ nSplits: 4, nRepeats: 2, stratify: true, randomState: 1 }),
  new StratifiedKFold({ nSplits: 5, shuffle: true, randomState: 1 }),
  new RepeatedKFold({ nSplits: 4, nRepeats: 2, stratify: true, randomState: 1 }),
  new HoldOut({ stratify: true, randomState: 1 }),
];
const tests = (folds: Iterable<{ test: Int32Array }>) => Array.from(folds, ({ test }) => [...test]);

describe.each(STRATIFIED.map((splitter) => [splitter.toJSON(), splitter] as const))('%s', (_name, splitter) => {
  it('splits one-hot rows with a column that no row has as it splits the labels', () => {
    const expected = foldsOf(splitter, 60, y, { groups });
    const folds = foldsOf(splitter, 60, oneHot, { groups });
    expect(tests(folds)).toEqual(tests(expected));
    expect(folds.warnings).toEqual(expected.warnings);
  });

  it('splits the training rows of an outer fold that tests all rows of a class as it splits them alone', () => {
    // class 7 is in four groups, all of them tested
    const outer = y.map((label, row) => (row < 12 ? 7 : label));
    const outerCv = new PredefinedSplit({ testFold: y.map((_, row) => (row < 12 ? 0 : -1)) });
    const [fold] = nestedFolds(new NestedCV({ outerCv, innerCv: splitter }), 60, outer, { groups });
    const rows = Array.from(fold.train);
    expect(rows).toEqual(Array.from({ length: 48 }, (_, at) => 12 + at));
    const alone = splitter.split(
      48,
      rows.map((row) => y[row]),
      { groups: rows.map((row) => groups[row]) },
    );
    expect(tests(fold.inner)).toEqual(tests(alone).map((test) => test.map((at) => rows[at])));
  });
});

describe('a class without rows', () => {
  const absent = labelsOf(['a', 'a', 'a', 'b', 'b', 'b', 'c']).take(Int32Array.of(0, 1, 2, 3, 4, 5));

  it('is not named in errors', () => {
    expect(() => new StratifiedKFold({ nSplits: 4 }).split(6, absent)).toThrow(
      refusal('infeasible_split', "3 of class 'a', 3 of class 'b'"),
    );
    const split = (ids: number[]) => () => new HoldOut({ stratify: true }).split(6, absent, { groups: ids });
    expect(split([1, 1, 2, 3, 4, 4])).not.toThrow();
    expect(split([1, 1, 2, 3, 3, 3])).toThrow(refusal('infeasible_split', "1 group with class 'b'"));
    expect(() => new StratifiedGroupKFold({ nSplits: 3 }).split(6, absent, { groups: [1, 2, 3, 4, 4, 4] })).toThrow(
      refusal('infeasible_split', "class 'a': 3", "class 'b': 1"),
    );
  });
});

describe('strata of several columns', () => {
  it.each<{ seed: number | null; tests: number[][] }>(reference.joined)(
    'are as scikit-learn makes them of joined labels, seed $seed',
    ({ seed, tests }) => {
      const drawn = seed === null ? {} : { shuffle: true, randomState: seed };
      const cv = new StratifiedKFold({ nSplits: 4, ...drawn, strata: { sex, site } });
      expect(Array.from(cv.split(outcome.length, outcome), ({ test }) => Array.from(test))).toEqual(tests);
    },
  );

  /** Largest difference of the share of a combination in a fold from that in all rows. */
  const unevenness = (tests: readonly Int32Array[]) => {
    const joined: string[] = outcome.map((label: number, row: number) => `${label} ${sex[row]} ${site[row]}`);
    const share = (rows: ArrayLike<number>, each: string) =>
      Array.from(rows).filter((row) => joined[row] === each).length / rows.length;
    const differences = [...new Set(joined)].flatMap((each) =>
      tests.map((test) => Math.abs(share(test, each) - share([...joined.keys()], each))),
    );
    return Math.max(...differences);
  };

  it('are spread evenly over folds of whole groups, which keep what is promised of classes', () => {
    const plan = (options: object) =>
      foldsOf(new StratifiedGroupKFold({ nSplits: 4, randomState: 1, ...options }), outcome.length, outcome, {
        groups: patients,
      });
    const [plain, both] = [{}, { strata: { sex, site } }].map((options) => plan(options));
    const testsOf = (folds: typeof plain) => Array.from(folds, ({ test }) => test);
    expect(unevenness(testsOf(both))).toBeLessThan(0.6 * unevenness(testsOf(plain)));
    for (const test of testsOf(both)) expect(new Set(Array.from(test, (row) => outcome[row])).size).toBe(2);
    expect(both.warnings).toEqual([]);
    expect([plan({ strata: {} }).fingerprint, plan({ strata: null }).fingerprint]).toEqual([
      expect.any(String),
      plain.fingerprint,
    ]);
  });

  it('tell a combination in fewer groups than folds, as a class', () => {
    const rare = site.map((each: string, row: number) => (row < 6 ? 'D' : each));
    const { warnings } = new StratifiedGroupKFold({ nSplits: 4, strata: { site: rare } }).split(
      outcome.length,
      outcome,
      {
        groups: patients,
      },
    );
    expect(warnings?.join(' ')).toMatch(
      /Class [01] with site 'D' is in \d groups?, fewer than the 4 folds: \d test folds lack? it/,
    );
  });

  it('keep both classes in each fold, wherever the columns would put the few that are positive', () => {
    for (let seed = 0; seed < 150; seed++) {
      const random = randomSource(seed);
      const draw = (below: number) => random.uint32() % below;
      const rows = Array.from({ length: 30 }, () => draw(10));
      // As many positive groups as folds, of few rows among many combinations.
      const few = rows.map((group) => Number(group < 3));
      if (new Set(rows.filter((group) => group < 3)).size < 3) continue;
      const strata = { a: rows.map(() => draw(3)), b: rows.map((group) => (group + draw(2)) % 5) };
      const cv = new StratifiedGroupKFold({ nSplits: 3, randomState: seed, strata });
      for (const { test } of cv.split(30, few, { groups: rows })) {
        expect(new Set(Array.from(test, (row) => few[row])).size, String(seed)).toBe(2);
      }
    }
  });

  it('are bound to their rows: there are none for the rows of a fold', () => {
    expect(new StratifiedKFold({ strata: { sex } }).resized(3)).toBeUndefined();
    expect(new StratifiedGroupKFold({ strata: { sex } }).resized(3)).toBeUndefined();
    expect(new StratifiedGroupKFold({ bins: 4 }).resized(3)?.options).toMatchObject({ bins: 4, nSplits: 3 });
  });
});

describe('quantile bins of a continuous y', () => {
  const testsOf = (options: object, labels: number[]) =>
    Array.from(
      new StratifiedGroupKFold({ nSplits: 4, randomState: 3, ...options }).split(labels.length, labels, {
        groups: patients,
      }),
      ({ test }) => test,
    );

  it("are numpy's, and the classes of whole groups", () => {
    expect(testsOf({ bins }, numbers)).toEqual(testsOf({}, binOf));
  });

  it('go together with columns', () => {
    expect(testsOf({ bins, strata: { sex } }, numbers)).toEqual(testsOf({ strata: { sex } }, binOf));
  });
});
