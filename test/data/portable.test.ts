/** Rows and labels as plain data for other threads: what comes out is what went in. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Label } from '../../src/data/encode.js';
import { labelsOf } from '../../src/data/labels.js';
import { inSharedMemory, portableLabels, portableRows, portedLabels, rowsFrom } from '../../src/data/portable.js';
import { withPositive } from '../../src/data/positiveCode.js';
import { type Rows, rowsOf } from '../../src/data/rows.js';
import { matrix } from '../helpers/matrix.js';

const isShared = (value: unknown) => ArrayBuffer.isView(value) && value.buffer instanceof SharedArrayBuffer;
const sent = async (X: Rows) => rowsFrom(structuredClone(await portableRows(X)));

/** All that a model may be given of rows. */
const told = async (X: Rows) => ({
  length: X.length,
  featureNames: X.featureNames,
  rowShape: X.rowShape,
  arrays: await X.toArrays(),
  some: await X.take(Int32Array.of(X.length - 1, 0)).toArrays(),
});

const tensor = {
  shape: [3, 2],
  dtype: 'float32',
  data: async () => Float32Array.of(1, 2, 3, 4, 5, 6),
  dataSync: () => [],
};
const mlMatrix = { rows: 3, columns: 2, get: (row: number, column: number) => row * 2 + column };
const mixed = { a: [1, null, Number.NaN], b: ['x', 'y', true], c: [1n, new Date(5), -0] };

describe('rows', () => {
  it.each<[string, unknown, boolean]>([
    [
      'arrays of numbers',
      [
        [1, -0, Number.NaN],
        [4, 5, 6],
        [Infinity, 8, 9],
      ],
      true,
    ],
    ['nested arrays', [matrix('1 2 | 3 4'), matrix('5 6 | 7 8'), matrix('9 1 | 2 3')], true],
    ['typed rows', [Float32Array.of(0.1, 2), Float32Array.of(3, 4)], true],
    ['{ data, shape }', { data: Uint8Array.of(1, 2, 3, 4, 5, 6), shape: [3, 2] }, true],
    ['a matrix', mlMatrix, true],
    ['a tensor', tensor, true],
    ['columns of numbers', { a: [1, 2, 3], b: Float32Array.of(0.1, 0.2, 0.3) }, true],
    [
      'arrays with an empty cell',
      [
        [1, null],
        [2, 3],
      ],
      false,
    ],
    [
      'arrays with truth values and text',
      [
        [true, 'x'],
        [false, 'y'],
      ],
      false,
    ],
    ['mixed columns', mixed, false],
    [
      'records',
      [
        { a: 1, b: 'x' },
        { a: 2, b: 'y' },
      ],
      false,
    ],
  ])('are what they were, numbers in shared memory: %s', async (_, X, shared) => {
    const rows = rowsOf(X);
    const portable = await portableRows(rows);
    expect('rows' in portable && isShared((portable.rows as { data?: unknown }).data)).toBe(shared);
    expect(await told(await sent(rows))).toEqual(await told(rows));
    if (shared) expect(await (await sent(rows)).toDense()).toEqual(await rows.toDense());
  });

  it('that hold numbers are those numbers, whatever they are', async () => {
    const cell = fc.oneof(fc.double(), fc.constant(null), fc.boolean(), fc.string());
    const table = fc
      .integer({ min: 1, max: 4 })
      .chain((width) =>
        fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1, maxLength: 6 }),
      );
    await fc.assert(
      fc.asyncProperty(table, async (X) => {
        const rows = rowsOf(X);
        expect(await told(await sent(rows))).toEqual(await told(rows));
      }),
    );
  });

  it('of several inputs are sent input by input', async () => {
    const rows = rowsOf({ image: { data: Float32Array.of(1, 2, 3, 4), shape: [2, 2] }, age: [50, 60] });
    const again = await sent(rows);
    expect(await told(again)).toEqual(await told(rows));
    expect(await again.toInputs()).toEqual(await rows.toInputs());
  });

  it('of a part of the data are that part alone', async () => {
    const part = rowsOf({ data: inSharedMemory(Float64Array.of(1, 2, 3, 4, 5, 6)), shape: [3, 2] }).take(
      Int32Array.of(2, 0),
    );
    expect(await told(await sent(part))).toEqual(await told(part));
    expect(part.shared).toBeUndefined();
  });

  it('in shared memory are not copied', async () => {
    const data = inSharedMemory(Float32Array.of(1, 2, 3, 4));
    const portable = await portableRows(rowsOf({ data, shape: [2, 2] }));
    expect((portable as { rows: { data: unknown } }).rows.data).toBe(data);
    expect(inSharedMemory(data)).toBe(data);
    const read = await rowsFrom(portable).toDense();
    read.data[0] = 99;
    expect(data[0]).toBe(1);
  });
});

describe('labels', () => {
  it.each<[string, unknown, Parameters<typeof labelsOf>[1]?]>([
    ['texts', ['yes', 'no', 'yes']],
    ['integers that may be classes', [1, 2, 3, 1]],
    ['truth values', [true, false, true]],
    ['numbers', [0.5, 1.5, -0]],
    ['several labels per row', matrix('1 1 0 | 0 0 1')],
    ['masks', [matrix('1 0 | 0 0'), matrix('1 1 | 0 1')], { task: 'multilabel' }],
  ])('are what they were: %s', (_, y, options) => {
    const labels = labelsOf(y, options);
    const again = portedLabels(structuredClone(portableLabels(labels)));
    const values = ({ take: _take, toArray: _list, ...rest }: typeof labels) => rest;
    expect({ ...values(again), guessed: again.guessed ?? undefined }).toEqual({
      ...values(labels),
      guessed: labels.guessed ?? undefined,
    });
    expect(again.toArray()).toEqual(labels.toArray());
    expect(again.take(Int32Array.of(1, 0)).toArray()).toEqual(labels.take(Int32Array.of(1, 0)).toArray());
    expect(isShared(portableLabels(labels).codes)).toBe(true);
  });

  it('know their positive class', () => {
    const labels = withPositive(labelsOf(['case', 'control', 'case'] satisfies Label[]), 0);
    const again = portedLabels(structuredClone(portableLabels(labels)));
    expect([again.positive, again.take(Int32Array.of(1)).positive]).toEqual([0, 0]);
  });
});
