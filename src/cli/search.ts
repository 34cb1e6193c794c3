/** `--tune`: a search within the training rows of each fold, after the checks of these folds. */

import { DryRun } from '../runner/dryRun.js';
import { UniversalCVRunner } from '../runner/universalCVRunner.js';
import { leakageReportOf } from './commands/check.js';
import { exitCodeOf } from './exitCodes.js';
import { definedOf, type Flags } from './flags.js';
import { foldsFor, seedFlag, sidesOfTable } from './folds.js';
import type { CommandOutput } from './output.js';
import { reported } from './reporters.js';
import { gridOf, type WholeStudy } from './study.js';
import type { OutcomeTable } from './table.js';
import { inFlags } from './words.js';

/** Options that are about the folds and the verdict, which the search gets as its splitter or not at all. */
const NOT_OF_SEARCH = [
  ...['method', 'cv', 'independentRows', 'preparedInside', 'acknowledged', 'notApplicable'],
  ...['model', 'X', 'y', 'data', 'repeatedIds', 'sha256', 'warnings'],
];

export async function tuneTable(
  file: string,
  table: OutcomeTable,
  study: WholeStudy,
  flags: Flags & { readonly tune: string },
  output: CommandOutput,
): Promise<number> {
  const { save, tune, force = false } = flags;
  const { X, y, sampleWeight, warnings } = table;
  const cvSplitter = await foldsFor('run', table, flags);
  const checks = await leakageReportOf(table, cvSplitter, flags);
  const rest = Object.entries(study).filter(
    ([name]) => !NOT_OF_SEARCH.includes(name) && !(name in sidesOfTable(table)),
  );
  const runner = new UniversalCVRunner({
    cvSplitter,
    randomState: seedFlag(flags),
    ...(output.quiet ? { verbose: 0 } : {}),
  });
  const results = await runner.runWithHyperparameterTuning({
    ...Object.fromEntries(rest),
    modelFn: study.model,
    paramGrid: await gridOf(tune),
    data: study.data ?? definedOf({ X, y, sampleWeight, warnings, ...sidesOfTable(table) }),
    signal: output.signal,
  } as never);
  const found = results as { summary(): string; toJSON(): unknown; refitted: { save: SaveModel } };
  if (results instanceof DryRun) {
    await output.result(found.summary());
    return 0;
  }
  const { reporter = 'text' } = flags;
  const ofChecks = reported(checks, { file, lineOf: table.lineOf }, flags);
  const text = inFlags(found.summary());
  if (reporter === 'json') await output.result(JSON.stringify({ checks, results: found }, null, 1));
  else await output.result(reporter === 'text' ? `${ofChecks}\n\n${text}` : ofChecks);
  if (reporter !== 'text') output.say(text);
  if (save !== undefined) await found.refitted.save(save, { overwrite: force });
  return exitCodeOf(checks.verdict, flags);
}

type SaveModel = (place: string, options: { readonly overwrite: boolean }) => Promise<void>;
