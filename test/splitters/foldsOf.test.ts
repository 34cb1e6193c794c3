import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidDataError, InvalidOptionError } from '../../src/core/errors.js';
import { fingerprint } from '../../src/core/fingerprint.js';
import { labelsOf } from '../../src/data/labels.js';
import { type FoldSides, foldsOf } from '../../src/splitters/foldsOf.js';
import { LeavePGroupsOut } from '../../src/splitters/grouped/leavePGroupsOut.js';
import { BootstrapValidation } from '../../src/splitters/iid/bootstrapValidation.js';
import { HoldOut } from '../../src/splitters/iid/holdOut.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { LOOCV } from '../../src/splitters/iid/loocv.js';
import { LPOCV } from '../../src/splitters/iid/lpocv.js';
import { NestedCV } from '../../src/splitters/iid/nestedCV.js';
import { RepeatedKFold } from '../../src/splitters/iid/repeatedKFold.js';
import { StratifiedKFold } from '../../src/splitters/iid/stratifiedKFold.js';
import type { Splitter, SplitterClaims } from '../../src/splitters/splitter.js';
import { CombinatorialPurgedCV } from '../../src/splitters/temporal/combinatorialPurgedCV.js';
import { failure } from '../helpers/failure.js';
import { matrix } from '../helpers/matrix.js';
import { refusal } from '../helpers/messages.js';

/** A foreign splitter that yields what it is told to, right or wrong. */
function foreign(folds: Iterable<unknown>, rest: Partial<Splitter> = {}): Splitter {
  class Foreign {
    split = () => folds;
  }
  return Object.assign(new Foreign(), rest) as unknown as Splitter;
}

const two = (train: unknown, test: unknown) =>
  foreign([
    { id: 'good', train: [0, 1], test: [2, 3] },
    { train, test },
  ]);

