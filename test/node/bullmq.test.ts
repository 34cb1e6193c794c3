import { type ChildProcess, spawn } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { CVResults, RunnerOptions, RunOptions } from '../../src/index.js';
import { redisServers, startRedis } from '../helpers/redis.mjs';
import { tempFolder } from '../helpers/tempFolder.js';
import { DIST, needDist } from '../meta/dist.js';
import { ROOT } from '../meta/program.js';

const { folder, write } = tempFolder();
const address = (name: string) => pathToFileURL(join(DIST, 'node', name)).href;
const model = (name: string) => new URL(`./models/${name}`, import.meta.url);
const X = Array.from({ length: 60 }, (_, row) => [Math.sin(row) + (row % 2), Math.cos(3 * row), (row % 7) / 7]);
const y = X.map((_, row) => Number(row % 2 === 0 ? row % 5 === 0 : row % 3 !== 0));

let cvkit: typeof import('../../src/index.js');
let own: typeof import('../../src/bullmq/index.js');
let redis: Awaited<ReturnType<typeof startRedis>>;
let client: Redis;
const begun: ChildProcess[] = [];
const executors: { close(): Promise<void> }[] = [];
let queues = 0;
const newQueue = () => `q${queues++}`;

beforeAll(async () => {
  if (redisServers.length === 0) return;
  needDist();
  cvkit = await import(/* @vite-ignore */ address('index.js'));
  own = await import(/* @vite-ignore */ address('bullmq.js'));
  redis = await startRedis({ folder: join(folder, 'redis') });
  client = new Redis(redis.url);
  client.on('error', () => undefined);
});
afterEach(async () => {
  await Promise.all(executors.splice(0).map((each) => each.close()));
  await Promise.all(begun.splice(0).map((each) => killed(each)));
});
afterAll(async () => {
  client?.disconnect();
  await redis?.stop();
});

const gone = (child: ChildProcess) =>
  child.exitCode !== null || child.signalCode !== null
    ? undefined
    : new Promise<void>((resolve) => child.once('exit', () => resolve()));

async function killed(child: ChildProcess): Promise<void> {
  const end = gone(child);
  child.kill('SIGKILL');
  await end;
}

/** What `cvkit worker` writes, and its process once it takes folds or has ended. */
async function worker(
  queue: string,
  more: readonly string[] = [],
  { cli = join(DIST, 'node/cli.js'), url = redis.url, env: own = {} } = {},
) {
  const args = ['worker', '--queue', queue, '--root', ROOT, '--root', folder, ...more];
  const env = { ...process.env, ...own, CVKIT_REDIS: url };
  const child = spawn(process.execPath, [cli, ...args], { stdio: ['ignore', 'inherit', 'pipe'], env });
  begun.push(child);
  const written = { child, text: '' };
  await new Promise<void>((resolve) => {
    child.stderr?.on('data', (bytes) => {
      written.text += bytes;
      if (written.text.includes('Folds of the queue')) resolve();
    });
    child.on('exit', () => resolve());
  });
  return written;
}

function executor(queue: string, more: object = {}) {
  const made = own.bullmq({ connection: redis.url, queue, root: ROOT, ...more });
  executors.push(made);
  return made;
}

const run = (options: Partial<RunOptions>, runner: Partial<RunnerOptions> = {}): Promise<CVResults> =>
  new cvkit.UniversalCVRunner({
    cvSplitter: new cvkit.StratifiedKFold({ nSplits: 4, shuffle: true }),
    randomState: 7,
    verbose: 0,
    ...runner,
  }).run({ model: model('centroid.mjs'), data: dataIn(), ...options } as RunOptions);

let modules = 0;
const dataIn = (value: object = { X, y }) => {
  const path = write(`data${modules++}.mjs`, `export const load = () => (${JSON.stringify(value)});`);
  return { module: path, export: 'load' };
};

/** All that a run gave but for the time it took and how its data came. */
const numbersOf = ({ scores, outOfFold, estimates, foldDetails }: CVResults) =>
  JSON.parse(
    JSON.stringify({ scores, outOfFold, estimates, folds: foldDetails.map(({ fold, status }) => [fold, status]) }),
  );

