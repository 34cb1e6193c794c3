import { InvalidDataError, sentence } from '../core/errors.js';
import { boolean, type InputOf, type OptionsOf, optionTable } from '../core/options.js';
import type { Label, LabelsInput } from '../data/labels.js';
import type { RowsInput } from '../data/rows.js';
import type { FoldJudge } from './assessFolds.js';
import type { PreprocessingOptions, SplitIndices } from './CVL010-preprocessing/assessPreprocessing.js';
import type { CheckResult } from './check.js';
import type { CheckInput } from './checkInput.js';
import { judgeShape } from './checkOptions.js';
import type * as calls from './leakageCalls.js';
import type * as options from './leakageOptions.js';
import type { LeakageReport } from './leakageReport.js';
import type * as single from './singleChecks.js';

export const dataLeakageCheckerOptions = optionTable('DataLeakageChecker', {
  verbose: boolean().default(true).describe('`summary()` lists the checks that passed, too.'),
  revealIds: judgeShape.revealIds,
});

export type DataLeakageCheckerOptions = InputOf<typeof dataLeakageCheckerOptions>;
/** The options of the checker, filled in. */
export type CheckerSettings = OptionsOf<typeof dataLeakageCheckerOptions>;

/** What the methods load when one of them is called. */
const load = (): Promise<typeof calls> => import('./leakageCalls.js');
const loadSingle = (): Promise<typeof single> => import('./singleChecks.js');

/**
 * Checks folds and data for leakage. Each check says what it found with evidence, or why it could not tell; an input
 * that is missing is `not_evaluated` and a check that crashed is `error`, never a pass. As `leakageChecker` of
 * `validate` it judges the folds that are scored.
 *
 * @example
 * const report = await new DataLeakageChecker().check(X, y, { groups: patientIds, cv: new KFold({ shuffle: true }) });
 * if (report.hasLeakage) console.log(report.summary());
 */
export class DataLeakageChecker implements FoldJudge {
  readonly #settings: CheckerSettings;

  constructor(input: DataLeakageCheckerOptions = {}) {
    this.#settings = dataLeakageCheckerOptions.resolve(input);
  }

  /**
   * Every check on the folds of `cv`; without `cv` on plain shuffled folds, which most people would have used.
   *
   * @param X n rows
   * @param y n labels; a plain object in its place is the options
   */
  async check(
    X: RowsInput,
    y?: LabelsInput | options.CheckOptions | null,
    input?: options.CheckOptions,
  ): Promise<LeakageReport> {
    return (await load()).check(this.#settings, X, y, input);
  }

  /** Every check on one training and one test set. Rows are numbered within their set. */
  async checkCvSplits(
    XTrain: RowsInput,
    XTest: RowsInput,
    input: options.CheckCvSplitsOptions = {},
  ): Promise<LeakageReport> {
    return (await load()).checkCvSplits(this.#settings, XTrain, XTest, input);
  }

  /** `check`, with three of its checks by name and the worst severity of those that failed. */
  async comprehensiveCheck(
    X: RowsInput,
    y?: LabelsInput | options.ComprehensiveCheckOptions | null,
    input?: options.ComprehensiveCheckOptions,
  ): Promise<calls.ComprehensiveCheck> {
    return (await load()).comprehensiveCheck(this.#settings, X, y, input);
  }

  /** Is a feature (almost) a copy of the label? Names the features. */
  async checkFeatureTargetLeakage(
    X: RowsInput,
    y: LabelsInput,
    input: single.FeatureTargetOptions = {},
  ): Promise<single.FeatureTargetLeakage> {
    return (await loadSingle()).checkFeatureTargetLeakage(X, y, input);
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
    return (await loadSingle()).checkPreprocessingLeakage(XOriginal, XProcessed, splitIndices, input);
  }

  /** `checkPreprocessingLeakage` with what it saw: the steps, which of them saw all rows, and `not_evaluated` too. */
  async checkPreprocessing(
    XOriginal: RowsInput,
    XProcessed: RowsInput,
    splitIndices: SplitIndices,
    input: PreprocessingOptions = {},
  ): Promise<single.SingleCheck> {
    return (await loadSingle()).checkPreprocessing(XOriginal, XProcessed, splitIndices, input);
  }

  /** Test rows that are almost a training row, beyond what chance brings together in data like these. */
  async checkNearDuplicates(
    XTrain: RowsInput,
    XTest: RowsInput,
    input: single.NearDuplicatesOptions = {},
  ): Promise<single.NearDuplicates> {
    return (await loadSingle()).checkNearDuplicates(XTrain, XTest, input);
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
  ): Promise<single.HierarchicalLeakage> {
    const given = {
      groupsTrain,
      groupsTest,
      parentGroupsTrain: parentGroupsTrain ?? undefined,
      parentGroupsTest: parentGroupsTest ?? undefined,
    };
    return (await loadSingle()).checkHierarchicalLeakage(this.#settings, given);
  }

  /** The checks on folds that are about to be scored: what `validate` calls. */
  async judge(input: CheckInput): Promise<readonly CheckResult[]> {
    if (typeof input?.features !== 'function') {
      throw new InvalidDataError(sentence('The input of `judge`', 'be what `validate` hands to its checker', input));
    }
    return (await load()).judge(this.#settings, input);
  }
}
