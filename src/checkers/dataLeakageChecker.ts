import type { Label, LabelsInput } from '../data/labels.js';
import type { RowsInput } from '../data/rows.js';
import type { FoldChecker } from './assessRun.js';
import type { NearDuplicatesOptions } from './CVL003-near-duplicate/checkNearDuplicates.js';
import type { NearDuplicates } from './CVL003-near-duplicate/nearDuplicates.js';
import type { HierarchicalLeakage } from './CVL008-hierarchical/idsOnBothSides.js';
import type { FeatureTargetLeakage, FeatureTargetOptions } from './CVL009-feature-target/featureTarget.js';
import type { PreprocessingOptions, SplitIndices } from './CVL010-preprocessing/assessPreprocessing.js';
import type { CheckResult } from './check.js';
import { type CheckerSettings, type DataLeakageCheckerOptions, dataLeakageCheckerOptions } from './checkerSettings.js';
import type * as folds from './checkFolds.js';
import type { CheckInput } from './checkInput.js';
import type { LeakageReport } from './leakageReport.js';
import { addedChecks, ownCheck } from './registry.js';
import type { SingleCheck } from './singleCheck.js';

/**
 * Checks folds and data for leakage. Each check says what it found with evidence, or why it could not tell; an input
 * that is missing is `not_evaluated` and a check that crashed is `error`, never a pass. As `leakageChecker` of
 * `validate` it assesses the folds that are scored.
 *
 * @example
 * const cv = new KFold({ shuffle: true, randomState: 1 });
 * const report = await new DataLeakageChecker().check(X, y, { groups: patientIds, cv });
 * for (const { code, status, message } of report.checks) if (status === 'failed') console.log(code, message);
 */
export class DataLeakageChecker implements FoldChecker {
  readonly #settings: CheckerSettings;

  constructor(input: DataLeakageCheckerOptions = {}) {
    this.#settings = dataLeakageCheckerOptions.resolve(input);
    const { checks } = this.#settings;
    for (const [at, check] of checks.entries()) ownCheck(check, [...addedChecks(), ...checks.slice(0, at)]);
  }

  /**
   * Every check on the folds of `cv`; without `cv` on plain shuffled folds, which most people would have used.
   *
   * @param X n rows
   * @param y n labels; a plain object in its place is the options
   */
  async check(
    X: RowsInput,
    y?: LabelsInput | folds.CheckOptions | null,
    input?: folds.CheckOptions,
  ): Promise<LeakageReport> {
    return (await import('./checkFolds.js')).check(this.#settings, X, y, input);
  }

  /** Every check on one training and one test set. Rows are numbered within their set. */
  async checkCvSplits(
    XTrain: RowsInput,
    XTest: RowsInput,
    input: folds.CheckCvSplitsOptions = {},
  ): Promise<LeakageReport> {
    return (await import('./checkFolds.js')).checkCvSplits(this.#settings, XTrain, XTest, input);
  }

  /** `check`, with three of its checks by name and the worst severity of those that failed. */
  async comprehensiveCheck(
    X: RowsInput,
    y?: LabelsInput | folds.ComprehensiveCheckOptions | null,
    input?: folds.ComprehensiveCheckOptions,
  ): Promise<folds.ComprehensiveCheck> {
    return (await import('./checkFolds.js')).comprehensiveCheck(this.#settings, X, y, input);
  }

  /** Is a feature (almost) a copy of the label? Names the features. */
  async checkFeatureTargetLeakage(
    X: RowsInput,
    y: LabelsInput,
    input: FeatureTargetOptions = {},
  ): Promise<FeatureTargetLeakage> {
    return (await import('./checkFolds.js')).checkFeatureTargetLeakage(X, y, input);
  }

  /**
   * Was `XProcessed` made from `XOriginal` with the help of test rows? True or false, found by doing the known steps
   * again on the training rows alone and on all rows.
   *
   * @param splitIndices row numbers of a fold, `{ train, test }` or `[train, test]`, or of several: what `split` gives
   * @throws InvalidDataError where it cannot tell: the transformation is none of those that it knows; see
   * {@link checkPreprocessing}
   */
  async checkPreprocessingLeakage(
    XOriginal: RowsInput,
    XProcessed: RowsInput,
    splitIndices: SplitIndices,
    input: PreprocessingOptions = {},
  ): Promise<boolean> {
    return (await import('./checkFolds.js')).checkPreprocessingLeakage(XOriginal, XProcessed, splitIndices, input);
  }

  /** `checkPreprocessingLeakage` with what it saw: the steps, which of them saw all rows, and `not_evaluated` too. */
  async checkPreprocessing(
    XOriginal: RowsInput,
    XProcessed: RowsInput,
    splitIndices: SplitIndices,
    input: PreprocessingOptions = {},
  ): Promise<SingleCheck> {
    return (await import('./checkFolds.js')).checkPreprocessing(XOriginal, XProcessed, splitIndices, input);
  }

  /** Test rows that are almost a training row, beyond what chance brings together in data like these. */
  async checkNearDuplicates(
    XTrain: RowsInput,
    XTest: RowsInput,
    input: NearDuplicatesOptions = {},
  ): Promise<NearDuplicates> {
    return (await import('./checkFolds.js')).checkNearDuplicates(XTrain, XTest, input);
  }

  /**
   * Groups (patients, visits) that are in both sets, and groups of a level above (sites, patients) where they are given.
   * Ids that are in both sets in two spellings alone (`p7`, `P007`) are to be reviewed.
   *
   * @param groupsTrain group of each training row
   * @param groupsTest group of each test row
   * @param parentGroupsTrain parent of each training row; both parents or neither
   * @param parentGroupsTest parent of each test row
   * @throws InvalidDataError for a missing id, an empty set, and parents of one set alone or of another length
   */
  async checkHierarchicalLeakage(
    groupsTrain: ArrayLike<Label>,
    groupsTest: ArrayLike<Label>,
    parentGroupsTrain?: ArrayLike<Label> | null,
    parentGroupsTest?: ArrayLike<Label> | null,
  ): Promise<HierarchicalLeakage> {
    const sides = { groupsTrain, groupsTest, parentGroupsTrain, parentGroupsTest };
    return (await import('./checkFolds.js')).checkHierarchicalLeakage(this.#settings, sides);
  }

  /** The checks on folds that are about to be scored: what `validate` calls. */
  async assess(input: CheckInput): Promise<readonly CheckResult[]> {
    return (await import('./checkFolds.js')).assess(this.#settings, input);
  }
}
