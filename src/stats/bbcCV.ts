import { InvalidDataError, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { counted } from '../core/format.js';
import { hasReason } from '../core/hasReason.js';
import type { MetricName } from '../core/knownNames.js';
import { MOST_DRAWS, mean } from '../core/numbers.js';
import { type InputOf, integer, isPlainObject, number, optionTable, randomState, string } from '../core/options.js';
import { randomSource } from '../core/random.js';
import { weightedQuantile } from '../core/weightedQuantile.js';
import { combinedEstimate } from '../intervals/influenceVariance.js';
import { type Interval, type IntervalInput, intervalFacts, joinNotes, tooFewUnits } from '../intervals/interval.js';
import { estimateByUnits, resampledValues } from '../intervals/resampleUnits.js';
import { type UnitBlock, unitBlocks } from '../intervals/unitBlocks.js';
import type { CombinedScore } from '../metrics/combineFolds.js';
import { lossOf, type Metric } from '../metrics/metric.js';
import { checkSameFolds } from './comparison/sameFolds.js';
import { checkResults, metricOf, type ScoredResults, scoredFolds, valuedFolds } from './results.js';

export const bbcCVOptions = optionTable('bbcCV', {
  metric: string<MetricName>()
    .optional()
    .describe(
      "What configurations are chosen by; by default 'roc_auc' (binary), 'rmse' (regression), else 'accuracy'.",
    ),
  level: number({ above: 0, below: 1 }).default(0.95).describe('Level of the interval.'),
  nBootstrap: integer({ min: 100, max: MOST_DRAWS })
    .default(1000)
    .describe('Resamples of patients (rows without groups).'),
  randomState: randomState().default(42).describe('Seed of the resamples.'),
});

export type BbcCVOptions = InputOf<typeof bbcCVOptions>;

/** What `bbcCV` gives: an interval whose `estimate` allows for the choice, beside the value that does not. */
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
 * picked by the very predictions that it is judged on. It makes no difference whether a search picked it or a person
 * who looked at many runs: the value of the winner is too good (the winner's curse), the more so the more took part.
 *
 * Each resample draws patients (rows without groups) with replacement. The configuration that is best on those drawn is
 * scored on those not drawn, either within folds as the metric's `combine` says. The mean over resamples is the
 * estimate, their percentiles (type 7) are the limits. About 37 % of the patients are not drawn, so the limits are wider
 * than need be. No model is trained; nested cross-validation, which trains many, answers the same question.
 *
 * The estimand is `predictions`: the fitted fold models of all configurations are held fixed and the choice among them
 * is repeated, so it speaks of the winner as it was picked, not of training on other patients. All configurations that
 * were tried must be given, the bad ones too. Of equally good ones the first wins: put the simplest first.
 *
 * Resamples without a value (one class alone is left) are counted in `note`; if they are more than half, there is no
 * estimate, and `reason` says so. With fewer than ten patients, or failed folds, there are no limits.
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
  const [first] = configurations;
  const metric = metricOf(name, first);
  const sides = configurations.map((each) => scoredFolds(each));
  const { folds, unit } = sides[0];
  const facts = { ...intervalFacts({ folds, level, unit }), method: 'bbc_cv', estimand: 'predictions' } as const;

  const blocks = sides.map((side) => unitBlocks({ metric, folds: valuedFolds(metric, side.folds) }));
  const estimates = blocks.map((each) => combinedEstimate(metric, each));
  const best = bestOf(metric, estimates);
  const none = { ...facts, estimate: null, lower: null, upper: null, chosenShare: null };
  if (best === undefined) return { ...none, naive: null, chosen: null, ...reasonOf(estimates[0]) };
  const picked = { naive: estimates[best].value, chosen: names[best] };

  const input = { metric, nBootstrap, random: randomSource(randomState) };
  const { found, wins } = repeatedChoice(input, blocks, blocks[best]);
  if (hasReason(found)) return { ...none, ...picked, reason: found.reason };
  const values = Float64Array.from(found.values);
  const share = weightedQuantile(values, new Float64Array(values.length).fill(1));
  const nFolds = first.foldDetails.length;
  const reason =
    folds.length < nFolds
      ? `${nFolds - folds.length} of ${counted(nFolds, 'fold')} failed`
      : tooFewUnits(facts.nUnits, unit);
  const valueless = names.filter((_, at) => estimates[at].value === null);
  return {
    ...facts,
    estimate: mean(values),
    ...(reason === undefined
      ? { lower: share((1 - level) / 2), upper: share((1 + level) / 2) }
      : { lower: null, upper: null, reason }),
    ...picked,
    chosenShare: Object.fromEntries(names.map((each, at) => [each, wins[at] / values.length])),
    ...joinNotes(
      ...found.notes,
      valueless.length > 0
        ? `Never chosen, having no ${nameText(metric.name)}: ${valueless.map((each) => nameText(String(each))).join(', ')}.`
        : undefined,
    ),
  };
}

/** The results with their names, refused unless they are of one set of folds. */
function configurationsOf(results: readonly ScoredResults[] | Readonly<Record<string, ScoredResults>>) {
  const list = Array.isArray(results);
  const entries: [string, ScoredResults][] = list || isPlainObject(results) ? Object.entries(results) : [];
  if (entries.length < 2) {
    const must = 'be given the results of two configurations or more, in a list or a record by name';
    throw new InvalidDataError(
      sentence('bbcCV', must, entries.length > 0 || list ? phrase(String(entries.length)) : results),
    );
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

type Repeats = readonly (readonly UnitBlock[])[];

/**
 * On each resample the value, on the units not drawn, of the configuration that is best on those drawn; and how often
 * each was the best of a resample that has a value.
 */
function repeatedChoice(
  input: Pick<IntervalInput, 'metric' | 'nBootstrap' | 'random'>,
  configurations: readonly Repeats[],
  like: Repeats,
) {
  const byUnits = configurations.map((each) => estimateByUnits(input.metric, each));
  const wins = new Int32Array(configurations.length);
  const found = resampledValues(input, like, (draws) => {
    const drawn = byUnits.map((estimate) => estimate(draws));
    const best = bestOf(input.metric, drawn);
    if (best === undefined) return drawn[0];
    const left = byUnits[best](draws.map((times) => (times === 0 ? 1 : 0)));
    if (left.value !== null) wins[best]++;
    return left;
  });
  return { found, wins };
}

/** The place of the best value, the first of equal ones; undefined when there is none. */
function bestOf(metric: Metric, estimates: readonly CombinedScore[]): number | undefined {
  let best: number | undefined;
  let least = Number.POSITIVE_INFINITY;
  estimates.forEach(({ value }, at) => {
    if (value === null || lossOf(metric, value) >= least) return;
    least = lossOf(metric, value);
    best = at;
  });
  return best;
}

const reasonOf = (score: CombinedScore) => (score.value === null ? { reason: score.reason } : {});
