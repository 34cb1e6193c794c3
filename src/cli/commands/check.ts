/** `cvkit check`: the leakage checks on the folds of a table. Nothing is trained. */
import { DataLeakageChecker } from '../../checkers/dataLeakageChecker.js';
import { exitCodeOf } from '../exitCodes.js';
import { definedOf } from '../flags.js';
import { foldsOfFile, sidesOf, splitterFor } from '../folds.js';
import type { Work } from '../program.js';
import { reported } from '../reporters.js';
import { tableWithTarget } from '../table.js';

export const work: Work = async ([file], flags, terminal) => {
  await terminal.refuseExisting();
  const table = await tableWithTarget('check', file, flags);
  terminal.say(`${table.summary()}\n`);
  const { folds, seed = 42, independentRows, only } = flags;
  const report = await new DataLeakageChecker().check(table.X, table.y, {
    ...sidesOf(table),
    ...definedOf({ independentRows, only }),
    ...(table.repeatedIds ? { repeatedIds: table.repeatedIds } : {}),
    cv: typeof folds === 'string' ? await foldsOfFile(folds, table.groups) : splitterFor(table, flags),
    randomState: seed,
  });
  await terminal.result(reported(report, flags.reporter ?? 'text', { file, lineOf: table.lineOf }));
  return exitCodeOf(report.overallStatus, flags);
};
