/** The verdict over checks: made here alone, for every report. */

import { SEVERITIES } from '../core/checkOutcome.js';
import { nameText } from '../core/foreignText.js';
import { counted, wholeNumber } from '../core/format.js';
import type { CheckResult, Share } from './check.js';

export type OverallStatus =
  | 'passed'
  | 'passed_with_acknowledgements'
  | 'failed'
  | 'needs_review'
  | 'not_fully_verified';

/** What all checks together say. */
export interface Verdict {
  readonly status: OverallStatus;
  /** One line: `FAILED: CVL002 duplicate (high), 6 of 1,148 rows`. */
  readonly text: string;
  /** The worst of the checks that decide; null where nothing was found. */
  readonly worst: Pick<CheckResult, 'code' | 'type' | 'status' | 'severity'> | null;
  /** How much of the data that check concerns, where it can be counted. */
  readonly concerns: Share | null;
  /** Types of the checks that apply and were not made. */
  readonly open: readonly string[];
  /**
   * What checks took the author's word for: `independentRows`, `preparedInside`, `notApplicable`, a `leakageChecker`, and what he
   * acknowledges (`CVB001: rare outcome by design`).
   */
  readonly authorsWord: readonly string[];
}

type Assessed = Pick<CheckResult, 'code' | 'type' | 'status' | 'severity' | 'concerns' | 'notDetectable'> &
  Partial<Pick<CheckResult, 'evidence' | 'madeBy' | 'acknowledged'>>;

interface Ran {
  readonly foldsFailed?: number;
  readonly foldsRun?: number;
  readonly nSplits?: number;
  readonly fixedModel?: string | null;
  readonly trainedBefore?: string | null;
  /** What went wrong in the first fold that failed. */
  readonly firstError?: string | null;
  /** Scores whose estimate these folds bias. */
  readonly biased?: readonly string[];
}

const PASSED = 'PASSED: every check that applies was made and passed';
/** Which checks apply is for cvkit to say, where it made them. */
const PASSED_THEIRS = 'PASSED: every check that was made passed';
const NAMED = 3;

/**
 * In this order: `failed`, no fold gave a result, or a check failed; `needs_review`, one asks for a look or could not be
 * completed, a fold failed, or the folds bias an estimate; `not_fully_verified`, one that applies was not made, or none was, some folds were not run, or
 * the model is fixed or began with what it had learned before, so that nobody knows whether it was trained on these rows;
 * `passed_with_acknowledgements`, the author lets stand what one asks for or could not tell; `passed`. What data like these cannot show (`notDetectable`) counts against nobody. Checks that a `leakageChecker` of the
 * caller made count as its word, and the sentence says so.
 */
export function verdictOf(
  checks: readonly Assessed[],
  {
    foldsFailed = 0,
    foldsRun = 0,
    nSplits = foldsRun,
    fixedModel = null,
    trainedBefore = null,
    firstError,
    biased = [],
  }: Ran = {},
): Verdict {
  const ofTheRun = [
    ...(foldsFailed > 0 ? [`${counted(foldsFailed, 'fold')} failed`] : []),
    ...(biased.length > 0
      ? [
          `${biased.map((name) => nameText(name)).join(', ')} compares models of different folds, biased below chance: take LPOCV with p = 2, or folds with rows of every class`,
        ]
      : []),
  ];
  const unsure = [
    ...(foldsRun < nSplits ? [`${foldsRun} of ${counted(nSplits, 'fold')} were run`] : []),
    ...(fixedModel === null ? [] : ['the model is fixed and may have been trained on these rows']),
    ...(trainedBefore === null ? [] : [`the model may have been trained on these rows (${trainedBefore})`]),
  ];
  const words = checks.flatMap(({ code, evidence, madeBy, acknowledged }) => [
    // The evidence of the caller's own checks is not ours to quote.
    ...(madeBy ? [madeBy] : typeof evidence?.authorsWord === 'string' ? [evidence.authorsWord] : []),
    ...(acknowledged === undefined ? [] : [`${nameText(code)}: ${acknowledged}`]),
  ]);
  const verdict =
    foldsRun > 0 && foldsFailed === foldsRun ? noResult(checks, firstError) : assessed(checks, ofTheRun, unsure);
  return { ...verdict, text: `${verdict.text}${ownCheckerText(checks)}`, authorsWord: [...new Set(words)] };
}

function ownCheckerText(checks: readonly Assessed[]): string {
  const theirs = checks.filter(({ madeBy }) => madeBy);
  if (theirs.length === 0) return '';
  const were = theirs.length === 1 ? 'was' : 'were';
  return `; ${theirs.length} of ${counted(checks.length, 'check')} (${namesOf(theirs)}) ${were} made by the \`leakageChecker\` that was given, not by cvkit (the author's word)`;
}

