/**
 * `cvkit mcp`: a server of the Model Context Protocol on stdin and stdout, for assistants. It reads files below one folder,
 * writes nothing, calls no other machine, and imports no module that a file names.
 */
import { once } from 'node:events';
import type { CallToolResult } from '@modelcontextprotocol/server';
import { CVKitError, messageOf, phrase, sentence } from '../../core/errors.js';
import { VERSION } from '../../core/version.js';
import { optionalPackage } from '../../node/optionalPackage.js';
import type { Flags, ShownFlags } from '../flags.js';
import { CommandOutput } from '../output.js';
import type { Work } from '../program.js';
import { type Place, type Reported, reported } from '../reporters.js';
import { RootFolder } from '../rootFolder.js';
import { shownRun } from '../shownRun.js';
import { inFlags } from '../words.js';
import { checkCommand } from './check.js';
import { explainCommand } from './explain.js';
import { recommendCommand } from './recommend.js';

/** Of an answer: longer ones would fill what an assistant can hold. */
const LONGEST = 20_000;
const MOST_ROWS = 30;
/** Characters of an answer as data. */
const MOST_FACTS = 120_000;

type Input = Readonly<Record<string, unknown>>;
interface Answer {
  readonly text: string;
  readonly facts?: object;
}

interface Tool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
  readonly work: (input: Input, root: RootFolder) => Promise<Answer>;
}

/** What a command would print, kept. */
class KeptOutput extends CommandOutput {
  text = '';
  notes = '';
  found: Reported | undefined;

  override async result(text: string): Promise<void> {
    this.text = text;
  }

  override async report(found: Reported, place: Place): Promise<void> {
    this.found = found;
    this.text = reported(found, place, this.shown);
  }

  override say(text: string): void {
    this.notes += `${text}\n`;
  }

  constructor(readonly shown: ShownFlags) {
    super(shown, new AbortController().signal);
  }
}

const text = (description: string) => ({ type: 'string', minLength: 1, maxLength: 1000, description });
const list = (description: string) => ({ type: 'array', items: { type: 'string' }, maxItems: 1000, description });
const yes = (description: string) => ({ type: 'boolean', description });
const whole = (description: string, minimum: number) => ({
  type: 'integer',
  minimum,
  maximum: 4294967295,
  description,
});

/** As the options of `cvkit check`. */
const TABLE = {
  path: text('Table in the folder of the server: .csv, .tsv, .jsonl, .parquet, .xlsx or .npy'),
  target: text('Column of the outcome'),
  time: text('Column of the follow-up, of outcomes by time; with event'),
  event: text('Column of what happened then: 0 censored, 1 the event'),
  groups: text('Column of patient ids, where a patient may have several rows'),
  timestamps: text('Column of the time of each row'),
  sites: text('Column of the site of each row'),
  columns: list('Features; left out, all numbers, categories and booleans'),
  drop: list('Columns that are no features'),
  positive_label: text('The positive class'),
  independent_rows: yes('Each row is a patient of its own, in the word of the author'),
  prepared_inside: yes('Nothing was learnt from all rows before, in the word of the author'),
  delimiter: { enum: ['comma', 'semicolon', 'tab', 'pipe', 'blank'], description: 'Between cells of a CSV file' },
  decimal: { enum: ['.', ','], description: 'Decimal mark of a CSV file' },
  encoding: text('Of a text file: utf-8, windows-1252, utf-16le, ...'),
  skip: whole('Lines before the header', 0),
  missing: list('Texts that mean missing, beside the usual ones'),
  missing_target: { enum: ['refuse', 'drop'], description: 'Rows without an outcome; left out, they are refused' },
  sheet: text('Sheet of an .xlsx file'),
  seed: whole('Seed of the folds', 0),
};

const TOOLS: readonly Tool[] = [
  {
    name: 'check_table',
    title: 'Check a table for leakage',
    description:
      'Checks a table and the folds of a cross-validation for data leakage: patients on both sides, duplicates, ids as features, ' +
      'columns that give the outcome away, and more. Nothing is trained. Rows are counted from 0.',
    properties: {
      ...TABLE,
      folds: text('JSON of folds in the folder of the server: of cvkit, scikit-learn or nnU-Net'),
      method: text('How folds are made: stratified_kfold, patient_grouped_kfold, temporal, recommended, ...'),
      cv: whole('Number of folds', 2),
      details: yes('Also what passed, and why'),
    },
    required: ['path'],
    work: async ({ path, folds, ...input }, root) => {
      const flags = flagsOf(input);
      const file = await root.file(String(path));
      const output = new KeptOutput(flags);
      await checkCommand(
        [file],
        folds === undefined ? flags : { ...flags, folds: await root.file(String(folds)) },
        output,
      );
      return { text: `${output.notes}${output.text}`, facts: factsOf(output.found as Reported) };
    },
  },
  {
    name: 'recommend_design',
    title: 'Recommend a design',
    description: 'Names the splitter that fits a table, with reasons, what to know of it, and the code to use it.',
    properties: {
      ...TABLE,
      design: { enum: ['iid', 'grouped', 'prospective', 'deployment'], description: 'What the model is for' },
    },
    required: ['path'],
    work: async ({ path, ...input }, root) => {
      const output = new KeptOutput({});
      await recommendCommand([await root.file(String(path))], { ...flagsOf(input), reporter: 'json' }, output);
      return { text: output.text, facts: JSON.parse(output.text) };
    },
  },
  {
    name: 'explain',
    title: 'Explain a check or an error',
    description:
      'The page of a check (CVL003, near_duplicate), or what is known of the code of an error (unknown_column).',
    properties: { code: text('Code or type of a check, or code of an error; left out, a list of the checks') },
    required: [],
    work: async ({ code }) => {
      const output = new KeptOutput({});
      await explainCommand(code === undefined ? [] : [String(code)], {}, output);
      return { text: output.text };
    },
  },
  {
    name: 'read_run',
    title: 'Read a run',
    description:
      'What a run says: state, verdict, scores with intervals, checks that did not pass, how it was made. From a run directory ' +
      'of cvkit, or a JSON file of a result or manifest.',
    properties: { path: text('Run directory or JSON file in the folder of the server') },
    required: ['path'],
    work: async ({ path }, root) => {
      const { place, isFolder } = await root.fileOrFolder(String(path));
      return shownRun(place, isFolder);
    },
  },
];

