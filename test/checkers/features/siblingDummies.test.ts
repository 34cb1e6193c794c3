import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { siblingDummies } from '../../../src/checkers/features/joinedDummies.js';
import { randomSource } from '../../../src/core/random.js';

type Columns = Parameters<typeof siblingDummies>[0];
const random = randomSource(5);
const whole = (count: number) => Math.floor(count * random.random());
const column = (name: string, values: readonly number[]) => ({
  name,
  kind: 'number' as const,
  values: Float64Array.from(values),
});
/** One column per level; the first `dropped` are left out. */
const dummies = (name: string, codes: readonly number[], levels: number, dropped = 0) =>
  Array.from({ length: levels - dropped }, (_, at) =>
    column(
      name ? `${name}_${at + dropped}` : `feature ${at}`,
      codes.map((code) => (Number.isNaN(code) ? Number.NaN : Number(code === at + dropped))),
    ),
  );
const codesOf = (n: number, levels: number) => Array.from({ length: n }, () => whole(levels));
const flagsOf = (n: number, count: number, rate: number) =>
  Array.from({ length: count }, (_, at) =>
    column(
      `flag ${at}`,
      Array.from({ length: n }, () => Number(random.random() < rate)),
    ),
  );

describe('siblingDummies', () => {
  it('finds the columns of each category, complete or without the first level', () => {
    const n = 300;
    const X: Columns = [
      column('age', codesOf(n, 80)),
      ...dummies('stage', codesOf(n, 4), 4),
      ...flagsOf(n, 3, 0.3),
      ...dummies('ward', codesOf(n, 6), 6, 1),
    ];
    expect(siblingDummies(X)).toEqual([
      [1, 2, 3, 4],
      [8, 9, 10, 11, 12],
    ]);
  });

  it('needs no names, and no order', () => {
    const n = 400;
    const [a, b] = [dummies('', codesOf(n, 5), 5), dummies('', codesOf(n, 3), 3)];
    expect(siblingDummies([a[0], b[0], a[1], b[1], a[2], a[3], b[2], a[4]])).toEqual([
      [0, 2, 4, 5, 7],
      [1, 3, 6],
    ]);
  });

  it('finds the same beside a level that no row has, and coded as -1 and 1', () => {
    // Levels so rare that only their places put them together.
    const upTo = [0.5, 0.52, 0.54];
    const codes = Array.from({ length: 200 }, () => {
      const drawn = random.random();
      return upTo.filter((limit) => drawn > limit).length;
    });
    const whole = dummies('', codes, 4);
    const empty = column('feature', new Array(200).fill(0));
    const flags = flagsOf(200, 2, 0.02).map(({ values }) => column('', [...values]));
    expect(siblingDummies([...flags, ...whole])).toEqual([[2, 3, 4, 5]]);
    expect(siblingDummies([...flags, whole[0], whole[1], empty, whole[2], whole[3]])).toEqual([[2, 3, 5, 6]]);
    const coded = [...flags, ...whole].map(({ values }) =>
      column(
        '',
        [...values].map((value) => 2 * value - 1),
      ),
    );
    expect(siblingDummies(coded)).toEqual([[2, 3, 4, 5]]);
    const three = column(
      'effect',
      codes.map((code) => [1, 0, -1, 1][code]),
    );
    expect(siblingDummies([three, three])).toEqual([]);
  });

  it('allows missing categories', () => {
    const codes = codesOf(200, 4).map((code) => (random.random() < 0.1 ? Number.NaN : code));
    expect(siblingDummies(dummies('stage', codes, 4))).toEqual([[0, 1, 2, 3]]);
  });

  it('leaves flags that are merely rare, and columns that are no flags', () => {
    const rare = [0, 1, 2].map((at) =>
      column(
        `flag ${at}`,
        codesOf(100, 1).map((_, row) => Number(row === at)),
      ),
    );
    expect(siblingDummies(rare)).toEqual([]);
    expect(siblingDummies([column('zeros', [0, 0]), column('ones', [1, 1]), column('two', [0, 2])])).toEqual([]);
    expect(siblingDummies([])).toEqual([]);
  });

  it('never puts two ones of a row into one group', () => {
    const cell = fc.constantFrom(0, 0, 0, 1, Number.NaN);
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 30, maxLength: 30 }), { maxLength: 6 }), (lists) => {
        const columns = lists.map((list, at) => column(`c${at}`, list));
        const groups = siblingDummies(columns);
        expect(new Set(groups.flat()).size).toBe(groups.flat().length);
        for (const group of groups) {
          for (let row = 0; row < 30; row++) {
            expect(group.filter((at) => columns[at].values[row] === 1).length).toBeLessThan(2);
          }
        }
      }),
    );
  });
});
