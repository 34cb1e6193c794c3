/** Trials that did well, and the others. */
import type { FrozenTrial } from '../frozenTrial.js';
import type { StudyView } from '../sampler.js';

/** Trials in the order of their numbers. */
export interface SplitTrials {
  readonly better: readonly FrozenTrial[];
  readonly worse: readonly FrozenTrial[];
  /** Those of both that have ended. */
  readonly ended: readonly FrozenTrial[];
}

/** At most so many trials did well. */
const MOST_BETTER = 25;

/**
 * The better tenth of the trials, at most 25, and the rest. Complete trials go before pruned ones, by their values; pruned
 * ones that came farther go first, and by the last value that they reported. Failed trials count as none.
 *
 * Source: Watanabe 2023, arXiv:2304.11127, section 3.2 (linear gamma), for the number; pruned trials as Optuna orders them.
 *
 * @param own the trial that parameters are drawn for, which takes no part
 * @param withRunning trials that go on count as worse, so that trials at once do not try the same (constant liar)
 */
export function splitTrials({ trials, direction }: StudyView, own: number, withRunning: boolean): SplitTrials {
  const others = trials.filter(({ number }) => number !== own);
  const ended = others.filter(({ state }) => state === 'complete' || state === 'pruned');
  const nBetter = Math.min(Math.ceil(0.1 * ended.length), MOST_BETTER);
  const sign = direction === 'minimize' ? 1 : -1;
  const ranks = new Map(ended.map((trial) => [trial, rankOf(trial, sign)]));
  const best = new Set(firstOf(ended, nBetter, (a, b) => isBefore(ranks.get(a) as Rank, ranks.get(b) as Rank)));
  return {
    better: ended.filter((trial) => best.has(trial)),
    worse: others.filter(
      (trial) => !best.has(trial) && (ranks.has(trial) || (withRunning && trial.state === 'running')),
    ),
    ended,
  };
}

/** What trials are ordered by, the first thing first; smaller is better. */
type Rank = readonly [pruned: number, step: number, value: number];

function rankOf({ state, value, intermediateValues }: FrozenTrial, sign: number): Rank {
  if (state === 'complete') return [0, 0, sign * (value as number)];
  if (intermediateValues.size === 0) return [1, 1, 0];
  const last = Math.max(...intermediateValues.keys());
  const reported = intermediateValues.get(last) as number;
  return [1, -last, Number.isNaN(reported) ? Number.POSITIVE_INFINITY : sign * reported];
}

function isBefore(a: Rank, b: Rank): boolean {
  const at = a.findIndex((each, place) => each !== b[place]);
  return at >= 0 && a[at] < b[at];
}

/** The first few, without sorting all; the earlier of equal ones. */
function firstOf<T>(items: readonly T[], count: number, before: (a: T, b: T) => boolean): readonly T[] {
  const first: T[] = [];
  for (const item of items) {
    if (first.length === count && (count === 0 || !before(item, first[count - 1]))) continue;
    let at = first.length;
    while (at > 0 && before(item, first[at - 1])) at--;
    first.splice(at, 0, item);
    if (first.length > count) first.pop();
  }
  return first;
}
