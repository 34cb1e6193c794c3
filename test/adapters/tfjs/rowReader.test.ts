import { describe, expect, it } from 'vitest';
import { gatherRows, rowReader } from '../../../adapters/tfjs/rowReader.js';
import { rowsOf } from '../../../src/core/rows.js';
import { network, tf, viewOf } from '../../helpers/tfjsModels.js';
import { thrown } from '../../helpers/thrown.js';

const model = viewOf(network());
const image = viewOf(tf.sequential({ layers: [tf.layers.flatten({ inputShape: [2, 2, 1] })] }));
const any = viewOf(tf.sequential({ layers: [tf.layers.globalAveragePooling1d({ inputShape: [null as never, 2] })] }));
const source = (rows: unknown[]) =>
  rowsOf({ length: rows.length, take: async (at: Int32Array) => Array.from(at, (i) => rows[i]) });

describe('rowReader', () => {
  it('reads rows in the order that is asked for', async () => {
    const reader = await rowReader(
      model,
      rowsOf([
        [1, 2, 3],
        [4, 5, 6],
      ]),
    );
    expect(reader.rowShape).toEqual([3]);
    expect(await reader.read(Int32Array.of(1, 0, 1))).toEqual(Float32Array.of(4, 5, 6, 1, 2, 3, 4, 5, 6));
  });

  it('reads row sources as they are needed', async () => {
    const reader = await rowReader(
      any,
      source([
        [
          [1, 2],
          [3, 4],
        ],
      ]),
    );
    expect(reader.rowShape).toEqual([2, 2]);
    expect(await reader.read(Int32Array.of(0))).toEqual(Float32Array.of(1, 2, 3, 4));
  });

  it('refuses rows that do not fit the input of the model', async () => {
    expect(await thrown(() => rowReader(model, rowsOf([[1, 2]])))).toMatchInlineSnapshot(
      `"InvalidDataError (input_shape): The rows of X must have the shape [3] of the model's input. Got [2]."`,
    );
    expect(await thrown(() => rowReader(image, rowsOf([[1, 2, 3, 4]])))).toMatchInlineSnapshot(
      `"InvalidDataError (input_shape): The rows of X must have the shape [2, 2, 1] of the model's input. Got [4]."`,
    );
    const late = await rowReader(model, source([[1, 2]]));
    expect(await thrown(() => late.read(Int32Array.of(0)))).toContain('input_shape');
  });

  it('names the place of a number that is not finite', async () => {
    const rows = [
      [1, 2, 3],
      [4, Number.NaN, 6],
    ];
    expect(await thrown(() => rowReader(model, rowsOf(rows), Int32Array.of(10, 20)))).toMatchInlineSnapshot(
      `"InvalidDataError (not_finite): X row 20 column 1 must be a finite 32-bit number. Got NaN. Fill in missing values, or leave the row out."`,
    );
    expect(await thrown(() => rowReader(model, rowsOf([{ age: 1, sex: 2, dose: Infinity }])))).toMatchInlineSnapshot(
      `"InvalidDataError (not_finite): X row 0 of the rows to predict column 'dose' must be a finite 32-bit number. Got Infinity. Fill in missing values, or leave the row out."`,
    );
    expect(
      await thrown(() =>
        rowReader(
          image,
          rowsOf([
            [
              [[1], [2]],
              [[3], [NaN]],
            ],
          ]),
        ),
      ),
    ).toMatchInlineSnapshot(
      `"InvalidDataError (not_finite): X row 0 of the rows to predict at [1, 1, 0] must be a finite 32-bit number. Got NaN. Fill in missing values, or leave the row out."`,
    );
    const late = await rowReader(model, source(rows), Int32Array.of(10, 20));
    expect(await thrown(() => late.read(Int32Array.of(0, 1)))).toContain('X row 20 column 1');
  });

  it('refuses numbers that 32 bits cannot hold', async () => {
    expect(await thrown(() => rowReader(model, rowsOf([[1, 2, 1e300]])))).toMatchInlineSnapshot(
      `"InvalidDataError (not_finite): X row 0 of the rows to predict column 2 must be a finite 32-bit number. Got 1e+300. Fill in missing values, or leave the row out."`,
    );
  });
});

describe('gatherRows', () => {
  it.each([1, 3, 100])('copies rows of %i numbers', (width) => {
    const data = Float32Array.from({ length: 4 * width }, (_, at) => at);
    const expected = [3, 0].flatMap((row) => Array.from(data.slice(row * width, (row + 1) * width)));
    expect(Array.from(gatherRows(data, width, Int32Array.of(3, 0)))).toEqual(expected);
  });
});
