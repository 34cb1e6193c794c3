/** The name under which the outcome of a fold is kept: a hash of all that it follows from. */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { isModuleFunction } from '../../core/moduleFunction.js';
import { isPlainObject } from '../../core/options.js';
import { canonicalJSON } from '../../core/sha256Of.js';
import type { FoldTask } from '../../runner/executor.js';

/**
 * Undefined where nothing is kept: a model that stays in memory is made again, and so is one that is trained again on purpose.
 *
 * @param data hash of the rows and labels of the run
 */
export function taskKey(task: FoldTask, data: string): string | undefined {
  if (task.keepModel === 'memory' || task.replay || task.fault) return undefined;
  const hash = createHash('sha256').update(data);
  feed(hash, task);
  return hash.digest('hex');
}

type Hash = ReturnType<typeof createHash>;

function feed(hash: Hash, { inner, timeout: _timeout, keepModel: _kept, fault: _fault, ...task }: FoldTask): void {
  const plain: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(task).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!ArrayBuffer.isView(value)) plain[name] = placeless(value);
    else {
      hash.update(`${name} ${value.byteLength}\n`);
      hash.update(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
    }
  }
  hash.update(`${canonicalJSON(plain)}\n`);
  for (const each of inner) feed(hash, each);
}

/** Modules without their folders, which differ from machine to machine; what is in them is part of the run. */
function placeless(value: unknown): unknown {
  if (isModuleFunction(value)) return { ...value, module: basename(String(value.module)) };
  if (value instanceof Map) return [...value].map(placeless);
  if (Array.isArray(value)) return value.map(placeless);
  if (!isPlainObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, placeless(each)]));
}
