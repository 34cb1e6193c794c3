/** A call that is stored with its run, made again. Apart from what stores it, which every run with a directory loads. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isModuleFunction } from '../../core/moduleFunction.js';
import { isPlainObject } from '../../core/options.js';
import { ifThere } from '../../core/wholeFile.js';
import { portedLabels, rowsFrom } from '../../data/portable.js';
import type { RunRows } from '../../runner/executor.js';
import { splitterRegistry } from '../../splitters/registry.js';
import { fromDataFiles } from '../machines/dataFiles.js';
import { callbacksFrom } from '../machines/description.js';
import { fromExactJSON } from './exactJSON.js';
import { fault } from './runFolder.js';
import type { Fields, StoredCall } from './storedCall.js';

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
