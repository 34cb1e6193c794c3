import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { userInfo } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { CVResults, RunnerOptions, RunOptions } from '../../src/index.js';
import type { SlurmOptions } from '../../src/node/index.js';
import { hasSlurm, startSlurm } from '../helpers/slurmNode.mjs';
import { tempFolder } from '../helpers/tempFolder.js';
import { DIST, needDist } from '../meta/dist.js';

let cvkit: typeof import('../../src/index.js');
let node: typeof import('../../src/node/index.js');
const address = (name: string) => pathToFileURL(join(DIST, 'node', name)).href;
beforeAll(async () => {
  needDist();
  cvkit = await import(/* @vite-ignore */ address('index.js'));
  node = await import(/* @vite-ignore */ address('node.js'));
});

const { folder, write } = tempFolder();
// A folder that a shell, and a pattern of SLURM, would read as something else.
const root = join(folder, "it's a %A folder");
mkdirSync(root);
const X = Array.from({ length: 60 }, (_, row) => [Math.sin(row) + (row % 2), Math.cos(3 * row), (row % 7) / 7]);
const y = X.map((_, row) => Number(row % 2 === 0 ? row % 5 === 0 : row % 3 !== 0));
const inRoot = (name: string, text: string) => {
  writeFileSync(join(root, name), text);
  return pathToFileURL(join(root, name));
};
copyFileSync(new URL('./models/centroid.mjs', import.meta.url), join(root, 'centroid.mjs'));
const model = pathToFileURL(join(root, 'centroid.mjs'));
const load = inRoot('data.mjs', `export const load = () => (${JSON.stringify({ X, y })});`);
const data = { module: load, export: 'load' };
/** As centroid.mjs; the second fold first does what is written here. */
const troubled = (name: string, trouble: string) =>
  inRoot(
    `${name}.mjs`,
    `import { existsSync, readdirSync, writeFileSync } from 'node:fs';
    import centroid from './centroid.mjs';
    export default (context) => {
      const model = centroid(context);
      return { ...model, async fit(X, y) { if (context.index === 1) { ${trouble} } return model.fit(X, y); } };
    };`,
  );
const once = (file: string, trouble: string) =>
  `if (!existsSync(${JSON.stringify(join(folder, file))})) { writeFileSync(${JSON.stringify(join(folder, file))}, ''); ${trouble} }`;
const KILL = "process.kill(process.pid, 'SIGKILL');";
const WAIT = 'await new Promise((resolve) => setTimeout(resolve, 60_000));';

let count = 0;
const newPlace = () => join(root, `run ${count++}`);
const run = (options: Partial<RunOptions>, slurm: SlurmOptions | 'inline', runner: Partial<RunnerOptions> = {}) =>
  new cvkit.UniversalCVRunner({
    cvSplitter: new cvkit.StratifiedKFold({ nSplits: 4, shuffle: true }),
    randomState: 7,
    verbose: 0,
    executor: slurm === 'inline' ? slurm : node.slurm({ root, ...slurm }),
    ...runner,
  }).run({ model, data, ...options } as RunOptions);

/** What the models gave, whatever their modules hold. */
const numbersOf = ({ scores, estimates, outOfFold }: CVResults) =>
  JSON.parse(JSON.stringify({ scores, estimates, outOfFold }, (key, value) => (key === 'model' ? undefined : value)));
