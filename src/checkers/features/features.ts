/** The features as checks read them: numbers and categories by column; images as a few numbers each. Read once. */

import { InvalidDataError, phrase, sentence } from '../../core/errors.js';
import { nameText } from '../../core/foreignText.js';
import { isList } from '../../core/options.js';
import { product } from '../../data/dense.js';
import type { Rows } from '../../data/rows.js';
import { withShape } from '../../data/withShape.js';
import { areNumbers, writtenNumbers } from '../../data/writtenNumbers.js';
import type { Column, Features } from './columns.js';
import { imageFeatures, isImage } from './images/readImages.js';
import { rowBatches } from './rowBatches.js';

/** The features of a table, without what only sums up an image. */
export const tableOf = ({ columns }: Pick<Features, 'columns'>): readonly Column[] =>
  columns.filter(({ ofImage }) => !ofImage);

/** The inputs of a model one by one: each that holds images, and the columns of all tables. */
export function inputsOf(features: Features): Features[] {
  const { n, images = [] } = features;
  const table = tableOf(features);
  const rest = table.length > 0 || images.length === 0 ? [{ n, columns: table }] : [];
  return [...images.map((image) => ({ n, columns: [], images: [image] })), ...rest];
}

/** Reads the rows once. Text becomes categories; a source is read block by block. */
export async function readFeatures(rows: Rows): Promise<Features> {
  const X = await withShape(rows);
  if (X.parts) {
    const parts = await Promise.all(
      Object.entries(X.parts).map(async ([name, part]) => prefixed(name, await readFeatures(part))),
    );
    const images = parts.flatMap((part) => part.images ?? []);
    return { n: X.length, columns: parts.flatMap(({ columns }) => columns), ...(images[0] ? { images } : {}) };
  }
  const shape = X.rowShape ?? [];
  if (isImage(shape)) return imageFeatures(X, shape);
  return { n: X.length, columns: await columnsOf(X, shape) };
}

const prefixed = (input: string, features: Features): Features => ({
  ...features,
  columns: features.columns.map((column) => named(`${input}.${column.name}`, column)),
  ...(features.images ? { images: features.images.map((image) => ({ ...image, input })) } : {}),
});

const named = (name: string, column: Column): Column => ({
  ...column,
  name,
  ...(column.texts ? { texts: { ...column.texts, name } } : {}),
});

/** Numbers are read as such, which is ten times as fast; what turns out to hold text is read again, cell by cell. */
async function columnsOf(X: Rows, shape: readonly number[]): Promise<Column[]> {
  if (X.kind === 'source' && shape.length < 2) return mixedColumns(X);
  try {
    return await numberColumns(X, product(shape));
  } catch (error) {
    if (error instanceof InvalidDataError && error.code === 'not_numeric') return mixedColumns(X);
    throw error;
  }
}

async function numberColumns(X: Rows, width: number): Promise<Column[]> {
  const columns = Array.from({ length: width }, () => new Float64Array(X.length));
  for (const { from, rows } of rowBatches(X)) {
    const { data } = await rows.toDense();
    for (let column = 0; column < width; column++) {
      const values = columns[column];
      for (let row = 0, at = column; row < rows.length; row++, at += width) values[from + row] = data[at];
    }
  }
  return columns.map((values, at) => ({ name: X.featureNames?.[at] ?? `feature ${at}`, kind: 'number', values }));
}

async function mixedColumns(X: Rows): Promise<Column[]> {
  const readers = new Map<string, ColumnReader>();
  for (const { from, rows } of rowBatches(X)) {
    let row = from;
    for (const cells of await rows.toArrays()) {
      const entries = isList(cells)
        ? Array.from(cells, (cell, at) => [`${at}`, cell] as const)
        : Object.entries(cells as object);
      for (const [key, cell] of entries) {
        const reader = readers.get(key) ?? new ColumnReader(key, X.length);
        readers.set(key, reader);
        reader.take(row, cell);
      }
      row++;
    }
  }
  return [...readers].map(([key, reader], at) =>
    reader.column(X.featureNames?.[at] ?? (/^\d+$/.test(key) ? `feature ${key}` : key)),
  );
}

/** The level of the numbers among which texts are. */
const AMONG = 'a number';

/** Collects the cells of one column: numbers as they are, text apart until it is known what the column is. */
class ColumnReader {
  readonly #values: Float64Array;
  readonly #texts = new Map<number, string>();
  #dates = false;
  #nested = false;

  constructor(
    readonly key: string,
    n: number,
  ) {
    this.#values = new Float64Array(n).fill(Number.NaN);
  }

  take(row: number, cell: unknown): void {
    if (typeof cell === 'number') this.#values[row] = cell;
    else if (typeof cell === 'boolean' || typeof cell === 'bigint') this.#values[row] = Number(cell);
    else if (cell instanceof Date) {
      this.#values[row] = cell.getTime();
      this.#dates = true;
    } else if (cell !== null && cell !== undefined && cell !== '') {
      const nested = typeof cell === 'object';
      this.#nested ||= nested;
      this.#texts.set(row, nested ? this.#json(row, cell) : String(cell));
    }
  }

  #json(row: number, cell: unknown): string {
    try {
      return JSON.stringify(cell);
    } catch (cause) {
      const must = 'hold numbers, text, dates, or objects that can be written as JSON';
      const got = phrase('an object that cannot (it holds itself, or a BigInt)');
      throw new InvalidDataError(sentence(`Row ${row} of column ${nameText(this.key)}`, must, got), { cause });
    }
  }

  /** Text is a category, unless the column is one of numbers with marks of missing values, or a few texts, among them. */
  column(name: string): Column {
    const values = this.#values;
    const texts = this.#texts;
    const number: Column = { name, kind: 'number', values, ...(this.#dates ? { dates: true } : {}) };
    if (texts.size === 0) return number;
    const read = this.#nested ? undefined : writtenNumbers(new Set(texts.values()));
    if (!read || !areNumbers(read, values, texts.values())) {
      return { ...this.#category(name, texts), ...(this.#nested ? { nested: true } : {}) };
    }
    const others = new Map([...texts].filter(([, text]) => !read.values.has(text)));
    for (const [row, text] of texts) values[row] = read.values.get(text) ?? Number.NaN;
    return { ...number, ...(others.size > 0 ? { texts: this.#category(name, others, AMONG) } : {}) };
  }

  /** Some cells as levels; `other` stands for those that are numbers, which are levels of their own without it. */
  #category(name: string, texts: ReadonlyMap<number, string>, other?: string): Column {
    const cells = Array.from(
      this.#values,
      (value, row) => texts.get(row) ?? (Number.isNaN(value) ? undefined : (other ?? String(value))),
    );
    const levels = [...new Set(cells.filter((cell) => cell !== undefined))].sort();
    const codes = new Map(levels.map((level, code) => [level, code]));
    const values = Float64Array.from(cells, (cell) => (cell === undefined ? Number.NaN : (codes.get(cell) as number)));
    return { name, kind: 'category', values, levels };
  }
}
