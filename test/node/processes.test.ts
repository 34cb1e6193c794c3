import { execFileSync, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CVCallback, CVResults, RunnerOptions, RunOptions } from '../../src/index.js';
import { tempFolder } from '../helpers/tempFolder.js';
import { hasTfjsNode } from '../helpers/tfjsNode.js';
import { DIST, needDist } from '../meta/dist.js';

let cvkit: typeof import('../../src/index.js');
let node: typeof import('../../src/node/index.js');
let two: ReturnType<typeof node.processes>;

/** A module of the built package, as users import it. */
const address = (name: string) => pathToFileURL(join(DIST, 'node', name)).href;

beforeAll(async () => {
  needDist();
  cvkit = await import(/* @vite-ignore */ address('index.js'));
  node = await import(/* @vite-ignore */ address('node.js'));
  two = node.processes({ workers: 2 });
});
afterAll(() => two?.close());

const { folder, write } = tempFolder();
const model = (name: string) => new URL(`./models/${name}`, import.meta.url);
const troubled = (trouble: string, once?: string) =>
  model(`troubled.mjs?trouble=${trouble}${once ? `&once=${encodeURIComponent(join(folder, once))}` : ''}`);
const n = 60;
const X = Array.from({ length: n }, (_, row) => [Math.sin(row) + (row % 2), Math.cos(3 * row), (row % 7) / 7]);
const y = X.map((_, row) => Number(row % 2 === 0 ? row % 5 === 0 : row % 3 !== 0));

const run = (options: RunOptions, runner: Partial<RunnerOptions> = {}) =>
  new cvkit.UniversalCVRunner({
    cvSplitter: new cvkit.StratifiedKFold({ nSplits: 4, shuffle: true }),
    verbose: 0,
    executor: two,
    ...runner,
  }).run(options);

/** All that a run gave but for the time it took. */
const numbersOf = (results: CVResults) =>
  JSON.parse(
    JSON.stringify(results.toJSON({ ids: 'raw' }), (key, value) =>
      ['seconds', 'secondsOf', 'startedAt', 'finishedAt', 'date'].includes(key) ? undefined : value,
    ),
  );

const sameAsInline = async (options: () => RunOptions, runner: () => Partial<RunnerOptions> = () => ({})) => {
  const apart = numbersOf(await run(options(), runner()));
  expect(apart).toEqual(numbersOf(await run(options(), { ...runner(), executor: 'inline' })));
  expect(apart.outOfFold.row).toHaveLength(n);
};

const lives = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    expect(error).toMatchObject({ code: 'ESRCH' });
    return false;
  }
};
const until = async (holds: () => boolean) => {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 10));
};

/** The process that writes its number into this file. For a moment the file is there and empty: 0 would be this very process. */
async function pidIn(name: string): Promise<number> {
  const place = join(folder, name);
  await until(() => existsSync(place) && readFileSync(place, 'utf8') !== '');
  return Number(readFileSync(place, 'utf8'));
}

