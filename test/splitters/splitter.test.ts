import { inspect } from 'node:util';
import { describe, expect, expectTypeOf, it } from 'vitest';
import { fingerprint } from '../../src/core/fingerprint.js';
import { foldsOf } from '../../src/splitters/foldsOf.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { NestedCV } from '../../src/splitters/iid/nestedCV.js';
import { PredefinedSplit } from '../../src/splitters/iid/predefinedSplit.js';
import { iterableFold, iterableFolds, namedSides, type Splitter, withWarnings } from '../../src/splitters/splitter.js';

const plain = { id: 'fold-0', train: Int32Array.of(2, 3), test: Int32Array.of(0, 1) };

describe('iterableFold', () => {
  it('is the fold, and a pair', () => {
    const fold = iterableFold(plain);
    const [train, test] = fold;
    expectTypeOf(train).toEqualTypeOf<Int32Array>();
    expect([train, test]).toEqual([plain.train, plain.test]);
    expect(fold).toMatchObject(plain);
    expect(fold.train).toBe(plain.train);
  });

  it('is what its type says, a list of two, and is printed as the plain object that it is', () => {
    const fold = iterableFold(plain);
    expect([fold.length, fold[0], fold[1]]).toEqual([2, plain.train, plain.test]);
    expect(fold.map((side) => side.length)).toEqual([2, 2]);
    expect(Array.isArray(fold)).toBe(false);
    expect(inspect(fold)).toContain("id: 'fold-0'");
    expect(inspect(fold)).not.toContain('Array <');
  });

  it('leaves copies plain', () => {
    const fold = iterableFold(plain);
    expect(structuredClone(fold)).toStrictEqual(plain);
    expect({ ...fold }).toStrictEqual(plain);
    expect(JSON.parse(JSON.stringify({ ...fold, train: [...fold.train], test: [...fold.test] }))).toStrictEqual({
      id: 'fold-0',
      train: [2, 3],
      test: [0, 1],
    });
    expect(Object.keys(fold)).toEqual(['id', 'train', 'test']);
    expect(Object.isFrozen(plain)).toBe(false);
    expect(plain).not.toHaveProperty([Symbol.iterator as unknown as string]);
  });
});

describe('iterableFolds', () => {
  it('makes folds one by one, and keeps what is said about them', () => {
    let made = 0;
    const folds = iterableFolds(
      withWarnings(['A sentence.'], function* () {
        for (;;) {
          made++;
          yield plain;
        }
      }),
    );
    const [first] = folds;
    expect([made, first.id, folds.warnings]).toEqual([1, 'fold-0', ['A sentence.']]);
    expect('warnings' in iterableFolds([])).toBe(false);
  });
});

describe('scikit-learn habits', () => {
  const X = Array.from({ length: 12 }, (_, row) => [row]);
  const y = X.map(([row]) => row % 2);

  it('for (const [train, test] of splitter.split(X, y)), of the folds of foldsOf and of inner folds', () => {
    const tested: number[] = [];
    for (const [train, test] of new KFold({ nSplits: 3 }).split(X, y)) {
      expectTypeOf(train).toEqualTypeOf<Int32Array>();
      expect(train.length + test.length).toBe(12);
      tested.push(...test);
    }
    expect(tested).toEqual(X.map(([row]) => row));
    for (const [train, test] of foldsOf(new KFold(), X, y)) expect(train.length + test.length).toBe(12);
    for (const { train, inner } of new NestedCV().split(X, y)) {
      for (const [innerTrain, innerTest] of inner?.split() ?? []) {
        expect(innerTrain.length + innerTest.length).toBe(train.length);
      }
    }
  });

  it('takes rows of every kind, and gives the number of folds for anything', () => {
    const columns = { age: X.map(([row]) => row), site: X.map(() => 'a') };
    const records = X.map(([row]) => ({ age: row }));
    const expected = fingerprint(new KFold().split(12));
    for (const rows of [X, columns, records, { data: new Float32Array(24), shape: [12, 2] }]) {
      expect(fingerprint(new KFold().split(rows))).toBe(expected);
      expect(new KFold().getNSplits(rows)).toBe(5);
    }
    expect(new KFold().getNSplits(null)).toBe(5);
    expect(new KFold().getNSplits()).toBe(5);
  });
});

describe('folds of others', () => {
  const pairs = [
    [
      [2, 3],
      [0, 1],
    ],
    [
      [0, 1],
      [2, 3],
    ],
  ] as const;
  const splitter: Splitter = { split: () => pairs, getNSplits: () => 2 };

  it('may be pairs, and get ids', () => {
    const plan = foldsOf(splitter, 4);
    expect(plan.ids).toEqual(['fold-0', 'fold-1']);
    expect(Array.from(plan, ({ train, test }) => [[...train], [...test]])).toEqual(pairs);
    expect(plan.fingerprint).toBe(foldsOf(new PredefinedSplit({ folds: pairs }), 4).fingerprint);
  });

  it('are checked as all others', () => {
    const torn: Splitter = { ...splitter, split: () => [[[0, 1], [1]]] };
    expect(() => foldsOf(torn, 4)).toThrow(/Fold fold-0 of the splitter/);
    const odd = { ...splitter, split: () => [[0, 1]] } as unknown as Splitter;
    expect(() => foldsOf(odd, 4)).toThrow('Fold fold-0 of the splitter: train must be an array of row numbers. Got 0.');
  });

  it('namedSides leaves named ones alone', () => {
    expect(namedSides(plain)).toBe(plain);
    expect(namedSides([[1], [0]] as const)).toEqual({ train: [1], test: [0] });
  });
});
