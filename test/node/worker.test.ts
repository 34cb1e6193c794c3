/** `cvkit worker` on the folds that a dry run has written, by the built package. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CVResults, DryRun, RunOptions } from '../../src/index.js';
import { DIST, needDist } from '../meta/dist.js';
import { countedRuns, model, patients, X, y } from './countedRuns.js';

let cvkit: typeof import('../../src/index.js');
let node: typeof import('../../src/node/index.js');
const address = (name: string) => pathToFileURL(join(DIST, 'node', name)).href;

beforeAll(async () => {
  needDist();
  cvkit = await import(/* @vite-ignore */ address('index.js'));
  node = await import(/* @vite-ignore */ address('node.js'));
});

let place: string;
const { folder, fits } = countedRuns((each) => {
  place = each;
});

const root = fileURLToPath(new URL('../..', import.meta.url));
async function worker(task: number, env: object = {}, more: string[] = []) {
  const words = ['worker', place, '--task', String(task), '--root', root, '--root', folder, ...more];
  const child = spawn(process.execPath, [join(DIST, 'node', 'cli.js'), ...words], { env: { ...process.env, ...env } });
  let text = '';
  child.stderr.on('data', (part) => {
    text += part;
  });
  const [code, signal] = await once(child, 'close');
  return { code, signal, text };
}

const runner = (nSplits = 4) =>
  new cvkit.UniversalCVRunner({ cvSplitter: new cvkit.GroupKFold({ nSplits, randomState: 1 }), verbose: 0 });
const data = () => ({ module: join(folder, 'data.mjs'), export: 'load' });
const options = (more: Partial<RunOptions> = {}) =>
  ({ model, data: data(), runDirectory: place, ...more }) as RunOptions;
const dry = (more: Partial<RunOptions> = {}): Promise<DryRun> => runner().run({ ...options(more), dryRun: true });
const numbersOf = ({ scores, estimates, outOfFold }: CVResults) => ({ scores, estimates, outOfFold });
const inline = async (more: Partial<RunOptions> = {}) =>
  numbersOf(await runner().run({ ...options(more), runDirectory: null } as unknown as RunOptions));
