/** Against `_split_trials` and `IntersectionSearchSpace` of Optuna 5.0.0: test/reference/tpe.py. */

import { describe, expect, it } from 'vitest';
import type { FrozenTrial, TrialState } from '../../../src/core/tuningTrial.js';
import { floatDistribution } from '../../../src/tuning/distribution.js';
import type { StudyView } from '../../../src/tuning/sampler.js';
import { jointSpace, splitTrials } from '../../../src/tuning/tpe/splitTrials.js';
import { frozen } from '../../helpers/tpe.js';
import reference from '../../reference/tpe.json' with { type: 'json' };

type Recorded = [state: string, value: number | null, reports: [number, number | null][]];

const trialsOf = (recorded: readonly Recorded[]) =>
  recorded.map(([state, value, reports], number) =>
    frozen(number, {
      state: state as TrialState,
      value,
      intermediateValues: new Map(reports.map(([step, each]) => [step, each ?? Number.NaN])),
    }),
  );
const numbersOf = (trials: readonly FrozenTrial[]) => trials.map(({ number }) => number);

describe('splitTrials', () => {
  it.each(
    reference.splits.map((each, at) => [`${at}: ${each.trials.length} trials, ${each.direction}`, each] as const),
  )('splits as Optuna does, %s', (_, { direction, trials, better, worse }) => {
    const view = { direction, trials: trialsOf(trials as Recorded[]) } as StudyView;
    const split = splitTrials(view, trials.length, true);
    expect(numbersOf(split.better)).toEqual(better);
    expect(numbersOf(split.worse)).toEqual(worse);
  });

  const view: StudyView = {
    direction: 'minimize',
    trials: [
      frozen(0, { state: 'running' }),
      frozen(1, { state: 'failed' }),
      frozen(2, { state: 'complete', value: 1 }),
      frozen(3, { state: 'waiting' }),
      frozen(4, { state: 'complete', value: 2 }),
      frozen(5, { state: 'running' }),
    ],
  };

  it('leaves out trials that go on where it should, the own trial, failed and waiting ones', () => {
    expect(numbersOf(splitTrials(view, 5, true).worse)).toEqual([0, 4]);
    expect(numbersOf(splitTrials(view, 5, false).worse)).toEqual([4]);
    expect(numbersOf(splitTrials(view, 5, true).ended)).toEqual([2, 4]);
  });
});

const distributionOf = (name: string) =>
  name === 'single' ? floatDistribution(name, 1, 1) : floatDistribution(name, 0, 1);
const trialsWith = (names: readonly string[][]) =>
  names.map((each, number) =>
    frozen(number, { distributions: Object.fromEntries(each.map((name) => [name, distributionOf(name)])) }),
  );

describe('jointSpace', () => {
  it.each(reference.spaces.map((each) => [JSON.stringify(each.trials), each] as const))(
    'has the parameters of Optuna: %s',
    (_, { trials, shared }) => expect(Object.keys(jointSpace(trialsWith(trials)))).toEqual(shared),
  );

  it('leaves out a name with two ranges', () => {
    const trials = [
      frozen(0, { distributions: { a: floatDistribution('a', 0, 1), b: floatDistribution('b', 0, 1) } }),
      frozen(1, { distributions: { a: floatDistribution('a', 0, 2), b: floatDistribution('b', 0, 1) } }),
    ];
    expect(Object.keys(jointSpace(trials))).toEqual(['b']);
  });
});
