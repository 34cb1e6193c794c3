import { type CombinedScore, combineFolds } from '../metrics/combineFolds.js';
import { rocAuc } from '../metrics/definitions/ranking.js';
import { type Metric, type Score, undefinedBecause } from '../metrics/metric.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import type { IntervalInput } from './interval.js';

type Input = Pick<IntervalInput, 'metric' | 'folds' | 'design' | 'fixedModel'>;

interface Adapted extends Pick<IntervalInput, 'metric' | 'obstacle'> {
  readonly note?: string;
}

/** One model scores all rows on one scale, so they are taken together: where folds begin and end says nothing about it. */
export const overFolds = (metric: Metric, fixedModel = false): Metric =>
  fixedModel ? { ...metric, combine: 'pooled' } : metric;

interface Trained {
  readonly metadata: { readonly fixedModel: string | null };
  readonly foldDetails: readonly {
    readonly adjustment: {
      readonly from: unknown;
      readonly recalibration: unknown;
      readonly threshold: unknown;
    } | null;
  }[];
}

/** Nothing was fitted in any fold that the score reads. What a scoring function reads is not known. */
export function isFixed({ metadata, foldDetails }: Trained, metric: Metric | undefined): boolean {
  if (metadata.fixedModel === null) return false;
  const fitted = foldDetails.flatMap(({ adjustment }) => (adjustment?.from ? [adjustment] : []));
  const readsLabels = metric?.needs !== 'probabilities';
  return fitted.every(({ recalibration, threshold }) => !recalibration && !(threshold && readsLabels));
}

export function metricOverFolds(input: Input): Adapted & Pick<IntervalInput, 'folds'> {
  const { metric, folds, fixedModel } = input;
  const scores = folds.map(({ score }) => score);
  return leavePairOut(input) ?? { folds, ...pooledFallback(overFolds(metric, fixedModel), scores) };
}

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
 * curve in leave-one-out. Scores of different fold models are then compared, which is biased.
 *
 * Source of the bias: Parker, Günter & Bedo 2007, BMC Bioinformatics 8:326; Airola et al. 2011, Computational
 * Statistics & Data Analysis 55:1828.
 */
export function pooledFallback(metric: Metric, scores: readonly Score[]): Adapted {
  if (metric.combine === 'pooled' || scores.some(({ value }) => value !== null)) return { metric };
  const [first] = scores;
  const reason = first && first.value === null ? ` (${first.reason})` : '';
  const pooled = `No fold has a ${metric.name} of its own${reason}: it is pooled over all rows`;
  return {
    metric: { ...metric, combine: 'pooled' },
    note: `${pooled}, as if the fold models scored on one scale, and is biased downwards when single rows are left out. LPOCV with p = 2 has no such bias.`,
    obstacle: BIASED,
  };
}

const BIASED =
  'scores of different fold models are compared, which on noise gives an area below .5 (Parker 2007; Airola 2011). Take LPOCV with p = 2 (LeavePGroupsOut for patients with several rows), or folds that hold rows of every class, as StratifiedKFold and StratifiedGroupKFold make them';

/**
 * The area under the ROC curve where every two rows are left out in turn: the share of the pairs of a positive and a
 * negative row that the model trained without both ranks rightly, ties counting half. A row's influence is the mean over
 * its pairs less the estimate, over the weight of its class.
 *
 * Source: Airola et al. 2011, Computational Statistics & Data Analysis 55:1828.
 */
function leavePairOut({ metric, folds, design }: Input): ReturnType<typeof metricOverFolds> | undefined {
  const pairs = folds.filter(({ units }) => units.length === 2);
  const inPairs = pairs.length > 0 && folds.every(({ units }) => units.length <= 2);
  if (metric.name !== rocAuc.name || !design?.exhaustive || design.partition || !inPairs) return undefined;
  return {
    folds: pairs, // a fold that lost its row of weight 0 has no pair
    metric: { ...metric, combine: 'pooled', compute: areaOfPairs, influence: influenceOfPairs },
    note: 'Leave-pair-out: the share of pairs of a positive and a negative row that the model trained without both ranks rightly (Airola et al. 2011).',
  };
}

/** For the two rows of each fold that differ in class; the folds follow one another in the table. */
function eachPair(table: ScoreTable, found: (first: number, weight: number, right: number) => void): void {
  const { yTrue, weight, length, positive } = table;
  const yProba = table.yProba as Float64Array;
  for (let first = 0; first < length; first += 2) {
    const second = first + 1;
    const w = weight ? weight[first] * weight[second] : 1;
    if (yTrue[first] === yTrue[second] || w === 0) continue;
    const ahead = Math.sign(yProba[first] - yProba[second]) * (yTrue[first] === positive ? 1 : -1);
    found(first, w, (1 + ahead) / 2);
  }
}

function areaOfPairs(table: ScoreTable): ReturnType<Metric['compute']> {
  let [sum, total] = [0, 0];
  eachPair(table, (_, weight, right) => {
    sum += weight * right;
    total += weight;
  });
  return total > 0 ? sum / total : undefinedBecause('no pair of a positive and a negative row');
}

function influenceOfPairs(table: ScoreTable, estimate: number): Float64Array {
  const out = new Float64Array(table.length);
  let total = 0;
  eachPair(table, (first, weight, right) => {
    out[first] = weight * (right - estimate);
    out[first + 1] = out[first];
    total += weight;
  });
  return out.map((each) => each / total);
}
