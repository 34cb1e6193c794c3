import { join } from 'node:path';
import { files as nodeFiles } from '#io';
import { InvalidOptionError } from '../../core/errors.js';
import type { Files } from '../../core/io.js';
import type { ModuleFunction } from '../../core/moduleFunction.js';
import { isPlainObject } from '../../core/options.js';
import { writeWhole } from '../../core/wholeFile.js';
import { plainCallbacks } from '../../runner/hooks.js';
import type { Prepared } from '../../runner/prepare.js';
import { portableRun } from '../../runner/runFoldElsewhere.js';
import { isSplitter } from '../../splitters/splitter.js';
import { toDataFiles } from '../machines/dataFiles.js';
import { exactJSON } from './exactJSON.js';

export type Fields = Readonly<Record<string, unknown>>;

export interface StoredCall {
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
