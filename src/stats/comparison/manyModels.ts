import {
  CVKitError,
  InvalidDataError,
  InvalidOptionError,
  LeakageError,
  messageOf,
  phrase,
  RunDirectoryError,
  sentence,
  suggestion,
} from '../../core/errors.js';
import { nameText } from '../../core/foreignText.js';
import { counted } from '../../core/format.js';
import { MOST_DRAWS } from '../../core/numbers.js';
import {
  custom,
  type InputOf,
  integer,
  isPlainObject,
  number,
  optionTable,
  type Parsed,
  rejectUnusedOption,
  seed,
  string,
} from '../../core/options.js';
import { freshSeed } from '../../core/random.js';
import { needsEpochs, refuseEpochCallbacks, unusedTraining } from '../../runner/checkRun.js';
import { dataOptions } from '../../runner/dataOptions.js';
import { callbackList } from '../../runner/hooks.js';
import { splitPatients } from '../../runner/metadataOf.js';
import type { ModelOption } from '../../runner/modelSource.js';
import { type Problem, readData } from '../../runner/readData.js';
import { inFolderOfRuns, refuseDrawnSeed, withResult } from '../../runner/runDirectory.js';
import { runOptions } from '../../runner/runOptions.js';
import { foldsOf } from '../../splitters/foldsOf.js';
import { seeded } from '../../splitters/splitter.js';
import {
  dataOf,
  type EngineCall,
  manyRunsShape,
  problemOf,
  type Shared,
  withImpliedTask,
  withModel,
  withRuns,
} from '../manyRuns.js';
import {
  checkResults,
  metadataIn,
  metricFor,
  metricOf,
  metricOption,
  resamplesOption,
  type ScoredResults,
} from '../results.js';
import {
  checkOneDesign,
  ModelTable,
  sidesOf,
  type TableSettings,
  type Tested,
  tableBest,
  tableComparisons,
  tableRows,
} from './modelTable.js';

/** No model is kept, and training rows are not scored. */
const { model, X, y, ...engine } = manyRunsShape;

type Preparation = NonNullable<EngineCall['options']['preprocessing']>;

const tableShape = {
  metric: metricOption('What is compared'),
  reference: string()
    .optional()
    .describe(
      'Name of the row that all others are compared with, chosen before any result is seen; left out, all pairs are compared. With several preparations rows are called `model, preparation`.',
    ),
  level: number({ above: 0, below: 1 }).default(0.95).describe('Level of the intervals.'),
  nBootstrap: resamplesOption(
    'Resamples of patients (rows without groups) for the intervals and for the choice of the best.',
  ),
  nPermutations: integer({ min: 99, max: MOST_DRAWS })
    .optional()
    .describe('Random swaps of a sign-flip test for each comparison; left out, there is none.'),
};

type Accepts = (value: unknown) => boolean;

const recordOf = (accepts: Accepts) => (value: unknown) =>
  isPlainObject(value) && Object.keys(value).length > 0 && Object.values(value).every(accepts);

const unknownOf = (accepts: Accepts) => (value: unknown) => {
  const invalid = isPlainObject(value) && Object.keys(value).find((name) => !accepts(value[name]));
  return typeof invalid === 'string' ? `Look at '${nameText(invalid)}'.` : undefined;
};

const isModel: Accepts = (value) => model.accepts(value);
const isPreparation: Accepts = (value) => value === null || engine.preprocessing.accepts(value);

export const modelTableOptions = optionTable('compareModels({ models })', {
  models: custom<Readonly<Record<string, ModelOption>>>(
    'record of name -> model',
    'be a record of name to factory, model or file: URL of a module',
    recordOf(isModel),
  )
    .instead(unknownOf(isModel))
    .describe(
      'Models by name: each a factory, an instance that is copied, or the URL of a module, as `model` of `run`.',
    ),
  preparations: custom<Readonly<Record<string, Preparation | null>>>(
    'record of name -> preprocessing | null',
    'be a record of name to transformer, list of transformers or null',
    recordOf(isPreparation),
  )
    .instead(unknownOf(isPreparation))
    .optional()
    .describe('Preparations by name, each as `preprocessing` of `run`, null for none: every model is tried with each.'),
  X: X.optional(),
  y: y.optional(),
  data: runOptions.shape.data
    .optional()
    .describe('The rows and labels in the place of `X` and `y`, as `data` of `run`.'),
  ...engine,
  ...tableShape,
});

