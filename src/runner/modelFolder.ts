/**
 * The folder of a saved model: `model.json` names every part with its SHA-256; the parts are in a folder whose name no other
 * save takes. `model.json` is moved into place last: readers find the old or the new model, whole, whatever ends the save.
 */
import { files, readBytes } from '#io';
import { checkedRule } from '../clinical/decisions/chooseThreshold.js';
import { recalibrationFromJSON } from '../clinical/decisions/recalibration.js';
import { withCleanup } from '../core/cleanup.js';
import { CVKitError, InvalidDataError, InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { nameText, pathSegment } from '../core/foreignText.js';
import type { Files } from '../core/io.js';
import { boolean, type InputOf, isPlainObject, optionTable } from '../core/options.js';
import { filePlace } from '../core/pathOfPlace.js';
import { sha256Of } from '../core/sha256Of.js';
import {
  checkedShape,
  fields,
  finite,
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
import { type PlaceOption, placeFor, resolvedPlace } from './modelPlace.js';

export const saveOptions = optionTable('save', {
  overwrite: boolean().default(false).describe('Replace the model that is saved in the place.'),
});

export type SaveOptions = InputOf<typeof saveOptions>;

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
  readonly note: string;
}

interface SavedModel extends SavedFacts {
  readonly cvkit: string;
  readonly folder: string;
  readonly parts: readonly { readonly path: string; readonly bytes: number; readonly sha256: string }[];
}

const FORMAT = 'cvkit model 1';
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
  { overwrite }: SaveOptions,
): Promise<void> {
  const place = filePlace(where);
  if (place === undefined || !files) return adapter.save?.(model, where);
  const fs = files;
  const write = async (folder: string) => {
    const inside = `${place}/${folder}`;
    await fs.mkdir(inside, { recursive: true });
    await adapter.save?.(model, `${inside}/model`);
    const parts = await partsOf(fs, inside);
    const record: SavedModel & { format: string } = { format: FORMAT, cvkit: VERSION, ...saved, folder, parts };
    const body = `${JSON.stringify(record, null, 2).slice(0, -2)},\n  "sha256": "`;
    return `${body}${await sha256Of(body)}${END}`;
  };
  await writing(place, () => replaceIndexed(fs, place, overwrite === true, (save) => `parts-${save}`, write));
}

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
  return [{ path: at, bytes: bytes.length, sha256: await sha256Of(bytes) }];
}

/**
 * Checks the model in the folder `place` and lets `load` read its parts, which begin with the path that it is given.
 *
 * @throws {CVKitError} `unreadable_file`: nothing is there. {@link InvalidDataError}: `damaged_model`; `other_json`.
 */
export async function readModel<T>(place: string, load: (saved: SavedModel, path: string) => Promise<T>): Promise<T> {
  if (files && !(await isThere(files, `${place}/${INDEX}`))) {
    const message = sentence('The `place` of a saved model', 'be its folder', phrase(`one without a ${INDEX}`));
    throw new CVKitError(message, { code: 'unreadable_file', file: place });
  }
  for (let tries = 1; ; tries++) {
    const bytes = await readBytes(`${place}/${INDEX}`);
    try {
      const saved = await checkedModel(bytes);
      for (const { path, ...part } of saved.parts) await checkPart(`${place}/${saved.folder}/${path}`, part);
      return await load(saved, `${place}/${saved.folder}/model`);
    } catch (error) {
      // It may have been replaced while it was read.
      if (tries === 20 || isEqual(bytes, await readBytes(`${place}/${INDEX}`))) throw error;
    }
  }
}

const isEqual = (a: Uint8Array, b: Uint8Array) => a.length === b.length && a.every((byte, at) => byte === b[at]);

async function checkedModel(bytes: Uint8Array): Promise<SavedModel> {
  const decode = (part: Uint8Array) => new TextDecoder().decode(part);
  const subject = `The file ${INDEX}`;
  const seal = Math.max(0, bytes.length - 64 - END.length);
  if (decode(bytes.subarray(seal)) !== `${await sha256Of(bytes.subarray(0, seal))}${END}`) {
    const isNetwork = decode(bytes).includes('"modelTopology"');
    const way = isNetwork ? "Use loadNetwork of 'cvkit/adapters/tfjs'." : undefined;
    throw damaged(subject, isNetwork ? 'a network of TensorFlow.js' : 'other bytes', way);
  }
  const saved = checkedShape<SavedModel>(MODEL, parsedJSON(decode(bytes), subject), subject);
  if (saved.positive >= saved.facts.classes.length)
    throw damaged(subject, 'a positive class that is none of its classes');
  const { recalibration, threshold } = saved.adjustment ?? {};
  if (recalibration) recalibrationFromJSON(recalibration);
  if (threshold) checkedRule(threshold.rule);
  return saved;
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
const MODEL = fields({
  format: oneText(FORMAT),
  ...{ cvkit: text, framework: text, run: text, note: text, fold: orNull(text), preprocessing: orNull(text) },
  facts: fields({
    task: oneText('binary', 'multiclass', 'multilabel', 'regression'),
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
  folder: written('be the name of a folder of parts', /^parts-[\da-f]{8}$/),
  parts: list(
    fields({ path: written('be a path below', /^model(?!.*\/\.\.(\/|$))[^\\:]*$/s), bytes: whole(), sha256: hash }),
  ),
  sha256: hash,
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
