/** Rows as 32-bit floats, batch by batch. Data in memory is converted once; row sources and very large data are read as they are needed. */

import { InvalidDataError, kindOf, phrase, sentence } from '../../src/core/errors.js';
import { nameText } from '../../src/core/foreignText.js';
import { sum } from '../../src/core/numbers.js';
import { product } from '../../src/data/dense.js';
import { concat } from '../../src/data/labels.js';
import type { InputRows, Rows } from '../../src/data/rows.js';
import { cellName, inputsByName, shapeText } from '../inputs.js';
import { isAutomatic } from './outputs.js';
import type { Network } from './structures.js';

export interface Floats {
  readonly data: Float32Array;
  readonly shape: readonly number[];
}

export interface RowReader {
  readonly length: number;
  /** Rows are best read in ascending blocks of this many. */
  readonly window: number | undefined;
  /** The rows at `places`, one after the other, for each input of the model in its order. */
  read(places: Int32Array): readonly Floats[] | Promise<readonly Floats[]>;
}

/** In words, and its place where that is all that is known of it. */
type RowName = (place: number) => { readonly words: string; readonly row?: number };

export async function rowReader(model: Network, X: Rows, indices?: Int32Array): Promise<RowReader> {
  const { length, window } = X;
  const named: RowName = (place) =>
    indices ? { words: `row ${indices[place]}` } : { words: `row ${place} of the rows to predict`, row: place };
  const floats = (inputs: readonly InputRows[], rowName: RowName) =>
    inputsInOrder(model, inputs).map((input, at) => checkedFloats(model, at, input, X.featureNames, rowName));
  if (X.kind !== 'source' && !isLarge(X)) {
    const all = floats(await X.toInputs(), named);
    return { length, window, read: (places) => all.map((input) => takeFloats(input, places)) };
  }
  const read = async (places: Int32Array) =>
    floats(await X.take(places.slice()).toInputs(), (place) => named(places[place]));
  return { length, window, read: window ? inBlocks(read, length, window) : read };
}

/** Numbers in one block that would take much memory a second time: they are read as they are needed. */
const isLarge = ({ kind, length, rowShape = [] }: Rows) => kind === 'dense' && length * product(rowShape) * 4 > LARGE;
const LARGE = 2 ** 28;

/** Reads whole blocks in ascending order and holds one at a time; a batch may end one block and begin the next. */
function inBlocks(read: (places: Int32Array) => Promise<readonly Floats[]>, length: number, window: number) {
  let held: { readonly block: number; readonly inputs: readonly Floats[] } | undefined;
  return async (places: Int32Array): Promise<readonly Floats[]> => {
    const pieces: (readonly Floats[])[] = [];
    for (let from = 0, to = 0; from < places.length; from = to) {
      const block = Math.floor(places[from] / window);
      while (to < places.length && Math.floor(places[to] / window) === block) to++;
      const first = block * window;
      if (held?.block !== block) {
        held = undefined; // before the next one is read: two blocks are never held
        const all = Int32Array.from({ length: Math.min(window, length - first) }, (_, at) => first + at);
        held = { block, inputs: await read(all) };
      }
      const within = places.subarray(from, to).map((place) => place - first);
      pieces.push(held.inputs.map((input) => takeFloats(input, within)));
    }
    return pieces.length === 1 ? pieces[0] : pieces[0].map((_, input) => join(pieces.map((piece) => piece[input])));
  };
}

const join = (parts: readonly Floats[]): Floats => ({
  data: concat(parts.map(({ data }) => data)),
  shape: [sum(parts.map(({ shape }) => shape[0])), ...parts[0].shape.slice(1)],
});

function takeFloats({ data, shape }: Floats, places: Int32Array): Floats {
  return { data: gatherRows(data, data.length / shape[0], places), shape: [places.length, ...shape.slice(1)] };
}

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
  model: Network,
  place: number,
  { name, data, shape }: InputRows,
  columns: readonly string[] | undefined,
  rowName: RowName,
): Floats {
  const subject = name === undefined ? 'X' : `X.${name}`;
  const rowShape = shape.slice(1);
  const wanted = model.inputs[place].shape.slice(1);
  if (rowShape.length !== wanted.length || wanted.some((size, axis) => size !== null && size !== rowShape[axis])) {
    const must = `have the shape ${shapeText(wanted)} of ${inputSubject(model, place)}`;
    const message = sentence(`The rows of ${subject}`, must, phrase(shapeText(rowShape)));
    throw new InvalidDataError(message, { code: 'input_shape' });
  }
  const floats = data instanceof Float32Array ? data : new Float32Array(data);
  const bad = firstNotFinite(floats);
  if (bad < 0) return { data: floats, shape };
  const width = floats.length / shape[0];
  const { words, row } = rowName(Math.floor(bad / width));
  const cell = `${subject} ${words} ${cellName(bad % width, rowShape, columns)}`;
  const way = 'Fill in missing values, or leave the row out.';
  const message = sentence(cell, 'be a finite 32-bit number', kindOf(data[bad]), way);
  throw new InvalidDataError(message, { code: 'not_finite', row });
}

/** A loop: with a callback it takes longer than the training of a small net. */
function firstNotFinite(floats: Float32Array): number {
  for (let at = 0; at < floats.length; at++) if (!Number.isFinite(floats[at])) return at;
  return -1;
}

/** Where tfjs made up all names of the model and none matches, the order of the record counts. */
export function inputsInOrder({ inputNames: names }: Network, inputs: readonly InputRows[]): InputRows[] {
  const declared = inputs.flatMap(({ name }) => name ?? []);
  const isUnnamed = names.every(isAutomatic) && !declared.some((name) => names.includes(name));
  return isUnnamed && declared.length === names.length ? [...inputs] : inputsByName(names, inputs);
}

export const inputSubject = ({ inputs, inputNames }: Network, place: number): string =>
  inputs.length === 1 ? "the model's input" : `the model's input '${nameText(inputNames[place])}'`;
