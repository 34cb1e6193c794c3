import { describe, expect, it } from 'vitest';
import { CallbackError } from '../../src/runner/callback.js';
import type { FoldContext } from '../../src/runner/frameworkAdapter.js';
import { callbackName, callHooks, tearDown } from '../../src/runner/hooks.js';

const ctx = {} as FoldContext;

describe('callHooks', () => {
  it('calls every callback in order, and any of them may stop', async () => {
    const log: number[] = [];
    const answer = await callHooks(
      [
        { onFoldEnd: () => void log.push(1) },
        { onFoldEnd: () => (log.push(2) > 0 ? ('stop' as const) : undefined) },
        { onFoldEnd: () => void log.push(3) },
        {},
      ],
      'onFoldEnd',
      () => [ctx, {} as never],
    );
    expect([answer, log]).toEqual(['stop', [1, 2, 3]]);
  });

  it('waits for asynchronous hooks', async () => {
    const log: string[] = [];
    const slow = {
      onFoldStart: async () => {
        await new Promise((done) => setTimeout(done, 5));
        log.push('slow');
      },
    };
    await callHooks([slow, { onFoldStart: () => void log.push('fast') }], 'onFoldStart', () => [ctx]);
    expect(log).toEqual(['slow', 'fast']);
  });
});

describe('tearDown', () => {
  it('reaches everybody and throws the first error', async () => {
    const log: number[] = [];
    const bad = (n: number) => ({
      name: `bad ${n}`,
      teardown() {
        log.push(n);
        throw new Error('boom');
      },
    });
    await expect(tearDown([bad(1), bad(2)])).rejects.toBeInstanceOf(CallbackError);
    expect(log).toEqual([1, 2]);
  });
});

it('a callback is called by its name, else by its class', () => {
  class Watcher {}
  expect([callbackName({ name: 'mine' }), callbackName(new Watcher()), callbackName({})]).toEqual([
    'mine',
    'Watcher',
    'without a name',
  ]);
});
