/** Runs again what a manifest tells of, and names what differs: the test of the manifest. */
import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { isPlainObject, type OptionShape, type OptionTable } from '../core/options.js';
import { isPlainRecord, type Recorded, type RecordedOptions } from '../core/recorded.js';
import { contentHashes } from '../data/contentHashes.js';
import type { CVResults } from '../runner/cvResults.js';
import { type DataRecord, dataOptions } from '../runner/dataOptions.js';
import { oneOfTwo, readData } from '../runner/readData.js';
import type { RunMetadata } from '../runner/runMetadata.js';
import { type RunnerOptions, runnerOptions } from '../runner/runnerOptions.js';
import { type RunOptions, runOptions } from '../runner/runOptions.js';
import type { TuningOptions } from '../runner/tuning/tuningOptions.js';
import type { TuningResults } from '../runner/tuning/tuningResults.js';
import { UniversalCVRunner } from '../runner/universalCVRunner.js';
import { CVKitValidator } from './cvkitValidator.js';
import { givenTestSet } from './givenTestSet.js';
import {
  type FitValidateOptions,
  fitValidateOptions,
  type ValidateOptions,
  validateOptions,
} from './validateOptions.js';
import type { ValidationResult } from './validationResult.js';
import { type ValidatorOptions, validatorOptions } from './validatorOptions.js';

type Value = null | boolean | number | string;

/** What a manifest holds and a run of today does not, or the other way round. */
export interface Difference {
  /** Where it stands, for example `sha256.data.X`, `options.run.lossFn.sha256` or `outcome.fold-1.scores.accuracy`. */
  readonly where: string;
  /**
   * `data`: what was given is other. `option`: an option or the model is. `version`: of cvkit, Node, an engine; alone it
   * does not speak against a reproduction. `result`: folds, predictions, scores or intervals.
   */
  readonly kind: 'data' | 'option' | 'version' | 'result';
  readonly manifest: Value;
  readonly now: Value;
}

/** What `reproduce` gives. */
export interface Reproduction {
  /** Nothing differs but versions: every prediction and every score is the same, bit for bit. */
  readonly reproduced: boolean;
  /** In the order in which they matter: data, options and models, versions, results. The first one is the one to look at. */
  readonly differences: readonly Difference[];
  /** The first difference in words, that of a version last; null where there is none. */
  readonly first: string | null;
  /** What the run gave; null where the data are other, so that nothing was run. */
  readonly result: CVResults | ValidationResult | TuningResults | null;
}

/** What the call and the constructor were given. */
export type ReproduceOptions =
  | Partial<ValidateOptions & ValidatorOptions>
  | Partial<FitValidateOptions & ValidatorOptions>
  | Partial<RunOptions & RunnerOptions & DataRecord>
  | Partial<TuningOptions & DataRecord>;

type Input = Readonly<Record<string, unknown>>;
type Manifest = RunMetadata & Readonly<Record<string, Recorded>>;
type Table = Pick<OptionTable<OptionShape>, 'canonical'>;

interface Call {
  readonly constructor: Table;
  /** Names of the call; undefined for a call that takes all others. */
  readonly call?: Table;
  run(settings: never, input: never): Promise<CVResults | ValidationResult | TuningResults>;
}

/** By the name of the call in a manifest. */
const CALLS: Readonly<Record<string, Call>> = {
  run: {
    constructor: runnerOptions,
    call: runOptions,
    run: (settings, input) => new UniversalCVRunner(settings).run(input),
  },
  runWithHyperparameterTuning: {
    constructor: runnerOptions,
    run: (settings, input) => new UniversalCVRunner(settings).runWithHyperparameterTuning(input),
  },
  validate: {
    constructor: validatorOptions,
    call: validateOptions,
    run: (settings, input) => new CVKitValidator(settings).validate(input),
  },
  fitValidate: {
    constructor: validatorOptions,
    call: fitValidateOptions,
    run: (settings, input) => new CVKitValidator(settings).fitValidate(input),
  },
};

/** See {@link reproduce}. */
export async function reproduction(manifest: object, options: ReproduceOptions): Promise<Reproduction> {
  const then = manifest as Manifest;
  const [owner = '', name = ''] = Object.keys(isPlainObject(then?.options) ? then.options : {});
  const call = CALLS[name];
  if (!call || !Array.isArray(then.outcome)) {
    const must = 'be that of run, validate, fitValidate or runWithHyperparameterTuning, with its options';
    throw new InvalidOptionError(sentence('The manifest of reproduce', must, manifest), { code: 'not_reproducible' });
  }
  if (!isPlainObject(options)) {
    throw new InvalidOptionError(sentence('The options of reproduce', 'be one plain object', options));
  }
  const { settings, input } = given(then.options, { owner, name, call }, options);
  const data = compared(
    { sha256: { data: then.sha256?.data ?? {} } },
    { sha256: { data: await hashesOf(name, then, input) } },
  );
  if (data.length > 0) return outcomeOf(data, null);
  const result = await call.run(settings as never, input as never);
  const now = 'manifest' in result ? result.manifest : 'metadata' in result ? result.metadata : result.results.metadata;
  return outcomeOf(compared(then, now as unknown as Manifest), result);
}

