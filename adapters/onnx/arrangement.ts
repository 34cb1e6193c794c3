/** How the rows of X take the shape of an input: where channels are, and axes of one. */
import { InvalidDataError, phrase, sentence } from '../../src/core/errors.js';
import { nameText } from '../../src/core/foreignText.js';
import { product } from '../../src/data/dense.js';
import type { Converted } from './elements.js';
import type { Door } from './onnxFile.js';
import type { OnnxFileSettings } from './options.js';

type Layout = OnnxFileSettings['layout'];

interface Arrangement {
  /** Sizes of a row as the model takes it. */
  readonly dims: readonly number[];
  /** Channels move from the last place to the first. */
  readonly isMoved: boolean;
}

/** How a row takes the shape of the input. Throws {@link InvalidDataError} where it cannot, or where two ways fit. */
export function arrangement(door: Door, row: readonly number[], layout: Layout): Arrangement {
  const wanted = door.shape?.slice(1);
  if (!wanted) return { dims: row, isMoved: false };
  const fits = ({ dims }: Arrangement) =>
    dims.length === wanted.length && dims.every((size, axis) => wanted[axis] === null || wanted[axis] === size);
  const asGiven: Arrangement = { dims: row, isMoved: false };
  const last = row.length - 1;
  const first: Arrangement = { dims: [row[last], ...row.slice(0, last)], isMoved: true };
  // One channel has the same numbers in both orders.
  const options: Arrangement[] =
    row.length === wanted.length
      ? row.length >= 3
        ? [asGiven, first]
        : [asGiven]
      : row.length === wanted.length - 1 && row.length >= 2
        ? [
            { dims: [...row, 1], isMoved: false },
            { dims: [1, ...row], isMoved: false },
          ]
        : row[last] === 1 && row.length - 1 === wanted.length
          ? [{ dims: row.slice(0, last), isMoved: false }]
          : [];
  const possible = options.filter(fits);
  if (possible.length === 0) throw wrongShape(door, row);
  if (possible.length === 1) return checkedLayout(possible[0], door, row, layout);
  if (layout === 'NHWC') return possible[0];
  if (layout === 'NCHW' && !possible[1].isMoved) return possible[1];
  const [few, most] = [Math.min(row[0], row[last]), Math.max(row[0], row[last])];
  if (layout === 'NCHW' && few <= CHANNELS && most > CHANNELS) return row[last] === few ? possible[1] : possible[0];
  const way =
    layout === undefined
      ? "Say how the model takes images: layout: 'NCHW' or 'NHWC'."
      : 'Give rows as [height, width, channels], with 1 to 4 channels.';
  throw new InvalidDataError(
    sentence(
      `The shape of the input '${nameText(door.name)}' of the model`,
      'tell where the channels of an image are',
      phrase(`${written(wanted)} for rows of ${written(row)}`),
      way,
    ),
    { code: 'input_shape' },
  );
}

const CHANNELS = 4;

function checkedLayout(found: Arrangement, door: Door, row: readonly number[], layout: Layout): Arrangement {
  if (layout !== 'NHWC' || !found.isMoved) return found;
  throw new InvalidDataError(
    sentence(
      'The `layout` of an ONNX model',
      `be that of its input '${nameText(door.name)}', ${written(door.shape?.slice(1) ?? [])} for rows of ${written(row)}`,
      'NHWC',
      'Leave it out.',
    ),
    { code: 'input_shape' },
  );
}

const written = (shape: readonly (number | null)[]) => `[${shape.map((size) => size ?? 'any').join(', ')}]`;

export const wrongShape = (door: Door, row: readonly number[]) =>
  new InvalidDataError(
    sentence(
      'The rows of X',
      `have the shape ${written(door.shape?.slice(1) ?? [])} of the input '${nameText(door.name)}' of the model`,
      phrase(written(row)),
    ),
    { code: 'input_shape' },
  );

/** Rows with their channels moved from the last place to the first. */
export function channelsFirst(values: Converted, rowShape: readonly number[]): Converted {
  const channels = rowShape[rowShape.length - 1];
  const width = product(rowShape);
  const pixels = width / channels;
  // The same numbers in both orders.
  if (channels === 1) return values;
  // Empty: a copy would write every number twice.
  const out = new (values.constructor as new (length: number) => Converted)(values.length);
  // Read in order: jumping is what takes time.
  let from = 0;
  for (let start = 0; start < values.length; start += width) {
    for (let pixel = start; pixel < start + pixels; pixel++) {
      for (let to = pixel; to < start + width; to += pixels) out[to] = values[from++];
    }
  }
  return out;
}
