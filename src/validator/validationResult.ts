import type { CvBalance } from '../checkers/CVB001-class-balance/balanceOf.js';
import type { CheckResult } from '../checkers/check.js';
import type { Declared } from '../checkers/checkOptions.js';
import { adviceOf, type LeakageReport, resultJSON } from '../checkers/leakageReport.js';
import { type OverallStatus, type Verdict, verdictOf } from '../checkers/verdict.js';
import type { CalibrationCurve } from '../clinical/calibration/calibrationCurve.js';
import type { ClinicalResults } from '../clinical/measures/clinicalResults.js';
import type { ChecklistName } from '../core/knownNames.js';
import { type NoOptions, noOptions } from '../core/options.js';
import { INSPECT, inspectShort, type SummaryOptions } from '../core/summaryText.js';
import type { ResultJSONOptions } from '../data/pseudonyms.js';
import type { AveragedAndPooled } from '../intervals/averagedAndPooled.js';
import type { BootstrapEstimate } from '../intervals/confidenceIntervals.js';
import type { Interval } from '../intervals/interval.js';
import type { Score } from '../metrics/metric.js';
import { htmlReport } from '../report/htmlReport.js';
import { modelCard } from '../report/modelCard.js';
import type { GuidelineEvidence, ReportModel, TableOne } from '../report/reportModel.js';
import { type ReportOptions, reportParts } from '../report/reportOptions.js';
import { markdownReport, textReport } from '../report/textReport.js';
import { formOf, writeReportFile } from '../report/writeReport.js';
import type { CVResults } from '../runner/cvResults.js';
import type { RunMetadata } from '../runner/runMetadata.js';
import {
  type ClinicalOptions,
  type ClinicalReport,
  calibrationOf,
  clinicalReportOf,
  clinicalValuesOf,
  type IntervalsOf,
} from './clinicalReport.js';
import type { Compliance } from './evidenceOptions.js';
import type { CiFits } from './furtherRuns.js';

/** How a validation came about: the run's metadata and the validator's own choices. */
export interface Manifest extends RunMetadata, CiFits {
  readonly method: string;
  /** Why that method, when the caller named none. */
  readonly methodReason: string | null;
  /** Where the folds lack what those of `recommendCv` keep; null where they do not, and where no folds were made. */
  readonly advice: string | null;
  readonly ciMethod: string | Readonly<Record<string, string>>;
  readonly ciLevel: number;
  readonly nBootstrap: number;
  readonly nestedCvRepeats: number;
  readonly ciFits: number | 'auto';
  readonly ciRefits: number | null;
  readonly sampling: Interval['sampling'];
  /** Estimates and limits by score, for `reproduce`. */
  readonly intervals: Readonly<Record<string, Pick<Interval, 'estimate' | 'lower' | 'upper'>>>;
  /** What the author declares about the data; see the options of these names. */
  readonly notApplicable: Declared['notApplicable'];
  readonly independentRows: boolean;
  readonly preparedInside: boolean;
  readonly acknowledged: Declared['acknowledged'];
  /** What `compliance` and `checklists` asked for. */
  readonly compliance: Compliance | null;
  readonly checklists: readonly ChecklistName[];
}

export interface Parts<Model = unknown, Kept = unknown> {
  readonly cv: CVResults<Model, Kept>;
  /** Makes intervals of further metrics as those of the scores were made. */
  readonly intervalsOf: IntervalsOf;
  readonly confidenceIntervals: Readonly<Record<string, Interval>>;
  readonly averages: Readonly<Record<string, AveragedAndPooled>>;
  readonly importance?: CVResults['importance'];
  readonly baseline: Readonly<Record<string, Score>> | null;
  readonly bootstrapEstimates: Readonly<Record<string, BootstrapEstimate>> | null;
  /** Scores whose estimate the folds bias. */
  readonly biased?: readonly string[];
  readonly checks: readonly CheckResult[];
  readonly leakageReport: LeakageReport | null;
  readonly balance: CvBalance | null;
  /** Predictors by outcome; null where no columns are known. */
  readonly tableOne: TableOne | null;
  /** Says what the result has for the guidelines that were asked for; null where none was. */
  readonly evidenceOf: ((result: ReportModel) => GuidelineEvidence) | null;
  readonly manifest: Manifest;
}

