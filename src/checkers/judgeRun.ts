/** Judges the folds of a run before any training: what the validator and the callback ask for when a run starts. */
import type { OptionsOf, OptionTable } from '../core/options.js';
import { rowsOf } from '../core/rows.js';
import type { RunContext } from '../runner/callback.js';
import type { CheckResult } from './check.js';
import { checkInput } from './checkInput.js';
import { type FoldJudge, judgeFolds } from './judgeFolds.js';
import type { judgeShape } from './judgeOptions.js';
import { LeakageReport } from './leakageReport.js';

/** What is declared of the folds, and what is wanted of the checks. */
interface Settings extends OptionsOf<OptionTable<typeof judgeShape>> {
  readonly leakage: boolean;
  readonly balance: boolean;
  readonly judge?: FoldJudge | undefined;
  readonly trainRows?: number;
}

/** Every check, and the report on those of leakage. */
export async function judgeRun(
  run: RunContext,
  { leakage, balance, judge, embeddings, design, spatialThreshold, revealIds, trainRows }: Settings,
): Promise<{ checks: readonly CheckResult[]; report: LeakageReport }> {
  const input = checkInput({
    ...run,
    design,
    spatialThreshold,
    revealIds,
    trainRows,
    ...(embeddings === undefined ? {} : { embeddings: rowsOf(embeddings, 'embeddings') }),
  });
  const checks = await judgeFolds(input, { leakage, balance, judge });
  const report = new LeakageReport(
    checks.filter(({ kind }) => kind !== 'balance'),
    input,
  );
  return { checks, report };
}