describe('foldsOf', () => {
  it('numbers the folds within their repeat', () => {
    const plan = foldsOf(new RepeatedKFold({ nSplits: 2, nRepeats: 2, randomState: 1 }), 6);
    expect([plan.length, plan.repeats, plan.n, plan.splitterName]).toEqual([4, 2, 6, 'RepeatedKFold']);
    expect([...plan].map(({ id, index, repeat, number }) => [id, index, repeat, number])).toEqual([
      ['repeat-0_fold-0', 0, 0, 0],
      ['repeat-0_fold-1', 1, 0, 1],
      ['repeat-1_fold-0', 2, 1, 0],
      ['repeat-1_fold-1', 3, 1, 1],
    ]);
  });

  it('gives the same folds at every iteration, even of an unseeded splitter', () => {
    for (const splitter of [new KFold({ shuffle: true }), new HoldOut()]) {
      const plan = foldsOf(splitter, 50);
      expect([...plan]).toEqual([...plan]);
      expect(plan.at(0)).toEqual([...plan][0]);
      expect(plan.fingerprint).toBe(fingerprint(plan));
    }
  });

  it('gives the rows that the splitter gave, sorted', () => {
    const plan = foldsOf(two([5, 3, 3, 1], new Float32Array([4, 0])), 6);
    expect([...plan.at(1).train]).toEqual([1, 3, 3, 5]);
    expect([...plan.at(1).test]).toEqual([0, 4]);
    expect(plan.at(1).train).toBeInstanceOf(Int32Array);
    const splitter = new KFold({ nSplits: 3, shuffle: true, randomState: 7 });
    const given = [...splitter.split(20)].map(({ train, test }) => [train, test]);
    expect([...foldsOf(splitter, 20)].map(({ train, test }) => [train, test])).toEqual(given);
  });

  it('gives the sides of each fold, without training rows that are all the others', () => {
    const rows = (folds: Iterable<FoldSides>) =>
      Array.from(folds, ({ id, test, train }) => [id, [...test], train && [...train]]);
    expect(rows(foldsOf(new LOOCV(), 3).sides())).toEqual([
      ['fold-0', [0], undefined],
      ['fold-1', [1], undefined],
      ['fold-2', [2], undefined],
    ]);
    // Repeated training rows may be as many as the others are, and are not them.
    for (const splitter of [new BootstrapValidation({ nIterations: 3, randomState: 1 }), two([0, 0, 1], [2, 3, 4])]) {
      const plan = foldsOf(splitter, 6);
      expect(rows(plan.sides())).toEqual(rows(plan));
    }
    const plan = foldsOf(new LOOCV(), 3);
    for (const { test } of plan.sides()) test.fill(9);
    expect(rows(plan.sides())[1]).toEqual(['fold-1', [1], undefined]);
  });

  it('keeps folds that share one buffer apart, and leaves what it was given alone', () => {
    const buffer = new Int32Array([9, 8]);
    const splitter = foreign(
      (function* () {
        for (const row of [0, 1, 2]) {
          buffer.set([row, 3]);
          yield { id: `${row}`, train: [4, 5], test: buffer };
        }
      })(),
    );
    expect(Array.from(foldsOf(splitter, 6), ({ test }) => [...test])).toEqual(matrix('0 3 | 1 3 | 2 3'));
    const single = new Int32Array(1);
    const leaveOneOut = foreign(
      (function* () {
        for (const row of [0, 1, 2]) {
          single[0] = row;
          yield { id: `${row}`, train: Int32Array.of(0, 1, 2).filter((each) => each !== row), test: single };
        }
      })(),
    );
    expect(Array.from(foldsOf(leaveOneOut, 3), ({ test }) => [...test])).toEqual([[0], [1], [2]]);
    const unsorted = [3, 1, 2];
    foldsOf(two(unsorted, [0]), 4);
    expect(unsorted).toEqual([3, 1, 2]);
  });

  it('stores leave-one-out folds in O(n) memory', () => {
    const n = 10_000;
    const all = Int32Array.from({ length: n }, (_, row) => row);
    const leaveOneOut = foreign(
      (function* () {
        for (let row = 0; row < n; row++) {
          const train = new Int32Array(n - 1);
          train.set(all.subarray(0, row));
          train.set(all.subarray(row + 1), row);
          yield { id: `${row}`, train, test: Int32Array.of(row) };
        }
      })(),
      { claims: { partition: true }, getNSplits: () => n },
    );
    const before = process.memoryUsage().arrayBuffers;
    const plan = foldsOf(leaveOneOut, n);
    expect(plan.length).toBe(n);
    // n^2 row numbers are 400 MB; what has been dropped but not yet collected is well below that
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(150e6);
    expect(plan.at(123).train.length).toBe(n - 1);
    expect(plan.at(123).train[123]).toBe(124);
  });

  it('stores runs of rows by their ends, as folds that move forward in time have them', () => {
    const n = 10_000;
    const forward = foreign(
      (function* () {
        for (let row = 1; row < n; row++) {
          yield { id: `${row}`, train: new Int32Array(row).map((_, at) => at), test: Int32Array.of(row) };
        }
      })(),
      { claims: { timeOrdered: true } },
    );
    const before = process.memoryUsage().arrayBuffers;
    const plan = foldsOf(forward, n);
    // n^2 / 2 row numbers are 200 MB; what has been dropped but not yet collected is well below that
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100e6);
    expect(plan.at(122)).toMatchObject({ id: '123', test: Int32Array.of(123) });
    expect([...plan.at(122).train]).toEqual(Array.from({ length: 123 }, (_, row) => row));
  });

  it('passes foreign claims on and needs neither claims nor getNSplits', () => {
    expect(foldsOf(two([0], [1]), 4).claims).toEqual({});
    const unable = foreign([{ id: 'a', train: [0], test: [1] }], {
      getNSplits: () => {
        throw new InvalidDataError('needs groups');
      },
    });
    expect(foldsOf(unable, 2).length).toBe(1);
  });

  it('refuses a claim that it does not know, since nothing would check it', () => {
    const misspelt = foreign([{ id: 'a', train: [0], test: [1] }], { claims: { wholeGroups: true } as never });
    expect(() => foldsOf(misspelt, 2)).toThrow(refusal('invalid_option', 'wholeGroups'));
  });

  it('refuses a y that is no list, such as a promise of one', () => {
    for (const y of [Promise.resolve([1, 2]), 5, true]) {
      expect(() => foldsOf(two([0], [1]), 2, y as never)).toThrow(
        /^y must be an array, a typed array, a tensor or a column\. Got /,
      );
    }
  });

  it('hides no mistake inside getNSplits', () => {
    const broken = foreign([{ id: 'a', train: [0], test: [1] }], {
      getNSplits: () => (undefined as unknown as { length: number }).length,
    });
    expect(() => foldsOf(broken, 2)).toThrow(TypeError);
  });

  it('gives every caller rows of his own', () => {
    const plan = foldsOf(new KFold({ nSplits: 2 }), 4);
    plan.at(0).test.fill(3);
    for (const fold of plan) fold.train.reverse();
    expect([...plan].map(({ train, test }) => [...train, -1, ...test])).toEqual(matrix('2 3 -1 0 1 | 0 1 -1 2 3'));
    const boot = foldsOf(foreign([{ id: 'a', train: [0, 0], test: [1] }]), 4);
    boot.at(0).train[0] = 1;
    expect([...boot.at(0).train]).toEqual([0, 0]);
  });

  it('gives excluded rows as ascending lists of the caller’s own, without reasons that have none', () => {
    const buffer = new Int32Array([3]);
    const splitter = foreign(
      (function* () {
        yield { id: 'a', train: [0], test: [1], excluded: { purged: [5, 2], embargoed: buffer, buffered: [] } };
        buffer[0] = 4;
        yield { id: 'b', train: [0], test: [1], excluded: { purged: [] } };
      })(),
    );
    const plan = foldsOf(splitter, 6);
    const expected = { purged: Int32Array.of(2, 5), embargoed: Int32Array.of(3) };
    expect(plan.at(0).excluded).toEqual(expected);
    plan.at(0).excluded?.purged?.fill(0);
    plan.at(0).excluded?.embargoed?.fill(0);
    expect(plan.at(0).excluded).toEqual(expected);
    expect(plan.at(1)).not.toHaveProperty('excluded');
  });

  it('passes the task of a labels view on to built-in splitters, and plain labels to others', () => {
    const y = labelsOf([0.5, 1.5, 0.5, 1.5], { task: 'binary' });
    expect(foldsOf(new StratifiedKFold({ nSplits: 2 }), 4, y).length).toBe(2);
    let seen: unknown;
    const spy = foreign([{ id: 'a', train: [0], test: [1] }]);
    const { split } = spy;
    spy.split = (X, given, data) => {
      seen = given;
      return split.call(spy, X, given, data);
    };
    foldsOf(spy, 4, y);
    expect(seen).toEqual([0.5, 1.5, 0.5, 1.5]);
  });
});

