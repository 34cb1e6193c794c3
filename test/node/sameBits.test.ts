/**
 * One network with dropout, `augment` and EarlyStopping gives the same bytes of `result.json` whoever trains its folds, and
 * however often the run was ended in between. Another executor is one more row of `EXECUTORS`.
 */
import { spawn } from 'node:child_process';
import { cp, mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Executor, RunnerOptions } from '../../src/index.js';
import { redisServers, startRedis } from '../helpers/redis.mjs';
import { hasSlurm, startSlurm } from '../helpers/slurmNode.mjs';
import { tempFolder } from '../helpers/tempFolder.js';
import { DIST, needDist } from '../meta/dist.js';

let cvkit: typeof import('../../src/index.js');
let node: typeof import('../../src/node/index.js');

const models = fileURLToPath(new URL('./models/', import.meta.url));
/** What else is to end. */
const ends: (() => unknown)[] = [];
const EXECUTORS: Record<string, { readonly is?: boolean; start(): Promise<Executor> }> = {
  threads: { start: async () => node.threads({ workers: 2 }) },
  processes: { start: async () => node.processes({ workers: 2 }) },
  slurm: {
    is: hasSlurm,
    async start() {
      const cluster = await startSlurm({ cpus: 2 });
      ends.push(() => cluster.stop());
      return node.slurm({ root: models, sbatch: ['--mem=500'], foldsPerTask: 3 });
    },
  },
  bullmq: {
    is: redisServers.length > 0,
    async start() {
      const redis = await startRedis({ folder: join(folder, 'redis') });
      const args = ['worker', '--queue', 'bits', '--root', models, '--concurrency', '2'];
      const env = { ...process.env, CVKIT_REDIS: redis.url };
      const worker = spawn(process.execPath, [join(DIST, 'node', 'cli.js'), ...args], { stdio: 'ignore', env });
      ends.push(async () => {
        worker.kill('SIGKILL');
        await redis.stop();
      });
      const { bullmq } = await import(/* @vite-ignore */ pathToFileURL(join(DIST, 'node', 'bullmq.js')).href);
      return bullmq({ connection: redis.url, queue: 'bits', root: models });
    },
  },
};
const ROWS = Object.entries(EXECUTORS);

beforeAll(async () => {
  needDist();
  cvkit = await import(/* @vite-ignore */ pathToFileURL(join(DIST, 'node', 'index.js')).href);
  node = await import(/* @vite-ignore */ pathToFileURL(join(DIST, 'node', 'node.js')).href);
});

const { folder } = tempFolder();
const started = new Map<string, Executor>();
/** One of each kind serves all tests: its workers load tfjs once. */
const executorOf = async (name: string): Promise<Executor> => {
  const executor = started.get(name) ?? (await EXECUTORS[name].start());
  started.set(name, executor);
  return executor;
};
afterAll(async () => {
  for (const executor of started.values()) await executor.close();
  for (const end of ends) await end();
});

const data = { module: new URL('./models/noise.mjs', import.meta.url), export: 'load' };
const file = (name: string) => new URL(`./models/${name}`, import.meta.url);
const training = () => ({
  ...{ epochs: 4, batchSize: 8, validation: 0.25 },
  augment: { module: file('functions.mjs'), export: 'augment' },
  callbacks: new cvkit.EarlyStopping({ patience: 1, minDelta: 0.01 }),
});
const runner = (executor: RunnerOptions['executor']) =>
  new cvkit.UniversalCVRunner({
    ...{ cvSplitter: new cvkit.StratifiedGroupKFold({ nSplits: 4, randomState: 1 }), verbose: 0, executor },
    adapterOptions: { backend: 'cpu' },
  });
type Call = (runDirectory: string, executor: RunnerOptions['executor'], more?: object) => Promise<unknown>;

const run: Call = (runDirectory, executor, more) =>
  runner(executor).run({
    ...{ model: file('convolution.mjs'), data, runDirectory, ...training(), ...more },
  });
