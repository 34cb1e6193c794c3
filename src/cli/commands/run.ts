/** `cvkit run`: a table with a model, or a study module, cross-validated. */
import { InvalidOptionError, phrase, sentence } from '../../core/errors.js';
import { DryRun } from '../../runner/dryRun.js';
import { ValidationResult } from '../../validator/validationResult.js';
import { exitCodeOf, INTERRUPTED } from '../exitCodes.js';
import { definedOf, type Flags, filesRead } from '../flags.js';
import { foldsNamed } from '../folds.js';
import type { CommandOutput } from '../output.js';
import { flagOf, TABLE_NAMES, TRAINING_NAMES, type Work } from '../program.js';
import type { Place } from '../reporters.js';
import { tuneTable } from '../search.js';
import { isOnnx, studyOfModule, studyOfTable, validateStudy, type WholeStudy } from '../study.js';
import { tableWithTarget } from '../table.js';
import { inFlags, isModule } from '../words.js';

export const runCommand: Work = async ([file], flags, output) => {
  await output.checkPlaces(filesRead([file], flags), flags.save);
  refuseIdle(file, flags);
  const { table, study, place } = isModule(file)
    ? { table: undefined, study: await studyOfModule(file, flags), place: { file } }
    : await tableStudy(file, flags, output);
  if (!flags.dryRun && !(await output.confirm('Go on and train?'))) {
    output.say('Nothing was trained.');
    return INTERRUPTED;
  }
  if (table && flags.tune !== undefined)
    return tuneTable(file, table, study as WholeStudy, { ...flags, tune: flags.tune }, output);
  return showStudy(study, place, flags, output);
};

/** Of a study they are in its module. */
const OF_TABLE = [...TABLE_NAMES, 'model', 'gives', 'tune', 'folds', 'design'];

/** Options that would have no effect. */
function refuseIdle(file: string, flags: Flags): void {
  const refuse = (name: string, must: string, got = 'nothing of the kind') => {
    throw new InvalidOptionError(sentence(`--${name} of \`cvkit run\``, must, phrase(got)), {
      code: 'idle_option',
    });
  };
  if (flags.shard && !flags.directory) refuse('shard', 'come with --directory, which keeps the part');
  const ofTable = isModule(file) ? OF_TABLE.find((name) => flags[name] !== undefined) : undefined;
  if (ofTable) refuse(flagOf(ofTable), 'come with a table: a study names what it trains on, and how', 'a study');
  for (const name of ['report', 'save'] as const) {
    if (flags.dryRun && flags[name]) refuse(name, 'come without --dry-run, which trains nothing', 'both');
  }
  for (const name of ['ciFits', 'shard'] as const) {
    if (flags.tune && flags[name]) refuse(flagOf(name), 'come without --tune', 'both');
  }
  if (flags.tune && flags.report) refuse('report', 'come without --tune, whose results have no page');
  if (flags.save && flags.model === 'random-forest') {
    refuse('save', 'come with a model that can be saved: logistic, network, or one with `toJSON`', flags.model);
  }
  if (flags.gives && !isOnnx(flags.model)) refuse('gives', 'come with --model FILE.onnx');
}

async function tableStudy(file: string, flags: Flags, output: CommandOutput) {
  const table = await tableWithTarget('run', file, flags);
  output.say(`${inFlags(table.summary())}\n`);
  const cv = await foldsNamed('run', table, flags);
  const study = await studyOfTable(file, table, cv ? { ...flags, method: undefined } : flags);
  return { table, study: { ...study, ...definedOf({ cv }) }, place: { file, lineOf: table.lineOf } };
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
      ? finished(study, flags)
      : await validateStudy({ ...study, signal, ...(quiet ? { verbose: 0 } : {}) });
  return result instanceof DryRun
    ? showFound(result, place.file, flags, output)
    : showResult(result, place, flags, output);
}

/** Options that say how to train come too late. */
function finished(result: ValidationResult, flags: Flags): ValidationResult {
  const late = [...TRAINING_NAMES, 'save'].find((name) => flags[name] !== undefined);
  if (late === undefined) return result;
  const must = 'come with a study that exports what is to be trained';
  throw new InvalidOptionError(sentence(`--${flagOf(late)}`, must, phrase('one that gives a finished result')), {
    code: 'idle_option',
  });
}

/** @param more of the result, as text */
export async function showResult(
  result: ValidationResult,
  place: Place,
  flags: Flags,
  output: CommandOutput,
  more = '',
): Promise<number> {
  const { report, save } = flags;
  const { refitted } = result;
  await output.report(result, place, more);
  if (report !== undefined) {
    await result.writeReport(report);
    output.say(`Report: ${report}`);
  }
  if (save !== undefined) {
    if (!refitted) throw new InvalidOptionError(sentence('--save', 'have a model of all rows', phrase('none')));
    await refitted.save(save, { overwrite: flags.force === true });
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