/** The options of the constructor and of the call: what is given, and what the manifest holds as it is. */
function given(
  recorded: RecordedOptions,
  { owner, name, call }: { owner: string; name: string; call: Call },
  options: Input,
) {
  const [settings, input]: Record<string, unknown>[] = [{}, {}];
  const rows: Record<string, unknown> = {};
  const inCall = (key: string) => !call.call || call.call.canonical(key) !== undefined;
  for (const [key, value] of Object.entries(options)) {
    const canonical = call.constructor.canonical(key);
    const ofConstructor = canonical !== undefined && canonical in recorded[owner] && !(canonical in recorded[name]);
    if (canonical !== undefined && (ofConstructor || !inCall(key))) settings[canonical] = value;
    else if (name.startsWith('run') && ['X', 'y'].includes(key)) rows[key] = value;
    else if (name.startsWith('run') && call.call && !inCall(key) && dataOptions.canonical(key)) rows[key] = value;
    else input[key] = value;
  }
  if (Object.keys(rows).length > 0) input.data = rows;
  const missing = [
    ...taken(recorded[owner], settings, (key) => call.constructor.canonical(key)),
    ...taken(recorded[name], input, (key) => call.call?.canonical(key) ?? key),
  ];
  if (missing.length > 0) {
    const must = `hold ${missing.map((each) => `\`${each}\``).join(', ')}, which the manifest has as a hash or a class alone`;
    throw new InvalidOptionError(sentence('The options of reproduce', must, phrase('none of that name')), {
      code: 'missing_option',
    });
  }
  return { settings, input };
}

/** Adds plain values to what is given; gives the names of those that are not plain and were not given. */
function taken(
  recorded: RecordedOptions[string],
  given: Record<string, unknown>,
  canonical: Table['canonical'],
): string[] {
  const names = new Set(Object.keys(given).map(canonical));
  const open = Object.entries(recorded).filter(([name]) => !names.has(name));
  for (const [name, value] of open) if (isPlainRecord(value)) given[name] = value;
  return open.flatMap(([name, value]) => (isPlainRecord(value) ? [] : [name]));
}

/** Hashes of the data that the call is about to read. */
async function hashesOf(name: string, { task }: Manifest, input: Input): Promise<Record<string, Recorded>> {
  const reading = task === 'regression' ? { task } : {};
  const beside = { ...pick(input, ['task', 'groups', 'sampleWeight', 'positiveLabel']), ...reading };
  const problem = () => {
    if (name === 'validate') {
      const { options } = validateOptions.parse(input);
      const groups = oneOfTwo(options.groups, options.patientIds, '`groups` and `patientIds`');
      const rows = { ...pick(options as Input, Object.keys(dataOptions.shape)), groups };
      return readData(rows as DataRecord, { ...pick(beside, ['task', 'positiveLabel']) });
    }
    if (name === 'fitValidate') return readData(givenTestSet(fitValidateOptions.resolve(input), reading).data, {});
    return readData(input.data as DataRecord, beside);
  };
  return { ...(await contentHashes({ ...problem(), folds: [] })).data };
}

const pick = (from: Input, names: readonly string[]): Input =>
  Object.fromEntries(Object.entries(from).filter(([name, value]) => names.includes(name) && value !== undefined));

/** The parts of a manifest that are compared, in the order in which they explain each other. */
const PARTS: Readonly<Record<string, Difference['kind']>> = {
  'sha256.data': 'data',
  options: 'option',
  metrics: 'option',
  network: 'option',
  sha256: 'result',
  outcome: 'result',
  intervals: 'result',
  cvkit: 'version',
  runtime: 'version',
  engine: 'version',
};

function compared(then: object, now: object): Difference[] {
  const [before, after] = [flat(then), flat(now)];
  return Object.entries(PARTS).flatMap(([part, kind]) => {
    const within = (where: string) => where === part || where.startsWith(`${part}.`);
    const elsewhere = (where: string) => part === 'sha256' && where.startsWith('sha256.data.');
    const places = [...new Set([...before.keys(), ...after.keys()])].filter((at) => within(at) && !elsewhere(at));
    return places
      .filter((at) => !Object.is(before.get(at) ?? null, after.get(at) ?? null) && !at.endsWith('Reason'))
      .map((where) => ({ where, kind, manifest: before.get(where) ?? null, now: after.get(where) ?? null }));
  });
}

/** The values of a manifest by their place; folds by their id. */
function flat(value: unknown, at = '', found = new Map<string, Value>()): Map<string, Value> {
  if (typeof value !== 'object' || value === null) return found.set(at, (value ?? null) as Value);
  for (const [key, each] of Object.entries(value)) {
    const { fold } = (each ?? {}) as { fold?: unknown };
    const name = at === 'outcome' && typeof fold === 'string' ? fold : key;
    flat(each, at === '' ? name : `${at}.${name}`, found);
  }
  return found;
}

function outcomeOf(differences: readonly Difference[], result: Reproduction['result']): Reproduction {
  const [first] = differences;
  const shown = (value: Value) => JSON.stringify(value);
  return {
    reproduced: result !== null && differences.every(({ kind }) => kind === 'version'),
    differences,
    first: first ? `${first.where}: ${shown(first.manifest)} in the manifest, ${shown(first.now)} now` : null,
    result,
  };
}