export type ModelTableOptions = InputOf<typeof modelTableOptions>;

export const resultTableOptions = optionTable('compareModels({ results })', {
  results: custom<readonly ScoredResults[] | Readonly<Record<string, ScoredResults>>>(
    'results[] | record of name -> results',
    'be a list of results, or a record by name',
    (value) => Array.isArray(value) || isPlainObject(value),
  ).describe('What `run` or `validate` gave, awaited, on identical folds of the same rows.'),
  ...tableShape,
  randomState: seed().default(42).describe('Seed of the resamples and swaps. null: fresh, recorded in the table.'),
});

export type ResultTableOptions = InputOf<typeof resultTableOptions>;

const OWNER = modelTableOptions.owner;

export function tableOfResults(input: ResultTableOptions): ModelTable {
  const { owner } = resultTableOptions;
  const { results, metric: name, reference, randomState, ...others } = resultTableOptions.resolve(input);
  const tested = Object.entries(results).map(([each, value]) => {
    checkResults(`Result '${nameText(each)}' of ${owner}`, value);
    return { name: each, model: each, preparation: null, results: value };
  });
  if (tested.length < 2) refuseFew('be given the results of two models or more', tested.length, 'result');
  checkReference(owner, reference, tested);
  const settings = { ...others, metric: metricOf(name, tested[0].results), seed: randomState ?? freshSeed() };
  return tableOf(owner, tested, settings, reference);
}

export async function tableOfModels(input: ModelTableOptions): Promise<ModelTable> {
  const call = modelTableOptions.parse(input);
  const data = call.options.data ?? dataOf(call as Parameters<typeof dataOf>[0]);
  // One model of numbers among them makes it a regression.
  let { task } = call.options;
  for (const model of Object.values(call.options.models)) {
    if (task !== undefined) break;
    try {
      ({ task } = (await withImpliedTask({ ...call, options: { ...call.options, model } }, data)).options);
    } catch (error) {
      // What is wrong with one model stands in its row.
      if (endsTheTable(error, call.options.signal)) throw error;
    }
  }
  return trainedTable({ ...call, options: { ...call.options, task } });
}

type Call = Parsed<typeof modelTableOptions.shape>;
type ModelCall = EngineCall & { readonly changed: ReadonlySet<string> };

async function trainedTable(call: Call): Promise<ModelTable> {
  const { runDirectory } = call.options;
  if (runDirectory !== undefined) refuseDrawnSeed([call]);
  return withResult({ runDirectory }, await inFolderOfRuns(runDirectory, (at) => tableIn(call, at)));
}

async function tableIn(
  call: Call,
  directoryOf: (name: string) => Promise<Call['options']['runDirectory']>,
): Promise<ModelTable> {
  const { preparations, reference, level, nBootstrap, nPermutations, cv, signal } = call.options;
  const combinations = combinationsOf(call.options);
  if (combinations.length < 2) refuseFew('be given two models or preparations, or more', 1, 'combination');
  checkReference(OWNER, reference, combinations);
  if (preparations && call.written.has('preprocessing')) {
    rejectUnusedOption(OWNER, 'preprocessing', '`preparations` says how rows are prepared', 'Give it as one of them.');
  }
  const problem = problemOfTable(call);
  const { task } = problem.y;
  const metric = metricFor(call.options.metric, task);
  const randomState = call.options.randomState ?? freshSeed();
  const splitter = seeded(cv, randomState);
  const plan = foldsOf(splitter, problem.X.length, problem.y, problem.data);
  const shared = { problem, cv: splitter, plan, metric: metric.name, randomState };
  const calls = await trainingFor(call, shared);
  const tested: Tested[] = [];
  const errors: unknown[] = [];
  for (const { preprocessing, ...names } of combinations) {
    const started = performance.now();
    const { options: ofModel, written } = calls.get(names.model) as EngineCall;
    const runDirectory = await directoryOf(names.name);
    const options = { ...ofModel, runDirectory };
    const prepared = preprocessing
      ? { options: { ...options, preprocessing }, written: new Set([...written, 'preprocessing']) }
      : { options, written };
    try {
      const results = await withResult({ runDirectory }, await withRuns(prepared, shared, (runOn) => runOn(splitter)));
      // Neither models nor score tables by fold are kept.
      const { outOfFold, foldDetails, metadata } = results;
      tested.push({ ...names, results: { outOfFold, foldDetails, metadata, plan } });
    } catch (error) {
      if (endsTheTable(error, signal)) throw error;
      errors.push(error);
      tested.push({ ...names, failed: { reason: messageOf(error), seconds: (performance.now() - started) / 1000 } });
    }
  }
  if (errors.length === tested.length) refuseAll(errors);
  return tableOf(OWNER, tested, { metric, level, nBootstrap, nPermutations, seed: randomState }, reference);
}

