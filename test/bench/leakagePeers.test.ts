/** Cases of the leakage suite as other packages get them, and what the comparison says without Python. */
import { spawnSync } from 'node:child_process';
import { beforeAll, expect, it } from 'vitest';
import { needDist } from '../meta/dist.js';
import { ROOT } from '../meta/program.js';

type CaseFor = (scenario: { check: string }, made: object) => Record<string, unknown>;
let caseFor: CaseFor;
beforeAll(async () => {
  needDist();
  ({ caseFor } = (await import('../../bench/leakage/peers/caseFor.mjs')) as unknown as { caseFor: CaseFor });
});
const CVL = { check: 'CVL002' };
const pairs = { split: () => [[[0, 1], [2]]].values() };

it('makes columns of rows, records, typed rows and single numbers', () => {
  const columnsOf = (X: object) => caseFor(CVL, { X, cv: pairs }).columns;
  expect(
    columnsOf([
      [1, 'a'],
      [Number.NaN, null],
      [3, undefined],
    ]),
  ).toEqual({ 0: [1, null, 3], 1: ['a', null, null] });
  expect(columnsOf([{ age: 1 }, { sex: 'f' }, { age: 3, sex: 'm' }])).toEqual({
    age: [1, null, 3],
    sex: [null, 'f', 'm'],
  });
  expect(columnsOf([Float32Array.of(1, 2), Float32Array.of(3, 4)])).toEqual({ 0: [1, 3], 1: [2, 4] });
  expect(columnsOf([1, 2, 3])).toEqual({ 0: [1, 2, 3] });
  expect(columnsOf([{ day: new Date(5), yes: true, id: 12345678901234567890n }])).toEqual({
    day: [5],
    yes: [1],
    id: ['12345678901234567890'],
  });
});

it('makes one column a pixel and keeps the shape of pictures, however they are stored', () => {
  const stored = { data: Float32Array.from({ length: 12 }, (_, at) => at), shape: [2, 2, 3] };
  const nested = [0, 6].map((from) => [0, 3].map((row) => [0, 1, 2].map((at) => from + row + at)));
  const expected = { 0: [0, 6], 1: [1, 7], 2: [2, 8], 3: [3, 9], 4: [4, 10], 5: [5, 11] };
  for (const X of [stored, nested]) {
    expect(caseFor(CVL, { X, cv: pairs })).toMatchObject({ columns: expected, shape: [2, 3] });
  }
  expect(caseFor(CVL, { X: { data: Float32Array.of(1, 2, 3, 4), shape: [2, 2] }, cv: pairs })).not.toHaveProperty(
    'shape',
  );
});

it('gives labels, side data and at most ten folds, or the one pair of rows that a preparation was fitted for', () => {
  const X = Array.from({ length: 12 }, (_, row) => [row]);
  const each = {
    split: () => X.map((_, row) => ({ train: Int32Array.of((row + 1) % 12), test: Int32Array.of(row) })).values(),
  };
  const y = X.map((_, row) => row % 2);
  const made = {
    X,
    y,
    cv: each,
    groups: X.map((_, row) => `p${row}`),
    timestamps: X.map((_, row) => `2020-01-${String(row + 1).padStart(2, '0')}`),
    hierarchy: { site: X.map(() => 'a'), patient: X.map((_, row) => row) },
  };
  const { code, folds, side, y: labels } = caseFor(CVL, made) as { [key: string]: Record<string, unknown[]> };
  expect([code, labels]).toEqual(['CVL002', y]);
  expect(folds).toHaveLength(10);
  expect(folds?.[9]).toEqual([[10], [9]]);
  expect(side?.groups?.[11]).toBe('p11');
  expect(side?.timestamps?.[1]).toBe(Date.UTC(2020, 0, 2));
  expect([side?.top?.[3], side?.patients?.[3]]).toEqual(['a', 3]);
  expect(side?.coordinates).toBeNull();

  const prepared = caseFor(CVL, { X, y, cv: each, processed: X, splitIndices: [[0, 1], [2]] });
  expect(prepared.folds).toEqual([[[0, 1], [2]]]);
  expect(prepared.processed).toEqual(X);
});

it('says what it needs where there is no Python', () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    ['bench/leakage/peers/index.mjs', '--python', 'no-such-python'],
    { cwd: ROOT, encoding: 'utf8' },
  );
  expect(status).toBe(1);
  expect(stderr).toMatch(
    /^The comparison needs no-such-python with numpy, .* and Pillow: spawnSync no-such-python ENOENT\n$/,
  );
});
