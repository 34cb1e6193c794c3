/** The rows of a table of several models, and what they are made of. */
import { nameText } from '../../core/foreignText.js';
import { counted } from '../../core/format.js';
import { deriveSeed, randomSource } from '../../core/random.js';
import { meanScore } from '../../core/summaryText.js';
import { bootstrap } from '../../intervals/bootstrap.js';
import { metricOverFolds } from '../../intervals/foldEstimate.js';
import { type Interval, type IntervalFold, joinNotes } from '../../intervals/interval.js';
import { SharedDraws } from '../../intervals/unitDraws.js';
import type { Metric, Score } from '../../metrics/metric.js';
import { standardDeviation } from '../../runner/cvResults.js';
import { factsOf, type ScoredFolds, type ScoredResults, scoredFolds, valuedFolds } from '../results.js';
import { checkSameFolds } from './sameFolds.js';

/** One combination of a model and a preparation in a {@link ModelTable}. */
export interface ModelTableRow {
  /** The name of the model; with several preparations `model, preparation`. */
  readonly name: string;
  readonly model: string;
  /** Null where none was named. */
  readonly preparation: string | null;
  /** Out-of-fold estimate with its interval, not adjusted for the number of rows; null for a combination that failed. */
  readonly interval: Interval | null;
  /** Value by fold that ran; null with the reason where there is none. */
  readonly scores: readonly Score[];
  /** Mean of the folds that have a value, and their sample standard deviation, which is no standard error. */
  readonly foldMean: number | null;
  readonly foldSd: number | null;
  /** Folds that ran, and how many of them failed: both 0 for a combination that failed. */
  readonly nFolds: number;
  readonly nFailed: number;
  /** Wall-clock seconds of the cross-validation. */
  readonly seconds: number;
  /** Why the combination failed; null where it did not. */
  readonly reason: string | null;
}

/** A combination with what it gave. */
export interface Tested extends Pick<ModelTableRow, 'name' | 'model' | 'preparation'> {
  readonly results?: ScoredResults;
  /** Why there are none, and after how long it ended. */
  readonly failed?: { readonly seconds: number; readonly reason: string };
}

export interface TableSettings {
  readonly metric: Metric;
  readonly level: number;
  readonly nBootstrap: number;
  readonly nPermutations: number | undefined;
  readonly seed: number | string;
}

/** A combination that gave results, with its folds as tests take them. */
export interface Side extends Tested {
  readonly results: ScoredResults;
  readonly scored: ScoredFolds;
  readonly nFailed: number;
}

export const sidesOf = (tested: readonly Tested[]): Side[] =>
  tested.flatMap(({ results, ...rest }) =>
    results ? [{ ...rest, results, scored: scoredFolds(results), nFailed: failedFolds(results).length }] : [],
  );

const failedFolds = ({ foldDetails }: ScoredResults) => foldDetails.filter(({ status }) => status === 'failed');

/** The rows, each as if it stood alone: the interval is that of `validate`, the resamples are the same for all. */
export function tableRows(
  tested: readonly Tested[],
  sides: readonly Side[],
  { metric, level, nBootstrap, seed }: TableSettings,
): ModelTableRow[] {
  const random = deriveSeed(seed, 'interval');
  const draws = new SharedDraws(random, nBootstrap);
  return tested.map(({ name, model, preparation, failed }) => {
    const side = sides.find((each) => each.name === name);
    const own = { name, model, preparation };
    if (!side) {
      const none = { interval: null, scores: [], foldMean: null, foldSd: null, nFolds: 0, nFailed: 0 };
      return { ...own, ...none, ...(failed as NonNullable<Tested['failed']>) };
    }
    const { results, scored, nFailed } = side;
    const folds = valuedFolds(metric, scored.folds);
    const fixedModel = factsOf(results).fixedModel !== null;
    const { note, ...over } = metricOverFolds({ metric, folds, design: results.plan.claims, fixedModel });
    const input = { level, unit: scored.unit, nBootstrap, draws, design: results.plan.claims, fixedModel };
    const interval = bootstrap({ ...input, ...over, random: randomSource(random) });
    const nFolds = results.foldDetails.length;
    const scores = scoresOf(side, metric);
    return {
      ...own,
      interval: {
        ...interval,
        ...(nFailed > 0 ? { lower: null, upper: null, reason: failedText(side) } : {}),
        ...joinNotes(interval.estimate === null ? undefined : note, interval.note),
      },
      scores,
      foldMean: meanScore(scores),
      foldSd: standardDeviation(scores),
      nFolds,
      nFailed,
      seconds: factsOf(results).seconds,
      reason: null,
    };
  });
}

export const failedText = ({ nFailed, results }: Side) =>
  `${nFailed} of ${counted(results.foldDetails.length, 'fold')} failed`;

/** Value by fold that ran. */
function scoresOf({ results: { outOfFold, foldDetails }, scored }: Side, metric: Metric): Score[] {
  const { fold, weight } = outOfFold;
  const counting = new Set(fold.filter((_, at) => weight?.[at] !== 0));
  const values = valuedFolds(metric, scored.folds).values();
  return foldDetails.map(({ index, error }) => {
    if (error !== null) return { value: null, reason: error };
    if (!counting.has(index)) return { value: null, reason: 'no row of the fold has weight' };
    return (values.next().value as IntervalFold).score;
  });
}

/** Whether both tested the same rows in the same folds: a callback may have ended one of them early. */
export function testsTheSame({ results: { outOfFold: a } }: Side, { results: { outOfFold: b } }: Side): boolean {
  const alike = (x: ArrayLike<number>, y: ArrayLike<number>) =>
    x.length === y.length && Array.prototype.every.call(x, (each, at) => each === y[at]);
  return alike(a.row, b.row) && alike(a.fold, b.fold);
}

/** Refuses results of other folds or other data; one that lacks a fold is a row that cannot be compared. */
export function checkOneDesign(owner: string, sides: readonly Side[]): void {
  const [first, ...others] = sides;
  for (const each of others) {
    const sameDesign = factsOf(first.results).foldFingerprint === factsOf(each.results).foldFingerprint;
    if (sameDesign && !testsTheSame(first, each)) continue;
    const subject = `Results '${nameText(first.name)}' and '${nameText(each.name)}' of ${owner}`;
    checkSameFolds(subject, first.results, each.results);
  }
}
