import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomSource } from '../../../src/core/random.js';
import type { Distribution, FrozenTrial, Params } from '../../../src/core/tuningTrial.js';
import { floatDistribution, holds } from '../../../src/tuning/distribution.js';
import type { StudyView } from '../../../src/tuning/sampler.js';
import { drawUniform } from '../../../src/tuning/samplers/randomSampler.js';
import { TPESampler, type TPESamplerOptions, tpeSamplerOptions } from '../../../src/tuning/samplers/tpeSampler.js';
import { Study } from '../../../src/tuning/study.js';
import type { Trial } from '../../../src/tuning/trial.js';
import { frozen, SPACE } from '../../helpers/tpe.js';

const X = floatDistribution('x', 0, 1);
const Y = floatDistribution('y', 0, 1);

/** Trials at random places of a space, the value of each by a function. */
function trialsOf(
  n: number,
  seed: number,
  space: Readonly<Record<string, Distribution>>,
  worth: (params: Params, number: number) => number,
): FrozenTrial[] {
  const random = randomSource(seed);
  return Array.from({ length: n }, (_, number) => {
    const params = Object.fromEntries(Object.entries(space).map(([name, each]) => [name, drawUniform(random, each)]));
    return frozen(number, { params, distributions: space, value: worth(params, number) });
  });
}

const viewOf = (trials: readonly FrozenTrial[], direction: StudyView['direction'] = 'minimize'): StudyView =>
  Object.freeze({ direction, trials: Object.freeze([...trials]) });
const trialView = (number: number, seed: number, params: Params = {}) => ({
  number,
  params,
  random: randomSource(seed),
});

/** What is proposed together after a study, for a number of seeds. */
const proposals = (view: StudyView, options: TPESamplerOptions = {}, times = 40): Params[] =>
  Array.from({ length: times }, (_, seed) =>
    new TPESampler(options).sampleTogether(view, trialView(view.trials.length, seed)),
  );
const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
const numbersAt = (params: readonly Params[], name: string) => params.map((each) => each[name] as number);

