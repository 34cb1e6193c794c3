import { hasReason } from '../../core/hasReason.js';
import { studentTQuantile } from '../../core/incompleteBeta.js';
import { foldsThatCount } from '../../intervals/foldsThatCount.js';
import {
  commonObstacle,
  type Interval,
  type IntervalInput,
  intervalFacts,
  joinNotes,
} from '../../intervals/interval.js';
import { differenceLimits, pairedDifference } from '../pairedDifference.js';
import { intervalFolds, type PricedDesign } from './inflatedDesign.js';

/** The largest `seInflation` that was found: that of losses, which cancel almost wholly between two designs. */
const LARGEST = 1.6;

/**
 * naive - guarded with its interval. The variance is that of {@link pairedDifference}: the models held fixed, what both
 * designs say of a patient subtracted. Other partitions and training sets add to it, by a constant per metric that was
 * found by simulation without any leak (60 patients of 5 rows, 100 to 300 of one, five learners): an interval that covers 0
 * in 94 % of them or more; docs/leakage-inflation.md has the table, and the one case that fails, sensitivity of a tree on
 * noise. It is not derived, and `note` says so. Where a design is no random part of the rows (in time, in space, every
 * unit in turn) the constant is not known, and the interval is about these predictions alone.
 */
export function inflationInterval(
  input: Pick<IntervalInput, 'metric' | 'level' | 'unit' | 'nBootstrap' | 'random'>,
  naive: PricedDesign,
  guarded: PricedDesign,
): Interval {
  const { metric, level, unit } = input;
  const shuffled = [naive, guarded].every(isShuffled);
  const facts = {
    ...intervalFacts({ folds: [naive, guarded].flatMap(({ folds }) => foldsThatCount(metric, folds)), level, unit }),
    method: 'paired_difference',
    estimand: shuffled ? 'procedure' : 'predictions',
  } as const;
  const found = pairedDifference(input, naive.folds, guarded.folds);
  const none = (reason: string): Interval => ({ ...facts, estimate: found.estimate, lower: null, upper: null, reason });
  if (hasReason(found)) return none(found.reason);
  const obstacle = [naive, guarded]
    .map((design) =>
      commonObstacle({ ...input, folds: foldsThatCount(metric, intervalFolds(metric, design)) }, facts.nUnits),
    )
    .find((reason) => reason !== undefined);
  if (obstacle !== undefined) return none(obstacle);
  const { estimate, variance, df, notes } = found;
  if (!(variance > (1e-12 * Math.max(1, Math.abs(estimate))) ** 2)) {
    return none(`every ${unit} has the same difference`);
  }
  const seInflation = shuffled ? (metric.seInflation ?? LARGEST) : 1;
  const half = studentTQuantile((1 + level) / 2, df) * seInflation * Math.sqrt(variance);
  return {
    ...facts,
    estimate,
    ...differenceLimits(metric, estimate, half),
    ...joinNotes(
      shuffled
        ? `The standard error of these predictions is multiplied with ${seInflation}, found by simulation, to allow for other partitions and training sets.`
        : 'The designs are not both shuffled folds: the interval is about these predictions alone.',
      ...notes,
    ),
  };
}

/** Test sets that are random parts of the rows or patients, every row in one of them, none a single patient alone. */
function isShuffled({ plan: { claims }, folds }: PricedDesign): boolean {
  const { partition, timeOrdered, keepsTies, purged, separated, exhaustive } = claims;
  const single = folds.length > 2 && folds.every(({ units }) => units.every((unit) => unit === units[0]));
  return Boolean(partition) && !(timeOrdered || keepsTies || purged || separated || exhaustive || single);
}
