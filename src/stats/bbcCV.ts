import { InvalidDataError, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { type InputOf, isPlainObject, number, optionTable, randomState } from '../core/options.js';
import { randomSource } from '../core/random.js';
import { bestOfMany } from '../intervals/bestOfMany.js';
import type { Interval } from '../intervals/interval.js';
import {
  checkResults,
  checkSameFolds,
  metricOf,
  metricOption,
  resamplesOption,
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
 * picked by the very predictions that it is judged on, by a search or by a person: its value is too good (the winner's
 * curse), the more so the more took part.
 *
 * Each resample draws patients (rows without groups) with replacement. The configuration that is best on those drawn is
 * scored on those not drawn, either within folds as the metric's `combine` says. The mean over resamples is the
 * estimate, their percentiles (type 7) are the limits. About 37 % of the patients are not drawn, so the limits are
 * wider than need be. No model is trained; nested cross-validation, which trains many, answers the same question.
 *
 * The estimand is `predictions`: the fold models are held fixed and the choice among them is repeated. Pass all
 * configurations that were tried, the bad ones too. Of equally good ones the first wins: put the simplest first.
 *
 * Resamples without a value are counted in `note`; if they are more than half, there is no estimate, and `reason` says
 * so. With fewer than ten patients, or failed folds, there are no limits.
 *
 * Source: Tsamardinos, Greasidou & Borboudakis 2018, Machine Learning 107:1895.
 *
 * @param results of `run` or `validate`, two or more on identical folds of the same rows: a list, or a record by name
 * @throws {InvalidDataError} fewer than two results; folds, rows or labels that differ.
 * @throws {InvalidOptionError} a metric that is unknown or of another task.
 * @example
 * const tuned = bbcCV({ small, medium, large }, { metric: 'roc_auc' });
 * console.log(tuned.chosen, tuned.naive, tuned.estimate, tuned.lower, tuned.upper);
 */
export function bbcCV(
  results: readonly ScoredResults[] | Readonly<Record<string, ScoredResults>>,
  options: BbcCVOptions = {},
): BbcCV {
  const { metric: name, level, nBootstrap, randomState } = bbcCVOptions.resolve(options);
  const { names, configurations } = configurationsOf(results);
  const metric = metricOf(name, configurations[0]);
  const sides = configurations.map((each) => scoredFolds(each));
  const { chosen, shares, ...found } = bestOfMany({
    metric,
    configurations: sides.map(({ folds }) => valuedFolds(metric, folds)),
    names: names.map(String),
    nFolds: configurations[0].foldDetails.length,
    unit: sides[0].unit,
    level,
    nBootstrap,
    random: randomSource(randomState),
  });
  return {
    ...found,
    chosen: chosen === null ? null : names[chosen],
    chosenShare: shares && Object.fromEntries(names.map((each, at) => [each, shares[at]])),
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
  return {
    names: entries.map(([name], at) => (list ? at : name)),
    configurations: entries.map(([, each]) => each),
  };
}
