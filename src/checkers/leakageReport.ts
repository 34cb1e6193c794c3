import { checkLines } from '../core/checkText.js';
import { LeakageError } from '../core/errors.js';
import { plainText } from '../core/foreignText.js';
import { counted } from '../core/format.js';
import { wrapText } from '../core/summaryText.js';
import { type CheckResult, SEVERITIES, type Severity } from './check.js';
import type { CheckInput } from './checkInput.js';
import type { Design } from './design.js';

/** The verdict over all checks. Nothing that was not evaluated counts as passed. */
export type OverallStatus = 'passed' | 'failed' | 'needs_review' | 'not_fully_verified';

/** Passed is what passed: every check was made, none has anything to say. A check that crashed asks for a look. */
export function overallStatus(checks: readonly Pick<CheckResult, 'status'>[]): OverallStatus {
  const has = (...wanted: CheckResult['status'][]) => checks.some(({ status }) => wanted.includes(status));
  if (has('failed')) return 'failed';
  if (has('needs_review', 'error')) return 'needs_review';
  if (checks.length === 0 || has('not_evaluated')) return 'not_fully_verified';
  return checks.every(({ status }) => status === 'passed' || status === 'not_applicable') ? 'passed' : 'needs_review';
}

/** What the checks advise that did not pass. */
export const adviceOf = (checks: readonly CheckResult[]): string[] => [
  ...new Set(checks.flatMap(({ status, fix }) => (fix && FINDINGS.includes(status) ? [fix] : []))),
];
const FINDINGS: readonly CheckResult['status'][] = ['failed', 'needs_review', 'error'];

/** Which folds were judged. */
export interface JudgedFolds {
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

/** What the leakage checks found on one set of folds. */
export class LeakageReport {
  /** A check failed. Neither shift nor what asks for a look counts. */
  readonly hasLeakage: boolean;
  /** The worst of the failed checks; `none` without one. */
  readonly severity: Severity;
  /** Types of the failed checks. */
  readonly leakageTypes: readonly string[];
  /** The verdict over all checks, made or not. */
  readonly overallStatus: OverallStatus;
  /** Every check, in order of the codes. */
  readonly checks: readonly CheckResult[];
  /** What the checks that did not pass advise. */
  readonly recommendations: readonly string[];
  /** The folds that were judged. */
  readonly folds: JudgedFolds;
  readonly #all: boolean;

  constructor(checks: readonly CheckResult[], input: CheckInput, { all = true, note = null }: ReportOptions = {}) {
    const failed = checks.filter(({ status }) => status === 'failed');
    this.checks = checks;
    this.hasLeakage = failed.length > 0;
    this.severity = SEVERITIES[Math.max(0, ...failed.map(({ severity }) => SEVERITIES.indexOf(severity)))];
    this.leakageTypes = [...new Set(failed.map(({ type }) => type))];
    this.overallStatus = overallStatus(checks);
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
      plainText(`Leakage checks: ${this.#verdict()}`),
      '',
      wrapText(
        `${splitter}, ${counted(nFolds, 'fold')} of ${counted(nRows, 'row')}${note ? ` (${note})` : ''}`,
        '  Folds   ',
      ),
      wrapText(`${design}, ${designDeclared ? 'as declared' : 'as the splitter claims'}`, '  Design  '),
      '',
      ...checkLines(this.checks, { all: this.#all }),
    ].join('\n');
  }

  #verdict(): string {
    if (this.checks.length === 0) return 'no check was made';
    if (this.hasLeakage) return `FAILED, severity ${this.severity}: ${this.leakageTypes.join(', ')}`;
    const open = this.checks.filter(({ status }) => status === 'not_evaluated').length;
    const missing = open > 0 ? `; ${open} of ${counted(this.checks.length, 'check')} could not be evaluated` : '';
    const review = this.checks.filter(({ status }) => status === 'needs_review' || status === 'error');
    if (review.length > 0) return `NEEDS REVIEW: ${review.map(({ type }) => type).join(', ')}${missing}`;
    return open > 0 ? `no leak found${missing}` : 'PASSED: every check was made and passed';
  }

  /** Throws a {@link LeakageError} with the first finding and what to do, where a check failed or could not be completed. */
  refuse(): void {
    const failed = ['failed', 'error'].flatMap((bad) => this.checks.filter(({ status }) => status === bad));
    if (failed.length === 0) return;
    const [{ message, fix, status }] = failed;
    const must = status === 'failed' ? 'The folds must not leak.' : 'Every check must be completed.';
    const more =
      failed.length > 1
        ? ` Further checks that failed: ${failed
            .slice(1)
            .map(({ type }) => type)
            .join(', ')}.`
        : '';
    throw new LeakageError(`${must} ${message}${more} ${fix}`, { cause: this });
  }

  /** Plain JSON values. */
  toJSON(): Record<string, unknown> {
    const { checks, ...rest } = this;
    return { ...rest, checks: checks.map(resultJSON) };
  }
}

/** A result as plain JSON values: what a check threw is in the message. */
export const resultJSON = ({ cause: _cause, ...rest }: CheckResult): Omit<CheckResult, 'cause'> => rest;
