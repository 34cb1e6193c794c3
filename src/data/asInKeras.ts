/** Data as Keras takes them: lists of inputs, several outputs, streams. What stands for them here, in one sentence. */
import { InvalidDataError, phrase, sentence, show } from '../core/errors.js';
import { isList, isPlainObject } from '../core/options.js';
import { isDense, isTensor } from './dense.js';
import type { Rows } from './rowKinds.js';

const refuse = (code: string, name: string, must: string, got: string, way: string): never => {
  throw new InvalidDataError(sentence(name, must, phrase(got), way), { code });
};

const inputsInList = (name: string, got: string, also = '') => {
  const way = `Use ${name}: { image, table }, with the names of the model's inputs${also}.`;
  refuse('list_of_inputs', name, 'be one input, or a record of inputs', got, way);
};

/** Refuses a `tf.data.Dataset`, and a list whose entries are inputs rather than rows, as far as `X` alone can tell. */
export function refuseKerasRows(X: unknown, name: string): void {
  const { forEachAsync, toArray } = (X ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof forEachAsync === 'function' && typeof toArray === 'function') {
    const way = 'Use a row source, { length, take }, or its rows as an array.';
    refuse('stream_of_rows', name, 'be rows that are read by number', 'a tf.data.Dataset', way);
  }
  if (!Array.isArray(X) || X.length < 2) return;
  const [first, second] = X;
  if (isTensor(first) || isTensor(second)) {
    inputsInList(name, `a list of ${X.length} with tensors in it`, '; single rows become one tensor by tf.stack');
  }
  if (isDense(first) || isDense(second)) inputsInList(name, `a list of ${X.length} inputs`);
  const areTables = X.length < first?.length && X.every((each) => each?.length === first.length && isRow(each[0]));
  if (areTables && (isPlainObject(first[0]) || X.some((each) => widthOf(each[0]) !== widthOf(first[0])))) {
    inputsInList(name, `a list of ${X.length} tables of ${first.length} rows`, '; rows of one input have one size');
  }
}

const isRow = (value: unknown) => isList(value) || isPlainObject(value);
const widthOf = (row: ArrayLike<unknown> | object) => (isList(row) ? row.length : Object.keys(row).length);

/** Refuses several outputs, and what is only with `y` known to be a list of inputs. */
export function refuseKerasLabels(y: unknown, X: Rows, [name, ofRows] = ['y', 'X']): void {
  const way = 'Give the one to be scored, and the others as `auxiliary: { name: labels }`.';
  const several = (got: string) => refuse('several_outputs', name, 'be the labels of one output', got, way);
  if (isPlainObject(y) && !isDense(y) && !isTensor(y)) {
    const outputs = Object.values(y);
    const isTime = 'time' in y && 'event' in y;
    if (!isTime && outputs.length > 1 && outputs.every((each) => countOf(each) === X.length)) {
      several(show(y));
    }
  }
  if (Array.isArray(y) && y.length > 1 && y.length !== X.length && y.every((each) => countOf(each) === X.length)) {
    several(`a list of ${y.length} arrays of ${X.length} labels`);
  }
  const { kind, length, rowShape: [rows, ...rest] = [] } = X;
  if (kind === 'arrays' && rest.length > 0 && length !== rows && countOf(y) === rows) {
    inputsInList(ofRows, `a list of ${length} tables of ${rows} rows, as many as ${name} has`);
  }
}

function countOf(values: unknown): unknown {
  if (isTensor(values) || isDense(values)) return values.shape[0];
  return isList(values) ? values.length : undefined;
}
