import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, cp, mkdir, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CVResults, RunOptions } from '../../src/index.js';
import { type Holder, type RunLock, takeRunLock } from '../../src/node/directory/runLock.js';
import { DIST, needDist } from '../meta/dist.js';
import { breakOff, countedRuns, model, patients, thrownBy, X, y } from './countedRuns.js';

let cvkit: typeof import('../../src/index.js');

beforeAll(async () => {
  needDist();
  cvkit = await import(/* @vite-ignore */ pathToFileURL(join(DIST, 'node', 'index.js')).href);
});

let place: string;
const { folder, fits } = countedRuns((each) => {
  place = each;
});

const run = (options: Partial<RunOptions> = {}) =>
  new cvkit.UniversalCVRunner({
    cvSplitter: new cvkit.GroupKFold({ nSplits: 4, randomState: 1 }),
    verbose: 0,
  }).run({ model, data: [X, y, patients], runDirectory: place, ...options } as RunOptions);

const files = async (of = place) => (await readdir(join(of, 'folds'))).sort();
const fileOf = async (fold: string) =>
  join(place, 'folds', (await files()).find((name) => name.startsWith(`${fold}.`)) as string);
const numbersOf = ({ scores, estimates, outOfFold, histories }: CVResults) => ({
  ...{ scores, estimates, outOfFold, histories },
});
const log = async () =>
  (await readFile(join(place, 'log.jsonl'), 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

/** The same call in a directory that has nothing but the salt of pseudonyms of `place`. */
async function undisturbed() {
  const other = `${place}-undisturbed`;
  await mkdir(join(other, 'private'), { recursive: true });
  await cp(join(place, 'run.json'), join(other, 'run.json'));
  await cp(join(place, 'private', 'salt'), join(other, 'private', 'salt'));
  return other;
}
const resultIn = (of: string) => readFile(join(of, 'result.json'), 'utf8');

describe('a run with a directory', () => {
  it('gives what it gives without one, and trains no fold a second time', async () => {
    const first = await run();
    const again = await run();
    expect(await fits()).toBe(4);
    expect(numbersOf(again)).toEqual(numbersOf(first));
    expect(numbersOf(first)).toEqual(numbersOf(await run({ runDirectory: null } as never)));
    expect(again.foldDetails.map(({ seconds }) => seconds)).not.toContain(0);
  });

  it('tells callbacks which folds it kept', async () => {
    const kept: unknown[] = [];
    class Watching {
      onFoldEnd(_ctx: unknown, result: { kept?: true }) {
        kept.push(result.kept);
      }
    }
    const options = { callbacks: [new Watching()], resumeKey: '1' } as Partial<RunOptions>;
    await breakOff(() => run(options), 2);
    await run(options);
    expect(kept).toEqual([undefined, undefined, true, true, undefined, undefined]);
  });

  it('goes on where it broke off, to the same bytes of the result', async () => {
    await breakOff(run, 2);
    expect(await files()).toHaveLength(2);
    await run();
    expect(await fits()).toBe(4);
    const other = await undisturbed();
    await run({ runDirectory: other });
    expect(await resultIn(place)).toBe(await resultIn(other));
    expect(await files(other)).toEqual(await files());
  });

  it('keeps the fits for the intervals of a validation, also when the process is killed among them', async () => {
    /** In a process of its own, whose model has the text of its file. */
    const validate = async (runDirectory: string, env = {}) => {
      const program = `
        const { CVKitValidator } = await import(${JSON.stringify(pathToFileURL(join(DIST, 'node', 'index.js')).href)});
        const { X, y, patientIds, runDirectory, model } = ${JSON.stringify({ X, y, patientIds: patients, runDirectory, model })};
        await new CVKitValidator({ nSplits: 4, ciFits: 6 }).validate({ model, X, y, patientIds, runDirectory, verbose: 0 });`;
      const options = { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'inherit'] as const };
      return once(spawn(process.execPath, ['--input-type=module', '-e', program], options as object), 'exit');
    };
    expect(await validate(place, { BREAKS_AFTER: '7', KILLED: '1' })).toEqual([null, 'SIGKILL']);
    const kept = (await files()).length;
    expect(kept).toBeGreaterThanOrEqual(6);
    expect(await validate(place)).toEqual([0, null]);
    expect((await files()).length).toBeGreaterThan(kept);
    const other = await undisturbed();
    await validate(other);
    expect(await resultIn(place)).toBe(await resultIn(other));
    expect((await readFile(join(place, 'report.html'), 'utf8')).startsWith('<!')).toBe(true);
  });

  it('keeps row numbers and predictions, and neither X nor y nor ids; what is private has its own file and mode', async () => {
    await run();
    const text = await readFile(await fileOf('fold-1'), 'utf8');
    expect(text).not.toContain('patient-');
    expect(text).not.toContain(String(X[1][0]));
    const { outcome } = JSON.parse(text);
    expect(Object.keys(outcome.tables.table)).toEqual(['row', 'yPred', 'yProba']);
    expect(text).not.toContain('yTrue');
    expect(text).not.toContain('seconds');
    const modes = await Promise.all(
      ['.', 'folds', 'private', 'private/salt', 'result.json'].map(
        async (name) => (await stat(join(place, name))).mode & 0o777,
      ),
    );
    if (process.platform !== 'win32') expect(modes).toEqual([0o700, 0o700, 0o700, 0o600, 0o600]);
    const trail = await readFile(join(place, 'log.jsonl'), 'utf8');
    expect(await cvkit.verifyTrail(trail)).toMatchObject({ valid: true, entries: 6 });
  });

  it('keeps saved models inside, and finds them again', async () => {
    const { LogisticRegression } = await import(
      /* @vite-ignore */ pathToFileURL(join(DIST, 'node', 'estimators.js')).href
    );
    const call = { model: new LogisticRegression(), keepModels: 'save' as const };
    const first = await run(call);
    expect(first.models).toEqual([0, 1, 2, 3].map((fold) => join(place, 'models', `fold-${fold}`)));
    const again = await run(call);
    const loaded = await cvkit.loadModel(again.models[0] as string);
    expect(loaded.describe()).toBeDefined();
  });

  it.each([
    ['other options', () => run({ epochs: 3 }), 'other_run', '`run.epochs` 3, before left out'],
    ['other labels', () => run({ data: [X, y.with(0, 1 - y[0]), patients] }), 'other_run', 'other `data.y`'],
    ['other patients', () => run({ data: [X, y, X.map((_, row) => row % 80)] }), 'other_run', 'other `data.groups`'],
    ['functions in no module', () => run({ model: () => undefined }), 'unnamed_function', '`model`'],
    ['models in memory', () => run({ keepModels: 'memory' }), 'invalid_option', 'keeps no memory'],
  ])('refuses %s, and leaves the directory as it is', async (_, call, code, text) => {
    await run();
    const before = await log();
    const error = await thrownBy(call);
    expect(error).toMatchObject({ code });
    expect(error.message).toContain(text);
    expect(await log()).toEqual(before);
    await run();
    expect(await fits()).toBe(4);
  });

  it('takes a function with the word of the caller, and no longer when that is another one', async () => {
    const factory = { model: async () => (await import(String(model))).default() };
    await run({ ...factory, resumeKey: 'model of May' });
    const error = await thrownBy(() => run({ ...factory, resumeKey: 'model of June' }));
    expect(error.message).toContain('`run.resumeKey` "model of June", before "model of May"');
  });

  it('that has kept nothing yet takes another call', async () => {
    await breakOff(run, 0);
    await run({ metrics: ['brier'] });
    expect(await fits()).toBe(4);
  });

  it('refuses a folder with other files', async () => {
    await mkdir(place);
    await writeFile(join(place, 'thesis.txt'), 'text');
    expect(await thrownBy(run)).toMatchObject({ code: 'no_run_directory' });
    expect(await readdir(place)).toEqual(['thesis.txt']);
  });

  it('begins in a folder where it was killed as it began, and leaves no rest of that', async () => {
    await mkdir(place);
    const child = spawn(process.execPath, ['-e', '']);
    await takeRunLock(place, false);
    const mark = (await readFile(join(place, 'lock'), 'utf8')).replace(`\n${process.pid}\n`, `\n${child.pid}\n`);
    await once(child, 'exit');
    for (const name of ['lock', 'lock.some-id', 'lock.other-id.gone']) await writeFile(join(place, name), mark);
    await writeFile(join(place, 'lock.torn-id'), mark.slice(0, 30));
    await writeFile(join(place, 'run.json.0123abcd.tmp'), '{"for');
    await run();
    await writeFile(join(place, 'private', 'salt.0123abcd.tmp'), '12');
    await writeFile(join(place, 'result.json.0123abcd.tmp'), '{"for');
    await writeFile(join(place, 'call.json.0123abcd.tmp'), '{"tab');
    await writeFile(join(place, 'notes.tmp'), 'of somebody else');
    await run();
    const whole = ['call.json', 'folds', 'log.jsonl', 'notes.tmp', 'private', 'result.json', 'run.json'];
    expect((await readdir(place)).sort()).toEqual(whole);
    expect(await readdir(join(place, 'private'))).toEqual(['salt']);
  });

  it('names the fold of a byte that was changed, and of a file that is gone', async () => {
    await run();
    const path = await fileOf('fold-2');
    const text = await readFile(path, 'utf8');
    await writeFile(path, text.replace('yPred', 'yPreb'));
    const changed = await thrownBy(run);
    expect(changed).toMatchObject({ code: 'damaged_run_directory' });
    expect(changed.message).toMatch(/fold-2 .*which was changed/);
    await rm(path);
    expect((await thrownBy(run)).message).toMatch(/fold-2 .*which is missing/);
    await writeFile(path, text);
    await run();
    expect(await fits()).toBe(4);
  });

  it('adopts a file whose line in the log is missing, cuts half a line, and drops half a file', async () => {
    await breakOff(run, 3);
    const path = join(place, 'log.jsonl');
    const lines = (await readFile(path, 'utf8')).split('\n');
    const end = lines.findIndex((line) => line.includes('"fold":"fold-2"'));
    await truncate(path, Buffer.byteLength(`${lines.slice(0, end).join('\n')}\n`));
    await appendFile(path, lines[end].slice(0, 40));
    await writeFile(join(place, 'folds', 'fold-3.0123456789abcdef.json.00000000.tmp'), '{"sha');
    await run();
    expect(await fits()).toBe(4);
    const adopted = (await log()).filter((entry) => entry.adopted);
    expect(adopted.map(({ fold }) => fold)).toEqual(['fold-2']);
    expect((await files()).filter((name) => name.endsWith('.tmp'))).toEqual([]);
    expect(await cvkit.verifyTrail(await readFile(path, 'utf8'))).toMatchObject({ valid: true });
  });
});

describe('the lock of a run directory', () => {
  const held = async (lock: Promise<RunLock | Holder>) => (await lock) as RunLock;

  it('is held by one, and free again', async () => {
    await mkdir(place);
    const lock = await held(takeRunLock(place, false));
    expect(await takeRunLock(place, false)).toMatchObject({ pid: String(process.pid), here: true });
    expect(await thrownBy(run)).toMatchObject({ code: 'run_directory_in_use' });
    await lock.release();
    await (await held(takeRunLock(place, false))).release();
    expect(await readdir(place)).toEqual([]);
  });

  it('of a process that has ended is taken over by one of many', async () => {
    await mkdir(place);
    const child = spawn(process.execPath, ['-e', '']);
    const mark = (await held(takeRunLock(place, false))) && (await readFile(join(place, 'lock'), 'utf8'));
    await once(child, 'exit');
    const dead = mark.replace(`\n${process.pid}\n`, `\n${child.pid}\n`);
    for (let round = 0; round < 5; round++) {
      await writeFile(join(place, 'lock'), dead.replace(/\S+\n$/, `dead-${round}\n`));
      const takers = await Promise.all(Array.from({ length: 8 }, () => takeRunLock(place, false)));
      const winners = takers.filter((taker): taker is RunLock => 'release' in taker);
      expect(winners).toHaveLength(1);
      await winners[0].release();
    }
    expect(await readdir(place)).toEqual([]);
  });

  it('of another machine is taken with force alone', async () => {
    await run();
    await writeFile(join(place, 'lock'), 'elsewhere 1234 pid:[1]\n77\n12\nsome-id\n');
    const error = await thrownBy(run);
    expect(error.message).toContain('process 77 on elsewhere, another machine');
    await run({ runDirectory: { place, force: true } });
    expect(await fits()).toBe(4);
  });
});

describe('parts of a run', () => {
  let node: typeof import('../../src/node/index.js');
  beforeAll(async () => {
    node = await import(/* @vite-ignore */ pathToFileURL(join(DIST, 'node', 'node.js')).href);
  });
  const part = (shard: string) => run({ runDirectory: `${place}-${shard[0]}`, shard });

  it('done in several places are joined to the result of one run, with nothing trained again', async () => {
    const first = await part('1/3');
    expect(first.foldDetails.map(({ fold }) => fold)).toEqual(['fold-0', 'fold-3']);
    expect(first.metadata.warnings.join()).toContain('This is part 1/3: 2 of 4 folds.');
    await part('2/3');
    await part('3/3');
    expect(await fits()).toBe(4);
    const parts = [1, 2, 3].map((at) => `${place}-${at}`);
    const call = (runDirectory: string) => run({ runDirectory });
    const joined = await node.mergeRuns(parts, { into: place, call });
    expect(await fits()).toBe(4);
    const other = await undisturbed();
    const whole = await run({ runDirectory: other });
    expect(numbersOf(joined)).toEqual(numbersOf(whole));
    expect(await resultIn(place)).toBe(await resultIn(other));
    expect(await readdir(parts[0])).not.toContain('result.json');
    expect(await cvkit.verifyTrail(await readFile(join(place, 'log.jsonl'), 'utf8'))).toMatchObject({ valid: true });
  });

  it('of other runs, with a fold that was changed, or with two outcomes of one fold are refused', async () => {
    await part('1/2');
    await part('2/2');
    const parts = [1, 2].map((at) => `${place}-${at}`);
    const merge = (places: readonly string[]) => thrownBy(() => node.mergeRuns(places, { into: place }));
    await run({ runDirectory: `${place}-other`, metrics: ['brier'] });
    expect(await merge([parts[0], `${place}-other`])).toMatchObject({ code: 'other_run' });
    expect(await merge([parts[0], join(place, 'nowhere')])).toMatchObject({ code: 'no_run_directory' });
    const [name] = await files(parts[1]);
    const path = join(parts[1], 'folds', name);
    await writeFile(path, (await readFile(path, 'utf8')).replace('yPred', 'yPreb'));
    const changed = await merge(parts);
    expect(changed).toMatchObject({ code: 'damaged_run_directory' });
    expect(changed.message).toContain(`fold-1 as it was written. Got ${name}`);
  });

  it.each([
    ['without a directory', { runDirectory: null, shard: '1/2' }, 'no `runDirectory`'],
    ['that has no fold', { shard: '5/5' }, 'there are 4'],
    ['that is none', { shard: '3/2' }, "be 'i/n'"],
  ])('%s is refused', async (_, options, text) => {
    expect((await thrownBy(() => run(options as never))).message).toContain(text);
  });

  it('are verified without the data: the fold of a flipped byte is named', async () => {
    await run();
    expect(await node.verifyRun(place)).toMatchObject({
      ...{ valid: true, faults: [] },
      folds: ['fold-0', 'fold-1', 'fold-2', 'fold-3'],
    });
    const path = await fileOf('fold-1');
    const bytes = await readFile(path);
    bytes[bytes.length >> 1] ^= 1;
    await writeFile(path, bytes);
    await rm(await fileOf('fold-3'));
    const { valid, folds, faults } = await node.verifyRun(place);
    expect({ valid, folds }).toEqual({ valid: false, folds: ['fold-0', 'fold-2'] });
    expect(faults.map(({ fold, reason }) => [fold, reason])).toEqual([
      ['fold-1', 'it was changed'],
      ['fold-3', 'it is missing'],
    ]);
    const result = await resultIn(place);
    await writeFile(join(place, 'result.json'), result.replace('0.', '1.'));
    expect((await node.verifyRun(place)).faults.at(-1)).toEqual({
      ...{ fold: null, file: 'result.json', reason: 'it was changed' },
    });
    await writeFile(join(place, 'result.json'), result);
    const log = join(place, 'log.jsonl');
    await writeFile(log, (await readFile(log, 'utf8')).replace('"seconds":0', '"seconds":1'));
    expect((await node.verifyRun(place)).faults[0]).toMatchObject({ fold: null, file: 'log.jsonl' });
    expect(await thrownBy(() => node.verifyRun(folder))).toMatchObject({ code: 'no_run_directory' });
  });
});
