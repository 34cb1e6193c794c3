/** Rows as 32-bit floats, batch by batch. Data in memory is converted once; row sources are read as they are needed. */
import { InvalidDataError, sentence } from '../../src/core/errors.js';
import type { Dense, Rows } from '../../src/core/rows.js';
import type { LayersModel } from './structures.js';

export interface RowReader {
  readonly length: number;
  /** Shape of one row. Of a row source it is what the model's input says, and every read is held to it. */
  readonly rowShape: readonly number[];
  /** The rows at `places`, one after the other. */
  read(places: Int32Array): Float32Array | Promise<Float32Array>;
}

/**
 * A reader over `X` for `model`. Throws {@link InvalidDataError} when rows do not have the shape of the model's input
 * or hold NaN or Infinity; `indices` are the row numbers that messages use.
 */
export async function rowReader(model: LayersModel, X: Rows, indices?: Int32Array): Promise<RowReader> {
  const named = (place: number) => (indices ? `row ${indices[place]}` : `row ${place} of the rows to predict`);
  if (X.kind === 'source') {
    const shape = model.inputs[0].shape.slice(1).map((size) => size ?? Number.NaN);
    const read = async (places: Int32Array) => {
      const dense = await X.take(places.slice()).toDense();
      return checkedFloats(model, dense, X.featureNames, (place) => named(places[place]));
    };
    return { length: X.length, rowShape: shape.includes(Number.NaN) ? await shapeOfFirst(X) : shape, read };
  }
  const dense = await X.toDense();
  const data = checkedFloats(model, dense, X.featureNames, named);
  const width = data.length / X.length;
  return { length: X.length, rowShape: dense.shape.slice(1), read: (places) => gatherRows(data, width, places) };
}

const shapeOfFirst = async (X: Rows) => (await X.take(Int32Array.of(0)).toDense()).shape.slice(1);

/** `width` numbers for each of `places`, one after the other. */
export function gatherRows(data: Float32Array, width: number, places: Int32Array): Float32Array {
  const out = new Float32Array(places.length * width);
  for (let i = 0; i < places.length; i++) {
    const from = places[i] * width;
    // Short rows: a loop is faster than making a view of each.
    if (width < 64) for (let j = 0; j < width; j++) out[i * width + j] = data[from + j];
    else out.set(data.subarray(from, from + width), i * width);
  }
  return out;
}

function checkedFloats(
  model: LayersModel,
  dense: Dense,
  names: readonly string[] | undefined,
  rowName: (place: number) => string,
): Float32Array {
  const rowShape = dense.shape.slice(1);
  const wanted = model.inputs[0].shape.slice(1);
  if (rowShape.length !== wanted.length || wanted.some((size, axis) => size !== null && size !== rowShape[axis])) {
    throw new InvalidDataError(
      sentence(
        'The rows of X',
        `have the shape [${wanted.map((size) => size ?? 'any').join(', ')}] of the model's input`,
        {
          text: `[${rowShape.join(', ')}]`,
        },
      ),
      { code: 'input_shape' },
    );
  }
  const floats = new Float32Array(dense.data);
  const bad = floats.findIndex((value) => !Number.isFinite(value));
  if (bad >= 0) {
    const width = floats.length / dense.shape[0];
    throw new InvalidDataError(
      sentence(
        `X ${rowName(Math.floor(bad / width))} ${cellName(bad % width, rowShape, names)}`,
        'be a finite 32-bit number',
        dense.data[bad],
        'Fill in missing values, or leave the row out.',
      ),
      { code: 'not_finite' },
    );
  }
  return floats;
}

function cellName(cell: number, rowShape: readonly number[], names: readonly string[] | undefined): string {
  if (rowShape.length === 1) return names ? `column '${names[cell]}'` : `column ${cell}`;
  const place: number[] = [];
  for (let axis = rowShape.length - 1, rest = cell; axis >= 0; axis--) {
    place.unshift(rest % rowShape[axis]);
    rest = Math.floor(rest / rowShape[axis]);
  }
  return `at [${place.join(', ')}]`;
}
