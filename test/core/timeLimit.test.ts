import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { AbortError } from '../../src/core/errors.js';
import { orAborted, within } from '../../src/core/timeLimit.js';
import type { CVResults } from '../../src/runner/cvResults.js';
import type { Executor } from '../../src/runner/executor.js';
import type { FoldContext, FrameworkAdapter } from '../../src/runner/frameworkAdapter.js';
import { inlineExecutor } from '../../src/runner/inlineExecutor.js';
import type { RunOptions } from '../../src/runner/runOptions.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { KFold } from '../../src/splitters/iid/kFold.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { needDist } from '../meta/dist.js';

const X = Array.from({ length: 30 }, (_, row) => [row % 2]);
const y = X.map(([value]) => value);

it('orAborted lets work that ends by itself clean up first, and begins none once it is too late', async () => {
  const controller = new AbortController();
  let cleaned = false;
  const work = orAborted(controller.signal, async () => {
    await new Promise((resolve) => setTimeout(resolve, 30));
    cleaned = true;
    controller.signal.throwIfAborted();
  });
  controller.abort(new Error('enough'));
  await expect(work).rejects.toThrow('enough');
  expect(cleaned).toBe(true);
  await expect(orAborted(controller.signal, () => 1)).rejects.toThrow('enough');
});

it('within gives what work in time gives, and aborts for both reasons', async () => {
  expect(await within(undefined, 10, async (signal) => signal?.aborted)).toBe(false);
  const late = within(undefined, 0.001, (signal) => orAborted(signal, () => new Promise(() => undefined)));
  await expect(late).rejects.toMatchObject({ code: 'fold_timeout' });
  const reason = new Error('enough');
  const ended = within(AbortSignal.abort(reason), 10, (signal) => orAborted(signal, () => 1));
  await expect(ended).rejects.toBe(reason);
});

describe('a process with nothing to wait for but a signal or a limit', () => {
  const program = fileURLToPath(new URL('neverSettles.mjs', import.meta.url));
  beforeAll(needDist);

  it.each([
    ...['model', 'factory', 'fit', 'hook', 'executor', 'validate', 'fitValidate', 'tuning', 'study'].map((what) => [
      what,
      'signal',
    ]),
    ...['model', 'factory', 'fit', 'validate'].map((what) => [what, 'foldTimeout']),
  ])('goes on until the run has ended: %s %s', { tags: 'slow' }, async (what, limit) => {
    const { stdout } = await promisify(execFile)(process.execPath, [program, what, limit], { timeout: 30_000 });
    expect(stdout.trim()).toBe(
      { signal: what === 'study' ? 'TimeoutError' : 'aborted', foldTimeout: 'fold_timeout' }[limit],
    );
  });
});