/** A model that tells when and where it is trained, and takes its time. */
function telling(work = 'await new Promise((resolve) => setTimeout(resolve, 400));') {
  const name = `model${modules++}`;
  const log = join(folder, `${name}.txt`);
  writeFileSync(log, '');
  const text = `import { appendFileSync } from 'node:fs';
export default ({ fold }) => ({
  async fit() {
    appendFileSync(${JSON.stringify(log)}, fold + ' ' + process.pid + ' ' + process.ppid + '\\n');
    ${work}
  },
  predict: (X) => X.map(([first]) => Number(first > 0)),
});`;
  const told = () =>
    readFileSync(log, 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => line.split(' '))
      .map(([fold, pid, parent]) => ({ fold, pid: Number(pid), parent: Number(parent) }));
  return { url: pathToFileURL(write(`${name}.mjs`, text)), told };
}

const until = async (holds: () => boolean | Promise<boolean>) => {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
};
const lives = (pid: number): boolean => existsSync(`/proc/${pid}`);
const keysOf = async (queue: string) => (await client.keys(`bull:${queue}:*`)).map((key) => key.split(':')[2]).sort();
/** What a queue has at all times. */
const isEmpty = async (queue: string) =>
  (await keysOf(queue)).every((key) => ['events', 'id', 'meta', 'stalled-check', 'marker'].includes(key));

