/** NumPy's `.npy`, versions 1 to 3 (numpy.lib.format). */
import { invalidData } from '../core/errors.js';
import { gather } from '../data/labels.js';
import { keptPlaces, numbersAmong, rowsWithTarget } from './cellColumn.js';
import { checkedNames, ofColumn, type RawColumn, type RawTable, type ReadPlan } from './rawTable.js';
import { emptyFile, type TableFile, unpackedBytes } from './tableFile.js';

type Read = (view: DataView, at: number, little: boolean) => number | bigint;

const KINDS: Readonly<Record<string, readonly [bytes: number, read: Read]>> = {
  b1: [1, (view, at) => view.getUint8(at)],
  u1: [1, (view, at) => view.getUint8(at)],
  i1: [1, (view, at) => view.getInt8(at)],
  u2: [2, (view, at, little) => view.getUint16(at, little)],
  i2: [2, (view, at, little) => view.getInt16(at, little)],
  u4: [4, (view, at, little) => view.getUint32(at, little)],
  i4: [4, (view, at, little) => view.getInt32(at, little)],
  u8: [8, (view, at, little) => view.getBigUint64(at, little)],
  i8: [8, (view, at, little) => view.getBigInt64(at, little)],
  f4: [4, (view, at, little) => view.getFloat32(at, little)],
  f8: [8, (view, at, little) => view.getFloat64(at, little)],
};

export async function readNpy(file: TableFile, plan: ReadPlan): Promise<{ table: RawTable; sha256: string }> {
  const { bytes, sha256 } = await unpackedBytes(file);
  const { kind, little, fortran, shape, start } = headerOf(bytes, file.name);
  const [length, width = 1] = shape;
  const [size, read] = KINDS[kind];
  if (bytes.length - start !== size * length * width) {
    throw broken(file.name, `${bytes.length - start} bytes of data for the shape [${shape}] of ${size} bytes each`);
  }
  if (length === 0) throw emptyFile(file.name, 'none');
  const columnNames = plan.columnNames ?? Array.from({ length: width }, (_, at) => `column_${at + 1}`);
  const { names, notes } = checkedNames(columnNames, file.name, plan, width);
  const view = new DataView(bytes.buffer, start);
  const placeOf = (row: number) => `Row ${row}`;
  const columns = names.flatMap((name, column): RawColumn[] => {
    if (plan.drop.has(name)) return [];
    const cells = new Float64Array(length);
    const marks = new Map<string, number>();
    const own = [...plan.missing, ...(ofColumn(plan.missingIn, name) ?? [])];
    const numericMarks = kind === 'b1' ? new Set<number>() : numbersAmong(own, false);
    for (let row = 0; row < length; row++) {
      const value = read(view, size * (fortran ? column * length + row : row * width + column), little);
      cells[row] = Number(value);
      if (typeof value === 'bigint' && BigInt(cells[row]) !== value) throw tooLarge(placeOf(row), file.name);
      const isMark = numericMarks.has(cells[row]);
      if (!isMark && !Number.isNaN(cells[row])) continue;
      const mark = String(cells[row]);
      marks.set(mark, (marks.get(mark) ?? 0) + 1);
      cells[row] = Number.NaN;
    }
    return [{ name, stored: kind === 'b1' ? 'boolean' : 'numeric', cells, marks, notes: [] }];
  });
  const target = plan.dropsRows ? columns.find(({ name }) => name === plan.target) : undefined;
  const rows = target ? rowsWithTarget(target.cells, target.name, placeOf) : undefined;
  const kept = rows
    ? columns.map((column) => ({ ...column, cells: gather(column.cells as Float64Array, rows) }))
    : columns;
  return {
    sha256,
    table: { ...keptPlaces(rows, { length, placeOf }), columns: kept, format: 'npy', dialect: [], notes },
  };
}

function headerOf(bytes: Uint8Array, name: string) {
  const isLong = bytes[6] >= 2;
  const from = isLong ? 12 : 10;
  const view = new DataView(bytes.buffer);
  const start = from + (bytes.length < 12 ? 0 : isLong ? view.getUint32(8, true) : view.getUint16(8, true));
  if (String.fromCharCode(...bytes.subarray(0, 6)) !== '\x93NUMPY' || bytes.length < start)
    throw broken(name, 'another header');
  const text = new TextDecoder().decode(bytes.subarray(from, start));
  const descr = /'descr': *'([<>|=])(\w+)'/.exec(text);
  const shapeText = /'shape': *\(([\d, ]*)\)/.exec(text)?.[1];
  const shape = shapeText?.match(/\d+/g)?.map(Number) ?? [];
  if (!descr || !KINDS[descr[2]]) throw refused(name, 'another type of cells', 'Save numbers, `array.astype(float)`.');
  if (shape.length !== 2 && shape.length !== 1) throw refused(name, `${shape.length} dimensions`, 'Save a table.');
  return { kind: descr[2], little: descr[1] !== '>', fortran: /'fortran_order': *True/.test(text), shape, start };
}

const broken = (name: string, got: string) =>
  invalidData('broken_file', `The file ${name}`, 'be a whole .npy file', got);

const refused = (name: string, got: string, way: string) => {
  const subject = `The array in ${name}`;
  return invalidData('unknown_format', subject, 'be numbers or booleans of one or two dimensions', got, way);
};

const tooLarge = (place: string, name: string) => {
  const way = 'Save them as text.';
  return invalidData('not_numeric', `${place} of ${name}`, 'hold integers up to 9007199254740991', 'a larger one', way);
};
