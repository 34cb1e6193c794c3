/** Results from run directories alone, by the built package: `resultsFrom`, and `mergeRuns` without a call. */
import { writeFileSync } from 'node:fs';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import type { CVResults, RunOptions, TuningResults, ValidationResult } from '../../src/index.js';
import { DIST, needDist } from '../meta/dist.js';
import { countedRuns, model, patients, thrownBy, X, y } from './countedRuns.js';

let cvkit: typeof import('../../src/index.js');
let node: typeof import('../../src/node/index.js');
let preprocessing: typeof import('../../src/preprocessing/index.js');

let place: string;
const { folder, fits } = countedRuns((each) => {
  place = each;
});
const data = { module: pathToFileURL(join(folder, 'data.mjs')), export: 'load' };
const rows = { X, y, patientIds: patients };

beforeAll(async () => {
  needDist();
  const entry = (name: string) => import(/* @vite-ignore */ pathToFileURL(join(DIST, 'node', name)).href);
  cvkit = await entry('index.js');
  node = await entry('node.js');
  preprocessing = await entry('preprocessing.js');
  const text = `import { readFileSync } from 'node:fs';
    export const load = () => JSON.parse(readFileSync(new URL('rows.json', import.meta.url), 'utf8'));`;
  writeFileSync(join(folder, 'data.mjs'), text);
  writeRows(rows);
});
const writeRows = (value: object) => writeFileSync(join(folder, 'rows.json'), JSON.stringify(value));

const runner = () =>
  new cvkit.UniversalCVRunner({
    ...{ cvSplitter: new cvkit.GroupKFold({ nSplits: 4, randomState: 1 }), verbose: 0, randomState: 7 },
  });
const run = (more: Partial<RunOptions> = {}): Promise<CVResults> =>
  runner().run({ model, data, runDirectory: place, ...more } as RunOptions);
const validate = (more: object = {}) =>
  new cvkit.CVKitValidator({ nSplits: 4, ciFits: 5, nBootstrap: 100 }).validate({
    ...{ model, ...rows, runDirectory: place, copyData: true, verbose: 0, ...more },
  });
/** What a reader has of results, but for when they were made and how long that took. */
const readable = (results: { toJSON(options?: object): unknown }) =>
  JSON.parse(JSON.stringify(results.toJSON({ ids: 'raw' })), (name, value) =>
    /^seconds|^startedAt$/.test(name) ? undefined : value,
  );
const resultIn = (of: string) => readFile(join(of, 'result.json'), 'utf8');

