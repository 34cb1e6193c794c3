import { type CombinedScore, combineFolds } from '../metrics/combineFolds.js';
import type { Metric, Score } from '../metrics/metric.js';
import type { IntervalInput } from './interval.js';
import { leavePairOut } from './leavePairOut.js';

type Input = Pick<IntervalInput, 'metric' | 'folds' | 'design' | 'fixedModel'>;

/** A metric as folds allow it, with a note where that is not its own `combine`, and why there can be no limits. */
interface Adapted extends Pick<IntervalInput, 'metric' | 'obstacle'> {
  readonly note?: string;
}

/** The metric in the form that these folds allow, and the folds that it uses. */
export function metricOverFolds(input: Input): Adapted & Pick<IntervalInput, 'folds'> {
  const { metric, folds, fixedModel } = input;
  return (
    leavePairOut(input) ?? {
      folds,
      ...pooledFallback(
        metric,
        folds.map(({ score }) => score),
        fixedModel,
      ),
    }
  );
}

/** The estimate over the folds that did not fail: the number that intervals are about. */
export function foldEstimate(input: Input): CombinedScore {
  const { metric, folds } = metricOverFolds(input);
  const scored = folds.flatMap(({ table, repeat }) => (table ? [{ table, repeat }] : []));
  return combineFolds(
    metric,
    scored.map(({ table }) => table),
    scored.map(({ repeat }) => repeat),
  );
}

/**
 * A metric that averages over folds is pooled over all rows when no fold has a value of its own, as the area under the
 * curve in leave-one-out. Scores of different fold models are then compared: on noise the area lies far below one half, and
 * an interval of it would hold one half far too rarely, so there is none. One model for all folds has no such bias.
 *
 * Source of the bias: Parker, Günter & Bedo 2007, BMC Bioinformatics 8:326; Airola et al. 2011, Computational
 * Statistics & Data Analysis 55:1828.
 */
export function pooledFallback(metric: Metric, scores: readonly Score[], fixedModel = false): Adapted {
  if (metric.combine === 'pooled' || scores.some(({ value }) => value !== null)) return { metric };
  const [first] = scores;
  const reason = first && first.value === null ? ` (${first.reason})` : '';
  const pooled = `No fold has a ${metric.name} of its own${reason}: it is pooled over all rows`;
  const one = { metric: { ...metric, combine: 'pooled' } } as const;
  if (fixedModel) return { ...one, note: `${pooled}, which one model scored.` };
  return {
    ...one,
    note: `${pooled}, as if the fold models scored on one scale, and is biased downwards when single rows are left out. LPOCV with p = 2 has no such bias.`,
    obstacle: BIASED,
  };
}

/** Why there is no interval of a value that is pooled over fold models, and the way out. */
const BIASED =
  'scores of different fold models are compared, which on noise gives an area below .5 (Parker 2007; Airola 2011). Take LPOCV with p = 2 (LeavePGroupsOut for patients with several rows), or folds that hold rows of every class, as StratifiedKFold and StratifiedGroupKFold make them';
