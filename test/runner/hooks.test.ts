import * as tf from '@tensorflow/tfjs';
import { describe, expect, it } from 'vitest';
import { CallbackError, type CVCallback } from '../../src/runner/callback.js';
import { EarlyStopping } from '../../src/runner/callbacks/earlyStopping.js';
import type { FoldContext } from '../../src/runner/frameworkAdapter.js';
import { callbackName, callHooks, checkHooks, tearDown } from '../../src/runner/hooks.js';
import { thrown } from '../helpers/thrown.js';

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

describe('checkHooks', () => {
  const none = () => undefined;
  const said = (callback: object) => thrown(async () => checkHooks(callback as CVCallback));

  it('answers callbacks of tfjs with ours', async () => {
    const sentence =
      'have the hooks of cvkit. Got `setParams`, as callbacks of tfjs have it. Use EarlyStopping or ModelCheckpoint of cvkit, or an object with onEpochEnd(ctx, logs), where ctx.epoch is the number.';
    expect(await said(tf.callbacks.earlyStopping({ patience: 2 }))).toBe(
      `InvalidOptionError (tfjs_callback): The callback EarlyStopping must ${sentence}`,
    );
    expect(await said(new tf.CustomCallback({ onTrainBegin: async () => undefined }))).toContain(sentence);
    expect(await said({ onTrainBegin: none })).toMatch(/^InvalidOptionError \(tfjs_callback\): .* Got `onTrainBegin`/);
    const numbered = [
      { onEpochEnd: (epoch: number, logs: object) => [epoch, logs] },
      { onEpochEnd: async (epoch: number) => epoch },
      {
        async onEpochEnd(epoch: number, logs: object) {
          return [epoch, logs];
        },
      },
      {
        // biome-ignore lint/complexity/useArrowFunction: the spelling is what is tried
        onEpochEnd: function (epoch: number) {
          return epoch;
        },
      },
    ];
    for (const each of numbered) expect(await said(each)).toMatch(/Got `onEpochEnd\(epoch, logs\)`/);
  });

  it('lets ours pass, in either spelling', async () => {
    const ours = [
      { onEpochEnd: ({ epoch }: { epoch: number }) => epoch },
      { onEpochEnd: (_ctx: object, epoch: object) => epoch },
      {
        onEpochEnd(_ctx: object, logs = { epoch: 1 }) {
          return logs;
        },
      },
      { on_epoch_end: () => undefined, on_batch_end: () => undefined, on_cv_end: () => undefined },
      new (class Child extends EarlyStopping {})(),
    ];
    for (const each of ours) expect(await said(each)).toBe('nothing thrown');
  });

  it('refuses a hook under two names, and what is none, also inherited', async () => {
    expect(await said({ name: 'both', onFoldEnd: none, on_fold_end: none })).toBe(
      'InvalidOptionError (duplicate_hook): The callback both must have each hook under one name. Got `onFoldEnd` and `on_fold_end`.',
    );
    expect(await said({ name: 'odd', on_epoch_ended: none })).toBe(
      "InvalidOptionError (unknown_hook): The callback odd has the method `on_epoch_ended`, which is no hook. Did you mean 'on_epoch_end'?",
    );
    class Base {
      onEpochFinish() {
        return this;
      }
    }
    expect(await said(new (class Late extends Base {})())).toMatch(/unknown_hook/);
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

describe('callbacks that could do nothing', () => {
  it.each([
    ['a hook that is no function', { onFoldEnd: 5 }, 'must have a function as `onFoldEnd`. Got a number'],
    ['one in snake_case', { on_fold_end: 'x' }, 'must have a function as `on_fold_end`. Got a string'],
    ['no hook at all', { name: 'idle' }, 'The callback idle must have at least one hook. Got none.'],
    ['a name that is no text', { name: 5, monitor: 'loss' }, 'The callback without a name must have at least one hook'],
    ['a map', new Map(), 'must have at least one hook. Got none.'],
  ])('refuses %s', (_, callback, message) => {
    expect(() => checkHooks(callback as never)).toThrow(message);
  });
});
