/** `cvkit check`: the leakage checks on the folds of a table. Nothing is trained. */
import { DataLeakageChecker } from '../../checkers/dataLeakageChecker.js';
import type { Splitter } from '../../splitters/splitter.js';
import { exitCodeOf } from '../exitCodes.js';
import { definedOf, type Flags, filesRead } from '../flags.js';
import { foldsFor, sidesOfTable } from '../folds.js';
import type { Work } from '../program.js';
import { type OutcomeTable, tableWithTarget } from '../table.js';
import { inFlags } from '../words.js';

export const checkCommand: Work = async ([file], flags, output) => {
  await output.checkPlaces(filesRead([file], flags));
  const table = await tableWithTarget('check', file, flags);
  output.say(`${inFlags(table.summary())}\n`);
  const cv = await foldsFor('check', table, flags);
  const report = await leakageReportOf(table, cv, flags);
  await output.report(report, { file, lineOf: table.lineOf });
  return exitCodeOf(report.verdict, flags);
};

/** The report of the checks on the folds that `cv` makes. */
export const leakageReportOf = (
  table: OutcomeTable,
  cv: Splitter,
  { seed, independentRows, preparedInside, acknowledge, notApplicable, only, task }: Flags,
) =>
  new DataLeakageChecker().check(table.X, table.y, {
    ...sidesOfTable(table),
    ...definedOf({
      repeatedIds: table.repeatedIds,
      randomState: seed,
      independentRows,
      preparedInside,
      acknowledged: acknowledge,
      notApplicable,
      only,
      task,
    }),
    cv,
  });
