import { describe, expect, it } from 'vitest';
import { inputSubject, inputsInOrder } from '../../../adapters/tfjs/inputs.js';
import type { Network } from '../../../adapters/tfjs/structures.js';
import { thrown } from '../../helpers/thrown.js';

const withInputs = (...inputNames: string[]): Network => ({
  inputs: inputNames.map(() => ({ shape: [null, 1] })),
  inputNames,
  outputs: [],
  outputNames: [],
  layers: [],
});
const record = (...names: string[]) => names.map((name) => ({ name, data: Float32Array.of(1), shape: [1, 1] }));
const one = [{ data: Float32Array.of(1), shape: [1, 1] }];
const names = (model: Network, ...given: string[]) => inputsInOrder(model, record(...given)).map(({ name }) => name);

describe('inputsInOrder', () => {
  it('is the order of the model, by name', () => {
    expect(names(withInputs('image', 'age'), 'age', 'image')).toEqual(['image', 'age']);
    expect(names(withInputs('image'), 'image')).toEqual(['image']);
    expect(inputsInOrder(withInputs('any'), one)).toEqual(one);
  });

  it('is the order of the record where tfjs made up all names', () => {
    expect(names(withInputs('input4', 'input5'), 'image', 'age')).toEqual(['image', 'age']);
    expect(names(withInputs('input4', 'dense_Dense5_input'), 'image', 'age')).toEqual(['image', 'age']);
    expect(names(withInputs('input1', 'input2'), 'input2', 'input1')).toEqual(['input1', 'input2']);
  });

  it('refuses what does not match', async () => {
    const message = (model: Network, ...given: string[]) => thrown(() => names(model, ...given));
    const model = withInputs('image', 'age');
    expect(await message(model, 'images', 'age')).toMatch(/\(model_inputs\): .*'images'.*'image'/);
    expect(await message(withInputs('input4', 'input5'), 'image')).toMatch(/\(model_inputs\): .*'image'/);
  });
});

describe('inputSubject', () => {
  it('names the input where there are several', () => {
    expect(inputSubject(withInputs('a'), 0)).toBe("the model's input");
    expect(inputSubject(withInputs('a', 'b'), 1)).toBe("the model's input 'b'");
  });
});
