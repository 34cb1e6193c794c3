/** Repeats the run of a manifest, and names what differs. */
import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { isPlainObject } from '../core/options.js';
import { isPlainRecord } from '../core/recorded.js';
import { contentHashes } from '../data/contentHashes.js';
import type { CVResults } from '../runner/cvResults.js';
import { type DataRecord, dataOptions } from '../runner/dataOptions.js';
import { compared, type Difference } from '../runner/manifestDifferences.js';
import { readData } from '../runner/readData.js';
import type { RunMetadata } from '../runner/runMetadata.js';
import { type RunnerOptions, runnerOptions } from '../runner/runnerOptions.js';
import { type RunOptions, runOptions } from '../runner/runOptions.js';
import { UniversalCVRunner } from '../runner/universalCVRunner.js';
import { CVKitValidator } from './cvkitValidator.js';
import { testSetProblem } from './givenTestSet.js';
import {
  type FitValidateOptions,
  fitValidateOptions,
  type ValidateOptions,
  validateOptions,
} from './validateOptions.js';
import type { ValidationResult } from './validationResult.js';
import { type ValidatorOptions, validatorOptions } from './validatorOptions.js';

type Tune = UniversalCVRunner['runWithHyperparameterTuning'];
type TuningResults = Awaited<ReturnType<Tune>>;

/** What the call and the constructor were given. */
export type ReproduceOptions =
  | Partial<ValidateOptions & ValidatorOptions>
  | Partial<FitValidateOptions & ValidatorOptions>
  | Partial<RunOptions & RunnerOptions & DataRecord>
  | Partial<Parameters<Tune>[0] & DataRecord>;

/** What `reproduce` gives. */
export interface Reproduction {
  /** Nothing differs but versions: options, predictions and scores are the same, bit for bit. */
  readonly reproduced: boolean;
  /** Data, options, results, versions: the first one explains those that follow. */
  readonly differences: readonly Difference[];
  /** The first difference in words; null where there is none. */
  readonly first: string | null;
  /** What the run gave; null where the data are other, so that nothing was run. */
  readonly result: CVResults | ValidationResult | TuningResults | null;
}

type Input = Record<string, unknown>;
type Run = (options: Input) => Promise<ValidationResult | CVResults | TuningResults>;
/** The options of each call; undefined where it takes those of the constructor, too. */
const CALLS = {
  run: runOptions,
  validate: validateOptions,
  fitValidate: fitValidateOptions,
  runWithHyperparameterTuning: undefined,
};

export async function reproduction(manifest: object, options: ReproduceOptions): Promise<Reproduction> {
  const then = manifest as RunMetadata;
  const tables = Object.entries(then?.options ?? {}).flatMap(([name, table]) => (isPlainObject(table) ? [name] : []));
  const call = tables.find((name) => Object.hasOwn(CALLS, name)) as keyof typeof CALLS | undefined;
  const owner = tables.find((name) => name !== call);
  if (call === undefined || owner === undefined) {
    const must = 'be that of run, validate, fitValidate or runWithHyperparameterTuning, with its options';
    throw new InvalidOptionError(sentence('The manifest of reproduce', must, manifest), { code: 'not_reproducible' });
  }
  if (!isPlainObject(options)) {
    throw new InvalidOptionError(sentence('The options of reproduce', 'be one plain object', options));
  }
  const [settings, input] = optionsOf(then, [owner, call], options);
  const data = await hashesOf(input, then.task);
  const known = then.sha256?.data ?? {};
  const other = compared({ sha256: { data: known } }, { sha256: { data } });
  if (other.length > 0) return reproductionOf(other, null, onOneSide(known, data));
  const runner = owner === 'CVKitValidator' ? new CVKitValidator(settings) : new UniversalCVRunner(settings as never);
  const result = await (runner as unknown as Record<string, Run>)[call](input);
  const now = 'manifest' in result ? result.manifest : 'metadata' in result ? result.metadata : result.results.metadata;
  return reproductionOf(compared(then, now), result);
}

/** The options of the constructor and of the call: what is given, and what the manifest holds as it is. */
function optionsOf(
  { options: recorded }: RunMetadata,
  [owner, call]: readonly [string, keyof typeof CALLS],
  options: Input,
): [Input, Input] {
  const ofOwner = owner === 'CVKitValidator' ? validatorOptions : runnerOptions;
  const ofCall = (name: string) => (CALLS[call] ? CALLS[call].canonical(name) : name);
  const [settings, input, rows]: Input[] = [{}, {}, {}];
  for (const [key, value] of Object.entries(options)) {
    const name = ofOwner.canonical(key);
    const row = owner === 'CVKitValidator' ? undefined : dataOptions.canonical(key);
    if (name && !(name in recorded[call]) && (name in recorded[owner] || !ofCall(key))) settings[name] = value;
    else if (row && options.data === undefined) rows[row] = value;
    else input[ofCall(key) ?? key] = value;
  }
  if (Object.keys(rows).length > 0) input.data = rows;
  const missing: string[] = [];
  for (const [at, to] of [settings, input].entries()) {
    for (const [name, value] of Object.entries(recorded[[owner, call][at]]).filter(([each]) => !(each in to))) {
      if (isPlainRecord(value)) to[name] = value;
      else missing.push(`\`${name}\``);
    }
  }
  if (missing.length === 0) return [settings, input];
  const must = `hold what the manifest has as a hash or a class: ${missing.join(', ')}`;
  const got = phrase('none of that name');
  throw new InvalidOptionError(sentence('The options of reproduce', must, got), { code: 'missing_option' });
}

/** What one of them has and the other has not, in words. */
function onOneSide(known: object, data: object): string | undefined {
  const beyond = (one: object, other: object) =>
    Object.keys(one)
      .flatMap((name) => (name in other ? [] : [`\`${name}\``]))
      .join(', ');
  const [lacking, more] = [beyond(known, data), beyond(data, known)];
  if (lacking) return `The run of the manifest had ${lacking}, and this call has none: pass the same to reproduce.`;
  return more ? `This call has ${more}, and the run of the manifest had none: leave that out.` : undefined;
}

async function hashesOf(input: Input, known: RunMetadata['task']): Promise<Readonly<Record<string, string | null>>> {
  const { data, task, positiveLabel, times, causeOfInterest, groups, sampleWeight } = input;
  const reading = { times, causeOfInterest, task: known === 'regression' ? known : task };
  const rows = Object.entries(input).flatMap(([name, value]) => (dataOptions.canonical(name) ? [[name, value]] : []));
  const problem = input.XTrain
    ? readData(testSetProblem(fitValidateOptions.resolve(input), reading as never).data, {
        times,
        causeOfInterest,
      } as never)
    : readData(
        (data ?? Object.fromEntries(rows)) as DataRecord,
        { ...reading, positiveLabel, ...(data ? { groups, sampleWeight } : {}) } as never,
      );
  return (await contentHashes({ ...problem, folds: [] })).data;
}

function reproductionOf(
  differences: readonly Difference[],
  result: Reproduction['result'],
  words?: string,
): Reproduction {
  const reproduced = result !== null && differences.every(({ kind }) => kind === 'version');
  const text = ({ where, manifest, now }: Difference) =>
    `${where}: ${JSON.stringify(manifest)} in the manifest, ${JSON.stringify(now)} now`;
  return { reproduced, differences, first: differences.length > 0 ? (words ?? text(differences[0])) : null, result };
}

// Loaded with it: see checkers/checkFolds.ts.
export { evaluation } from './evaluation.js';
