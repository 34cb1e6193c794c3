import { readFileSync } from 'node:fs';
import * as tf from '@tensorflow/tfjs';
import { tableFromArrays } from 'apache-arrow';
import * as aq from 'arquero';
import { Matrix } from 'ml-matrix';
import { describe, expect, it, vi } from 'vitest';
import { type ContentHashes, contentHashes, type HashedContent } from '../../src/data/contentHashes.js';
import { labelsOf } from '../../src/data/labels.js';
import { rowsOf } from '../../src/data/rows.js';
import { KFold, UniversalCVRunner } from '../../src/index.js';
import { matrix } from '../helpers/matrix.js';

/** By hashlib and numpy: test/reference/contentHashes.py. */
const EXPECTED = JSON.parse(readFileSync(new URL('../reference/contentHashes.json', import.meta.url), 'utf8'));

const hashes = (content: Partial<HashedContent>): Promise<ContentHashes> =>
  contentHashes({ X: rowsOf([[1], [2]]), y: labelsOf([0, 1]), data: {}, folds: [], ...content });
const hashOfX = async (X: unknown) => (await hashes({ X: rowsOf(X) })).data.X;
const hashOfY = async (y: unknown) => (await hashes({ y: labelsOf(y) })).data.y;
const hashesOf = async (data: HashedContent['data'], n = 2) =>
  (await hashes({ y: labelsOf(Array.from({ length: n }, (_, i) => i % 2)), data })).data;

const float32 = Float32Array.from({ length: 60 }, (_, i) => Math.sin(i));
const lists = Array.from({ length: 12 }, (_, row) => Array.from(float32.subarray(row * 5, row * 5 + 5)));
const names = ['a', 'b', 'c', 'd', 'e'];
const columns = Object.fromEntries(names.map((name, column) => [name, lists.map((row) => row[column])]));

describe('the hash of X', () => {
  it.each<[string, unknown]>([
    ['nested arrays', lists],
    ['typed arrays in an array', lists.map((row) => Float64Array.from(row))],
    ['Float32Array with a shape', { data: float32, shape: [12, 5] }],
    ['Float64Array with a shape', { data: Float64Array.from(float32), shape: [12, 5] }],
    ['records', lists.map((row) => Object.fromEntries(row.map((value, column) => [names[column], value])))],
    ['columns', columns],
    ['an ml-matrix', new Matrix(lists)],
    ['a tensor', tf.tensor2d(lists)],
    ['an arquero table', aq.table(columns)],
    ['an Arrow table', tableFromArrays(columns)],
  ])('is the same for %s', async (_, X) => {
    expect(await hashOfX(X)).toBe(EXPECTED.X);
  });

  it('covers the shape, missing values, and cells of text', async () => {
    const images = { data: Uint8Array.from({ length: 144 }, (_, i) => i), shape: [12, 4, 3] };
    expect(await hashOfX(images)).toBe(EXPECTED.images);
    expect(
      await hashOfX([
        [1, null],
        [-0, 2],
      ]),
    ).toBe(EXPECTED.missing);
    const records = [
      { age: 61, sex: 'männlich', smokes: null },
      { age: 0.5, sex: '', smokes: true },
    ];
    expect(await hashOfX(records)).toBe(EXPECTED.rows);
    expect(await hashOfX({ age: [61, 0.5], sex: ['männlich', ''], smokes: [null, true] })).toBe(EXPECTED.rows);
  });

  it('is the same in blocks: 3 * 65,536 numbers are read in three', async () => {
    const [data, shape] = [Float64Array.from({ length: 196_608 }, (_, i) => i), [1024, 192]];
    const take = vi.fn((rows: Int32Array) => rowsOf({ data, shape }).take(rows));
    const inBlocks = (await hashes({ X: { ...rowsOf({ data, shape }), take } })).data.X;
    expect(take).toHaveBeenCalledTimes(3);
    expect(inBlocks).toBe(await hashOfX({ data: Float32Array.from(data), shape }));
  });

  it('differs when one value does', async () => {
    const other = lists.map((row) => [...row]);
    other[7][3] += 1e-12;
    expect(await hashOfX(other)).not.toBe(EXPECTED.X);
  });

  it('is null with a reason for rows that are read as they are needed, which are not read', async () => {
    const take = vi.fn();
    const { data, reasons } = await hashes({ X: rowsOf({ length: 2, take }) });
    expect([data.X, reasons.X]).toEqual([null, expect.stringContaining('not read once more')]);
    expect(take).not.toHaveBeenCalled();
  });

  it('is null with a reason for other things than numbers and texts', async () => {
    const { data, reasons } = await hashes({ X: rowsOf([{ scan: new Map() }, { scan: new Map() }]) });
    expect([data.X, reasons.X]).toEqual([null, 'some values are neither numbers nor texts']);
  });

  it('is one for each input of a record', async () => {
    const X = rowsOf({ scan: { data: float32, shape: [12, 5] }, stored: { length: 12, take: () => lists } });
    const { data, reasons } = await hashes({ X });
    expect(data).toMatchObject({ 'X.scan': EXPECTED.X, 'X.stored': null });
    expect(Object.keys(reasons)).toEqual(['X.stored']);
  });
});

