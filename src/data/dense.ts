import { InvalidDataError, phrase, sentence } from '../core/errors.js';
import { readNumbers } from '../core/readNumbers.js';

export type NumericArray =
  | Float64Array
  | Float32Array
  | Int32Array
  | Uint32Array
  | Int16Array
  | Uint16Array
  | Int8Array
  | Uint8Array
  | Uint8ClampedArray;

/** Numbers with a shape `[n, ...]`, row-major. */
export interface Dense {
  readonly data: NumericArray;
  readonly shape: readonly number[];
}

/** The part of `tf.Tensor` that is used. */
export interface TensorLike {
  readonly shape: readonly number[];
  readonly dtype: string;
  data(): Promise<ArrayLike<number>>;
  dataSync(): ArrayLike<number>;
}

export const product = (shape: readonly number[]) => shape.reduce((values, size) => values * size, 1);

export function isDense(X: unknown): X is Dense {
  const { data, shape } = (X ?? {}) as Partial<Dense>;
  return ArrayBuffer.isView(data) && Array.isArray(shape);
}

export function isTensor(X: unknown): X is TensorLike {
  const tensor = (X ?? {}) as Partial<TensorLike>;
  return Array.isArray(tensor.shape) && typeof tensor.dtype === 'string' && typeof tensor.dataSync === 'function';
}

/** The numbers of a tensor that was made for us, which is disposed; anything else as it is. */
export async function ownNumbers(value: unknown): Promise<unknown> {
  if (!isTensor(value)) return value;
  const numbers = { data: Float64Array.from(await value.data()), shape: [...value.shape] };
  disposeOwn(value);
  return numbers;
}

/** Disposes a tensor, unless `tf.keep` marks it: it may be used again. */
export function disposeOwn(tensor: TensorLike & { readonly kept?: boolean; dispose?(): void }): void {
  if (!tensor.kept) tensor.dispose?.();
}

/** `{ data, shape }` whose data fill the shape; 64-bit integers, as ONNX models give them, become numbers here. */
export function checkedDense({ data, shape }: Dense, name: string): Dense {
  if (!shape.every((each) => Number.isInteger(each) && each >= 0)) {
    throw new InvalidDataError(sentence(`The shape of ${name}`, 'hold whole numbers from 0', shape));
  }
  const size = product(shape);
  if (size !== data.length) {
    const must = `hold ${size} values to fill its shape [${shape.join(', ')}]`;
    throw new InvalidDataError(sentence(name, must, phrase(String(data.length))), { code: 'ragged_rows' });
  }
  return { data: isBig(data) ? readNumbers(data, name, { must: 'be an integer of at most 2^53' }) : data, shape };
}

const isBig = (data: unknown): data is BigInt64Array | BigUint64Array =>
  data instanceof BigInt64Array || data instanceof BigUint64Array;

/** True for numbers in memory that all threads share. */
export const isShared = ({ data }: Dense) =>
  typeof SharedArrayBuffer !== 'undefined' && data.buffer instanceof SharedArrayBuffer;

/** A fresh copy of those rows; `null` means all. */
export function takeDense({ data, shape }: Dense, rows: Int32Array | null): Dense {
  if (!rows) return { data: data.slice(), shape };
  const width = product(shape.slice(1));
  const out = new (data.constructor as { new (n: number): NumericArray })(rows.length * width);
  for (let i = 0, next = 0; i < rows.length; i = next) {
    // Rows that follow each other are copied at once.
    for (next = i + 1; next < rows.length && rows[next] === rows[next - 1] + 1; ) next++;
    const from = rows[i] * width;
    const size = (next - i) * width;
    if (size < 64) for (let j = 0; j < size; j++) out[i * width + j] = data[from + j];
    else out.set(data.subarray(from, from + size), i * width);
  }
  return { data: out, shape: [rows.length, ...shape.slice(1)] };
}

export function nest({ data, shape }: Dense): unknown[] {
  const steps = shape.map((_, depth) => product(shape.slice(depth + 1)));
  const build = (depth: number, from: number): unknown[] => {
    const out = new Array(shape[depth]);
    const last = depth === shape.length - 1;
    for (let i = 0; i < out.length; i++) out[i] = last ? data[from + i] : build(depth + 1, from + i * steps[depth]);
    return out;
  };
  return build(0, 0);
}
