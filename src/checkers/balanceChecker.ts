import type { OptionsOf } from '../core/options.js';
import { wrapText } from '../core/summaryText.js';
import type { LabelsInput } from '../data/labels.js';
import type { RowsInput } from '../data/rows.js';
import type { Splitter } from '../splitters/splitter.js';
import { assessClasses, type ClassBalance } from './CVB001-class-balance/assessClasses.js';
import type { CvBalance } from './CVB001-class-balance/balanceOf.js';
import {
  type BalanceCheckerOptions,
  balanceCheckerOptions,
  type CheckClassBalanceOptions,
  checkClassBalanceOptions,
} from './CVB001-class-balance/balanceOptions.js';
import type { CheckCvBalanceOptions } from './CVB001-class-balance/cvBalance.js';
import type {
  CheckFeatureDistributionOptions,
  FeatureDistribution,
} from './CVB001-class-balance/featureDistribution.js';

/**
 * How evenly classes are spread: over rows and patients, over the sides of folds, and what the features look like.
 *
 * @example
 * const checker = new BalanceChecker({ threshold: 0.05, minorityRatio: 0.2 });
 * checker.checkClassBalance(y, { groups: patientIds });
 * await checker.checkCvBalance(X, y, new StratifiedGroupKFold({ nSplits: 5, randomState: 1 }), { groups: patientIds });
 * console.log(checker.generateReport());
 */
export class BalanceChecker {
  readonly #options: OptionsOf<typeof balanceCheckerOptions>;
  readonly #texts: string[] = [];

  constructor(input: BalanceCheckerOptions = {}) {
    this.#options = balanceCheckerOptions.resolve(input);
  }

  /**
   * Counts the classes: balanced when the smallest has at least `minorityRatio` times the rows of the largest.
   *
   * @param y n labels: classes, one-hot rows, or rows of several labels
   * @throws InvalidDataError for continuous numbers, masks, and labels that are missing
   */
  checkClassBalance(y: LabelsInput, input: CheckClassBalanceOptions = {}): ClassBalance {
    const balance = assessClasses(y, checkClassBalanceOptions.resolve(input), this.#options.minorityRatio);
    const { status, message, recommendations } = balance;
    this.#texts.push(
      [
        `Balance of the classes: ${status.replace('_', ' ')}`,
        wrapText(message),
        ...recommendations.map((advice) => wrapText(advice, '  Advice: ')),
      ].join('\n'),
    );
    return balance;
  }

  /**
   * Compares the classes on both sides of every fold: balanced when no share differs by more than `threshold` and no
   * side lacks a class. Continuous labels are compared by fifths.
   *
   * @param X n rows
   * @param y n labels
   * @param cvSplitter makes the folds
   */
  async checkCvBalance(
    X: RowsInput,
    y: LabelsInput,
    cvSplitter: Splitter,
    input: CheckCvBalanceOptions = {},
  ): Promise<CvBalance> {
    const { cvBalance } = await import('./CVB001-class-balance/cvBalance.js');
    const { balance, text } = await cvBalance(X, y, cvSplitter, input, this.#options.threshold);
    this.#texts.push(text);
    return balance;
  }

  /** Mean, spread, range, skewness, missing, distinct and outlying values of every feature. */
  async checkFeatureDistribution(
    X: RowsInput,
    input: CheckFeatureDistributionOptions = {},
  ): Promise<FeatureDistribution> {
    const { featureDistribution } = await import('./CVB001-class-balance/featureDistribution.js');
    const { distribution, text } = await featureDistribution(X, input);
    this.#texts.push(text);
    return distribution;
  }

  /** Everything that was checked so far, in order, as text. */
  generateReport(): string {
    return this.#texts.join('\n\n') || 'Nothing was checked yet.';
  }
}
