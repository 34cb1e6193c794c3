import { describe, expect, it, vi } from 'vitest';
import { estimatorAdapter } from '../../adapters/estimator/index.js';
import { KFold, UniversalCVRunner } from '../../src/index.js';

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
