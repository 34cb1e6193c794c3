import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Distribution, Params, ParamValue, TrialState } from '../../../src/core/tuningTrial.js';
import { JournalStorage } from '../../../src/tuning/journal/journalStorage.js';
import { Replay } from '../../../src/tuning/journal/replay.js';
import type { StudyOp } from '../../../src/tuning/studyStorage.js';
import { hasOptuna, inPlain, likeOurs, optunaReads, plain, temporaryFiles } from '../../helpers/journals.js';

const fileOf = temporaryFiles();
let made = 0;

/** A state by hand: what the operations of one study come to, each applied as it is written. */
interface Model {
  readonly attrs: Record<string, unknown>;
  readonly trials: ModelTrial[];
}

interface ModelTrial {
  readonly number: number;
  state: TrialState;
  value: number | null;
  readonly params: Map<string, ParamValue>;
  readonly distributions: Map<string, Distribution>;
  readonly fixed: Params;
  readonly reports: Map<number, number>;
  readonly attrs: Record<string, unknown>;
  startedAt: Date | null;
  endedAt: Date | null;
  reason?: string;
}

const NAMES = ['a', 'tuning/fold-0', 'é "\n'];
const CHOICES: ParamValue[] = [null, true, 0, 'é', [1, [2]], { a: null }];
const DISTRIBUTIONS: [string, Distribution, ParamValue[]][] = [
  ['x', { kind: 'float', low: -1, high: 2, log: false, step: null }, [-1, 0.1, 2, -0]],
  ['r', { kind: 'float', low: 1e-9, high: 1e21, log: true, step: null }, [1e-9, 1e21, 3]],
  ['s', { kind: 'float', low: 0, high: 0.3, log: false, step: 0.1 }, [0, 0.1, 0.3]],
  ['n', { kind: 'int', low: -3, high: 9, log: false, step: 3 }, [-3, 0, 9]],
  ['__proto__', { kind: 'int', low: 1, high: 64, log: true, step: 1 }, [1, 64]],
  ['k', { kind: 'categorical', choices: CHOICES }, CHOICES],
];
const number = fc.oneof(fc.double(), fc.integer(), fc.constantFrom(Number.NaN, Number.POSITIVE_INFINITY, -0));
const text = fc.string({ unit: 'binary' });
const note = fc.oneof(number, text, fc.array(number), fc.dictionary(fc.string(), number), fc.constant(null));

/** What happens next; the number of a trial is chosen among those that it can be. */
const step = fc.record({
  study: fc.nat(2),
  what: fc.constantFrom(
    ...(['create', 'create', 'wait', 'begin', 'param', 'param', 'report', 'note', 'attr', 'end', 'end'] as const),
    ...(['flush', 'open'] as const),
  ),
  which: fc.nat(99),
  at: fc.nat(1e9),
  number,
  note,
});

type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const open = (model: Model, state: string) => model.trials.filter((trial) => trial.state === state);

/** The operation, after it was applied to the model; undefined where there is no trial for it. */
function next(model: Model, { what, which, at: seconds, number: value, note: noted }: Step): StudyOp | undefined {
  const at = new Date(seconds * 1000 + which);
  const pick = (state: string) => open(model, state)[which % Math.max(1, open(model, state).length)];
  const trial = what === 'begin' ? pick('waiting') : pick('running');
  if (what === 'attr') {
    model.attrs[`key ${which % 3}`] = noted;
    return { type: 'studyAttr', key: `key ${which % 3}`, value: noted };
  }
  if (what === 'create' || what === 'wait') {
    const state = what === 'create' ? 'running' : 'waiting';
    const params = { x: which, note: noted as ParamValue };
    const isRunning = what === 'create';
    const number = model.trials.length;
    model.trials.push({
      ...{ number, state, value: null, params: new Map(), distributions: new Map(), fixed: isRunning ? {} : params },
      ...{ reports: new Map(), attrs: {}, startedAt: isRunning ? at : null, endedAt: null },
    });
    return { type: 'create', number, state, at, ...(isRunning ? {} : { params }) };
  }
  if (!trial) return undefined;
  const named = { number: trial.number };
  if (what === 'begin') {
    Object.assign(trial, { state: 'running', startedAt: at });
    return { type: 'begin', ...named, at };
  }
  if (what === 'param') {
    const [name, distribution, values] = DISTRIBUTIONS[which % DISTRIBUTIONS.length];
    const drawn = values[seconds % values.length];
    trial.params.set(name, drawn);
    trial.distributions.set(name, distribution);
    return { type: 'param', ...named, name, distribution, value: drawn };
  }
  if (what === 'report') {
    trial.reports.set(which, value);
    return { type: 'report', ...named, step: which, value };
  }
  if (what === 'note') {
    trial.attrs[`key ${which % 3}`] = noted;
    return { type: 'userAttr', ...named, key: `key ${which % 3}`, value: noted };
  }
  const state = (['complete', 'pruned', 'failed'] as const)[which % 3];
  const reason = state === 'failed' ? { reason: `no ${seconds}` } : {};
  const withheld = state === 'failed' ? { reason: 'withheld' } : {};
  const end = state === 'failed' || !Number.isFinite(value) ? null : value;
  Object.assign(trial, { state, value: end, endedAt: at, ...withheld });
  return { type: 'end', ...named, state, value: end, at, ...reason };
}