describe.skipIf(redisServers.length === 0)('folds by a queue', () => {
  it('have the bits of those here, and nothing of a row is ever in Redis', async () => {
    const queue = newQueue();
    // Before anybody else speaks to the server: a line in one piece with the answer to MONITOR is an error of ioredis.
    const monitor = await client.monitor();
    await worker(queue);
    let sent = '';
    monitor.on('monitor', (_time: string, args: string[]) => {
      // A task crosses in base64, within JSON within what BullMQ packs.
      const packed = args.flatMap((each) => each.match(/[A-Za-z0-9+/]{200,}=*/g) ?? []);
      sent += [...args, ...packed.map((each) => Buffer.from(each, 'base64').toString('latin1'))].join('\n');
    });
    const ids = X.map((_, row) => `person-${(row % 20) + 100}`);
    const real = X.map(([first, second]) => 3 * first + second / 7);
    const data = dataIn({ X, y: real, patientIds: ids });
    const line = model('line.mjs');
    const grouped = { cvSplitter: new cvkit.GroupKFold({ nSplits: 4 }) };
    const there = await run({ model: line, data, task: 'regression' }, { ...grouped, executor: executor(queue) });
    monitor.disconnect();
    expect(numbersOf(there)).toEqual(numbersOf(await run({ model: line, data, task: 'regression' }, grouped)));
    expect(sent).toContain('fold-3');
    expect(sent.length).toBeGreaterThan(5000);
    for (const row of [1, 7, 33]) {
      const bytes = [X[row][1], real[row]].map((value) =>
        Buffer.from(Float64Array.of(value).buffer).toString('latin1'),
      );
      for (const secret of [String(X[row][1]), String(real[row]), ids[row], ...bytes]) {
        expect(sent.includes(secret), secret).toBe(false);
      }
    }
    expect(await isEmpty(queue)).toBe(true);
  });

  it('serve two runs at once, and keys do not grow with 200 folds', { tags: 'slow' }, async () => {
    const queue = newQueue();
    await worker(queue, ['--concurrency', '2']);
    const many = { cvSplitter: new cvkit.RepeatedKFold({ nSplits: 4, nRepeats: 25 }) };
    const data = dataIn();
    const used = executor(queue, { atOnce: 8 });
    let most = 0;
    const timer = setInterval(() => void keysOf(queue).then((keys) => (most = Math.max(most, keys.length))), 20);
    const two = await Promise.all([1, 2].map((randomState) => run({ data }, { ...many, randomState, executor: used })));
    clearInterval(timer);
    const alone = [await run({ data }, { ...many, randomState: 1 }), await run({ data }, { ...many, randomState: 2 })];
    expect(two.map(numbersOf)).toEqual(alone.map(numbersOf));
    // A run has its hash and at most 8 jobs, each with a lock.
    expect(most).toBeGreaterThan(5);
    expect(most).toBeLessThan(10 + 2 * (1 + 2 * 8));
    await until(() => isEmpty(queue));
  });

  it('end with the signal, also in a loop, and leave nothing', async () => {
    const queue = newQueue();
    await worker(queue);
    const { url, told } = telling('for (;;);');
    const ended = new AbortController();
    const failed = run({ model: url, signal: ended.signal }, { executor: executor(queue) }).catch((thrown) => thrown);
    await until(() => told().length > 0);
    ended.abort(new Error('enough'));
    expect(await failed).toMatchObject({ code: 'aborted' });
    await until(() => !lives(told()[0].pid));
    expect(await isEmpty(queue)).toBe(true);
    // The worker goes on.
    expect((await run({}, { executor: executor(queue) })).foldDetails).toHaveLength(4);
    expect(told()).toHaveLength(1);
  });

  it('are given back by a worker that is ended, which leaves no process', { tags: 'slow' }, async () => {
    const queue = newQueue();
    const first = await worker(queue);
    const { url, told } = telling();
    const going = run({ model: url }, { executor: executor(queue) });
    await until(() => told().length > 0);
    const second = await worker(queue);
    first.child.kill('SIGTERM');
    await gone(first.child);
    expect(first.child.exitCode).toBe(0);
    const { foldDetails } = await going;
    expect(foldDetails.map(({ status }) => status)).toEqual(Array(4).fill('completed'));
    expect(told().every(({ pid, parent }) => parent === second.child.pid || !lives(pid))).toBe(true);
    expect(told().length).toBeLessThan(6);
  });

  it('that take their process with them are failed folds, and are tried again', { tags: 'slow' }, async () => {
    const queue = newQueue();
    await worker(queue);
    const died = `${pathToFileURL(join(ROOT, 'test/node/models/troubled.mjs')).href}?trouble=kill`;
    const { foldDetails } = await run({ model: new URL(died), onFoldError: 'record' }, { executor: executor(queue) });
    expect(foldDetails.map(({ status }) => status)).toEqual(['completed', 'failed', 'completed', 'completed']);
    expect(foldDetails[1].error).toContain('must live until its fold has ended. Got signal SIGKILL.');
    const once = new URL(`${died}&once=${encodeURIComponent(join(folder, 'died'))}`);
    const again = await run({ model: once, retries: 1 }, { executor: executor(queue) });
    expect(again.foldDetails.map(({ status }) => status)).toEqual(Array(4).fill('completed'));
  });

  it('fail with one sentence on a worker that has not what the run has', async () => {
    const failing = async (
      data: ReturnType<typeof dataIn>,
      change: () => unknown,
      more: Parameters<typeof worker>[2] = {},
    ) => {
      const queue = newQueue();
      const going = run({ data }, { executor: executor(queue) }).catch((thrown) => thrown);
      await until(async () => (await keysOf(queue)).includes('wait'));
      change();
      const { child } = await worker(queue, [], more);
      const error = await going;
      await killed(child);
      return `${error.cause?.code}: ${error.cause?.message}`;
    };
    const changed = dataIn();
    expect(await failing(changed, () => appendFileSync(changed.module, ' '))).toMatch(
      /^other_worker: The module .* on this worker must be that of the run. Got another version/,
    );
    const apart = mkdtempSync(join(tmpdir(), 'cvkit-apart-'));
    const copied = { ...dataIn(), module: join(apart, 'data.mjs') };
    writeFileSync(copied.module, readFileSync(dataIn().module));
    expect(await failing(copied, () => undefined)).toMatch(/^other_worker: .* must be below a --root of the worker/);
    rmSync(apart, { recursive: true });
    const text = readFileSync(dataIn().module, 'utf8').replace(
      '"X":[[0',
      '"X":[[Number(process.env.CVKIT_TEST_SHIFT ?? 0)',
    );
    const shifting = { module: write('shifting.mjs', text), export: 'load' };
    expect(await failing(shifting, () => undefined, { env: { CVKIT_TEST_SHIFT: '1' } })).toMatch(
      /^other_data: What .* gives as `X` on this worker must be that of the run. Got other values/,
    );
  });

  it('refuse what is wrong in one sentence without a password', async () => {
    for (const connection of ['http://me:secret@127.0.0.1', 'me:secret', 5]) {
      const message = (() => {
        try {
          own.bullmq({ connection } as never);
        } catch (error) {
          return String(error);
        }
      })();
      expect(message).toMatch(/The `connection` option of bullmq must be .* Got (a string|a number)/);
      expect(message).not.toContain('secret');
    }
    expect(() => own.bullmq({ connection: redis.url, queue: 'a:b' })).toThrow("must be a name without ':'");
    const guarded = await startRedis({ folder: join(folder, 'guarded'), settings: ['--requirepass', 'right'] });
    const url = guarded.url.replace('//', '//:secret@');
    const error = await run({}, { executor: executor(newQueue(), { connection: url }) }).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 'redis_refused' });
    expect(error.message).toBe(
      `Redis at ${guarded.url} must let cvkit in. Got a refusal. Look at the user and password in \`connection\` or CVKIT_REDIS.`,
    );
    const { text, child } = await worker(newQueue(), [], { url });
    await gone(child);
    expect([child.exitCode, text]).toEqual([2, `${error.message}\n`]);
    const right = guarded.url.replace('//', '//:right@');
    const queue = newQueue();
    await worker(queue, [], { url: right });
    expect((await run({}, { executor: executor(queue, { connection: right }) })).foldDetails).toHaveLength(4);
    await Promise.all(executors.splice(0).map((each) => each.close()));
    await guarded.stop();
  });
});

