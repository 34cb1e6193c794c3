/** A run as another machine is told of it, and the way back. */
import { isAbsolute, join, relative, sep } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { files as nodeFiles, readBytes } from '#io';
import { AdapterError, InvalidDataError, phrase, sentence } from '../../core/errors.js';
import { nameText } from '../../core/foreignText.js';
import type { Files } from '../../core/io.js';
import { isModuleFunction, type ModuleFunction } from '../../core/moduleFunction.js';
import { isPlainObject } from '../../core/options.js';
import { sha256Of } from '../../core/sha256Of.js';
import { VERSION } from '../../core/version.js';
import { isThere } from '../../core/wholeFile.js';
import { hashesOfRows, sideHashes } from '../../data/contentHashes.js';
import type { Label } from '../../data/labels.js';
import type { CVCallback } from '../../runner/callback.js';
import type { FoldLink, PlainCallback, RecordFacts, RunRows } from '../../runner/executor.js';
import { type DataOverrides, dataOfModule, readData, readingOf } from '../../runner/readData.js';
import { portableRun, type RunElsewhere, runFrom } from '../../runner/runFoldElsewhere.js';
import { fromDataFiles, toDataFiles } from './dataFiles.js';

/** Plain JSON, as `exactJSON` writes it. */
export interface RunDescription {
  readonly cvkit: string;
  readonly facts: RecordFacts;
  readonly callbacks: readonly PlainCallback[];
  readonly rows: NamedRows | { readonly copied: string };
  /** SHA-256 of the file of each module that the run names, by its URL. */
  readonly modules: Readonly<Record<string, string>>;
  /** The folder that modules are found below of, on any machine. */
  readonly root: string;
}

interface NamedRows {
  readonly module: ModuleFunction;
  readonly reading: DataOverrides;
  /** SHA-256 of what it must give, by name. */
  readonly hashes: Readonly<Record<string, string | null>>;
}

/** @param directory where rows are copied to, where no module gives them */
export async function describeRun(link: FoldLink, root: string, directory?: string): Promise<RunDescription> {
  const { facts, training, callbacks, data } = link.forMachines();
  const rows = data ? await namedRows(data, link) : { copied: await copiedRows(link, directory as string) };
  const plain = { cvkit: VERSION, facts, callbacks, rows, root: pathToFileURL(`${root}${sep}`).href };
  const modules: Record<string, string> = {};
  for (const url of modulesIn({ ...plain, training, model: { module: facts.model } })) {
    modules[url] = await sha256Of(await readBytes(url));
  }
  return { ...plain, modules };
}

async function namedRows(module: ModuleFunction, { services }: FoldLink): Promise<NamedRows> {
  const { y, positive } = services;
  return { module, reading: readingOf(y, positive), hashes: await hashesOf(services) };
}

const hashesOf = async (content: Pick<FoldLink['services'], 'X' | 'y' | 'auxiliary' | 'data' | 'weight'>) => {
  const { hashes } = await hashesOfRows(content.X);
  const { data, ...more } = content;
  return { ...hashes, ...(await sideHashes({ ...more, data: data.groups ? { groups: data.groups } : {} })) };
};

const dataFolder = (directory: string): string => join(directory, 'data');

async function copiedRows(link: FoldLink, directory: string): Promise<string> {
  const { X, y, auxiliary, groups, weight } = await link.describe();
  return toDataFiles({ X, y, auxiliary, groups, weight }, dataFolder(directory));
}

/** What a worker has of its own. */
export interface Worker {
  /** Modules are imported from these folders alone. */
  readonly roots: readonly string[];
  /** The run directory, where this machine sees it. */
  readonly directory?: string | undefined;
}

export interface OpenedRun {
  readonly run: RunElsewhere;
  readonly callbacks: readonly CVCallback[];
  /** Modules that the run names, and where they are here. */
  readonly places: ReadonlyMap<string, string>;
}

/** Reads data and model here, and refuses others than those of the run, before anything is trained. */
export async function openRun(description: RunDescription, worker: Worker): Promise<OpenedRun> {
  if (description.cvkit !== VERSION) {
    const way = `Install cvkit@${nameText(description.cvkit)} here.`;
    throw otherWorker('The version of cvkit', `be that of the run, ${description.cvkit}`, VERSION, way);
  }
  const places = new Map<string, string>();
  for (const [url, sha256] of Object.entries(description.modules)) {
    const found = await placeOf(url, description.root, worker.roots);
    if ((await sha256Of(await readBytes(found))) !== sha256) {
      const way = 'Bring the files of the run here.';
      throw otherWorker(`The module ${nameText(found, 300)}`, 'be that of the run', 'another version', way);
    }
    places.set(url, found);
  }
  const { facts, rows, callbacks } = placed(description, places) as RunDescription;
  const record = { ...facts, model: places.get(facts.model) as string };
  const read = 'copied' in rows ? copiedHere(rows.copied, worker.directory) : rowsHere(rows);
  return { run: await runFrom({ ...record, ...(await read) }), callbacks: await callbacksFrom(callbacks), places };
}