function combinationsOf({ models, preparations, preprocessing }: Call['options']) {
  const prepared = preparations ? Object.entries(preparations) : [[null, preprocessing ?? null] as const];
  const combinations = Object.keys(models).flatMap((model) =>
    prepared.map(([preparation, preprocessing]) => ({
      name: prepared.length > 1 ? `${model}, ${preparation}` : model,
      model,
      preparation,
      preprocessing,
    })),
  );
  const names = combinations.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) < at);
  if (twice === undefined) return combinations;
  const must = 'give every combination a name of its own';
  const subject = `The names of models and preparations of ${OWNER}`;
  const got = phrase(`'${nameText(twice)}' twice`);
  throw new InvalidOptionError(sentence(subject, must, got), { code: 'duplicate_name' });
}

function problemOfTable(call: Call): Problem {
  const { data } = call.options;
  if (data === undefined) return problemOf(call as Parameters<typeof problemOf>[0]);
  const extra = Object.keys(dataOptions.shape).filter(
    (name) => !['groups', 'sampleWeight'].includes(name) && call.written.has(name as keyof typeof call.options),
  );
  if (extra.length === 0) return readData(data, call.options);
  const must = 'be given rows and labels either in `data` or beside it';
  const got = phrase(`\`data\` and ${extra.map((name) => `\`${name}\``).join(', ')}`);
  throw new InvalidOptionError(sentence(OWNER, must, got), { code: 'duplicate_option' });
}

function tableOf(
  owner: string,
  tested: readonly Tested[],
  settings: TableSettings,
  reference: string | undefined,
): ModelTable {
  const sides = sidesOf(tested);
  checkOneDesign(owner, sides);
  const [first] = sides;
  const { best, notes } = tableBest(sides, settings);
  const { metric, level, seed } = settings;
  const rows = tableRows(tested, sides, settings);
  const interval = rows.find((row) => row.interval)?.interval;
  return new ModelTable({
    metric,
    level,
    design: metadataIn(first.results).design,
    foldFingerprint: metadataIn(first.results).foldFingerprint,
    unit: first.scored.unit,
    nUnits: interval?.nUnits ?? 0,
    reference: reference ?? null,
    rows,
    comparisons: tableComparisons(sides, settings, reference ?? null),
    best,
    notes: [...patientsOnBothSides(first.results), ...notes],
    randomState: seed,
  });
}

/** Rows that no fold tests count as patients of their own: results do not know whose they are. */
function patientsOnBothSides({ outOfFold: { row, group }, plan }: ScoredResults): string[] {
  if (!group) return [];
  const groups = Array.from({ length: plan.n }, (_, at) => `untested row ${at}`);
  for (const [at, each] of row.entries()) groups[each] = `patient ${group[at]}`;
  return splitPatients({ plan, data: { groups }, folds: Array.from({ length: plan.length }, (_, place) => place) });
}

function checkReference(owner: string, reference: string | undefined, rows: readonly { readonly name: string }[]) {
  const names = rows.map(({ name }) => name);
  if (reference === undefined || names.includes(reference)) return;
  throw new InvalidOptionError(
    `The \`reference\` option of ${owner} names '${nameText(reference)}', which is no row. ${suggestion(reference, names)}`,
  );
}

function refuseFew(must: string, n: number, noun: string): never {
  const way = 'A single model is what `run` and `validate` are for.';
  throw new InvalidDataError(sentence('compareModels', must, phrase(counted(n, noun)), way));
}

/** The same error everywhere is about the call. */
function refuseAll(errors: readonly unknown[]): never {
  const [first] = errors;
  if (new Set(errors.map(messageOf)).size === 1) throw first;
  throw new CVKitError(
    `None of ${counted(errors.length, 'combination')} of ${OWNER} could be cross-validated. The first: ${messageOf(first)}`,
    { code: 'all_failed', cause: first },
  );
}

