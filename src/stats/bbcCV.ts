import { InvalidDataError, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { type InputOf, isPlainObject, number, optionTable, randomState } from '../core/options.js';
import { randomSource } from '../core/random.js';
import { bestOfMany } from '../intervals/bestOfMany.js';
import type { Interval, IntervalInput } from '../intervals/interval.js';
import {
  checkResults,
  checkSameFolds,
  metricOf,
  metricOption,
  resamplesOption,
  type ScoredFolds,
  type ScoredResults,
  scoredFolds,
  valuedFolds,
} from './results.js';

export const bbcCVOptions = optionTable('bbcCV', {
  metric: metricOption('What configurations are chosen by'),
  level: number({ above: 0, below: 1 }).default(0.95).describe('Level of the interval.'),
  nBootstrap: resamplesOption('Resamples of patients (rows without groups).'),
  randomState: randomState().default(42).describe('Seed of the resamples.'),
});

export type BbcCVOptions = InputOf<typeof bbcCVOptions>;

/** What `bbcCV` gives: an interval whose `estimate` allows for the choice, and the value that does not. */
export interface BbcCV extends Interval {
  /** Value of the best configuration on the rows it was chosen by: too good. Null when none has a value. */
  readonly naive: number | null;
  /** That configuration: its index in the list, or its name in the record. */
  readonly chosen: number | string | null;
  /** By index or name, in how many of the resamples that count each was chosen; they sum to 1. */
  readonly chosenShare: Readonly<Record<string, number>> | null;
}

/**
 * Bootstrap bias-corrected cross-validation: what to expect of the best of several configurations, when the best was
 * picked by the very predictions that it is judged on: its value is too good (the winner's curse), the more so the more
 * took part. No model is trained; nested cross-validation, which trains many, answers the same question.
 *
 * Each resample draws patients (rows without groups) with replacement. The configuration that is best on those drawn is
 * scored on those not drawn, either within folds as the metric's `combine` says. The mean over resamples is the
 * estimate, their percentiles (type 7) are the limits: wider than need be, since 37 % of the patients are not drawn.
 *
 * The estimand is `predictions`: the choice is repeated among fixed fold models. Pass all configurations that were
 * tried, the bad ones too. Of equally good ones the first wins: put the simplest first. Resamples without a value are
 * counted in `note`; where they are more than half there is no estimate, and with fewer than ten patients or failed folds
 * there are no limits: `reason` says why.
 *
 * Source: Tsamardinos, Greasidou & Borboudakis 2018, Machine Learning 107:1895.
 *
 * @param results of `run` or `validate`, two or more on identical folds of the same rows: a list, or a record by name
 * @throws {InvalidDataError} fewer than two results; folds, rows or labels that differ.
 * @throws {InvalidOptionError} a metric that is unknown or of another task.
 * @example
 * const tuned = bbcCV({ logistic, ridge }, { metric: 'roc_auc' });
 * console.log(tuned.chosen, tuned.naive, tuned.estimate, tuned.lower, tuned.upper);
 */
export function bbcCV(
  results: readonly ScoredResults[] | Readonly<Record<string, ScoredResults>>,
  options: BbcCVOptions = {},
): BbcCV {
  const { metric: name, level, nBootstrap, randomState } = bbcCVOptions.resolve(options);
  const entries = configurationsOf(results);
  const metric = metricOf(name, entries[0].results);
  const sides = entries.map((each) => ({ ...each, scored: scoredFolds(each.results) }));
  return bestAmong(sides, { metric, level, nBootstrap, random: randomSource(randomState) });
}

interface Configuration {
  readonly name: string | number;
  readonly results: ScoredResults;
  readonly scored: ScoredFolds;
}

export function bestAmong(
  sides: readonly Configuration[],
  settings: Pick<IntervalInput, 'metric' | 'level' | 'nBootstrap' | 'random'>,
): BbcCV {
  const { chosen, shares, ...found } = bestOfMany({
    ...settings,
    configurations: sides.map(({ scored }) => valuedFolds(settings.metric, scored.folds)),
    names: sides.map(({ name }) => String(name)),
    nFolds: sides[0].results.foldDetails.length,
    unit: sides[0].scored.unit,
  });
  return {
    ...found,
    chosen: chosen === null ? null : sides[chosen].name,
    chosenShare: shares && Object.fromEntries(sides.map(({ name }, at) => [name, shares[at]])),
  };
}

function configurationsOf(results: readonly ScoredResults[] | Readonly<Record<string, ScoredResults>>) {
  const list = Array.isArray(results);
  const entries: [string, ScoredResults][] = list || isPlainObject(results) ? Object.entries(results) : [];
  if (entries.length < 2) {
    const must = 'be given the results of two configurations or more, in a list or a record by name';
    const got = entries.length > 0 || list ? phrase(String(entries.length)) : results;
    throw new InvalidDataError(sentence('bbcCV', must, got));
  }
  for (const [name, each] of entries) {
    checkResults(`Result '${nameText(name)}' of bbcCV`, each);
    checkSameFolds(`Results '${nameText(entries[0][0])}' and '${nameText(name)}' of bbcCV`, entries[0][1], each);
  }
  return entries.map(([name, each], at) => ({ name: list ? at : name, results: each }));
}
