/** Arguments as Python callers write them: by name, or by place in the order of the original interface. */
import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { snakeCase } from '../core/names.js';
import { isPlainObject } from '../core/options.js';
import { sourceOf } from './sources.js';

/** The order of arguments: those that the method of cvkit takes by place, too, and those that are its options. */
export interface Positions {
  readonly first: readonly string[];
  readonly options: readonly string[];
}

/** Options that take a plain object, which in their place is no object of options. */
export const TAKE_OBJECTS = ['model', 'data', 'param_grid', 'buffer_config'] as const;
const takesObject = (name: string) => (TAKE_OBJECTS as readonly string[]).includes(name);

/**
 * The arguments of a method of cvkit: required ones, then one object of options. A plain object in the place of an option,
 * last, is that object; all before it are options by place.
 *
 * @throws InvalidOptionError for more arguments than there are places, and for an option by place and by name at once
 */
export function arranged(owner: string, args: readonly unknown[], { first, options: places }: Positions): unknown[] {
  const required = args.slice(0, first.length);
  const rest = args.slice(first.length);
  const last = rest[rest.length - 1];
  if (rest.length < 2 && (last ?? null) === null) return required;
  const isNamed =
    isPlainObject(last) && !sourceOf(last) && (args.length === 1 || !takesObject(places[rest.length - 1]));
  const byPlace = isNamed ? rest.slice(0, -1) : rest;
  const named = isNamed ? last : {};
  if (byPlace.length === 0) return [...required, named];
  if (byPlace.length > places.length) throw tooMany(owner, args.length, first, places);
  const options: Record<string, unknown> = {};
  for (const [at, value] of byPlace.entries()) if (value !== undefined) options[places[at]] = value;
  const twice = Object.keys(named).find((key) => snakeCase(key) in options && named[key] !== undefined);
  if (twice !== undefined) {
    throw new InvalidOptionError(`${owner} was given the option \`${snakeCase(twice)}\` twice, by place and by name.`, {
      code: 'duplicate_option',
    });
  }
  return [...required, { ...options, ...named }];
}

function tooMany(
  owner: string,
  count: number,
  first: readonly string[],
  options: readonly string[],
): InvalidOptionError {
  const all = [...first, ...options];
  const must = all.length > 0 ? `be at most ${all.join(', ')}` : 'be given by name, in one object';
  return new InvalidOptionError(sentence(`The arguments of ${owner}`, must, phrase(`${count} by place`)));
}
