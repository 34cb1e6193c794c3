/**
 * The folder of a saved model: `model.json` names every part with its SHA-256; the parts are in a folder whose name no other
 * save takes. `model.json` is moved into place last: readers find the old or the new model, whole, whatever ends the save.
 */
import { files, readBytes } from '#io';
import { checkedRule } from '../clinical/decisions/chooseThreshold.js';
import { recalibrationFromJSON } from '../clinical/decisions/recalibration.js';
import { withCleanup } from '../core/cleanup.js';
import { AdapterError, CVKitError, InvalidDataError, InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { nameText, pathSegment } from '../core/foreignText.js';
import type { Files } from '../core/io.js';
import { MemoryPlace } from '../core/memoryPlace.js';
import { boolean, type InputOf, isPlainObject, optionTable } from '../core/options.js';
import { filePlace, pagePlace } from '../core/pathOfPlace.js';
import { sha256Of } from '../core/sha256Of.js';
import {
  checkedShape,
  fields,
  finite,
  flag,
  label,
  leaf,
  leftOutOr,
  list,
  oneText,
  orNull,
  parsedJSON,
  recordOfAny,
  text,
  whole,
} from '../core/shape.js';
import { VERSION } from '../core/version.js';
import { INDEX, isThere, placeTaken, replaceIndexed, syncFolder, writing } from '../core/wholeFile.js';
import type { Adjustment } from './adjustment.js';
import type { FoldContext, FrameworkAdapter, LabelFacts, ModelPlace } from './frameworkAdapter.js';
import { placeFor, resolvedPlace } from './modelPlace.js';
import type { PlaceOption } from './placeOption.js';

export const saveOptions = optionTable('save', {
  overwrite: boolean().default(false).describe('Replace the model that is saved in the place.'),
});

export type SaveOptions = InputOf<typeof saveOptions>;

/** Where a model is saved: a folder, `indexeddb://name` in a page, or what `toBlob` gave. */
export type SavedPlace = string | URL | Blob;

export interface SavedFacts {
  readonly framework: string;
  readonly run: string;
  /** The fold whose training rows it was trained on; null for all rows. */
  readonly fold: string | null;
  readonly facts: LabelFacts;
  /** Code of the positive class, -1 where there is none. */
  readonly positive: number;
  /** Names of the columns before any preparation; null where they have none. */
  readonly featureNames: readonly string[] | null;
  /** The steps of the preparation in words; null where there is none. */
  readonly preprocessing: string | null;
  /** SHA-256 of the data of the run, as its metadata have it. */
  readonly data: Readonly<Record<string, string | null>> | null;
  readonly adjustment: Adjustment | null;
  /** Its labels are not always those of the highest probability, and nothing adjusts them. */
  readonly ownLabels?: boolean;
  readonly note: string;
}

/** Several models that predict as one. */
export interface SavedEnsemble {
  readonly combine: 'mean' | 'vote';
  /** Folds of a run that they are models of; null where they were saved one by one. */
  readonly design: string | null;
  readonly nFolds: number;
  readonly members: readonly SavedFacts[];
}

export const membersOf = (saved: SavedFacts | SavedEnsemble): readonly SavedFacts[] =>
  'members' in saved ? saved.members : [saved];

interface Written {
  readonly format: string;
  readonly sha256?: string;
  readonly cvkit: string;
  readonly folder: string;
  readonly parts: readonly { readonly path: string; readonly bytes: number; readonly sha256: string }[];
}

type Saved = SavedFacts | SavedEnsemble;
type SavedModel = Saved & Written;

const FORMAT = 'cvkit model 1';
const ENSEMBLE = 'cvkit ensemble 1';
const BLOB = 'cvkit model blob ';
/** What stands behind the SHA-256 of all that is before it. */
const END = '"\n}\n';

/**
 * Writes a model with all that predicting needs into the folder `place`. Where that is no path (a handler, `indexeddb://`),
 * the adapter alone writes what it can.
 *
 * @throws {CVKitError} `place_taken`, `unwritable_place`.
 */
export async function saveModel(
  adapter: FrameworkAdapter,
  model: unknown,
  where: ModelPlace,
  saved: SavedFacts,
  options: SaveOptions,
): Promise<void> {
  if (!isSavedWhole(adapter, where)) return adapter.save?.(model, where);
  await saveWhole(where as string, saved, async (at) => adapter.save?.(model, await at('model')), options);
}

/** Whether all that predicting needs can be in the place; else the adapter alone knows it. */
export const isSavedWhole = ({ capabilities }: FrameworkAdapter, where: ModelPlace): where is string | URL =>
  pagePlace(where) === undefined
    ? filePlace(where) !== undefined && files !== undefined
    : capabilities.savesToMemory === true;

/** Whether the adapter says that it saves, and has what that takes. */
export const savesModels = ({ capabilities, save, load }: FrameworkAdapter): boolean =>
  Boolean(capabilities.saves && save && load);

/** Where the part of a model begins that has this path in its folder. */
export type PlaceOf = (path: string) => ModelPlace | Promise<ModelPlace>;

/** Writes what `fill` puts into a folder or into the store of a page, with an index of it, whole or not at all. */
export async function saveWhole(
  where: string | URL,
  saved: Saved,
  fill: (at: PlaceOf) => Promise<void>,
  { overwrite }: SaveOptions,
): Promise<void> {
  const page = pagePlace(where);
  if (page !== undefined) {
    const bytes = await (await blobOf(saved, fill)).arrayBuffer();
    const { inPageStore } = await import('./pageStore.js');
    return writing(page, async () => {
      await inPageStore<IDBValidKey>('readwrite', (models) =>
        overwrite ? models.put(bytes, page) : models.add(bytes, page),
      ).catch((error) => {
        throw error?.name === 'ConstraintError' ? placeTaken(page) : error;
      });
    });
  }
  const place = filePlace(where);
  if (place === undefined || !files) {
    const must = 'be a folder, or indexeddb://... in a page';
    throw new InvalidOptionError(sentence('The place of a model to save', must, where), { code: 'unable' });
  }
  const fs = files;
  const write = async (folder: string) => {
    const inside = `${place}/${folder}`;
    await fs.mkdir(inside, { recursive: true });
    await fill(async (path) => {
      await fs.mkdir(`${inside}/${path}`.replace(/\/[^/]*$/, ''), { recursive: true });
      return `${inside}/${path}`;
    });
    return sealed(saved, folder, await partsOf(fs, inside));
  };
  await writing(place, () => replaceIndexed(fs, place, overwrite === true, (save) => `parts-${save}`, write));
}

async function sealed(saved: Saved, folder: string, parts: SavedModel['parts']): Promise<string> {
  for (const [k, { framework }] of membersOf(saved).entries()) {
    const model = 'members' in saved ? `${k}/model` : 'model';
    const isOfModel = (path: string) => path.startsWith(model) && path !== `${model}.preprocessing.json`;
    if (parts.some(({ path }) => isOfModel(path))) continue;
    const subject = `\`save\` of the adapter '${nameText(framework)}'`;
    const message = sentence(subject, 'write the model before it ends', phrase('nothing written'));
    throw new AdapterError(message, { code: 'nothing_saved' });
  }
  const format = 'members' in saved ? ENSEMBLE : FORMAT;
  const record: SavedModel = { format, cvkit: VERSION, ...saved, folder, parts };
  const body = `${JSON.stringify(record, null, 2).slice(0, -2)},\n  "sha256": "`;
  return `${body}${await sha256Of(body)}${END}`;
}

const factsOfPart = async (path: string, bytes: Uint8Array) => ({
  ...{ path, bytes: bytes.length, sha256: await sha256Of(bytes) },
});

/** The folder as one file: a line with the size of the index, the index, and the parts in its order. */
export async function blobOf(saved: Saved, fill: (at: PlaceOf) => Promise<void>): Promise<Blob> {
  const parts = new Map<string, Uint8Array<ArrayBuffer>>();
  await fill((path) => new MemoryPlace(path, parts));
  const listed = [];
  for (const [path, bytes] of parts) listed.push(await factsOfPart(path, bytes));
  const index = new TextEncoder().encode(await sealed(saved, 'parts-00000000', listed));
  return new Blob([`${BLOB}${index.length}\n`, index, ...parts.values()]);
}

async function readBlob<T>(blob: Blob, load: Load<T>): Promise<T> {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  const line = bytes.indexOf(10);
  const size = /^(\d+)$/.exec(new TextDecoder().decode(bytes.subarray(BLOB.length, Math.max(0, line))));
  if (!size || !isEqual(bytes.subarray(0, BLOB.length), new TextEncoder().encode(BLOB)))
    throw damaged('The Blob of a saved model', 'other bytes');
  let at = line + 1 + Number(size[1]);
  const { parts, saved } = await checkedModel(bytes.subarray(line + 1, at));
  const found = new Map<string, Uint8Array<ArrayBuffer>>();
  for (const part of parts) {
    const content = bytes.slice(at, at + part.bytes);
    at += part.bytes;
    if (JSON.stringify(await factsOfPart(part.path, content)) !== JSON.stringify(part))
      throw damaged(`The part '${nameText(part.path, 200)}' of a saved model`, 'other bytes');
    found.set(part.path, content);
  }
  if (at !== bytes.length) throw damaged('The Blob of a saved model', 'more bytes');
  const has = (path: string) => found.has(path);
  return load(saved, (path) => new MemoryPlace(path, found), has);
}

type Load<T> = (saved: Saved, at: PlaceOf, has: (path: string) => boolean) => Promise<T>;

async function partsOf(fs: Files, folder: string, at = ''): Promise<SavedModel['parts'][number][]> {
  const path = `${folder}/${at}`;
  if ((await fs.lstat(path)).isDirectory()) {
    const parts = [];
    for (const name of (await fs.readdir(path)).sort())
      parts.push(...(await partsOf(fs, folder, at === '' ? name : `${at}/${name}`)));
    await syncFolder(fs, path);
    return parts;
  }
  const file = await fs.open(path, 'r+');
  await withCleanup(
    () => file.sync(),
    () => file.close(),
  );
  const bytes = await fs.readFile(path);
  return [await factsOfPart(at, bytes)];
}

/**
 * Checks the model in a folder, the store of a page or a `Blob`, and lets `load` read its parts.
 *
 * @throws {CVKitError} `unreadable_file`: nothing is there. {@link InvalidDataError}: `damaged_model`; `other_json`.
 */
export async function readModel<T>(where: SavedPlace, load: Load<T>): Promise<T> {
  if (where instanceof Blob) return readBlob(where, load);
  const page = pagePlace(where);
  if (page !== undefined) {
    const { inPageStore } = await import('./pageStore.js');
    const bytes = await inPageStore<ArrayBuffer | undefined>('readonly', (models) => models.get(page));
    if (bytes) return readBlob(new Blob([bytes]), load);
    const got = phrase('one where nothing is saved');
    const message = sentence('The `place` of a saved model', 'be that of a model', got);
    throw new CVKitError(message, { code: 'unreadable_file', file: `indexeddb://${page}` });
  }
  const place = filePlace(where);
  if (place === undefined) {
    const must = 'be the path or file: URL of a folder, indexeddb://..., or a Blob';
    throw new InvalidOptionError(sentence('The `place` of a saved model', must, where), { code: 'unable' });
  }
  if (files && !(await isThere(files, `${place}/${INDEX}`))) {
    const got = (await isThere(files, place)) ? `one without a ${INDEX}` : 'a path where nothing is';
    const subject = `The \`place\` of a saved model, '${nameText(String(where), 200)}',`;
    const message = sentence(subject, 'be its folder', phrase(got));
    throw new CVKitError(message, { code: 'unreadable_file', file: place });
  }
  for (let tries = 1; ; tries++) {
    const bytes = await readBytes(`${place}/${INDEX}`);
    try {
      const { folder, parts, saved } = await checkedModel(bytes);
      for (const { path, ...part } of parts) await checkPart(`${place}/${folder}/${path}`, part);
      const has = (name: string) => parts.some(({ path }) => path === name);
      return await load(saved, (path) => `${place}/${folder}/${path}`, has);
    } catch (error) {
      // It may have been replaced while it was read.
      if (tries === 20 || isEqual(bytes, await readBytes(`${place}/${INDEX}`))) throw error;
    }
  }
}

const isEqual = (a: Uint8Array, b: Uint8Array) => a.length === b.length && a.every((byte, at) => byte === b[at]);

async function checkedModel(bytes: Uint8Array): Promise<Pick<Written, 'folder' | 'parts'> & { saved: Saved }> {
  const decode = (part: Uint8Array) => new TextDecoder().decode(part);
  const subject = `The file ${INDEX}`;
  const seal = Math.max(0, bytes.length - 64 - END.length);
  if (decode(bytes.subarray(seal)) !== `${await sha256Of(bytes.subarray(0, seal))}${END}`) {
    const isNetwork = decode(bytes).includes('"modelTopology"');
    const way = isNetwork ? "Use loadNetwork of 'cvkit/adapters/tfjs'." : undefined;
    throw damaged(subject, isNetwork ? 'a network of TensorFlow.js' : 'other bytes', way);
  }
  const read = parsedJSON(decode(bytes), subject);
  const isEnsemble = isPlainObject(read) && read.format === ENSEMBLE;
  const checked = checkedShape<SavedModel>(isEnsemble ? SEVERAL : MODEL, read, subject);
  const { format: _, sha256: __, cvkit: ___, folder, parts, ...saved } = checked;
  for (const { positive, facts, adjustment } of membersOf(saved)) {
    if (facts.task !== 'survival' && positive >= facts.classes.length)
      throw damaged(subject, 'a positive class that is none of its classes');
    const { recalibration, threshold } = adjustment ?? {};
    if (recalibration) recalibrationFromJSON(recalibration);
    if (threshold) checkedRule(threshold.rule);
  }
  return { saved, folder, parts };
}

async function checkPart(path: string, { bytes, sha256 }: { readonly bytes: number; readonly sha256: string }) {
  const part = `The part '${nameText(path.slice(path.lastIndexOf('/parts-') + 1), 200)}' of a saved model`;
  if (files && !(await isThere(files, path))) throw damaged(part, 'nothing');
  const { size } = (await files?.lstat(path)) ?? { size: bytes };
  if (size !== bytes || (await sha256Of(await readBytes(path))) !== sha256) {
    throw damaged(part, 'other bytes');
  }
}

const damaged = (subject: string, got: string, way?: string) =>
  new InvalidDataError(sentence(subject, 'be as `save` wrote it', phrase(got), way), { code: 'damaged_model' });

const written = (must: string, pattern: RegExp) => leaf(must, (v) => typeof v === 'string' && pattern.test(v));
const hash = written('be a SHA-256', /^[\da-f]{64}$/);
// Just above 1 where nobody is to be found.
const share = leaf('be from 0 to 1', (v) => typeof v === 'number' && v >= 0 && v <= 1 + Number.EPSILON);
const THRESHOLD = fields({
  threshold: share,
  rule: leaf('be a rule', (v) => typeof v === 'string' || isPlainObject(v)),
  ...{ sensitivity: orNull(finite), specificity: orNull(finite), positives: finite, negatives: finite },
  guarantee: leftOutOr(fields({ unit: text, nUnits: whole(), missed: whole(), confidence: finite })),
});
const FACTS = {
  ...{ framework: text, run: text, note: text, fold: orNull(text), preprocessing: orNull(text) },
  facts: fields({
    task: oneText('binary', 'multiclass', 'multilabel', 'regression', 'survival'),
    classes: list(label),
    positive: leftOutOr(whole()),
    shape: leftOutOr(list(whole())),
    auxiliary: leftOutOr(list(text)),
  }),
  positive: leaf('be the code of a class, or -1', (v) => Number.isSafeInteger(v) && Number(v) >= -1),
  featureNames: orNull(list(text)),
  data: orNull(
    leaf('hold a SHA-256 each', (v) => isPlainObject(v) && Object.values(v).every((each) => !orNull(hash)(each, ''))),
  ),
  adjustment: orNull(
    fields({
      from: orNull(oneText('inner folds', 'validation rows')),
      nRows: whole(),
      recalibration: orNull(recordOfAny),
      threshold: orNull(THRESHOLD),
    }),
  ),
  ownLabels: leftOutOr(flag),
};
const PATH_BELOW = written('be a path below', /^(\d+\/)?model(?!.*\/\.\.(\/|$))[^\\:]*$/s);
const WRITTEN = {
  cvkit: text,
  folder: written('be the name of a folder of parts', /^parts-[\da-f]{8}$/),
  parts: list(fields({ path: PATH_BELOW, bytes: whole(), sha256: hash })),
  sha256: hash,
};
const MODEL = fields({ format: oneText(FORMAT), ...FACTS, ...WRITTEN });
const SEVERAL = fields({
  format: oneText(ENSEMBLE),
  ...{ combine: oneText('mean', 'vote'), design: orNull(text), nFolds: whole() },
  members: list(fields(FACTS)),
  ...WRITTEN,
});

/** Refuses, before anything is trained, places where models of these folds are saved already. */
export async function refuseTaken(folds: readonly string[], option: PlaceOption | undefined): Promise<void> {
  if (typeof option !== 'string' || !files) return;
  for (const fold of folds) {
    const place = filePlace(option.replaceAll('{fold}', pathSegment(fold)));
    if (place !== undefined && (await isThere(files, `${place}/${INDEX}`))) throw placeTaken(place);
  }
}

/** The places of the models of a run, no two the same; none where models are not saved. */
export function modelPlaces(option: PlaceOption | undefined) {
  const places = new Map<string, ModelPlace>();
  const taken = new Set<ModelPlace>();
  return {
    reserve(ctx: FoldContext): void {
      if (option === undefined) return;
      const place = placeFor(option, ctx);
      const resolved = resolvedPlace(place);
      if (taken.has(resolved)) {
        const must = 'give every fold a place of its own';
        throw new InvalidOptionError(sentence('The `modelPath` option of run', must, place), { code: 'one_place' });
      }
      taken.add(resolved);
      places.set(ctx.fold, place);
    },
    of: (fold: string) => places.get(fold) as ModelPlace,
  };
}
