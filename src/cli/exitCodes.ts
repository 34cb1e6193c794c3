/** Exit codes, as of linters: 0 clean, 1 findings, 2 usage or error, 3 not fully verified, 130 interrupted. */
import type { OverallStatus } from '../checkers/verdict.js';
import type { ShownFlags } from './flags.js';

const CLEAN = 0;
export const FINDINGS = 1;
export const FAULT = 2;
const NOT_VERIFIED = 3;
export const INTERRUPTED = 130;

const CODES: Readonly<Record<OverallStatus, number>> = {
  passed: CLEAN,
  passed_with_acknowledgements: CLEAN,
  needs_review: CLEAN,
  failed: FINDINGS,
  not_fully_verified: NOT_VERIFIED,
};

/** Of a verdict; with `--strict` what asks for a look counts, with `--exit-zero` nothing does. */
export function exitCodeOf(status: OverallStatus, { strict, exitZero }: ShownFlags): number {
  if (exitZero) return CLEAN;
  return strict && status === 'needs_review' ? FINDINGS : CODES[status];
}
