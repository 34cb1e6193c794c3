import { describe, expect, it } from 'vitest';
import { isNearByShared } from '../../../src/checkers/CVL003-near-duplicate/sharedCells.js';
import type { Column } from '../../../src/checkers/features/columns.js';
import { chiSquaredUpperTail } from '../../../src/core/upperTails.js';

const column = (name: string, values: ArrayLike<number>, kind: Column['kind'] = 'number'): Column => ({
  name,
  kind,
  values: Float64Array.from(values),
  ...(kind === 'category' ? { levels: [...'abcdefghij'] } : {}),
});
/** Ten clinics of four rows, with two columns that are the clinic's and two that run through the rows in other orders. */
const n = 40;
const clinic = Array.from({ length: n }, (_, row) => Math.floor(row / 4));
const own = (step: number) => Array.from({ length: n }, (_, row) => (row * step) % n);
const columns = [
  column(
    'beds',
    clinic.map((at) => 100 + at),
  ),
  column('town', clinic, 'category'),
  column('x', own(7)),
  column('y', own(11)),
];
const all = { crossPairs: (n * (n - 1)) / 2 };
/** The share of pairs of the places 0 ... 39 that are no further apart. */
const within = (gap: number) => Array.from({ length: gap }, (_, at) => n - 1 - at).reduce((a, b) => a + b) / 780;
const fisher = (shares: number[]) =>
  chiSquaredUpperTail(-2 * shares.reduce((logs, share) => logs + Math.log(share), 0), 2 * shares.length);

describe('isNearByShared', () => {
  it('counts the pairs that share the cells, and how near pairs come in the others', () => {
    // Rows 0 and 1 share the clinic, as 10 * 6 pairs do, and are 7 and 11 apart among the places 0 ... 39.
    const expected = Math.max(60 * fisher([within(7), within(11)]), 60 * fisher([within(7), within(11), 60 / 780]));
    expect(isNearByShared({ n, columns }, { crossPairs: (780 * 0.0101) / expected }, [0, 1])).toBe(true);
    expect(isNearByShared({ n, columns }, { crossPairs: (780 * 0.0099) / expected }, [0, 1])).toBe(false);
    // With a hundred more columns of people, no pair is as near by chance in all of these.
    const many = Array.from({ length: 100 }, (_, at) => column(`z${at}`, own(1)));
    expect(isNearByShared({ n, columns: [...columns, ...many] }, all, [0, 1])).toBe(false);
  });

  it('looks at pairs of different patients that folds part', () => {
    expect(isNearByShared({ n, columns }, { crossPairs: 0.001 }, [0, 1])).toBe(false);
    const codes = Int32Array.from(clinic);
    expect(isNearByShared({ n, columns }, { ...all, codes }, [0, 1])).toBe(false);
  });

  it('is false where rows share one column, or what each column gives by chance', () => {
    expect(isNearByShared({ n, columns: columns.slice(1) }, all, [0, 1])).toBe(false);
    // Two flags that know nothing of each other: a quarter of the pairs share both.
    const flags = [
      column(
        'f',
        own(1).map((at) => at % 2),
      ),
      column(
        'g',
        own(1).map((at) => Math.floor(at / 2) % 2),
      ),
    ];
    expect(isNearByShared({ n, columns: [...flags, ...columns.slice(2)] }, all, [0, 4])).toBe(false);
    expect(isNearByShared({ n, columns: columns.slice(0, 2) }, all, [0, 1])).toBe(false);
  });

  it('leaves out one column in which a pair is equal by chance', () => {
    // Rows 0 and 1 alone share z: 60 pairs share the clinic, of which one is equal there.
    const z = own(1).map((at) => (at === 1 ? 0 : at));
    const steps = [1, 3, 7, 9];
    const gaps = steps.map(within);
    const rest = steps.map((step) => column(`x${step}`, own(step)));
    const shared = [...columns.slice(0, 2), column('z', z), ...rest];
    const sixty = 60 * fisher([...gaps, 1 / 780]);
    expect(sixty).toBeGreaterThan(1.1 * Math.max(fisher(gaps), fisher([...gaps, 60 / 780])));
    expect(isNearByShared({ n, columns: shared }, { crossPairs: (780 * 0.0101) / sixty }, [0, 1])).toBe(true);
    expect(isNearByShared({ n, columns: shared }, { crossPairs: (780 * 0.0099) / sixty }, [0, 1])).toBe(false);
  });

  it('takes missing cells in both rows for equal, and a missing cell in one for far apart', () => {
    const gone = own(7).map((at, row) => (row < 4 ? Number.NaN : at));
    expect(isNearByShared({ n, columns: [...columns, column('gone', gone)] }, all, [0, 1])).toBe(true);
    const half = own(7).map((at, row) => (row === 0 ? Number.NaN : at));
    expect(isNearByShared({ n, columns: [...columns, column('half', half)] }, all, [0, 1])).toBe(true);
  });
});
