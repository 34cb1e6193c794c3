import * as tf from '@tensorflow/tfjs';
import { describe, expect, it } from 'vitest';
import { EarlyStopping } from '../../src/callbacks/earlyStopping.js';
import { CallbackError, type CVCallback } from '../../src/runner/callback.js';
import type { FoldContext } from '../../src/runner/frameworkAdapter.js';
import {
  callbackName,
  callHooks,
  checkCallbacks,
  checkHooks,
  tearDown,
  trainingCallbacks,
} from '../../src/runner/hooks.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { NearestMean, spyAdapter } from '../helpers/nearestMean.js';
import { oneByOne } from '../helpers/oneByOne.js';
import { thrown } from '../helpers/thrown.js';

const ctx = {} as FoldContext;

describe('callHooks', () => {
  it.each(['onFoldEnd', 'onEpochEnd', 'onTrialEnd'] as const)("%s returns 'stop' or nothing", async (hook) => {
    for (const wrong of ['Stop', 'STOP ', '', true, false, null, 0, 3, {}, ['stop']]) {
      for (const returned of [wrong, Promise.resolve(wrong)]) {
        const callback = { name: 'mine', [hook]: () => returned } as CVCallback;
        const error = await callHooks([callback], hook, () => [] as never).catch((error) => error);
        expect([error.code, error.cause.code]).toEqual(['callback', 'invalid_hook']);
        expect(error.message).toMatch(new RegExp(`${hook} of the callback mine`));
      }
    }
    for (const fine of [undefined, 'stop']) {
      expect(await callHooks([{ [hook]: async () => fine } as CVCallback], hook, () => [] as never)).toBe(fine);
    }
  });

  it('a callback is there once, whether or not it watches a log', () => {
    const counting = { onFoldEnd: () => undefined };
    expect(() => checkCallbacks([counting, counting])).toThrow(expect.objectContaining({ code: 'callback_in_use' }));
    expect(() => checkCallbacks([counting, { ...counting }])).not.toThrow();
  });

  it("a hook that cannot end anything does not take 'stop'", async () => {
    for (const hook of ['onCvStart', 'onFoldStart', 'onEpochStart', 'onBatchEnd', 'onInnerFit', 'onCvEnd'] as const) {
      const returning = (answer: unknown) =>
        callHooks([{ [hook]: () => answer } as CVCallback], hook, () => [] as never).catch((error) => error.cause.code);
      expect(await returning('stop')).toBe('invalid_hook');
      expect(await returning(3)).toBeUndefined();
    }
  });

  it('calls every callback in order, waits for each, and any of them may stop', async () => {
    const log: number[] = [];
    const slow = async () => {
      await new Promise((done) => setTimeout(done, 5));
      log.push(1);
    };
    const answer = await callHooks(
      [
        { onFoldEnd: slow },
        { onFoldEnd: () => (log.push(2) > 0 ? ('stop' as const) : undefined) },
        { onFoldEnd: () => void log.push(3) },
        {},
      ],
      'onFoldEnd',
      () => [ctx, {} as never],
    );
    expect([answer, log]).toEqual(['stop', [1, 2, 3]]);
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
    expect(await said({ on_train_begin: none })).toMatch(
      /^InvalidOptionError \(tfjs_callback\): .* Got `on_train_begin`, as callbacks of tfjs have it/,
    );
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

  class Base {
    onEpochFinish() {
      return this;
    }
  }
  it.each<[what: string, callback: object, text: string]>([
    [
      'a hook under two names',
      { name: 'both', onFoldEnd: none, on_fold_end: none },
      '(duplicate_hook): The callback both must have each hook under one name. Got `onFoldEnd` and `on_fold_end`.',
    ],
    [
      'what is no hook',
      { name: 'odd', on_epoch_ended: none },
      "(unknown_hook): The callback odd has the method `on_epoch_ended`, which is no hook. Did you mean 'on_epoch_end'?",
    ],
    ['what is no hook, inherited', new (class Late extends Base {})(), '(unknown_hook): The callback Late has'],
    ['a hook that is no function', { onFoldEnd: 5 }, 'must have a function as `onFoldEnd`. Got a number'],
    ['one in snake_case', { on_fold_end: 'x' }, 'must have a function as `on_fold_end`. Got a string'],
    ['no hook at all', { name: 'idle' }, 'The callback idle must have at least one hook. Got none.'],
    ['a name that is no text', { name: 5, monitor: 'loss' }, 'The callback without a name must have at least one hook'],
    ['a map', new Map(), 'must have at least one hook. Got none.'],
  ])('refuses %s', async (_, callback, text) => {
    expect(await said(callback)).toContain(text);
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

  it('tells everybody what broke the run off', async () => {
    const told: unknown[] = [];
    const note = { teardown: (error?: unknown) => void told.push(error) };
    const thrown = new Error('boom');
    await tearDown([note, note], thrown);
    await tearDown([note]);
    expect(told).toEqual([thrown, thrown, undefined]);
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

describe('forFold', () => {
  const run = (callback: object) =>
    new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 3 }), adapter: spyAdapter().adapter, verbose: 0 }).run({
      model: () => new NearestMean(),
      data: [Array.from({ length: 12 }, (_, row) => [row]), Array.from({ length: 12 }, (_, row) => row % 2)],
      epochs: 2,
      callbacks: callback as CVCallback,
    });

  oneByOne('gives each fold handlers of its own; hooks that it leaves out are those of the callback', async () => {
    const log: string[] = [];
    const counting = {
      forFold({ fold }: FoldContext) {
        let epochs = 0;
        return {
          onEpochEnd: () => void epochs++,
          onFoldEnd: () => void log.push(`${fold}: ${epochs} epochs`),
        };
      },
      onFoldStart: ({ fold }: FoldContext) => void log.push(`${fold} starts`),
      onFoldEnd: () => void log.push('never: the fold has its own'),
    };
    await run(counting);
    expect(log).toEqual([0, 1, 2].flatMap((fold) => [`fold-${fold} starts`, `fold-${fold}: 2 epochs`]));
  });

  oneByOne('may have its snake_case name, on a class, with hooks in snake_case', async () => {
    const log: string[] = [];
    class Snake {
      #seen = 0;
      for_fold() {
        this.#seen++;
        return { on_fold_end: () => void log.push(`fold ${this.#seen} ended`) };
      }
    }
    await run(new Snake());
    expect(log).toEqual(['fold 1 ended', 'fold 2 ended', 'fold 3 ended']);
  });
});

describe('trainingCallbacks', () => {
  it('leaves out what only reads', () => {
    const callbacks = [
      { name: 'stops', needsEpochs: true },
      { name: 'reads', needsEpochs: true, readOnly: true },
      { name: 'watches' },
    ];
    expect(trainingCallbacks(callbacks).map(({ name }) => name)).toEqual(['stops']);
  });
});