describe('a run whose model never settles', () => {
  beforeEach(() => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => vi.useRealTimers());

  /** Lets a minute pass, or aborts, and never settles. */
  const hang = (controller?: AbortController): Promise<never> => {
    controller?.abort();
    void vi.advanceTimersByTimeAsync(61_000);
    return new Promise(() => undefined);
  };
  /** Ends well in other folds, and hangs in the second one, at `where`. */
  const stuck = (where: string, controller?: AbortController): FrameworkAdapter<{ fold: string }> => {
    const at = async (name: string, fold: string) =>
      void (where === name && fold === 'fold-1' && (await hang(controller)));
    return {
      name: 'stuck',
      capabilities: { trains: true, epochs: false, probabilities: false, saves: false },
      matches: () => true,
      async build(source, ctx) {
        await at('build', ctx.fold);
        return typeof source === 'function' ? source(ctx) : source;
      },
      async fit({ fold }) {
        await at('fit', fold);
        return { epochs: [] };
      },
      async predict({ fold }, rows) {
        await at('predict', fold);
        return { values: Array.from({ length: rows.length }, () => 1) };
      },
    };
  };
  const started = (where: string, options: Partial<RunOptions>, controller?: AbortController) => {
    const model = async ({ fold }: FoldContext) =>
      where === 'factory' && fold === 'fold-1' ? hang(controller) : { fold };
    const adapter = stuck(where, controller);
    return new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 3 }), adapter, verbose: 0 })
      .run({ model, data: [X, y], metrics: ['accuracy'], ...options })
      .catch((error) => error);
  };

  it.each(['factory', 'build', 'fit', 'predict'])('ends with what was done: %s', async (where) => {
    const controller = new AbortController();
    const aborted = await started(where, { signal: controller.signal, onFoldError: 'record' }, controller);
    expect(aborted).toBeInstanceOf(AbortError);
    expect([aborted.name, aborted.code, aborted.cause]).toEqual(['AbortError', 'aborted', controller.signal.reason]);
    expect(aborted.results.outOfFold.row).toHaveLength(10);

    const late = await started(where, { foldTimeout: 60 });
    expect([late.name, late.code, late.foldId]).toEqual(['FoldError', 'fold_timeout', 'fold-1']);
    expect(late.results.scores.accuracy).toHaveLength(1);

    const recorded: CVResults = await started(where, { foldTimeout: 60, onFoldError: 'record' });
    expect(recorded.foldDetails.map(({ status }) => status)).toEqual(['completed', 'failed', 'completed']);
  });

  it('ends where the first call of a factory hangs, or a copy of an instance, before any fold', async () => {
    const runner = () => new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), verbose: 0 });
    const first = runner().run({ model: () => hang(), data: [X, y], foldTimeout: 60 });
    await expect(first).rejects.toMatchObject({ code: 'fold_timeout' });
    const instance = { fit: () => hang(), predict: () => hang() };
    const asked = runner().run({ model: instance, data: [X, y], foldTimeout: 60 });
    await expect(asked).rejects.toMatchObject({ code: 'fold_timeout', foldId: 'fold-0' });
  });

  type Call = Partial<RunOptions> & { readonly adapter?: FrameworkAdapter; readonly executor?: Executor };
  const fits = { fit: () => undefined, predict: (rows: unknown[]) => rows.map(() => 1) };
  const ran = ({ adapter, executor, ...options }: Call) =>
    new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), verbose: 0, ...{ adapter, executor } })
      .run({ model: () => ({ ...fits }), data: [X, y], metrics: ['accuracy'], ...options })
      .catch((error) => error);
  const ofAdapter = (part: object): Call => ({ adapter: { ...stuck(''), ...part } as FrameworkAdapter });
  const saving = { keepModels: 'save', modelPath: 'indexeddb://stuck-{fold}' } as const;
  type Hang = () => Promise<never>;

  const ofFold: [string, (hang: Hang) => Call][] = [
    ['dispose of an adapter', (dispose) => ofAdapter({ dispose })],
    [
      'save of an adapter',
      (save) => ({
        ...ofAdapter({ save, load: save, capabilities: { ...stuck('').capabilities, saves: true } }),
        ...saving,
      }),
    ],
    ['a scorer', (own) => ({ metrics: undefined as never, scoring: { own } })],
    ['onFoldStart', (onFoldStart) => ({ callbacks: { onFoldStart } })],
    ['onFoldEnd', (onFoldEnd) => ({ callbacks: { onFoldEnd } })],
  ];
  const beside: [string, (hang: Hang) => Call][] = [
    ['open of an adapter', (open) => ofAdapter({ open })],
    [
      'open of an adapter that is asked for the task',
      (open) => ({
        ...ofAdapter({ open, regressionBecause: () => undefined }),
        data: [X, X.map((_, row) => row % 7)],
        metrics: ['mse'],
      }),
    ],
    ['close of its session', (close) => ofAdapter({ open: async () => ({ info: {}, close }) })],
    ...(['onCvStart', 'onCvEnd', 'teardown'] as const).map((hook): [string, (hang: Hang) => Call] => [
      hook,
      (hung) => ({ callbacks: { [hook]: hung } }),
    ]),
    [
      'run of an executor',
      (hung) => ({
        executor: {
          name: 'hung',
          concurrency: 1,
          async *run(tasks, link) {
            for await (const outcome of inlineExecutor.run(tasks, link)) {
              yield outcome;
              await hung();
            }
          },
          close: async () => undefined,
        },
      }),
    ],
  ];

  it.each([...ofFold, ...beside])('ends with its signal: %s', async (_, call) => {
    const controller = new AbortController();
    const aborted = await ran({ ...call(() => hang(controller)), signal: controller.signal });
    expect([aborted.name, aborted.code]).toEqual(['AbortError', 'aborted']);
    expect(aborted.cause).toBe(controller.signal.reason);
    if (_ === 'run of an executor') expect(aborted.results.outOfFold.row).toHaveLength(15);
  });

  it.each(ofFold)('fails the fold: %s', async (_, call) => {
    const late = await ran({ ...call(() => hang()), foldTimeout: 60 });
    expect([late.name, late.code, late.foldId]).toEqual(['FoldError', 'fold_timeout', 'fold-0']);
  });

  it.each([true, false])(
    'throws what went wrong, where cleaning up after it never ends: with a signal, %s',
    async (signals) => {
      const controller = new AbortController();
      const dispose = () => hang(signals ? controller : undefined);
      const never = ofAdapter({ dispose, build: () => Promise.reject(new Error('none')) });
      const limits = signals ? { signal: controller.signal } : { foldTimeout: 60 };
      expect((await ran({ ...never, ...limits })).message).toContain('none');
    },
  );

  it('ends while rows are read for checks', async () => {
    const controller = new AbortController();
    const rows = { length: 30, take: () => hang(controller) };
    const validated = new CVKitValidator({ nSplits: 2, independentRows: true }).validate({
      ...{ model: () => ({ ...fits }), X: rows, y, signal: controller.signal, verbose: 0 },
    });
    await expect(validated).rejects.toMatchObject({ name: 'AbortError', code: 'aborted' });
  });

  it('leaves what rejects later to nobody, and passes the options through validate and the search', async () => {
    const fit = async () => {
      void hang();
      await new Promise((_, reject) => setTimeout(() => reject(new Error('late')), 100_000));
    };
    const model = () => ({ fit, predict: (rows: unknown[]) => rows.map(() => 1) });
    const unhandled: unknown[] = [];
    const listener = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', listener);
    const validated = new CVKitValidator({ nSplits: 2, independentRows: true }).validate({
      ...{ model, X, y, foldTimeout: 60, verbose: 0 },
    });
    await expect(validated).rejects.toMatchObject({ code: 'fold_timeout' });
    const tuned = new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 2 }), verbose: 0 });
    await expect(
      tuned.runWithHyperparameterTuning({ modelFn: model, paramGrid: { a: [1] }, data: [X, y], foldTimeout: 60 }),
    ).rejects.toMatchObject({ message: expect.stringContaining('foldTimeout') });
    await vi.advanceTimersByTimeAsync(200_000);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', listener);
    expect(unhandled).toEqual([]);
  });
});
