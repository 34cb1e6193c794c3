import { describe, expect, it } from 'vitest';
import { duplicateRows } from '../../../src/checkers/CVL002-duplicate/duplicateRows.js';
import { linkage } from '../../../src/checkers/CVL002-duplicate/linkage.js';
import { readFeatures } from '../../../src/checkers/features/features.js';
import { type RandomSource, randomSource } from '../../../src/core/random.js';
import { rowsOf } from '../../../src/data/rows.js';
import { HoldOut } from '../../../src/splitters/iid/holdOut.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import type { Splitter } from '../../../src/splitters/splitter.js';
import { judged } from '../judged.js';

const decimals = (random: RandomSource, count: number) => Array.from({ length: count }, () => random.random());

/** People of households: six columns of the household, age and sex. */
function people(n: number, households: number) {
  const random = randomSource(5);
  const homes = Array.from({ length: households }, () => decimals(random, 6));
  return Array.from({ length: n }, () => {
    const home = homes[Math.floor(households * random.random())];
    const person = { age: 18 + Math.floor(70 * random.random()), sex: random.random() < 0.5 ? 'f' : 'm' };
    return { ...Object.fromEntries(home.map((value, at) => [`home${at}`, value])), ...person };
  });
}

/** Rows with decimals of their own, the first `count` again at the end with one cell of another row. */
function changed(n: number, count: number, columnOf: (at: number) => number) {
  const random = randomSource(6);
  const X = Array.from({ length: n }, () => decimals(random, 8));
  for (let at = 0; at < count; at++) {
    X[n - 1 - at] = X[at].map((value, column) => (column === columnOf(at) ? random.random() : value));
  }
  return X;
}

const found = async (X: unknown[]) => linkage(await readFeatures(rowsOf(X as never)), undefined).own;

describe('ownColumns', () => {
  it('names what people of a household have of their own', async () => {
    const own = await found(people(300, 120));
    expect(own?.columns.toSorted()).toEqual(['age', 'sex']);
    expect(own?.rows).toBeGreaterThan(150);
  });

  it('is undefined for copies: of few rows, with a changed cell in any column, with none', async () => {
    expect(await found(changed(300, 60, () => 2))).toBeUndefined();
    expect(await found(changed(300, 140, (at) => at % 8))).toBeUndefined();
    expect(await found(changed(300, 140, () => -1))).toBeUndefined();
    expect((await found(changed(300, 140, () => 2)))?.columns).toEqual(['feature 2']);
  });

  it('is undefined where pairs differ in a column that was not counted', async () => {
    const random = randomSource(9);
    const rows = Array.from({ length: 40 }, () => decimals(random, 1200));
    const X = [...rows, ...rows.map((row) => row.map((value, at) => (at === 7 ? value + 1 : value)))];
    expect((await found(X))?.columns).not.toEqual([]);
  });

  const splitter = new KFold({ nSplits: 5, shuffle: true, randomState: 1 });
  const judge = (X: unknown[], by: Splitter = splitter) => judged(duplicateRows, { X, splitter: by });

  it('is undefined where rows share what many would by chance', async () => {
    const random = randomSource(8);
    const flags = Array.from({ length: 200 }, () => {
      const flip = () => (random.random() < 0.5 ? 1 : 0);
      return { age: Math.floor(60 * random.random()), a: flip(), b: flip(), c: flip(), d: flip(), e: flip() };
    });
    expect(await found(flags)).toBeUndefined();
  });

  it('is a question of CVL002, with the way to answer it, in whatever folds', async () => {
    const X = people(300, 120);
    const { status, message, fix, evidence } = await judge(X);
    expect(status).toBe('needs_review');
    expect(message).toMatch(
      /^\d+ rows are equal to rows on the other side of a fold in all but `age`, `sex`: so many may be people of one household, or visits of one patient, or have settings of one device; or copies that were changed\./,
    );
    expect(message.startsWith(`${evidence.rows} rows`)).toBe(true);
    expect(fix).toMatch(/pass its id as `groups`/);
    expect(evidence).toMatchObject({ differing: ['age', 'sex'] });
    for (const by of [new KFold({ nSplits: 2 }), new HoldOut({ testSize: 0.1, randomState: 2 })]) {
      expect((await judge(X, by)).status).toBe('needs_review');
    }
    expect(await judge(changed(300, 20, () => 2))).toMatchObject({
      status: 'failed',
      evidence: { differing: ['feature 2'] },
    });
  });

  it('asks about people who are equal by chance, too, and fails copies beside them', { tags: 'slow' }, async () => {
    // In households of six some have the age and sex of another.
    for (const size of [2, 4, 6]) {
      const clean = await judge(people(420, Math.round(420 / size)));
      expect(`${size} ${clean.status}`).toMatch(/ (needs_review|passed|not_evaluated)$/);
    }
    const X = people(300, 150);
    const copies = [...X, ...X.slice(0, 30).map((row) => ({ ...row }))];
    const { status, message, evidence, concerns } = await judge(copies);
    expect([status, (evidence.rows as number) >= 40]).toEqual(['failed', true]);
    expect(message).toMatch(
      /^\d+ rows are equal to rows on the other side of a fold \(in .* Besides, \d+ rows are equal to rows on the other side of a fold in all but `age`, `sex`: /,
    );
    expect(message).toContain(` Besides, ${evidence.rowsOfUnits} rows`);
    expect([evidence.differing, concerns?.count]).toEqual([['age', 'sex'], evidence.rows]);
    // Each of the copies is found, in whatever folds.
    const { equal } = linkage(await readFeatures(rowsOf(copies as never)), undefined);
    for (let at = 0; at < 30; at++) expect(equal[at] >= 0 && equal[at] === equal[300 + at]).toBe(true);
    const blank = await judge([
      ...copies,
      ...Array.from({ length: 12 }, () => Object.fromEntries(Object.keys(X[0]).map((name) => [name, null]))),
    ]);
    expect(blank.message).toMatch(/ Besides, 12 rows without content are on both sides\. Besides, /);
    const twice = await judge([...X, ...X.map((row) => ({ ...row }))]);
    expect([twice.status, (twice.evidence.rows as number) > 350]).toEqual(['failed', true]);
  });
});
