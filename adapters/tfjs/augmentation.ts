/** Augmentation of one training batch: the caller's function, run with seeds of its own, and its result checked. */

import { AdapterError, phrase, sentence, suggestion } from '../../src/core/errors.js';
import { nameText } from '../../src/core/foreignText.js';
import { withSeededRandom } from '../../src/core/seededRandom.js';
import type { Augment } from '../../src/runner/frameworkAdapter.js';
import { byName, fromCaller } from './callerFunctions.js';
import { inputSubject } from './inputs.js';
import { type Output, outputSubject } from './outputs.js';
import { augmentRandom } from './seeds.js';
import { isTensor, type Network, type Tensor } from './structures.js';
import type { StepTensors } from './trainStep.js';

const CODE = 'invalid_augmentation';

interface Place {
  readonly seed: number;
  readonly epoch: number;
  readonly batch: number;
}

type Augmenter = (tensors: StepTensors, place: Place) => StepTensors;

/** A function that augments batches of `model`; weights stay with their rows. Call it inside `tidy`. */
export function augmenter(model: Network, outputs: readonly Output[], augment: Augment): Augmenter {
  const outputNames = outputs.map(({ name }) => name);
  return (tensors, { seed, epoch, batch }) => {
    const source = augmentRandom(seed, epoch, batch);
    const given = { X: byName(model.inputNames, tensors.x), y: byName(outputNames, tensors.y) };
    const call = () => augment(given, { epoch, batch, random: source.random });
    const result = fromCaller({ name: 'augment', must: 'return { X } or { X, y }', code: CODE }, () =>
      withSeededRandom(source.seed, call),
    );
    checkResult(result);
    const [rows] = tensors.y[0].shape;
    const x = unpacked('X', model.inputNames, tensors.x, result.X).map((tensor, at) =>
      checked(tensor, `X, for ${inputSubject(model, at)},`, rows, model.inputs[at].shape.slice(1)),
    );
    const y = unpacked('y', outputNames, tensors.y, result.y).map((tensor, at) =>
      checked(tensor, `y, for ${lower(outputSubject(model, outputs[at].place))},`, rows, tensors.y[at].shape.slice(1)),
    );
    return { ...tensors, x, y };
  };
}

const lower = (text: string) => text[0].toLowerCase() + text.slice(1);

/** The tensors of a result, with the given ones in place of what it leaves out. */
function unpacked(
  key: string,
  names: readonly string[],
  given: readonly Tensor[],
  result: unknown,
): readonly unknown[] {
  if (result === undefined) return given;
  if (names.length === 1) return [result];
  if (typeof result !== 'object' || result === null || isTensor(result)) {
    throw refusal(`return \`${key}\` as a record of ${names.join(', ')}`, result);
  }
  const stranger = Object.keys(result).find((name) => !names.includes(name));
  if (stranger !== undefined) {
    throw refusal(`return \`${key}\` with the names it was given`, stranger, suggestion(stranger, names));
  }
  return names.map((name, at) => (result as Record<string, unknown>)[name] ?? given[at]);
}

function checkResult(result: unknown): void {
  if (typeof result !== 'object' || result === null || isTensor(result)) {
    throw refusal('return { X } or { X, y }', isTensor(result) ? phrase('a tensor') : result);
  }
  const stranger = Object.keys(result).find((key) => key !== 'X' && key !== 'y');
  if (stranger !== undefined) throw refusal('return { X } or { X, y }', phrase(`the key '${nameText(stranger)}'`));
}

function checked(tensor: unknown, subject: string, rows: number, rowShape: readonly (number | null)[]): Tensor {
  const wanted = [rows, ...rowShape];
  const must = `return ${subject} as a tensor of shape [${wanted.map((size) => size ?? 'any').join(', ')}]`;
  if (!isTensor(tensor)) throw refusal(must, tensor);
  const { shape } = tensor;
  if (shape.length === wanted.length && wanted.every((size, axis) => size === null || size === shape[axis]))
    return tensor;
  throw refusal(must, phrase(`[${shape.join(', ')}]`));
}

const refusal = (must: string, got: unknown, way?: string) =>
  new AdapterError(sentence('The `augment` function', must, got, way), { code: CODE });
