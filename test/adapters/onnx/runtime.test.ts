import { describe, expect, it } from 'vitest';
import { openRuntime, runtimeImports, runtimeOf } from '../../../adapters/onnx/runtime.js';
import { MissingPackageError } from '../../../src/core/errors.js';

const missing = (message: string) => () => Promise.reject(new Error(message));

describe('openRuntime', () => {
  it('takes onnxruntime-node in Node, and the other one when asked', async () => {
    expect((await openRuntime('auto')).info).toEqual({
      backend: expect.stringMatching(/^onnxruntime-node \d+\.\d+\.\d+$/),
    });
    expect((await openRuntime('web')).info).toEqual({
      backend: expect.stringMatching(/^onnxruntime-web \d+\.\d+\.\d+$/),
    });
  });

  it('takes onnxruntime-web where onnxruntime-node has no binary, and says why', async () => {
    const imports = { ...runtimeImports, 'onnxruntime-node': missing('no binary for darwin-x64') };
    expect((await openRuntime('auto', imports)).info).toEqual({
      backend: expect.stringMatching(/^onnxruntime-web /),
      backendReason: 'onnxruntime-node could not be loaded: no binary for darwin-x64',
    });
  });

  it('names the command that installs what is missing', async () => {
    const imports = { 'onnxruntime-node': missing('not found'), 'onnxruntime-web': missing('not found either') };
    for (const name of ['auto', 'node'] as const) {
      const error = await openRuntime(name, imports).catch((found) => found);
      expect(error).toBeInstanceOf(MissingPackageError);
      expect(error.message).toBe(
        "Computing an ONNX model needs the package 'onnxruntime-node', which could not be loaded. Run: ONNXRUNTIME_NODE_INSTALL=skip npm install onnxruntime-node",
      );
    }
    await expect(openRuntime('web', imports)).rejects.toThrow('Run: npm install onnxruntime-web');
  });

  it('refuses what is no runtime', () => {
    expect(() => runtimeOf({ run: () => undefined })).toThrow(
      'The `ort` option must be onnxruntime-node or onnxruntime-web',
    );
  });
});