const log = () =>
  readFileSync(join(place, 'log.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
const namesIn = (...at: string[]) => readdirSync(join(place, ...at)).sort();

beforeAll(() => {
  writeFileSync(join(folder, 'data.mjs'), `export const load = () => (${JSON.stringify({ X, y, groups: patients })});`);
  writeFileSync(
    join(folder, 'weighted.mjs'),
    `import centroid from ${JSON.stringify(new URL('./models/centroid.mjs', import.meta.url).href)};
    export default (ctx) => {
      const { fit, ...model } = centroid(ctx);
      const heavy = (X, weights) => X.flatMap((row, at) => Array(weights[at]).fill(row));
      return { ...model, fit: (X, y, sampleWeight) => fit(heavy(X, sampleWeight), heavy(y, sampleWeight)) };
    };`,
  );
});

describe('folds that a dry run has written', { timeout: 180_000 }, () => {
  it('are done by workers, and the call finds all of them kept, with the same bits and their times', async () => {
    expect(await dry()).toMatchObject({ kept: 0, seconds: null, tasks: join(place, 'tasks', 'folds') });
    expect(namesIn('tasks', 'folds')).toEqual(['0.task', '1.task', '2.task', '3.task', 'run.json']);
    for (const task of [3, 0]) expect(await worker(task)).toMatchObject({ code: 0, text: '' });
    expect(await worker(1, {}, ['--count', '2'])).toMatchObject({ code: 0, text: '' });
    expect(await fits()).toBe(4);
    // Again: nothing is left to do.
    expect(await worker(0, {}, ['--count', '4'])).toMatchObject({ code: 0, text: '' });
    const results = await runner().run(options());
    expect(await fits()).toBe(4);
    expect(results.folds.every(({ kept }) => kept)).toBe(true);
    expect(numbersOf(results)).toEqual(await inline());
    expect(await node.verifyRun(place)).toMatchObject({ valid: true });
    for (const at of [0, 1, 2, 3]) {
      const { seconds, key } = JSON.parse(readFileSync(join(place, 'tasks', 'folds', `${at}.json`), 'utf8'));
      expect(seconds).toBeGreaterThan(0);
      expect(log().find((entry) => entry.key === key)).toMatchObject({ adopted: true, seconds, fold: `fold-${at}` });
    }
  });

  it('tell what is left: half of the time and of the folds', async () => {
    const { bytes } = await dry();
    await worker(0);
    await worker(2);
    const again = await dry();
    const took = log().filter(({ event }) => event === 'fold_end');
    expect(again).toMatchObject({ folds: 4, fits: 4, kept: 2 });
    expect(again.seconds).toBeCloseTo(2 * ((took[0].seconds + took[1].seconds) / 2), 9);
    const sizes = namesIn('folds').map((name) => statSync(join(place, 'folds', name)).size);
    expect(again.bytes).toBeCloseTo((4 * (sizes[0] + sizes[1])) / 2, 6);
    // Before there was any, it was a guess.
    expect(bytes / again.bytes).toBeGreaterThan(0.3);
    expect(bytes / again.bytes).toBeLessThan(3);
    expect(await fits()).toBe(2);
    expect(again.summary()).toContain('2 of them');
  });

  it('keep their numbers where a call does a part of them', async () => {
    expect(await dry({ shard: '2/2' })).toMatchObject({ folds: 2, fits: 2 });
    expect(namesIn('tasks', 'folds')).toEqual(['1.task', '3.task', 'run.json']);
    expect(await worker(3)).toMatchObject({ code: 0 });
    expect(namesIn('folds')[0]).toMatch(/^fold-3\./);
    expect(await dry()).toMatchObject({ folds: 4, kept: 1 });
  });

  it('have the bits of texts, empty cells, groups and weights that were copied for their owner alone', async () => {
    const words = X.map(([first, second], row) => ({
      first,
      word: ['a', '', 'ccc'][row % 3],
      empty: row % 4 ? second : null,
    }));
    const rows = {
      model: join(folder, 'weighted.mjs'),
      data: { X: words, y, groups: patients, sampleWeight: y.map((_, row) => 1 + (row % 3)) },
    };
    const more = { ...rows, threshold: 'youden', recalibrate: 'platt' } as Partial<RunOptions>;
    expect((await dry(more)).tasks).toBeNull();
    const { tasks } = await dry({ ...more, copyData: true });
    expect(tasks).not.toBeNull();
    for (const name of namesIn('data')) expect(statSync(join(place, 'data', name)).mode & 0o777).toBe(0o600);
    expect(readFileSync(join(place, 'tasks', 'folds', 'run.json'), 'utf8')).not.toContain('patient-');
    for (const name of ['data', 'tasks', 'tasks/folds', 'folds']) {
      expect(statSync(join(place, name)).mode & 0o777).toBe(0o700);
    }
    expect(await worker(0, {}, ['--count', '4'])).toMatchObject({ code: 0, text: '' });
    const results = await runner().run(options({ ...more, copyData: true }));
    expect(results.folds.every(({ kept }) => kept)).toBe(true);
    expect(numbersOf(results)).toEqual(await inline(more));
  });

  it('count once where two workers do the same one', async () => {
    await dry();
    const both = await Promise.all([worker(2), worker(2)]);
    expect(both.map(({ code }) => code)).toEqual([0, 0]);
    expect(namesIn('folds')).toHaveLength(1);
    expect(namesIn('tasks', 'folds').filter((name) => /tmp|outcome/.test(name))).toEqual([]);
    expect(await dry()).toMatchObject({ kept: 1 });
    expect(numbersOf(await runner().run(options()))).toEqual(await inline());
    expect(await node.verifyRun(place)).toMatchObject({ valid: true });
  });

  it('are done by the next worker where one is killed', async () => {
    await dry();
    expect(await worker(1, { BREAKS_AFTER: '0', KILLED: '1' })).toMatchObject({ signal: 'SIGKILL' });
    expect(namesIn('folds')).toEqual([]);
    expect(await worker(1)).toMatchObject({ code: 0 });
    expect(namesIn('folds')).toHaveLength(1);
  });

  it('are done again where one failed, or its outcome was lost or cut off', async () => {
    await dry();
    const failed = await worker(1, { BREAKS_AFTER: '0' });
    expect(failed).toMatchObject({ code: 1, text: expect.stringContaining('broken off') });
    expect(await worker(1)).toMatchObject({ code: 0 });
    const [name] = namesIn('folds');
    const text = readFileSync(join(place, 'folds', name), 'utf8');
    writeFileSync(join(place, 'folds', name), text.slice(0, 200));
    expect(await worker(1)).toMatchObject({ code: 0 });
    expect(readFileSync(join(place, 'folds', name), 'utf8')).toBe(text);
    rmSync(join(place, 'folds', name));
    expect(await worker(1)).toMatchObject({ code: 0 });
    expect(readFileSync(join(place, 'folds', name), 'utf8')).toBe(text);
  });

  it('may be written by workers while the call runs and is begun again', async () => {
    const many = (more: object = {}) => runner(12).run({ ...options(), ...more });
    await many({ dryRun: true });
    const working = Promise.all(
      [0, 3, 6, 9].map(async (first) => {
        const { code, text } = await worker(first, {}, ['--count', '3']);
        return { code, text };
      }),
    );
    const results = [];
    let isDone = false;
    void working.then(() => {
      isDone = true;
    });
    while (!isDone) results.push(await many());
    expect(await working).toEqual(Array(4).fill({ code: 0, text: '' }));
    results.push(await many());
    const alone = numbersOf(await runner(12).run({ ...options(), runDirectory: null } as unknown as RunOptions));
    for (const each of results) expect(numbersOf(each)).toEqual(alone);
    expect(await node.verifyRun(place)).toMatchObject({ valid: true, folds: { length: 12 } });
    expect(namesIn('folds')).toHaveLength(12);
  });
});

it('a validation finds them, and makes its checks and intervals', { timeout: 180_000 }, async () => {
  const validate = (more: object = {}) =>
    new cvkit.CVKitValidator({ nSplits: 4, ciFits: 5 }).validate({
      ...{ model, data: data(), runDirectory: place, verbose: 0 },
      ...more,
    });
  expect(await validate({ dryRun: true })).toMatchObject({ folds: 4, fits: 14, kept: 0 });
  await worker(0, {}, ['--count', '4']);
  expect(await fits()).toBe(4);
  const result = await validate();
  expect(await fits()).toBe(14);
  expect(result.checks.length).toBeGreaterThan(3);
  expect(Object.keys(result.confidenceIntervals)).toContain('roc_auc');
  expect(await validate({ dryRun: true })).toMatchObject({ kept: 4, seconds: 0 });
});

it('a search has none, and says why', async () => {
  const tuned = runner().runWithHyperparameterTuning({
    ...{ modelFn: new URL('./models/tuned.mjs', import.meta.url), paramGrid: { k: [1, 2] } },
    ...{ data: data(), runDirectory: place, dryRun: true },
  });
  expect((await tuned).tasks).toBeNull();
  expect((await tuned).summary()).toContain('search');
});
