import { deriveSeed, randomSource } from '../core/random.js';
import { type BestOfMany, bestOfMany } from '../intervals/bestOfMany.js';
import { type IntervalFolds, intervalFolds } from '../intervals/intervalFolds.js';
import { type Metric, score } from '../metrics/metric.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import type { Prepared } from '../runner/prepare.js';
import type { Scorer } from '../runner/scoring.js';
import type { Searched } from './search.js';

/** BBC-CV over the trials of a search; null limits and estimate with a reason where it cannot be had. */
export interface CorrectedBest extends Omit<BestOfMany, 'chosen' | 'shares'> {
  /** Trials that took part: those that were scored on all folds here. */
  readonly nTrials: number;
  /** Trials that did not: pruned ones, and those of an earlier session, whose predictions are gone. */
  readonly nLeftOut: number;
}

interface Settings {
  readonly scorer: Scorer;
  readonly ciLevel: number;
  readonly nBootstrap: number;
}

export function correctedBest(
  prepared: Prepared,
  { study, tables }: Searched,
  { scorer, ciLevel, nBootstrap }: Settings,
): CorrectedBest | { readonly estimate: null; readonly reason: string } {
  const { metric } = scorer;
  const complete = study.trials.filter(({ state }) => state === 'complete');
  const without = complete.filter(({ number }) => !tables.has(number)).length;
  const none = (reason: string) => ({ estimate: null, reason });
  if (!metric) return none('a scoring function declares no way to combine folds; use defineMetric');
  if (without > 0) {
    return none(`the predictions of ${without} of ${complete.length} trials are gone, which an earlier session scored`);
  }
  // In the order of their numbers, since trials side by side end in any order, and of equal ones the first wins.
  const scored = [...tables].sort(([a], [b]) => a - b);
  // The search ranks by the mean of folds, whatever the metric would be combined by: so the same choice is repeated.
  const averaged: Metric = { ...metric, combine: 'mean' };
  const configurations = scored.map(([, of]) => foldsOfTrial(of, prepared).for(averaged));
  const [{ unit }] = configurations;
  const {
    chosen: _chosen,
    shares: _shares,
    ...corrected
  } = bestOfMany({
    metric: averaged,
    level: ciLevel,
    unit,
    nBootstrap,
    random: randomSource(deriveSeed(prepared.randomState, 'tuning', 'bbc')),
    configurations: configurations.map(({ folds }) =>
      folds.map((fold) => ({
        ...fold,
        score: fold.table ? score(metric, fold.table) : { value: null, reason: 'the fold failed' },
      })),
    ),
    names: scored.map(([number]) => `trial ${number}`),
  });
  return { ...corrected, nTrials: tables.size, nLeftOut: study.trials.length - tables.size };
}

function foldsOfTrial(tables: readonly (ScoreTable | undefined)[], { plan, data, weight }: Prepared): IntervalFolds {
  const folds = Array.from({ length: plan.length }, (_, index) => {
    const [table, fold] = [tables[index], { index }];
    return table
      ? ({ status: 'completed', fold, table, nUnitsFitted: null } as const)
      : ({ status: 'failed', fold } as const);
  });
  return intervalFolds({ folds, plan }, { ...data, sampleWeight: weight });
}