describe('processes', () => {
  it('give what one fold after the other gives, bit for bit, with numbers, text and a cut-off from inner folds', async () => {
    await sameAsInline(() => ({
      model: model('centroid.mjs'),
      data: [X, y],
      threshold: 'youden',
      recalibrate: 'platt',
    }));
    const records = X.map(([first], row) => ({ first, word: ['a', 'bb', 'ccc'][row % 3], none: null }));
    await sameAsInline(() => ({ model: model('centroid.mjs'), data: [records, y] }));
  });

  it('that die are failed folds, and the others go on', async () => {
    for (const [trouble, how] of [
      ['exit', 'exit code 3'],
      ['kill', 'signal SIGKILL'],
    ]) {
      const { foldDetails } = await run({ model: troubled(trouble), data: [X, y], onFoldError: 'record' });
      expect(foldDetails.map(({ status }) => status)).toEqual(['completed', 'failed', 'completed', 'completed']);
      expect(foldDetails[1].error).toContain(`The process of fold-1 must live until its fold has ended. Got ${how}.`);
    }
    const error = await run({ model: troubled('exit'), data: [X, y] }).catch((thrown) => thrown);
    expect(error).toMatchObject({ name: 'FoldError', foldId: 'fold-1', cause: { code: 'process_died' } });
  });

  it('that die are replaced: `retries` gives the numbers of an undisturbed run', async () => {
    const { foldDetails, estimates } = await run({ model: troubled('kill', 'died'), data: [X, y], retries: 1 });
    expect(existsSync(join(folder, 'died'))).toBe(true);
    expect(foldDetails.map(({ status }) => status)).toEqual(Array(4).fill('completed'));
    expect(estimates).toEqual((await run({ model: troubled('none'), data: [X, y] }, { executor: 'inline' })).estimates);
  });

  it('take an engine that threads refuse', { tags: 'slow' }, async () => {
    const refused = model('refusedEngine.mjs');
    await sameAsInline(() => ({ model: refused, data: [X, y] }));
    const executor = node.threads({ workers: 1 });
    await expect(run({ model: refused, data: [X, y] }, { executor })).rejects.toMatchObject({
      code: 'bound_to_thread',
    });
    await executor.close();
  });

  it('say what is wrong with cells that cannot be copied, and with options', async () => {
    const rows = X.map((row, at) => ({ first: row[0], other: at === 3 ? () => 0 : 1 }));
    await expect(run({ model: model('centroid.mjs'), data: [rows, y] })).rejects.toThrow('cannot leave its thread');
    await expect(run({ model: () => ({}), data: [X, y] })).rejects.toMatchObject({ code: 'bound_to_thread' });
    for (const options of [{ workers: 0 }, { workers: '2' }, { memoryLimit: 10 }]) {
      expect(() => node.processes(options as never)).toThrow(/option of processes must/);
    }
  });
});

describe('processes, with more of them', { tags: 'slow' }, () => {
  it('that end between two folds are replaced, with a warning', async () => {
    const executor = node.processes({ workers: 1 });
    const warned = new Promise<Error>((resolve) => process.once('warning', resolve));
    await run({ model: troubled('late'), data: [X, y] }, { executor });
    expect((await warned).message).toBe('A process of cvkit that had no work has ended: exit code 1');
    expect((await run({ model: model('centroid.mjs'), data: [X, y] }, { executor })).foldDetails).toHaveLength(4);
    await executor.close();
  });

  it('that a run has given up are not taken for the next one, which begins at once', async () => {
    const stop: CVCallback = { onFoldEnd: () => 'stop' };
    for (let time = 0; time < 5; time++) {
      await run({ model: model('centroid.mjs'), data: [X, y], callbacks: stop });
      expect((await run({ model: model('centroid.mjs'), data: [X, y] })).foldDetails).toHaveLength(4);
    }
  });

  it('serve many runs at once, also one that a hook begins', async () => {
    const go = (executor: RunnerOptions['executor']) => (randomState: number) =>
      run({ model: model('centroid.mjs'), data: [X, y] }, { executor, randomState });
    const alone = await Promise.all([1, 2, 3].map(go('inline')));
    expect((await Promise.all([1, 2, 3].map(go(two)))).map(numbersOf)).toEqual(alone.map(numbersOf));
    const executor = node.processes({ workers: 1 });
    let folds = 0;
    const callback: CVCallback = {
      async onFoldStart({ index }) {
        if (index === 0) folds = (await go(executor)(1)).foldDetails.length;
      },
    };
    await run({ model: model('centroid.mjs'), data: [X, y], callbacks: callback }, { executor });
    expect(folds).toBe(4);
    await executor.close();
  });

  it('that take more than `memoryLimit` fail with one sentence, also in a loop that never ends', async () => {
    const executor = node.processes({ workers: 1, memoryLimit: 400 });
    const options = { model: troubled('memory'), data: [X, y], onFoldError: 'record' } as const;
    const { foldDetails } = await run(options, { executor });
    expect(foldDetails.map(({ status }) => status)).toEqual(['completed', 'failed', 'completed', 'completed']);
    expect(foldDetails[1].error).toMatch(
      /The memory of the process of fold-1 must be at most 400 MB, the `memoryLimit` of the executor\. Got \d+ MB\. Raise/,
    );
    await executor.close();
  });

  it('are ended by an abort and by foldTimeout in a loop that never ends', async () => {
    const executor = node.processes({ workers: 2 });
    const controller = new AbortController();
    const data: RunOptions['data'] = [X, y];
    const running = run({ model: troubled('loop', 'aborted'), data, signal: controller.signal }, { executor });
    const ended = expect(running).rejects.toMatchObject({ name: 'AbortError', cause: new Error('enough') });
    const pid = await pidIn('aborted');
    controller.abort(new Error('enough'));
    await ended;
    await until(() => !lives(pid));
    const limited = { model: troubled('loop', 'late'), data, foldTimeout: 5, retries: 1 };
    expect((await run(limited, { executor })).foldDetails).toHaveLength(4);
    await executor.close();
  });

  it('may send words of their own by the channel of their process', async () => {
    const executor = node.processes({ workers: 1 });
    const { foldDetails } = await run({ model: troubled('words'), data: [X, y] }, { executor });
    expect(foldDetails.map(({ status }) => status)).toEqual(Array(4).fill('completed'));
    await executor.close();
  });

  it('end with `close`, begin again after it, and answer a run that it interrupts', async () => {
    const executor = node.processes({ workers: 1 });
    const running = run({ model: troubled('loop', 'closed'), data: [X, y], onFoldError: 'record' }, { executor });
    const pid = await pidIn('closed');
    await executor.close();
    expect(lives(pid)).toBe(false);
    expect((await running).foldDetails.map(({ status }) => status).slice(0, 2)).toEqual(['completed', 'failed']);
    expect((await run({ model: model('centroid.mjs'), data: [X, y] }, { executor })).foldDetails).toHaveLength(4);
    await executor.close();
    await executor.close();
  });
});

