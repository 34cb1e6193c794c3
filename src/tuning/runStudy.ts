import { CVKitError, InvalidOptionError, messageOf, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { counted } from '../core/format.js';
import type { FrozenTrial } from '../core/tuningTrial.js';
import { stopOf } from '../runner/hooks.js';
import { isBetter } from './bestTrial.js';
import type { StudyView } from './sampler.js';
import type { OnTrial, TellOptions } from './studyOptions.js';
import type { Trial } from './trial.js';
import { TrialPruned } from './trialPruned.js';

/** Gives the value of a trial; null, undefined or NaN mean that it has failed. */
export type Objective = (trial: Trial) => number | null | undefined | Promise<number | null | undefined>;

interface RunnableStudy {
  readonly name: string;
  readonly trials: readonly FrozenTrial[];
  readonly bestTrial: FrozenTrial | null;
  readonly bestValue: number | null;
  readonly isExhausted: boolean;
  readonly direction: StudyView['direction'];
  /** Trials that are asked for from now on do not know how trials from this number on have ended. */
  beginGroup(first: number): void;
  ask(): Trial;
  tell(trial: Trial, value: number | null | undefined, options?: TellOptions): FrozenTrial;
  flush(): Promise<void>;
}

export interface TrialOutcome extends TellOptions {
  readonly value: number | null | undefined;
}

/** Evaluates a group of trials, and reports each as soon as it has ended, in their order. */
export type EvaluateTrials = (
  trials: readonly Trial[],
  report: (trial: Trial, outcome: TrialOutcome) => Promise<'stop' | undefined>,
) => Promise<void>;

export interface StudyRun {
  readonly nTrials?: number | undefined;
  readonly timeout?: number | undefined;
  readonly patience?: number | undefined;
  readonly parallelTrials: number;
  readonly signal?: AbortSignal | undefined;
  readonly ask?: () => Trial;
  readonly evaluate: EvaluateTrials;
  readonly onTrial?: OnTrial | undefined;
}

export async function runStudy(study: RunnableStudy, run: StudyRun): Promise<string> {
  const { nTrials = Number.POSITIVE_INFINITY, timeout = Number.POSITIVE_INFINITY, signal } = run;
  const until = performance.now() + timeout * 1000;
  const { bestTrial } = study;
  const earlier = study.trials.filter(({ endedAt }) => endedAt !== null);
  let done = earlier.length;
  let idle = bestTrial ? earlier.filter(({ number }) => number > bestTrial.number).length : 0;
  let stopped: string | undefined;
  const isIdle = () => {
    // Without a value there is nothing to be better than, unless nothing else would end the search.
    const counts = study.bestValue !== null || (nTrials === timeout && nTrials === Number.POSITIVE_INFINITY);
    return counts && idle >= (run.patience ?? Number.POSITIVE_INFINITY);
  };
  const idleText = () => `${counted(idle, 'trial')} in a row brought no better value`;
  const report = async (trial: Trial, { value, ...how }: TrialOutcome): Promise<'stop' | undefined> => {
    if (stopped !== undefined) {
      // It went on beside the one that ended the search: what it gave depends on how many go on at once, so it does not count.
      study.tell(trial, null, { state: 'pruned' });
      await study.flush();
      return 'stop';
    }
    const before = study.bestValue;
    const ended = study.tell(trial, value, how);
    await study.flush();
    done++;
    const improves =
      ended.state === 'complete' && (before === null || isBetter(study.direction, ended.value as number, before));
    idle = improves ? 0 : idle + 1;
    if (stopOf(await run.onTrial?.(ended))) stopped ??= 'it was told to stop';
    if (isIdle()) stopped ??= idleText();
    return stopped === undefined ? undefined : 'stop';
  };
  const reason = (): string | undefined => {
    if (stopped !== undefined) return stopped;
    // Of an earlier session, perhaps.
    if (isIdle()) return idleText();
    if (done >= nTrials) return `${counted(done, 'trial')} done`;
    if (performance.now() >= until) return `${timeout} s are over`;
    return study.isExhausted ? 'every combination was tried' : undefined;
  };
  let rested = performance.now();
  for (;;) {
    // Quick trials never leave the queue of promises: timers, and what aborts, must have a turn.
    if (performance.now() - rested > 50) {
      await new Promise((resolve) => setTimeout(resolve));
      rested = performance.now();
    }
    signal?.throwIfAborted();
    const why = reason();
    if (why !== undefined) return endOf(study, why);
    const group: Trial[] = [];
    // A group that broke off is ended before the next one begins, so that a search that goes on has the same groups.
    const inGroup = done % run.parallelTrials;
    study.beginGroup(inGroup === 0 ? Number.POSITIVE_INFINITY : done - inGroup);
    const most = Math.min(run.parallelTrials - inGroup, nTrials - done);
    while (group.length < most && !study.isExhausted) group.push((run.ask ?? (() => study.ask()))());
    await study.flush();
    await run.evaluate(group, report);
  }
}

/** Throws where no trial has a value: whatever is chosen then is chosen by nothing. */
function endOf(study: RunnableStudy, why: string): string {
  if (study.bestTrial) return why;
  const { trials } = study;
  const failed = trials.filter(({ state }) => state === 'failed');
  const which = trials.length === 1 ? 'one' : `${failed.length} of ${trials.length}`;
  const got =
    failed.length > 0
      ? `${which} that failed, the first because: ${failed[0].reason}`
      : `${counted(trials.length, 'trial')} without one, and ${why}`;
  const subject = `The trials of the study '${nameText(study.name)}'`;
  throw new CVKitError(sentence(subject, 'have at least one with a value', phrase(got)), { code: 'all_trials_failed' });
}

export function objectiveOutcomes(objective: Objective): EvaluateTrials {
  if (typeof objective !== 'function') {
    throw new InvalidOptionError(sentence('The objective of optimize', 'be a function of a trial', objective));
  }
  return async (trials, report) => {
    const outcomes = trials.map((trial) => outcomeOf(() => objective(trial)));
    // Asked for now, so that one that ends the study while others are waited for is not an error that nobody handles.
    const all = Promise.allSettled(outcomes);
    try {
      for (const [at, outcome] of outcomes.entries()) await report(trials[at], await outcome);
    } finally {
      await all;
    }
  };
}

/** The outcome of some work. A wrong space is wrong in every trial, so it ends the study. */
export async function outcomeOf(work: () => unknown): Promise<TrialOutcome> {
  try {
    const value = await work();
    if (typeof value === 'number' || value === null || value === undefined) return { value };
    return { value: null, reason: `the objective gave ${typeof value} in place of a number` };
  } catch (error) {
    if (error instanceof TrialPruned) return { value: null, state: 'pruned' };
    if (error instanceof CVKitError && error.code === 'invalid_space') throw error;
    return { value: null, state: 'failed', reason: messageOf(error) };
  }
}
