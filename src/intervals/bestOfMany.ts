import { InvalidDataError, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { counted } from '../core/format.js';
import { hasReason } from '../core/hasReason.js';
import { mean } from '../core/numbers.js';
import { weightedQuantile } from '../core/quantiles.js';
import { type CombinedScore, combinedEstimate } from '../metrics/combineFolds.js';
import { lossOf, type Metric } from '../metrics/metric.js';
import {
  foldsThatCount,
  type Interval,
  type IntervalFold,
  type IntervalInput,
  intervalFacts,
  joinNotes,
  tooFewUnits,
} from './interval.js';
import { estimateByUnits, resampledValues } from './resampleUnits.js';
import { unitBlocks } from './unitBlocks.js';

interface BestOfManyInput extends Pick<IntervalInput, 'metric' | 'level' | 'unit' | 'nBootstrap' | 'random'> {
  /** The same folds of the same units for all, in the same order. */
  readonly configurations: readonly (readonly IntervalFold[])[];
  /** What notes call the configurations; by default their places in the list. */
  readonly names?: readonly string[];
  /** Number of folds that were planned, where failed ones are not among those given. */
  readonly nFolds?: number;
}

export interface BestOfMany extends Interval {
  /** Value of the best configuration on the rows it was chosen by: too good. Null when none has a value. */
  readonly naive: number | null;
  readonly chosen: number | null;
  /** In how many of the resamples that count each was chosen; they sum to 1. */
  readonly shares: readonly number[] | null;
}

/**
 * Bootstrap bias-corrected cross-validation of predictions that are there already. Each resample draws units (patients,
 * else rows) with replacement; the configuration that is best on those drawn is scored on those not drawn. The mean over
 * resamples is the estimate, their percentiles (type 7) are the limits. Of equally good configurations the first wins.
 *
 * Source: Tsamardinos, Greasidou & Borboudakis 2018, Machine Learning 107:1895.
 */
export function bestOfMany(input: BestOfManyInput): BestOfMany {
  const { metric, configurations, level, unit, names = configurations.map((_, at) => String(at)) } = input;
  const tested = configurations.map((folds) => folds.filter(({ table }) => table));
  refuseOtherFolds(tested, names);
  const [first] = tested;
  const folds = foldsThatCount(metric, first);
  const nFolds = input.nFolds ?? configurations[0].length;
  const facts = { ...intervalFacts({ folds, level, unit }), method: 'bbc_cv', estimand: 'predictions' } as const;

  const blocks = tested.map((each) => unitBlocks({ metric, folds: each }));
  const estimates = blocks.map((each) => combinedEstimate(metric, each));
  const best = bestOf(metric, estimates);
  const none = { ...facts, estimate: null, lower: null, upper: null, shares: null };
  if (best === undefined) return { ...none, naive: null, chosen: null, ...reasonOf(estimates[0]) };
  const picked = { naive: estimates[best].value, chosen: best };

  const byUnits = blocks.map((each) => estimateByUnits(metric, each));
  const wins = new Int32Array(blocks.length);
  const found = resampledValues(input, blocks[best], (draws) => {
    const drawn = byUnits.map((estimate) => estimate(draws));
    const winner = bestOf(metric, drawn);
    if (winner === undefined) return drawn[0];
    const held = byUnits[winner](draws.map((times) => (times === 0 ? 1 : 0)));
    if (held.value !== null) wins[winner]++;
    return held;
  });
  if (hasReason(found)) return { ...none, ...picked, reason: found.reason };
  const values = Float64Array.from(found.values);
  const share = weightedQuantile(values, new Float64Array(values.length).fill(1));
  const failed = nFolds - first.length;
  const reason = failed > 0 ? `${failed} of ${counted(nFolds, 'fold')} failed` : tooFewUnits(facts.nUnits, unit);
  const valueless = names.filter((_, at) => estimates[at].value === null);
  return {
    ...facts,
    estimate: mean(values),
    ...(reason === undefined
      ? { lower: share((1 - level) / 2), upper: share((1 + level) / 2) }
      : { lower: null, upper: null, reason }),
    ...picked,
    shares: Array.from(wins, (each) => each / values.length),
    ...joinNotes(
      ...found.notes,
      valueless.length > 0
        ? `Never chosen, having no ${nameText(metric.name)}: ${valueless.map((each) => nameText(each)).join(', ')}.`
        : undefined,
    ),
  };
}

function refuseOtherFolds([first, ...others]: BestOfManyInput['configurations'], names: readonly string[]): void {
  const differs = (folds: readonly IntervalFold[]) =>
    folds.length !== first.length ||
    folds.some(
      ({ units, repeat }, at) =>
        repeat !== first[at].repeat ||
        units.length !== first[at].units.length ||
        units.some((each, row) => each !== first[at].units[row]),
    );
  const differing = others.findIndex(differs);
  if (differing < 0) return;
  const subject = `Configurations '${nameText(names[0])}' and '${nameText(names[differing + 1])}'`;
  const must = 'be tested on the same units in the same folds';
  const way = 'Leave out those with a failed fold.';
  throw new InvalidDataError(sentence(subject, must, phrase('other units or folds'), way), { code: 'different_folds' });
}

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
