import { describe, expect, it } from 'vitest';
import { CVKitError } from '../../src/core/errors.js';
import { integer, optionTable, randomState } from '../../src/core/options.js';
import type { Label } from '../../src/data/labels.js';
import { rowCount } from '../../src/data/rowKinds.js';
import type { SideData } from '../../src/data/sideData.js';
import type { Fold, Splitter, SplitterClaims } from '../../src/splitters/splitter.js';
import { failure } from '../helpers/failure.js';
import { failures } from './failures.js';
import { smallDataSets } from './splitterData.js';
import { type SplitterUnderTest, splitterSuite } from './splitterSuite.js';
import { ensure, thrownBy } from './suite.js';

/**
 * A correct splitter as a third party would write it: a plain object, no base class, no registry. Deals whole groups in turn to
 * three folds.
 */
function thirdParty(foldOfGroup = (group: number, _count: number) => group % 3): Splitter {
  return {
    claims: { partition: true, disjointGroups: true },
    getNSplits: () => 3,
    split(_X, y, data) {
      const groups = data?.groups;
      if (!groups) throw new CVKitError('Give me groups.');
      if (!y) throw new CVKitError('Give me y.');
      const ids = [...new Set(Array.from(groups))];
      if (ids.length < 3) throw new CVKitError('Give me three groups.');
      const foldOf = (row: number) => foldOfGroup(ids.indexOf(groups[row]), ids.length);
      const rows = Int32Array.from(Array.from(groups).keys());
      return [0, 1, 2].map((fold) => ({
        id: `fold-${fold}`,
        train: rows.filter((row) => foldOf(row) !== fold),
        test: rows.filter((row) => foldOf(row) === fold),
      }));
    },
  };
}

const UNDER_TEST = {
  name: 'ThirdParty',
  claims: { partition: true, disjointGroups: true },
  needs: ['y', 'groups'],
} as const;

type Split = (n: number, y: ArrayLike<Label>, groups: ArrayLike<Label>) => Iterable<Fold>;

/** The correct splitter with its folds (or its whole `split`) spoiled. */
function spoiled(spoil: (split: Split) => Split): SplitterUnderTest {
  const create = (): Splitter => {
    const good = thirdParty();
    const split = spoil((n, y, groups) => good.split(n, y, { groups }) as Iterable<Fold>);
    return {
      ...good,
      split: (_X, y, data?: SideData) => {
        const groups = data?.groups as ArrayLike<Label>;
        return split(groups?.length, y as ArrayLike<Label>, groups);
      },
    };
  };
  return { ...UNDER_TEST, create };
}

/** Spoils fold 2 alone: a suite that looks at the first fold only would miss it. */
const spoilThird = (change: (fold: Fold, folds: Fold[]) => Partial<Record<keyof Fold, unknown>>) =>
  spoiled((split) => (n, y, groups) => {
    const folds = [...split(n, y, groups)];
    return folds.map((fold, at) => (at === 2 ? ({ ...fold, ...change(fold, folds) } as Fold) : fold));
  });

const insert = (rows: Int32Array, row: number) => Int32Array.from([...rows, row]).sort();

/** Deals whole times in turn to three folds; `rankOf` gives each row the rank of its time. */
const inTime = (
  rankOf = (times: readonly number[]) => {
    const sorted = [...new Set(times)].sort((a, b) => a - b);
    return times.map((time) => sorted.indexOf(time));
  },
): SplitterUnderTest => ({
  name: 'InTime',
  claims: { partition: true, keepsTies: true, purged: true },
  needs: ['timestamps'],
  uses: ['labelEndTimes'],
  create: () => ({
    getNSplits: () => 3,
    split(_X, _y, data) {
      if (!data?.timestamps) throw new CVKitError('Give me times.');
      const ranks = rankOf(Array.from(data.timestamps, Number));
      if (new Set(ranks).size < 3) throw new CVKitError('Give me three times.');
      const rows = Int32Array.from(ranks.keys());
      return [0, 1, 2].map((fold) => ({
        id: `fold-${fold}`,
        train: rows.filter((row) => ranks[row] % 3 !== fold),
        test: rows.filter((row) => ranks[row] % 3 === fold),
      }));
    },
  }),
});