/** The rest of a path below a folder; undefined where it is not below. */
export function pathBelow(folder: string, path: string): string | undefined {
  const rest = relative(folder, path);
  return rest.split(sep)[0] === '..' || isAbsolute(rest) ? undefined : rest;
}

/** The place here of a module that has `url` where the run was begun. */
async function placeOf(url: string, root: string, roots: readonly string[]): Promise<string> {
  const path = fileURLToPath(url);
  const below = pathBelow(fileURLToPath(root), path);
  for (const own of roots) {
    for (const place of [...(below === undefined ? [] : [join(own, below)]), path]) {
      if (pathBelow(own, place) === undefined) continue;
      if (await isThere(nodeFiles as Files, place)) return pathToFileURL(place).href + new URL(url).search;
    }
  }
  const way = 'Bring the file here, or start the worker with its folder as --root.';
  const subject = `The module ${nameText(below ?? path, 300)}`;
  throw otherWorker(subject, 'be below a --root of the worker', `none below ${roots.join(', ')}`, way);
}

const otherWorker = (subject: string, must: string, got: string, way: string) =>
  new AdapterError(sentence(`${subject} on this worker`, must, phrase(nameText(got, 300)), way), {
    code: 'other_worker',
  });

/** URLs of modules anywhere within, each once. */
function modulesIn(value: unknown, found = new Set<string>()): Set<string> {
  if (isModuleFunction(value)) found.add(String(value.module));
  if (isPlainObject(value) || Array.isArray(value)) for (const each of Object.values(value)) modulesIn(each, found);
  return found;
}

/** Everything within, with modules where they are here; refuses one that the run did not name. */
export function placed(value: unknown, places: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((each) => placed(each, places));
  if (!isPlainObject(value)) return value;
  const fields = Object.entries(value).map(([name, each]) => [name, placed(each, places)]);
  if (!isModuleFunction(value)) return Object.fromEntries(fields);
  const module = places.get(String(value.module));
  if (module !== undefined) return { ...Object.fromEntries(fields), module };
  const subject = `The module ${nameText(String(value.module), 300)}`;
  throw otherWorker(subject, 'be one that the run names', 'another one', 'Begin the run again.');
}

async function copiedHere(copied: string, directory: string | undefined): Promise<RunRows> {
  if (directory === undefined) {
    const way = 'Start the worker where it is, or name the data by their module.';
    throw otherWorker('The run directory, which holds the data,', 'be at hand', 'none', way);
  }
  return (await fromDataFiles(copied, dataFolder(directory))) as RunRows;
}

async function rowsHere({ module, reading, hashes }: NamedRows): Promise<RunRows> {
  const { patientIds, ...found } = (await dataOfModule(module)) as { readonly patientIds?: ArrayLike<Label> };
  const option = { ...(patientIds ? { groups: patientIds } : {}), ...found };
  const { X, y, auxiliary, data, weight } = readData(option as never, reading);
  const here = await hashesOf({ X, y, auxiliary, data, weight });
  const other = [...new Set([...Object.keys(hashes), ...Object.keys(here)])].find(
    (name) => hashes[name] !== here[name],
  );
  if (other) {
    const subject = `What ${nameText(String(module.module), 300)} gives as \`${nameText(other)}\` on this worker`;
    const got = other in here ? (other in hashes ? 'other values' : 'what the run does not have') : 'nothing';
    const way = 'Let the module give all that the run has, and bring the same files here.';
    throw new InvalidDataError(sentence(subject, 'be that of the run', phrase(got), way), { code: 'other_data' });
  }
  return portableRun({ X, y, auxiliary, data, weight });
}

/** Callbacks of training, from their options. */
export async function callbacksFrom(callbacks: readonly PlainCallback[]): Promise<CVCallback[]> {
  if (callbacks.length === 0) return [];
  const { EarlyStopping } = await import('../../callbacks/earlyStopping.js');
  const { ReduceLROnPlateau } = await import('../../callbacks/reduceLROnPlateau.js');
  const { LearningRateScheduler } = await import('../../callbacks/learningRateScheduler.js');
  const classes = { EarlyStopping, ReduceLROnPlateau, LearningRateScheduler };
  return callbacks.map(({ name, options }) => new classes[name as keyof typeof classes](options as never));
}
