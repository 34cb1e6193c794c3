/** A check is a coded object that judges the folds that are scored. Silence is never "passed". */
import { messageOf } from '../core/errors.js';
import { Hasher } from '../core/fingerprint.js';
import type { Label } from '../core/labels.js';
import { freshSeed } from '../core/random.js';
import type { SideData } from '../core/sideData.js';
import type { RunContext } from '../runner/callback.js';

/** `not_evaluated`: an input is missing. `error`: the check itself failed, which is never a pass. */
export const STATUSES = ['passed', 'failed', 'needs_review', 'not_evaluated', 'not_applicable', 'error'] as const;
export type CheckStatus = (typeof STATUSES)[number];
export type Severity = 'none' | 'low' | 'medium' | 'high' | 'critical';

/** What a check found. */
export interface CheckResult {
  /** Stable, for example `CVL001`. */
  readonly code: string;
  readonly type: string;
  readonly status: CheckStatus;
  readonly severity: Severity;
  /** Id of the first fold concerned. */
  readonly fold?: string;
  /** One sentence. */
  readonly message: string;
  /** Counts and examples; ids of patients only as salted hashes. */
  readonly evidence: Readonly<Record<string, unknown>>;
  /** What to do about it; empty when nothing. */
  readonly fix: string;
}

/** What a check sees: the folds that are scored, and the data they are drawn on. */
export type CheckInput = Pick<RunContext, 'folds' | 'X' | 'y' | 'data'>;

/** What `judge` gives back: the finding without the facts that the check declares anyway. */
export type Finding = Pick<CheckResult, 'status' | 'severity' | 'fold' | 'message' | 'evidence' | 'fix'>;

export interface Check {
  readonly code: string;
  readonly type: string;
  /** One sentence for the documents. */
  readonly description: string;
  /** Without these inputs the check is `not_evaluated`. */
  readonly needs: readonly (keyof SideData)[];
  judge(input: CheckInput): Finding | Promise<Finding>;
}

/** Runs a check: missing inputs are `not_evaluated`, a crash is `error`. */
export async function runCheck(check: Check, input: CheckInput): Promise<CheckResult> {
  const { code, type } = check;
  const missing = check.needs.filter((need) => input.data[need] === undefined);
  if (missing.length > 0) {
    return notEvaluated(check, `needs ${missing.map((need) => `\`${need}\``).join(' and ')}, which were not given`);
  }
  try {
    return { code, type, ...(await check.judge(input)) };
  } catch (error) {
    return crashed(check, error);
  }
}

/** The result of a check that threw: an error is never a pass. */
export function crashed({ code, type }: Pick<Check, 'code' | 'type'>, error: unknown): CheckResult {
  return {
    code,
    type,
    status: 'error',
    severity: 'none',
    message: `The ${type} check could not be completed: ${messageOf(error)}`,
    evidence: {},
    fix: 'Report this, with the message above.',
  };
}

/** The result of a check that was not made, with the reason. */
export function notEvaluated({ code, type }: Pick<Check, 'code' | 'type'>, reason: string): CheckResult {
  return {
    code,
    type,
    status: 'not_evaluated',
    severity: 'none',
    message: `The ${type} check was not made: it ${reason}.`,
    evidence: {},
    fix: '',
  };
}

/** A function that stands in for ids: the same id gives the same eight digits within one report, and no other. */
export function idHasher(salt: number = freshSeed()): (id: Label) => string {
  return (id) => `#${new Hasher().word(salt).text(String(id)).digest().slice(0, 8)}`;
}
