import { checkLines, SEVERITIES, type Severity } from '../core/checkOutcome.js';
import { LeakageError } from '../core/errors.js';
import { counted } from '../core/format.js';
import { INSPECT, inspectShort, wrapText } from '../core/summaryText.js';
import type { CheckResult } from './check.js';
import type { CheckInput } from './checkInput.js';
import type { Design } from './checkOptions.js';
import { type FindingRow, findingRows, type ToRowsOptions } from './findingRows.js';
import { raising } from './raiseOn.js';
import { type SARIFLog, sarifOf, type ToSARIFOptions } from './sarif.js';
import { type OverallStatus, type Verdict, verdictOf } from './verdict.js';

export const adviceOf = (checks: readonly CheckResult[]): string[] => [
  ...new Set(
    checks.flatMap(({ status, fix, acknowledged }) =>
      fix && FINDINGS.includes(status) && acknowledged === undefined ? [fix] : [],
    ),
  ),
];
const FINDINGS: readonly CheckResult['status'][] = ['failed', 'needs_review', 'error'];

const MUST: Readonly<Partial<Record<CheckResult['status'], string>>> = {
  failed: 'The folds must not leak.',
  error: 'Every check must be completed.',
  needs_review: 'No check may need a review.',
  not_evaluated: 'Every check must be made.',
};

/** What a check that failed says of, where that is not the folds. */
const MUST_OF: Readonly<Record<string, string>> = {
  feature_target: 'No feature may give y away.',
  preprocessing: 'X must not be prepared over all rows.',
  identifier: 'No feature may be an id or a time.',
  site_confounding: 'The site must not tell y.',
  feature_statistics: 'The folds must be alike.',
  label_distribution: 'The folds must be alike.',
};

/** Which folds were judged. */
export interface AssessedFolds {
  /** The splitter with its options. */
  readonly splitter: string;
  readonly nFolds: number;
  readonly nRows: number;
  readonly fingerprint: string;
  readonly design: Design;
  /** The caller declared the design; else it is what the splitter claims. */
  readonly designDeclared: boolean;
  /** What a reader must know of the folds, for example that nobody named them. */
  readonly note: string | null;
}

interface ReportOptions {
  /** `summary()` lists the checks that passed, too. */
  readonly all?: boolean;
  readonly note?: string | null;
}

const whyOf = (design: Design) => (design === 'iid' ? 'since nothing says otherwise' : 'as the splitter claims');

/**
 * What the leakage checks found on one set of folds.
 *
 * @example
 * const report = await new DataLeakageChecker().check(X, y, { groups: patientIds, cv: new KFold({ shuffle: true, randomState: 1 }) });
 * console.log(report.hasLeakage, report.severity, report.leakageTypes);
 */
export class LeakageReport {
  /** A check failed. Neither shift nor what asks for a look counts. */
  readonly hasLeakage: boolean;
  /** The worst of the failed checks; `none` without one. */
  readonly severity: Severity;
  /** Types of the failed checks. */
  readonly leakageTypes: readonly string[];
  /** What all checks together say, made or not. */
  readonly verdict: Verdict;
  readonly overallStatus: OverallStatus;
  /** Every check, in order of the codes. */
  readonly checks: readonly CheckResult[];
  /** What the checks that did not pass advise. */
  readonly recommendations: readonly string[];
  /** The folds that were judged. */
  readonly folds: AssessedFolds;
  readonly #all: boolean;

  constructor(checks: readonly CheckResult[], input: CheckInput, { all = true, note = null }: ReportOptions = {}) {
    const failed = checks.filter(({ status }) => status === 'failed');
    this.checks = checks;
    this.hasLeakage = failed.length > 0;
    this.severity = SEVERITIES[Math.max(0, ...failed.map(({ severity }) => SEVERITIES.indexOf(severity)))];
    this.leakageTypes = [...new Set(failed.map(({ type }) => type))];
    this.verdict = verdictOf(checks);
    this.overallStatus = this.verdict.status;
    this.recommendations = adviceOf(checks);
    const { folds, design, declared } = input;
    this.folds = {
      splitter: folds.design,
      nFolds: folds.length,
      nRows: folds.n,
      // Hashed when it is asked for: that takes every training list.
      get fingerprint() {
        return folds.fingerprint;
      },
      design,
      designDeclared: declared,
      note,
    };
    this.#all = all;
  }

  /** What was checked on which folds, what failed with evidence, what could not be evaluated, and what to do. */
  summary(): string {
    const { splitter, nFolds, nRows, design, designDeclared, note } = this.folds;
    return [
      wrapText(this.verdict.text, 'Leakage checks: '),
      '',
      wrapText(
        `${splitter}, ${counted(nFolds, 'fold')} of ${counted(nRows, 'row')}${note ? ` (${note})` : ''}`,
        '  Folds   ',
      ),
      wrapText(`${design}, ${designDeclared ? 'as declared' : whyOf(design)}`, '  Design  '),
      '',
      ...checkLines(this.checks, { all: this.#all }),
    ].join('\n');
  }

  /**
   * Throws a {@link LeakageError} with the first finding and what to do, where a check failed or could not be completed;
   * its `cause` is this report.
   *
   * @param raiseOn codes or types of the checks that count; without any, all do. `needs_review` and `not_evaluated` in
   *   the list raise as well.
   * @throws {InvalidOptionError} a name that no check of the report has
   */
  refuse(raiseOn: readonly string[] = []): void {
    const [first, ...others] = raising('`raiseOn`', raiseOn, this.checks);
    if (!first) return;
    const { type, message, fix, status } = first;
    const failed = others.every((each) => each.status === 'failed' || each.status === 'error') ? ' that failed' : '';
    const more = others.length > 0 ? ` Further checks${failed}: ${others.map(({ type }) => type).join(', ')}.` : '';
    const must = status === 'failed' ? (MUST_OF[type] ?? MUST.failed) : (MUST[status] ?? MUST.failed);
    throw new LeakageError(`${must} ${message}${more} ${fix}`.trim(), { cause: this });
  }

  /**
   * The findings as a flat table: one row of plain values for each example, without ids of patients. Failed checks come
   * first.
   *
   * @example
   * console.table(report.toRows(), ['check', 'status', 'trainRow', 'testRow', 'feature', 'score']);
   */
  toRows(input: ToRowsOptions = {}): FindingRow[] {
    return findingRows(this.checks, input);
  }

  /**
   * The findings as a log of SARIF 2.1.0, for code hosts and editors: a rule for each check, a result for each example,
   * at the line of its row in `artifact`.
   *
   * @example
   * await writeFile('leakage.sarif', JSON.stringify(report.toSARIF({ artifact: 'data/visits.csv' })));
   */
  toSARIF(input: ToSARIFOptions = {}): SARIFLog {
    return sarifOf(this.checks, input);
  }

  /** Plain JSON values. */
  toJSON(): Record<string, unknown> {
    const { checks, ...rest } = this;
    return { ...rest, checks: checks.map(resultJSON) };
  }

  /** What `console.log` shows. */
  [INSPECT](): string {
    return inspectShort(this, this.verdict.text);
  }
}

/** A result as plain JSON values: what a check threw is in the message. */
export const resultJSON = ({ cause: _cause, ...rest }: CheckResult): Omit<CheckResult, 'cause'> => rest;
