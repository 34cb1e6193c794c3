import type { CheckResult } from '../checkers/check.js';
import type { Interval } from '../metrics/intervals/interval.js';
import { markdownReport } from '../report/markdownReport.js';
import { textReport } from '../report/textReport.js';
import type { CVResults } from '../runner/cvResults.js';
import type { RunMetadata } from '../runner/runMetadata.js';

/** The verdict over all checks. Nothing that was not evaluated counts as passed. */
export type OverallStatus = 'passed' | 'failed' | 'needs_review' | 'not_fully_verified';

/** How a validation came about: the run's metadata and the validator's own choices. */
export interface Manifest extends RunMetadata {
  readonly method: string;
  /** Why that method, when the caller named none. */
  readonly methodReason: string | null;
  readonly ciMethod: string | Readonly<Record<string, string>>;
  readonly ciLevel: number;
  readonly nBootstrap: number;
}

interface Parts {
  readonly cv: CVResults;
  readonly confidenceIntervals: Readonly<Record<string, Interval>>;
  readonly checks: readonly CheckResult[];
  readonly manifest: Manifest;
}

/** What `validate` and `fitValidate` give back. */
export class ValidationResult {
  readonly scores: CVResults['scores'];
  readonly meanScores: CVResults['meanScores'];
  readonly stdScores: CVResults['stdScores'];
  /** One {@link Interval} per score: what it is about, what was resampled, and why there is none where there is none. */
  readonly confidenceIntervals: Readonly<Record<string, Interval>>;
  readonly foldDetails: CVResults['foldDetails'];
  readonly outOfFold: CVResults['outOfFold'];
  readonly models: CVResults['models'];
  readonly histories: CVResults['histories'];
  /** Every check, made or not. */
  readonly checks: readonly CheckResult[];
  readonly overallStatus: OverallStatus;
  /** What the checks that did not pass advise. */
  readonly recommendations: readonly string[];
  readonly manifest: Manifest;
  readonly ciMethod: Manifest['ciMethod'];
  readonly ciLevel: number;

  constructor({ cv, confidenceIntervals, checks, manifest }: Parts) {
    this.scores = cv.scores;
    this.meanScores = cv.meanScores;
    this.stdScores = cv.stdScores;
    this.confidenceIntervals = confidenceIntervals;
    this.foldDetails = cv.foldDetails;
    this.outOfFold = cv.outOfFold;
    this.models = cv.models;
    this.histories = cv.histories;
    this.checks = checks;
    this.overallStatus = overallStatus(checks);
    this.recommendations = checks.flatMap(({ status, fix }) => (status !== 'passed' && fix ? [fix] : []));
    this.manifest = manifest;
    this.ciMethod = manifest.ciMethod;
    this.ciLevel = manifest.ciLevel;
  }

  /** The result as text for a terminal. */
  summary(): string {
    return textReport(this);
  }

  toMarkdown(): string {
    return markdownReport(this);
  }

  /** One self-contained HTML page, without scripts, external addresses or rows of data. */
  async toHTML(): Promise<string> {
    const { htmlReport } = await import('../report/htmlReport.js');
    return htmlReport(this);
  }

  /** Plain JSON values, with the out-of-fold table and without models. */
  toJSON(): Record<string, unknown> {
    const { models: _models, ...rest } = this;
    return {
      ...rest,
      histories: this.histories.map(({ epochs }) => epochs),
      outOfFold: Object.fromEntries(
        Object.entries(this.outOfFold).map(([name, column]) => [
          name,
          ArrayBuffer.isView(column) ? Array.from(column as Int32Array) : column,
        ]),
      ),
    };
  }
}

function overallStatus(checks: readonly CheckResult[]): OverallStatus {
  const has = (...wanted: CheckResult['status'][]) => checks.some(({ status }) => wanted.includes(status));
  if (has('failed')) return 'failed';
  if (has('needs_review', 'error')) return 'needs_review';
  return checks.length === 0 || has('not_evaluated') ? 'not_fully_verified' : 'passed';
}
