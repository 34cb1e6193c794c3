/** `call.json`: a call as plain data, so that its results are to be had without the program that made it. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { files as nodeFiles } from '#io';
import { InvalidOptionError } from '../../core/errors.js';
import type { Files } from '../../core/io.js';
import { isModuleFunction, type ModuleFunction } from '../../core/moduleFunction.js';
import { isPlainObject } from '../../core/options.js';
import { ifThere, writeWhole } from '../../core/wholeFile.js';
import { portedLabels, rowsFrom } from '../../data/portable.js';
import type { RunRows } from '../../runner/executor.js';
import { plainCallbacks } from '../../runner/hooks.js';
import type { Prepared } from '../../runner/prepare.js';
import { portableRun } from '../../runner/runFoldElsewhere.js';
import { splitterRegistry } from '../../splitters/registry.js';
import { isSplitter } from '../../splitters/splitter.js';
import { fromDataFiles, toDataFiles } from '../machines/dataFiles.js';
import { callbacksFrom } from '../machines/description.js';
import { exactJSON, fromExactJSON } from './exactJSON.js';
import { fault } from './runFolder.js';

type Fields = Readonly<Record<string, unknown>>;

interface StoredCall {
  /** Options by the name of what takes them, the call last. */
  readonly tables: Readonly<Record<string, Fields>>;
  readonly data: { readonly module: ModuleFunction } | { readonly copied: string };
}

/** Options that hold rows and ids: the data have them. */
const ROWS =
  /^(X|y|data|groups|patientIds|timestamps|labelEndTimes|coordinates|hierarchy|environment|sampleWeight|auxiliary|featureNames)$/;
const CALLS = ['run', 'validate', 'runWithHyperparameterTuning'];

class NotPlain extends Error {}

/** Writes the call; where it cannot be made again from plain data, why. */
export async function storeCall(place: string, prepared: Prepared): Promise<void> {
  const call = await storedCall(place, prepared).catch((error) => {
    if (error instanceof NotPlain || error instanceof InvalidOptionError) return { why: error.message };
    throw error;
  });
  const path = join(place, 'call.json');
  await writeWhole(nodeFiles as Files, path, `${exactJSON(call)}\n`, { overwrite: true });
}

async function storedCall(place: string, prepared: Prepared): Promise<StoredCall> {
  const { call, preparation, origin, X, y } = prepared;
  const name = call.written.at(-1)?.owner as string;
  if (!CALLS.includes(name)) throw new NotPlain(`a call of ${name}`);
  const tables: Record<string, Fields> = {};
  for (const { owner, shape, options, written } of call.written) {
    const fields = [...written].filter((each) => shape[each].unrecorded === undefined && !ROWS.test(each));
    const value = (each: string) =>
      each === 'preprocessing' ? { $steps: preparation?.toJSON() } : plain(`\`${each}\``, options[each]);
    tables[owner] = Object.fromEntries(fields.map((each) => [each, value(each)]));
  }
  if (origin?.X === X && origin.y === y) return { tables, data: { module: origin.module } };
  if (!call.run.options.copyData) throw new NotPlain('data that neither a module nor `copyData` gives');
  const { data, ...rows } = { ...(await portableRun(prepared)), data: prepared.data };
  return { tables, data: { copied: await toDataFiles({ ...rows, data: listsIn(data) }, join(place, 'data')) } };
}

/** Times and ids may be in anything that has a length. */
const listsIn = (data: object): unknown =>
  Object.fromEntries(
    Object.entries(data).map(([name, value]) => [
      name,
      isPlainObject(value) ? listsIn(value) : value && Array.from(value as ArrayLike<unknown>),
    ]),
  );

