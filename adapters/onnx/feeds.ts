import { AdapterError, InvalidDataError, kindOf, phrase, sentence, suggestion } from '../../src/core/errors.js';
import { nameText } from '../../src/core/foreignText.js';
import { type NumericArray, product } from '../../src/data/dense.js';
import type { Column, InputRows, Rows } from '../../src/data/rows.js';
import { isMissing } from '../../src/data/tableColumns.js';
import { cellName, inputsByName, misfit, shapeText } from '../inputs.js';
import type { LoadedModel, OnnxPort } from './onnxFile.js';
import type { OnnxFileSettings } from './options.js';
import type { OrtTensor } from './runtime.js';

export type FeedSettings = Pick<OnnxFileSettings, 'layout' | 'allowMissing' | 'batchSize'> & {
  /** Number of a row for messages, where it is not its place in X. */
  readonly rowAt?: (row: number) => number;
};

export interface Feed {
  readonly rows: number;
  readonly feeds: Record<string, OrtTensor>;
}

/** The rows of `X`, batch by batch. Throws {@link InvalidDataError} that names the place of what the inputs do not take. */
export async function* feedsOf(model: LoadedModel, X: Rows, settings: FeedSettings): AsyncGenerator<Feed> {
  const { ort, inputs, rowsAtATime } = model;
  const step = rowsAtATime ?? settings.batchSize;
  // Rows are read in blocks, of which each batch takes a part: those of a stream are its own.
  const block = X.window ?? settings.batchSize;
  for (let first = 0; first < X.length; first += block) {
    const length = Math.min(block, X.length - first);
    const read = await readBlock(inputs, X.take(Int32Array.from({ length }, (_, at) => first + at)));
    for (let from = 0; from < length; from += step) {
      const to = Math.min(from + step, length);
      const place = { first, from, to, rowAt: settings.rowAt ?? ((row: number) => row) };
      const feeds = inputs.map(
        (port, at) => [port.inSession, tensorFrom(ort, port, read[at], place, settings)] as const,
      );
      yield { rows: to - from, feeds: Object.fromEntries(feeds) };
    }
  }
}

type Read =
  | { readonly numbers: InputRows; readonly names?: readonly string[] }
  | { readonly columns: readonly Column[] };

interface Place {
  readonly first: number;
  readonly from: number;
  readonly to: number;
  readonly rowAt: (row: number) => number;
}

async function readBlock(inputs: readonly OnnxPort[], X: Rows): Promise<Read[]> {
  const names = X.featureNames;
  const isTable = names !== undefined && X.parts === undefined;
  if (inputs.length > 1 && isTable) {
    const columns = await X.toColumns();
    return columnsFor(inputs, names).map((at) => ({ columns: [columns[at]] }));
  }
  if (inputs.length === 1 && inputs[0].element === 'string') return [{ columns: await X.toColumns() }];
  const parts = await X.toInputs();
  return inputsByName(
    inputs.map(({ name }) => name),
    parts,
  ).map((numbers) => ({ numbers, ...(names ? { names } : {}) }));
}

function columnsFor(inputs: readonly OnnxPort[], names: readonly string[]): number[] {
  const wanted = inputs.map(({ name }) => name);
  const stranger = names.find((name) => !wanted.includes(name));
  if (stranger !== undefined) {
    const must = 'have the columns that are inputs of the model';
    throw misfit('X', must, phrase(`'${nameText(stranger)}', too`), suggestion(stranger, wanted));
  }
  return wanted.map((name) => {
    const at = names.indexOf(name);
    if (at >= 0) return at;
    throw misfit('X', `have a column for the input '${nameText(name)}' of the model`, phrase('none'));
  });
}

