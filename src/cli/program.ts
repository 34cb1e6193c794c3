/** The commands with their options: what `--help` prints and completions offer. Nothing of cvkit is imported here but its version. */
import { Argument, Command, InvalidArgumentError, Option } from 'commander';
import { plainText } from '../core/foreignText.js';
import { VERSION } from '../core/version.js';
import type { Flags } from './flags.js';
import type { CommandOutput } from './output.js';

/** What a command does: its result goes to `output`, its exit code is returned. */
export type Work = (args: readonly string[], flags: Flags, output: CommandOutput) => Promise<number>;

/** Loaded when the command is called, so that `--help` stays fast. */
const WORK: Readonly<Record<string, () => Promise<Work>>> = {
  run: async () => (await import('./commands/run.js')).runCommand,
  check: async () => (await import('./commands/check.js')).checkCommand,
  evaluate: async () => (await import('./commands/evaluate.js')).evaluateCommand,
  predict: async () => (await import('./commands/predict.js')).predictCommand,
  split: async () => (await import('./commands/split.js')).splitCommand,
  recommend: async () => (await import('./commands/recommend.js')).recommendCommand,
  compare: async () => (await import('./commands/compare.js')).compareCommand,
  report: async () => (await import('./commands/report.js')).reportCommand,
  status: async () => (await import('./commands/status.js')).statusCommand,
  verify: async () => (await import('./commands/verify.js')).verifyCommand,
  merge: async () => (await import('./commands/merge.js')).mergeCommand,
  clean: async () => (await import('./commands/clean.js')).cleanCommand,
  submit: async () => (await import('./commands/submit.js')).submitCommand,
  worker: async () => (await import('./commands/worker.js')).workerCommand,
  explain: async () => (await import('./commands/explain.js')).explainCommand,
  init: async () => (await import('./commands/init.js')).initCommand,
  mcp: async () => (await import('./commands/mcp.js')).mcpCommand,
};

const whole =
  (min: number, max = 2 ** 31 - 1) =>
  (text: string): number => {
    const number = Number(text);
    if (/^-?\d+$/.test(text) && number >= min && number <= max) return number;
    throw new InvalidArgumentError(
      `It must be a whole number ${number > max ? `from ${min} to ${max}` : `>= ${min}`}.`,
    );
  };
