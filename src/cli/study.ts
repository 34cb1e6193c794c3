/** A study: the options of a validation, from a table and the command line, or from a module. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { CVKitError, InvalidDataError, InvalidOptionError, messageOf, phrase, sentence } from '../core/errors.js';
import { isPlainObject } from '../core/options.js';
import { labelsOf } from '../data/labels.js';
import { tabular } from '../preprocessing/tabular.js';
import { CVKitValidator } from '../validator/cvkitValidator.js';
import { ValidationResult } from '../validator/validationResult.js';
import { validatorOptions } from '../validator/validatorOptions.js';
import { definedOf, type StudyFlags } from './flags.js';
import { jsonIn, ownFolder } from './ownFiles.js';
import { type OutcomeTable, tableOptions } from './table.js';
import { isModule } from './words.js';

/** Options of the constructor and of `validate`, in one record. */
export type WholeStudy = Readonly<Record<string, unknown>>;

/**
 * The default export of a module, or its exports by name; a function is called. What the command line says stands over it.
 *
 * @returns options, or a result that the module made itself
 */
export async function studyOfModule(file: string, flags: StudyFlags): Promise<WholeStudy | ValidationResult> {
  const { default: standard, ...named } = await loaded(file);
  const found = standard ?? named;
  const exported: unknown = typeof found === 'function' ? await found() : found;
  if (exported instanceof ValidationResult) return exported;
  if (typeof exported === 'object' && exported !== null && 'model' in exported) return withFlags(exported, flags);
  const must = 'export { model, X, y, ... }, or a function that gives these or a result of `validate`';
  throw new InvalidOptionError(sentence(`The module ${file}`, must, exported));
}

async function loaded(file: string): Promise<Record<string, unknown>> {
  if (!existsSync(file))
    throw new InvalidDataError(sentence(`The study ${file}`, 'be a file', phrase('none of that name')));
  try {
    return await import(pathToFileURL(resolve(file)).href);
  } catch (error) {
    if (error instanceof CVKitError) throw error;
    const message = sentence(`The study ${file}`, 'load', phrase(messageOf(error)), '--debug shows where.');
    throw new InvalidDataError(message, { code: 'broken_module', cause: error });
  }
}

/** Models that need no file, with the packages of their own. */
const BUILT_IN = ['logistic', 'cox', 'random-forest', 'network'];

/** What comes with cvkit for the command line, as modules: threads and other machines load it, too. */
const own = (name: string) => pathToFileURL(ownFolder('models', 'command', `${name}.mjs`)).href;

/** @param table what was read of `file`, to know the task */
export async function studyOfTable(file: string, table: OutcomeTable, flags: StudyFlags): Promise<WholeStudy> {
  const { task } = flags;
  const found = labelsOf(table.y, definedOf({ task })).task;
  const { model = found === 'survival' ? 'cox' : 'logistic' } = flags;
  const fits = isModule(model) || isOnnx(model) || (found === 'survival') === (model === 'cox');
  if (!fits) {
    const way = 'Outcomes by time (--time, --event) are for cox, or a module with `predictRisk`.';
    throw new InvalidOptionError(sentence('The --model', `fit a ${found} task`, model, way), { code: 'unknown_model' });
  }
  if (model === 'logistic' && found === 'regression') {
    const message = sentence('The --model of numbers', 'be random-forest, network, or a module', 'logistic');
    throw new InvalidOptionError(message, { code: 'unknown_model' });
  }
  const isNetwork = model === 'network';
  // Elsewhere the table is read there; here it is there already.
  const isElsewhere = flags.directory !== undefined || flags.jobs !== undefined;
  const kwArgs = { path: resolve(file), ...tableOptions(flags) };
  return {
    model: isOnnx(model) ? await onnx(model, flags) : modelModule(model),
    ...(isElsewhere ? { data: { module: own('table'), export: 'table', kwArgs } } : { ...table }),
    ...(isOnnx(model) ? {} : { preprocessing: tabular() }),
    ...(isNetwork ? await networkOptions(table, task) : {}),
    ...flagsOfStudy(flags),
  };
}