const ofModel = (model: Model) =>
  model.trials.map(({ reports, attrs, fixed, params, distributions, ...trial }) =>
    inPlain({
      ...trial,
      params: { ...(['running', 'waiting'].includes(trial.state) ? fixed : {}), ...Object.fromEntries(params) },
      distributions: Object.fromEntries(distributions),
      intermediateValues: new Map([...reports].sort(([a], [b]) => a - b)),
      userAttrs: attrs,
    }),
  );

/** A hash with a random key stands for the reason. */
const withoutHash = (trial: unknown) => {
  const { reason, ...rest } = trial as { reason?: string };
  return reason === undefined ? rest : { ...rest, reason: reason.replace(/, HMAC-SHA-256 [\da-f]{64}$/, '') };
};

/** JSON does not tell -0 from 0 where it is no float of Python. */
const same = (value: unknown) => JSON.parse(JSON.stringify(value));

async function play(steps: readonly Step[], path: string): Promise<Model[]> {
  const models: Model[] = NAMES.map(() => ({ attrs: {}, trials: [] }));
  const openAll = (study: number) => new JournalStorage(path).open(NAMES[study], 'minimize');
  // Two studies of one storage, one of another.
  const shared = new JournalStorage(path);
  const records = [await shared.open(NAMES[0], 'minimize'), await openAll(1), await shared.open(NAMES[2], 'minimize')];
  for (const each of steps) {
    const record = records[each.study];
    if (each.what === 'flush' || each.what === 'open') await record.flush();
    if (each.what === 'open') records[each.study] = await openAll(each.study);
    if (each.what === 'flush' || each.what === 'open') continue;
    const op = next(models[each.study], each);
    if (op) record.write(op);
  }
  for (const record of records) await record.flush();
  return models;
}

const steps = fc.array(step, { maxLength: 80, size: 'max' });

