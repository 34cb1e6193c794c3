import { describe, expect, it } from 'vitest';
import type { Sampler } from '../../src/tuning/sampler.js';
import { GridSampler } from '../../src/tuning/samplers/gridSampler.js';
import { Study } from '../../src/tuning/study.js';
import type { Trial } from '../../src/tuning/trial.js';
import { TrialPruned } from '../../src/tuning/trialPruned.js';
import { memoryStorage } from '../helpers/memoryStorage.js';

const square = (trial: Trial) => (trial.suggestFloat('x', -10, 10) - 2) ** 2;
const valuesOf = ({ trials }: Study) => trials.map(({ value }) => value);

describe('Study', () => {
  it('finds the smallest or the largest value', async () => {
    const study = await new Study({ sampler: 'random' }).optimize(square, { nTrials: 200 });
    expect(study.trials).toHaveLength(200);
    expect(study.bestValue).toBe(Math.min(...(valuesOf(study) as number[])));
    expect(study.bestParams?.x).toBeCloseTo(2, 0);
    const up = await new Study({ direction: 'maximize', sampler: 'random' }).optimize(square, { nTrials: 50 });
    expect(up.bestValue).toBe(Math.max(...(valuesOf(up) as number[])));
  });

  it('gives the same trials for the same seed, others for another', async () => {
    const run = async (randomState: number) =>
      valuesOf(await new Study({ randomState, sampler: 'random' }).optimize(square, { nTrials: 5 }));
    expect(await run(1)).toEqual(await run(1));
    expect(await run(1)).not.toEqual(await run(2));
  });

  it('does not depend on how many trials go on at once where the sampler does not look back', async () => {
    const run = async (parallelTrials: number) =>
      valuesOf(await new Study({ sampler: 'random' }).optimize(square, { nTrials: 7, parallelTrials }));
    expect(await run(3)).toEqual(await run(1));
  });

  it('shows a trial only what was told before its group', async () => {
    const seen: (number | null)[][] = [];
    const sampler: Sampler = {
      name: 'looking',
      looksBack: true,
      sample: ({ trials }) => {
        seen.push(trials.map(({ value }) => value));
        return 1;
      },
    };
    const objective = (trial: Trial) => trial.suggestFloat('x', 0, 1) + trial.number;
    await new Study({ sampler }).optimize(objective, { nTrials: 4, parallelTrials: 2 });
    expect(seen).toEqual([[], [null], [1, 2], [1, 2, null]]);
  });

  it('shows a trial what was drawn together for those that go on', async () => {
    const seen: unknown[] = [];
    const sampler: Sampler = {
      name: 'together',
      looksBack: true,
      sampleTogether: ({ trials }, { number }) => {
        seen.push(trials.map(({ params }) => params));
        return { x: number / 4 };
      },
      sample: () => 1,
    };
    const objective = (trial: Trial) => trial.suggestFloat('x', 0, 1) + trial.suggestFloat('y', 0, 1);
    await new Study({ sampler }).optimize(objective, { nTrials: 3, parallelTrials: 2 });
    const [first, second] = [
      { x: 0, y: 1 },
      { x: 0.25, y: 1 },
    ];
    expect(seen).toEqual([[], [{ x: 0 }], [first, second]]);
  });

  it('takes the first of equal values', async () => {
    const study = await new Study({}).optimize(({ number }) => (number === 0 ? 1 : 0), { nTrials: 3 });
    expect(study.bestTrial?.number).toBe(1);
  });

  it('ends when the grid is tried, and refuses a search without an end', async () => {
    const study = new Study({ sampler: new GridSampler({ k: [1, 2], m: ['a', 'b', 'c'] }) });
    await study.optimize((trial) => trial.suggestCategorical('k', [1, 2]) as number, { timeout: 60 });
    expect(study.trials).toHaveLength(6);
    await expect(new Study({}).optimize(square, {})).rejects.toThrow(/say when the search ends/);
  });

  it('goes on after a trial that throws or gives no number, and shows why', async () => {
    const values = [Number.NaN, '2', undefined, Number.POSITIVE_INFINITY, 1];
    const objective = ({ number }: Trial) => {
      if (number === 5) throw new TypeError('no memory');
      return values[number] as number;
    };
    const study = await new Study({}).optimize(objective, { nTrials: 6 });
    expect(study.trials.map(({ state, reason }) => reason ?? state)).toEqual([
      'the objective gave NaN',
      'the objective gave string in place of a number',
      'the objective gave undefined',
      'the objective gave Infinity',
      'complete',
      'no memory',
    ]);
    expect(study.bestTrial?.number).toBe(4);
  });

  it('throws where all trials fail, and says the first reason', async () => {
    const fails = () => {
      throw new Error('out of range');
    };
    await expect(new Study({}).optimize(fails, { nTrials: 3 })).rejects.toMatchObject({
      code: 'all_trials_failed',
      message: expect.stringMatching(/3 of 3 that failed, the first because: out of range/),
    });
  });

  it('keeps pruned trials, whose value is the last one that they reported', async () => {
    const objective = (trial: Trial) => {
      trial.report(5, 1);
      trial.report(4, 2);
      if (trial.number === 1) throw new TrialPruned();
      return 3;
    };
    const study = await new Study({}).optimize(objective, { nTrials: 2 });
    expect(study.trials.map(({ state, value }) => `${state} ${value}`)).toEqual(['complete 3', 'pruned 4']);
    expect(Object.fromEntries(study.trials[1].intermediateValues)).toEqual({ 1: 5, 2: 4 });
    expect(study.bestValue).toBe(3);
  });

  it('can be asked and told, and takes what is in line first', () => {
    const study = new Study({ sampler: 'random' });
    study.enqueueTrial({ x: 0.5 });
    const first = study.ask({ x: { low: 0, high: 1 }, k: ['a', 'b'] });
    expect(first.params.x).toBe(0.5);
    expect(['a', 'b']).toContain(first.params.k);
    expect(study.tell(first, 7).value).toBe(7);
    expect(() => study.tell(first, 7)).toThrow(/be told of a running trial. Got trial 0, which is complete/);
    expect(() => study.tell(9, 7)).toThrow(/trial 9, which it does not have/);
    const other = study.ask();
    expect(() => study.tell(other, 'pruned' as never)).toThrow(/be a number, or null where it has none. Got 'pruned'/);
    expect(() => study.tell(other, 1, { state: 'PRUNED' as never })).toThrow(/`state` option of tell/);
    expect(study.tell(other, null, { state: 'pruned' }).state).toBe('pruned');
    expect(() => first.suggestFloat('z', 0, 1)).toThrow(/be running/);
  });

  it('refuses a name with two ranges, within a trial and between trials', () => {
    const study = new Study({ sampler: 'random' });
    const trial = study.ask();
    trial.suggestFloat('x', 0, 1);
    expect(trial.suggestFloat('x', 0, 1)).toBe(trial.params.x);
    expect(() => trial.suggestFloat('x', 0, 2)).toThrow(/'x' must have one range in the whole study.*Use two names/);
    expect(() => study.ask().suggestFloat('x', 0, 2)).toThrow(/one range/);
  });

  it('refuses a value out of the range, and a sampler that does not exist', () => {
    const study = new Study({});
    study.enqueueTrial({ x: 5 });
    expect(() => study.ask({ x: { low: 0, high: 1 } })).toThrow(/be in its range, 0 to 1. Got 5/);
    expect(() => new Study({ sampler: 'tpa' as 'tpe' })).toThrow(/tpe/);
  });

  it('keeps notes that nobody can change', () => {
    const study = new Study({});
    const note = { list: [1] };
    study.setUserAttr('note', note);
    note.list.push(2);
    expect(study.userAttrs).toEqual({ note: { list: [1] } });
    const trial = study.ask();
    trial.setUserAttr('seconds', 3);
    expect(study.trials[0].userAttrs).toEqual({ seconds: 3 });
    expect(() => (study.trials as unknown[]).push(1)).toThrow(TypeError);
  });
});