function tensorFrom(
  ort: LoadedModel['ort'],
  port: OnnxPort,
  read: Read,
  place: Place,
  settings: FeedSettings,
): OrtTensor {
  const count = place.to - place.from;
  if ('columns' in read) {
    const { columns } = read;
    const dims = columnDims(port, columns.length, count);
    if (port.element === 'string') return new ort.Tensor('string', texts(port, columns, place), dims);
    const numbers = Float64Array.from({ length: count }, (_, row) => numberIn(port, columns[0], place, row));
    const converted = convert(port, numbers, settings, (at) => cellPlace(place, at, `column '${nameText(port.name)}'`));
    return new ort.Tensor(port.element, converted, dims);
  }
  const { data, shape } = read.numbers;
  const rowShape = shape.slice(1);
  const width = product(rowShape);
  const { dims, isMoved } = arrangement(port, rowShape, settings.layout);
  const some = data.subarray(place.from * width, place.to * width);
  const subject = read.numbers.name === undefined ? 'X' : `X.${nameText(read.numbers.name)}`;
  const named = (at: number) =>
    cellPlace(place, Math.floor(at / width), cellName(at % width, rowShape, read.names), subject);
  const values = convert(port, some, settings, named);
  return new ort.Tensor(port.element, isMoved ? channelsFirst(values, rowShape) : values, [count, ...dims]);
}

const cellPlace = ({ first, from, rowAt }: Place, row: number, cell: string, subject = 'X') =>
  `${subject} row ${rowAt(first + from + row)} of the rows to predict ${cell}`;

function columnDims(port: OnnxPort, columns: number, rows: number): number[] {
  const wanted = port.shape?.slice(1) ?? [columns];
  const fits = wanted.length <= 1 && (wanted[0] ?? columns) === columns && (wanted.length === 1 || columns === 1);
  if (fits) return wanted.length === 0 ? [rows] : [rows, columns];
  throw wrongShape(port, [columns]);
}

function texts(port: OnnxPort, columns: readonly Column[], { first, from, to, rowAt }: Place): string[] {
  const out: string[] = [];
  for (let row = from; row < to; row++) {
    for (const column of columns) {
      const cell = column[row];
      if (typeof cell !== 'string') {
        const subject = `X row ${rowAt(first + row)} of the rows to predict, for the input '${nameText(port.name)}'`;
        throw misfit(subject, 'be a text', kindOf(cell));
      }
      out.push(cell);
    }
  }
  return out;
}

function numberIn(port: OnnxPort, column: Column, place: Place, row: number): number {
  const cell = column[place.from + row];
  if (typeof cell === 'number' || typeof cell === 'boolean') return Number(cell);
  if (isMissing(cell)) return Number.NaN;
  throw misfit(cellPlace(place, row, `column '${nameText(port.name)}'`), 'be a number', kindOf(cell));
}

type Layout = OnnxFileSettings['layout'];

interface Arrangement {
  readonly dims: readonly number[];
  readonly isMoved: boolean;
}

/** How a row takes the shape of the input. Throws {@link InvalidDataError} where it cannot, or where two ways fit. */
function arrangement(port: OnnxPort, row: readonly number[], layout: Layout): Arrangement {
  const wanted = port.shape?.slice(1);
  if (!wanted) return { dims: row, isMoved: false };
  const fits = ({ dims }: Arrangement) =>
    dims.length === wanted.length && dims.every((size, axis) => wanted[axis] === null || wanted[axis] === size);
  const unmoved: Arrangement = { dims: row, isMoved: false };
  const last = row.length - 1;
  const first: Arrangement = { dims: [row[last], ...row.slice(0, last)], isMoved: true };
  const options: Arrangement[] = row.length >= 3 ? [unmoved, first] : [unmoved];
  // One channel has the same numbers in both orders.
  if (row.length >= 2) options.push({ dims: [...row, 1], isMoved: false }, { dims: [1, ...row], isMoved: false });
  if (row[last] === 1) options.push({ dims: row.slice(0, last), isMoved: false });
  const possible = options.filter(fits);
  if (possible.length === 0) throw wrongShape(port, row);
  if (possible.length === 1) return checkedLayout(possible[0], port, row, layout);
  if (layout === 'NHWC') return possible[0];
  if (layout === 'NCHW' && !possible[1].isMoved) return possible[1];
  const [few, most] = [Math.min(row[0], row[last]), Math.max(row[0], row[last])];
  if (layout === 'NCHW' && few <= CHANNELS && most > CHANNELS) return row[last] === few ? possible[1] : possible[0];
  const way =
    layout === undefined
      ? "Say how the model takes images: layout: 'NCHW' or 'NHWC'."
      : 'Give rows as [height, width, channels], with 1 to 4 channels.';
  const subject = `The shape of the input '${nameText(port.name)}' of the model`;
  const must = 'tell where the channels of an image are';
  const got = phrase(`${shapeText(wanted)} for rows of ${shapeText(row)}`);
  throw new InvalidDataError(sentence(subject, must, got, way), { code: 'input_shape' });
}

