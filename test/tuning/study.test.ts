import { describe, expect, it } from 'vitest';
import type { Sampler } from '../../src/tuning/sampler.js';
import { GridSampler } from '../../src/tuning/samplers/gridSampler.js';
import { Study } from '../../src/tuning/study.js';
import type { Trial } from '../../src/tuning/trial.js';
import { TrialPruned } from '../../src/tuning/trialPruned.js';

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

  it('ends when it is told to', async () => {
    const onTrial = ({ number }: { number: number }) => (number === 2 ? 'stop' : undefined);
    const study = await new Study({}).optimize(() => 1, { nTrials: 50, onTrial });
    expect(study.trials).toHaveLength(3);
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