describe('the hash of y', () => {
  it('covers classes, numbers and labels', async () => {
    expect(await hashOfY(['case', 'control', 'control'])).toBe(EXPECTED.binary);
    expect(await hashOfY([1.5, -2, 1e300])).toBe(EXPECTED.regression);
    expect(await hashOfY(matrix('1 0 1 | 0 0 1'))).toBe(EXPECTED.multilabel);
    expect(await hashOfY(tf.tensor2d(matrix('1 0 1 | 0 0 1'), [2, 3], 'int32'))).toBe(EXPECTED.multilabel);
  });
});

describe('the hashes of what comes beside', () => {
  it('tell which rows belong together, and nothing of the ids', async () => {
    const { groups, 'hierarchy.site': site } = await hashesOf(
      { groups: ['p9', 'p2', 'p9', 'p1'], hierarchy: { site: [4, 2, 4, 1] } },
      4,
    );
    expect([groups, site]).toEqual([EXPECTED.groups, EXPECTED.groups]);
  });

  it('cover times, places and weights', async () => {
    const timestamps = ['2020-01-01', new Date('2020-01-02')];
    const coordinates = matrix('52.5 13.4 | 48.1 11.6');
    const found = await hashesOf({ timestamps, labelEndTimes: timestamps, coordinates });
    expect(found).toMatchObject({
      timestamps: EXPECTED.timestamps,
      labelEndTimes: EXPECTED.timestamps,
      coordinates: EXPECTED.coordinates,
    });
    const { data } = await hashes({ weight: [1.5, -2, 1e300], auxiliary: { grade: labelsOf([1.5, -2, 1e300]) } });
    expect(data).toMatchObject({ sampleWeight: EXPECTED.regression, 'auxiliary.grade': EXPECTED.regression });
  });
});

describe('the hash of the folds', () => {
  it('covers the row numbers in order', async () => {
    const folds = [
      { train: [0, 1, 2], test: [3, 4] },
      { train: Int32Array.of(3, 4), test: Int32Array.of(0, 1, 2) },
    ];
    expect((await hashes({ folds })).folds).toBe(EXPECTED.folds);
    expect((await hashes({ folds: folds.toReversed() })).folds).not.toBe(EXPECTED.folds);
  });
});

describe('the manifest of a run', () => {
  it('holds the hashes', async () => {
    const y = lists.map((_, row) => row % 2);
    const model = { fit: () => undefined, predict: (X: number[][]) => X.map(([value]) => (value > 0 ? 1 : 0)) };
    const cvSplitter = new KFold({ nSplits: 2 });
    const { metadata } = await new UniversalCVRunner({ cvSplitter, verbose: 0 }).run({ model, data: [lists, y] });
    const folds = cvSplitter.split(lists);
    expect(metadata.sha256).toEqual(await contentHashes({ X: rowsOf(lists), y: labelsOf(y), data: {}, folds }));
    expect(metadata.sha256?.data.X).toBe(EXPECTED.X);
  });
});
