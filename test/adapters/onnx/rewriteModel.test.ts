import * as ort from 'onnxruntime-node';
import { describe, expect, it } from 'vitest';
import { readModelFile } from '../../../adapters/onnx/modelFile.js';
import { rewriteModel } from '../../../adapters/onnx/onnxFile.js';
import { fixtureBytes, inputOf, reference } from './fixtures.js';

const rewritten = (name: string, expose?: string) => {
  const bytes = fixtureBytes(name);
  const before = bytes.slice();
  const found = rewriteModel(bytes, readModelFile(bytes, 'The model'), expose);
  expect(bytes).toEqual(before);
  return found;
};

async function computed(bytes: Uint8Array, input: string, { data, shape } = inputOf('softmax')) {
  const session = await ort.InferenceSession.create(bytes, { logSeverityLevel: 4 });
  const result = await session.run({ [input]: new ort.Tensor('float32', Float32Array.from(data), shape) });
  await session.release();
  return Object.fromEntries(
    Object.entries(result).map(([name, { data, dims }]) => [name, { data: Array.from(data as Float32Array), dims }]),
  );
}

const expectNear = (got: ArrayLike<number>, wanted: readonly number[], tolerance = 1e-6) => {
  expect(got.length).toBe(wanted.length);
  wanted.forEach((value, at) => {
    expect(Math.abs(got[at] - value)).toBeLessThan(tolerance);
  });
};

describe('rewriteModel', () => {
  it('leaves a file that needs nothing', () => {
    expect(rewritten('softmax')).toBeUndefined();
    expect(rewritten('trees-integers')).toBeUndefined();
  });

  it.each(['zipmap-integers', 'zipmap-texts'])('drops ZipMap of %s, so that its input is the output', async (name) => {
    const { bytes, renamed } = rewritten(name) ?? expect.fail();
    expect([...renamed]).toEqual([['output_probability', 'probabilities']]);
    const file = readModelFile(bytes, 'The model');
    expect(file.nodes.map(({ opType }) => opType)).toEqual(['TreeEnsembleClassifier']);
    const { probabilities } = await computed(bytes, 'x');
    expectNear(probabilities.data, reference(name).outputs.probabilities.flat());
    expect(probabilities.dims).toEqual([7, 2]);
  });

  it('makes an inner tensor the only output', async () => {
    const { bytes, renamed } = rewritten('softmax', 'logits') ?? expect.fail();
    expect([...renamed]).toEqual([['logits', 'logits_float32']]);
    const result = await computed(bytes, 'x');
    expect(Object.keys(result)).toEqual(['logits_float32']);
    expectNear(result.logits_float32.data, logitsOf('softmax'));
  });

  it('casts 16-bit floats at the door, so that the session has floats of 32 bits', async () => {
    const { bytes, renamed } = rewritten('half') ?? expect.fail();
    expect([...renamed]).toEqual([
      ['x', 'x_float32'],
      ['probabilities', 'probabilities_float32'],
    ]);
    const file = readModelFile(bytes, 'The model');
    expect(file.inputs).toEqual([{ name: 'x_float32', kind: 'tensor', element: 'float32', shape: [null, 4] }]);
    const result = await computed(bytes, 'x_float32', inputOf('half'));
    // 16-bit floats have 11 bits.
    expectNear(result.probabilities_float32.data, reference('half').outputs.probabilities.flat(), 2 ** -10);
  });

  it('exposes an inner tensor of 16 bits as 32-bit floats', async () => {
    const { bytes } = rewritten('half-image', 'features') ?? expect.fail();
    const result = await computed(bytes, 'image_float32', inputOf('half-image'));
    expectNear(result.features_float32.data, reference('half-image').outputs.features.flat(3), 0.01);
  });

  it('names the nearest tensor where one is not there', () => {
    expect(() => rewritten('softmax', 'logit')).toThrow(
      "The `output` of an ONNX model must name one of its tensors. Got 'logit'. Did you mean 'logits'?",
    );
  });
});

/** The logarithms of the probabilities differ from the logits by one number in each row; so the logits are computed here. */
function logitsOf(name: string): number[] {
  const [{ shape, data }] = Object.values(reference(name).inputs);
  const { W, b } = weightsOf(name);
  return Array.from({ length: shape[0] * 3 }, (_, at) => {
    const [row, column] = [Math.floor(at / 3), at % 3];
    return [0, 1, 2, 3].reduce((sum, k) => sum + data[row * 4 + k] * W[k * 3 + column], b[column]);
  });
}

/** The initialisers as numpy wrote them: raw little-endian floats behind their names. */
function weightsOf(name: string): Record<'W' | 'b', Float32Array> {
  const bytes = fixtureBytes(name);
  const text = Buffer.from(bytes).toString('latin1');
  const raw = (marker: string, count: number) => {
    const at = text.indexOf(marker) + marker.length;
    return new Float32Array(bytes.slice(at, at + 4 * count).buffer);
  };
  // Name (field 8, one letter), then raw_data (field 9) with its length.
  return { W: raw('B\x01WJ\x30', 12), b: raw('B\x01bJ\x0c', 3) };
}