describe.skipIf(redisServers.length === 0)('folds by a queue, where more goes wrong', { tags: 'slow' }, () => {
  const undisturbed = (url: URL) => run({ model: url }).then(numbersOf);

  it('go on after a worker is killed; its processes end, too', async () => {
    const queue = newQueue();
    const first = await worker(queue);
    const { url, told } = telling();
    const going = run({ model: url }, { executor: executor(queue) });
    await until(() => told().length > 1);
    await killed(first.child);
    await until(() => told().every(({ pid }) => !lives(pid)));
    await worker(queue);
    expect(numbersOf(await going)).toEqual(await undisturbed(url));
    expect(await isEmpty(queue)).toBe(true);
  });

  it('go on after Redis is killed and has forgotten all', async () => {
    const own = await startRedis({ folder: join(folder, 'dying') });
    const { url: connection } = own;
    const queue = newQueue();
    const { url, told } = telling();
    await worker(queue, [], { url: connection });
    const going = run({ model: url }, { executor: executor(queue, { connection }) });
    await until(() => told().length > 1);
    await own.kill();
    await new Promise((resolve) => setTimeout(resolve, 500));
    await own.start();
    expect(numbersOf(await going)).toEqual(await undisturbed(url));
    await Promise.all(executors.splice(0).map((each) => each.close()));
    await own.stop();
  });

  it('keep their worker for longer than a lock lasts, also in a loop', async () => {
    const queue = newQueue();
    await Promise.all([worker(queue), worker(queue)]);
    const { url, told } = telling("if (fold === 'fold-0') for (const end = Date.now() + 17_000; Date.now() < end; );");
    expect((await run({ model: url }, { executor: executor(queue) })).foldDetails).toHaveLength(4);
    expect(
      told()
        .map(({ fold }) => fold)
        .sort(),
    ).toEqual(['fold-0', 'fold-1', 'fold-2', 'fold-3']);
  });

  it('wait for a Redis that is away, say so once, and give up in the end', async () => {
    const own = await startRedis({ folder: join(folder, 'away') });
    const warnings: string[] = [];
    const onWarning = (warning: Error) => warnings.push(warning.message);
    process.on('warning', onWarning);
    const queue = newQueue();
    const away = executor(queue, { connection: own.url, patience: 6 });
    const going = run({}, { executor: away }).catch((thrown) => thrown);
    const second = new Redis(own.url);
    await until(async () => (await second.keys(`bull:${queue}:wait`)).length > 0);
    second.disconnect();
    own.pause();
    expect(await going).toMatchObject({ code: 'redis_away' });
    expect(warnings).toEqual([`Redis at ${own.url} does not answer. The run waits for it, up to 6 s.`]);
    process.off('warning', onWarning);
    await own.kill();
    const error = await run({}, { executor: executor(queue, { connection: own.url }) }).catch((thrown) => thrown);
    expect(error.message).toBe(
      `Redis at ${own.url} must answer within 10 s. Got ECONNREFUSED. Start it there, or look at \`connection\`.`,
    );
  });

  it('write what is large into the run directory', { timeout: 240_000 }, async () => {
    const queue = newQueue();
    const rows = Array.from({ length: 100_000 }, (_, row) => [Math.sin(row), Math.cos(row)]);
    const data = dataIn({ X: rows, y: rows.map(([first], row) => Number(first + Math.sin(row * row) > 0)) });
    const runDirectory = join(folder, 'large');
    const { child } = await worker(queue, ['--directory', runDirectory]);
    const two = { cvSplitter: new cvkit.StratifiedKFold({ nSplits: 2 }) };
    const options = { data, metrics: ['accuracy' as const] };
    const there = await run({ ...options, runDirectory }, { ...two, executor: executor(queue) });
    expect(numbersOf(there)).toEqual(numbersOf(await run(options, two)));
    expect(readdirSync(join(runDirectory, 'folds')).length).toBe(2);
    const error = await run(options, { ...two, executor: executor(queue) }).catch((thrown) => thrown);
    expect(error.cause.message).toContain('Start workers with the same folder as --directory');
    await killed(child);
    await worker(queue);
    const without = await run(options, { ...two, executor: executor(queue) }).catch((thrown) => thrown);
    expect(without.cause.message).toContain('of more than 1 MB, must be the run directory. Got none.');
  });

  it('have the bits of a network with dropout, augmentation and early stopping', async () => {
    const queue = newQueue();
    await worker(queue);
    const images = X.map((row) =>
      Array.from({ length: 8 }, (_, i) => Array.from({ length: 8 }, (_, j) => [Math.sin(row[0] * i + row[1] * j)])),
    );
    const augment = { module: model('functions.mjs').href, export: 'augment' };
    const options = () => ({
      ...{ model: model('convolution.mjs'), data: dataIn({ X: images, y }), epochs: 5, validation: 0.3, batchSize: 8 },
      callbacks: [new cvkit.EarlyStopping({ monitor: 'val_loss', patience: 0 })],
      augment,
    });
    const there = await run(options(), { executor: executor(queue) });
    const here = await run(options());
    expect(numbersOf(there)).toEqual(numbersOf(here));
    expect(there.histories).toEqual(here.histories);
  });

  it('are refused by a worker of another version', async () => {
    const other = join(folder, 'other');
    mkdirSync(other);
    cpSync(join(DIST, 'node'), join(other, 'dist/node'), { recursive: true });
    cpSync(join(ROOT, 'package.json'), join(other, 'package.json'));
    symlinkSync(join(ROOT, 'node_modules'), join(other, 'node_modules'), 'junction');
    const names = readdirSync(join(other, 'dist/node'), { recursive: true, encoding: 'utf8' });
    for (const name of names.filter((each) => each.endsWith('.js'))) {
      const path = join(other, 'dist/node', name);
      const text = readFileSync(path, 'utf8');
      const changed = text.replaceAll('"0.1.0"', '"9.9.9"');
      if (changed !== text) writeFileSync(path, changed);
    }
    const queue = newQueue();
    await worker(queue, [], { cli: join(other, 'dist/node/cli.js') });
    const error = await run({}, { executor: executor(queue) }).catch((thrown) => thrown);
    expect(error.cause).toMatchObject({ code: 'other_worker' });
    expect(error.cause.message).toMatch(/The version of cvkit on this worker must be that of the run, .* Got 9\.9\.9/);
  });
});
