/** Exit codes, as of linters: 0 clean, 1 findings, 2 usage or error, 3 not fully verified, 130 interrupted. */
import type { Verdict } from '../checkers/verdict.js';
import type { ShownFlags } from './flags.js';

const CLEAN = 0;
export const FINDINGS = 1;
export const FAULT = 2;
const NOT_VERIFIED = 3;
export const INTERRUPTED = 130;

/** Of a verdict; with `--strict` what asks for a look counts, with `--exit-zero` nothing does. */
export function exitCodeOf(
  { status, open }: Pick<Verdict, 'status' | 'open'>,
  { strict, exitZero }: ShownFlags,
): number {
  if (exitZero) return CLEAN;
  if (status === 'failed' || (strict && status === 'needs_review')) return FINDINGS;
  // A check that was not made counts, also where another one asks for a look.
  return status === 'not_fully_verified' || (status === 'needs_review' && open.length > 0) ? NOT_VERIFIED : CLEAN;
}