/** `positive_label` is called `positiveLabel` where commands read it. */
const flagsOf = (input: Input) =>
  Object.fromEntries(
    Object.entries(input).map(([name, value]) => [name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase()), value]),
  ) as Flags;

/** A report as data: what checks say, and the first rows that they name. */
function factsOf(found: Reported) {
  const { overallStatus, verdict, severity, leakageTypes, recommendations, folds, checks, rows } =
    found.toJSON() as Record<string, unknown> & { checks: Record<string, unknown>[]; rows?: unknown[] };
  return {
    ...{ overallStatus, verdict, severity, leakageTypes, recommendations, folds },
    checks: checks.map(({ code, type, status, severity: grade, message, fix }) => ({
      ...{ code, type, status, severity: grade, message, fix },
    })),
    ...(rows ? { rows: rows.slice(0, MOST_ROWS) } : {}),
  };
}

/** Flags of the command line as the parameters of the tool; a flag that it has no parameter for stays one. */
const inParameters = (flags: string, { properties }: Tool) =>
  flags.replace(/--([a-z]+(?:-[a-z]+)*)(?: COLUMN\b)?/g, (flag, name) => {
    const parameter = name.replaceAll('-', '_');
    return Object.hasOwn(properties, parameter) ? parameter : flag;
  });

/** An answer of a bounded size; what goes wrong is an answer, too. */
async function answered(tool: Tool, input: Input, root: RootFolder): Promise<CallToolResult> {
  try {
    const { text: flags, facts } = await tool.work(input, root);
    const whole = inParameters(flags, tool);
    const rest = whole.length - LONGEST;
    const shown = rest > 0 ? `${whole.slice(0, LONGEST)}\n... ${rest} characters more` : whole;
    const size = facts ? JSON.stringify(facts).length : 0;
    if (!facts || size <= MOST_FACTS) {
      return {
        content: [{ type: 'text', text: shown }],
        ...(facts ? { structuredContent: facts as Record<string, unknown> } : {}),
      };
    }
    return {
      content: [{ type: 'text', text: `${shown}\n... and ${size} characters of data, which are too many to send` }],
    };
  } catch (error) {
    return {
      isError: true,
      content: [{ type: 'text', text: inParameters(inFlags(sentenceOf(tool.name, error)), tool) }],
    };
  }
}

/** Words of others may hold cells of the table. */
function sentenceOf(name: string, error: unknown): string {
  if (error instanceof CVKitError) return error.message;
  const got = phrase(`an error of the kind ${error instanceof Error ? error.name : typeof error}`);
  return sentence(`\`${name}\``, 'end with an answer', got, 'The same command of `cvkit` shows more with --debug.');
}

export const mcpCommand: Work = async (_args, { root: named = '.' }, output) => {
  const purpose = '`cvkit mcp`';
  const root = await RootFolder.open(String(named));
  const { McpServer, fromJsonSchema } = await optionalPackage<typeof import('@modelcontextprotocol/server')>(
    '@modelcontextprotocol/server',
    purpose,
  );
  const { serveStdio } = await optionalPackage<typeof import('@modelcontextprotocol/server/stdio')>(
    '@modelcontextprotocol/server/stdio',
    purpose,
  );
  const serve = () => {
    const server = new McpServer({ name: 'cvkit', version: VERSION });
    for (const tool of TOOLS) {
      const { name, title, description, properties, required } = tool;
      const schema = { type: 'object', properties, required, additionalProperties: false };
      server.registerTool(
        name,
        {
          ...{ title, description, inputSchema: fromJsonSchema<Input>(schema as never) },
          annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
        },
        (input) => answered(tool, input, root),
      );
    }
    return server;
  };
  const handle = serveStdio(serve, { onerror: (error) => output.say(messageOf(error)) });
  // The client ends the server by closing its stdin, or by a signal.
  await once(process.stdin, 'close', { signal: output.signal }).catch((error: unknown) => {
    if (!output.signal.aborted) throw error;
  });
  await handle.close();
  return 0;
};