const share = (text: string): number => {
  const number = Number(text);
  if (text.trim() !== '' && number > 0 && number < 1) return number;
  throw new InvalidArgumentError('It must be a number between 0 and 1.');
};
const list = (text: string): string[] => {
  const found = text.split(',').map((each) => each.trim());
  if (found.every((each) => each !== '')) return found;
  throw new InvalidArgumentError('It must be names with commas between them, a,b,c.');
};
/** A blank is a column without a name. */
const blanks = (text: string): string[] => text.split(',').map((each) => each.trim());
const pairs = (text: string): Record<string, string> => {
  const found = list(text).map((each) => each.split('='));
  if (found.every((each) => each.length === 2 && each.every(Boolean))) return Object.fromEntries(found);
  throw new InvalidArgumentError('It must be name=value with commas between them, a=x,b=y.');
};
const reason = (text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> => {
  const [, code, why] = /^\s*(\w+)\s*=\s*(\S.*)$/s.exec(text) ?? [];
  if (code !== undefined) return { ...before, [code]: why };
  throw new InvalidArgumentError('It must be CODE=reason, such as "CVL009=known at admission, too".');
};
const numbers = (text: string): number[] => {
  const found = list(text).map(Number);
  if (found.every(Number.isFinite)) return found;
  throw new InvalidArgumentError('It must be numbers, such as 365,730.');
};
const names = (text: string): string[] => {
  const found = list(text);
  if (found.length === 2) return found;
  throw new InvalidArgumentError('It must be two columns, x,y or latitude,longitude.');
};
const shard = (text: string): string => {
  const [, part, parts] = /^([1-9]\d{0,4})\/([1-9]\d{0,4})$/.exec(text) ?? [];
  if (parts !== undefined && Number(part) <= Number(parts)) return text;
  throw new InvalidArgumentError('It must be i/n, such as 2/5 for the second of five parts.');
};
const several = (text: string, before: readonly string[] = []): string[] => [...before, text];

type Parse<T> = (text: string, before: T) => T;
const option = <T>(flags: string, text: string, parse?: Parse<T>) => {
  const found = new Option(flags, text);
  return parse ? found.argParser(parse) : found;
};
const choice = (flags: string, text: string, names: readonly string[], standard?: string) => {
  const found = new Option(flags, text).choices(names);
  return standard === undefined ? found : found.default(standard);
};

const COLUMNS = [
  option('--target <column>', 'the outcome'),
  option('--time <column>', 'follow-up, of outcomes by time; with --event'),
  option('--event <column>', 'what happened then: 0 censored, 1 the event, 2, ... others'),
  option('--groups <column>', 'patient ids'),
  option('--timestamps <column>', 'time of each row, for the design'),
  option('--sites <column>', 'site of each row'),
  option('--coordinates <columns>', 'place of each row, x,y or latitude,longitude', names),
  option('--weights <column>', 'weight of each row'),
  option('--columns <names>', 'features, a,b,c; default: all numbers, categories and booleans', list),
  option('--drop <names>', "columns that are no features, a,b,c; '' is those without a name", blanks),
  option('--types <pairs>', 'what columns are: stage=categorical,age=numeric', pairs),
  option('--positive-label <label>', 'the positive class'),
  choice('--task <task>', 'where the outcome does not say it', ['classification', 'regression']),
  option('--independent-rows', 'each row is a patient of its own, in your word'),
  option('--prepared-inside', 'nothing was learnt from all rows before, in your word'),
];
const acknowledge = option('--acknowledge <code=reason>', 'a finding that may stand, and why; may be repeated', reason);
const notApplicable = option(
  '--not-applicable <checks>',
  'checks whose question does not arise, in your word, a,b,c',
  list,
);
const folds = option('--folds <file>', 'JSON of folds: of cvkit, scikit-learn or nnU-Net');
const OF_NEW_ROWS = COLUMNS.filter((each) =>
  ['target', 'groups', 'weights', 'columns', 'drop', 'types'].includes(each.attributeName()),
);
const FILE = [
  choice('--missing-target <what>', 'rows without an outcome', ['refuse', 'drop']),
  option('--missing <marks>', 'further texts that mean missing, a,b,c', list),
  choice('--detection-limit <what>', 'what <0.5 and >100 become', ['limit', 'half', 'missing']),
  choice('--delimiter <name>', 'between cells of a CSV file', ['comma', 'semicolon', 'tab', 'pipe', 'blank']),
  choice('--decimal <mark>', 'decimal mark of a CSV file', ['.', ',']),
  choice('--encoding <name>', 'of a text file', ['utf-8', 'windows-1252', 'utf-16le']),
  choice('--date-format <format>', 'order of day and month', ['yyyy-mm-dd', 'dd.mm.yyyy', 'dd/mm/yyyy', 'mm/dd/yyyy']),
  choice('--format <format>', 'of the file', ['csv', 'jsonl', 'parquet', 'npy', 'xlsx']),
  option('--skip <n>', 'lines before the header', whole(0)),
  option('--sheet <name>', 'sheet of an .xlsx file'),
];
const forWhat = choice('--design <what>', 'what the model is for', ['iid', 'grouped', 'prospective', 'deployment']);
const DESIGN = [
  option('--method <name>', 'how folds are made: stratified_kfold, patient_grouped_kfold, temporal, recommended, ...'),
  forWhat,
  option('--cv <n>', 'number of folds (5)', whole(2)),
  option('--seed <n>', 'seed of folds and training (42)', whole(0, 4294967295)),
];
const RESULT = [
  option('--output-file <file>', 'the result goes there instead of to stdout'),
  option('--force', 'replaces files that exist'),
];
const CODES = [
  option('--strict', 'exit code 1 also where a check asks for a look'),
  option('--exit-zero', 'exit code 0 whatever was found'),
];
const SHOWN = [
  option('--quiet', 'only the result and errors'),
  option('--no-color', 'no colours (also the variable NO_COLOR)'),
  option('--debug', 'errors with their stack'),
];
const GIVES_FILES = [option('--report <file>', 'also a report: .html, .md or .json'), ...RESULT];
const details = option('--details', 'also what passed and why, every note, and the folds');
const reporter = (...names: string[]) => choice('--reporter <name>', 'form of the result', names, 'text');
const REPORTERS = ['text', 'json', 'github', 'sarif', 'junit'];
const TRAINING = [
  option(
    '--model <model>',
    'logistic, cox, random-forest, network, a module (.mjs) or an .onnx file (logistic; cox with --time)',
  ),
  option('--gives <what>', 'of an .onnx file: probabilities, logits, ...'),
  option('--epochs <n>', 'passes over the rows, of a network', whole(1)),
  option('--metrics <names>', 'scores, a,b,c', list),
  option('--times <numbers>', 'times of the scores, of outcomes by time, a,b,c', numbers),
  option('--cause <n>', 'the event of interest, of several (1)', whole(1)),
  choice('--aggregate <how>', 'also scores patients, by their mean or largest prediction', ['mean', 'max']),
  option('--ci-fits <n>', 'pairs of models for the intervals, each trained on half of the patients (auto)', whole(1)),
];
const tune = option('--tune <file>', 'JSON with a list of values for each parameter: searched inside each fold');
const RUNNING = [
  option('--directory <folder>', 'keeps each fold as it ends: the same command goes on after a break'),
  option('--jobs <n>', 'folds at once', whole(-1)),
  option('--shard <i/n>', 'a part of the folds, into --directory', shard),
  option('--dry-run', 'trains nothing: says folds, fits, time and disk'),
];

const COMMANDS: readonly {
  readonly name: string;
  readonly text: string;
  readonly args?: readonly Argument[];
  readonly options: readonly Option[];
  readonly group: string;
  readonly more?: string;
}[] = [
  {
    ...{ name: 'run', group: 'Validate:', text: 'cross-validate a model on a table, or run a study module' },
    args: [new Argument('<file>', 'a table (.csv, .tsv, .jsonl, .parquet, .xlsx, .npy), or a study (.mjs)')],
    options: [
      ...[...COLUMNS, acknowledge, notApplicable, ...TRAINING, tune, ...DESIGN, folds, ...RUNNING, ...FILE],
      ...[reporter(...REPORTERS), details, ...GIVES_FILES, ...CODES],
      option('--save <folder>', 'trains one more model on all rows, for `cvkit predict`'),
      option('-y, --yes', 'does not ask before it trains'),
    ],
    more: `
Examples:
  cvkit run heart.csv --target died --groups patient
  cvkit run heart.csv --target died --groups patient --model random-forest --report heart.html
  cvkit run heart.csv --target died --directory runs/heart --jobs 4
  cvkit run study.mjs`,
  },
  {
    ...{ name: 'check', group: 'Validate:', text: 'check folds and data for leakage; nothing is trained' },
    args: [new Argument('<file>', 'a table')],
    options: [
      ...[...COLUMNS, acknowledge, notApplicable, ...DESIGN, folds],
      ...[option('--only <checks>', 'codes or types of checks, a,b,c', list), ...FILE, reporter(...REPORTERS), details],
      ...[...RESULT, ...CODES],
    ],
    more: `
Examples:
  cvkit check visits.csv --target died --groups patient
  cvkit check visits.csv --target died --groups patient --folds folds.json --reporter sarif --output-file leakage.sarif`,
  },
  {
    ...{ name: 'evaluate', group: 'Validate:', text: 'score predictions that you have already' },
    args: [new Argument('<file>', 'a table with a column of outcomes and one of predictions')],
    options: [
      option('--target <column>', 'the outcome').default('y'),
      option('--probability <columns>', 'P(positive), or a column for each of --classes (p)', list),
      option('--prediction <column>', 'predicted class or number, in the place of probabilities'),
      option('--classes <names>', 'the classes, in the order of their columns', list),
      option('--groups <column>', 'patient ids (patient, where there is one)'),
      option('--fold <column>', 'fold that tested each row'),
      option('--positive-label <label>', 'the positive class'),
      option('--threshold <p>', 'clinical measures at this threshold (0.5)', share),
      option('--metrics <names>', 'scores, a,b,c', list),
      ...[...FILE, reporter('text', 'json'), details, ...GIVES_FILES, ...CODES],
    ],
  },
  {
    ...{
      name: 'predict',
      group: 'Use a model:',
      text: 'predict new rows by a saved model; with --target, score it there',
    },
    args: [new Argument('<model>', 'folder of a saved model'), new Argument('<file>', 'a table of new rows')],
    options: [...OF_NEW_ROWS, ...FILE, reporter('text', 'json'), details, ...GIVES_FILES, ...CODES],
  },
  {
    ...{ name: 'split', group: 'Design:', text: 'write folds as JSON, for cvkit, scikit-learn or nnU-Net' },
    args: [new Argument('<file>', 'a table')],
    options: [
      ...[...COLUMNS, ...DESIGN, choice('--for <tool>', 'form of the folds', ['cvkit', 'sklearn', 'nnunet'], 'cvkit')],
      ...[option('--ids <column>', 'case of each row, for nnunet'), ...FILE, ...RESULT],
    ],
  },
  {
    ...{ name: 'recommend', group: 'Design:', text: 'name a design for these data, with reasons' },
    args: [new Argument('<file>', 'a table')],
    options: [
      ...[...COLUMNS, forWhat],
      ...[
        option('--seed <n>', 'seed of the folds (42)', whole(0, 4294967295)),
        ...FILE,
        reporter('text', 'json'),
        ...RESULT,
      ],
    ],
  },
  {
    ...{ name: 'compare', group: 'Results:', text: 'put results side by side, with paired differences' },
    args: [new Argument('<results...>', 'run directories, or JSON files of results, two or more')],
    options: [
      ...[option('--metrics <names>', 'scores, a,b,c', list), option('--report <file>', 'also as a page, .html')],
      ...[reporter('text', 'json'), ...RESULT],
    ],
  },
  {
    ...{ name: 'report', group: 'Results:', text: 'print or write the report of a run directory' },
    args: [new Argument('<directory>', 'a run directory')],
    options: [reporter(...REPORTERS), details, ...GIVES_FILES, ...CODES],
  },
  {
    ...{ name: 'status', group: 'Run directories:', text: 'say how far a run is, also while it runs' },
    args: [new Argument('<directory>', 'a run directory')],
    options: [reporter('text', 'json'), ...RESULT],
  },
  {
    ...{ name: 'verify', group: 'Run directories:', text: 'is everything as it was written?' },
    args: [new Argument('<directory>', 'a run directory')],
    options: [reporter('text', 'json'), ...RESULT],
  },
  {
    ...{ name: 'merge', group: 'Run directories:', text: 'join parts that were run by --shard' },
    args: [new Argument('<directories...>', 'run directories of one run')],
    options: [
      option('--into <folder>', 'run directory of the whole'),
      reporter(...REPORTERS),
      details,
      ...GIVES_FILES,
      ...CODES,
    ],
  },
  {
    ...{ name: 'clean', group: 'Run directories:', text: 'remove what a directory holds of patients' },
    args: [new Argument('<directory>', 'a run directory')],
    options: [option('--models', 'saved models, too: some hold rows'), option('-y, --yes', 'does not ask')],
  },
  {
    ...{ name: 'submit', group: 'Run directories:', text: 'run the folds on SLURM, or print a Job for Kubernetes' },
    args: [new Argument('<file>', 'as for `cvkit run`')],
    options: [
      option('--slurm', 'by sbatch, and waits'),
      option('--sbatch <argument>', 'an argument of sbatch, --sbatch=--time=02:00:00; may be repeated', several),
      option('--at-once <n>', 'tasks at once (100; Kubernetes 4)', whole(1)),
      option('--kubernetes', 'prints an Indexed Job for the tasks, which it writes into --directory'),
      option('--image <name>', 'container with Node, cvkit and your modules'),
      option('--claim <name>', 'volume claim that holds --directory'),
      ...[...COLUMNS, ...TRAINING, ...DESIGN, option('--directory <folder>', 'the run directory, which all nodes see')],
      ...[...FILE, reporter(...REPORTERS), details, ...GIVES_FILES, ...CODES],
    ],
  },
  {
    ...{ name: 'worker', group: 'Run directories:', text: 'do tasks of a run directory, or of a queue' },
    args: [new Argument('[directory]', 'run directory with tasks, from a dry run or an executor')],
    options: [
      option('--task <n>', 'number of the task, from 0', whole(0)),
      option('--count <n>', 'how many tasks from there on (1)', whole(1)),
      option('--batch <name>', 'which tasks (folds)'),
      option('--root <folder>', 'modules are imported from below it alone (this folder); may be repeated', several),
      option('--queue <name>', 'a queue on Redis or Valkey, which the executor `bullmq` fills, until it is ended'),
      option('--connection <url>', 'redis://host:port, or rediss://user:password@host:port (CVKIT_REDIS)'),
      option('--concurrency <n>', 'folds of the queue at once, each in a process (1)', whole(1)),
      option('--directory <folder>', 'run directory of the queue, for copied data and outcomes of more than 1 MB'),
    ],
  },
  {
    ...{ name: 'explain', group: 'Learn:', text: 'explain a check or an error: cvkit explain CVL003' },
    args: [new Argument('[code]', 'code or type of a check, or code of an error; left out, a list of the checks')],
    options: [],
  },
  {
    ...{ name: 'init', group: 'Learn:', text: 'write a starter project' },
    args: [new Argument('[folder]', 'a new or empty folder').default('.')],
    options: [option('--typescript', 'in TypeScript'), option('--network', 'with a TensorFlow.js network')],
  },
  {
    ...{ name: 'mcp', group: 'Learn:', text: 'serve checks, designs and results to assistants, on stdin and stdout' },
    options: [option('--root <folder>', 'files are read from below it alone (this folder)')],
    more: `
Needs: npm install @modelcontextprotocol/server`,
  },
];

/** Words of the author, which a study may need as a table does. */
const OF_ANY = ['independentRows', 'preparedInside', 'task'];

/** Names of the options that are about a table, and of those that are about training. */
export const TABLE_NAMES = [...COLUMNS, ...FILE]
  .map((each) => each.attributeName())
  .filter((name) => !OF_ANY.includes(name));
export const TRAINING_NAMES = [...TRAINING, ...DESIGN, ...RUNNING].map((each) => each.attributeName());

/** As it is written on the command line, without its dashes. */
export const flagOf = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The program; `use` is called with the work of the command that was chosen. */
export function program(use: (work: Work, args: readonly string[], flags: Flags) => Promise<void>): Command {
  const root = new Command('cvkit')
    .description('Cross-validation for medical machine learning: folds, leakage checks, intervals, a report.')
    .version(VERSION, '--version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .configureHelp({ sortOptions: false, showGlobalOptions: false })
    .addHelpText('after', AFTER)
    .configureOutput({ outputError: (text, write) => write(usageText(text)) })
    .showSuggestionAfterError()
    .exitOverride();
  for (const { name, text, args = [], options, group, more } of COMMANDS) {
    const command = root
      .command(name)
      .description(text)
      .helpGroup(group)
      .allowExcessArguments(false)
      .action(async () => {
        await use(
          await WORK[name](),
          command.processedArgs.flat().filter((each) => each !== undefined),
          command.opts() as Flags,
        );
      });
    for (const each of args) command.addArgument(each);
    for (const each of [...options, ...SHOWN]) command.addOption(each);
    if (more) command.addHelpText('after', more);
  }
  return root;
}

/** What commander says, as cvkit says it: must, got. The words of the caller may hold anything. */
function usageText(text: string): string {
  const value =
    /^error: option '(?:-\w, )?(--[\w-]+)[^']*' argument '(.*)' is invalid\. (?:It must|Allowed choices are) (.*)\.$/s;
  const [, option, got, must] = value.exec(text.trimEnd()) ?? [];
  if (option !== undefined) {
    return `${option} must ${must.startsWith('be ') ? must : `be one of ${must}`}. Got '${plainText(got)}'.\n`;
  }
  const parts = text.trimEnd().split(/\n(?=\(Did you mean)/);
  return `${parts
    .map(plainText)
    .join('\n')
    .replace(/^error: (.)/, (_, first) => first.toUpperCase())}\n`;
}

const AFTER = `
Exit codes: 0 clean, 1 findings, 2 usage or error, 3 not fully verified, 130 interrupted.
Start: cvkit run heart.csv --target died --groups patient`;