const random = (more = {}) => new Study({ sampler: 'random', ...more });
const draw = (trial: Trial) => trial.suggestFloat('x', 0, 1);
const later = <T>(value: T) => new Promise<T>((resolve) => setTimeout(resolve, 5, value));
const fails = () => Promise.reject(new Error('no memory'));

describe('a search ends', () => {
  it('when the time is over, after the trials that had begun', async () => {
    const study = await random().optimize(() => later(1), { timeout: 0.02, parallelTrials: 3 });
    expect(study.trials.length % 3).toBe(0);
    expect(study.trials.every(({ state }) => state === 'complete')).toBe(true);
  });

  it('by patience, counted from the best trial', async () => {
    const values = [5, 4, 4, 3, 3, 9, 3, 1];
    const study = await random().optimize(({ number }) => values[number], { patience: 3 });
    expect(study.trials).toHaveLength(7);
    expect(study.bestTrial?.number).toBe(3);
  });

  it('by patience, also where no trial ever has a value', async () => {
    const study = random();
    await expect(study.optimize(fails, { patience: 4 })).rejects.toMatchObject({ code: 'all_trials_failed' });
    expect(study.trials).toHaveLength(4);
    const pruned = random().optimize(() => Promise.reject(new TrialPruned()), { patience: 2 });
    await expect(pruned).rejects.toThrow(/2 trials without one, and 2 trials in a row/);
  });

  it('not by patience where other ends are near and no trial has had a value yet', async () => {
    const slow = ({ number }: Trial) => (number < 5 ? Number.NaN : 1);
    const study = await random().optimize(slow, { nTrials: 7, patience: 2 });
    expect(study.bestTrial?.number).toBe(5);
  });

  it('at the number of trials, those included that it holds, or when onTrial says so', async () => {
    const told: number[] = [];
    const study = await random().optimize(draw, { nTrials: 3 });
    await study.optimize(draw, { nTrials: 5, onTrial: ({ number }) => void told.push(number) });
    expect([told, study.trials.length]).toEqual([[3, 4], 5]);
    await study.optimize(draw, { nTrials: 50, onTrial: ({ number }) => (number === 6 ? 'stop' : undefined) });
    expect(study.trials).toHaveLength(7);
  });

  it('between trials when it is aborted', async () => {
    const stop = new AbortController();
    const study = random();
    const onTrial = () => stop.abort(new Error('enough'));
    await expect(study.optimize(draw, { nTrials: 9, signal: stop.signal, onTrial })).rejects.toThrow('enough');
    expect(study.trials).toHaveLength(1);
  });
});

