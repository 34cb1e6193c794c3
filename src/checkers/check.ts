/** A check is a coded object that judges the folds that are scored. Silence is never "passed". */

import { messageOf } from '../core/errors.js';
import { plainText } from '../core/foreignText.js';
import { isPlainObject } from '../core/options.js';
import type { SideData } from '../data/sideData.js';
import type { CheckInput } from './checkInput.js';

/** `not_evaluated`: an input is missing. `error`: the check itself failed, which is never a pass. */
export const STATUSES = ['passed', 'failed', 'needs_review', 'not_evaluated', 'not_applicable', 'error'] as const;
export type CheckStatus = (typeof STATUSES)[number];

/** From nothing to what makes a score worthless. */
export const SEVERITIES = ['none', 'low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** `shift`: a finding about how the folds differ, which is no leak by itself. */
export type CheckKind = 'leakage' | 'shift' | 'balance';

/** How much of the data a finding concerns: 6 of 1,148 rows. */
export interface Share {
  readonly count: number;
  readonly of: number;
  /** What is counted, in the singular: `row`, `test row`, `feature`. */
  readonly unit: string;
}

/** What a check found. */
export interface CheckResult {
  /** Stable, for example `CVL001`. */
  readonly code: string;
  readonly type: string;
  readonly kind: CheckKind;
  readonly status: CheckStatus;
  readonly severity: Severity;
  /** Id of the first fold concerned. */
  readonly fold?: string;
  /** What was found, in one or two sentences. */
  readonly message: string;
  /** Counts and up to five `examples`: row numbers, names of features; ids of patients only as salted hashes. */
  readonly evidence: Readonly<Record<string, unknown>>;
  /** How much of the data the finding concerns, where that can be counted. */
  readonly concerns?: Share;
  /**
   * `not_evaluated` because data like these cannot show it, whatever else is passed: it does not count against the
   * verdict.
   */
  readonly notDetectable?: true;
  /** What to do about it; empty when nothing. */
  readonly fix: string;
  /** What the check threw, with status `error`. */
  readonly cause?: unknown;
}

/** What `judge` gives back: the finding without the facts that the check declares anyway. */
export type Finding = Omit<CheckResult, 'code' | 'type' | 'kind' | 'cause'>;

export interface Check {
  readonly code: string;
  readonly type: string;
  readonly kind: CheckKind;
  /** One sentence for the documents. */
  readonly description: string;
  /** Without these inputs the check is `not_evaluated`, or what `whenMissing` says. */
  readonly needs: readonly ('X' | 'y' | keyof SideData)[];
  /** What it means that an input beside `X` and `y` is missing: does the question arise at all? */
  whenMissing?(input: CheckInput): Finding | Promise<Finding>;
  judge(input: CheckInput): Finding | Promise<Finding>;
}

/** What every result takes over from its check. */
export type CheckFacts = Pick<Check, 'code' | 'type' | 'kind'>;
const factsOf = ({ code, type, kind }: CheckFacts): CheckFacts => ({ code, type, kind });

/** Runs a check: what a missing input means is the check's to say, `not_evaluated` by default; a crash is `error`. */
export async function runCheck(check: Check, input: CheckInput): Promise<CheckResult> {
  const missing = check.needs.filter((need) =>
    isMissing(need === 'X' || need === 'y' ? input[need] : input.data[need]),
  );
  try {
    if (missing.length === 0) return { ...factsOf(check), ...inPlainText(await check.judge(input)) };
    if (check.whenMissing && missing.some((need) => need !== 'X' && need !== 'y')) {
      return { ...factsOf(check), ...inPlainText(await check.whenMissing(input)) };
    }
  } catch (error) {
    return crashed(check, error);
  }
  const named = missing.map((need) => `\`${need}\``).join(' and ');
  return notEvaluated(check, `The ${check.type} check needs ${named}.`, `Pass ${named}.`);
}

/** Names of columns may hold anything: none of it reaches a terminal as it is. */
const inPlainText = (finding: Finding): Finding => ({
  ...finding,
  message: plainText(finding.message),
  fix: plainText(finding.fix),
});

/** Nothing, or a hierarchy without a level. */
const isMissing = (given: unknown) => given === undefined || (isPlainObject(given) && Object.keys(given).length === 0);

/** The result of a check that threw: an error is never a pass. */
export const crashed = (check: CheckFacts, cause: unknown): CheckResult => ({
  ...factsOf(check),
  status: 'error',
  severity: 'none',
  message: `The ${check.type} check could not be completed: ${messageOf(cause)}`,
  evidence: {},
  fix: 'Report this, with the message above.',
  cause,
});

/** The result of a check that was not made, with the reason and what to pass so that it can be. */
export const notEvaluated = (check: CheckFacts, message: string, fix = ''): CheckResult => ({
  ...factsOf(check),
  ...undecided(message, fix),
});

/** A finding of a check that could not tell: an input is missing, or there are too few rows for what it looks for. */
export const undecided = (message: string, fix = '', evidence: CheckResult['evidence'] = {}): Finding => ({
  status: 'not_evaluated',
  severity: 'none',
  message,
  evidence,
  fix,
});

/** A finding of a check that data like these can tell nothing, whatever else is passed: it counts against nobody. */
export const notDetectable = (...told: Parameters<typeof undecided>): Finding => ({
  ...undecided(...told),
  notDetectable: true,
});

/** A finding of a check that found nothing. */
export const passed = (message: string, evidence: CheckResult['evidence'] = {}): Finding => ({
  status: 'passed',
  severity: 'none',
  message,
  evidence,
  fix: '',
});

/** A finding of a check that has nothing to judge in this design. */
export const notApplicable = (message: string, evidence: CheckResult['evidence'] = {}): Finding => ({
  ...passed(message, evidence),
  status: 'not_applicable',
});
