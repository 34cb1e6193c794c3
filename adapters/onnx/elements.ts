/** Numbers in the type that an input takes. */
import { AdapterError, InvalidDataError, kindOf, phrase, sentence } from '../../src/core/errors.js';
import { nameText } from '../../src/core/foreignText.js';
import type { NumericArray } from '../../src/data/dense.js';
import type { Door } from './onnxFile.js';

export type Converted = NumericArray | BigInt64Array | BigUint64Array;

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

/** Numbers in the type of the input. Floats are rounded to its precision; integers that do not fit are refused. */
export function convert(
  door: Door,
  values: NumericArray,
  { allowMissing }: { readonly allowMissing: boolean },
  named: (at: number) => string,
): Converted {
  const { element } = door;
  if (element === 'float32' || element === 'float64') {
    const Wanted = ARRAYS[element];
    const floats = values instanceof Wanted ? values : new Wanted(values);
    const bad = firstUnfit(floats, allowMissing);
    if (bad < 0) return floats;
    const way = Number.isNaN(values[bad])
      ? 'Fill in missing values, or pass allowMissing: true for a model that takes them.'
      : undefined;
    throw new InvalidDataError(
      sentence(named(bad), `be a finite number of the type ${element}`, kindOf(values[bad]), way),
      {
        code: 'not_finite',
      },
    );
  }
  const big = element === 'int64' || element === 'uint64';
  if (!big && !Object.hasOwn(ARRAYS, element)) throw unknownElement(door);
  const Wanted = big ? Float64Array : ARRAYS[element as keyof typeof ARRAYS];
  const [low, high] =
    element === 'bool' ? [0, 1] : element === 'uint64' ? [0, Number.MAX_SAFE_INTEGER] : [-Infinity, Infinity];
  const whole = Wanted.from(values);
  for (let at = 0; at < values.length; at++) {
    const value = values[at];
    if (whole[at] === value && Number.isSafeInteger(value) && value >= low && value <= high) continue;
    throw new InvalidDataError(
      sentence(named(at), `be a number of the type ${element} that the model takes`, kindOf(value)),
      {
        code: 'model_inputs',
      },
    );
  }
  if (!big) return whole;
  return element === 'int64' ? BigInt64Array.from(whole, BigInt) : BigUint64Array.from(whole, BigInt);
}

/** A loop: a callback for every pixel would take longer than a small network. */
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

const unknownElement = ({ name, element }: Door) =>
  new AdapterError(
    sentence(
      `The input '${nameText(name)}' of the model`,
      'take numbers or text that JavaScript has',
      phrase(element),
      element === 'float16' ? 'Give the path or the bytes of the model, so that cvkit can cast them.' : undefined,
    ),
    { code: 'invalid_model' },
  );