/** Of docs/result.schema.json. */
const JSON_VERSION = 1;

const OF_LABELS = ['sensitivity', 'specificity', 'ppv', 'npv', 'balancedAccuracy'];

/**
 * What `validate` and `fitValidate` give back, typed as `CVResults`.
 *
 * @example
 * console.log(result.estimates);
 * console.log(result.confidenceIntervals.roc_auc);
 * console.log(result.overallStatus);
 */
export class ValidationResult<Model = unknown, Kept = unknown> {
  /** Value of each score by fold; null with the reason where there is none. */
  readonly scores: CVResults['scores'];
  /**
   * The number that each interval is about and that the summary shows first; without intervals, or where a method has no
   * number of its own, the estimate of the run. `corrected_t` is about the mean of folds, `nested_cv` about the refitted
   * model, and `bootstrapEstimator` names its own.
   */
  readonly estimates: CVResults['estimates'];
  /** Mean of folds: over those that have a value; null when none has. */
  readonly meanScores: CVResults['meanScores'];
  /** Sample standard deviation over folds; no standard error. */
  readonly stdScores: CVResults['stdScores'];
  /** Both ways to one number per score, the mean of folds and the value pooled over rows; a warning where they disagree. */
  readonly averages: Readonly<Record<string, AveragedAndPooled>>;
  /** One {@link Interval} per score: what it is about, what was resampled, and why there is none where there is none. */
  readonly confidenceIntervals: Readonly<Record<string, Interval>>;
  /**
   * What a model would score on these folds that has learned from the labels alone: it predicts the shares of the classes
   * in the training rows, in regression their mean. Null for masks.
   */
  readonly baseline: Readonly<Record<string, Score>> | null;
  /** Per score the estimate of `bootstrapEstimator` and its parts; null for 'standard' and for other methods. */
  readonly bootstrapEstimates: Readonly<Record<string, BootstrapEstimate>> | null;
  /** Value of each score on the training rows of each fold, with `returnTrainScores`; else null. */
  readonly trainScores: CVResults['trainScores'];
  /** What each feature is worth to the models of the folds, with `importance`, its intervals at `ciLevel`; else null. */
  readonly importance: CVResults['importance'];
  /** Scores of one more model, trained on all rows, on these very rows, with `apparent`; else null. They are far too good for most models. */
  readonly apparentScores: Readonly<Record<string, Score>> | null;
  /** The model that was trained on all rows, with `refit`; else null. Its `note` says what the estimates tell of it. */
  readonly refitted: CVResults<Model>['refitted'];
  /** One row per fold that ran: sizes, seed, epochs, time, and the error of a failed one. */
  readonly foldDetails: CVResults['foldDetails'];
  /** Every tested row with its truth, prediction and fold, as columns. */
  readonly outOfFold: CVResults['outOfFold'];
  /** Models by fold with `keepModels: 'memory'`, their places with 'save'; else null. */
  readonly models: CVResults<Model, Kept>['models'];
  /** What the models came from, for those who use them again; null where predictions were given. */
  readonly origin: CVResults['origin'];
  /** The checked folds of the whole design. */
  readonly plan: CVResults['plan'];
  /** Logs per epoch by fold. */
  readonly histories: CVResults['histories'];
  /** Every check, made or not. */
  readonly checks: readonly CheckResult[];
  /** What the leakage checks found on the scored folds. */
  readonly leakageReport: LeakageReport | null;
  /** Shares of the classes over the scored folds; null with `checkBalance: false`. */
  readonly balance: CvBalance | null;
  /**
   * Table 1: predictors by outcome (and by side, for a single fold), with missing cells; small cells are hidden. Null for images, and
   * where predictions alone are known.
   */
  readonly tableOne: TableOne | null;
  /** What all checks together say; a fold that failed asks for a look, and where all failed there is no result. */
  readonly verdict: Verdict;
  readonly overallStatus: OverallStatus;
  /** What the checks that did not pass advise. */
  readonly recommendations: readonly string[];
  /** How the result came about: enough to do it again. */
  readonly manifest: Manifest;
  /** Requested method of the intervals, or a record by score. */
  readonly ciMethod: Manifest['ciMethod'];
  /** Level of the intervals, for example .95. */
  readonly ciLevel: number;