/** A loop that never ended would go on after its test. */
const until = async (holds: () => boolean) => {
  for (let look = 0; !holds(); look++) {
    if (look > 1500) throw new Error('It never came.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

describe('slurm, with commands that pretend', () => {
  const state = join(folder, 'state');
  const commands = join(folder, 'commands');
  const before = process.env.PATH;
  beforeAll(() => {
    mkdirSync(commands);
    const program = fileURLToPath(new URL('../helpers/pretendSlurm.mjs', import.meta.url));
    for (const name of ['sbatch', 'squeue', 'scancel']) {
      const path = write(join('commands', name), `#!/bin/sh\nexec '${process.execPath}' '${program}' ${name} "$@"\n`);
      chmodSync(path, 0o755);
    }
    process.env.PATH = `${commands}${delimiter}${before}`;
    process.env.PRETEND_SLURM = state;
    mkdirSync(state);
  });
  afterEach(() => {
    rmSync(state, { recursive: true });
    mkdirSync(state);
  });
  afterAll(() => {
    process.env.PATH = before;
    delete process.env.PRETEND_SLURM;
  });
  const happens = (what: string) => writeFileSync(join(state, what), '');
  const calls = (command: string): string[][] =>
    readFileSync(join(state, 'calls'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
      .filter(([name]) => name === command);
  const arrays = () => calls('sbatch').map((args) => args.find((each) => each.startsWith('--array=')));

  it('has the bits of one fold after the other, and hooks of folds; nothing is left over', async () => {
    const directory = newPlace();
    const heard: string[] = [];
    const callbacks = [
      {
        onFoldStart: ({ fold }: { fold: string }) => void heard.push(`start ${fold}`),
        onFoldEnd: ({ fold }: { fold: string }) => void heard.push(`end ${fold}`),
      },
    ];
    const there = await run({ callbacks }, { directory, atOnce: 3, sbatch: ['--partition=gpu'] });
    expect(numbersOf(there)).toEqual(numbersOf(await run({}, 'inline')));
    for (const { fold } of there.foldDetails) {
      expect(heard.filter((each) => each.endsWith(fold))).toEqual([`start ${fold}`, `end ${fold}`]);
    }
    expect(arrays()).toEqual(['--array=0-3%3']);
    expect(calls('sbatch')[0]).toContain('--partition=gpu');
    expect(calls('scancel')).toEqual([]);
    expect(readdirSync(directory)).toEqual([]);
  });

  it('does several folds in a task, and one that is lost again with the rest, each on its own', {
    tags: 'slow',
  }, async () => {
    happens('lose-1');
    const results = await run(
      {},
      { directory: newPlace(), foldsPerTask: 3 },
      { cvSplitter: new cvkit.KFold({ nSplits: 5 }) },
    );
    const inline = await run({}, 'inline', { cvSplitter: new cvkit.KFold({ nSplits: 5 }) });
    expect(numbersOf(results)).toEqual(numbersOf(inline));
    expect(arrays()).toEqual(['--array=0-1%100', '--array=0-1%100']);
    const died = await run({ model: troubled('dies', once('died', KILL)) }, { directory: newPlace(), foldsPerTask: 4 });
    expect(died.foldDetails.map(({ status }) => status)).toEqual(Array(4).fill('completed'));
    expect(existsSync(join(folder, 'died'))).toBe(true);
    expect(arrays().slice(2)).toEqual(['--array=0-0%100', '--array=0-2%100']);
  });

  it('records a fold whose task always dies; others go on', { tags: 'slow' }, async () => {
    const directory = newPlace();
    const options = { model: troubled('always', KILL), onFoldError: 'record' } as const;
    const { foldDetails } = await run(options, { directory });
    expect(foldDetails.map(({ status }) => status)).toEqual(['completed', 'failed', 'completed', 'completed']);
    const words =
      /The SLURM job of fold-1 must leave an answer. Got 3 jobs without one; the state of the last, 3_0, is FAILED. Look into (.*3_0\.log); for TIMEOUT/;
    const [, log] = words.exec(String(foldDetails[1].error)) ?? [];
    expect(existsSync(log)).toBe(true);
    expect(arrays()).toEqual(['--array=0-3%100', '--array=0-0%100', '--array=0-0%100']);
  });

  it('keeps to `retries`, and takes no answer of an earlier attempt for the new one', { tags: 'slow' }, async () => {
    const throws = troubled('throws', once('thrown', "throw new Error('no fit today');"));
    const { foldDetails } = await run({ model: throws, retries: 1 }, { directory: newPlace() });
    expect(foldDetails.map(({ status }) => status)).toEqual(Array(4).fill('completed'));
    const error = await run(
      { model: troubled('never', "throw new Error('no fit ever');"), retries: 1 },
      { directory: newPlace() },
    ).catch((thrown) => thrown);
    expect(error).toMatchObject({ name: 'FoldError', foldId: 'fold-1', cause: { message: 'no fit ever' } });
  });

  it('keeps to `foldTimeout`, and the worker ends', async () => {
    const options = { model: troubled('hangs', WAIT), foldTimeout: 0.5, onFoldError: 'record' } as const;
    const { foldDetails } = await run(options, { directory: newPlace() });
    expect(foldDetails.map(({ status }) => status)).toEqual(['completed', 'failed', 'completed', 'completed']);
    expect(foldDetails[1].error).toContain('A fold must end within 0.5 s');
    const [first] = readdirSync(state).filter((name) => name === '1_1.job');
    const { pid } = JSON.parse(readFileSync(join(state, first), 'utf8'));
    await until(() => !lives(pid));
  });

  it('cancels all jobs when it is ended, by its signal, by a callback and by an error', { tags: 'slow' }, async () => {
    const slow = troubled('slow', WAIT);
    const ends = async (options: Partial<RunOptions>) => {
      const error = await run({ model: slow, ...options }, { directory: newPlace() }).catch((thrown) => thrown);
      const jobs = readdirSync(state).filter((name) => name.endsWith('.job'));
      expect(jobs).toHaveLength(4);
      for (const job of jobs) await until(() => !lives(JSON.parse(readFileSync(join(state, job), 'utf8')).pid));
      rmSync(state, { recursive: true });
      mkdirSync(state);
      return error;
    };
    const ended = new AbortController();
    void until(() => readdirSync(state).some((name) => name.endsWith('.job'))).then(() =>
      ended.abort(new Error('enough')),
    );
    expect(await ends({ signal: ended.signal })).toMatchObject({ code: 'aborted' });
    expect((await ends({ callbacks: [{ onFoldEnd: () => 'stop' }] })).foldDetails).toHaveLength(1);
    const failing = { onFoldEnd: () => Promise.reject(new Error('no disk')) };
    expect(await ends({ callbacks: [failing] })).toMatchObject({ name: 'CallbackError' });
  });

  it('cancels what runs when it is closed', async () => {
    const executor = node.slurm({ root, directory: newPlace() });
    const going = run({ model: troubled('slow', WAIT) }, 'inline', { executor }).catch((thrown) => thrown);
    await until(() => readdirSync(state).filter((name) => name.endsWith('.job')).length === 4);
    await executor.close();
    expect(await going).toMatchObject({ code: 'closed' });
  });

  it('waits for a controller that is away', { tags: 'slow' }, async () => {
    const options = { model: troubled('brief', 'await new Promise((resolve) => setTimeout(resolve, 3000));') };
    const going = run(options, { directory: newPlace() });
    await until(() => existsSync(join(state, 'calls')) && calls('squeue').length > 0);
    happens('down');
    await until(() => calls('squeue').length > 1);
    rmSync(join(state, 'down'));
    expect((await going).foldDetails.map(({ status }) => status)).toEqual(Array(4).fill('completed'));
    expect(arrays()).toHaveLength(1);
  });

  it('goes on in a run directory, without what a killed program left running there', { tags: 'slow' }, async () => {
    const runDirectory = newPlace();
    const folds = JSON.stringify(join(runDirectory, 'folds'));
    const wait = `while (readdirSync(${folds}).filter((name) => name.endsWith('.json')).length < 3) await new Promise((resolve) => setTimeout(resolve, 20));`;
    const stop = { model: troubled('first', once('first', `${wait} throw new Error('once');`)), runDirectory };
    await expect(run(stop, {})).rejects.toThrow('once');
    const rest = join(runDirectory, 'tasks/cvkit-rest');
    mkdirSync(rest);
    const program = `import(${JSON.stringify(address('io.node.js'))}).then(({ lockMark }) => process.stdout.write(lockMark()))`;
    writeFileSync(join(rest, 'owner'), spawnSync(process.execPath, ['-e', program]).stdout);
    expect(numbersOf(await run(stop, {}))).toEqual(numbersOf(await run({}, 'inline')));
    expect(arrays()).toEqual(['--array=0-3%100', '--array=0-0%100']);
    expect(calls('scancel')).toContainEqual(['scancel', '--quiet', '--name=cvkit-rest']);
    expect(existsSync(rest)).toBe(false);
  });

  it('says what is wrong in one sentence', async () => {
    const file = write('a file', '');
    const refused = async (slurm: SlurmOptions, options: Partial<RunOptions> = {}) =>
      (await run(options, slurm).catch((thrown) => thrown)) as Error;
    expect(await refused({})).toMatchObject({ code: 'missing_option' });
    expect((await refused({ directory: file })).message).toMatch(
      /^The place '.*' must be one that can be written to. Got ENOTDIR/,
    );
    expect(await refused({ directory: newPlace(), root: join(root, 'sub') })).toMatchObject({ code: 'outside_root' });
    happens('refuse');
    expect((await refused({ directory: newPlace() })).message).toBe(
      'The command sbatch of SLURM must do its work. Got sbatch: error: Batch job submission failed: Invalid partition name specified.',
    );
    process.env.PATH = '/nowhere';
    expect((await refused({ directory: newPlace() })).message).toBe(
      'The command sbatch of SLURM must be at hand. Got none. Call it on a machine of the cluster, or take `processes`.',
    );
    process.env.PATH = `${commands}${delimiter}${before}`;
    for (const options of [{ atOnce: 0 }, { sbatch: ['--array=1-2'] }, { sbatch: ['-o', 'x'] }, { foldsPerTask: 0 }]) {
      expect(() => node.slurm(options)).toThrow(/The `\w+` option of slurm must/);
    }
  });
});

describe.skipIf(!hasSlurm)('slurm, on a cluster of one node', { tags: 'slow' }, () => {
  let cluster: Awaited<ReturnType<typeof startSlurm>>;
  beforeAll(async () => {
    cluster = await startSlurm({ cpus: 4 });
  });
  afterAll(() => cluster?.stop());
  const queue = () => cluster.call('squeue', ['-h', '-t', 'PENDING,RUNNING,COMPLETING']).trim();

  it('has the bits of one fold after the other, with one task killed', async () => {
    const options = {
      model: troubled('killed', once('killed', KILL)),
      threshold: 'youden',
      recalibrate: 'platt',
    } as const;
    const there = await run(options, { directory: newPlace(), sbatch: ['--mem=300'], atOnce: 3 });
    expect(existsSync(join(folder, 'killed'))).toBe(true);
    expect(numbersOf(there)).toEqual(numbersOf(await run({ ...options, model }, 'inline')));
    expect(queue()).toBe('');
  });

  it('goes on while the controller is killed and started again', async () => {
    const options = {
      model: troubled(
        'beside',
        `while (!existsSync(${JSON.stringify(join(folder, 'again'))})) await new Promise((resolve) => setTimeout(resolve, 20));`,
      ),
    };
    const going = run(options, { directory: newPlace() });
    await until(() => queue().includes(' R '));
    await cluster.killController();
    await cluster.startController();
    write('again', '');
    expect(numbersOf(await going)).toEqual(numbersOf(await run({}, 'inline')));
  });

  it('drops its fold when it is cancelled from outside, and does it again', async () => {
    const options = { model: troubled('dropped', once('dropped', WAIT)) };
    const going = run(options, { directory: newPlace() });
    await until(() => existsSync(join(folder, 'dropped')));
    cluster.call('scancel', ['--state=RUNNING', `--user=${userInfo().username}`]);
    expect(numbersOf(await going)).toEqual(numbersOf(await run({}, 'inline')));
  });

  it('leaves no job when it is aborted, also of tasks that wait for a node', async () => {
    const ended = new AbortController();
    const going = run(
      { model: troubled('long', WAIT), signal: ended.signal },
      { directory: newPlace(), atOnce: 1 },
    ).catch((thrown) => thrown);
    await until(() => queue().includes(' R '));
    ended.abort(new Error('enough'));
    expect(await going).toMatchObject({ code: 'aborted' });
    await until(() => queue() === '');
  });

  it('says what sbatch says', async () => {
    const error = await run({}, { directory: newPlace(), sbatch: ['--partition=none'] }).catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 'slurm_refused' });
    expect(error.message).toContain('Invalid partition name specified');
  });
});

const lives = (pid: number): boolean => {
  try {
    return process.kill(-pid, 0);
  } catch (error) {
    expect(error).toMatchObject({ code: 'ESRCH' });
    return false;
  }
};
