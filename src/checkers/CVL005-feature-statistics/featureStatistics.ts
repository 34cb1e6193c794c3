import type { Check } from '../check.js';
import { levelTexts } from '../features/levelTexts.js';
import { assessShift, type ShiftDetails } from '../shift/assessShift.js';
import { foldUnits } from '../shift/foldUnits.js';
import { unitTable } from '../shift/unitTable.js';
import { type DomainClassifier, domainClassifier } from './domainClassifier.js';
import { featureVariables } from './featureVariables.js';
import { ALPHAS, ScoredRows, type SecondDetails, secondMoments } from './secondMoments.js';

/** What CVL005 compared and found. */
export type FeatureStatisticsDetails = ShiftDetails & {
  readonly domainClassifier: DomainClassifier;
} & Partial<SecondDetails>;

/**
 * CVL005: the features of test rows are like those of the other rows. Normal scores of each feature, the levels of
 * categories and what is missing, by one permutation test of whole patients over all features and folds. A classifier
 * that is to tell test rows from others by all features together is reported beside it. A difference is no leak by
 * itself.
 *
 * Source: Westfall & Young 1993 (largest statistic); Lopez-Paz & Oquab 2017, arXiv:1610.06545 (classifier).
 */
export const featureStatistics: Check<FeatureStatisticsDetails> = {
  code: 'CVL005',
  type: 'feature_statistics',
  kind: 'shift',
  cost: 'slow',
  page: 'docs/checks/CVL005.md',
  description: 'The features of the test rows of a fold differ from those of the other rows beyond chance.',
  needs: ['X'],
  async assess(input) {
    const units = foldUnits(input);
    const features = await input.features();
    const scored = new ScoredRows(units);
    const variables = featureVariables(features, await levelTexts(input), scored.rows);
    const table = unitTable(scored.kept(variables), scored.units);
    const folds = units.folds.filter(({ enough }) => enough);
    const domain = domainClassifier(table, folds, input.random('CVL005 classifier'));
    return assessShift(input, units, table, {
      check: 'CVL005',
      noun: 'feature',
      alpha: ALPHAS.means,
      evidence: { domainClassifier: domain },
      further: (judged, shifted) =>
        secondMoments(scored, table, { folds: judged, shifted, randomOf: (name) => input.random(name) }),
      remark: inWords(domain, folds.length > 1),
      fix: 'Shuffle whole patients into the folds (`shuffle: true`, StratifiedGroupKFold), or declare what the folds stand for with `design`.',
    });
  },
};

function inWords({ auc, lower, upper, level, fold }: DomainClassifier, several: boolean): string | undefined {
  if (auc === null) return undefined;
  const limits =
    lower === null || upper === null ? '' : `, ${100 * level} % interval ${lower.toFixed(2)} to ${upper.toFixed(2)}`;
  return `All features together tell test rows from others${several ? ` best in ${fold}` : ''}: AUC ${auc.toFixed(2)}${limits}.`;
}
