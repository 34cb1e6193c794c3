import { appendFileSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import type { Files } from '../../../src/core/io.js';
import { randomSource } from '../../../src/core/random.js';
import { LogisticRegression } from '../../../src/estimators/logisticRegression.js';
import { UniversalCVRunner } from '../../../src/runner/universalCVRunner.js';
import { StratifiedKFold } from '../../../src/splitters/iid/stratifiedKFold.js';
import { JournalFile, JournalRecord, JournalStorage } from '../../../src/tuning/journal/journalStorage.js';
import { createStudyLine } from '../../../src/tuning/journal/opLines.js';
import type { StudyRecord } from '../../../src/tuning/studyStorage.js';
import { temporaryFiles } from '../../helpers/journals.js';

const fileOf = temporaryFiles();
let made = 0;
const newPath = () => fileOf(`${++made}.jsonl`);
const textOf = (path: string) => readFileSync(path, 'utf8');
const linesOf = (path: string) => textOf(path).trimEnd().split('\n');
const at = new Date('2026-02-03T04:05:06.789Z');
const distribution = { kind: 'float', low: 0, high: 1, log: false, step: null } as const;

/** Notes a trial with a parameter, a report and an end: four lines. */
function writeTrial(record: StudyRecord, number: number, value = number): void {
  record.write({ type: 'create', number, state: 'running', at });
  record.write({ type: 'param', number, name: 'x', distribution, value: 0.5 });
  record.write({ type: 'report', number, step: 0, value });
  record.write({ type: 'end', number, state: 'complete', value, at });
}

/** A journal of two trials. */
async function journal(): Promise<string> {
  const path = newPath();
  const storage = new JournalStorage(path);
  const record = await storage.open('a', 'minimize');
  writeTrial(record, 0);
  writeTrial(record, 1);
  await storage.close();
  return path;
}

const values = async (path: string, name = 'a') =>
  (await new JournalStorage(path).open(name, 'minimize')).trials.map(({ value }) => value);

describe('JournalStorage', () => {
  it('writes what Optuna writes', async () => {
    const path = newPath();
    const storage = new JournalStorage(pathToFileURL(path));
    const record = await storage.open('a', 'maximize');
    record.write({ type: 'studyAttr', key: 'space', value: ['é', 1] });
    record.write({ type: 'create', number: 0, state: 'waiting', at, params: { kind: null } });
    record.write({ type: 'begin', number: 0, at });
    const kind = { kind: 'categorical', choices: ['b', null, [1]] } as const;
    record.write({ type: 'param', number: 0, name: 'kind', distribution: kind, value: null });
    const int = { kind: 'int', low: 1, high: 8, log: true, step: 1 } as const;
    record.write({ type: 'param', number: 0, name: 'n', distribution: int, value: 8 });
    record.write({ type: 'report', number: 0, step: 3, value: Number.NaN });
    record.write({ type: 'userAttr', number: 0, key: 'k', value: { deep: Number.NEGATIVE_INFINITY } });
    record.write({ type: 'end', number: 0, state: 'failed', value: null, at, reason: 'no "memory"' });
    await storage.close();
    const dated = '2026-02-03T04:05:06.789000+00:00';
    const worker = /"worker_id":"(cvkit-[^"]+)"/.exec(textOf(path))?.[1];
    const line = (code: number, rest: string) => `{"op_code":${code},"worker_id":"${worker}",${rest}}`;
    expect(linesOf(path)).toEqual([
      line(0, '"study_name":"a","directions":[2]'),
      line(2, '"study_id":0,"user_attr":{"space":["é",1]}'),
      line(
        4,
        '"study_id":0,"datetime_start":null,"state":4,"value":null,"values":null,"distributions":{},"params":{},"user_attrs":{},"system_attrs":{"fixed_params":{"kind":null}},"intermediate_values":{}',
      ),
      line(6, `"trial_id":0,"state":0,"values":null,"datetime_start":"${dated}"`),
      line(
        5,
        String.raw`"trial_id":0,"param_name":"kind","param_value_internal":1,"distribution":"{\"name\":\"CategoricalDistribution\",\"attributes\":{\"choices\":[\"b\",null,[1]]}}"`,
      ),
      line(
        5,
        String.raw`"trial_id":0,"param_name":"n","param_value_internal":8.0,"distribution":"{\"name\":\"IntDistribution\",\"attributes\":{\"step\":1,\"low\":1,\"high\":8,\"log\":true}}"`,
      ),
      line(7, '"trial_id":0,"step":3,"intermediate_value":NaN'),
      line(8, '"trial_id":0,"user_attr":{"k":{"deep":-Infinity}}'),
      expect.stringMatching(/"trial_id":0,"system_attr":\{"fail_reason":"withheld, HMAC-SHA-256 [\da-f]{64}"\}\}$/),
      line(6, `"trial_id":0,"state":3,"values":null,"datetime_complete":"${dated}"`),
    ]);
  });

  it('keeps nothing before it is flushed, and leaves no lock behind', async () => {
    const path = newPath();
    const storage = new JournalStorage(path);
    const record = await storage.open('a', 'minimize');
    const before = textOf(path);
    writeTrial(record, 0);
    expect(textOf(path)).toBe(before);
    await record.flush();
    await record.flush();
    expect(linesOf(path)).toHaveLength(5);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it('writes of several searches at once, of one storage and of others, whole lines', async () => {
    const path = newPath();
    const storages = [new JournalStorage(path), new JournalStorage(path), new JournalStorage(path)];
    const search = async (storage: JournalStorage, name: string) => {
      const record = await storage.open(name, 'minimize');
      for (let number = 0; number < 50; number++) {
        writeTrial(record, number, number / 2);
        await record.flush();
      }
    };
    const [first, second, third] = storages;
    await Promise.all([search(first, 'a'), search(first, 'b'), search(second, 'c'), search(third, 'd')]);
    const numbers = Array.from({ length: 50 }, (_, number) => number / 2);
    for (const name of ['a', 'b', 'c', 'd']) expect(await values(path, name)).toEqual(numbers);
    expect(linesOf(path).filter((line) => !JSON.parse(line).worker_id)).toEqual([]);
    expect(linesOf(path)).toHaveLength(4 * 201);
  });

  it('refuses to write to a study that somebody else wrote to, and keeps what was noted', async () => {
    const path = await journal();
    const storage = new JournalStorage(path);
    const [first, second] = [await storage.open('a', 'minimize'), await new JournalStorage(path).open('a', 'minimize')];
    writeTrial(first, 2, 20);
    writeTrial(second, 2, 30);
    await first.flush();
    const before = textOf(path);
    const message = `The study 'a' of the journal '${path}' must be searched by one process at a time. Got operations of another one since it was opened. Open it again to go on from what is there, or give each search a name of its own.`;
    await expect(second.flush()).rejects.toMatchObject({ code: 'journal_in_use', message });
    await expect(second.flush()).rejects.toMatchObject({ code: 'journal_in_use' });
    expect(textOf(path)).toBe(before);
    // The one that wrote goes on, and so do notes of a dashboard.
    appendFileSync(path, '{"op_code":3,"worker_id":"w","study_id":0,"system_attr":{"dashboard:note":"seen"}}\n');
    writeTrial(first, 3, 40);
    await storage.close();
    expect(await values(path)).toEqual([0, 1, 20, 40]);
  });

  it.each([
    '{"op_code":2,"worker_id":"w","study_id":0,"user_attr":{"a":1}}',
    '{"op_code":4,"worker_id":"w","study_id":0,"datetime_start":null}',
    '{"op_code":7,"worker_id":"w","trial_id":2,"step":9,"intermediate_value":1.0}',
  ])('refuses to write after any operation of somebody else: %s', async (line) => {
    const path = await journal();
    const storage = new JournalStorage(path);
    const record = await storage.open('a', 'minimize');
    record.write({ type: 'create', number: 2, state: 'running', at });
    await record.flush();
    appendFileSync(path, `${line}\n`);
    record.write({ type: 'userAttr', number: 2, key: 'k', value: 1 });
    await expect(record.flush()).rejects.toMatchObject({ code: 'journal_in_use' });
  });

  it('writes once what is noted, however often it is flushed', async () => {
    const path = newPath();
    const record = await new JournalStorage(path).open('a', 'minimize');
    const flushes: Promise<void>[] = [];
    for (let number = 0; number < 20; number++) {
      writeTrial(record, number);
      flushes.push(record.flush());
      if (number % 3 === 0) await flushes[number - 1];
    }
    await Promise.all(flushes);
    expect(await values(path)).toEqual(Array.from({ length: 20 }, (_, number) => number));
    expect(linesOf(path)).toHaveLength(81);
  });

  it('names the line that is damaged after lines of its own', async () => {
    const path = await journal();
    const record = await new JournalStorage(path).open('a', 'minimize');
    writeTrial(record, 2);
    await record.flush();
    appendFileSync(path, 'no journal\n');
    writeTrial(record, 3);
    await expect(record.flush()).rejects.toThrow('Got line 14: it is no JSON.');
  });

  it('refuses to write to a study that was deleted', async () => {
    const path = await journal();
    const storage = new JournalStorage(path);
    writeTrial(await storage.open('a', 'minimize'), 2);
    appendFileSync(path, '{"op_code":1,"worker_id":"w","study_id":0}\n');
    await expect(storage.close()).rejects.toThrow('Got a study that was deleted meanwhile.');
  });

  it('leaves out a last line that broke off, says so, and takes it away before it writes', async () => {
    const path = await journal();
    const whole = textOf(path);
    const half = '{"op_code":7,"worker_id":"é","tri';
    // In the middle of a letter, too.
    for (const cut of [1, 11, 26, 27, half.length]) {
      writeFileSync(path, Buffer.concat([Buffer.from(whole), Buffer.from(half).subarray(0, cut)]));
      const storage = new JournalStorage(path);
      const record = await storage.open('a', 'minimize');
      expect(record.trials).toHaveLength(2);
      expect(record.warnings).toEqual([
        `The journal '${path}' broke off in line 10: a process ended while it wrote. What is there of the line is left out.`,
      ]);
      expect(storage.warnings).toEqual(record.warnings);
      expect(textOf(path)).not.toBe(whole);
      writeTrial(record, 2);
      await record.flush();
      expect(textOf(path).startsWith(`${whole}{"op_code":4`)).toBe(true);
      expect(await values(path)).toEqual([0, 1, 2]);
    }
  });

  it('keeps a last line that lacks its line break alone', async () => {
    const path = await journal();
    const whole = textOf(path);
    writeFileSync(path, whole.trimEnd());
    const storage = new JournalStorage(path);
    const [record, other] = [await storage.open('a', 'minimize'), new JournalStorage(path)];
    expect(record.trials[1].state).toBe('complete');
    expect(storage.warnings).toEqual([]);
    await other.open('b', 'minimize');
    writeTrial(record, 2);
    await record.flush();
    expect(textOf(path).startsWith(whole)).toBe(true);
    expect(await values(path)).toEqual([0, 1, 2]);
    // As Optuna does it: its next line is glued to it, and is then lost to both.
    writeFileSync(path, `${whole.trimEnd()}`);
    const late = new JournalStorage(path);
    const open = await late.open('a', 'minimize');
    writeFileSync(path, `${whole.trimEnd()}{"op_code":1,"worker_id":"w","study_id":0}\n`, { flag: 'r+' });
    writeTrial(open, 2);
    await expect(open.flush()).rejects.toThrow(/Got line 9: two lines without a break/);
  });

  it.each([
    ['{"op_code":7,"worker_id":"w","trial_id":0', /Got line 3: it is no JSON\.$/],
    ['', /Got line 3: it is no JSON\.$/],
    ['[1]', /line 3: it has no `op_code`\.$/],
    ['{"op_code":7,"worker_id":"w","trial_id":"0"}', /line 3: its `trial_id` is missing or of the wrong kind\.$/],
    ['{"op_code":6,"worker_id":"w","trial_id":0,"state":5,"values":null}', /line 3: its `state`/],
    ['{"op_code":6,"worker_id":"w","trial_id":0,"state":1,"values":["1"]}', /line 3: its `values`/],
    ['{"op_code":4,"worker_id":"w","study_id":0,"datetime_start":"today"}', /line 3: its `datetime_start`/],
    [
      '{"op_code":5,"worker_id":"w","trial_id":0,"param_name":"y","param_value_internal":0,"distribution":"{\\"name\\":\\"Gauss\\"}"}',
      /line 3: it has no distribution that Optuna knows\.$/,
    ],
    [Buffer.from([0x7b, 0xff, 0x7d]), /line 3: .*utf-8\.$/],
  ])('names the line that is damaged: %s', async (line, message) => {
    const path = await journal();
    const lines: (string | Buffer)[] = linesOf(path);
    lines[2] = line;
    const bytes = Buffer.concat(lines.flatMap((each) => [Buffer.from(each), Buffer.from('\n')]));
    writeFileSync(path, bytes);
    const storage = new JournalStorage(path);
    const must = `The journal '${path}' must hold one operation of Optuna's JournalStorage in each line.`;
    for (let time = 0; time < 2; time++) {
      await expect(storage.open('a', 'minimize')).rejects.toMatchObject({
        code: 'invalid_journal',
        message: expect.stringMatching(message),
      });
      await expect(storage.open('b', 'minimize')).rejects.toThrow(must);
    }
    expect(readFileSync(path)).toEqual(bytes);
    expect(existsSync(`${path}.lock`)).toBe(false);
  });

  it.each(['id,age\n1,61\n', 'hello', '{"a":1}', '\ufeff{"op_code":0}\n', '{"cells":[', '\u0000\u0001'])(
    'does not touch a file that is no journal: %j',
    async (text) => {
      const path = newPath();
      writeFileSync(path, text);
      await expect(new JournalStorage(path).open('a', 'minimize')).rejects.toMatchObject({
        code: 'invalid_journal',
        message: expect.stringMatching(/Got line 1: it .{10,20}\. Give the path of a journal, or of a new file\.$/),
      });
      expect(textOf(path)).toBe(text);
    },
  );

  it('passes over operations that are not known, and says how many', async () => {
    const path = await journal();
    for (const code of [10, 11, 99]) appendFileSync(path, `{"op_code":${code},"worker_id":"w"}\n`);
    const storage = new JournalStorage(path);
    const record = await storage.open('a', 'minimize');
    expect(record.trials).toHaveLength(2);
    expect(record.warnings).toEqual([
      `The journal '${path}' has 2 operations that cvkit does not know, the first in line 11. They are left out.`,
    ]);
  });

  it('refuses a file that is another one, or shorter, than the one it read', async () => {
    const path = await journal();
    const record = await new JournalStorage(path).open('a', 'minimize');
    writeTrial(record, 2);
    const text = textOf(path);
    writeFileSync(path, `${linesOf(path)[0]}\n`);
    await expect(record.flush()).rejects.toMatchObject({ code: 'invalid_journal' });
    const other = newPath();
    writeFileSync(other, text + text);
    renameSync(other, path);
    await expect(record.flush()).rejects.toThrow('must grow alone while it is used. Got another file in its place, or');
  });

  it('says that a file cannot be opened', async () => {
    const folder = newPath();
    mkdirSync(folder);
    await expect(new JournalStorage(folder).open('a', 'minimize')).rejects.toMatchObject({
      code: 'unwritable_journal',
      message: expect.stringMatching(/must be a file that can be read and written, in a folder where .* Got EISDIR/),
    });
    await expect(new JournalStorage(`${folder}/no/file`).open('a', 'minimize')).rejects.toThrow(/Got ENOENT/);
  });

  it.each([[''], [7], [undefined], ['https://host/journal'], [new URL('https://host/journal')]])(
    'refuses a path that is none: %j',
    (path) => {
      expect(() => new JournalStorage(path as string)).toThrow(
        'The file of a JournalStorage must be a path or a `file:` URL.',
      );
    },
  );

  it('refuses notes that are no plain data, when they are noted', async () => {
    const record = await new JournalStorage(newPath()).open('a', 'minimize');
    const note = (value: unknown) => () => record.write({ type: 'studyAttr', key: 'k', value });
    for (const value of [undefined, new Date(0), () => 1, 1n, [undefined], new Float64Array(2)]) {
      expect(note(value)).toThrow(
        "The note 'k' must be plain data (numbers, text, true, false, null, lists and objects",
      );
    }
    expect(note({ left: undefined, out: 1 })).not.toThrow();
    expect(() => record.write({ type: 'report', number: 0, step: 0, value: 1 })).toThrow(
      'The number of the trial to be noted must be below 0, the number of trials. Got 0.',
    );
    expect(() => record.write({ type: 'create', number: 1, state: 'running', at })).toThrow('must be 0, the next one.');
  });

  it('notes what a note is at that time', async () => {
    const path = newPath();
    const storage = new JournalStorage(path);
    const record = await storage.open('a', 'minimize');
    const value = { rows: [1], ['__proto__']: 2 };
    record.write({ type: 'studyAttr', key: '__proto__', value });
    value.rows.push(2);
    await storage.close();
    const { userAttrs } = await new JournalStorage(path).open('a', 'minimize');
    expect(JSON.stringify(userAttrs)).toBe('{"__proto__":{"rows":[1],"__proto__":2}}');
  });

  it('opens a study whose range cannot be searched here with an error, and the others without', async () => {
    const path = await journal();
    const wide = String.raw`{\"name\":\"FloatDistribution\",\"attributes\":{\"low\":-Infinity,\"high\":1.0,\"log\":false,\"step\":null}}`;
    appendFileSync(
      path,
      `{"op_code":0,"worker_id":"w","study_name":"wide","directions":[1]}
{"op_code":4,"worker_id":"w","study_id":1,"datetime_start":null}
{"op_code":5,"worker_id":"w","trial_id":2,"param_name":"y","param_value_internal":0.0,"distribution":"${wide}"}\n`,
    );
    expect(await values(path)).toEqual([0, 1]);
    await expect(new JournalStorage(path).open('wide', 'minimize')).rejects.toThrow(
      /The study of a journal must have ranges that can be searched here. Got The parameter 'y' must have a finite number as `low`/,
    );
  });

  it('keeps the searches of a cross-validated run, which goes on from the file where it was cut', async () => {
    const path = newPath();
    const random = randomSource(1);
    const y = Array.from({ length: 60 }, (_, row) => row % 2);
    const X = y.map((label) => [label + random.random() * 3, random.random()]);
    const runner = new UniversalCVRunner({ cvSplitter: new StratifiedKFold({ nSplits: 3 }), verbose: 0 });
    const run = (more: object) =>
      runner.runWithHyperparameterTuning({
        modelFn: (params: { C?: number }) => new LogisticRegression(params),
        paramGrid: { C: { low: 0.001, high: 10, log: true } },
        data: [X, y],
        scoring: 'roc_auc',
        nTrials: 4,
        parallelTrials: 1,
        ...more,
      });
    const once = await run({});
    const stop = new AbortController();
    let trials = 0;
    const callbacks = { onTrialEnd: () => (++trials === 6 ? stop.abort(new Error('cut')) : undefined) };
    await expect(run({ storage: path, signal: stop.signal, callbacks })).rejects.toThrow('cut');
    writeFileSync(path, textOf(path).slice(0, -9));
    let done = 0;
    const again = await run({ storage: pathToFileURL(path), callbacks: { onTrialEnd: () => void done++ } });
    // The end of the last trial is lost with its line.
    expect(done).toBe(16 - 5);
    const of = ({ studies }: typeof once) =>
      Object.values(studies).map(({ trials }) => trials.map(({ value, params }) => [value, params]));
    expect(of(again)).toEqual(of(once));
    expect(again.results.scores).toEqual(once.results.scores);
    const names = linesOf(path).flatMap((line) => JSON.parse(line).study_name ?? []);
    expect(names).toEqual(Object.keys(again.studies).map((id) => `tuning/${id}`));
    // Other data, another seed or another space are another search.
    const other = run({ storage: path, scoring: 'accuracy' });
    await expect(other).rejects.toMatchObject({
      code: 'other_study',
      message: expect.stringMatching(/another `scoring`/),
    });
    await expect(run({ storage: path, randomState: 1 })).rejects.toThrow(/another `randomState`/);
    const flipped = [X, y.map((each) => 1 - each)];
    await expect(run({ storage: path, data: flipped })).rejects.toThrow(/with another/);
    const narrow = run({ storage: path, paramGrid: { C: { low: 1, high: 2 } } });
    await expect(narrow).rejects.toThrow(/have trials of this `paramGrid`/);
  });

  it('says that there are no files in a browser', async () => {
    vi.resetModules();
    vi.doMock('#io', async () => await import('../../../src/core/io.default.js'));
    try {
      const path = '../../../src/tuning/journal/journalStorage.js';
      const { JournalStorage: InBrowser } = (await import(path)) as { JournalStorage: typeof JournalStorage };
      expect(() => new InBrowser('search.log')).toThrow(
        'JournalStorage must have a file system to write to. Got a browser. Leave out `storage`.',
      );
    } finally {
      vi.doUnmock('#io');
      vi.resetModules();
    }
  });
});

