/** The `importance` option of `run`, and what it gives: plain data. What is done with it is loaded when it is asked for. */
import { type InputOf, integer, listOf, optionTable, string } from '../core/options.js';
import type { Interval } from '../intervals/interval.js';
import type { Score } from '../metrics/metric.js';

export const importanceOptions = optionTable('importance', {
  features: listOf<string | number>('name | number', 'be a list of names or numbers of features', (v) =>
    typeof v === 'number' ? Number.isInteger(v) : typeof v === 'string',
  )
    .optional()
    .describe('Names of the features to permute, or their places from 0. Left out, all of them, at most 200.'),
  repeats: integer({ min: 1, max: 10_000 }).default(5).describe('Permutations of each feature in each fold.'),
  metric: string()
    .optional()
    .describe(
      'The metric whose loss it is. Left out, the AUC where it is among the scores, else the first score that the prevalence does not change.',
    ),
});

/** Which features are permuted, how often, and by which metric the loss is measured. */
export type ImportanceChoice = InputOf<typeof importanceOptions>;

/** What one feature is worth to the models of the folds. */
export interface FeatureImportance {
  readonly feature: string;
  /** Mean loss over folds, positive where the feature helps, with the corrected t interval of Nadeau and Bengio. */
  readonly interval: Interval;
  /** Loss by fold, the mean of its permutations; null where there is none. */
  readonly values: readonly (number | null)[];
}

/**
 * Permutation importance: by how much a score of the test rows falls when the values of one feature are exchanged between
 * them, everything else as it is. Whole patients exchange their values: each row of a patient takes the value of a row of
 * one other patient, in the same order where both have as many rows; else from a random row on, and from the first again
 * after the last. Without patients, rows exchange. It says what these models use, not what causes the outcome.
 *
 * Features that tell the same stand in for each other, so that each of them looks small; and a permuted row may be one that
 * no patient can have, which is as the model extrapolates.
 *
 * Source: Breiman 2001, Machine Learning 45:5; Molnar 2022, Interpretable Machine Learning, chapter 8.5; against reading it
 * where features are correlated, Strobl et al. 2008, BMC Bioinformatics 9:307, and Hooker, Mentch & Zhou 2021, Statistics and
 * Computing 31:82.
 */
export interface PermutationImportance {
  /** Name of the metric whose loss it is. */
  readonly metric: string;
  /** What exchanges values. */
  readonly unit: 'patient' | 'row';
  /** Permutations of each feature in each fold. */
  readonly repeats: number;
  /** The largest estimate first. */
  readonly features: readonly FeatureImportance[];
  /** Sentences that belong to every report of it. */
  readonly note: string;
}

export interface PermutedColumn {
  readonly feature: string;
  readonly column: number;
  /** Of several inputs, the one whose column it is. */
  readonly input?: string;
}

/** What every fold does: plain data, part of its task. */
export interface ImportancePlan {
  readonly unit: PermutationImportance['unit'];
  readonly repeats: number;
  /** The first that the predictions of a fold can have. */
  readonly metrics: readonly string[];
  readonly columns: readonly PermutedColumn[];
  /** Inputs that are no tables. */
  readonly skipped: readonly string[];
}

/** What a fold gave: plain data, part of its outcome. */
export interface FoldImportance {
  readonly metric: string;
  readonly drops: readonly (Score & { readonly feature: string })[];
}
