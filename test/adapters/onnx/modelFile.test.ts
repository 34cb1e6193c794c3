import { describe, expect, it } from 'vitest';
import { readModelFile } from '../../../adapters/onnx/modelFile.js';
import { fixtureBytes } from './fixtures.js';

const read = (name: string) => readModelFile(fixtureBytes(name), 'The model');

// What is expected is what test/reference/onnx.py wrote.
describe('readModelFile', () => {
  it('reads inputs and outputs with types and sizes', () => {
    const { inputs, outputs, opsets, producer } = read('softmax');
    expect(inputs).toEqual([{ name: 'x', kind: 'tensor', element: 'float32', shape: [null, 4] }]);
    expect(outputs).toEqual([{ name: 'probabilities', kind: 'tensor', element: 'float32', shape: [null, 3] }]);
    expect([opsets, producer]).toEqual([{ 'ai.onnx': 21 }, 'cvkit tests']);
    expect(read('columns').inputs.map(({ name, element }) => [name, element])).toEqual([
      ['age', 'float32'],
      ['sex', 'string'],
      ['visits', 'int64'],
    ]);
    expect(read('one-row').inputs[0].shape).toEqual([1, 4]);
    expect(read('unnamed-axis').inputs[0].shape).toEqual([null, 4]);
    expect(read('half').outputs[0].element).toBe('float16');
    expect(read('bfloat16').inputs[0].element).toBe('bfloat16');
  });

  it('does not take weights for inputs, which old files list among them', () => {
    expect(read('old').inputs.map(({ name }) => name)).toEqual(['x']);
  });

  it('tells sequences from tensors, and finds the labels of classes', () => {
    const zipped = read('zipmap-integers');
    expect(zipped.outputs.map(({ name, kind }) => [name, kind])).toEqual([
      ['label', 'tensor'],
      ['output_probability', 'sequence'],
    ]);
    expect(zipped.nodes.map(({ opType, classes }) => [opType, classes])).toEqual([
      ['TreeEnsembleClassifier', [0, 1]],
      ['ZipMap', [0, 1]],
    ]);
    expect(read('trees-texts').nodes[0].classes).toEqual(['yes', 'no']);
  });

  it('sees weights in other files', () => {
    expect([read('external').isExternal, read('softmax').isExternal]).toEqual([true, false]);
  });

  it.each([
    ['half of a file', fixtureBytes('softmax').subarray(0, 120)],
    ['nothing', new Uint8Array()],
    ['a page of the web', new TextEncoder().encode('<!DOCTYPE html><html></html>')],
    ['an empty graph', Uint8Array.from([0x3a, 0x00])],
  ])('refuses %s in one sentence', (_, bytes) => {
    expect(() => readModelFile(bytes, 'The ONNX model m.onnx')).toThrow(
      /^The ONNX model m\.onnx must be a complete \.onnx file\. Got (an empty file|\d+ bytes that are not one \(.+\))\.$/,
    );
  });
});
