import { createHash } from 'node:crypto';
import { appendFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  RegulatoryComplianceLogger,
  type RegulatoryComplianceLoggerOptions,
} from '../../src/callbacks/regulatoryComplianceLogger.js';
import { verifyTrail } from '../../src/callbacks/verifyTrail.js';
import { canonicalJSON } from '../../src/core/sha256Of.js';
import type { TrailEntry } from '../../src/core/trail.js';
import { VERSION } from '../../src/core/version.js';
import type { CVCallback, RunContext } from '../../src/runner/callback.js';
import type { RunnerOptions } from '../../src/runner/runnerOptions.js';
import type { RunOptions } from '../../src/runner/runOptions.js';
import { UniversalCVRunner } from '../../src/runner/universalCVRunner.js';
import { GroupKFold } from '../../src/splitters/grouped/groupKFold.js';
import { CVKitValidator } from '../../src/validator/cvkitValidator.js';
import { cloningExecutor } from '../helpers/cloningExecutor.js';
import { NearestMean, spyAdapter } from '../helpers/nearestMean.js';
import { throwing } from '../helpers/thrown.js';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'cvkit-trail-'));
});
afterAll(() => rm(folder, { recursive: true }));

const n = 40;
/** Values and ids that stand nowhere else. */
const X = Array.from({ length: n }, (_, row) => [7351.25 + row * 1.0625, 0.918273 * row]);
const y = X.map((_, row) => row % 2);
const patients = X.map((_, row) => `MRN-${88000 + Math.floor(row / 2)}`);
const hierarchy = { site: X.map((_, row) => `Lakeside ${row % 4}`) };
const model = () => new NearestMean();

async function run(
  options: RegulatoryComplianceLoggerOptions | RegulatoryComplianceLogger = {},
  call: Partial<RunOptions> = {},
  runner: Partial<RunnerOptions> = {},
) {
  const logger = options instanceof RegulatoryComplianceLogger ? options : new RegulatoryComplianceLogger(options);
  const settings = {
    cvSplitter: new GroupKFold({ nSplits: 4, randomState: 3 }),
    adapter: spyAdapter().adapter,
    verbose: 0,
    ...runner,
  };
  const { callbacks = [], ...more } = call;
  const all = {
    model,
    data: { X, y, groups: patients, hierarchy },
    epochs: 2,
    metrics: ['accuracy', 'roc_auc'],
    ...more,
  };
  const results = await new UniversalCVRunner(settings as RunnerOptions)
    .run({ ...all, callbacks: [logger, ...[callbacks].flat()] } as RunOptions)
    .catch((error: unknown) => error as Error);
  return { logger, results, text: logger.toJSONLines() };
}

/** A run of an estimator, without epochs. */
const runOf = (model: unknown, call: object = {}) =>
  run({}, { model, epochs: undefined, ...call } as never, { adapter: undefined } as never);

/** A validation of folds that tear patients apart. */
function validation(fit: () => unknown, options: object = {}) {
  const logger = new RegulatoryComplianceLogger();
  const model = () => ({ fit, predict: (rows: unknown[]) => rows.map(() => 1) });
  const call = { model, X, y, patientIds: patients, metrics: ['accuracy'], verbose: 0, callbacks: logger };
  const validator = new CVKitValidator({ method: 'kfold', returnConfidenceIntervals: false, ...options });
  return { logger, validate: () => validator.validate(call as never) };
}

/** Events in order, those of a fold together: folds may run at once. */
const eventsOf = (entries: readonly TrailEntry[]) => {
  const ofFolds = entries.filter(({ event }) => event.startsWith('fold_'));
  const inOrder = [...ofFolds].sort((a, b) => String(a.fold).localeCompare(String(b.fold)));
  return entries.map((entry) => (ofFolds.includes(entry) ? (inOrder.shift() as TrailEntry) : entry).event);
};
const events = ({ entries }: RegulatoryComplianceLogger) => eventsOf(entries);
/** What a whole run of four folds records. */
const WHOLE = ['start', ...[0, 1, 2, 3].flatMap(() => ['fold_start', 'fold_end']), 'end'];
const find = (entries: readonly TrailEntry[], event: string) =>
  entries.find((entry) => entry.event === event) as TrailEntry;