const OF_SOME = [
  'epochs',
  'batchSize',
  'optimizer',
  'lossFn',
  'validation',
  'augment',
  'classWeight',
  'adapterOptions',
] as const;

/** Options that make no difference to what a model can use. */
const BESIDE = [
  ...['executor', 'nJobs', 'preprocessing', 'callbacks', 'recalibrate', 'threshold'],
  ...['runDirectory', 'resumeKey'],
];

interface Taken {
  readonly adapter: string;
  readonly epochs: boolean;
  readonly unused: ReadonlyMap<string, string>;
  /** The error of the adapter about `adapterOptions`. */
  readonly refused?: CVKitError | undefined;
}

/**
 * The call for each model without the training options and callbacks that it cannot use. Models are opened for it only
 * where the caller wrote such options.
 *
 * @throws {InvalidOptionError} an option that has an effect on none of the models.
 */
async function trainingFor(call: Call, shared: Shared): Promise<ReadonlyMap<string, EngineCall>> {
  const { options, changed } = call;
  const wanted = OF_SOME.filter((name) => changed.has(name) && !keepsValidation(name, options));
  const callbacks = callbackList(options.callbacks);
  const epochs = callbacks.some(actsInEpochs);
  const calls = new Map<string, EngineCall>();
  const known: Taken[] = [];
  for (const [name, model] of Object.entries(options.models)) {
    const own = { ...call, options: { ...options, model } };
    const taken = wanted.length > 0 || epochs ? await takenBy(own, shared) : undefined;
    calls.set(name, taken ? fitting(own, wanted, taken) : own);
    if (taken) known.push(taken);
  }
  const [first] = known;
  if (!first) return calls;
  for (const name of wanted) {
    if (!known.every(({ unused }) => unused.has(name))) continue;
    if (name === 'adapterOptions') throw first.refused;
    rejectUnusedOption(OWNER, name, first.unused.get(name) as string);
  }
  if (epochs && known.every((each) => !each.epochs)) refuseEpochCallbacks(callbacks, first.adapter);
  return calls;
}

/** The adjustment may use the rows that are set aside. */
const keepsValidation = (name: string, { recalibrate, threshold }: Call['options']) =>
  name === 'validation' && (recalibrate !== undefined || threshold !== undefined);

const actsInEpochs = (callback: Parameters<typeof needsEpochs>[0]) =>
  needsEpochs(callback) || callback.monitor?.startsWith('val_') === true;

/** An adapter takes no options at all, or not these. */
const REFUSALS = ['idle_option', 'unknown_option'];

/** Undefined for a model that cannot be opened: its run reports that. */
async function takenBy(call: ModelCall, shared: Shared, refused?: CVKitError): Promise<Taken | undefined> {
  const ignored: readonly string[] = [...OF_SOME, ...BESIDE].filter((name) => name !== 'adapterOptions' || refused);
  const written = new Set([...call.written].filter((name) => !ignored.includes(name)));
  try {
    const bare = { ...call, options: { ...call.options, callbacks: [] }, written };
    return await withModel(bare, shared, async (_, { adapter, raw }) => ({
      adapter: adapter.name,
      epochs: adapter.capabilities.epochs,
      unused: new Map([
        ...unusedTraining(adapter, raw),
        ...(refused ? [['adapterOptions', refused.message] as const] : []),
      ]),
      refused,
    }));
  } catch (error) {
    if (endsTheTable(error, call.options.signal)) throw error;
    const about = error instanceof CVKitError && REFUSALS.includes(error.code) && call.changed.has('adapterOptions');
    return about && !refused ? takenBy(call, shared, error) : undefined;
  }
}

function fitting(call: ModelCall, wanted: readonly string[], { unused, epochs }: Taken): EngineCall {
  const idle = wanted.filter((name) => unused.has(name));
  const callbacks = callbackList(call.options.callbacks).filter((each) => epochs || !actsInEpochs(each));
  return {
    ...call,
    options: { ...call.options, callbacks },
    written: new Set([...call.written].filter((name) => !idle.includes(name))),
  };
}

/** An abort, a leak in the folds that all share, or a directory that cannot be used concerns all combinations. */
const endsTheTable = (error: unknown, signal: AbortSignal | undefined): boolean =>
  signal?.aborted === true ||
  (error as Error | undefined)?.name === 'AbortError' ||
  error instanceof LeakageError ||
  error instanceof RunDirectoryError ||
  (error instanceof CVKitError && error.code === 'unnamed_function');
