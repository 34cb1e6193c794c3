/** Names of objects in snake_case: which fields keep the keys below them, and what a name says that is not there. */
import { CVKitError, nearest } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { snakeCase } from '../core/names.js';

// Types say which fields are records, and which are the caller's; here names say it. `test/meta/snake.test.ts` holds both together.

/** How the value of a field is converted: `fields`, all its names; `record`, its values alone; `caller`, not at all. */
export type Kind = 'fields' | 'record' | 'caller';

const kinds = (kind: Kind, names: string) => names.split(/\s+/).map((name): [string, Kind] => [name, kind]);

export const FIELD_KINDS: ReadonlyMap<string, Kind> = new Map([
  ...kinds(
    'record',
    `acknowledged apparentScores averages baseline bootstrapEstimates bufferConfig byParameter ciMethod coefficients
    confidenceIntervals counts distributions engine environment epochs estimates excluded hierarchy intervals logs meanScores
    parts perLevel proportions reasons repeatedIds scores siteEffects stdScores strata studies testProportions trainProportions
    trainScores`,
  ),
  // Of an interface that callers write, too: models, adapters, parameters.
  ...kinds(
    'caller',
    `X adapter adapterOptions bestParams cause choices entries evidence facts inputShape metric model models mostFrequent network params
    preparation preprocessing pruner runs sampler suggest suggestCategorical toArrays toColumns toJSON toShaped userAttrs values`,
  ),
]);

/** Two things of one name: fields that are something else in an object that has one of these names as well. */
export const OTHERWISE: Readonly<Record<string, { readonly with: readonly string[]; readonly kind: Kind }>> = {
  counts: { with: ['sensitivity'], kind: 'fields' }, // of a confusion matrix, not of classes
  data: { with: ['reasons', 'recalibration', 'framework'], kind: 'record' }, // hashes by the name of a part of the data
  facts: { with: ['framework'], kind: 'fields' }, // what predicting needs to know of y, not facts of a splitter
  metrics: { with: ['outcome'], kind: 'caller' }, // what the manifest records, as are these options
  options: { with: ['outcome'], kind: 'caller' },
  results: { with: ['foldId'], kind: 'caller' }, // of an error of a fold
  model: { with: ['treatAll', 'epoch'], kind: 'fields' }, // its net benefit, and what a callback may do with it
  preprocessing: { with: ['randomState'], kind: 'fields' }, // facts, not the transformer
};

export function kindOfField(name: string, owner: object): Kind {
  const other = Object.hasOwn(OTHERWISE, name) ? OTHERWISE[name] : undefined;
  return other?.with.some((each) => each in owner) ? other.kind : (FIELD_KINDS.get(name) ?? 'fields');
}

/** Where an object without a class was read first, in words. */
export const PLACE: unique symbol = Symbol('place');

/** What programs ask any object for, to find out what it is. */
const PROBES =
  /^[$@_]|^(then|catch|toJSON|inspect|length|size|tagName|nodeName|nodeType|asymmetricMatch|constructor|message|stack)$/;

/**
 * Stands behind every object in snake_case. `report.hasLeakage` would be undefined, and undefined reads as "no leakage", so a
 * name that is a name of the object in camelCase, or nearly one, throws. All else is undefined, as on any object.
 */
export const unknownNames: object = new Proxy(Object.create(Object.prototype), {
  get(target, name, receiver) {
    if (typeof name === 'symbol' || PROBES.test(name) || name in target) return Reflect.get(target, name, receiver);
    const known = namesOf(receiver);
    const isCamelCase = known.includes(snakeCase(name));
    const meant = isCamelCase ? snakeCase(name) : nearName(name, known);
    if (meant === undefined) return undefined;
    const className = receiver.constructor === Object ? undefined : receiver.constructor?.name;
    const owner = className ?? receiver[PLACE] ?? 'The object';
    // Calls of cvkit read what they are given in camelCase.
    const way = isCamelCase
      ? `Use \`${meant}\`; \`cvkit\`, cvkit/stats and cvkit/plot take only what \`cvkit\` made.`
      : `Did you mean \`${meant}\`?`;
    throw new CVKitError(`${owner} has no \`${nameText(name)}\` in cvkit/snake. ${way}`, { code: 'unknown_name' });
  },
});

/**
 * The promise, which throws where a field of what it will give is read of it: `checker.check(X, y).has_leakage` would be
 * undefined, which reads as "no leakage". It stays a promise of the platform: only names that no promise has come here.
 */
export function toBeAwaited<T>(promise: Promise<T>, call: string): Promise<T> {
  const unknown = new Proxy(Object.create(Promise.prototype), {
    get(target, name, receiver) {
      if (typeof name === 'symbol' || PROBES.test(name) || name in target) return Reflect.get(target, name, receiver);
      const field = nameText(name);
      const way = `Use (await ${call}(...)).${field}.`;
      throw new CVKitError(`The answer of ${call} is a promise, which has no \`${field}\`. ${way}`, {
        code: 'not_awaited',
      });
    },
  });
  return Object.setPrototypeOf(promise, unknown);
}

export function namesOf(object: object): string[] {
  const names: string[] = [];
  for (let each = object; each && each !== unknownNames; each = Object.getPrototypeOf(each)) {
    names.push(...Object.getOwnPropertyNames(each).filter((name) => !/^(constructor|toJSON|toString)$/.test(name)));
  }
  return names;
}

/** The nearest name, where at most two letters differ, and fewer in short ones, which are near everything. */
function nearName(name: string, known: readonly string[]): string | undefined {
  const near = nearest(name, known);
  if (near === undefined) return undefined;
  const [one, other] = [name, near].map((each) => each.toLowerCase().replaceAll('_', ''));
  const without = (text: string, letters: string) =>
    [...letters].reduce((rest, letter) => rest.replace(letter, ''), text).length;
  const differences = Math.max(without(one, other), without(other, one));
  return differences <= Math.min(2, Math.floor(Math.min(one.length, other.length) / 4)) ? near : undefined;
}