  readonly #parts: Parts<Model, Kept>;
  #calibration: CalibrationCurve | null | undefined;
  #evidence: GuidelineEvidence | undefined;
  #atThreshold: Partial<ClinicalResults> | null | undefined;

  constructor(parts: Parts<Model, Kept>) {
    const { cv, confidenceIntervals, bootstrapEstimates, checks, manifest, biased = [] } = parts;
    this.#parts = parts;
    this.scores = cv.scores;
    this.estimates = Object.fromEntries(
      Object.entries(cv.estimates).map(([name, estimate]) => {
        const [interval, between] = [confidenceIntervals[name], bootstrapEstimates?.[name]];
        return [name, interval ? interval.estimate : between ? between.value : estimate];
      }),
    );
    this.meanScores = cv.meanScores;
    this.stdScores = cv.stdScores;
    this.averages = parts.averages;
    this.confidenceIntervals = confidenceIntervals;
    this.baseline = parts.baseline;
    this.bootstrapEstimates = bootstrapEstimates;
    this.trainScores = cv.trainScores;
    this.importance = parts.importance ?? cv.importance;
    this.apparentScores = cv.apparent?.scores ?? null;
    this.refitted = cv.refitted;
    this.foldDetails = cv.foldDetails;
    this.outOfFold = cv.outOfFold;
    this.models = cv.models;
    this.origin = cv.origin;
    this.plan = cv.plan;
    this.histories = cv.histories;
    this.checks = checks;
    this.leakageReport = parts.leakageReport;
    this.balance = parts.balance;
    this.tableOne = parts.tableOne;
    const firstError = this.foldDetails.find(({ error }) => error !== null)?.error;
    this.verdict = verdictOf(checks, { ...cv.metadata, firstError, biased });
    this.overallStatus = this.verdict.status;
    this.recommendations = adviceOf(checks);
    this.manifest = manifest;
    this.ciMethod = manifest.ciMethod;
    this.ciLevel = manifest.ciLevel;
  }

  /**
   * Calibration of the out-of-fold probabilities, patients as units: intercept, slope, flexible curve with ICI, bins. Made
   * when it is asked for first. Null for a task that is not binary, and without probabilities.
   */
  get calibration(): CalibrationCurve | null {
    this.#calibration ??= calibrationOf(this.#parts.cv, this.ciLevel);
    return this.#calibration;
  }

  /**
   * What the result has for the guidelines of `compliance` and `checklists`, item by item, with the places of its figures;
   * null unless requested. It claims nothing: what a run does not know is left to the author.
   */
  get evidence(): GuidelineEvidence | null {
    this.#evidence ??= this.#parts.evidenceOf?.(this);
    return this.#evidence ?? null;
  }