function plain(name: string, value: unknown): unknown {
  if (value instanceof URL) return value.href;
  if (isSplitter(value)) {
    const { facts, options } = value as { readonly facts?: { readonly name: string }; readonly options?: object };
    if (!facts || !options) throw new NotPlain(`${name}, a splitter of your own`);
    // Null stands for an option that nobody wrote; a seed that is written as null would be drawn.
    const written = Object.entries(options).filter(([, each]) => each !== null && each !== undefined);
    return { $splitter: facts.name, options: plain(name, Object.fromEntries(written)) };
  }
  if (name === '`callbacks`') {
    const callbacks = [value].flat() as Parameters<typeof plainCallbacks>[0];
    const found = plainCallbacks(callbacks);
    if (found.length === callbacks.length) return { $callbacks: plain(`${name} `, found) };
    throw new NotPlain(`${name} of your own`);
  }
  if (ArrayBuffer.isView(value)) return Array.from(value as unknown as ArrayLike<number>);
  if (Array.isArray(value)) return value.map((each) => plain(name, each));
  if (isPlainObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([field, each]) => [field, plain(name, each)]));
  }
  if (typeof value !== 'object' || value === null) {
    if (!['function', 'symbol', 'bigint'].includes(typeof value)) return value;
  }
  throw new NotPlain(`${name}, which is not plain data`);
}

/** What a call gives that was stored, with `executor` for the folds that are not there. */
export async function makeCall(place: string, more: Fields): Promise<unknown> {
  const text = await ifThere(() => readFile(join(place, 'call.json'), 'utf8'), '{"why":"a run of an earlier version"}');
  const stored = fromExactJSON(text) as Partial<StoredCall> & { readonly why?: string };
  if (!stored.tables || !stored.data) {
    const way =
      'Make the call again: it trains nothing that is there. Or name model, data and functions by their modules.';
    throw fault(place, 'no_stored_call', 'hold a call of plain data', String(stored.why), way);
  }
  const [settings, options] = (await revived(Object.values(stored.tables))) as [Fields, Fields];
  const [owner, name] = Object.keys(stored.tables);
  const input = { ...options, ...more };
  if (owner === 'CVKitValidator') {
    const { CVKitValidator } = await import('../../validator/cvkitValidator.js');
    const data = 'module' in stored.data ? { data: stored.data.module } : await copied(place, stored.data.copied);
    return new CVKitValidator(settings).validate({ ...input, ...data } as never);
  }
  const { UniversalCVRunner } = await import('../../runner/universalCVRunner.js');
  const data = 'module' in stored.data ? stored.data.module : await copied(place, stored.data.copied);
  const { executor, verbose, ...ofCall } = input as Fields;
  const runner = new UniversalCVRunner({ ...settings, executor, verbose } as never);
  const call = { ...ofCall, data } as never;
  return name === 'run' ? runner.run(call) : runner.runWithHyperparameterTuning(call);
}

async function copied(place: string, file: string): Promise<Fields> {
  const { X, y, auxiliary, weight, data } = (await fromDataFiles(file, join(place, 'data'))) as RunRows & {
    readonly data: Fields;
  };
  const outputs = Object.entries(auxiliary ?? {}).map(([name, each]) => [name, portedLabels(each).toArray()]);
  return {
    ...{ X: rowsFrom(X), y: portedLabels(y), ...data },
    ...(auxiliary ? { auxiliary: Object.fromEntries(outputs) } : {}),
    ...(weight ? { sampleWeight: weight } : {}),
  };
}

async function revived(value: unknown): Promise<unknown> {
  if (Array.isArray(value)) return Promise.all(value.map(revived));
  if (!isPlainObject(value) || isModuleFunction(value)) return value;
  if (typeof value.$splitter === 'string') {
    return splitterRegistry.get(value.$splitter).create(await revived(value.options));
  }
  if ('$callbacks' in value) return callbacksFrom(value.$callbacks as Parameters<typeof callbacksFrom>[0]);
  if ('$steps' in value) {
    const { transformerFromJSON } = await import('../../preprocessing/transformerFromJSON.js');
    return transformerFromJSON(value.$steps, { modules: 'allow' });
  }
  const fields = await Promise.all(Object.entries(value).map(async ([name, each]) => [name, await revived(each)]));
  return Object.fromEntries(fields);
}
