/** The inputs of a model and the rows of X, the classes of y, and the bytes of files, for every adapter. */
import { AdapterError, InvalidDataError, phrase, sentence, suggestion } from '../src/core/errors.js';
import { nameText } from '../src/core/foreignText.js';
import type { Label } from '../src/data/labels.js';
import type { InputRows } from '../src/data/rows.js';

export const misfit = (subject: string, must: string, got: unknown, way?: string): InvalidDataError =>
  new InvalidDataError(sentence(subject, must, got, way), { code: 'model_inputs' });

export function inputsByName(names: readonly string[], inputs: readonly InputRows[]): InputRows[] {
  const declared = inputs.flatMap(({ name }) => name ?? []);
  if (declared.length === 0 && names.length === 1) return [...inputs];
  if (declared.length === 0) {
    const record = names.map((name) => `${nameText(name)}: ...`).join(', ');
    const must = `be a record of the ${names.length} inputs of the model`;
    throw misfit('X', must, phrase('one input'), `Pass { ${record} }.`);
  }
  const stranger = declared.find((name) => !names.includes(name));
  if (stranger !== undefined) {
    throw misfit('X', 'be a record of inputs of the model', stranger, suggestion(stranger, names));
  }
  return names.map((name) => {
    const found = inputs[declared.indexOf(name)];
    if (found) return found;
    const got = phrase(declared.map((each) => nameText(each)).join(', '));
    throw misfit('X', `have the input '${nameText(name)}' of the model`, got);
  });
}

/** Rows that a model takes at a time, by the sizes of its inputs: 1, or null for any number. */
export function rowsAtATime(sizes: readonly (number | null | undefined)[], subject: string, way: string): 1 | null {
  const fixed = sizes.find((size) => typeof size === 'number') ?? null;
  if (fixed === null || fixed === 1) return fixed;
  const got = phrase(`a model for exactly ${fixed} rows`);
  throw new AdapterError(sentence(subject, 'take any number of rows, or one', got, way), { code: 'invalid_model' });
}

/** The class that `value` stands for. Booleans may come back as 0 and 1. */
export function classOf(value: unknown, classes: readonly Label[]): Label | undefined {
  if (classes.includes(value as Label)) return value as Label;
  return classes.find((label) => typeof label === 'boolean' && Number(label) === value);
}

/** `[2, any]`: null stands for any size. */
export const shapeText = (shape: readonly (number | null)[]): string =>
  `[${shape.map((size) => size ?? 'any').join(', ')}]`;

/** `column 'age'`, `column 3`, or the place `at [0, 7, 0]` in an image. `cell`: its number within the row. */
export function cellName(cell: number, rowShape: readonly number[], names: readonly string[] | undefined): string {
  if (rowShape.length === 1) return names ? `column '${nameText(names[cell])}'` : `column ${cell}`;
  const place: number[] = [];
  for (let axis = rowShape.length - 1, rest = cell; axis >= 0; axis--) {
    place.unshift(rest % rowShape[axis]);
    rest = Math.floor(rest / rowShape[axis]);
  }
  return `at [${place.join(', ')}]`;
}

export function joinedBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(parts.reduce((size, { length }) => size + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** Of an option that holds times: ascending ones above 0. */
export const isAscendingTimes = (times: unknown): boolean =>
  Array.isArray(times) &&
  times.length > 0 &&
  times.every((time, k) => Number.isFinite(time) && time > (k > 0 ? times[k - 1] : 0));
