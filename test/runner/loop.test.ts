/** What a run leaves behind when it ends early. */
import { describe, expect, it, vi } from 'vitest';
import { AbortError } from '../../src/core/errors.js';
import type { CVCallback } from '../../src/runner/callback.js';
import type { FrameworkAdapter } from '../../src/runner/frameworkAdapter.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { compareModels } from '../../src/stats/compareModels.js';
import { NearestMean } from '../helpers/nearestMean.js';
import { throwing } from '../helpers/thrown.js';

const X = Array.from({ length: 30 }, (_, row) => [row % 3, row]);
const two = X.map(([value]) => Number(value > 0));
const three = X.map(([value]) => value);
const model = () => new NearestMean();
const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const ended = (options: object, runner: object = {}): Promise<unknown> =>
  new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 3 }), verbose: 0, ...runner })
    .run({ model, data: [X, two], metrics: ['accuracy'], ...options } as never)
    .catch((error) => error);

describe('a run that ends early', () => {
  it('has all folds in its error where the last hook is aborted', async () => {
    const controller = new AbortController();
    const callbacks: CVCallback = { onCvEnd: () => controller.abort() };
    const error = await ended({ callbacks: [callbacks, { onCvEnd: () => undefined }], signal: controller.signal });
    expect(error).toBeInstanceOf(AbortError);
    expect((error as AbortError).results).toMatchObject({ folds: [{}, {}, {}] });
  });

  it('lets teardown come to its end', async () => {
    const controller = new AbortController();
    let isDone = false;
    const teardown = async () => {
      await wait(400);
      isDone = true;
    };
    const error = await ended({
      callbacks: { onFoldStart: () => controller.abort(), teardown },
      signal: controller.signal,
    });
    expect([(error as AbortError).code, isDone]).toEqual(['aborted', true]);
  });

  it('tears callbacks down once where the model that is asked for its task cannot be made', async () => {
    const teardown = vi.fn();
    const error = await ended({ model: throwing('no licence'), data: [X, three], callbacks: { teardown } });
    expect(teardown.mock.calls).toEqual([[error]]);
    expect((error as { code?: string }).code).toBe('factory_failed');
  });

  it('refuses callbacks before a model is made', async () => {
    const counted = vi.fn(model);
    const error = await ended({ model: counted, data: [X, three], callbacks: { onFoldEnds: () => undefined } });
    expect(error).toMatchObject({ code: 'unknown_hook' });
    expect(counted).not.toHaveBeenCalled();
  });
});

describe('the session of an adapter', () => {
  const adapter = (open: FrameworkAdapter['open']): FrameworkAdapter => ({
    name: 'opens',
    capabilities: { trains: true, epochs: false, probabilities: false, saves: false },
    matches: () => true,
    build: async (source) => source,
    fit: async () => ({ epochs: [] }),
    predict: async (_, rows) => ({ values: Array.from({ length: rows.length }, () => 1) }),
    open,
  });

  it('is closed with its model where it opens after it was given up', async () => {
    const controller = new AbortController();
    const done: string[] = [];
    const open = async (_: unknown, first?: unknown) => {
      if (first === undefined) return { info: {}, close: async () => undefined };
      controller.abort();
      await wait(1200);
      return { info: {}, close: async () => void done.push('closed') };
    };
    const opens = { ...adapter(open), dispose: () => void done.push('disposed') };
    const error = await ended({ model: () => ({}), signal: controller.signal }, { adapter: opens });
    expect([(error as AbortError).code, done]).toEqual(['aborted', []]);
    await expect.poll(() => done, { timeout: 5000 }).toEqual(['disposed', 'closed']);
  });

  it('is closed where the adapter that it gives is none', async () => {
    let closed = 0;
    const open = async () => ({ info: {}, adapter: { name: 'half' } as never, close: async () => void closed++ });
    const error = await ended({ model: {} }, { adapter: adapter(open) });
    expect([(error as { code?: string }).code, closed]).toEqual(['invalid_adapter', 1]);
  });
});

it('one model that cannot be made is a row of the table, also for integers of three classes', async () => {
  const table = await compareModels({
    models: { good: model, broken: throwing('no licence') },
    X,
    y: three,
    cv: new KFold({ nSplits: 3 }),
    nBootstrap: 100,
    verbose: 0,
  } as never);
  expect(table.rows.map(({ nFolds }) => nFolds)).toEqual([3, 0]);
});
