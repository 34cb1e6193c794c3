import { counted } from '../../core/format.js';
import { hasReason } from '../../core/hasReason.js';
import { unfitForTraining } from '../../intervals/foldInterval.js';
import { halvesOf, type KeptHalves } from '../../intervals/halves.js';
import { halfContrasts, MIN_HALVINGS, withTraining } from '../../intervals/trainingPart.js';
import { pairedDifference } from '../pairedDifference.js';
import { factsOf, type ScoredResults } from '../results.js';
import { type ComparisonInput, type DifferenceTest, NO_TEST } from './answers.js';
import { tTest } from './tTest.js';

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
  if (metric.direction === 'target') return none('half contrasts are not made of distances from a target');
  const [first, second] = results.map(halvesOf);
  if (!first || !second) return none(ofPredictions.reason ?? unfit(input, results) ?? ASK);
  if (!sameHalves(first, second))
    return none('the two results have other halves: validate both with the same `randomState` and `ciFits`');
  const found = halfContrasts(metric, first, second);
  if (!found) return none(`${metric.name} has no influence function`);
  const paired = pairedDifference({ ...input, sampling: first.halves.sampling }, a, b);
  if (hasReason(paired)) return none(paired.reason);
  const usable = found.contrasts.length;
  if (usable < MIN_HALVINGS) return none(`only ${usable} halvings could be used, fewer than ${MIN_HALVINGS}`);
  const { trainingShare, ...spread } = withTraining(paired, found);
  const test = tTest(facts, metric, { ...spread, estimate: paired.estimate });
  const note = trainingShare === 0 ? { note: UNSEEN } : {};
  return test.reason === undefined ? { ...test, trainingShare, ...note } : test;
}

/** Where halves show no effect of training on the difference. */
const UNSEEN =
  'Models of halves show no effect of other training sets on the difference, which counts as 0: an effect can be missed, so that equal procedures may be told apart too often.';

/** What to do where models of halves are possible. */
const ASK = 'both must be results of `validate` with `ciFits: 10`';

/** Why no models of halves can be had of either result. */
function unfit({ a, b, unit, design }: ComparisonInput, results: readonly ScoredResults[]): string | undefined {
  for (const [at, result] of results.entries()) {
    const folds = [a, b][at];
    const failed = result.foldDetails.length - folds.length;
    if (failed > 0) return `${counted(failed, 'fold')} failed`;
    const fixedModel = factsOf(result).fixedModel !== null;
    if (fixedModel && factsOf(results[1 - at]).fixedModel === null) return 'one of the two models is fixed';
    const reason = unfitForTraining({ folds, unit, design, fixedModel });
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Both have the same units in every half. */
function sameHalves(a: KeptHalves, b: KeptHalves): boolean {
  const units = ({ halves }: KeptHalves) => halves.halvings.flat().map((half) => half.units);
  const [first, second] = [units(a), units(b)];
  return (
    first.length === second.length &&
    first.every((each, at) => each.length === second[at].length && each.every((unit, row) => unit === second[at][row]))
  );
}