describe('trials side by side', () => {
  it('are told in their order, whichever is done first, and those that fail stop none', async () => {
    const told: string[] = [];
    const objective = async ({ number }: Trial) => {
      if (number % 3 === 1) throw new Error('odd');
      return number % 3 === 0 ? later(number) : number;
    };
    const onTrial = ({ number, state }: { number: number; state: string }) => void told.push(`${number} ${state}`);
    await random().optimize(objective, { nTrials: 6, parallelTrials: 3, onTrial });
    expect(told).toEqual(['0 complete', '1 failed', '2 complete', '3 complete', '4 failed', '5 complete']);
  });

  it('reject once where all of them end the study, and wait for the others', async () => {
    let running = 0;
    const objective = async (trial: Trial) => {
      running++;
      if (trial.number === 0) await later(0);
      else trial.suggestInt('n', 0, trial.number);
      await later(0);
      running--;
      return trial.suggestInt('n', 0, trial.number);
    };
    const failing = random().optimize(objective, { nTrials: 4, parallelTrials: 4 });
    await expect(failing).rejects.toMatchObject({ code: 'invalid_space' });
    expect(running).toBe(2);
  });
});

describe('a search rejects', () => {
  it.each<[string, Sampler['sample'], RegExp]>([
    ['gives a value out of the range', () => 2, /'x' must be in its range, 0 to 1. Got 2/],
    ['gives no number', () => 'a', /Got 'a'/],
  ])('where a sampler %s', async (_name, sample, message) => {
    const study = new Study({ sampler: { name: 'odd', looksBack: false, sample } });
    await expect(study.optimize(draw, { nTrials: 3 })).rejects.toThrow(message);
  });

  it('where the objective tells the trial itself', async () => {
    const study = random();
    const objective = (trial: Trial) => study.tell(trial, 1).value;
    await expect(study.optimize(objective, { nTrials: 3 })).rejects.toMatchObject({ code: 'trial_ended' });
  });

  it('where the storage cannot write, before the next trial begins', async () => {
    let flushes = 0;
    const storage = memoryStorage(() => {
      if (++flushes === 4) throw new Error('disk full');
    });
    const study = await Study.open({ storage, sampler: 'random' });
    await expect(study.optimize(draw, { nTrials: 9 })).rejects.toThrow('disk full');
    expect(study.trials).toHaveLength(2);
  });
});

