/**
 * What every splitter has to do, ours or a third party's: named cases over small data sets, option sets and seeds.
 * Declared facts and claims switch cases on. Every case looks at every fold.
 */

import { CVKitError, messageOf } from '../../src/core/errors.js';
import { fingerprint } from '../../src/core/fingerprint.js';
import { permutation, randomSource } from '../../src/core/random.js';
import { countValues } from '../../src/core/tally.js';
import { encode } from '../../src/data/encode.js';
import type { Label } from '../../src/data/labels.js';
import { type SideData, takeSideData, timesOf } from '../../src/data/sideData.js';
import type { Fold, SplitterClaims } from '../../src/splitters/splitter.js';
import type { SplitterData } from './splitterData.js';
import {
  ABOUT,
  type Need,
  type SplitterUnderTest,
  type Trial,
  trialsOf,
  type Variant,
  withRows,
} from './splitterTrials.js';
import { type ConformanceCase, ensure, requireParts, thrownBy } from './suite.js';

export type { SplitterUnderTest };

type FoldCheck = (fold: Fold, trial: Trial) => string | undefined;

/**
 * The cases for one splitter. Each throws an Error with one sentence when the splitter breaks the rule.
 *
 * @example
 * const cases = splitterSuite({ name: 'KFold', create: () => new KFold(), claims: { partition: true } });
 * for (const { run } of cases) await run(); // in a test file: test(name, run)
 * console.log(cases.length > 10);
 */
