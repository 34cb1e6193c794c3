/** Reads the `data` option: rows, labels and what comes beside them, checked against each other. */
import { InvalidDataError, phrase, sentence, threw } from '../core/errors.js';
import { checkedModule, functionOf, isModuleFunction, type ModuleFunction } from '../core/moduleFunction.js';
import { rejectUnusedOption } from '../core/options.js';
import { refuseKerasLabels } from '../data/asInKeras.js';
import { type Aggregate, classText, type Label, type Labels, labelsOf, type TaskOption } from '../data/labels.js';
import { positiveCode, withPositive } from '../data/positiveCode.js';
import { type Rows, rowsOf } from '../data/rows.js';
import { checkLength, checkSideData, patientIdsOf, patientsOf, type SideData, weightsOf } from '../data/sideData.js';
import { type DataOption, type DataRecord, dataOptions } from './dataOptions.js';
import { type MaskOptions, maskedLabels } from './maskProblem.js';
import { scoredByPatient } from './patientProblem.js';
import type { Provenance } from './runMetadata.js';
import { knowMetrics } from './taskMetrics.js';
import { type TimedOptions, timedLabels } from './timedProblem.js';

export interface Problem {
  readonly X: Rows;
  readonly y: Labels;
  /** Targets of further outputs of the model, by output name. */
  readonly auxiliary: Readonly<Record<string, Labels>> | undefined;
  readonly data: SideData;
  readonly weight: Float64Array | undefined;
  /** Code of the positive class, -1 where there is none. */
  readonly positive: number;
  readonly nGroups: number | null;
  /** Of two sets, the one whose patients are not known: each of its `groups` is one row. */
  readonly unnamed?: 'train' | 'test' | undefined;
  /** What a data set told of itself; null where nothing was told. */
  readonly dataset: Provenance | null;
  /** What a data set says about itself that the user should know. */
  readonly datasetWarnings: readonly string[];
  readonly repeatedIds: Readonly<Record<string, number>> | undefined;
  /** The module that gave rows and labels, where they are still these. */
  readonly origin?: { readonly module: ModuleFunction; readonly X: Rows; readonly y: Labels } | undefined;
}

export interface DataOverrides extends TimedOptions, MaskOptions {
  readonly aggregate?: Aggregate | undefined;
  readonly groups?: ArrayLike<Label>;
  readonly sampleWeight?: ArrayLike<number>;
  readonly task?: TaskOption;
  readonly positiveLabel?: Label;
  /** Why that task, where it is not the caller who says so. */
  readonly taskWhy?: string;
  readonly unnamed?: Problem['unnamed'];
}

/** The options by which another machine reads the same labels. */
export const readingOf = ({ task, classes, timed, masks, aggregate }: Labels, code: number): DataOverrides => ({
  task,
  ...(timed ? { times: timed.horizons, causeOfInterest: code } : code < 0 ? {} : { positiveLabel: classes[code] }),
  ...(masks ? { tolerance: masks.tolerance } : {}),
  ...(typeof aggregate === 'string' ? { aggregate } : {}),
});

export const dataRecord = (option: DataOption) => dataOptions.resolve(asRecord(option));

const asRecord = (option: DataOption): DataRecord =>
  Array.isArray(option) ? { X: option[0], y: option[1], groups: option[2] } : (option as DataRecord);

/** The modules that gave rows, with the labels beside them. */
const modules = new WeakMap<object, { readonly module: ModuleFunction; readonly y: unknown }>();

/** Calls the function of a module that gives rows and labels. Another machine can call it, too. */
export async function dataOfModule(named: ModuleFunction): Promise<DataRecord> {
  const owner = 'the `data` option';
  const module = checkedModule(named, owner, 'rows and labels');
  const read = await functionOf(module, owner);
  const subject = `The function of ${owner}`;
  const found = await Promise.resolve(read()).catch(threw(subject, 'give { X, y, ... }', 'invalid_data'));
  const record = typeof found === 'object' && found !== null ? asRecord(found as DataOption) : undefined;
  if (typeof record?.X !== 'object' || record.X === null) {
    throw new InvalidDataError(sentence(subject, 'give { X, y, ... }', found));
  }
  modules.set(record.X, { module, y: record.y });
  return { ...record };
}