describe('TPESampler', () => {
  it('has the defaults of Optuna 5, and takes its names of options', () => {
    expect(tpeSamplerOptions.resolve()).toEqual({
      nStartupTrials: 10,
      nEICandidates: 24,
      multivariate: true,
      constantLiar: true,
    });
    const names = { n_startup_trials: 3, n_ei_candidates: 5, constant_liar: false };
    expect(() => new TPESampler(names as TPESamplerOptions)).not.toThrow();
  });

  it('draws at random until enough trials have ended', () => {
    const few = trialsOf(9, 1, { x: X }, ({ x }) => x as number);
    const others = [frozen(9, { state: 'failed' }), frozen(10, { state: 'running' })];
    const view = viewOf([...few, ...others]);
    expect(new TPESampler().sampleTogether(view, trialView(11, 1))).toEqual({});
    expect(new TPESampler().sample(view, trialView(11, 1), 'x', X)).toBe(drawUniform(randomSource(1), X));
    const enough = viewOf([...few, frozen(9, { ...few[0], number: 9, state: 'pruned' })]);
    expect(new TPESampler().sampleTogether(enough, trialView(10, 1))).toHaveProperty('x');
    expect(new TPESampler({ nStartupTrials: 0 }).sample(viewOf([]), trialView(0, 1), 'x', X)).toSatisfy((value) =>
      holds(X, value),
    );
  });

  it('proposes what the parameters can be, together and one by one', () => {
    fc.assert(
      fc.property(fc.integer({ min: 10, max: 60 }), fc.nat(1e6), fc.boolean(), (n, seed, multivariate) => {
        const view = viewOf(trialsOf(n, seed, SPACE, ({ plain, count }) => (plain as number) * (count as number)));
        const sampler = new TPESampler({ multivariate });
        const together = sampler.sampleTogether(view, trialView(n, seed));
        expect(Object.keys(together).sort()).toEqual(multivariate ? Object.keys(SPACE).sort() : []);
        for (const [name, distribution] of Object.entries(SPACE)) {
          if (multivariate) expect([name, holds(distribution, together[name])]).toEqual([name, true]);
          const alone = sampler.sample(view, trialView(n, seed), name, distribution);
          expect([name, alone, holds(distribution, alone)]).toEqual([name, alone, true]);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('holds no state: what it proposes depends on the study and the stream alone', () => {
    const view = viewOf(trialsOf(40, 1, SPACE, ({ plain }) => plain as number));
    const other = viewOf(trialsOf(50, 2, SPACE, ({ rate }) => rate as number));
    const used = new TPESampler();
    for (let seed = 0; seed < 3; seed++) used.sampleTogether(other, trialView(50, seed));
    const fresh = () => new TPESampler().sampleTogether(view, trialView(40, 7));
    expect(used.sampleTogether(view, trialView(40, 7))).toEqual(fresh());
    expect(used.sampleTogether(view, trialView(40, 7))).toEqual(fresh());
    expect(used.sampleTogether(view, trialView(40, 8))).not.toEqual(fresh());
    // Another trial of the same view leaves out itself: here the best one.
    const values = view.trials.map(({ value }) => value as number);
    const own = values.indexOf(Math.min(...values));
    expect(used.sampleTogether(view, trialView(own, 7))).toEqual(
      new TPESampler().sampleTogether(view, trialView(own, 7)),
    );
    expect(used.sampleTogether(view, trialView(own, 7))).not.toEqual(fresh());
  });

  it('reads a list of trials anew that has grown', () => {
    const trials = trialsOf(30, 1, { x: X }, ({ x }) => x as number);
    const open: FrozenTrial[] = trials.slice(0, 20);
    const sampler = new TPESampler();
    const study: StudyView = { direction: 'minimize', trials: open };
    sampler.sampleTogether(study, trialView(99, 1));
    open.push(...trials.slice(20));
    expect(sampler.sampleTogether(study, trialView(99, 1))).toEqual(
      new TPESampler().sampleTogether(viewOf(trials), trialView(99, 1)),
    );
  });

  it('looks at the order of the values alone, in either direction', () => {
    fc.assert(
      fc.property(fc.nat(1e6), (seed) => {
        const by = (f: (v: number) => number) => trialsOf(40, seed, SPACE, ({ plain }) => f(plain as number));
        const propose = (view: StudyView) => new TPESampler().sampleTogether(view, trialView(40, seed));
        const expected = propose(viewOf(by((v) => v)));
        expect(propose(viewOf(by((v) => Math.exp(v) + 3)))).toEqual(expected);
        expect(
          propose(
            viewOf(
              by((v) => -v),
              'maximize',
            ),
          ),
        ).toEqual(expected);
      }),
      { numRuns: 20 },
    );
  });

  it('does not depend on the order in which trials asked for their parameters', () => {
    const turned = (record: Readonly<Record<string, unknown>>) => Object.fromEntries(Object.entries(record).reverse());
    const trials = trialsOf(40, 1, SPACE, ({ plain }) => plain as number);
    const other = trials.map((trial) => ({ ...trial, distributions: turned(trial.distributions) as typeof SPACE }));
    expect(proposals(viewOf(other), {}, 3)).toEqual(proposals(viewOf(trials), {}, 3));
  });

  it('proposes what did well', () => {
    const view = viewOf(
      trialsOf(60, 1, { x: X, y: Y }, ({ x, y }) => Math.abs((x as number) - 0.8) + 0.1 * (y as number)),
    );
    for (const multivariate of [true, false]) {
      const sampler = new TPESampler({ multivariate });
      const xs = Array.from({ length: 40 }, (_, seed) => sampler.sample(view, trialView(60, seed), 'x', X) as number);
      expect(meanOf(xs.map((x) => Math.abs(x - 0.8)))).toBeLessThan(0.15);
    }
  });

  it('learns which values go together, only where parameters are drawn together', () => {
    // Good: a small x with a large y, or the other way round.
    const value = (x: number, y: number) =>
      Math.min(Math.abs(x - 0.2) + Math.abs(y - 0.8), Math.abs(x - 0.8) + Math.abs(y - 0.2));
    const valuesAfter = (propose: (view: StudyView, seed: number) => Params) =>
      Array.from({ length: 40 }, (_, seed) => {
        const view = viewOf(trialsOf(200, seed, { x: X, y: Y }, ({ x, y }) => value(x as number, y as number)));
        const { x, y } = propose(view, seed);
        return value(x as number, y as number);
      });
    const together = valuesAfter((view, seed) => new TPESampler().sampleTogether(view, trialView(200, seed)));
    const alone = valuesAfter((view, seed) => {
      const sampler = new TPESampler({ multivariate: false });
      const trial = trialView(200, seed);
      return { x: sampler.sample(view, trial, 'x', X), y: sampler.sample(view, trial, 'y', Y) };
    });
    expect(meanOf(together)).toBeLessThan(0.15);
    expect(meanOf(alone)).toBeGreaterThan(0.25);
  });

  it('keeps away from trials that go on, unless constantLiar is false', () => {
    const ended = trialsOf(60, 1, { x: X }, ({ x }) => Math.abs((x as number) - 0.5));
    const going = Array.from({ length: 20 }, (_, at) =>
      frozen(60 + at, { state: 'running', value: null, params: { x: 0.5 + 0.002 * at }, distributions: { x: X } }),
    );
    const near = (view: StudyView, constantLiar: boolean) =>
      numbersAt(proposals(view, { constantLiar }), 'x').filter((x) => x > 0.49 && x < 0.55).length;
    const [with_, without] = [viewOf([...ended, ...going]), viewOf(ended)];
    expect(near(with_, true)).toBeLessThan(0.5 * near(without, true));
    const off = { constantLiar: false };
    const at = (view: StudyView) => new TPESampler(off).sampleTogether(view, trialView(99, 5));
    expect(at(with_)).toEqual(at(without));
  });

  it('takes failed trials and values of another range as none', () => {
    const trials = trialsOf(40, 1, { x: X }, ({ x }) => x as number);
    const view = viewOf(trials);
    const failed = viewOf([...trials, frozen(40, { state: 'failed', params: { x: 0.9 }, distributions: { x: X } })]);
    const at = (study: StudyView) => new TPESampler().sample(study, trialView(99, 5), 'x', X);
    expect(at(failed)).toBe(at(view));
    // Trials that go on are in no count: one with a value of another range changes nothing.
    for (const x of [7, -1, 'text', null]) {
      const foreign = frozen(40, {
        state: 'running',
        params: { x },
        distributions: { x: floatDistribution('x', -9, 9) },
      });
      expect(at(viewOf([...trials, foreign]))).toBe(at(view));
    }
    const all = trials.map((trial) => ({ ...trial, params: { x: 5 } }));
    expect(at(viewOf(all))).toSatisfy((value) => holds(X, value));
  });

  it('gives the one value of a range of one, and leaves out what is known', () => {
    const one = floatDistribution('one', 3, 3);
    const view = viewOf(trialsOf(20, 1, { x: X, y: Y, one }, ({ x }) => x as number));
    expect(new TPESampler().sample(view, trialView(20, 1), 'one', one)).toBe(3);
    expect(Object.keys(new TPESampler().sampleTogether(view, trialView(20, 1)))).toEqual(['x', 'y']);
    expect(Object.keys(new TPESampler().sampleTogether(view, trialView(20, 1, { x: 0.5 })))).toEqual(['y']);
  });

  it('models parameters that only some trials have', () => {
    const space = { x: X };
    const trials = trialsOf(80, 1, { x: X, y: Y }, ({ y }) => Math.abs((y as number) - 0.2)).map((trial) =>
      trial.number % 2 ? trial : { ...trial, params: { x: trial.params.x }, distributions: space, value: 1 },
    );
    const view = viewOf(trials);
    expect(proposals(view, {}, 1).map(Object.keys)).toEqual([['x']]);
    const ys = Array.from(
      { length: 40 },
      (_, seed) => new TPESampler().sample(view, trialView(80, seed), 'y', Y) as number,
    );
    expect(meanOf(ys.map((y) => Math.abs(y - 0.2)))).toBeLessThan(0.15);
  });

  it('finds smaller values than random draws in a space with branches', async () => {
    const objective = (trial: Trial) => {
      const rate = Math.log10(trial.suggestFloat('rate', 1e-5, 1, { log: true })) + 2.5;
      if (trial.suggestCategorical('kind', ['plain', 'deep']) === 'plain') return 1 + rate ** 2;
      return rate ** 2 + (trial.suggestInt('depth', 1, 30) - 12) ** 2 / 20;
    };
    const best = async (sampler: 'random' | TPESampler, randomState: number) =>
      (await new Study({ sampler, randomState }).optimize(objective, { nTrials: 60 })).bestValue as number;
    for (const options of [{}, { multivariate: false }]) {
      let wins = 0;
      for (let seed = 0; seed < 10; seed++) {
        if ((await best(new TPESampler(options), seed)) < (await best('random', seed))) wins++;
      }
      expect([options, wins >= 8]).toEqual([options, true]);
    }
  });
});
