import { describe, expect, it, vi } from 'vitest';
import { estimatorAdapter } from '../../adapters/estimator/index.js';
import { CVKitError, KFold, UniversalCVRunner } from '../../src/index.js';
import { StandardScaler } from '../../src/preprocessing/index.js';
import type { FrameworkAdapter } from '../../src/runner/frameworkAdapter.js';
import { blobs } from '../helpers/nearestMean.js';
import { throwing } from '../helpers/thrown.js';

describe('the first model', () => {
  it('is built by `buildTracked` of the adapter', async () => {
    const build = vi.fn(<T>(factory: () => Promise<T>) => factory());
    const adapter = { ...estimatorAdapter, buildTracked: build as never };
    const model = () => ({ fit: () => undefined, predict: (X: number[][]) => X.map(() => 1) });
    await new UniversalCVRunner({ cvSplitter: new KFold(), adapter, verbose: 0 }).run({ model, data: blobs() });
    expect(build).toHaveBeenCalledTimes(1);
  });
});

describe('an adapter whose methods give something else', () => {
  const X = Array.from({ length: 8 }, (_, row) => [row]);
  const y = X.map((_, row) => row % 2);
  const whole: FrameworkAdapter = {
    name: 'own',
    capabilities: { trains: true, epochs: false, probabilities: false, saves: false },
    matches: () => true,
    build: async (source, ctx) => (typeof source === 'function' ? source(ctx) : { ...source }),
    fit: async () => ({ epochs: [] }),
    predict: async (_, { length }) => ({
      values: new Array(length).fill(0),
      probabilities: { data: new Float64Array(length), shape: [length, 1] },
    }),
  };
  const thrown = throwing('of its own');
  const cases: [string, object, string][] = [
    ['open of no session', { open: async () => ({}) }, 'invalid_adapter'],
    ['open of a number', { open: () => 5 }, 'invalid_adapter'],
    ['open of a session without info', { open: async () => ({ close: async () => undefined }) }, 'invalid_adapter'],
    ['open of no adapter', { open: async () => ({ info: {}, adapter: {}, close: async () => 1 }) }, 'invalid_adapter'],
    ['open that throws', { open: thrown }, 'open_failed'],
    ['open that rejects', { open: async () => thrown() }, 'open_failed'],
    ['matches that throws', { matches: thrown }, 'invalid_adapter'],
    ['memory that throws', { memory: thrown }, 'invalid_adapter'],
    ['borrowed that throws', { borrowed: thrown, dispose: () => undefined }, 'invalid_adapter'],
    ['memory that is none', { memory: () => 5 }, 'invalid_adapter'],
    ...['isUntrained', 'notTrainedBecause', 'nameOf'].flatMap((part): [string, object, string][] => [
      [`${part} that throws`, { [part]: thrown }, 'invalid_adapter'],
      [`${part} that rejects`, { [part]: async () => thrown() }, 'asynchronous'],
    ]),
    ['build of nothing', { build: async () => undefined }, 'invalid_adapter'],
    ['build of null', { build: async () => null }, 'invalid_adapter'],
    ['build without ctx', { build: async (source: () => unknown) => source() }, 'invalid_adapter'],
    ['fit of nothing', { fit: async () => undefined }, 'invalid_adapter'],
    ['fit of logs that are no numbers', { fit: async () => ({ epochs: [null] }) }, 'invalid_adapter'],
    ['predict of nothing', { predict: async () => undefined }, 'invalid_adapter'],
    ['predict of null', { predict: async () => null }, 'invalid_adapter'],
    ['values of null', { predict: async () => ({ values: null }) }, 'invalid_adapter'],
    ['neither', { predict: async () => ({}) }, 'invalid_predictions'],
  ];
  it.each(cases)('%s', async (_, part, code) => {
    for (const preprocessing of [undefined, new StandardScaler()]) {
      const adapter = { ...whole, ...part } as FrameworkAdapter;
      const runner = new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), adapter, verbose: 0 });
      const run = runner.run({
        model: _.startsWith('isUntrained') ? {} : () => ({}),
        data: [X, y],
        ...(preprocessing ? { preprocessing } : {}),
      });
      const error = await run.catch((error) => error);
      expect([error.code, error instanceof CVKitError]).toEqual([code, true]);
      expect(error.message).not.toMatch(/undefined \(reading|null \(reading|is not a function/);
      if (code !== 'invalid_predictions')
        expect(error.message).toMatch(/of the adapter 'own'|of an adapter|An adapter/);
    }
  });
});
