/** Names that an object does not have: one that is near a name that it has is a mistake, and is told. */
import { CVKitError, nearest } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { snakeCase } from '../core/names.js';
import { placeOf } from './sources.js';

/** What programs ask any object for, to find out what it is. */
const PROBES = new Set([
  'then',
  'catch',
  'toJSON',
  'inspect',
  'length',
  'size',
  'tagName',
  'nodeName',
  'nodeType',
  'asymmetricMatch',
  'constructor',
  'message',
  'stack',
]);

const isProbe = (name: string) => PROBES.has(name) || name in Object.prototype || /^[$@_]/.test(name);

/** Letters that differ, at most, between a name and the one that was meant. Short names are near everything. */
const mostDifferent = ({ length }: string) => Math.min(2, Math.floor(length / 4));

/**
 * Stands behind every spelled object. `report.hasLeakage` would be undefined, and undefined reads as "no leakage", so a name
 * that is a name of the object in camelCase, or nearly one, throws. All else is undefined, as on any object.
 */
export const unknownNames: object = new Proxy(Object.create(Object.prototype), {
  get(target, name, receiver) {
    if (typeof name === 'symbol' || isProbe(name)) return Reflect.get(target, name, receiver);
    const known = namesOf(receiver);
    const inCamelCase = known.includes(snakeCase(name));
    const meant = inCamelCase ? snakeCase(name) : nearName(name, known);
    if (meant === undefined) return undefined;
    const named = receiver.constructor === Object ? undefined : receiver.constructor?.name;
    const owner = named ?? placeOf(receiver) ?? 'The object';
    // Calls of cvkit read what they are given in camelCase.
    const way = inCamelCase
      ? `Use \`${meant}\`, and give what cvkit/snake made to cvkit/snake alone.`
      : `Did you mean \`${meant}\`?`;
    throw new CVKitError(`${owner} has no \`${nameText(name)}\` in cvkit/snake. ${way}`, { code: 'unknown_name' });
  },
});

/** All names of a spelled object: its fields, and those of its class. */
export function namesOf(spelled: object): string[] {
  const names = Object.keys(spelled);
  for (let each = Object.getPrototypeOf(spelled); each && each !== unknownNames; each = Object.getPrototypeOf(each)) {
    names.push(...Object.getOwnPropertyNames(each).filter((name) => name !== 'constructor' && name !== 'toJSON'));
  }
  return names;
}

function nearName(name: string, known: readonly string[]): string | undefined {
  const near = nearest(name, known);
  if (near === undefined) return undefined;
  const [short, long] = [name, near]
    .map((each) => each.toLowerCase().replaceAll('_', ''))
    .sort((a, b) => a.length - b.length);
  return differences(short, long) <= mostDifferent(short) ? near : undefined;
}

/** Letters of two words that stand in the one alone, whatever their order: at least the edit distance over two. */
function differences(short: string, long: string): number {
  const left = [...long];
  let missing = 0;
  for (const letter of short) {
    const at = left.indexOf(letter);
    if (at < 0) missing++;
    else left.splice(at, 1);
  }
  return Math.max(missing, left.length);
}