describe('a journal', () => {
  it('gives back what was written, whatever it was, and whenever it was flushed', { tags: 'slow' }, async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (each) => {
        const path = fileOf(`${++made}.jsonl`);
        const models = await play(each, path);
        const storage = new JournalStorage(path);
        for (const [at, model] of models.entries()) {
          const record = await storage.open(NAMES[at], 'minimize');
          expect(same(record.trials.map(inPlain).map(withoutHash))).toEqual(same(ofModel(model)));
          expect(same(plain(record.userAttrs))).toEqual(same(plain(model.attrs)));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('is read up to the line that broke off, wherever that is, and goes on', async () => {
    await fc.assert(
      fc.asyncProperty(steps, fc.double({ min: 0, max: 1, noNaN: true }), async (each, share) => {
        const path = fileOf(`${++made}.jsonl`);
        await play(each, path);
        const bytes = readFileSync(path);
        const cut = bytes.subarray(0, Math.round(share * bytes.length));
        const lines = cut.toString('latin1').split('\n').length - 1;
        writeFileSync(path, cut);
        const storage = new JournalStorage(path);
        const record = await storage.open('new', 'minimize');
        record.write({ type: 'create', number: 0, state: 'running', at: new Date(0) });
        await record.flush();
        const after = readFileSync(path);
        const whole = after.toString().trimEnd().split('\n');
        for (const line of whole) new Replay().apply(line);
        // A line that lacks its break alone is kept.
        expect([lines + 2, lines + 3]).toContain(whole.length);
        const isCut = whole.length === lines + 2 && cut.length > 0 && cut.at(-1) !== 10;
        expect(storage.warnings).toHaveLength(isCut ? 1 : 0);
      }),
      { numRuns: 60 },
    );
  });

  it.skipIf(!hasOptuna)('comes to the same in Optuna, where Python has it', async () => {
    const long = fc.array(step, { minLength: 60, maxLength: 200, size: 'max' });
    for (const each of fc.sample(long, { numRuns: 5, seed: 7 })) {
      const path = fileOf(`${++made}.jsonl`);
      await play(each, path);
      const read = await optunaReads(path);
      for (const name of NAMES) {
        const { trials } = await new JournalStorage(path).open(name, 'minimize');
        expect(same(trials.map(inPlain))).toEqual(same(read[name].trials.map(likeOurs)));
      }
    }
  });
});

describe('operations of others', () => {
  const replayOf = (...ops: object[]) => {
    const replay = new Replay();
    for (const op of ops) replay.apply(JSON.stringify({ worker_id: 'w', ...op }));
    return replay;
  };
  const study = (study_name: string) => ({ op_code: 0, study_name, directions: [1] });
  const trial = (study_id: number, more = {}) => ({ op_code: 4, study_id, datetime_start: null, ...more });
  const param = (trial_id: number, name: string, attributes: object, value = 0) => ({
    op_code: 5,
    trial_id,
    param_name: 'p',
    param_value_internal: value,
    distribution: JSON.stringify({ name, attributes }),
  });

  it('which make a study that is there, or change what is not, count for nothing', () => {
    const replay = replayOf(
      study('a'),
      study('a'),
      trial(1),
      study('b'),
      trial(1),
      { op_code: 1, study_id: 0 },
      { op_code: 1, study_id: 0 },
      trial(0),
      { op_code: 7, trial_id: 1, step: 0, intermediate_value: 1 },
      study('a'),
      trial(2),
    );
    expect([...replay.studies.values()].map(({ id, trials }) => [id, trials])).toEqual([
      [1, [0]],
      [2, [1]],
    ]);
    expect(replay.trials[1].reports.size).toBe(0);
  });

  it('which change a trial that has ended, or begin one that goes on, count for nothing', () => {
    const begin = (date: string) => ({ op_code: 6, trial_id: 0, state: 0, values: null, datetime_start: date });
    const date = { datetime_complete: '2026-01-01T00:00:00+00:00' };
    const end = (state: number, value: number) => ({ op_code: 6, trial_id: 0, state, values: [value], ...date });
    const replay = replayOf(
      study('a'),
      trial(0, { state: 4 }),
      begin('2025-01-01T00:00:00.123456+00:00'),
      begin('2026-01-01T00:00:00+00:00'),
      end(1, 5),
      end(3, 6),
      { op_code: 8, trial_id: 0, user_attr: { a: 1 } },
      { op_code: 9, trial_id: 0, system_attr: { a: 1 } },
    );
    const [only] = replay.trials;
    expect(only).toMatchObject({ state: 'complete', values: [5] });
    expect(only.startedAt?.toISOString()).toBe('2025-01-01T00:00:00.123Z');
    expect(only.userAttrs.size + only.systemAttrs.size).toBe(0);
  });

  // check_distribution_compatibility of optuna/distributions.py: the same class, `log` and choices.
  it.each([
    ['FloatDistribution', { low: 5, high: 6, log: false, step: null }, true],
    ['FloatDistribution', { low: 5, high: 6, log: true, step: null }, false],
    ['IntDistribution', { low: 5, high: 6, log: false, step: 1 }, false],
    ['CategoricalDistribution', { choices: [1] }, false],
  ])('which take another kind of distribution count for nothing: %s %j', (name, attributes, counts) => {
    const float = param(1, 'FloatDistribution', { low: 0, high: 1, log: false }, 1);
    const replay = replayOf(study('a'), trial(0), trial(0), float, param(0, name, attributes, 5));
    expect(replay.trials[0].params.get('p')?.internal).toBe(counts ? 5 : undefined);
  });

  it('may have the short form of a distribution', () => {
    const op = { ...param(0, '', {}, 3), distribution: '{"type":"int","low":1,"high":9}' };
    const found = replayOf(study('a'), trial(0), op).trials[0].params.get('p')?.distribution;
    expect(found?.attributes).toMatchObject({ high: 9, step: null, log: false });
  });

  it('may have a choice that is none, which is an error of that study alone', async () => {
    const path = fileOf('choice.jsonl');
    for (const op of [study('a'), study('b'), trial(0), param(0, 'CategoricalDistribution', { choices: ['u'] }, 1)]) {
      appendFileSync(path, `${JSON.stringify({ worker_id: 'w', ...op })}\n`);
    }
    const storage = new JournalStorage(path);
    await expect(storage.open('a', 'minimize')).rejects.toThrow(
      "Trial 0 of the study 'a' must have one of the choices of 'p'. Got the place 1, where there is none.",
    );
    expect((await storage.open('b', 'minimize')).trials).toEqual([]);
  });
});
