import { counted } from '../../core/format.js';
import { hasReason } from '../../core/hasReason.js';
import { studentTQuantile } from '../../core/incompleteBeta.js';
import { unfitForTraining } from '../../intervals/foldInterval.js';
import { halvesOf, type KeptHalves } from '../../intervals/halves.js';
import { halfContrasts, MIN_HALVINGS, type Trained, withTraining } from '../../intervals/trainingPart.js';
import type { Metric } from '../../metrics/metric.js';
import { score } from '../../metrics/metric.js';
import { differenceLimits, pairedDifference } from '../pairedDifference.js';
import { factsOf, type ScoredResults } from '../results.js';
import { twoSidedP } from '../studentT.js';
import { type ComparisonInput, type DifferenceTest, NO_TEST } from './answers.js';

type Paired = Pick<DifferenceTest, 'nUnits' | 'nFolds' | 'unit' | 'difference' | 'reason'>;

/**
 * The difference of two training procedures: that of the out-of-fold estimates, with the standard error between patients
 * of {@link pairedDifference} and what other training sets would change, from models of half of the patients that `ciFits`
 * trained for both results: {@link withTraining}, applied to the difference.
 *
 * Null with a reason: results without such models, or of other halves; a given metric without an influence function.
 *
 * Source: DeLong, DeLong & Clarke-Pearson 1988, Biometrics 44:837, for the paired part; `docs/intervals.md` for the other.
 *
 * @param ofPredictions the paired test of the same results
 */
export function halfContrastTest(
  input: ComparisonInput,
  ofPredictions: Paired,
  results: readonly [ScoredResults, ScoredResults],
): DifferenceTest {
  const { metric, level, a, b } = input;
  const { nUnits, nFolds, unit, difference } = ofPredictions;
  const facts = { method: 'half_contrasts', estimand: 'procedure', unit, nUnits, nFolds, level } as const;
  const none = (reason: string): DifferenceTest => ({ ...facts, ...NO_TEST, difference, reason });
  const [first, second] = results.map(halvesOf);
  if (!first || !second) return none(ofPredictions.reason ?? unfit(input, results) ?? ASK);
  if (!sameHalves(first, second))
    return none('the two results have other halves: validate both with the same `randomState` and `ciFits`');
  const found = halfContrasts(metric, trained(metric, first), trained(metric, second));
  if (!found) return none(`${metric.name} has no influence function`);
  const paired = pairedDifference({ ...input, sampling: first.halves.sampling }, a, b);
  if (hasReason(paired)) return none(paired.reason);
  const usable = found.contrasts.length;
  if (usable < MIN_HALVINGS) return none(`only ${usable} halvings could be used, fewer than ${MIN_HALVINGS}`);
  const { variance, df } = withTraining(paired, found);
  const standardError = Math.sqrt(variance);
  if (!(standardError > 1e-12 * Math.max(1, Math.abs(paired.estimate))))
    return none(`the ${unit}s have the same difference`);
  const t = paired.estimate / standardError;
  const half = studentTQuantile((1 + level) / 2, df) * standardError;
  return {
    ...facts,
    difference: paired.estimate,
    standardError,
    df,
    t,
    pValue: twoSidedP(t, df),
    ...differenceLimits(metric, paired.estimate, half),
  };
}

/** What to do where models of halves are possible. */
const ASK = 'both must be results of `validate` with `ciFits: 10`';

/** Why no models of halves can be had of either result. */
function unfit({ a, b, unit, design }: ComparisonInput, results: readonly ScoredResults[]): string | undefined {
  for (const [at, result] of results.entries()) {
    const folds = [a, b][at];
    const failed = result.foldDetails.length - folds.length;
    if (failed > 0) return `${counted(failed, 'fold')} failed`;
    const reason = unfitForTraining({ folds, unit, design, fixedModel: factsOf(result).fixedModel !== null });
    if (reason !== undefined) return reason;
  }
  return undefined;
}

const trained = (metric: Metric, { folds, halves }: KeptHalves): Trained => ({
  folds: folds.map((fold) => ({
    ...fold,
    score: fold.table ? score(metric, fold.table) : { value: null, reason: 'the fold failed' },
  })),
  halves,
});

/** Both have the same units in every half. */
function sameHalves(a: KeptHalves, b: KeptHalves): boolean {
  const units = ({ halves }: KeptHalves) => halves.halvings.flat().map((half) => half.units);
  const [first, second] = [units(a), units(b)];
  return (
    first.length === second.length &&
    first.every((each, at) => each.length === second[at].length && each.every((unit, row) => unit === second[at][row]))
  );
}