export const isOnnx = (model = ''): boolean => /\.onnx$/i.test(model);

/** The study of a module, with what the command line says over it. */
function withFlags(study: object, flags: StudyFlags): WholeStudy {
  const own = flagsOfStudy(flags);
  const isReplaced = (name: string) => Object.hasOwn(own, name) || (name === 'nSplits' && Object.hasOwn(own, 'cv'));
  const rest = Object.entries(study).filter(([name]) => !isReplaced(validatorOptions.canonical(name) ?? name));
  return { ...Object.fromEntries(rest), ...own };
}

function flagsOfStudy(flags: StudyFlags): WholeStudy {
  const { independentRows, preparedInside, task, epochs } = flags;
  const {
    times,
    cause,
    aggregate,
    method,
    cv,
    seed,
    metrics,
    ciFits,
    acknowledge,
    notApplicable,
    directory,
    jobs,
    shard,
    dryRun,
    save,
  } = flags;
  const running = { runDirectory: directory, nJobs: jobs, shard, dryRun, refit: save === undefined ? undefined : true };
  return definedOf({
    method,
    cv,
    randomState: seed,
    metrics,
    times,
    causeOfInterest: cause,
    aggregate,
    ciFits,
    acknowledged: acknowledge,
    notApplicable,
    ...running,
    ...{ independentRows, preparedInside, task, epochs },
  });
}

function modelModule(model: string): string {
  if (BUILT_IN.includes(model)) return own(model);
  if (isModule(model)) return pathToFileURL(resolve(model)).href;
  const must = `be ${BUILT_IN.join(', ')}, a module (.mjs) or an .onnx file`;
  throw new InvalidOptionError(sentence('The --model of a table', must, model), {
    code: 'unknown_model',
  });
}

async function onnx(file: string, { gives }: StudyFlags) {
  const { onnxModel } = await import('../../adapters/onnx/index.js');
  return onnxModel(resolve(file), { ...(gives === undefined ? {} : { gives: gives as never }) });
}

/** Training ends where the loss of rows that are cut from the training rows of a fold no longer falls. */
async function networkOptions({ y }: OutcomeTable, wanted: string | undefined): Promise<WholeStudy> {
  const { EarlyStopping } = await import('../callbacks/earlyStopping.js');
  const { task } = labelsOf(y, definedOf({ task: wanted }));
  const losses: Readonly<Record<string, string>> = {
    binary: 'binaryCrossentropy',
    multiclass: 'sparseCategoricalCrossentropy',
  };
  return {
    ...{ epochs: 200, validation: 0.2, optimizer: 'adam', lossFn: losses[task] ?? 'meanSquaredError' },
    callbacks: [new EarlyStopping({ monitor: 'val_loss', patience: 10 })],
  };
}

/** Sorts the options: those that the constructor knows are its. */
export function validateStudy(study: WholeStudy) {
  const ofValidator = Object.entries(study).filter(([name]) => validatorOptions.canonical(name) !== undefined);
  const names = new Set(ofValidator.map(([name]) => name));
  const rest = Object.entries(study).filter(([name]) => !names.has(name));
  const validator = new CVKitValidator(Object.fromEntries(ofValidator));
  return validator.validate(Object.fromEntries(rest) as never);
}

/** A JSON file of lists: the grid of a search. */
export async function gridOf(file: string): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const grid = await jsonIn(file);
  if (isPlainObject(grid) && Object.values(grid).every(Array.isArray)) {
    return grid as Readonly<Record<string, readonly unknown[]>>;
  }
  const way = 'For example { "C": [0.01, 0.1, 1] }.';
  throw new InvalidDataError(sentence(`The file ${file}`, 'hold a list for each parameter', grid, way));
}
