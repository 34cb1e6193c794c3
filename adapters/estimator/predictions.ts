import { AdapterError, kindOf, phrase, sentence } from '../../src/core/errors.js';
import { isTensor } from '../../src/data/dense.js';
import { type Label, listed, writtenShape } from '../../src/data/labels.js';
import { rowsOf, type TensorLike } from '../../src/data/rows.js';
import type { LabelFacts } from '../../src/runner/frameworkAdapter.js';
import { classOf } from '../inputs.js';

/** A result as a list of flat rows: `width` 1 for a vector or a single column. */
export interface ResultRows {
  readonly rows: readonly (readonly unknown[])[];
  readonly width: number;
  /** Sizes of a row as the model gave it, `[height, width]` of a mask. */
  readonly rowShape: readonly number[];
}

/** The rows of a result. Throws {@link AdapterError} unless there are `n` of one width; `what` is named in messages. */
export async function resultRows(result: unknown, n: number, what: string): Promise<ResultRows> {
  const list = await listOf(result, what);
  const rows = list.map((row) => (isList(row) ? flat(row) : [row]));
  if (rows.length !== n) throw misshapen(what, `have ${n} rows`, String(rows.length));
  return { rows, width: rows[0].length, rowShape: shapeOf(list[0]) };
}

const flat = (row: ArrayLike<unknown>): readonly unknown[] =>
  Array.isArray(row) && !row.some(isList) ? row : Array.from(row).flat(Number.POSITIVE_INFINITY);

function shapeOf(row: unknown): number[] {
  if (!isList(row)) return [];
  const inner = shapeOf(row[0]);
  return inner.length === 0 && row.length === 1 ? [] : [row.length, ...inner];
}

/** A flat row of pixels is what models may give; nested ones say which pixel is where. */
export function checkMask(what: string, { rowShape }: ResultRows, { shape }: LabelFacts): void {
  if (rowShape.length < 2 || rowShape.join() === shape?.join()) return;
  throw misshapen(what, `be ${writtenShape(shape)}`, writtenShape(rowShape));
}

async function listOf(result: unknown, what: string): Promise<unknown[]> {
  if (isTensor(result)) return listOfTensor(result, what);
  if (isList(result)) return Array.from(result);
  if (typeof result === 'object' && result !== null) return rowsOf(result, `the ${what} of the model`).toArrays();
  throw new AdapterError(sentence(`The ${what} of the model`, 'be an array', kindOf(result)), { code: 'output_shape' });
}

async function listOfTensor(tensor: TensorLike & { dispose?(): void }, what: string): Promise<unknown[]> {
  const list =
    tensor.shape.length === 1
      ? Array.from(await tensor.data())
      : await rowsOf(tensor, `the ${what} of the model`).toArrays();
  tensor.dispose?.(); // what a model returned is ours
  return list;
}

const isList = (value: unknown): value is ArrayLike<unknown> => Array.isArray(value) || ArrayBuffer.isView(value);

export async function resultNumbers(result: unknown, n: number): Promise<Float64Array> {
  const { rows, width } = await resultRows(result, n, 'predictions');
  if (width !== 1) throw misshapen('predictions', 'be one value per row', `${width} per row`);
  return Float64Array.from(rows, ([value], row) => {
    if (typeof value === 'number' && Number.isFinite(value)) return value;
    const subject = `The prediction for row ${row}`;
    throw new AdapterError(sentence(subject, 'be a finite number', kindOf(value)), { code: 'not_finite', row });
  });
}

export async function resultLabels(result: unknown, n: number, facts: LabelFacts): Promise<(Label | number[])[]> {
  const { task, classes } = facts;
  const found = await resultRows(result, n, 'predictions');
  const { rows, width } = found;
  if (task === 'multilabel') checkMask('predictions', found, facts);
  const wanted = task === 'multilabel' ? classes.length : 1;
  if (width !== wanted) {
    const must = wanted === 1 ? 'be one label per row' : `be ${wanted} labels per row`;
    throw misshapen('predictions', must, `${width} per row`);
  }
  if (task !== 'multilabel') return rows.map(([value], row) => knownLabel(value, row, classes));
  return rows.map((values, row) => values.map((value) => knownLabel(value, row, [0, 1]) as number));
}

function knownLabel(value: unknown, row: number, classes: readonly Label[]): Label {
  const label = classOf(value, classes);
  if (label !== undefined) return label;
  const way =
    typeof value === 'number' && Number.isFinite(value)
      ? "Pass task: 'regression' for a model that predicts numbers."
      : undefined;
  const subject = `The prediction for row ${row}`;
  const must = `be one of the classes ${listed(classes)}`;
  throw new AdapterError(sentence(subject, must, kindOf(value), way), { code: 'unknown_label', row });
}

export const misshapen = (what: string, must: string, got: string): AdapterError =>
  new AdapterError(sentence(`The ${what} of the model`, must, phrase(got)), { code: 'output_shape' });