/** A study of a journal on files, of which `watch` sees each one that is opened, and may change what it does. */
async function studyOn(path: string, watch: (file: OpenFile) => void, lines: string[] = []): Promise<JournalRecord> {
  const open: Files['open'] = async (...args) => {
    const file = await (fs as Files).open(...args);
    // The lock is a file of its own.
    if (String(args[0]) === path) watch(file);
    return file;
  };
  const file = new JournalFile({ ...(fs as Files), open }, path, 30);
  const record = () => new JournalRecord(file, file.replay.studies.get('a') as never, 'w', String);
  return await file.update(() => lines, record);
}
type OpenFile = Awaited<ReturnType<Files['open']>>;

describe('an append', () => {
  it('is refused when lines came without the lock', async () => {
    const path = await journal();
    let stats = 0;
    const record = await studyOn(path, (file) => {
      const { stat } = file;
      file.stat = async () => {
        // The second time it is looked whether the file is as it was read.
        if (++stats === 4) appendFileSync(path, '{"op_code":10}\n');
        return await stat.call(file);
      };
    });
    stats = 2;
    writeTrial(record, 2);
    await expect(record.flush()).rejects.toThrow('must grow under its lock alone. Got lines without it.');
    expect(linesOf(path)).toHaveLength(10);
    await record.flush();
    expect(await values(path)).toEqual([0, 1, 2]);
  });

  it('leaves what is noted meanwhile to the next one', async () => {
    const path = await journal();
    const writing: { record?: JournalRecord | undefined } = {};
    const record = await studyOn(path, (file) => {
      const { appendFile } = file;
      file.appendFile = async (text) => {
        if (writing.record) writeTrial(writing.record, 3, 30);
        writing.record = undefined;
        await appendFile.call(file, text);
      };
    });
    writing.record = record;
    writeTrial(record, 2, 20);
    await record.flush();
    expect(await values(path)).toEqual([0, 1, 20]);
    await record.flush();
    expect(await values(path)).toEqual([0, 1, 20, 30]);
  });

  it('that fails leaves the file as it was, and what was noted is written the next time', async () => {
    const path = newPath();
    let isFull = false;
    const fill = (file: OpenFile) => {
      const { appendFile } = file;
      file.appendFile = async (text) => {
        await appendFile.call(file, isFull ? text.slice(0, 70) : text);
        if (isFull) throw new Error('ENOSPC: no space left on device');
      };
    };
    const record = await studyOn(path, fill, [createStudyLine('a', 'minimize', 'w')]);
    writeTrial(record, 0, 3);
    const before = textOf(path);
    isFull = true;
    await expect(record.flush()).rejects.toMatchObject({
      code: 'unwritable_journal',
      message: expect.stringMatching(/Got ENOSPC: no space left on device\.$/),
    });
    expect(textOf(path)).toBe(before);
    isFull = false;
    await record.flush();
    expect(await values(path)).toEqual([3]);
    expect(linesOf(path)).toHaveLength(5);
  });
});
