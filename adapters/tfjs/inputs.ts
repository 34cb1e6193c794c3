/** The inputs of a model and the record of inputs that `X` is, held against each other by name. */

import { InvalidDataError, phrase, sentence, suggestion } from '../../src/core/errors.js';
import { nameText } from '../../src/core/foreignText.js';
import type { InputRows } from '../../src/data/rows.js';
import { isAutomatic } from './outputs.js';
import type { Network } from './structures.js';

/**
 * `inputs` in the order of the model's. Names must match; where all those of the model are made up by tfjs and none
 * matches, the order of the record counts. Throws {@link InvalidDataError} for what is unknown or missing.
 */
export function inputsInOrder(model: Network, inputs: readonly InputRows[]): InputRows[] {
  const names = model.inputNames;
  const declared = inputs.flatMap(({ name }) => name ?? []);
  if (declared.length === 0 && model.inputs.length === 1) return [...inputs];
  if (declared.length === 0) {
    throw misfit('X', `be a record of the ${names.length} inputs of the model`, phrase('one input'), names);
  }
  const stranger = declared.find((name) => !names.includes(name));
  if (stranger !== undefined && declared.length === names.length && names.every(isAutomatic)) {
    if (!declared.some((name) => names.includes(name))) return [...inputs];
  }
  if (stranger !== undefined) {
    throw new InvalidDataError(
      sentence('X', 'be a record of inputs of the model', stranger, suggestion(stranger, names)),
      { code: 'model_inputs' },
    );
  }
  const missing = names.find((name) => !declared.includes(name));
  if (missing !== undefined) {
    throw misfit('X', `have the input '${nameText(missing)}' of the model`, phrase(declared.join(', ')), []);
  }
  return names.map((name) => inputs[declared.indexOf(name)]);
}

function misfit(subject: string, must: string, got: unknown, names: readonly string[]): InvalidDataError {
  const way = names.length > 0 ? `Pass { ${names.map((name) => `${name}: ...`).join(', ')} }.` : undefined;
  return new InvalidDataError(sentence(subject, must, got, way), { code: 'model_inputs' });
}

/** "the model's input", with its name where there are several. */
export const inputSubject = ({ inputs, inputNames }: Network, place: number): string =>
  inputs.length === 1 ? "the model's input" : `the model's input '${nameText(inputNames[place])}'`;
