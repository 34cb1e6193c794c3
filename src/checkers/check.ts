/** A check is a coded object that judges the folds that are scored. Silence is never "passed". */

import { messageOf } from '../core/errors.js';
import { plainText } from '../core/foreignText.js';
import { isPlainObject } from '../core/options.js';
import type { SideData } from '../core/sideData.js';
import type { CheckInput } from './checkInput.js';

/** `not_evaluated`: an input is missing. `error`: the check itself failed, which is never a pass. */
export const STATUSES = ['passed', 'failed', 'needs_review', 'not_evaluated', 'not_applicable', 'error'] as const;
export type CheckStatus = (typeof STATUSES)[number];

/** From nothing to what makes a score worthless. */
export const SEVERITIES = ['none', 'low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** `shift`: a finding about how the folds differ, which is no leak by itself. */
export type CheckKind = 'leakage' | 'shift' | 'balance';

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
  /** What to do about it; empty when nothing. */
  readonly fix: string;
  /** What the check threw, with status `error`. */
  readonly cause?: unknown;
}

/** What `judge` gives back: the finding without the facts that the check declares anyway. */
export type Finding = Pick<CheckResult, 'status' | 'severity' | 'fold' | 'message' | 'evidence' | 'fix'>;

export interface Check {
  readonly code: string;
  readonly type: string;
  readonly kind: CheckKind;
  /** One sentence for the documents. */
  readonly description: string;
  /** Without these inputs the check is `not_evaluated`. */
  readonly needs: readonly ('y' | keyof SideData)[];
  judge(input: CheckInput): Finding | Promise<Finding>;
}

/** What every result takes over from its check. */
export type CheckFacts = Pick<Check, 'code' | 'type' | 'kind'>;
const factsOf = ({ code, type, kind }: CheckFacts): CheckFacts => ({ code, type, kind });

/** Runs a check: missing inputs are `not_evaluated`, a crash is `error`. */
export async function runCheck(check: Check, input: CheckInput): Promise<CheckResult> {
  const missing = check.needs.filter((need) => isMissing(need === 'y' ? input.y : input.data[need]));
  if (missing.length > 0) {
    const named = missing.map((need) => `\`${need}\``).join(' and ');
    return notEvaluated(check, `The ${check.type} check needs ${named}.`, `Pass ${named}.`);
  }
  try {
    const finding = await check.judge(input);
    return { ...factsOf(check), ...finding, message: plainText(finding.message), fix: plainText(finding.fix) };
  } catch (error) {
    return crashed(check, error);
  }
}

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