describe('RegulatoryComplianceLogger', () => {
  it('records who, what, versions, seeds, hashes and each decision', async () => {
    const { logger, results } = await run({ author: 'A. Author', purpose: 'internal validation' } as never);
    const { metadata, meanScores, foldDetails } = results as Exclude<typeof results, Error>;
    expect(events(logger)).toEqual(WHOLE);
    const [start] = logger.entries;
    expect(start).toMatchObject({
      trail: 'cvkit-trail-1',
      index: 0,
      run: 1,
      previous: '0'.repeat(64),
      actor: 'A. Author',
      purpose: 'internal validation',
      versions: { cvkit: VERSION, runtime: `node ${process.versions.node}` },
      splitter: 'GroupKFold',
      design: metadata.design,
      foldFingerprint: metadata.foldFingerprint,
      rows: n,
      patients: 20,
      task: 'binary',
      randomState: metadata.randomState,
      given: ['groups', 'hierarchy'],
    });
    expect(start.time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    const end = find(logger.entries, 'end');
    // The hashes are those of the manifest, in full.
    expect(end).toMatchObject({
      sha256: metadata.sha256,
      model: metadata.model,
      engine: metadata.engine,
      meanScores,
      stopped: false,
    });
    const [first] = foldDetails;
    expect(find(logger.entries, 'fold_start')).toMatchObject({
      fold: 'fold-0',
      place: 0,
      seed: first.seed,
      nTrain: first.nTrain,
      nTest: first.nTest,
    });
    expect(find(logger.entries, 'fold_end')).toMatchObject({
      fold: 'fold-0',
      status: 'completed',
      nFitted: first.nFitted,
      epochs: 2,
      stoppedEarly: false,
    });
  });

  it('hashes the rows of a fold as docs/manifest.md says', async () => {
    const { logger, results } = await run();
    const { plan } = results as Exclude<typeof results, Error>;
    const { train, test } = plan.at(1);
    const hash = createHash('sha256')
      .update(`${JSON.stringify(['fold', train.length, test.length])}\n`)
      .update(new Uint8Array(train.buffer))
      .update(new Uint8Array(test.buffer));
    const started = logger.entries.find(({ event, fold }) => event === 'fold_start' && fold === 'fold-1');
    expect(started?.sha256).toBe(hash.digest('hex'));
  });

  it('chains its entries: each hash is the SHA-256 of the canonical JSON of the rest', async () => {
    const { logger, text } = await run();
    let previous = '0'.repeat(64);
    for (const line of text.split('\n').slice(0, -1)) {
      const { hash, ...rest } = JSON.parse(line);
      expect(rest.previous).toBe(previous);
      previous = createHash('sha256').update(canonicalJSON(rest)).digest('hex');
      expect(hash).toBe(previous);
    }
    expect(logger.head).toEqual({ entries: 10, hash: previous });
    expect(await verifyTrail(text, { head: logger.head })).toMatchObject({ valid: true });
    expect(Object.isFrozen(logger.entries[0])).toBe(true);
  });

  it('holds no ids and no values of rows, whatever models, metrics and folds say', async () => {
    const words = `cannot read ${X[5][0]}`;
    let fits = 0;
    const talkative = () => ({
      fit: () => {
        if (fits++ === 1) throw new Error(words);
      },
      predict: (rows: unknown[]) => rows.map((_, row) => row % 2),
      predictProba: undefined,
    });
    const { logger, text, results } = await runOf(talkative, {
      metrics: undefined,
      onFoldError: 'record',
      scoring: { [`of ${patients[7]}`]: 'accuracy' },
      callbacks: [{ onCvStart: ({ warn }: RunContext) => warn(`Look at ${patients[3]} of Lakeside 2.`) }],
    });
    const failed = logger.entries.find(({ status }) => status === 'failed') as TrailEntry;
    expect(failed.error).toEqual({
      name: 'Error',
      code: 'fold',
      message: expect.stringMatching(/^withheld, HMAC-SHA-256 [\da-f]{64}$/),
    });
    expect(String(results)).not.toMatch(/Error/);
    expect(find(logger.entries, 'end').warnings).toContainEqual(expect.stringMatching(/^withheld, HMAC-SHA-256 /));
    for (const id of [...patients, ...hierarchy.site]) expect(text).not.toContain(id);
    for (const value of X.flat().filter((each) => String(each).length > 4)) expect(text).not.toContain(String(value));
    expect(text.match(/MRN|Lakeside|7351\./g)).toBeNull();
  });

  it('withholds texts that quote a class of y, of errors of cvkit as well', async () => {
    const labels = y.map((label) => (label === 1 ? 'Zosterkind' : 'Yarrowfolk'));
    const strange = () => ({ fit: () => undefined, predict: (rows: unknown[]) => rows.map(() => 'other') });
    const data = [X, labels, patients];
    const { text, logger } = await runOf(strange, { data, positiveLabel: 'Zosterkind', onFoldError: 'record' });
    expect(find(logger.entries, 'fold_end').error).toMatchObject({
      name: 'AdapterError',
      message: expect.stringMatching(/^withheld/),
    });
    expect(text).not.toMatch(/Zosterkind|Yarrowfolk/);
    expect(logger.entries[0].classes).toBe(2);
  });

  it('tells thresholds and recalibrations, early stops, and the trials of a search', async () => {
    const probable = () => ({
      fit: () => undefined,
      predict: (rows: number[][]) => rows.map((_, row) => row % 2),
      predictProba: (rows: number[][]) => rows.map(([a]) => [1 - (a % 1), a % 1]),
    });
    const { logger, text } = await runOf(probable, { threshold: 'youden', recalibrate: 'isotonic' });
    const threshold = { value: expect.any(Number), rule: 'youden' };
    expect(find(logger.entries, 'fold_end').adjustment).toMatchObject({ recalibration: 'isotonic', threshold });
    expect(text).not.toContain('"to":');
    const stopping: CVCallback = {
      onEpochEnd: () => 'stop',
      onFoldEnd: ({ index }) => (index === 1 ? 'stop' : undefined),
    };
    const stopped = await run({}, { callbacks: [stopping] });
    expect(find(stopped.logger.entries, 'fold_end')).toMatchObject({ stoppedEarly: true, epochs: 1 });
    expect(find(stopped.logger.entries, 'end')).toMatchObject({ stopped: true, foldsRun: 2 });
    const searching = new RegulatoryComplianceLogger();
    const runner = new UniversalCVRunner({ cvSplitter: new GroupKFold({ nSplits: 2, randomState: 3 }), verbose: 0 });
    await runner.runWithHyperparameterTuning({
      modelFn: ({ shift }: { shift: number }) => ({
        fit: () => undefined,
        predict: (rows: number[][]) => rows.map((_, row) => (row + shift) % 2),
      }),
      ...{ paramGrid: { shift: [0, 1] }, data: { X, y, groups: patients }, callbacks: [searching] },
    } as never);
    // Two searches within the outer folds and one on all rows, two trials each.
    expect(events(searching).filter((event) => event === 'trial')).toHaveLength(6);
    expect(events(searching)[0]).toBe('start');
    const trial = { search: 'fold-0', trial: 0, state: 'complete', params: { shift: 0 } };
    expect(find(searching.entries, 'trial')).toMatchObject(trial);
    expect(find(searching.entries, 'fold_start').params).toHaveProperty('shift');
  });

  it('tells what the checks of a validation found', async () => {
    const { logger, validate } = validation(() => undefined);
    const result = await validate();
    // Those of the result come after training.
    const before = result.checks.filter(({ kind }) => kind !== 'result');
    const expected = before.map(({ code, type, status, severity }) => ({ code, type, status, severity }));
    expect(logger.entries[0].checks).toEqual(expected);
    expect(expected).toContainEqual(expect.objectContaining({ code: 'CVL001', status: 'failed' }));
    expect(logger.toJSONLines()).not.toContain('MRN');
  });

  it.each([
    ['inline', {}],
    ['copied, several at once', { executor: cloningExecutor(4) }],
  ] as const)(
    'works on an executor that is %s, and ends with an error where something throws',
    async (_name, runner) => {
      const plain = await run({}, {}, runner as never);
      expect(plain.results).not.toBeInstanceOf(Error);
      expect(events(plain.logger).filter((event) => event === 'fold_end')).toHaveLength(4);
      expect(await verifyTrail(plain.text)).toMatchObject({ valid: true });
      const bad = {
        name: 'bad',
        onFoldEnd: ({ index }: { index: number }) => {
          if (index === 1) throw new Error('boom');
        },
      };
      const broken = await run({}, { callbacks: [bad] }, runner as never);
      expect(String(broken.results)).toContain('boom');
      expect(events(broken.logger).at(-1)).toBe('error');
      expect(broken.text).not.toContain('boom');
      expect(await verifyTrail(broken.text)).toMatchObject({ valid: true });
      // The logger can be used again, and the trail goes on.
      const again = await run(broken.logger);
      expect(events(again.logger).at(-1)).toBe('end');
      expect(again.logger.entries.at(-1)?.run).toBe(2);
      expect(await verifyTrail(again.text, { head: again.logger.head })).toMatchObject({ valid: true });
    },
  );

  it('serves one run at a time', async () => {
    const logger = new RegulatoryComplianceLogger();
    const [a, b] = await Promise.all([run(logger), run(logger)]);
    expect([a, b].map(({ results }) => results instanceof Error).sort()).toEqual([false, true]);
    expect(String([a, b].find(({ results }) => results instanceof Error)?.results)).toContain(
      'must serve one run at a time',
    );
    // The end of the run that was refused is not that of the other.
    expect(events(logger)).toEqual(WHOLE);
    expect(await verifyTrail(logger.entries)).toMatchObject({ valid: true });
  });
});

describe('warnings in a trail', () => {
  /** What the end of a run says of its warnings, and what the results say. */
  async function warned(call: Partial<RunOptions>, runner: Partial<RunnerOptions> = {}) {
    const { logger, results, text } = await run({}, call, runner);
    expect(results).not.toBeInstanceOf(Error);
    const { warnings } = (results as Exclude<typeof results, Error>).metadata;
    return { text, warnings, told: find(logger.entries, 'end').warnings };
  }
  const words = 'Row 3 of Mr Jones has glucose 412.';
  const { adapter } = spyAdapter();
  const warningFit = async (...args: Parameters<typeof adapter.fit>) => ({
    ...(await adapter.fit(...args)),
    warnings: [words],
  });
  const halves = () => {
    const [train, test] = [0, n / 2].map((from) => Array.from({ length: n / 2 }, (_, row) => from + row));
    const folds = [
      { train, test },
      { train: test, test: train },
    ];
    return Object.assign(folds, { warnings: [words] });
  };
  const takeRows = async (rows: Int32Array) => Array.from(rows, (row) => X[row]);

  it.each<[source: string, call: Partial<RunOptions>, runner: Partial<RunnerOptions>]>([
    ['the data set', { data: { X, y, groups: patients, warnings: [words] } as RunOptions['data'] }, {}],
    ['a callback', { callbacks: [{ onCvStart: ({ warn }) => warn(words) }] }, {}],
    [
      'a row source',
      { data: { X: { length: n, take: takeRows, warnings: [words] }, y, groups: patients } as never },
      {},
    ],
    [
      'the session of an adapter',
      {},
      { adapter: { ...adapter, open: () => ({ info: {}, warnings: [words], close: async () => undefined }) } as never },
    ],
    ['the fits of a model', {}, { adapter: { ...adapter, fit: warningFit } }],
    ['a splitter', {}, { cvSplitter: { name: 'Halves', split: halves } as never }],
  ])('are withheld where they come from %s', async (_source, call, runner) => {
    const { text, warnings, told } = await warned(call, runner);
    const foreign = warnings.filter((warning) => warning.includes(words));
    expect(foreign).toHaveLength(1);
    expect(told).toHaveLength(warnings.length);
    expect(told).toContainEqual(expect.stringMatching(/^withheld, HMAC-SHA-256 [\da-f]{64}$/));
    expect(text).not.toMatch(/Jones|glucose/);
  });

  it('are hashed with a key of the run: equal texts are equal in one run, and not found by hashing all that there are', async () => {
    const callbacks = [{ onCvStart: ({ warn }: RunContext) => warn('12345678') }, { onCvEnd: () => undefined }];
    const [one, other] = [await warned({ callbacks }), await warned({ callbacks })].map(({ told, warnings }) => {
      const at = warnings.findIndex((warning) => warning.includes('12345678'));
      return { text: warnings[at], hash: (told as string[])[at] };
    });
    expect(one.text).toBe(other.text);
    expect(one.hash).not.toBe(other.hash);
    for (const text of [one.text, '12345678']) {
      expect(one.hash).not.toContain(createHash('sha256').update(text).digest('hex'));
    }
  });

  it('stand in full where cvkit wrote them', async () => {
    const data = { X, y, groups: patients, timestamps: y.map((_, row) => row) };
    const { warnings, told } = await warned({ data }, { cvSplitter: new GroupKFold({ nSplits: 4 }) });
    expect(warnings).not.toEqual([]);
    expect(told).toEqual(warnings);
  });
});

describe('what breaks off', () => {
  it('names the fold that failed, and the code of its error', async () => {
    const { logger, results, text } = await runOf(() => ({ fit: throwing('Mr Jones'), predict: () => [] }));
    expect(results).toBeInstanceOf(Error);
    expect(logger.entries.at(-1)).toMatchObject({
      event: 'error',
      fold: 'fold-0',
      error: { name: 'Error', code: 'fold', message: expect.stringMatching(/^withheld/) },
    });
    expect(text).not.toContain('Jones');
  });

  it('is told after the end, too, where a later callback throws', async () => {
    const { logger } = await run({}, { callbacks: [{ onCvEnd: throwing('boom') }] });
    expect(events(logger).slice(-2)).toEqual(['end', 'error']);
    expect(logger.entries.at(-1)).toMatchObject({ run: 1, fold: null, error: { code: 'callback' } });
    const again = await run(logger);
    expect(again.results).not.toBeInstanceOf(Error);
    expect(events(logger).at(-1)).toBe('end');
  });

  it("is told of a run that checkLeakage 'strict' refused, with the checks that failed", async () => {
    const { logger, validate } = validation(() => expect.unreachable(), { checkLeakage: 'strict' });
    await expect(validate()).rejects.toMatchObject({ code: 'leakage' });
    expect(events(logger)).toEqual(['start', 'error']);
    expect(logger.entries[0].checks).toContainEqual(expect.objectContaining({ code: 'CVL001', status: 'failed' }));
    expect(logger.entries[1].error).toMatchObject({ name: 'LeakageError', code: 'leakage' });
    expect(logger.toJSONLines()).not.toContain('MRN');
  });
});

describe('the file of a trail', () => {
  const path = (name: string) => join(folder, `${name}.jsonl`);

  it.each(['existing', 'new'])('that is %s is shared by runs at once: one chain holds them all', async (kind) => {
    const name = `at once, ${kind}`;
    const before = kind === 'existing' ? 1 : 0;
    if (before > 0) await run({ path: path(name) });
    const runs = await Promise.all([1, 2, 3].map(() => run({ path: path(name) })));
    for (const { results } of runs) expect(results).not.toBeInstanceOf(Error);
    const text = await readFile(path(name), 'utf8');
    expect(await verifyTrail(text)).toMatchObject({ valid: true, entries: 10 * (3 + before) });
    const entries: TrailEntry[] = JSON.parse(`[${text.trim().replaceAll('\n', ',')}]`);
    for (let number = 1; number <= 3 + before; number++) {
      expect(eventsOf(entries.filter((entry) => entry.run === number))).toEqual(WHOLE);
    }
    for (const { logger } of runs)
      expect(await verifyTrail(text, { head: logger.head })).toMatchObject({ valid: true });
    expect(await readdir(folder)).not.toContainEqual(expect.stringMatching(/\.lock/));
  });

  it('is refused where another trail was put in its place', async () => {
    const other = await run({ path: path('another') });
    const swap = { onFoldEnd: () => writeFile(path('mine'), other.text) };
    const { results } = await run({ path: path('mine') }, { callbacks: [swap] });
    expect(results).toMatchObject({ cause: { code: 'invalid_trail' } });
    expect(String(results)).toContain('it is another trail');
    expect(await readFile(path('mine'), 'utf8')).toBe(other.text);
  });

  it('is written line by line: each stands there before the run goes on', async () => {
    const seen: number[] = [];
    const reader = {
      onFoldEnd: async () => void seen.push((await readFile(path('lines'), 'utf8')).split('\n').length - 1),
    };
    const { text, logger } = await run({ path: path('lines') }, { callbacks: [reader] });
    // One line each for the start, and for the start and end of each fold; with folds at once all have begun.
    expect(seen).toEqual(seen[0] === 3 ? [3, 5, 7, 9] : [6, 7, 8, 9]);
    expect(await readFile(path('lines'), 'utf8')).toBe(text);
    expect(await verifyTrail(text, { head: logger.head })).toMatchObject({ valid: true, entries: 10 });
  });

  it('is verified and continued by another logger', async () => {
    const first = await run({ path: path('twice') });
    const { logger } = await run({ path: path('twice') });
    const text = await readFile(path('twice'), 'utf8');
    expect(text.startsWith(first.text)).toBe(true);
    expect(logger.entries).toHaveLength(20);
    expect([logger.entries[0].run, logger.entries[10].run, logger.entries[10].index]).toEqual([1, 2, 10]);
    expect(await verifyTrail(text, { head: logger.head })).toMatchObject({ valid: true });
    // The head of the first run still fits.
    expect(await verifyTrail(text, { head: first.logger.head })).toMatchObject({ valid: true });
  });

  it('is refused, and left as it is, where its chain is broken or it is no trail', async () => {
    const { text } = await run({ path: path('broken') });
    const cases: [content: string, says: RegExp][] = [
      [text.replace('"nTrain":30', '"nTrain":31'), /entry 1: it was changed/],
      [text.split('\n').toSpliced(4, 1).join('\n'), /entry 4: it says that it is entry 5/],
      [text.slice(0, -30), /entry 9: it breaks off before the end of its line/],
      ['age,sex\n61,f\n', /entry 0: it is not as it was written/],
    ];
    for (const [content, says] of cases) {
      await writeFile(path('broken'), content);
      const { results, logger } = await run({ path: path('broken') });
      expect(results).toMatchObject({ cause: { code: 'invalid_trail' } });
      expect(String(results)).toMatch(says);
      expect(await readFile(path('broken'), 'utf8')).toBe(content);
      expect(logger.entries).toEqual([]);
    }
  });

  it('is refused where it cannot be written, and where somebody else writes to it', async () => {
    const nowhere = await run({ path: join(folder, 'no', 'such', 'folder.jsonl') });
    expect(nowhere.results).toMatchObject({ cause: { code: 'unwritable_trail' } });
    const stranger = { onFoldEnd: () => appendFile(path('shared'), 'x\n') };
    const { results, logger } = await run({ path: path('shared') }, { callbacks: [stranger] });
    expect(String(results)).toMatch(/entry [36]: it is not as it was written/);
    // Nothing is added to a trail that is no longer its own.
    expect(await readFile(path('shared'), 'utf8')).toBe(`${logger.toJSONLines()}x\n`);
  });

  it('is none without a path', async () => {
    const before = await readdir(folder);
    await run();
    expect(await readdir(folder)).toEqual(before);
  });
});
