/** `--tune`: a search within the training rows of each fold, after the checks of these folds. */
import type { TableData } from '../node/table/readTable.js';
import { DryRun } from '../runner/dryRun.js';
import { UniversalCVRunner } from '../runner/universalCVRunner.js';
import { checked } from './commands/check.js';
import { exitCodeOf } from './exitCodes.js';
import { definedOf, type Flags } from './flags.js';
import { sidesOf, splitterFor } from './folds.js';
import { reported } from './reporters.js';
import { gridOf, type Study } from './study.js';
import type { Terminal } from './terminal.js';
import { inFlags } from './words.js';

/** Options that are about the folds and the verdict, which the search gets as its splitter or not at all. */
const NOT_OF_SEARCH = ['method', 'cv', 'independentRows', 'model', 'X', 'y', 'data', 'repeatedIds', 'sha256'];

export async function search(
  file: string,
  table: TableData,
  study: Study,
  flags: Flags & { readonly tune: string },
  terminal: Terminal,
): Promise<number> {
  const { seed = 42, save, tune, force = false } = flags;
  const cvSplitter = splitterFor(table, flags);
  const checks = await checked(table, cvSplitter, flags);
  const rest = Object.entries(study).filter(([name]) => !NOT_OF_SEARCH.includes(name) && !(name in sidesOf(table)));
  const runner = new UniversalCVRunner({ cvSplitter, randomState: seed, ...(terminal.quiet ? { verbose: 0 } : {}) });
  const results = await runner.runWithHyperparameterTuning({
    ...Object.fromEntries(rest),
    modelFn: study.model,
    paramGrid: await gridOf(tune),
    data: study.data ?? definedOf({ X: table.X, y: table.y, sampleWeight: table.sampleWeight, ...sidesOf(table) }),
    signal: terminal.signal,
  } as never);
  const found = results as { summary(): string; toJSON(): unknown; refitted: { save: SaveModel } | null };
  if (results instanceof DryRun) {
    await terminal.result(found.summary());
    return 0;
  }
  const { reporter = 'text' } = flags;
  const ofChecks = reported(checks, { file, lineOf: table.lineOf }, flags);
  const text = inFlags(found.summary());
  if (reporter === 'json') await terminal.result(JSON.stringify({ checks, results: found }, null, 1));
  else await terminal.result(reporter === 'text' ? `${ofChecks}\n\n${text}` : ofChecks);
  if (reporter !== 'text') terminal.say(text);
  if (save !== undefined) await found.refitted?.save(save, { overwrite: force });
  return exitCodeOf(checks.overallStatus, flags);
}

type SaveModel = (place: string, options: { readonly overwrite: boolean }) => Promise<void>;
