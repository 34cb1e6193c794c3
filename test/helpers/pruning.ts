/** Studies for tests of pruners: recorded ones, replayed report by report, and random ones. */

import fc from 'fast-check';
import type { FrozenTrial } from '../../src/core/tuningTrial.js';
import type { Pruner } from '../../src/tuning/pruner.js';
import type { StudyView } from '../../src/tuning/sampler.js';

type Reports = readonly (readonly [step: number, value: number | null, prunes?: boolean])[];

/** A study of test/reference/pruners.json. */
export interface Recorded {
  readonly direction: string;
  readonly trials: readonly { readonly state: string; readonly value: number | null; readonly reports: unknown[] }[];
}

/** A trial that reported these values; null is NaN. */
export const trialOf = (
  number: number,
  reports: Reports,
  { state = 'running', value = null }: Partial<Pick<FrozenTrial, 'state' | 'value'>> = {},
): FrozenTrial => ({
  number,
  state,
  value,
  params: {},
  distributions: {},
  intermediateValues: new Map([...reports].sort(([a], [b]) => a - b).map(([step, own]) => [step, own ?? Number.NaN])),
  userAttrs: {},
  startedAt: null,
  endedAt: null,
});

/** Trials that are complete, each with the mean of what it reported. */
export const completeTrials = (...values: readonly (readonly number[])[]): FrozenTrial[] =>
  values.map((own, number) =>
    trialOf(
      number,
      own.map((value, at) => [at + 1, value]),
      { state: 'complete', value: own.reduce((a, b) => a + b, 0) / own.length },
    ),
  );

/** What a pruner says after each report of each trial, and what was recorded. */
export function replayed(decide: Pruner['shouldPrune'], { direction, trials }: Recorded) {
  const before: FrozenTrial[] = [];
  const decisions: boolean[][] = [];
  for (const [number, { state, value, reports: recorded }] of trials.entries()) {
    const reports = recorded as Reports;
    const view = (trial: FrozenTrial): StudyView => ({
      direction: direction as 'minimize',
      trials: [...before, trial],
    });
    decisions.push(
      reports.map((_, at) => {
        const trial = trialOf(number, reports.slice(0, at + 1));
        return decide(view(trial), trial);
      }),
    );
    before.push(trialOf(number, reports, { state: state as 'complete', value }));
  }
  return { decisions, expected: trials.map(({ reports }) => (reports as Reports).map(([, , prunes]) => prunes)) };
}

/** Eighths, so that ties are frequent. */
export const anyValue = fc.integer({ min: -24, max: 24 }).map((value) => value / 8);

const anyReports = fc
  .array(fc.option(anyValue, { freq: 10 }), { maxLength: 9 })
  .chain((values) =>
    fc
      .shuffledSubarray([1, 2, 3, 4, 5, 6, 7, 8, 9], { minLength: values.length, maxLength: values.length })
      .map((steps): Reports => steps.map((step, at) => [step, values[at]])),
  );

/** Some trials that have ended, and one that runs. */
export const anyStudy: fc.Arbitrary<{ readonly study: StudyView; readonly trial: FrozenTrial }> = fc
  .record({
    ended: fc.array(
      fc.record({
        reports: anyReports,
        value: anyValue,
        state: fc.constantFrom('complete', 'complete', 'complete', 'pruned', 'failed'),
      }),
      { maxLength: 25 },
    ),
    reports: anyReports,
    direction: fc.constantFrom('minimize', 'maximize'),
  })
  .map(({ ended, reports, direction }) => {
    const trial = trialOf(ended.length, reports);
    const others = ended.map(({ reports: own, value, state }, number) =>
      trialOf(number, own, { state: state as 'complete', value: state === 'complete' ? value : null }),
    );
    return { study: { direction: direction as 'minimize', trials: [...others, trial] }, trial };
  });

const negated = (trial: FrozenTrial): FrozenTrial => ({
  ...trial,
  value: trial.value === null ? null : -trial.value,
  intermediateValues: new Map([...trial.intermediateValues].map(([step, value]) => [step, -value])),
});

/** What holds of every pruner: throws where it does not. Returns how often it pruned. */
export function checkPruner(pruner: Pruner): number {
  let pruned = 0;
  fc.assert(
    fc.property(anyStudy, fc.nat(), ({ study, trial }, turn) => {
      const decision = pruner.shouldPrune(study, trial);
      if (decision) pruned++;
      const { direction, trials } = study;
      const mirrored: StudyView = {
        direction: direction === 'minimize' ? 'maximize' : 'minimize',
        trials: trials.map(negated),
      };
      if (pruner.shouldPrune(mirrored, negated(trial)) !== decision) throw new Error('the direction matters');
      const at = turn % trials.length;
      const turned = [...trials.slice(at), ...trials.slice(0, at)].reverse();
      if (pruner.shouldPrune({ direction, trials: turned }, trial) !== decision) throw new Error('the order matters');
      // A trial of another process, of which nothing is known yet.
      const running = trialOf(trials.length, []);
      if (pruner.shouldPrune({ direction, trials: [...trials, running] }, trial) !== decision) {
        throw new Error('a trial without reports matters');
      }
      if (pruner.shouldPrune(study, trialOf(trial.number, []))) throw new Error('a trial without reports is pruned');
      if (pruner.shouldPrune(study, trial) !== decision) throw new Error('it holds a state');
    }),
    { numRuns: 1000 },
  );
  return pruned;
}