export function splitterSuite(entry: SplitterUnderTest): ConformanceCase[] {
  requireParts('splitterSuite', entry, { name: 'string', create: 'function' });
  const needs = new Set<Need>(entry.needs ?? []);
  const trials = trialsOf(entry);
  const seeded = 'randomState' in (entry.options?.shape ?? {});
  const cases: ConformanceCase[] = [];
  const rule = (name: string, run: ConformanceCase['run']) => cases.push({ name, run });
  const ofEach = (name: string, check: (trial: Trial) => void | Promise<void>) =>
    rule(name, async () => {
      for (const trial of trials) await check(trial);
    });
  const checkFolds = (trial: Trial, check: FoldCheck) => {
    for (const fold of trial.split()) {
      const problem = check(fold, trial);
      ensure(problem === undefined, `${trial.where}, fold ${fold.id}: ${problem}`);
    }
  };
  const forEachFold = (name: string, check: FoldCheck) => ofEach(name, (trial) => checkFolds(trial, check));
  /** A case for a claim, where it is made; without data about it the claim is not proved. */
  const claimed = (claim: keyof SplitterClaims, name: string, check: FoldCheck) => {
    const made = trials.filter(({ claims }) => claims[claim]);
    if (made.length === 0) return;
    rule(name, () => {
      const lacking = ABOUT[claim]?.find((input) => made.every(({ data }) => data.side[input] === undefined));
      ensure(
        lacking === undefined,
        `${entry.name}: no data set has the ${lacking} that the claim \`${claim}\` is about`,
      );
      for (const trial of made) checkFolds(trial, check);
    });
  };
  /** The folds must be the same when each input is exchanged for each of its variants. */
  const sameFoldsWith = (name: string, variantsOf: (trial: Trial) => Iterable<Variant>) =>
    rule(name, () => {
      for (const trial of trials) {
        const splitter = trial.create();
        const expected = picture(trial.split({ splitter }));
        for (const { what, ...change } of variantsOf(trial)) {
          ensure(picture(trial.split({ splitter, ...change })) === expected, `${trial.where}: ${what} moved rows`);
        }
      }
    });

  forEachFold('rows are ascending integers in range', ({ train, test, excluded }, { data: { n } }) => {
    for (const [side, rows] of Object.entries({ train, test, ...excluded })) {
      for (let i = 0; i < rows.length; i++) {
        if (!Number.isInteger(rows[i])) return `${side} has ${rows[i]}, which is no integer`;
        if (rows[i] < 0 || rows[i] >= n) return `${side} has row ${rows[i]} of ${n} rows`;
        if (rows[i] < rows[i - 1]) return `${side} has row ${rows[i]} after row ${rows[i - 1]}`;
      }
    }
  });
  forEachFold('train and test are disjoint', ({ train, test }) => {
    const tested = new Set(test);
    const shared = [...train].filter((row) => tested.has(row));
    return shared.length > 0 ? `rows ${shared.slice(0, 5)} are on both sides` : undefined;
  });
  forEachFold('neither side is empty', ({ train, test }) => {
    if (train.length === 0) return 'train is empty';
    return test.length === 0 ? 'test is empty' : undefined;
  });
  forEachFold('a test row is tested once per fold', ({ test }) =>
    new Set(test).size < test.length ? 'a test row is there twice' : undefined,
  );
  claimed('disjointGroups', 'groups stay whole', ({ train, test }, { data: { side } }) => {
    const torn = onBothSides(train, test, side.groups);
    return torn === undefined ? undefined : `group ${torn} is on both sides`;
  });
  claimed(
    'wholeLevel',
    'ids of the level stay whole',
    ({ train, test }, { claims: { wholeLevel = '' }, data: { side } }) => {
      const torn = onBothSides(train, test, side.hierarchy?.[wholeLevel]);
      return torn === undefined ? undefined : `${wholeLevel} ${torn} is on both sides`;
    },
  );
  claimed('stratified', 'every test set has the shares of the classes', ({ test }, { data, claims }) => {
    for (const { name, holds } of classesOf(data.y)) {
      const rows = Array.from({ length: data.n }, (_, row) => row).filter(holds);
      const tested = test.filter(holds).length;
      const expected = (test.length * rows.length) / data.n;
      if (Math.abs(tested - expected) > slackOf(rows, claims, data)) {
        return `${tested} of ${test.length} test rows are of ${name}, ${expected.toFixed(1)} are its share`;
      }
    }
    return undefined;
  });
  claimed('timeOrdered', 'training rows are earlier than test rows', ({ train, test }, { data }) => {
    const times = startsIn(data);
    const latest = Math.max(...Array.from(train, (row) => times[row]));
    const first = Math.min(...Array.from(test, (row) => times[row]));
    return latest >= first ? `a training row at ${latest} is not before a test row at ${first}` : undefined;
  });
  claimed('keepsTies', 'rows of one time stay together', ({ train, test }, { data }) => {
    const torn = onBothSides(train, test, startsIn(data));
    return torn === undefined ? undefined : `the time ${torn} is on both sides`;
  });
  if (trials.some(({ claims }) => claims.keepsTies)) {
    rule('the order of the rows does not matter', () => {
      for (const { where, data, claims, create, split } of trials) {
        if (data.side.timestamps === undefined || !claims.keepsTies) continue;
        const splitter = create();
        const order = [...permutation(randomSource(7), data.n)];
        const moved = split({
          splitter,
          y: take(data.y, order),
          side: takeSideData(data.side, Int32Array.from(order)),
        });
        const before = (rows: Int32Array) => rows.map((row) => order[row]).sort();
        const back = moved.map((fold) => withRows(fold, before));
        ensure(picture(back) === picture(split({ splitter })), `${where}: rows in another order give other folds`);
      }
    });
  }
  claimed('purged', 'no training label interval meets a test one', ({ train, test }, { data }) => {
    const starts = startsIn(data);
    const ends = timesIn(data, 'labelEndTimes') ?? starts;
    for (const a of train) {
      const met = test.find((b) => starts[a] <= ends[b] && starts[b] <= ends[a]);
      if (met !== undefined) return `the interval of training row ${a} meets that of test row ${met}`;
    }
    return undefined;
  });
  forEachFold('excluded rows are on neither side', ({ train, test, excluded = {} }) => {
    const used = new Set([...train, ...test]);
    for (const [reason, rows] of Object.entries(excluded)) {
      for (const row of rows) {
        if (used.has(row)) return `row ${row} is ${reason} and used`;
        used.add(row);
      }
    }
    return undefined;
  });
  if (trials.some(({ claims }) => claims.partition)) {
    rule('every row is tested once per repeat', () => {
      for (const trial of trials) {
        if (!trial.claims.partition) continue;
        const tested = new Map<number, number[]>();
        for (const { test, repeat = 0 } of trial.split()) {
          tested.set(repeat, [...(tested.get(repeat) ?? []), ...test]);
        }
        for (const [repeat, rows] of tested) {
          for (let row = 0; row < trial.data.n; row++) {
            const times = rows.filter((each) => each === row).length;
            ensure(times === 1, `${trial.where}: row ${row} is tested ${times} times in repeat ${repeat}`);
          }
        }
      }
    });
  }
  ofEach('every fold has an id of its own', (trial) => {
    const ids = trial.split().map((fold) => fold.id);
    ensure(
      ids.every((id) => typeof id === 'string' && id.length > 0) && new Set(ids).size === ids.length,
      `${trial.where}: the ids are ${ids}`,
    );
  });
  ofEach('getNSplits is the number of folds', (trial) => {
    const { n, y, side } = structuredClone(trial.data);
    const said = trial.create().getNSplits(n, y, side);
    const yielded = trial.split().length;
    ensure(said === yielded, `${trial.where}: getNSplits says ${said}, split yields ${yielded}`);
  });
  ofEach('the same seed gives the same folds', (trial) => {
    const splitter = trial.create();
    const first = picture(trial.split({ splitter }));
    ensure(picture(trial.split({ splitter })) === first, `${trial.where}: a second split gives other folds`);
    ensure(picture(trial.split()) === first, `${trial.where}: a fresh instance gives other folds`);
  });
  if (seeded) {
    rule('the seed matters', () => {
      const perSeed = new Map<unknown, string[]>();
      for (const trial of trials) {
        const seed = trial.options.randomState;
        if (seed === undefined) continue;
        perSeed.set(seed, [...(perSeed.get(seed) ?? []), picture(trial.split())]);
      }
      const distinct = new Set([...perSeed.values()].map((pictures) => pictures.join()));
      ensure(distinct.size > 1, `${entry.name}: ${perSeed.size} seeds all give the same folds`);
    });
  }
  ofEach('folds can be kept', (trial) => {
    const copies: string[] = [];
    const kept: Fold[] = [];
    for (const fold of trial.iterate()) {
      copies.push(picture([fold]));
      kept.push(fold);
    }
    for (const [at, fold] of kept.entries()) {
      ensure(picture([fold]) === copies[at], `${trial.where}, fold ${fold.id}: changed when later folds came`);
    }
  });
  ofEach('inputs are left as they were', (trial) => {
    for (const { y, side } of [structuredClone(trial.data), typed(trial.data)]) {
      const before = JSON.stringify([y, side]);
      trial.split({ y, side });
      ensure(JSON.stringify([y, side]) === before, `${trial.where}: an input was changed`);
    }
  });
  if (trials.some(({ data }) => data.side.groups)) {
    sameFoldsWith('renaming groups in order moves nothing', ({ data: { side } }) => {
      if (!side.groups) return [];
      const { codes } = encode(side.groups);
      return [
        { what: 'renaming groups to numbers', side: { ...side, groups: codes.map((code) => 7 * code - 3) } },
        { what: 'renaming groups to words', side: { ...side, groups: Array.from(codes, (code) => `p${1000 + code}`) } },
      ];
    });
  }
  sameFoldsWith('renaming classes in order moves nothing', ({ data: { y } }) => {
    if (Array.isArray(y[0])) return [];
    const { codes } = encode(y as Label[]);
    return [
      { what: 'renaming classes to numbers', y: Array.from(codes, (code) => 3 * code - 2) },
      { what: 'renaming classes to words', y: Array.from(codes, (code) => `class ${code}`) },
    ];
  });
  sameFoldsWith('every kind of array gives the same folds', ({ data }) => {
    const { n, y, side } = data;
    const rows = Array.from({ length: n }, (_, row) => [row, -row]);
    return [
      { what: 'X as arrays', X: rows },
      { what: 'X as records', X: rows.map(([a, b]) => ({ a, b })) },
      { what: 'X as typed array and shape', X: { data: Float32Array.from(rows.flat()), shape: [n, 2] } },
      { what: 'typed arrays', ...typed(data) },
      ...(Array.isArray(y[0]) ? [] : [{ what: 'y as Float64Array', y: Float64Array.from(codesOf(y as Label[])) }]),
      ...(side.groups ? [{ what: 'groups as strings', side: { ...side, groups: wordsOf(side.groups) } }] : []),
    ];
  });
  ofEach('too little data is refused by the call to split', async ({ create, data, where }) => {
    const one = firstRow(data);
    await refused(where, 'one row', () => create().split(1, one.y, one.side));
  });
  for (const need of needs) {
    rule(`missing ${need} is refused by the call to split`, async () => {
      for (const { create, data, where } of trials) {
        const { [need as keyof SideData]: _, ...side } = data.side;
        await refused(where, `no ${need}`, () => create().split(data.n, need === 'y' ? null : data.y, side));
      }
    });
  }
  const oneOf = entry.needsOneOf ?? [];
  if (oneOf.length > 0) {
    rule(`none of ${oneOf.join(', ')} is refused by the call to split`, async () => {
      for (const { create, data, where } of trials) {
        const side = Object.fromEntries(Object.entries(data.side).filter(([name]) => !oneOf.includes(name as Need)));
        await refused(where, `none of ${oneOf}`, () => create().split(data.n, data.y, side));
      }
    });
  }
  const { golden } = entry;
  if (golden !== undefined) {
    rule('the folds are those of the last release', () => {
      const found = fingerprint((trials.find((each) => each.options.randomState === 42) ?? trials[0]).split());
      ensure(found === golden, `${entry.name}: the golden fingerprint is ${golden}, the folds have ${found}`);
    });
  }
  return cases;
}

