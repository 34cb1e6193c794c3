import { describe, expect, it, vi } from 'vitest';
import { estimatorAdapter } from '../../adapters/estimator/index.js';
import { KFold, UniversalCVRunner } from '../../src/index.js';
import { detectAdapter } from '../../src/runner/session.js';
import { NearestMean } from '../helpers/nearestMean.js';

describe('the first model', () => {
  it.each(['buildTracked', 'making'])('is built by `%s` of the adapter, which may be its old name', async (name) => {
    const build = vi.fn((factory: () => Promise<unknown>) => factory());
    const adapter = { ...estimatorAdapter, [name]: build };
    const model = () => ({ fit: () => undefined, predict: (X: number[][]) => X.map(([value]) => value) });
    await new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), adapter, verbose: 0 }).run({
      model,
      data: [
        [[0], [1], [0], [1]],
        [0, 1, 1, 0],
      ],
    });
    expect(build).toHaveBeenCalledTimes(1);
  });
});

describe('detectAdapter', () => {
  it('a plain estimator is found by its methods', async () => {
    const model = new NearestMean();
    expect((await detectAdapter(model)).name).toBe('estimator');
    await expect(detectAdapter({ predict: () => 1 })).rejects.toMatchObject({ code: 'unknown_model' });
  });
});
