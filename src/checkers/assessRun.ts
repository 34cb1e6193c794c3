/** Assesses the folds of a run before any training: what the validator and the callback ask for when a run starts. */
import { InvalidDataError, messageOf, sentence } from '../core/errors.js';
import type { OptionsOf, OptionTable } from '../core/options.js';
import type { RunContext } from '../runner/callback.js';
import { allBalanceChecks, allLeakageChecks } from './builtInChecks.js';
import { balanceOf, type CvBalance } from './CVB001-class-balance/balanceOf.js';
import { balanceCheckerOptions } from './CVB001-class-balance/balanceOptions.js';
import {
  type Check,
  type CheckFacts,
  type CheckResult,
  crashed,
  notEvaluated,
  RESULT_FIELDS,
  refuseBadResult,
  runChecks,
  withMaker,
} from './check.js';
import { checkDeclared } from './checkDeclared.js';
import { type CheckInput, type CheckParts, checkInput, embeddingsOf } from './checkInput.js';
import type { checkShape } from './checkOptions.js';
import { LeakageReport } from './leakageReport.js';
import { acknowledgedIn } from './raiseOn.js';
import { withoutZeroWeight } from './withoutZeroWeight.js';

const THRESHOLD = balanceCheckerOptions.shape.threshold.defaultValue as number;

const OWN_CHECKER: CheckFacts = { code: 'CVL000', type: 'leakage_checker', kind: 'leakage' };

/** Assesses the folds of a run: stands in for the built-in leakage checks. */
export interface FoldChecker {
  assess(input: CheckInput): Promise<readonly CheckResult[]> | readonly CheckResult[];
}

interface Settings extends OptionsOf<OptionTable<typeof checkShape>> {
  readonly owner: string;
  readonly leakage: boolean;
  readonly balance: boolean;
  readonly checker?: FoldChecker | undefined;
  readonly trainRows?: number;
  readonly unnamed?: CheckParts['unnamed'];
  readonly scores?: readonly string[];
  /** Weight of each row: rows of weight 0 are on neither side of a fold. */
  readonly weight?: ArrayLike<number> | undefined;
}

export interface AssessedRun {
  readonly checks: readonly CheckResult[];
  readonly report: LeakageReport;
  readonly balance: CvBalance | null;
  /** The columns of the rows, read once. */
  readonly features: CheckInput['features'];
}

/**
 * Results are in order of their codes, registered checks last. A `checker` of the caller's stands in for those of
 * leakage.
 */
export async function assessRun(
  run: RunContext,
  { owner, leakage, balance, checker, embeddings, trainRows, unnamed, weight, scores, ...settings }: Settings,
): Promise<AssessedRun> {
  const { design, spatialThreshold, revealIds, notApplicable, independentRows, preparedInside, acknowledged } =
    settings;
  const vectors = embeddingsOf(embeddings, run.folds.n) ?? run.embeddings;
  const declared = { design, spatialThreshold, notApplicable, independentRows, preparedInside, acknowledged };
  const input = checkInput({ ...run, ...declared, revealIds, weight, trainRows, unnamed, scores, embeddings: vectors });
  checkDeclared(owner, input);
  const counting = withoutZeroWeight(input) ?? input;
  const planned = [
    ...(leakage ? (checker ? [OWN_CHECKER] : allLeakageChecks()) : []),
    ...(balance ? allBalanceChecks() : []),
  ];
  const starts = (check: CheckFacts) =>
    run.checkStarts?.({ code: check.code, type: check.type, done: planned.indexOf(check), nChecks: planned.length });
  if (leakage && checker) await starts(OWN_CHECKER);
  const results = [
    ...(leakage
      ? await (checker ? assessedBy(checker, input) : runChecks(allLeakageChecks(), counting, starts))
      : turnedOff(allLeakageChecks(), 'checkLeakage')),
    ...(balance
      ? await runChecks(allBalanceChecks(), counting, starts)
      : turnedOff(allBalanceChecks(), 'checkBalance')),
  ];
  const { results: checks, unused } = acknowledgedIn(owner, acknowledged, results);
  for (const sentence of unused) run.warn(sentence);
  const ofLeakage = checks.filter(({ kind }) => kind !== 'balance');
  // Turned off, or left out by a checker of the caller's, the test is made here.
  const tested = leakage && !checker ? checks.find(({ type }) => type === 'label_distribution') : undefined;
  return {
    checks,
    report: new LeakageReport(ofLeakage, input),
    balance: balance ? await balanceOf(counting, THRESHOLD, tested) : null,
    features: input.features,
  };
}

export const turnedOff = (checks: readonly Check[], option: string) =>
  checks.map((check) => notEvaluated(check, `Turned off by \`${option}: false\`.`, `Leave out \`${option}: false\`.`));

/**
 * What the caller's checker says, or throws, marked as its own (`madeBy`); kinds that it leaves out are
 * `not_evaluated`.
 */
async function assessedBy(checker: FoldChecker, input: CheckInput): Promise<readonly CheckResult[]> {
  let theirs: readonly CheckResult[];
  try {
    const results: unknown = await checker.assess(input);
    if (!Array.isArray(results)) {
      throw new InvalidDataError(sentence('Its `assess`', 'give a list of results', results));
    }
    for (const result of results) refuseBadResult(result, RESULT_FIELDS);
    theirs = withMaker(results);
  } catch (error) {
    const message = `The \`leakageChecker\` that was given could not assess the folds: ${messageOf(error)}`;
    const fix = 'Mend the `assess` of your `leakageChecker`, or leave it out for the built-in checks.';
    theirs = [{ ...crashed(OWN_CHECKER, error), message, fix }];
  }
  const others = allLeakageChecks().filter(({ type }) => !theirs.some((result) => result.type === type));
  const reason = 'Left to the `leakageChecker`, which did not make it.';
  const fix = 'Leave out `leakageChecker`, or let it make this check.';
  return [...theirs, ...others.map((check) => notEvaluated(check, reason, fix))];
}

export function warnAboutFindings(checks: readonly CheckResult[], { warn }: Pick<RunContext, 'warn'>): void {
  for (const { code, type, status, message, fix, acknowledged } of checks) {
    if (acknowledged === undefined && ['failed', 'needs_review', 'error'].includes(status))
      warn(`${code} ${type}: ${message} ${fix}`);
  }
}