/** Takes the groups from either of two inputs, and without both does what `otherwise` says. */
const eitherGroups = (otherwise: (n: number) => ArrayLike<Label> | undefined): SplitterUnderTest => ({
  name: 'EitherGroups',
  claims: { partition: true },
  needs: ['y'],
  needsOneOf: ['groups', 'hierarchy'],
  create: () => ({
    getNSplits: () => 3,
    split: (X, y, data) => {
      const n = (y as ArrayLike<Label> | null)?.length ?? 0;
      const groups = data?.groups ?? (data?.hierarchy?.patient as ArrayLike<Label> | undefined) ?? otherwise(n);
      return thirdParty().split(X, y, groups && { groups });
    },
  }),
});

/** Reads nothing; row `row` of `n` is tested by the fold `foldOf`, modulo 3. Its instances say what it claims. */
const claiming = (claims: SplitterClaims, foldOf: (row: number, n: number) => number): SplitterUnderTest => ({
  name: 'Claiming',
  create: () => ({
    claims,
    getNSplits: () => 3,
    split(X) {
      const n = typeof X === 'number' ? X : rowCount(X);
      if (n < 3) throw new CVKitError('Give me three rows.');
      const rows = Int32Array.from({ length: n }, (_, row) => row);
      return [0, 1, 2].map((fold) => ({
        id: `fold-${fold}`,
        train: rows.filter((row) => foldOf(row, n) % 3 !== fold),
        test: rows.filter((row) => foldOf(row, n) % 3 === fold),
      }));
    },
  }),
});

/** Labels that are known when the next time begins. */
const touching = () =>
  smallDataSets().map((data) => ({
    ...data,
    side: { ...data.side, labelEndTimes: Array.from(data.side.timestamps ?? [], (time) => Number(time) + 10) },
  }));