/** Without a result there is nothing that checks could vouch for. */
function noResult(checks: readonly Assessed[], firstError?: string | null): Omit<Verdict, 'authorsWord'> {
  const found = checks.filter(({ status }) => !SILENT.includes(status));
  const open = checks.filter(isOpen).map(({ type }) => type);
  const why = firstError ? `: ${firstError}` : '';
  return { ...decided('failed', found, open), text: `FAILED: no fold gave a result${why}` };
}

function assessed(
  checks: readonly Assessed[],
  ofTheRun: readonly string[],
  unsure: readonly string[],
): Omit<Verdict, 'authorsWord'> {
  const open = checks.filter(isOpen);
  const types = open.map(({ type }) => type);
  const failed = checks.filter(({ status }) => status === 'failed');
  if (failed.length > 0) return decided('failed', failed, types);
  // A status that nobody knows asks for a look, too.
  const review = checks.filter((each) => !SILENT.includes(each.status) && each.acknowledged === undefined);
  if (ofTheRun.length > 0) {
    const also = review.length > 0 ? `; also ${namesOf(review)}` : '';
    const text = `NEEDS REVIEW: ${ofTheRun.join('; ')}${also}${notEvaluated(types)}`;
    return { ...decided('needs_review', review, types), text };
  }
  if (review.length > 0) return decided('needs_review', review, types);
  const nothing = { worst: null, concerns: null, open: types };
  if (checks.length > 0 && open.length === 0 && unsure.length === 0) {
    const beyond = checks.filter((each) => each.notDetectable);
    const but = beyond.length > 0 ? `; not detectable in data like these: ${namesOf(beyond)}` : '';
    const standing = checks.filter(({ acknowledged }) => acknowledged !== undefined);
    if (standing.length > 0) {
      const named = standing.map(
        ({ code, type, status, acknowledged }) =>
          `${nameText(code)} ${nameText(type)}, ${status.replaceAll('_', ' ')} (${acknowledged})`,
      );
      const text = `PASSED WITH ACKNOWLEDGEMENTS: on the author's word, ${named.join('; ')} may stand; every other check that applies was made and passed${but}`;
      return { ...nothing, status: 'passed_with_acknowledgements', text };
    }
    return {
      ...nothing,
      status: 'passed',
      text: `${checks.some(({ madeBy }) => madeBy) ? PASSED_THEIRS : PASSED}${but}`,
    };
  }
  const why = [
    ...(checks.length === 0 ? ['no check was made'] : []),
    ...(open.length > 0
      ? [`${open.length} of ${counted(checks.length, 'check')} not evaluated (${namesOf(open)})`]
      : []),
    ...unsure,
  ];
  const text = `NOT FULLY VERIFIED: ${why.join('; ')}`;
  return { ...nothing, status: 'not_fully_verified', text };
}

const isOpen = ({ status, notDetectable, acknowledged }: Assessed) =>
  status === 'not_evaluated' && !notDetectable && acknowledged === undefined;

const SILENT: readonly CheckResult['status'][] = ['passed', 'not_applicable', 'not_evaluated'];

/** The worst first: by severity, then by the share of the data; else in order of the codes. */
function decided(
  status: 'failed' | 'needs_review',
  found: readonly Assessed[],
  open: readonly string[],
): Omit<Verdict, 'authorsWord'> {
  const [worst, ...others] = [...found].sort(
    (a, b) => SEVERITIES.indexOf(b.severity) - SEVERITIES.indexOf(a.severity) || portion(b) - portion(a),
  );
  if (!worst) return { status, text: '', worst: null, concerns: null, open };
  const { code, type, severity, concerns = null } = worst;
  const how = worst.status === 'error' ? ' could not be completed' : severity === 'none' ? '' : ` (${severity})`;
  const much = concerns ? `, ${shareText(concerns)}` : '';
  const also = others.length > 0 ? `; also ${namesOf(others)}` : '';
  return {
    status,
    text: `${status.replace('_', ' ').toUpperCase()}: ${nameText(code)} ${nameText(type)}${how}${much}${also}${notEvaluated(open)}`,
    worst: { code, type, status: worst.status, severity },
    concerns,
    open,
  };
}

const portion = ({ concerns }: Assessed) => (concerns ? concerns.count / Math.max(1, concerns.of) : 0);
const shareText = ({ count, of, unit }: Share) => `${wholeNumber(count)} of ${counted(of, unit)}`;
const notEvaluated = (open: readonly string[]) =>
  open.length > 0 ? `; ${counted(open.length, 'check')} not evaluated` : '';

function namesOf(checks: readonly Assessed[]): string {
  const names = checks.slice(0, NAMED).map(({ type }) => nameText(type));
  return names.join(', ') + (checks.length > NAMED ? ` and ${checks.length - NAMED} more` : '');
}
