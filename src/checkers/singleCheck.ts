import type { CheckResult, Evidence, Finding } from './check.js';

/** What every single check answers. */
export interface SingleCheck extends Pick<Finding, 'status' | 'message' | 'evidence' | 'fix'> {
  /** The check failed. What is only to be reviewed does not count. */
  readonly hasLeakage: boolean;
  /** How many features, steps of a preparation, pairs or ids were found. */
  readonly count: number;
  /** Their share of all features or steps, or the share of test rows concerned; null where nothing could be evaluated. */
  readonly fraction: number | null;
  /** What was compared with; null where the check is exact. */
  readonly threshold: number | null;
}

interface Found extends Pick<SingleCheck, 'count' | 'threshold'> {
  /** What the fraction counts, where that is not what was found. */
  readonly share?: number;
  /** All of them; undefined where nothing could be evaluated. */
  readonly of: number | undefined;
}

export function singleCheck({ status, message, evidence, fix }: Finding, found: Found): SingleCheck {
  const { count, share = count, of, threshold } = found;
  const open = of === undefined || status === 'not_evaluated' || status === 'not_applicable';
  const fraction = open ? null : share / Math.max(1, of);
  return { hasLeakage: status === 'failed', status, message, evidence, fix, count, fraction, threshold };
}

/** A result on folds that also answers as a single check does: what `comprehensiveCheck` gives by name. */
export const answered = <Details extends Evidence>(
  result: CheckResult<Details>,
  found: Found,
): CheckResult<Details> & SingleCheck => ({ ...result, ...singleCheck(result, found), evidence: result.evidence });