/** Everything the folds are about. Throws {@link InvalidDataError} that names the argument, the row and both numbers. */
export function readData(option: DataOption, overrides: DataOverrides): Problem {
  const { X: rows, y: labels, featureNames, auxiliary, sampleWeight, spacing, ...others } = dataRecord(option);
  const { description, license, source, sha256, trueAuc, truth: _hidden, warnings = [], repeatedIds, ...side } = others;
  const facts = Object.entries({ description, license, source, sha256, trueAuc });
  const known = facts.filter(([, fact]) => fact !== undefined);
  const X = rowsOf(rows, 'X', featureNames);
  refuseKerasLabels(labels, X);
  const read = labelsOf(labels, { task: overrides.task });
  checkLength(read, X.length, 'y');
  const onlyCode = read.codes[0];
  if (read.classes.length > 0 && read.codes.length > 0 && read.codes.every((code) => code === onlyCode)) {
    const got = phrase(`only ${classText(read.classes, onlyCode)} in all ${read.length} rows`);
    throw new InvalidDataError(sentence('y', 'hold at least two classes', got), { code: 'one_class' });
  }
  if (overrides.positiveLabel !== undefined && read.task !== 'binary') {
    const why = `the task is ${read.task}, which has no positive class`;
    const way = 'Leave it out, or make y binary: that class against all others.';
    rejectUnusedOption('run', 'positiveLabel', why, read.task === 'multiclass' ? way : undefined);
  }
  const groups = sameOrThrow(side.groups, overrides.groups, 'groups');
  const weights = sameOrThrow(sampleWeight, overrides.sampleWeight, 'sampleWeight');
  const named: SideData = { ...side, ...(groups === undefined ? {} : { groups }) };
  checkSideData(named, X.length);
  // Without groups, the patients of the hierarchy are used: by the default design, checks and intervals.
  const units = patientIdsOf(named);
  const timed = read.task === 'survival' ? timedLabels(read, overrides) : undefined;
  for (const name of ['times', 'causeOfInterest'] as const) {
    if (!timed && overrides[name] !== undefined) rejectUnusedOption('run', name, `the task is ${read.task}`);
  }
  for (const [name, value] of Object.entries({ spacing, tolerance: overrides.tolerance })) {
    if (!read.shape && value !== undefined) rejectUnusedOption('run', name, 'y is no masks');
  }
  const positive =
    timed?.positive ?? (read.task === 'binary' ? positiveCode(read.classes, overrides.positiveLabel) : -1);
  const masked = read.shape ? maskedLabels(read, { X, data: named, spacing, tolerance: overrides.tolerance }) : read;
  const labelled = timed ?? (positive < 0 ? masked : withPositive(masked, positive));
  const explained = { ...labelled, why: overrides.taskWhy ?? masked.why };
  const { aggregate, unnamed } = overrides;
  const y = aggregate ? scoredByPatient(explained, { aggregate, positive, data: named, unnamed }) : explained;
  knowMetrics(y);
  const byModule = modules.get(Object(rows));
  return {
    ...{ X, y },
    origin: byModule?.y === labels ? { module: byModule.module, X, y } : undefined,
    auxiliary: auxiliary && auxiliaryLabels(auxiliary, X.length),
    data: units === undefined ? named : { ...named, groups: units },
    weight: weights === undefined ? undefined : weightsOf(weights, X.length),
    positive,
    nGroups: (!overrides.unnamed && patientsOf(named, X.length)?.count) || null,
    unnamed: overrides.unnamed,
    dataset: known.length > 0 ? Object.fromEntries(known) : null,
    datasetWarnings: warnings,
    repeatedIds,
  };
}

/** The call of `run` with what the module of its `data` gives; `flat`: that of `validate`, which names rows and labels itself. */
export async function withData<I>(input: I, flat = false): Promise<I> {
  const { data, ...rest } = Object(input) as { readonly data?: unknown };
  if (!isModuleFunction(data)) return input;
  const found = await dataOfModule(data);
  return (flat ? { ...rest, ...found } : { ...rest, data: found }) as I;
}

function auxiliaryLabels(auxiliary: Readonly<Record<string, unknown>>, n: number): Record<string, Labels> {
  const read = Object.entries(auxiliary).map(([output, values]) => {
    const name = `auxiliary.${output}`;
    const labels = labelsOf(values, { name });
    checkLength(labels, n, name);
    return [output, labels] as const;
  });
  return Object.fromEntries(read);
}

const SITES =
  "To leave out sites of several patients, pass `hierarchy: { site, patient }` and HierarchicalGroupKFold({ hierarchyLevel: 'site' }).";

/** The same thing may be said in two places, but not differently. */
export function sameOrThrow<T>(
  a: ArrayLike<T> | undefined,
  b: ArrayLike<T> | undefined,
  name: string,
): ArrayLike<T> | undefined {
  if (a === undefined || b === undefined || a === b) return a ?? b;
  let differs = a.length !== b.length ? Math.min(a.length, b.length) : -1;
  for (let i = 0; differs < 0 && i < a.length; i++) if (a[i] !== b[i]) differs = i;
  if (differs < 0) return a;
  const got = phrase(`a difference in row ${differs}`);
  const way = name.includes('patientIds') ? SITES : undefined;
  throw new InvalidDataError(sentence(`${name}, when given twice,`, 'be the same both times', got, way));
}
