import { describe, expect, it } from 'vitest';
import { onnxModel, readOnnxModel } from '../../../adapters/onnx/onnxModel.js';

describe('onnxModel', () => {
  it('is a frozen record of the source and what was said of it', () => {
    const model = onnxModel('m.onnx', { gives: 'logits', classes: ['a', 'b'] });
    expect(model).toEqual({ onnx: 'm.onnx', gives: 'logits', classes: ['a', 'b'] });
    expect(Object.isFrozen(model)).toBe(true);
    // Plain data, so that a module of a model can be loaded in another thread.
    expect(structuredClone(model)).toEqual(model);
  });

  it.each([undefined, null, 7, '', {}, [1, 2], () => 'm.onnx'])('refuses %o as a source', (source) => {
    expect(() => onnxModel(source as never)).toThrow(
      /^The source of onnxModel must be the path or URL of an \.onnx file, its bytes, or a session of onnxruntime\. Got /,
    );
  });

  it('checks options at once', () => {
    expect(() => onnxModel('m.onnx', { gives: 'scores' as never })).toThrow(
      "The `gives` option of onnxModel must be one of 'probabilities', 'logits', 'labels'. Got 'scores'.",
    );
    expect(() => onnxModel('m.onnx', { batchSize: 0 })).toThrow(
      'The `batchSize` option of onnxModel must be an integer >= 1.',
    );
  });

  it('is joined with the options of the engine, each given once', () => {
    const model = onnxModel('m.onnx', { gives: 'logits' });
    expect(readOnnxModel(model, { runtime: 'web' }).settings).toMatchObject({
      gives: 'logits',
      runtime: 'web',
      batchSize: 32,
    });
    expect(() => readOnnxModel(model, { gives: 'logits' })).toThrow(
      'must be given once. Got both by onnxModel and in adapterOptions.',
    );
  });
});