const validate: Call = (runDirectory, executor) =>
  new cvkit.CVKitValidator({ nSplits: 3, ciFits: 5, nBootstrap: 100 }).validate({
    ...{ model: file('convolution.mjs'), data, runDirectory, verbose: 0, executor },
    ...training(),
    adapterOptions: { backend: 'cpu' },
  });
/** `parallelTrials` stands in the result, and is otherwise as many as the executor has workers. */
const tune: Call = (runDirectory, executor) =>
  runner(executor).runWithHyperparameterTuning({
    ...{ modelFn: file('tunedConvolution.mjs'), data, runDirectory, ...training(), epochs: 2 },
    ...{ paramGrid: { rate: [0, 0.5] }, sampler: 'grid', scoring: 'log_loss', innerCv: 2, parallelTrials: 2 },
  });

/** Trains here, one fold after the other, and breaks off when so many have ended. */
const endsAfter = (most: number): Executor => {
  let ended = 0;
  const { inlineExecutor } = cvkit;
  return {
    ...inlineExecutor,
    name: 'ends',
    async *run(tasks, link) {
      for await (const outcome of inlineExecutor.run(tasks, link)) {
        yield outcome;
        if (++ended === most) throw new Error('broken off');
      }
    },
  };
};

let directories = 0;
/** A new directory of the run that `like` is of: a run has pseudonyms of its own. */
async function directory(like?: string): Promise<string> {
  const place = join(folder, `run-${directories++}`);
  if (like === undefined) return place;
  await mkdir(join(place, 'private'), { recursive: true });
  for (const name of ['run.json', 'private/salt']) await cp(join(like, name), join(place, name));
  return place;
}
const bytesIn = (place: string) => readFile(join(place, 'result.json'), 'utf8');
const foldsIn = async (place: string) => (await readdir(join(place, 'folds'))).length;

async function broken(call: Call, like: string, after: number): Promise<string> {
  const place = await directory(like);
  await expect(call(place, endsAfter(after))).rejects.toThrow('broken off');
  expect(await foldsIn(place)).toBe(after);
  return place;
}

describe('a network with dropout, augmentation and EarlyStopping', () => {
  it('that was ended in the middle goes on to the same bytes', async () => {
    const [whole, other] = [await directory(), await directory()];
    await run(whole, 'inline');
    const place = await broken(run, whole, 2);
    await run(place, 'inline');
    expect(await bytesIn(place)).toBe(await bytesIn(whole));
    // What the bytes depend on: without it, they would be easy to give again.
    const { foldDetails, scores } = JSON.parse(await bytesIn(whole));
    expect(foldDetails.map((each: { stoppedEarly: boolean }) => each.stoppedEarly)).toContain(true);
    expect(JSON.stringify(scores)).toMatch(/0\.\d{10}/);
    await run(other, 'inline', { augment: undefined });
    expect(JSON.parse(await bytesIn(other)).histories).not.toEqual(JSON.parse(await bytesIn(whole)).histories);
  });
});

describe('the same network, whoever trains it', { tags: 'slow', timeout: 240_000 }, () => {
  describe.each([
    ['run', run],
    ['validate with ciFits', validate],
    ['runWithHyperparameterTuning', tune],
  ] as const)('%s', (_, call) => {
    let whole: string;
    beforeAll(async () => {
      whole = await directory();
      await call(whole, 'inline');
    });

    it('ended in the middle, and goes on with inline', async () => {
      await goesOn('inline');
    });

    describe.each(ROWS)('%s', (name, { is = true }) => {
      it.skipIf(!is)('has the same bytes', async () => {
        const place = await directory(whole);
        await call(place, await executorOf(name));
        expect(await bytesIn(place)).toBe(await bytesIn(whole));
      });

      it.skipIf(!is)('goes on where another one ended in the middle', async () => {
        await goesOn(await executorOf(name));
      });
    });

    async function goesOn(executor: RunnerOptions['executor']) {
      const place = await broken(call, whole, Math.floor((await foldsIn(whole)) / 2));
      await call(place, executor);
      expect(await bytesIn(place)).toBe(await bytesIn(whole));
      expect(await foldsIn(place)).toBe(await foldsIn(whole));
    }
  });
});