describe('resultsFrom', () => {
  it.each([
    ['data of a module', {}],
    ['data that were copied', { data: [X, y, patients], copyData: true }],
    ['steps and a threshold', { preprocessing: true, threshold: { fixed: 0.4 }, recalibrate: 'platt' }],
  ])('gives what run gave, and trains nothing: %s', async (_, more) => {
    const steps = 'preprocessing' in more ? { preprocessing: new preprocessing.StandardScaler() } : {};
    const first = await run({ ...more, ...steps } as Partial<RunOptions>);
    const [trained, written] = [await fits(), await resultIn(place)];
    const again = await node.resultsFrom(place);
    expect(readable(again)).toEqual(readable(first));
    expect(again.outOfFold).toEqual(first.outOfFold);
    expect(await fits()).toBe(trained);
    expect(await resultIn(place)).toBe(written);
  });

  it('gives what validate gave, its intervals and checks included', async () => {
    const first = await validate();
    const trained = await fits();
    const again = await node.resultsFrom<ValidationResult>(place);
    expect(again.confidenceIntervals).toEqual(first.confidenceIntervals);
    expect(again.checks).toEqual(first.checks);
    expect(again.verdict).toEqual(first.verdict);
    expect(await fits()).toBe(trained);
  });

  it('gives what records with empty cells and texts gave; rows and ids are in `data` alone, for their owner', async () => {
    const records = X.map(([first], row) => ({
      first,
      word: row % 5 === 0 ? undefined : `w${row % 3}`,
      none: row % 4 === 0 ? null : row,
    }));
    const ofRecords = { X: records, y, groups: patients };
    const steps = { model: new URL('./models/centroid.mjs', import.meta.url), preprocessing: preprocessing.tabular() };
    const options = { ...steps, data: ofRecords, copyData: true } as Partial<RunOptions>;
    const first = await run(options);
    expect((await node.resultsFrom(place)).outOfFold).toEqual(first.outOfFold);
    await run({ ...options, dryRun: true } as never);
    for (const name of await readdir(place, { recursive: true })) {
      const facts = await stat(join(place, name));
      if (facts.isDirectory()) continue;
      const holdsIds = (await readFile(join(place, name), 'utf8')).includes('patient-7');
      expect([name, holdsIds && (facts.mode & 0o777).toString(8)]).toEqual([
        name,
        name.startsWith('data') && holdsIds && '600',
      ]);
    }
  });

  it('gives what a search gave', async () => {
    const first = await runner().runWithHyperparameterTuning({
      ...{ modelFn: new URL('./models/tuned.mjs', import.meta.url), data, runDirectory: place, scoring: 'log_loss' },
      ...{ paramGrid: { shrink: [0, 0.2, 0.5] }, sampler: 'grid' },
    });
    const trained = await fits();
    const again = await node.resultsFrom<TuningResults>(place);
    expect(readable(again)).toEqual(readable(first));
    expect(await fits()).toBe(trained);
  });

  it('is the first place where folds that workers did become results', async () => {
    await runner().run({ model, data, runDirectory: place, dryRun: true });
    const error = await thrownBy(() => node.resultsFrom(place));
    expect(error.code).toBe('unfinished_run');
    expect(error.message).toContain('Got none of fold-0. Make the call again, which goes on');
  });

  it('says what it cannot make again, and what is not as it was', async () => {
    expect(await thrownBy(() => node.resultsFrom(join(folder, 'none')))).toMatchObject({ code: 'no_run_directory' });

    await run({ data: [X, y, patients] });
    const uncopied = await thrownBy(() => node.resultsFrom(place));
    expect(uncopied.code).toBe('no_stored_call');
    expect(uncopied.message).toContain('Got data that neither a module nor `copyData` gives.');

    place += '-function';
    const own = { onFoldEnd: () => undefined };
    await run({ callbacks: [own], resumeKey: '1' } as Partial<RunOptions>);
    expect((await thrownBy(() => node.resultsFrom(place))).message).toContain('Got `callbacks` of your own.');

    place += '-data';
    await run();
    writeRows({ ...rows, y: y.toReversed() });
    const other = await thrownBy(() => node.resultsFrom(place));
    writeRows(rows);
    expect(other.code).toBe('other_run');

    const [name] = await readdir(join(place, 'folds'));
    const text = await readFile(join(place, 'folds', name), 'utf8');
    await writeFile(
      join(place, 'folds', name),
      text.replace(/\d/, (digit) => String((Number(digit) + 1) % 10)),
    );
    expect(await thrownBy(() => node.resultsFrom(place))).toMatchObject({ code: 'damaged_run_directory' });
  });
});

describe('mergeRuns without a call', () => {
  it('gives what one run would, in a folder of its own or none', async () => {
    const parts = ['1/3', '2/3', '3/3'].map((shard) => ({ shard, runDirectory: `${place}-${shard[0]}` }));
    for (const part of parts) await run(part);
    const places = parts.map(({ runDirectory }) => runDirectory);
    const whole = await run({ runDirectory: null } as never);
    const trained = await fits();
    const merged = await node.mergeRuns(places, { into: place });
    expect(merged.scores).toEqual(whole.scores);
    expect(merged.outOfFold).toEqual(whole.outOfFold);
    expect(merged.folds.map(({ ctx }) => ctx.fold)).toEqual(['fold-0', 'fold-1', 'fold-2', 'fold-3']);
    expect((await node.mergeRuns(places)).scores).toEqual(whole.scores);
    expect((await node.resultsFrom(place)).scores).toEqual(whole.scores);
    expect(await fits()).toBe(trained);
  });

  it('refuses to train a fold that no part has', async () => {
    await run({ shard: '1/3' });
    const other = `${place}-3`;
    await run({ shard: '3/3', runDirectory: other });
    const trained = await fits();
    const error = await thrownBy(() => node.mergeRuns([place, other]));
    expect(error.code).toBe('unfinished_run');
    expect(error.message).toContain('must hold all folds. Got none of fold-1.');
    expect(await fits()).toBe(trained);
  });

  it('trains the fits for intervals, which no part has', async () => {
    const parts = ['1/2', '2/2'].map((shard) => ({ shard, runDirectory: `${place}-${shard[0]}` }));
    for (const part of parts) await validate(part);
    const merged = await node.mergeRuns<ValidationResult>(parts.map(({ runDirectory }) => runDirectory));
    const whole = await validate({ runDirectory: null, copyData: false });
    expect(merged.confidenceIntervals).toEqual(whole.confidenceIntervals);
  });

  it('refuses parts of other runs', async () => {
    await run({ shard: '1/2' });
    const other = `${place}-other`;
    await run({ shard: '2/2', runDirectory: other, epochs: undefined, threshold: { fixed: 0.3 } } as never);
    expect(await thrownBy(() => node.mergeRuns([place, other]))).toMatchObject({ code: 'other_run' });
  });
});