  /**
   * Diagnostic accuracy and calibration of the out-of-fold predictions, each value with an interval, and all as `text`.
   * Values that are scores, too, have the estimate and the interval of the score, and further metrics intervals by
   * `ciMethod`; ratios and numbers needed are of all predictions together. Patients are the units.
   *
   * @param options those of `ClinicalMetrics`, and `rows` and `patients` of `formatReport`
   * @throws {InvalidOptionError} for a task that is not binary
   *
   * @example
   * console.log(result.clinical({ prevalence: 0.02, rows: 'images' }).text);
   */
  clinical(options?: ClinicalOptions): ClinicalReport {
    const { calibration } = this;
    return clinicalReportOf(this.#parts.cv, { ...this.#known(), calibration }, options);
  }

  /**
   * What `clinical()` has of the labels alone: sensitivity, specificity, predictive values, likelihood ratios and others, each with
   * its interval, at the threshold by which labels follow from probabilities. Null for a task that is not binary, and without a
   * completed fold. Made when it is asked for first.
   */
  get atThreshold(): Partial<ClinicalResults> | null {
    this.#atThreshold ??= this.#ofThreshold();
    return this.#atThreshold;
  }

  #ofThreshold(): Partial<ClinicalResults> | null {
    const { task, foldsRun, foldsFailed } = this.manifest;
    if (task !== 'binary' || foldsRun === foldsFailed) return null;
    const { metrics } = clinicalValuesOf(this.#parts.cv, this.#known(), {}, OF_LABELS);
    const {
      rocAuc: _r,
      averagePrecision: _p,
      brier: _b,
      calibrationIntercept: _i,
      calibrationSlope: _s,
      ...ofLabels
    } = metrics;
    return ofLabels;
  }

  /** What clinical values are made with, besides predictions. */
  #known() {
    const { confidenceIntervals, ciLevel, bootstrapEstimates } = this;
    const estimator = Object.values(bootstrapEstimates ?? {})[0]?.estimator;
    return { confidenceIntervals, ciLevel, estimator, intervalsOf: this.#parts.intervalsOf };
  }

  /** The result as text for a terminal, as wide as it; `details` adds what passed and why, every note, and the folds. */
  summary(options?: SummaryOptions): string {
    return textReport(this, options);
  }

  /** The report of `toHTML` as Markdown, without pictures. */
  toMarkdown(options?: ReportOptions): string {
    return markdownReport(this, reportParts(this, options));
  }

  /**
   * A promise of one self-contained HTML page: pictures with their numbers, tables, light and dark, fit for print; no script, no
   * external address, no rows of data.
   */
  async toHTML(options?: ReportOptions): Promise<string> {
    return htmlReport(this, reportParts(this, options));
  }

  /**
   * Writes the report: HTML, Markdown or JSON, by the ending of the name.
   *
   * @param place a path or file URL that ends in .html, .md or .json, in a folder that exists
   * @throws {CVKitError} `unwritable_place` where it cannot be written; the result is not lost
   */
  async writeReport(place: string | URL, options?: ReportOptions): Promise<void> {
    const form = formOf(place);
    reportParts(this, options, form);
    const text =
      form === 'html'
        ? await this.toHTML(options)
        : form === 'md'
          ? this.toMarkdown(options)
          : `${JSON.stringify(this.toJSON(), null, 1)}\n`;
    await writeReportFile(place, text);
  }

  /** A model card (Mitchell et al. 2019) in Markdown, as far as the run can fill it; the rest is marked for the author. */
  modelCard(options?: NoOptions): string {
    noOptions('modelCard', options);
    return modelCard(this);
  }

  /**
   * Plain JSON values (docs/result.schema.json), with the out-of-fold table and without models or the folds. Patients have the pseudonyms of the
   * checks unless `ids` is 'raw'.
   */
  toJSON(options?: ResultJSONOptions | string): Record<string, unknown> {
    const { models: _models, origin: _origin, plan: _plan, ...rest } = this;
    return {
      version: JSON_VERSION,
      ...rest,
      calibration: this.calibration,
      evidence: this.evidence,
      checks: this.checks.map(resultJSON),
      leakageReport: this.leakageReport?.toJSON() ?? null,
      outOfFold: this.#parts.cv.toJSON(options).outOfFold,
    };
  }

  /** What `console.log` shows: no rows. */
  [INSPECT](): string {
    return inspectShort(this, this.verdict.text);
  }
}