describe('a study in a storage', () => {
  it('keeps the trial whose onTrial throws, rejects with its error, and goes on after it', async () => {
    const storage = memoryStorage();
    const open = () => Study.open({ storage, sampler: 'random' });
    const error = new TypeError('no screen');
    const onTrial = () => {
      throw error;
    };
    const study = await open();
    await expect(study.optimize(draw, { nTrials: 3, onTrial })).rejects.toBe(error);
    const again = await open();
    expect(again.trials).toEqual(study.trials);
    expect(again.trials.map(({ state }) => state)).toEqual(['complete']);
    expect((await again.optimize(draw, { nTrials: 3 })).trials).toHaveLength(3);
  });

  it('goes on with trials that broke off and those in line, as if it had never stopped', async () => {
    const objective = (trial: Trial) => draw(trial) + trial.suggestInt('n', 1, 9);
    const line = { x: 0.25, n: 3 };
    const whole = random({ name: 'a' });
    whole.enqueueTrial(line);
    await whole.optimize(objective, { nTrials: 6 });
    const storage = memoryStorage();
    const first = await Study.open({ storage, sampler: 'random', name: 'a' });
    first.enqueueTrial(line);
    const cut = ({ number }: { number: number }) => {
      if (number === 2) throw new Error('cut');
    };
    await expect(first.optimize(objective, { nTrials: 6, parallelTrials: 2, onTrial: cut })).rejects.toThrow('cut');
    const again = await Study.open({ storage, sampler: 'random', name: 'a' });
    expect(again.trials.map(({ state }) => state)).toEqual(['complete', 'complete', 'complete', 'running']);
    await again.optimize(objective, { nTrials: 6 });
    const of = ({ trials }: Study) => trials.map(({ number, value, params }) => [number, value, params]);
    expect(of(again)).toEqual(of(whole));
    const last = await Study.open({ storage, sampler: 'random', name: 'a' });
    expect(of(last)).toEqual(of(whole));
  });

  it('counts patience and a grid over sessions, and keeps notes and reports', async () => {
    const storage = memoryStorage();
    const open = () => Study.open({ storage, sampler: new GridSampler({ k: [1, 2, 3, 4] }) });
    const objective = (trial: Trial) => {
      trial.report(trial.number, 1);
      trial.setUserAttr('seconds', trial.number);
      return trial.suggestCategorical('k', [1, 2, 3, 4]);
    };
    const first = await open();
    first.setUserAttr('about', { rows: 9 });
    await first.optimize(objective, { nTrials: 2 });
    const again = await open();
    expect(again.userAttrs).toEqual({ about: { rows: 9 } });
    expect(again.trials).toEqual(first.trials);
    await again.optimize(objective, { patience: 2 });
    expect(again.trials.map(({ params }) => params.k)).toEqual([1, 2, 3]);
    await again.optimize(objective, { timeout: 60 });
    expect((await open()).isExhausted).toBe(true);
  });

  it('takes what is in line in its order, also in a group and in another session', async () => {
    const storage = memoryStorage();
    const first = await Study.open({ storage, sampler: 'random' });
    for (const x of [0.1, 0.2, 0.3]) first.enqueueTrial({ x });
    await first.optimize(draw, { nTrials: 2, parallelTrials: 2 });
    const again = await Study.open({ storage, sampler: 'random' });
    await again.optimize(draw, { nTrials: 3 });
    expect(again.trials.map(({ value }) => value)).toEqual([0.1, 0.2, 0.3]);
    expect(() => again.enqueueTrial({ x: () => 1 } as never)).toThrow(/enqueueTrial must be given a record/);
    expect(() => again.enqueueTrial(null as never)).toThrow(/Got null/);
  });
});