/** A program that runs folds in two processes. */
const program = (name: string, ofModel: URL, after = '') =>
  write(
    name,
    `import { UniversalCVRunner, KFold } from '${address('index.js')}';
     import { processes } from '${address('node.js')}';
     const X = Array.from({ length: 20 }, (_, row) => [row % 2, row]);
     const y = X.map(([first]) => first);
     const executor = processes({ workers: 2 });
     const runner = new UniversalCVRunner({ cvSplitter: new KFold({ nSplits: 4 }), verbose: 0, executor });
     await runner.run({ model: new URL('${ofModel.href}'), data: [X, y] });
     ${after}`,
  );

describe('no process is left over', () => {
  it('when the program ends: processes that wait do not keep it alive', { tags: 'slow' }, () => {
    const after = `console.log('done');`;
    const file = program('ends.mjs', troubled('none', 'none'), after);
    expect(execFileSync(process.execPath, [file], { encoding: 'utf8', timeout: 30_000 })).toBe('done\n');
  });

  it.skipIf(process.platform === 'win32')(
    'when it is killed, also while a fold is in a loop that never ends',
    async () => {
      const parent = spawn(process.execPath, [program('killed.mjs', troubled('loop', 'orphan'))], { stdio: 'inherit' });
      const pid = await pidIn('orphan');
      expect(lives(pid)).toBe(true);
      parent.kill('SIGKILL');
      await until(() => !lives(pid));
    },
  );
});

describe('networks in processes', { tags: 'slow' }, () => {
  const images = {
    data: Float32Array.from({ length: n * 36 }, (_, at) => Math.sin(at * (1 + (at % 3)))),
    shape: [n, 6, 6, 1],
  };
  it.each(['cpu', 'wasm'])('are those of one fold after the other, bit for bit: %s', async (backend) => {
    const options = () => ({
      model: model('convolution.mjs'),
      data: [images, y] as RunOptions['data'],
      ...{ epochs: 6, batchSize: 8, validation: 0.25 },
      callbacks: new cvkit.EarlyStopping({ patience: 1 }),
    });
    await sameAsInline(options, () => ({ adapterOptions: { backend } }));
  });

  it.skipIf(!hasTfjsNode)('run on tfjs-node', async () => {
    const options = () => ({ model: model('convolution.mjs'), data: [images, y] as RunOptions['data'], epochs: 3 });
    await sameAsInline(options, () => ({ adapterOptions: { backend: 'tensorflow' } }));
  });

  it('save their models', async () => {
    const kept = { keepModels: 'save', modelPath: join(folder, '{fold}') } as const;
    const results = await run(
      { model: model('network.mjs'), data: [X, y], epochs: 2, ...kept },
      { adapterOptions: { backend: 'cpu' } },
    );
    expect(existsSync(join(folder, 'fold-3', 'model.json'))).toBe(true);
    expect((await (await cvkit.ensemble(results)).predict(X)).predictions).toHaveLength(n);
  });
});
