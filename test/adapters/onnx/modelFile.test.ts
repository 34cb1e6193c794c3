import { describe, expect, it } from 'vitest';
import * as file from '../../../adapters/onnx/modelFile.js';
import { fixtureBytes } from './fixtures.js';

const { bytesField, fieldsOf, integersOf, numberField, readModelFile } = file;
const read = (name: string) => readModelFile(fixtureBytes(name), 'The model');

// What is expected is what test/reference/onnx.py wrote.
describe('readModelFile', () => {
  it('reads inputs and outputs with their types', () => {
    const { inputs, outputs, opsets, producer } = read('softmax');
    expect(inputs).toEqual([{ name: 'x', element: 'float32' }]);
    expect(outputs).toEqual([{ name: 'probabilities', element: 'float32' }]);
    expect([opsets, producer]).toEqual([{ 'ai.onnx': 21 }, 'cvkit tests']);
    const columns = read('columns').inputs.map(({ name, element }) => `${name} ${element}`);
    expect(columns).toEqual(['age float32', 'sex string', 'visits int64']);
    expect(read('half').outputs[0].element).toBe('float16');
    expect(read('bfloat16').inputs[0].element).toBe('bfloat16');
  });

  it('does not take weights for inputs, which old files list among them', () => {
    expect(read('old').inputs.map(({ name }) => name)).toEqual(['x']);
  });

  it('tells sequences from tensors, and finds the labels of classes', () => {
    const zipped = read('zipmap-integers');
    const outputs = zipped.outputs.map(({ name, element }) => `${name} ${element}`);
    expect(outputs).toEqual(['label int64', 'output_probability unknown']);
    const nodes = zipped.nodes.map(({ opType, classes }) => `${opType} ${classes}`);
    expect(nodes).toEqual(['TreeEnsembleClassifier 0,1', 'ZipMap 0,1']);
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

/** Bytes of the examples in the page "Encoding" of the documentation of Protocol Buffers. */
const EXAMPLES = {
  number150InField1: [0x08, 0x96, 0x01],
  textTestingInField2: [0x12, 0x07, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6e, 0x67],
  packed3And270And86942InField6: [0x32, 0x06, 0x03, 0x8e, 0x02, 0x9e, 0xa7, 0x05],
};

describe('the wire format', () => {
  it('is that of the documentation', () => {
    const [number] = fieldsOf(Uint8Array.from(EXAMPLES.number150InField1));
    expect([number.number, number.value]).toEqual([1, 150n]);
    const [text] = fieldsOf(Uint8Array.from(EXAMPLES.textTestingInField2));
    expect([text.number, file.textOf(text)]).toEqual([2, 'testing']);
    const [packed] = fieldsOf(Uint8Array.from(EXAMPLES.packed3And270And86942InField6));
    expect([packed.number, integersOf(packed)]).toEqual([6, [3n, 270n, 86942n]]);
  });

  it('is written as it is read', () => {
    expect(Array.from(numberField(1, 150))).toEqual(EXAMPLES.number150InField1);
    expect(Array.from(bytesField(2, 'testing'))).toEqual(EXAMPLES.textTestingInField2);
    // -1 as 64 bits: nine bytes of ones and a last one, by the same page.
    expect(Array.from(numberField(1, -1))).toEqual([0x08, ...Array.from({ length: 9 }, () => 0xff), 0x01]);
    const [field] = fieldsOf(numberField(1000, -1));
    expect([field.number, integersOf(field)]).toEqual([1000, [-1n]]);
  });

  it('skips numbers of fixed length', () => {
    const float = [0x0d, 0, 0, 0x80, 0x3f]; // field 1 as 32 bits
    const double = [0x11, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f]; // field 2 as 64 bits
    const fields = [...fieldsOf(Uint8Array.from([...float, ...double, ...EXAMPLES.number150InField1]))];
    expect(fields.map(({ number, value, raw }) => [number, value, raw.length])).toEqual([
      [1, undefined, 5],
      [2, undefined, 9],
      [1, 150n, 3],
    ]);
  });

  it.each([
    ['a field that goes on behind the end', [0x12, 0x07, 0x74]],
    ['a number that does not end', [0x08, 0x96]],
    ['a number of more than 64 bits', [0x08, ...Array.from({ length: 11 }, () => 0xff)]],
    ['field 0', [0x00, 0x01]],
    ['groups, which are no longer used', [0x0b]],
    ['text that is no message', [...new TextEncoder().encode('<!DOCTYPE html>')]],
  ])('refuses %s', (_, bytes) => {
    expect(() => [...fieldsOf(Uint8Array.from(bytes))]).toThrow(file.NotAMessage);
  });
});