/** An id that rows of both sides have, where the rows have ids. */
function onBothSides<T>(train: Int32Array, test: Int32Array, ids: ArrayLike<T> | undefined): T | undefined {
  if (!ids) return undefined;
  const tested = new Set(Array.from(test, (row) => ids[row]));
  return Array.from(train, (row) => ids[row]).find((id) => tested.has(id));
}

/** The classes of `y`, or its label columns. */
function classesOf(y: SplitterData['y']): { name: string; holds(row: number): boolean }[] {
  const several = y[0];
  if (Array.isArray(several)) {
    return several.map((_, at) => ({ name: `label ${at}`, holds: (row) => (y[row] as number[])[at] === 1 }));
  }
  return [...new Set(Array.from(y as ArrayLike<Label>))].map((each) => ({
    name: `class ${each}`,
    holds: (row) => y[row] === each,
  }));
}

/** Rows of a class by which a test set may miss its share: one, or with whole groups half as many again as one of them has. */
function slackOf(
  rows: readonly number[],
  { disjointGroups }: SplitterClaims,
  { side: { groups } }: SplitterData,
): number {
  if (!disjointGroups || !groups) return 1;
  return 1.5 * Math.max(1, ...countValues(rows.map((row) => groups[row])).counts);
}

/** Times of the rows; their order where no timestamps are given. */
const startsIn = (data: SplitterData) =>
  timesIn(data, 'timestamps') ?? Float64Array.from({ length: data.n }, (_, row) => row);

