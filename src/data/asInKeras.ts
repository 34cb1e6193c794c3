/** Data as Keras takes them: lists of inputs, several outputs, streams. What stands for them here, in one sentence. */
import { invalidData, show } from '../core/errors.js';
import { isList, isPlainObject } from '../core/options.js';
import { isDense, isTensor } from './dense.js';
import type { Rows } from './rowKinds.js';

const listOfInputs = (name: string, got: string, also = '') => {
  const way = `Use ${name}: { image, table }, with the names of the model's inputs${also}.`;
  return invalidData('list_of_inputs', name, 'be one input, or a record of inputs', got, way);
};

/** Refuses a `tf.data.Dataset`, and a list whose entries are inputs rather than rows, as far as `X` alone can tell. */
export function refuseKerasRows(X: unknown, name: string): void {
  const { forEachAsync, toArray } = (X ?? {}) as Readonly<Record<string, unknown>>;
  if (typeof forEachAsync === 'function' && typeof toArray === 'function') {
    const way = 'Use a row source, { length, take }, or its rows as an array.';
    throw invalidData('stream_of_rows', name, 'be rows that are read by number', 'a tf.data.Dataset', way);
  }
  if (!Array.isArray(X) || X.length < 2) return;
  const [first, second] = X;
  if (isTensor(first) || isTensor(second)) {
    const got = `a list of ${X.length} with tensors in it`;
    throw listOfInputs(name, got, '; single rows become one tensor by tf.stack');
  }
  if (isDense(first) || isDense(second)) throw listOfInputs(name, `a list of ${X.length} inputs`);
  const areTables = X.length < first?.length && X.every((each) => each?.length === first.length && isRow(each[0]));
  if (areTables && (isPlainObject(first[0]) || X.some((each) => widthOf(each[0]) !== widthOf(first[0])))) {
    const got = `a list of ${X.length} tables of ${first.length} rows`;
    throw listOfInputs(name, got, '; rows of one input have one size');
  }
}

const isRow = (value: unknown) => isList(value) || isPlainObject(value);
const widthOf = (row: ArrayLike<unknown> | object) => (isList(row) ? row.length : Object.keys(row).length);

/** Refuses several outputs, and a list of inputs that only the number of labels tells from rows. */
export function refuseKerasLabels(y: unknown, X: Rows, [name, ofRows] = ['y', 'X']): void {
  const got = severalOutputs(y, X.length);
  if (got) {
    const way = 'Give the one to be scored, and the others as `auxiliary: { name: labels }`.';
    throw invalidData('several_outputs', name, 'be the labels of one output', got, way);
  }
  const { kind, length, rowShape: [rows, ...rest] = [] } = X;
  if (kind === 'arrays' && rest.length > 0 && length !== rows && countOf(y) === rows) {
    throw listOfInputs(ofRows, `a list of ${length} tables of ${rows} rows, as many as ${name} has`);
  }
}

/** What `y` is, where it is a record or a list of labels for `n` rows each. Times with events are one outcome. */
function severalOutputs(y: unknown, n: number): string | undefined {
  const isRecord = isPlainObject(y) && !isDense(y) && !isTensor(y) && !('time' in y);
  const outputs = isRecord ? Object.values(y) : Array.isArray(y) && y.length !== n ? y : [];
  if (outputs.length < 2 || !outputs.every((each) => countOf(each) === n)) return undefined;
  return isRecord ? show(y) : `a list of ${outputs.length} arrays of ${n} labels`;
}

function countOf(values: unknown): unknown {
  if (isTensor(values) || isDense(values)) return values.shape[0];
  return isList(values) ? values.length : undefined;
}
