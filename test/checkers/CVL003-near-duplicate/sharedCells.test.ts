import { describe, expect, it } from 'vitest';
import { nearDuplicates } from '../../../src/checkers/CVL003-near-duplicate/nearDuplicates.js';
import { sharedCells } from '../../../src/checkers/CVL003-near-duplicate/sharedCells.js';
import type { Column } from '../../../src/checkers/features/columns.js';
import { chiSquaredUpperTail } from '../../../src/core/pValues.js';
import { randomSource } from '../../../src/core/random.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { judged } from '../judged.js';
import { normal } from './normal.js';

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
const clinics = [
  column(
    'beds',
    clinic.map((at) => 100 + at),
  ),
  column('town', clinic, 'category'),
];
const columns = [...clinics, column('x', own(7)), column('y', own(11))];
const PAIRS = 780;
/** The share of pairs of the places 0 ... 39 that are no further apart. */
const within = (gap: number) => Array.from({ length: gap }, (_, at) => n - 1 - at).reduce((a, b) => a + b) / PAIRS;
const fisher = (shares: number[]) =>
  chiSquaredUpperTail(-2 * shares.reduce((logs, share) => logs + Math.log(share), 0), 2 * shares.length);
/** Whether the pair of the first two rows is chance, in as many pairs across folds, beside others that were found. */
const isChance = async (
  of: readonly Column[],
  rest: { crossPairs?: number; codes?: Int32Array } = {},
  more: number[][] = [],
) =>
  (
    await sharedCells(
      { n, columns: of, crossPairs: PAIRS, ...rest },
      [[0, 1], ...more].map(([first, second]) => ({ first, second })),
    )
  )(0);

describe('sharedCells', () => {
  it('counts the other pairs that share the cells, and how near pairs come in the rest', async () => {
    // Rows 0 and 1 share the clinic, as 10 * 6 pairs do, and are 7 and 11 apart among the places 0 ... 39.
    const expected = (others: number) => others * fisher([within(7), within(11)]);
    expect(await isChance(columns, { crossPairs: (PAIRS * 0.0101) / expected(59) })).toBe(true);
    expect(await isChance(columns, { crossPairs: (PAIRS * 0.0099) / expected(59) })).toBe(false);
    // Further pairs that were found may be copies: they tell nothing of chance.
    const found = [0, 4, 8].flatMap((row) => [
      [row + 1, row + 2],
      [row + 2, row + 3],
    ]);
    expect(await isChance(columns, { crossPairs: (PAIRS * 0.0101) / expected(59) }, found)).toBe(false);
    expect(await isChance(columns, { crossPairs: (PAIRS * 0.0101) / expected(53) }, found)).toBe(true);
    // With a hundred more columns of people, no pair is as near by chance in all of these.
    const many = Array.from({ length: 100 }, (_, at) => column(`z${at}`, own(1)));
    expect(await isChance([...columns, ...many])).toBe(false);
  });

  it('looks at pairs of different patients', async () => {
    expect(await isChance(columns)).toBe(true);
    expect(await isChance(columns, { codes: Int32Array.from(clinic) })).toBe(false);
  });

  it('is false where rows share one column, what each column gives by chance, or what no others share', async () => {
    expect(await isChance(columns.slice(1))).toBe(false);
    const flags = [
      column(
        'f',
        own(1).map((at) => at % 2),
      ),
      column(
        'g',
        own(1).map((at) => Math.floor(at / 4) % 2),
      ),
    ];
    const [x, y] = [own(1), own(1)].map((values) => column('x', values));
    const two = async (all: readonly Column[]) =>
      (await sharedCells({ n, columns: all, crossPairs: PAIRS }, [{ first: 0, second: 2 }]))(0);
    expect(await two([...flags, x, y])).toBe(false);
    expect(await isChance(clinics)).toBe(false);
    // Twelve columns of which the pair alone is equal in ten, though each of them has ties.
    const draws = randomSource(4);
    const cell = (row: number) => (row < 2 ? 0 : Math.floor(13 * draws.random()));
    const alone = Array.from({ length: 10 }, (_, at) => column(`a${at}`, own(1).map(cell)));
    expect(await isChance([...alone, x, y])).toBe(false);
  });

  it('judges thousands of pairs in many rows', async () => {
    const rows = 300_000;
    const many = (name: string, cell: (row: number) => number) =>
      column(
        name,
        Array.from({ length: rows }, (_, row) => cell(row)),
      );
    const sites = ['beds', 'town'].map((name) => many(name, (row) => Math.floor(row / 400)));
    const people = [7919, 104_729].map((step) => many(`x${step}`, (row) => (row * step) % rows));
    const table = { n: rows, columns: [...sites, ...people], crossPairs: (rows * (rows - 1)) / 2 };
    const isOne = await sharedCells(table, [{ first: 0, second: 1 }]);
    for (let pair = 1; pair < 4000; pair++) isOne(0);
    expect(isOne(0)).toBe(true);
  });

  it('takes missing cells in both rows for equal, and a missing cell in one for far apart', async () => {
    const gone = own(7).map((at, row) => (row < 4 ? Number.NaN : at));
    expect(await isChance([...columns, column('gone', gone)])).toBe(true);
    const half = own(7).map((at, row) => (row === 0 ? Number.NaN : at));
    expect(await isChance([...columns, column('half', half)])).toBe(true);
  });

  const list = <T>(length: number, make: (at: number) => T) => Array.from({ length }, (_, at) => make(at));
  const splitter = new KFold({ nSplits: 5, shuffle: true, randomState: 1 });
  const statusOf = async (X: number[][]) => (await judged(nearDuplicates, { X, splitter })).status;

  const random = randomSource(3);
  it.each([
    [
      'whole numbers, some of them off by one',
      () => Math.round(50 + 5 * normal(random)),
      (cell: number) => cell + (random.random() < 0.3 ? 1 : 0),
    ],
    [
      'zeros and a few numbers',
      () => (random.random() < 0.8 ? 0 : Math.exp(normal(random))),
      (cell: number) => (cell === 0 ? 0 : cell + 0.001 * normal(random)),
    ],
  ])('leaves copies accused in which the most cells are equal: %s', async (_, draw, change) => {
    const X = list(400, () => list(30, draw));
    for (let at = 0; at < 10; at++) X[399 - at] = X[at].map(change);
    expect(await statusOf(X)).toBe('failed');
  });
});
