/** Rows as inputs of an ONNX model: names, shapes and types are those of the file. */
import { InvalidDataError, kindOf, phrase, sentence, suggestion } from '../../src/core/errors.js';
import { nameText } from '../../src/core/foreignText.js';
import { product } from '../../src/data/dense.js';
import type { Column, InputRows, Rows } from '../../src/data/rows.js';
import { isMissing } from '../../src/data/tableColumns.js';
import { cellName } from '../cellName.js';
import { arrangement, channelsFirst, wrongShape } from './arrangement.js';
import { convert } from './elements.js';
import type { Door, LoadedModel } from './onnxFile.js';
import type { OnnxFileSettings } from './options.js';
import type { OrtTensor } from './runtime.js';

export type FeedSettings = Pick<OnnxFileSettings, 'layout' | 'allowMissing' | 'batchSize'> & {
  /** Number of a row for messages, where it is not its place in X. */
  readonly rowAt?: (row: number) => number;
};

/** Rows of one batch, as the session takes them. */
export interface Feed {
  readonly rows: number;
  readonly feeds: Record<string, OrtTensor>;
}

/**
 * The rows of `X`, batch by batch, in their order.
 *
 * @throws {InvalidDataError} names, shapes or values that the inputs of the model do not take; the message names the place.
 */
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
      const feeds = inputs.map((door, at) => [door.inSession, tensorOf(ort, door, read[at], place, settings)] as const);
      yield { rows: to - from, feeds: Object.fromEntries(feeds) };
    }
  }
}

/** What one input is made from: numbers with a shape, or columns of a table. */
type Read =
  | { readonly numbers: InputRows; readonly names?: readonly string[] }
  | { readonly columns: readonly Column[] };

interface Place {
  /** Number of the first row of the block. */
  readonly first: number;
  /** The rows of the block that are wanted. */
  readonly from: number;
  readonly to: number;
  readonly rowAt: (row: number) => number;
}

async function readBlock(inputs: readonly Door[], X: Rows): Promise<Read[]> {
  const names = X.featureNames;
  const isTable = names !== undefined && X.parts === undefined;
  if (inputs.length > 1 && isTable) {
    const columns = await X.toColumns();
    return columnsFor(inputs, names).map((at) => ({ columns: [columns[at]] }));
  }
  if (inputs.length === 1 && inputs[0].element === 'string') return [{ columns: await X.toColumns() }];
  const given = await X.toInputs();
  return inInputOrder(inputs, given).map((numbers) => ({ numbers, ...(names ? { names } : {}) }));
}

/** The place of the column for each input, where a model has one input for each column of a table. */
function columnsFor(inputs: readonly Door[], names: readonly string[]): number[] {
  const wanted = inputs.map(({ name }) => name);
  const stranger = names.find((name) => !wanted.includes(name));
  if (stranger !== undefined) {
    const must = 'have the columns that are inputs of the model';
    throw new InvalidDataError(
      sentence('X', must, phrase(`'${nameText(stranger)}', too`), suggestion(stranger, wanted)),
      {
        code: 'model_inputs',
      },
    );
  }
  return wanted.map((name) => {
    const at = names.indexOf(name);
    if (at >= 0) return at;
    throw new InvalidDataError(
      sentence('X', `have a column for the input '${nameText(name)}' of the model`, phrase('none')),
      { code: 'model_inputs' },
    );
  });
}

function inInputOrder(inputs: readonly Door[], given: readonly InputRows[]): InputRows[] {
  const wanted = inputs.map(({ name }) => name);
  const names = given.flatMap(({ name }) => name ?? []);
  if (names.length === 0 && inputs.length === 1) return [...given];
  const record = `{ ${wanted.map((name) => `${nameText(name)}: ...`).join(', ')} }`;
  if (names.length === 0) {
    throw new InvalidDataError(
      sentence('X', `be a record of the ${wanted.length} inputs of the model`, phrase('one input'), `Pass ${record}.`),
      { code: 'model_inputs' },
    );
  }
  const stranger = names.find((name) => !wanted.includes(name));
  if (stranger !== undefined) {
    throw new InvalidDataError(
      sentence('X', 'be a record of inputs of the model', stranger, suggestion(stranger, wanted)),
      { code: 'model_inputs' },
    );
  }
  return wanted.map((name) => {
    const found = given[names.indexOf(name)];
    if (found) return found;
    throw new InvalidDataError(
      sentence(
        'X',
        `have the input '${nameText(name)}' of the model`,
        phrase(names.map((each) => nameText(each)).join(', ')),
      ),
      { code: 'model_inputs' },
    );
  });
}

function tensorOf(ort: LoadedModel['ort'], door: Door, read: Read, place: Place, settings: FeedSettings): OrtTensor {
  const count = place.to - place.from;
  if ('columns' in read) {
    const { columns } = read;
    const dims = columnDims(door, columns.length, count);
    if (door.element === 'string') return new ort.Tensor('string', texts(door, columns, place), dims);
    const numbers = Float64Array.from({ length: count }, (_, row) => numberIn(door, columns[0], place, row));
    const converted = convert(door, numbers, settings, (at) => cellPlace(place, at, `column '${nameText(door.name)}'`));
    return new ort.Tensor(door.element, converted, dims);
  }
  const { data, shape } = read.numbers;
  const rowShape = shape.slice(1);
  const width = product(rowShape);
  const { dims, isMoved } = arrangement(door, rowShape, settings.layout);
  const some = data.subarray(place.from * width, place.to * width);
  const subject = read.numbers.name === undefined ? 'X' : `X.${nameText(read.numbers.name)}`;
  const named = (at: number) =>
    cellPlace(place, Math.floor(at / width), cellName(at % width, rowShape, read.names), subject);
  const values = convert(door, some, settings, named);
  return new ort.Tensor(door.element, isMoved ? channelsFirst(values, rowShape) : values, [count, ...dims]);
}

const cellPlace = ({ first, from, rowAt }: Place, row: number, cell: string, subject = 'X') =>
  `${subject} row ${rowAt(first + from + row)} of the rows to predict ${cell}`;

// ---- tables ---------------------------------------------------------------------------------------------------------

function columnDims(door: Door, columns: number, rows: number): number[] {
  const wanted = door.shape?.slice(1) ?? [columns];
  const fits = wanted.length <= 1 && (wanted[0] ?? columns) === columns && (wanted.length === 1 || columns === 1);
  if (fits) return wanted.length === 0 ? [rows] : [rows, columns];
  throw wrongShape(door, [columns]);
}

function texts(door: Door, columns: readonly Column[], { first, from, to, rowAt }: Place): string[] {
  const out: string[] = [];
  for (let row = from; row < to; row++) {
    for (const column of columns) {
      const cell = column[row];
      if (typeof cell !== 'string') {
        const subject = `X row ${rowAt(first + row)} of the rows to predict, for the input '${nameText(door.name)}'`;
        throw new InvalidDataError(sentence(subject, 'be a text', kindOf(cell)), { code: 'model_inputs' });
      }
      out.push(cell);
    }
  }
  return out;
}

function numberIn(door: Door, column: Column, place: Place, row: number): number {
  const cell = column[place.from + row];
  if (typeof cell === 'number' || typeof cell === 'boolean') return Number(cell);
  if (isMissing(cell)) return Number.NaN;
  throw new InvalidDataError(
    sentence(cellPlace(place, row, `column '${nameText(door.name)}'`), 'be a number', kindOf(cell)),
    {
      code: 'model_inputs',
    },
  );
}