const CHANNELS = 4;

function checkedLayout(found: Arrangement, port: OnnxPort, row: readonly number[], layout: Layout): Arrangement {
  if (layout !== 'NHWC' || !found.isMoved) return found;
  const subject = 'The `layout` of an ONNX model';
  const must = `be that of its input '${nameText(port.name)}', ${shapeText(port.shape?.slice(1) ?? [])} for rows of ${shapeText(row)}`;
  throw new InvalidDataError(sentence(subject, must, 'NHWC', 'Leave it out.'), { code: 'input_shape' });
}

const wrongShape = (port: OnnxPort, row: readonly number[]) => {
  const must = `have the shape ${shapeText(port.shape?.slice(1) ?? [])} of the input '${nameText(port.name)}' of the model`;
  const way = row.length >= 2 ? 'Bring images to it by `resize` of readImages, or by a Resize step.' : undefined;
  return new InvalidDataError(sentence('The rows of X', must, phrase(shapeText(row)), way), { code: 'input_shape' });
};

function channelsFirst(values: Converted, rowShape: readonly number[]): Converted {
  const channels = rowShape[rowShape.length - 1];
  const width = product(rowShape);
  const pixels = width / channels;
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

type Converted = NumericArray | BigInt64Array | BigUint64Array;

const ARRAYS = {
  float32: Float32Array,
  float64: Float64Array,
  int8: Int8Array,
  uint8: Uint8Array,
  int16: Int16Array,
  uint16: Uint16Array,
  int32: Int32Array,
  uint32: Uint32Array,
  bool: Uint8Array,
};

function convert(
  port: OnnxPort,
  values: NumericArray,
  { allowMissing }: { readonly allowMissing: boolean },
  named: (at: number) => string,
): Converted {
  const { element } = port;
  if (element === 'float32' || element === 'float64') {
    const Wanted = ARRAYS[element];
    const floats = values instanceof Wanted ? values : new Wanted(values);
    const bad = firstUnfit(floats, allowMissing);
    if (bad < 0) return floats;
    const way = Number.isNaN(values[bad])
      ? 'Fill in missing values, or pass allowMissing: true for a model that takes them.'
      : undefined;
    const must = `be a finite number of the type ${element}`;
    throw new InvalidDataError(sentence(named(bad), must, kindOf(values[bad]), way), { code: 'not_finite' });
  }
  const big = element === 'int64' || element === 'uint64';
  if (!big && !Object.hasOwn(ARRAYS, element)) throw unknownElement(port);
  const Wanted = big ? Float64Array : ARRAYS[element as keyof typeof ARRAYS];
  const [low, high] =
    element === 'bool' ? [0, 1] : element === 'uint64' ? [0, Number.MAX_SAFE_INTEGER] : [-Infinity, Infinity];
  const whole = Wanted.from(values);
  for (let at = 0; at < values.length; at++) {
    const value = values[at];
    if (whole[at] === value && Number.isSafeInteger(value) && value >= low && value <= high) continue;
    throw misfit(named(at), `be a number of the type ${element} that the model takes`, kindOf(value));
  }
  if (!big) return whole;
  return element === 'int64' ? BigInt64Array.from(whole, BigInt) : BigUint64Array.from(whole, BigInt);
}

function firstUnfit(floats: Float32Array | Float64Array, allowMissing: boolean): number {
  // Zero times a number that is not finite is NaN. One sum takes a third of the time of a question for each number.
  let sum = 0;
  for (let at = 0; at < floats.length; at++) sum += floats[at] * 0;
  if (sum === 0) return -1;
  for (let at = 0; at < floats.length; at++) {
    if (!Number.isFinite(floats[at]) && !(allowMissing && Number.isNaN(floats[at]))) return at;
  }
  return -1;
}

function unknownElement({ name, element }: OnnxPort): AdapterError {
  const subject = `The input '${nameText(name)}' of the model`;
  const must = 'take numbers or text that JavaScript has';
  const cast = 'Give the path or the bytes of the model, so that cvkit can cast them.';
  const way = element === 'float16' ? cast : undefined;
  return new AdapterError(sentence(subject, must, phrase(element), way), { code: 'invalid_model' });
}
