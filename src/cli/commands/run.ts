/** `cvkit run`: a table with a model, or a study module, cross-validated. */
import { InvalidOptionError, phrase, sentence } from '../../core/errors.js';
import { DryRun } from '../../runner/dryRun.js';
import { ValidationResult } from '../../validator/validationResult.js';
import { exitCodeOf, INTERRUPTED } from '../exitCodes.js';
import { definedOf, type Flags, filesRead } from '../flags.js';
import { foldsNamed } from '../folds.js';
import type { CommandOutput } from '../output.js';
import type { Work } from '../program.js';
import { type Place, reported } from '../reporters.js';
import { tuneTable } from '../search.js';
import { studyOfModule, studyOfTable, validateStudy, type WholeStudy } from '../study.js';
import { tableWithTarget } from '../table.js';
import { inFlags, isModule } from '../words.js';

export const runCommand: Work = async ([file], flags, output) => {
  await output.checkPlaces(filesRead([file], flags), flags.save);
  refuseIdle(file, flags);
  const { table, study, place } = isModule(file)
    ? { table: undefined, study: await studyOfModule(file, flags), place: { file } }
    : await tableStudy(file, flags, output);
  if (!(await output.confirm('Go on and train?'))) {
    output.say('Nothing was trained.');
    return INTERRUPTED;
  }
  if (table && flags.tune !== undefined)
    return tuneTable(file, table, study as WholeStudy, { ...flags, tune: flags.tune }, output);
  return showStudy(study, place, flags, output);
};

/** Options that would have no effect. */
function refuseIdle(file: string, flags: Flags): void {
  const refuse = (name: string, must: string, got = 'nothing of the kind') => {
    throw new InvalidOptionError(sentence(`--${name} of \`cvkit run\``, must, phrase(got)), {
      code: 'idle_option',
    });
  };
  if (flags.shard && !flags.directory) refuse('shard', 'come with --directory, which keeps the part');
  if (flags.folds && isModule(file)) refuse('folds', 'come with a table: a study has its own `cv`');
  if (flags.tune && isModule(file)) refuse('tune', 'come with a table: a study has its own search');
  if (flags.tune && flags.report) refuse('report', 'come without --tune, whose results have no page');
  if (flags.save && flags.model === 'random-forest') {
    refuse('save', 'come with a model that can be saved: logistic, network, or one with `toJSON`', flags.model);
  }
  if (flags.gives && !flags.model?.endsWith('.onnx')) refuse('gives', 'come with --model FILE.onnx');
}

async function tableStudy(file: string, flags: Flags, output: CommandOutput) {
  const table = await tableWithTarget('run', file, flags);
  output.say(`${inFlags(table.summary())}\n`);
  const cv = await foldsNamed('run', flags, table.groups);
  const study = { ...(await studyOfTable(file, table, flags)), ...definedOf({ cv }) };
  return { table, study, place: { file, lineOf: table.lineOf } };
}

/** Runs a study, and gives its result to whoever asked. Returns the exit code. */
export async function showStudy(
  study: WholeStudy | ValidationResult,
  place: Place,
  flags: Flags,
  output: CommandOutput,
) {
  const { quiet, signal } = output;
  const result =
    study instanceof ValidationResult
      ? study
      : await validateStudy({ ...study, signal, ...(quiet ? { verbose: 0 } : {}) });
  return result instanceof DryRun
    ? showFound(result, place.file, flags, output)
    : showResult(result, place, flags, output);
}

/** @param more of the result, as text */
export async function showResult(
  result: ValidationResult,
  place: Place,
  flags: Flags,
  output: CommandOutput,
  more = '',
): Promise<number> {
  const { report, save, reporter = 'text' } = flags;
  await output.result(reported(result, place, flags) + (reporter === 'text' ? more : ''));
  if (reporter === 'github' || reporter === 'junit' || reporter === 'sarif') output.say(result.summary());
  if (report !== undefined) {
    await result.writeReport(report);
    output.say(`Report: ${report}`);
  }
  if (save !== undefined) {
    await result.refitted?.save(save, { overwrite: flags.force === true });
    output.say(`Model of all rows: ${save}. Predict new rows: cvkit predict ${save} new.csv`);
  }
  return exitCodeOf(result.verdict, flags);
}

/** A validation with its report; what has no checks (a dry run, the scores of `run` and of a search) as text or JSON. */
export async function showFound(found: { summary(): string }, file: string, flags: Flags, output: CommandOutput) {
  if (found instanceof ValidationResult) return showResult(found, { file }, flags, output);
  await output.result(flags.reporter === 'json' ? JSON.stringify(found, null, 1) : found.summary());
  return 0;
}