describe('the splitter suite', () => {
  it.each<[string, SplitterUnderTest]>([
    ['of a third party', { ...UNDER_TEST, create: () => thirdParty() }],
    ['in time', inTime()],
    ['that needs one of two inputs', eitherGroups(() => undefined)],
    [
      'that keeps rows out',
      spoilThird(({ train }) => ({ train: train.slice(2), excluded: { purged: train.slice(0, 2) } })),
    ],
  ])('passes a correct splitter %s', async (_, entry) => {
    expect(await failures(splitterSuite(entry))).toEqual([]);
  });

  let instances = 0;
  let calls = 0;
  const broken: Record<string, [SplitterUnderTest, string[]]> = {
    'repeats a test row in train in the last fold': [
      spoilThird(({ train, test }) => ({ train: insert(train, test[0]) })),
      ['train and test are disjoint', 'groups stay whole'],
    ],
    'moves one row of a group to another fold': [
      spoiled((split) => (n, y, groups) => {
        const [a, b, c] = split(n, y, groups);
        const row = b.test[b.test.length - 1];
        return [
          a,
          { ...b, test: b.test.slice(0, -1), train: insert(b.train, row) },
          { ...c, test: insert(c.test, row), train: c.train.filter((each) => each !== row) },
        ];
      }),
      ['groups stay whole'],
    ],
    'forgets a test row': [
      spoilThird(({ test }) => ({ test: test.slice(1) })),
      ['every row is tested once per repeat'],
    ],
    'tests a row twice in one fold': [
      spoilThird(({ test }) => ({ test: insert(test, test[0]) })),
      ['a test row is tested once per fold', 'every row is tested once per repeat'],
    ],
    'has a row that is not there': [
      spoilThird(({ train }) => ({ train: insert(train, 1e6) })),
      ['rows are ascending integers in range'],
    ],
    'has half a row': [
      spoilThird(({ train }) => ({ train: [...train, train[train.length - 1] + 0.5] })),
      ['rows are ascending integers in range'],
    ],
    'gives rows out of order': [
      spoilThird(({ train }) => ({ train: train.slice().reverse() })),
      ['rows are ascending integers in range'],
    ],
    'has nothing to train on': [spoilThird(() => ({ train: new Int32Array(0) })), ['neither side is empty']],
    'gives two folds the same id': [
      spoilThird((_, [first]) => ({ id: first.id })),
      ['every fold has an id of its own'],
    ],
    'counts wrongly': [
      { ...UNDER_TEST, create: () => ({ ...thirdParty(), getNSplits: () => 4 }) },
      ['getNSplits is the number of folds'],
    ],
    'delays its errors to the first next()': [
      spoiled(
        (split) =>
          function* (n, y, groups) {
            yield* split(n, y, groups);
          },
      ),
      [
        'too little data is refused by the call to split',
        'missing y is refused by the call to split',
        'missing groups is refused by the call to split',
      ],
    ],
    'does without y': [
      spoiled((split) => (n, y, groups) => split(n, y ?? [0], groups)),
      ['missing y is refused by the call to split'],
    ],
    'throws a bare Error for too little data': [
      spoiled((split) => (n, y, groups) => {
        if (n === 1) throw new RangeError('too small');
        return split(n, y, groups);
      }),
      ['too little data is refused by the call to split'],
    ],
    'yields one buffer again and again': [
      spoiled(
        (split) => (n, y, groups) =>
          (function* (folds) {
            const buffer = new Int32Array(n);
            for (const fold of folds) {
              buffer.set(fold.test);
              yield { ...fold, test: buffer.subarray(0, fold.test.length) };
            }
          })([...split(n, y, groups)]),
      ),
      ['folds can be kept'],
    ],
    'sorts the labels of the caller': [
      spoiled((split) => (n, y, groups) => {
        if (Array.isArray(y)) y.sort();
        return split(n, y, groups);
      }),
      ['inputs are left as they were'],
    ],
    'draws anew in each instance': [
      spoiled((split) => {
        const odd = instances++ % 2 === 1;
        return (n, y, groups) => (odd ? [...split(n, y, groups)].reverse() : split(n, y, groups));
      }),
      ['the same seed gives the same folds'],
    ],
    'lets the names of groups decide': [
      spoiled((split) => (n, y, groups) => {
        const folds = [...split(n, y, groups)];
        return String(groups?.[0]).startsWith('p1') ? folds.reverse() : folds;
      }),
      ['renaming groups in order moves nothing'],
    ],
    'lets the names of classes decide': [
      spoiled((split) => (n, y, groups) => {
        const folds = [...split(n, y, groups)];
        return String(y?.[0]).startsWith('class') ? folds.reverse() : folds;
      }),
      ['renaming classes in order moves nothing'],
    ],
    'treats typed arrays differently': [
      spoiled((split) => (n, y, groups) => {
        const folds = [...split(n, y, groups)];
        return y instanceof Float64Array ? folds.reverse() : folds;
      }),
      ['every kind of array gives the same folds'],
    ],
    'claims an order in time that it does not keep': [
      { ...UNDER_TEST, claims: { partition: true, timeOrdered: true }, create: () => thirdParty() },
      ['training rows are earlier than test rows'],
    ],
    'tears the rows of one time apart': [
      { ...inTime((times) => [...times.keys()]), claims: { partition: true, keepsTies: true } },
      ['rows of one time stay together', 'the order of the rows does not matter'],
    ],
    'lets the order of the rows decide': [
      inTime((times) => times.map((time) => [...new Set(times)].indexOf(time))),
      ['the order of the rows does not matter'],
    ],
    'claims intervals apart that touch': [
      { ...inTime(), dataSets: touching() },
      ['no training label interval meets a test one'],
    ],
    'keeps out a row that is not there': [
      spoilThird(() => ({ excluded: { purged: Int32Array.of(1e6) } })),
      ['rows are ascending integers in range'],
    ],
    'keeps out rows out of order': [
      spoilThird(({ train }) => ({ train: train.slice(2), excluded: { purged: train.slice(0, 2).reverse() } })),
      ['rows are ascending integers in range'],
    ],
    'keeps out a row that it trains on': [
      spoilThird(({ train }) => ({ excluded: { buffered: train.slice(0, 1) } })),
      ['excluded rows are on neither side'],
    ],
    'keeps out a row twice': [
      spoilThird(({ train }) => ({
        train: train.slice(1),
        excluded: { purged: train.slice(0, 1), embargoed: train.slice(0, 1) },
      })),
      ['excluded rows are on neither side'],
    ],
    'keeps out rows in one buffer': [
      spoiled(
        (split) => (n, y, groups) =>
          (function* (folds) {
            const buffer = new Int32Array(1);
            for (const { train, ...fold } of folds) {
              buffer[0] = train[0];
              yield { ...fold, train: train.slice(1), excluded: { purged: buffer } };
            }
          })([...split(n, y, groups)]),
      ),
      ['folds can be kept'],
    ],
    'keeps out other rows at every call': [
      spoilThird(({ train }) => {
        const at = calls++ % 2;
        return { train: train.slice(2), excluded: { purged: train.slice(at, at + 1) } };
      }),
      [
        'the same seed gives the same folds',
        'renaming groups in order moves nothing',
        'renaming classes in order moves nothing',
        'every kind of array gives the same folds',
      ],
    ],
    'does without any of the inputs that it needs one of': [
      eitherGroups((n) => Array.from({ length: n }, (_, row) => row)),
      ['none of groups, hierarchy is refused by the call to split'],
    ],
    'ignores its seed': [
      {
        ...UNDER_TEST,
        create: () => thirdParty(),
        options: optionTable('ThirdParty', {
          nSplits: integer({ min: 2 }).default(3),
          randomState: randomState().default(null),
        }),
      },
      ['the seed matters'],
    ],
    'claims whole groups and is handed none': [claiming({ disjointGroups: true }, (row) => row), ['groups stay whole']],
    'claims whole groups on data without any': [
      { ...claiming({ disjointGroups: true }, (row) => row), dataSets: [{ ...smallDataSets()[0], side: {} }] },
      ['groups stay whole'],
    ],
    'claims whole ids of a level': [claiming({ wholeLevel: 'site' }, (row) => row), ['ids of the level stay whole']],
    'claims whole times and reads none': [
      claiming({ keepsTies: true }, (row) => row),
      ['rows of one time stay together', 'the order of the rows does not matter'],
    ],
    'claims intervals apart and reads no ends of labels': [
      { ...claiming({ purged: true }, (row) => Math.floor(row / 2)), dataSets: touching() },
      ['no training label interval meets a test one'],
    ],
    'claims shares of the classes that it does not look at': [
      claiming({ partition: true, stratified: true }, (row, n) => Math.floor((3 * row) / n)),
      ['every test set has the shares of the classes'],
    ],
    'claims shares of the classes for whole groups of any class': [
      {
        ...UNDER_TEST,
        claims: { disjointGroups: true, stratified: true },
        create: () => thirdParty((group, count) => Math.floor((3 * group) / count)),
      },
      ['every test set has the shares of the classes'],
    ],
    'claims to test every row, in its instances alone': [
      claiming({ partition: true }, (row) => (row === 7 ? 0.5 : row)),
      ['every row is tested once per repeat'],
    ],
    'has other folds than the last release': [
      { ...UNDER_TEST, create: () => thirdParty(), golden: 'f'.repeat(32) },
      ['the folds are those of the last release'],
    ],
  };
  for (const [what, [entry, cases]] of Object.entries(broken)) {
    it(`catches a splitter that ${what}`, async () => {
      const missed = cases.filter((name) => !splitterSuite(entry).some((each) => each.name === name));
      ensure(missed.length === 0, `the suite has no case ${missed}`);
      expect(await failures(splitterSuite(entry))).toEqual(cases);
    });
  }

  it.each([
    ['the entry', { ...UNDER_TEST, claims: { partitions: true }, create: () => thirdParty() }],
    ['an instance', claiming({ partitions: true } as SplitterClaims, (row) => row)],
  ])('refuses a claim of %s that it does not know', (_, entry) => {
    expect(failure(() => splitterSuite(entry as SplitterUnderTest))).toMatch(
      /^invalid_option: (ThirdParty|Claiming) has a claim 'partitions', which cvkit does not know. Did you mean 'partition'\?$/,
    );
  });

  it('says what is wrong, where, in one sentence', async () => {
    const entry = broken['moves one row of a group to another fold'][0];
    const error = await thrownBy(() =>
      splitterSuite(entry)
        .find((each) => each.name === 'groups stay whole')
        ?.run(),
    );
    expect((error as Error).message).toMatch(/^ThirdParty\(\{\}\) on uneven groups, fold fold-1: group \d+ is on both/);
  });
});