describe('foldsOf refuses, before any fold is used,', () => {
  const partition = { claims: { partition: true } };
  const whole = { claims: { disjointGroups: true } };
  const groups = ['ann', 'bob', 'ann', 'bob', 'cy', 'cy'];
  const fold = (id: string, train: number[], test: number[], repeat?: number) => ({ id, train, test, repeat });
  const excluding = (excluded: unknown) => foreign([{ id: 'a', train: [0, 1], test: [2, 3], excluded }]);
  const cases: [what: string, splitter: Splitter, message: string][] = [
    [
      'a row on both sides',
      two([0, 1, 2], [2, 3]),
      'Fold fold-1 of Foreign must keep train and test apart. Got row 2 on both sides.',
    ],
    [
      'many rows on both sides, of which it names five',
      two([0, 1, 2, 3, 4, 5], [0, 1, 2, 3, 4, 5]),
      'Fold fold-1 of Foreign must keep train and test apart. Got rows 0, 1, 2, 3, 4 on both sides.',
    ],
    ['an empty test', two([0], []), 'Fold fold-1 of Foreign: test must have at least one row. Got none.'],
    [
      'an empty train beside a full test',
      two(new Int32Array(0), Int32Array.of(0, 1, 2, 3, 4, 5)),
      'Fold fold-1 of Foreign: train must have at least one row. Got none.',
    ],
    [
      'rows out of range',
      two([0, 6, -1, 7], [2]),
      'Fold fold-1 of Foreign: train must hold row numbers from 0 to 5. Got 6, -1, 7.',
    ],
    [
      'rows out of range in an Int32Array',
      two(Int32Array.of(0, 1, 2, 3, 4), Int32Array.of(6)),
      'Fold fold-1 of Foreign: test must hold row numbers from 0 to 5. Got 6.',
    ],
    [
      'what is no integer',
      two([0, 1.5, '2', Number.NaN], [3]),
      'Fold fold-1 of Foreign: train must hold integers. Got 1.5, a string, NaN.',
    ],
    [
      'a test row that is there twice',
      two([0], [3, 5, 3, 3, 5]),
      'Fold fold-1 of Foreign: test must hold every row once. Got rows 3, 5 twice.',
    ],
    [
      'a test row that is there twice in an Int32Array, in the place of another',
      two(Int32Array.of(0, 3, 4, 5), Int32Array.of(1, 1)),
      'Fold fold-1 of Foreign: test must hold every row once. Got row 1 twice.',
    ],
    [
      'a missing side',
      two(undefined, [1]),
      'Fold fold-1 of Foreign: train must be an array of row numbers. Got undefined.',
    ],
    [
      'a side that has bytes and no entries',
      two(new DataView(new ArrayBuffer(8)), [1]),
      'Fold fold-1 of Foreign: train must be an array of row numbers. Got a DataView of 8 bytes.',
    ],
    [
      'a mask instead of row numbers',
      two([true, false, false, false, false, false], [1]),
      'Fold fold-1 of Foreign: train must hold integers. Got a boolean.',
    ],
    [
      'a fold that is no object',
      foreign([null]),
      'Fold 0 of Foreign must be an object with id, train and test. Got null.',
    ],
    [
      'an id used twice',
      foreign([fold('a', [0], [1]), fold('a', [1], [0])]),
      'Fold a of Foreign must have an id of its own. Got one that is taken.',
    ],
    ['no folds at all', foreign([]), 'Foreign must yield at least one fold. Got none.'],
    [
      'another number of folds than getNSplits says',
      foreign([fold('a', [0], [1])], { getNSplits: () => 5 }),
      'Foreign must yield the 5 folds that its `getNSplits` says. Got 1.',
    ],
    [
      'a torn group where the splitter claims whole ones',
      foreign([fold('a', [0, 1, 4], [2, 3, 5])], whole),
      'Fold a of Foreign must keep groups whole. Got groups #id (row 0), #id (row 1), #id (row 4) on both sides.',
    ],
    [
      'a torn group in a fold that is a partition of the rows',
      foreign([{ id: 'a', train: Int32Array.of(0, 1, 3, 4), test: Int32Array.of(2, 5) }], whole),
      'Fold a of Foreign must keep groups whole. Got groups #id (row 0), #id (row 4) on both sides.',
    ],
    [
      'excluded rows that are out of range',
      excluding({ purged: [6, -1] }),
      'Fold a of Foreign: purged must hold row numbers from 0 to 5. Got 6, -1.',
    ],
    [
      'an excluded row that is there twice',
      excluding({ buffered: [4, 5, 4] }),
      'Fold a of Foreign: buffered must hold every row once. Got row 4 twice.',
    ],
    [
      'an excluded row that trains',
      excluding({ embargoed: [5, 0] }),
      'Fold a of Foreign must keep train and embargoed apart. Got row 0 on both sides.',
    ],
    [
      'an excluded row that is tested, also where the sides are all rows',
      foreign([{ id: 'a', train: Int32Array.of(0, 1, 2, 3), test: Int32Array.of(4, 5), excluded: { purged: [4] } }]),
      'Fold a of Foreign must keep test and purged apart. Got row 4 on both sides.',
    ],
    [
      'a row excluded for two reasons',
      excluding({ purged: [4, 5], embargoed: [5] }),
      'Fold a of Foreign must keep purged and embargoed apart. Got row 5 on both sides.',
    ],
    [
      'a reason that is none',
      excluding({ banned: [5] }),
      "Fold a of Foreign: excluded must give the reasons purged, embargoed, buffered. Got 'banned'.",
    ],
    [
      'excluded rows without a reason',
      excluding([4, 5]),
      'Fold a of Foreign: excluded must be a record of reason to rows. Got [4, 5].',
    ],
    [
      'a training row that is not before the test rows where the splitter claims order in time',
      foreign([fold('a', [0, 1, 2], [3]), fold('b', [0, 1, 5], [3, 4])], { claims: { timeOrdered: true } }),
      'Fold b of Foreign must train before it tests. Got training row 5 at or after its first test time.',
    ],
    [
      'a row tested twice in a repeat where the splitter claims a partition',
      foreign([fold('a', [2, 3, 4, 5], [0, 1], 0), fold('b', [0, 4, 5], [1, 2, 3], 0)], partition),
      'Fold b of Foreign: test must hold rows that no earlier fold tested. Got row 1.',
    ],
    [
      'a row never tested where the splitter claims a partition',
      foreign([fold('a', [2, 3, 4, 5], [0, 1]), fold('b', [0, 1, 5], [2, 3])], partition),
      'Foreign must test every row. Got no fold with rows 4, 5.',
    ],
    [
      'a row never tested in one of the repeats',
      foreign(
        [fold('a', [3, 4, 5], [0, 1, 2], 0), fold('b', [0, 1, 2], [3, 4, 5], 0), fold('c', [0], [1, 2, 3, 4, 5], 1)],
        partition,
      ),
      'Repeat 1 of Foreign must test every row. Got no fold with row 0.',
    ],
  ];
  it.each(cases)('%s', (_, splitter, message) => {
    const check = () => foldsOf(splitter, 6, null, { groups, timestamps: [0, 1, 2, 3, 4, 3] });
    expect(check).toThrow(InvalidDataError);
    // Ids appear as salted hashes.
    expect(failure(check).replace(/#[0-9a-f]{8}/g, '#id')).toBe(`invalid_folds: ${message}`);
  });

  it('more folds than can be trained: by their count where it is known, else when so many have come', {
    tags: 'slow',
    timeout: 60_000,
  }, () => {
    const timestamps = [...Array(60).keys()];
    const blocks = new CombinatorialPurgedCV({ nSplits: 40, nTestSplits: 20 });
    expect(failure(() => foldsOf(blocks, 60, null, { timestamps }))).toMatch(
      /^too_many_folds: .*CombinatorialPurgedCV.*137,846,528,820/,
    );
    expect(failure(() => blocks.paths(60, null, { timestamps }))).toContain('too_many_folds');
    const most = 'must give at most 1,000,000 folds. Got ';
    for (const many of [
      () => foldsOf(new LeavePGroupsOut({ nGroups: 10 }), 60, null, { groups: timestamps }),
      () => foldsOf(new LPOCV({ p: 6 }), 1000),
      () => foldsOf(new LPOCV({ p: 2 }), 10_000),
      () => foldsOf(new RepeatedKFold({ nRepeats: 1_000_000 }), 60),
      () => foldsOf(new NestedCV({ outerCv: new LPOCV({ p: 2 }), innerCv: new KFold() }), 10_000),
    ]) {
      expect(many).toThrow(most);
    }
    function* endless() {
      for (;;) yield { train: [0], test: [1] };
    }
    expect(failure(() => foldsOf(foreign(endless()), 2))).toMatch(/^too_many_folds: .*more/);
  });

  it('data or options by place, and says how they are given', () => {
    const y = [0, 1, 0, 1];
    expect(failure(() => new KFold({ nSplits: 2 }).split(4, y, ['a', 'a', 'b', 'b'] as never))).toMatch(
      /^invalid_option: .*an array of length 4/,
    );
    expect(failure(() => new KFold(5 as never))).toMatch(/^invalid_option: .*5/);
    expect(failure(() => new LPOCV(2 as never))).toContain('Use new LPOCV({ p: 2 }).');
    expect(failure(() => new KFold('5' as never))).toMatch(/^invalid_option: .*'5'/);
  });

  it('what is no splitter', () => {
    expect(() => foldsOf({} as Splitter, 6)).toThrow(InvalidOptionError);
    expect(() => foldsOf({ nSplits: 5 } as unknown as Splitter, 6)).toThrow(
      'A splitter must have a `split` method. Got an object with the keys nSplits.',
    );
  });

  it('bad input of a built-in splitter, with its own error', () => {
    expect(() => foldsOf(new KFold({ nSplits: 7 }), 6)).toThrow('must be at most the number of rows, 6. Got 7.');
  });
});

/** A foreign splitter with one fold and claims that may be lies. */
const claiming = (claims: SplitterClaims, train: number[], test: number[]): Splitter => ({
  claims,
  getNSplits: () => 1,
  split: () => [{ id: 'only', train: Int32Array.from(train), test: Int32Array.from(test) }],
});

const timestamps = [0, 10, 10, 20, 30, 30, 40, 50];

describe('foldsOf holds a foreign splitter to', () => {
  const check = (claims: SplitterClaims, train: number[], test: number[], labelEndTimes?: number[]) => () =>
    foldsOf(claiming(claims, train, test), 8, null, { timestamps, ...(labelEndTimes ? { labelEndTimes } : {}) });

  it('purged, where touching is meeting, on either side and across rows between', () => {
    const ends = [10, 10, 10, 20, 30, 30, 40, 50];
    expect(check({ purged: true }, [0, 3], [1], ends)).toThrow('Got training row 0 whose interval meets');
    expect(check({ purged: true }, [1, 3], [0], ends)).toThrow('Got training row 1 whose interval meets');
    ends[0] = 30;
    expect(check({ purged: true }, [5, 6, 7], [0, 3], ends)).toThrow('Got training row 5 whose');
    expect(check({ purged: true }, [0, 6], [3], ends)).toThrow('Got training row 0 whose');
  });

  it('nothing about times where there are none', () => {
    const claims = { timeOrdered: true, keepsTies: true, purged: true };
    expect(foldsOf(claiming(claims, [3], [0]), 8).length).toBe(1);
  });
});

it('purged is a comparison of all pairs, whatever the data', () => {
  const row = fc.record({
    start: fc.integer({ min: 0, max: 30 }),
    length: fc.integer({ min: 0, max: 6 }),
    side: fc.integer({ min: 0, max: 4 }),
  });
  fc.assert(
    fc.property(fc.array(row, { minLength: 2, maxLength: 25 }), (rows) => {
      const on = (sides: number[]) => [...rows.keys()].filter((at) => sides.includes(rows[at].side));
      const [train, test] = [on([0, 1, 2]), on([3])];
      fc.pre(train.length > 0 && test.length > 0);
      const starts = rows.map(({ start }) => start);
      const ends = rows.map(({ start, length }) => start + length);
      const met = train.filter((a) => test.some((b) => starts[a] <= ends[b] && starts[b] <= ends[a]));
      const split = () =>
        foldsOf(claiming({ purged: true }, train, test), rows.length, null, {
          timestamps: starts,
          labelEndTimes: ends,
        });
      const named = `training row${met.length > 1 ? 's' : ''} ${met.slice(0, 5).join(', ')} whose`;
      if (met.length > 0) expect(split).toThrow(named);
      else expect(split).not.toThrow();
    }),
  );
});
