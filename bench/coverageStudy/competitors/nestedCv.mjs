import { LOSSES } from '../scenarios.mjs';
import { validate } from '../validate.mjs';

/** Repeats of the nested cross-validation: R K (K + 1) / 2 fits (75 for five folds). The paper advises many more. */
const REPEATS = 5;

/**
 * Nested cross-validation by the package, for the losses. Its estimand is the model refitted on all patients; the
 * study holds it against the truth of n (K - 1) / K patients like the others, which is slightly to its disadvantage.
 *
 * Source: Bates, Hastie & Tibshirani 2024, JASA 119:1434; see `nestedCv` in src/intervals.
 */
export async function nestedCv(scenario, data, randomState) {
  if (scenario.repeats > 1) return {};
  const options = { metrics: LOSSES, ciMethod: 'nested_cv', nestedCvRepeats: REPEATS };
  const { confidenceIntervals } = await validate(scenario, data, randomState, options);
  return Object.fromEntries(
    LOSSES.map((metric) => {
      const { lower, upper } = confidenceIntervals[metric];
      return [metric, lower === null ? null : [lower, upper]];
    }),
  );
}
