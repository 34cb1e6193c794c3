import { describe, expect, it } from 'vitest';
import { readModelFile } from '../../../adapters/onnx/modelFile.js';
import { rewriteModel } from '../../../adapters/onnx/onnxFile.js';
import { fixtureBytes } from './fixtures.js';

const rewritten = (name: string, expose?: string) => {
  const bytes = fixtureBytes(name);
  const before = bytes.slice();
  const found = rewriteModel(bytes, readModelFile(bytes, 'The model'), expose);
  expect(bytes).toEqual(before);
  return found;
};

// What rewritten models compute is held against the reference in index.test.ts and onnxEmbedding.test.ts.
describe('rewriteModel', () => {
  it('leaves a file that needs nothing', () => {
    expect(rewritten('softmax')).toBeUndefined();
    expect(rewritten('trees-integers')).toBeUndefined();
  });

  it.each([
    ['drops ZipMap', 'zipmap-integers', undefined, { output_probability: 'probabilities' }],
    ['makes an inner tensor the only output', 'softmax', 'logits', { logits: 'logits_float32' }],
    ['casts 16 bits', 'half', undefined, { x: 'x_float32', probabilities: 'probabilities_float32' }],
    ['casts an inner tensor', 'half-image', 'features', { image: 'image_float32', features: 'features_float32' }],
  ])('%s of %s, and tells the new names', (_, name, expose, names) => {
    const { bytes, renamed } = rewritten(name, expose) ?? expect.fail();
    expect(Object.fromEntries(renamed)).toEqual(names);
    const { inputs, outputs, nodes } = readModelFile(bytes, 'The model');
    const ports = [...inputs, ...outputs].map((port) => port.name);
    expect(ports).toEqual(expect.arrayContaining(Object.values(names)));
    expect(nodes.map(({ opType }) => opType)).not.toContain('ZipMap');
  });
});
