/** Journals that Optuna wrote, and journals that go to Optuna and back. */
import { appendFileSync, copyFileSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { JournalStorage } from '../../../src/tuning/journal/journalStorage.js';
import { Study } from '../../../src/tuning/study.js';
import type { Trial } from '../../../src/tuning/trial.js';
import { TrialPruned } from '../../../src/tuning/trialPruned.js';
import {
  hasOptuna,
  inPlain,
  likeOurs,
  type OptunaStudies,
  optunaGoesOn,
  optunaReads,
  plain,
  temporaryFiles,
} from '../../helpers/journals.js';

// Written by Optuna 5.0.0: test/reference/journal.py.
const RECORDED = fileURLToPath(new URL('../../reference/journal/optuna.jsonl', import.meta.url));
const { studies } = JSON.parse(readFileSync(new URL('../../reference/journal.json', import.meta.url), 'utf8')) as {
  studies: OptunaStudies;
};
const fileOf = temporaryFiles();
const recorded = (name: string) => {
  copyFileSync(RECORDED, fileOf(name));
  return fileOf(name);
};

describe('a journal that Optuna wrote', () => {
  it.each([
    ['mixed', 'minimize'],
    ['tuning/fold-0', 'maximize'],
    ['old', 'minimize'],
  ] as const)('is read as Optuna reads it: %s', async (name, direction) => {
    const storage = new JournalStorage(recorded('read.jsonl'));
    const record = await storage.open(name, direction);
    expect(record.trials.map(inPlain)).toEqual(studies[name].trials.map(likeOurs));
    expect(record.userAttrs).toEqual(studies[name].user_attrs);
    expect(storage.warnings).toEqual([]);
    expect(readFileSync(fileOf('read.jsonl'))).toEqual(readFileSync(RECORDED));
  });

  it('holds studies that cannot be opened, which do not hinder the others', async () => {
    const storage = new JournalStorage(recorded('other.jsonl'));
    await expect(storage.open('both', 'minimize')).rejects.toMatchObject({
      code: 'other_study',
      message: "The study 'both' of the journal must have one direction, 'minimize'. Got 2 directions.",
    });
    await expect(storage.open('mixed', 'maximize')).rejects.toThrow(
      "The study 'mixed' of the journal must have one direction, 'maximize'. Got 'minimize'.",
    );
    expect((await storage.open('mixed', 'minimize')).trials).toHaveLength(8);
    // A study that was deleted is not there, so it is made.
    expect((await storage.open('gone', 'maximize')).trials).toEqual([]);
  });

  it('goes on here: the trial that broke off, the trial in line, then new ones', async () => {
    const path = recorded('on.jsonl');
    const seen: object[] = [];
    const storage = new JournalStorage(path);
    const study = await Study.open({ storage, name: 'mixed', sampler: 'random' });
    const asks = (trial: Trial) => {
      seen.push({ number: trial.number, depth: trial.suggestInt('depth', 1, 9, { step: 2 }) });
      return trial.suggestFloat('x', -5, 5);
    };
    await study.optimize(asks, { nTrials: 9 });
    expect(seen[0]).toEqual({ number: 6, depth: 5 });
    const again = await new JournalStorage(path).open('mixed', 'minimize');
    expect(again.trials.map(({ state }) => state).slice(6)).toEqual(['complete', 'complete', 'complete']);
    expect(again.trials[7].params.x).toBe(-1);
    // It was given `kind`, too, for which the objective did not ask.
    expect(study.trials.map(({ params }) => params)).toEqual(again.trials.map(({ params }) => params));
    expect(again.trials[7].value).toBe(-1);
    expect(again.trials.slice(0, 6).map(inPlain)).toEqual(studies.mixed.trials.slice(0, 6).map(likeOurs));
  });
});

const objective = (trial: Trial) => {
  const x = trial.suggestFloat('x', -5, 5);
  trial.suggestFloat('rate', 1e-5, 1, { log: true });
  trial.suggestFloat('share', 0, 1, { step: 0.1 });
  trial.suggestInt('depth', 1, 9, { step: 2 });
  trial.suggestInt('units', 1, 256, { log: true });
  trial.suggestCategorical('kind', [null, true, 2, 2.5, 'é', [1, 2]]);
  trial.setUserAttr('note', { rows: [1, null, Number.POSITIVE_INFINITY], text: 'NaN' });
  if (trial.number === 1) throw new RangeError('no memory');
  trial.report(trial.number === 2 ? Number.NaN : 3, 0);
  trial.report(-0, 4);
  if (trial.number === 3) throw new TrialPruned();
  return Math.round(x);
};

describe.skipIf(!hasOptuna)('Optuna, where Python has it (PYTHON, or python3)', () => {
  it('loads what we wrote and goes on, and we load that and go on, and so on', async () => {
    const path = fileOf('there and back.jsonl');
    const storage = new JournalStorage(path);
    await Study.open({ storage, name: 'before', sampler: 'random' });
    const name = 'tuning/fold-0';
    const study = await Study.open({ storage, name, sampler: 'random', direction: 'maximize' });
    study.setUserAttr('space', { x: [1, 2.5], deep: { nothing: null } });
    study.enqueueTrial({ x: 2, kind: 'é' });
    await study.optimize(objective, { nTrials: 6 });
    study.enqueueTrial({ x: -2, kind: null });
    const broken = study.ask();
    expect(broken.suggestFloat('x', -5, 5)).toBe(-2);
    study.enqueueTrial({ x: 4, kind: true });
    await storage.close();

    const first = await optunaReads(path);
    expect(Object.keys(first)).toEqual(['before', name]);
    expect(first[name].directions).toEqual(['MAXIMIZE']);
    expect(first[name].user_attrs).toEqual(study.userAttrs);
    const reread = await new JournalStorage(path).open(name, 'maximize');
    expect(reread.trials.map(inPlain)).toEqual(first[name].trials.map(likeOurs));
    // What the study itself has: a trial that goes on or waits keeps what it was given apart.
    expect(study.trials.slice(0, 6).map(inPlain)).toEqual(first[name].trials.slice(0, 6).map(likeOurs));
    expect(first[name].trials[0].kinds).toMatchObject({ x: 'float', depth: 'int', share: 'float', units: 'int' });
    expect(first[name].trials.map(({ values }) => values?.length ?? 0)).toEqual([1, 0, 1, 1, 1, 1, 0, 0]);

    const second = await optunaGoesOn(path, name, 3);
    expect(second[name].trials.slice(0, 7)).toEqual(first[name].trials.slice(0, 7));
    // The trial in line comes first; `more` is new, and the trial that we left running is left alone.
    const states = second[name].trials.map(({ state }) => state).slice(6);
    expect(states).toEqual(['RUNNING', 'COMPLETE', 'COMPLETE', 'COMPLETE']);
    expect(second[name].trials[7].params).toMatchObject({ x: 4, kind: true });
    const how = { name, sampler: 'random', direction: 'maximize' } as const;
    const back = await Study.open({ storage: new JournalStorage(path), ...how });
    expect((await reopened(path, name)).map(inPlain)).toEqual(second[name].trials.map(likeOurs));
    await back.optimize(objective, { nTrials: 12 });

    const third = await optunaGoesOn(path, name, 2);
    expect(third[name].trials).toHaveLength(14);
    expect(third[name].trials[6]).toMatchObject({ state: 'COMPLETE', params: { x: -2, kind: null }, values: [-2] });
    expect((await reopened(path, name)).map(inPlain)).toEqual(third[name].trials.map(likeOurs));
    expect(third[name].trials.slice(0, 6)).toEqual(first[name].trials.slice(0, 6));
  });

  it('goes on with its own journal after we did, and reads one whose last line broke off once we wrote to it', async () => {
    const path = recorded('cut.jsonl');
    appendFileSync(path, '{"op_code":5,"worker_id":"a","trial_id":3,"param_na');
    const storage = new JournalStorage(path);
    const study = await Study.open({ storage, name: 'new', sampler: 'random' });
    await study.optimize((trial) => trial.suggestInt('n', 1, 3), { nTrials: 2 });
    expect(storage.warnings).toHaveLength(1);
    const read = await optunaGoesOn(path, 'new', 1);
    expect(read.mixed).toEqual({ ...studies.mixed });
    expect(read.new.trials.map(likeOurs)).toEqual((await reopened(path, 'new', 'minimize')).map(inPlain));
    expect(plain(read.both)).toEqual(studies.both);
  });

  it('writes while we write, each to studies of its own, and every line stays whole', async () => {
    const path = fileOf('together.jsonl');
    const storage = new JournalStorage(path);
    for (const name of ['theirs', 'theirs, too']) await storage.open(name, 'minimize');
    const search = async (name: string, into: JournalStorage) => {
      const study = await Study.open({ storage: into, name, sampler: 'random' });
      await study.optimize(objective, { nTrials: 40 });
      return study.trials.map(inPlain);
    };
    const [ours, oursToo] = await Promise.all([
      search('ours', storage),
      search('ours, too', new JournalStorage(path)),
      optunaGoesOn(path, 'theirs', 40),
      optunaGoesOn(path, 'theirs, too', 40),
    ]);
    const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
    const writerOf = (line: string) => JSON.parse(line.replace(/NaN|Infinity/g, '0')).worker_id;
    expect(new Set(lines.map(writerOf)).size).toBe(4);
    const read = await optunaReads(path);
    expect(read.ours.trials.map(likeOurs)).toEqual(ours);
    expect(read['ours, too'].trials.map(likeOurs)).toEqual(oursToo);
    for (const name of ['theirs', 'theirs, too']) {
      expect(read[name].trials).toHaveLength(40);
      expect((await reopened(path, name, 'minimize')).map(inPlain)).toEqual(read[name].trials.map(likeOurs));
    }
  });
});

const reopened = async (path: string, name: string, direction: 'minimize' | 'maximize' = 'maximize') =>
  (await new JournalStorage(path).open(name, direction)).trials;
