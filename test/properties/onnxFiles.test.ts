/** Whatever the bytes of a file are: it is read, or refused in one sentence; and edits keep what they do not change. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { joinedBytes } from '../../adapters/inputs.js';
import { bytesField, fieldsOf, integersOf, numberField, readModelFile, textOf } from '../../adapters/onnx/modelFile.js';
import { rewriteModel } from '../../adapters/onnx/onnxFile.js';
import { AdapterError } from '../../src/core/errors.js';
import { fixtureBytes } from '../adapters/onnx/fixtures.js';

const NAMES = ['softmax', 'zipmap-texts', 'half-image', 'columns', 'integers'];

describe('bytes of .onnx files', () => {
  it('are written as they are read', () => {
    const field = fc.record({
      number: fc.integer({ min: 1, max: 2 ** 20 }),
      value: fc.oneof(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), fc.string()),
    });
    fc.assert(
      fc.property(fc.array(field), (fields) => {
        const bytes = joinedBytes(
          fields.map(({ number, value }) =>
            typeof value === 'bigint' ? numberField(number, value) : bytesField(number, value),
          ),
        );
        const read = [...fieldsOf(bytes)].map((each) => ({
          number: each.number,
          value: each.value === undefined ? textOf(each) : integersOf(each)[0],
        }));
        expect(read).toEqual(fields);
        expect(joinedBytes([...fieldsOf(bytes)].map(({ raw }) => raw))).toEqual(bytes);
      }),
    );
  });

  it('are refused in one sentence where they are damaged, and never otherwise', () => {
    const damage = fc.record({
      name: fc.constantFrom(...NAMES),
      end: fc.double({ min: 0, max: 1, noNaN: true }),
      at: fc.double({ min: 0, max: 0.999, noNaN: true }),
      byte: fc.integer({ min: 0, max: 255 }),
    });
    fc.assert(
      fc.property(damage, ({ name, end, at, byte }) => {
        const bytes = fixtureBytes(name).slice(0, Math.ceil(fixtureBytes(name).length * end));
        if (bytes.length > 0) bytes[Math.floor(bytes.length * at)] = byte;
        try {
          const file = readModelFile(bytes, 'The model');
          rewriteModel(bytes, file);
        } catch (error) {
          expect(error).toBeInstanceOf(AdapterError);
          expect((error as Error).message).toMatch(/^The model must be a complete \.onnx file\. Got .+\.$/);
        }
      }),
      { numRuns: 500 },
    );
  });
});
