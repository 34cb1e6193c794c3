/** Assesses the folds of a run before any training: what the validator and the callback ask for when a run starts. */
import type { OptionsOf, OptionTable } from '../core/options.js';
import type { RunContext } from '../runner/callback.js';
import { assessFolds, type FoldChecker } from './assessFolds.js';
import { balanceOf, type CvBalance } from './CVB001-class-balance/balanceOf.js';
import { balanceCheckerOptions } from './CVB001-class-balance/balanceOptions.js';
import type { CheckResult } from './check.js';
import { checkInput, embeddingsOf } from './checkInput.js';
import { checkDeclared, type checkShape, rejectUnusedThreshold } from './checkOptions.js';
import { LeakageReport } from './leakageReport.js';
import { acknowledgedIn } from './raiseOn.js';
import { withoutZeroWeight } from './withoutZeroWeight.js';

const THRESHOLD = balanceCheckerOptions.shape.threshold.defaultValue as number;

/** What is declared of the folds, and what is wanted of the checks. */
interface Settings extends OptionsOf<OptionTable<typeof checkShape>> {
  /** Who was asked, for messages. */
  readonly owner: string;
  readonly leakage: boolean;
  readonly balance: boolean;
  readonly checker?: FoldChecker | undefined;
  readonly trainRows?: number;
  /** Names of what the predictions are scored by. */
  readonly scores?: readonly string[];
  /** Weight of each row: rows of weight 0 are on neither side of a fold. */
  readonly weight?: ArrayLike<number> | undefined;
}

/** What was found on the folds of a run. */
export interface AssessedRun {
  readonly checks: readonly CheckResult[];
  /** What the leakage checks found. */
  readonly report: LeakageReport;
  /** Null where balance is not wanted. */
  readonly balance: CvBalance | null;
}

/** Every check, the report on those of leakage, and the classes over the folds. */
export async function assessRun(
  run: RunContext,
  { owner, leakage, balance, checker, embeddings, trainRows, weight, scores, ...told }: Settings,
): Promise<AssessedRun> {
  const { design, spatialThreshold, revealIds, notApplicable, independentRows, preparedInside, acknowledged } = told;
  rejectUnusedThreshold(owner, { spatialThreshold, data: run.data });
  const input = checkInput({
    ...run,
    weight,
    design,
    spatialThreshold,
    revealIds,
    notApplicable,
    independentRows,
    preparedInside,
    acknowledged,
    trainRows,
    scores,
    embeddings: embeddingsOf(embeddings, run.folds.n) ?? run.embeddings,
  });
  checkDeclared(owner, input);
  const made = await assessFolds(input, { leakage, balance, checker });
  const { results: checks, unused } = acknowledgedIn(owner, acknowledged, made);
  for (const sentence of unused) run.warn(sentence);
  const report = new LeakageReport(
    checks.filter(({ kind }) => kind !== 'balance'),
    input,
  );
  // Turned off, or left out by a checker of the caller's, the test is made here.
  const tested = leakage && !checker ? checks.find(({ type }) => type === 'label_distribution') : undefined;
  return {
    checks,
    report,
    balance: balance ? await balanceOf(withoutZeroWeight(input) ?? input, THRESHOLD, tested) : null,
  };
}

/** Warns of what needs a look, with what to do. */
export function warnAboutFindings(checks: readonly CheckResult[], { warn }: Pick<RunContext, 'warn'>): void {
  for (const { code, type, status, message, fix, acknowledged } of checks) {
    if (acknowledged === undefined && ['failed', 'needs_review', 'error'].includes(status))
      warn(`${code} ${type}: ${message} ${fix}`);
  }
}