function timesIn({ n, side }: SplitterData, name: 'timestamps' | 'labelEndTimes'): Float64Array | undefined {
  const times = side[name];
  return times && timesOf(times, n, name).values;
}

const take = <T>(values: ArrayLike<T>, rows: readonly number[]): T[] => rows.map((row) => values[row]);

/** Everything about folds as one text. */
function picture(folds: Iterable<Fold>): string {
  const lines = Array.from(folds, ({ id, repeat, train, test, excluded = {} }) => {
    const left = Object.entries(excluded).map(([reason, rows]) => `${reason} ${rows}`);
    return [id, repeat, train, test, ...left].join(';');
  });
  return lines.join('\n');
}

const codesOf = (values: ArrayLike<Label>) => encode(values).codes;
const wordsOf = (values: ArrayLike<Label>) => Array.from(codesOf(values), (code) => `id-${1000 + code}`);

/** The same data with codes in typed arrays where there were lists of labels. */
function typed({ y, side }: SplitterData): { y: ArrayLike<unknown>; side: SideData } {
  return {
    y: Array.isArray(y[0]) ? y : codesOf(y as Label[]),
    side: side.groups ? { ...side, groups: codesOf(side.groups) } : side,
  };
}

function firstRow({ y, side }: SplitterData): { y: unknown[]; side: SideData } {
  const one = (value: unknown): unknown =>
    'length' in (value as object)
      ? Array.from(value as ArrayLike<unknown>).slice(0, 1)
      : Object.fromEntries(Object.entries(value as object).map(([level, ids]) => [level, one(ids)]));
  return {
    y: Array.from(y).slice(0, 1),
    side: Object.fromEntries(Object.entries(side).map(([name, value]) => [name, one(value)])),
  };
}

/** Asserts that the call itself throws a {@link CVKitError}: not the first `next()`, and not a bare Error. */
async function refused(where: string, what: string, split: () => Iterable<unknown>): Promise<void> {
  let folds: Iterable<unknown> | undefined;
  const error = await thrownBy(() => {
    folds = split();
  });
  if (error === undefined) {
    const late = await thrownBy(() => folds?.[Symbol.iterator]().next());
    ensure(false, `${where}: ${what} was ${late === undefined ? 'accepted' : 'refused only by the first next()'}`);
  }
  ensure(error instanceof CVKitError, `${where}: ${what} must be a CVKitError, not "${messageOf(error)}"`);
}
