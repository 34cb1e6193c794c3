/** How a check can come out, in words that every layer knows. */

/** `not_evaluated`: an input is missing. `error`: the check itself failed, which is never a pass. */
export const STATUSES = ['passed', 'failed', 'needs_review', 'not_evaluated', 'not_applicable', 'error'] as const;
export type CheckStatus = (typeof STATUSES)[number];

/** From nothing to what makes a score worthless. */
export const SEVERITIES = ['none', 'low', 'medium', 'high', 'critical'] as const;
export type Severity = (typeof SEVERITIES)[number];

/** A check in short: its code, what it is about, and what came of it. */
export interface CheckOutcome {
  readonly code: string;
  readonly type: string;
  readonly status: CheckStatus;
  readonly severity: Severity;
}
