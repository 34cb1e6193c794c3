/** Models as JSON files: those of cvkit/estimators by their name, others by a function of the caller. */
import { files, readText } from '#io';
import { AdapterError, InvalidOptionError, phrase, sentence, show, threw } from '../../src/core/errors.js';
import { nameText } from '../../src/core/foreignText.js';
import { custom, isPlainObject, optionTable } from '../../src/core/options.js';
import { filePlace } from '../../src/core/pathOfPlace.js';
import { anyValue, checkedShape, fields, parsedJSON, text, whole } from '../../src/core/shape.js';
import { VERSION } from '../../src/core/version.js';
import { writeWhole } from '../../src/core/wholeFile.js';
import type { ModelPlace } from '../../src/runner/frameworkAdapter.js';
import { type Estimator, isEstimator } from './structures.js';

export const estimatorOptions = optionTable('the adapter of estimators', {
  fromJSON: custom<(json: unknown) => unknown>('function', 'be a function', (v) => typeof v === 'function')
    .optional()
    .describe('Makes a saved model of another library again: (json) => RandomForestClassifier.load(json).'),
});

interface Saved {
  readonly cvkit: string;
  /** Name of the class of the model. */
  readonly class: string;
  /** What its `toJSON` gave. */
  readonly model: unknown;
  readonly seed: number;
}

const className = (model: object): string => {
  const { name } = model.constructor ?? {};
  return name && name !== 'Object' ? nameText(name) : 'model';
};

/** Writes what `toJSON` of the model gives. `seed`: of what it draws when it predicts. */
export async function saveEstimator(model: Estimator & { toJSON?(): unknown }, where: ModelPlace, seed: number) {
  if (typeof model.toJSON !== 'function') {
    const must = 'have `toJSON`, and a way back from it';
    throw new AdapterError(sentence('A model to save', must, phrase(`a ${className(model)} without it`)), {
      code: 'unable',
    });
  }
  const saved: Saved = { cvkit: VERSION, class: className(model), model: model.toJSON(), seed };
  const directory = directoryOf(where);
  if (!files) throw new AdapterError(sentence('A model', 'be saved to files', phrase('a browser')), { code: 'unable' });
  await files.mkdir(directory, { recursive: true });
  await writeWhole(files, `${directory}/${FILE}`, `${JSON.stringify(saved, toJSON)}\n`);
}

/** The model that {@link saveEstimator} wrote, and its seed. */
export async function loadEstimator(
  where: ModelPlace,
  fromJSON?: (json: unknown) => unknown,
): Promise<{ readonly model: Estimator; readonly seed: number }> {
  const file = `The file ${FILE}`;
  const read = parsedJSON(await readText(`${directoryOf(where)}/${FILE}`), file, numberFromJSON);
  const { class: name, model: json, seed } = checkedShape<Saved>(SAVED, read, file);
  const subject = `A saved ${nameText(name)}`;
  const made = await (fromJSON
    ? (async () => fromJSON(json))().catch(threw('`fromJSON`', `make the saved ${nameText(name)}`, 'load_failed'))
    : ownEstimator(json, subject));
  if (isEstimator(made)) return { model: made, seed };
  throw new AdapterError(sentence('`fromJSON`', 'give a model with fit (or train) and predict', phrase(show(made))));
}

async function ownEstimator(json: unknown, subject: string): Promise<unknown> {
  const { estimatorFromJSON, isOwnJSON } = await import('../../src/estimators/estimatorFromJSON.js');
  if (isOwnJSON(json)) return estimatorFromJSON(json);
  const way = 'Pass adapterOptions: { fromJSON: (json) => TheClass.load(json) }.';
  throw new InvalidOptionError(sentence(subject, 'be made again by its own class', phrase('no `fromJSON`'), way), {
    code: 'unable',
  });
}

const FILE = 'estimator.json';

const SAVED = fields({ cvkit: text, class: text, model: anyValue, seed: whole() });

function directoryOf(where: ModelPlace): string {
  const path = filePlace(where);
  if (path !== undefined) return path;
  const got = phrase(typeof where === 'string' ? 'an address of another kind' : 'a handler');
  throw new AdapterError(sentence('The place of an estimator', 'be a path', got), { code: 'unable' });
}

/** JSON has no infinity and no NaN, which trees may hold. */
const toJSON = (_: string, value: unknown) =>
  typeof value === 'number' && !Number.isFinite(value) ? { notFinite: String(value) } : value;
const numberFromJSON = (_: string, value: unknown) =>
  isPlainObject(value) && NOT_FINITE.includes(value.notFinite) && Object.keys(value).length === 1
    ? Number(value.notFinite)
    : value;
const NOT_FINITE: readonly unknown[] = ['NaN', 'Infinity', '-Infinity'];
