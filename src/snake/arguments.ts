/** What callers write: arguments by place or by name, and errors that speak of them in snake_case. */
import { CVKitError, InvalidOptionError, messageOf, phrase, sentence } from '../core/errors.js';
import { snakeCase } from '../core/names.js';
import { DECLARED, isPlainObject } from '../core/options.js';
import { toBeAwaited } from './names.js';
import { POSITIONS } from './positions.js';

/** The order of arguments: those that the method of cvkit takes by place, too, and those that are its options. */
export interface Positions {
  readonly first: readonly string[];
  readonly options: readonly string[];
}

const TABLE: Readonly<Record<string, Readonly<Record<string, string>>>> = POSITIONS;

export function positionsOf(owner: string, method: string): Positions | undefined {
  const [options, first] = TABLE[owner]?.[method]?.split(' | ').reverse().map(namesIn) ?? [];
  return options && { first: first ?? [], options };
}

const namesIn = (text: string): string[] => text.match(/\w+/g) ?? [];

/** Options that take a plain object, which in their place is no object of options. */
export const TAKE_OBJECTS = ['model', 'data', 'param_grid', 'buffer_config'] as const;

/**
 * The arguments of a method of cvkit: required ones, then one object of options. A plain object in the place of an option,
 * last, is that object; all before it are options by place.
 *
 * @throws InvalidOptionError for more arguments than there are places, and for an option by place and by name at once
 */
export function bindArguments(owner: string, args: readonly unknown[], positions: Positions): unknown[] {
  const { first, options: places } = positions;
  const required = args.slice(0, first.length);
  const rest = args.slice(first.length);
  const last = rest.at(-1);
  if (rest.length < 2 && (last ?? null) === null) return required;
  const takesObject = TAKE_OBJECTS.some((name) => name === places[rest.length - 1]);
  const named = isPlainObject(last) && (args.length === 1 || !takesObject) ? last : undefined;
  const byPlace = named ? rest.slice(0, -1) : rest;
  if (named && byPlace.length === 0) return [...required, named];
  if (byPlace.length > places.length) {
    const all = [...first, ...places];
    const [option] = DECLARED.get(owner)?.values() ?? [];
    const byName = `be given by name, in one object${option ? `: { ${snakeCase(option)}: ... }` : ''}`;
    const must = all.length > 0 ? `be at most ${all.join(', ')}` : byName;
    throw new InvalidOptionError(sentence(`The arguments of ${owner}`, must, phrase(`${args.length} by place`)));
  }
  const pairs = byPlace.map((value, at): [string, unknown] => [places[at], value]);
  const options = Object.fromEntries(pairs.filter(([, value]) => value !== undefined));
  const twice = Object.keys(named ?? {}).find((key) => snakeCase(key) in options && named?.[key] !== undefined);
  if (twice !== undefined) {
    const message = `${owner} was given the option \`${snakeCase(twice)}\` twice, by place and by name.`;
    throw new InvalidOptionError(message, { code: 'duplicate_option' });
  }
  return [...required, { ...options, ...named }];
}

/** Does the work; an error of cvkit, now or later, names options in snake_case. Its code, cause, class and stack stay. */
export function withSnakeErrors<T>(call: string, args: readonly unknown[], work: () => T): T {
  try {
    const result = work();
    if (!(result instanceof Promise)) return result;
    return toBeAwaited(
      result.catch((error) => rethrow(error, args)),
      call,
    ) as T;
  } catch (error) {
    return rethrow(error, args);
  }
}

function rethrow(error: unknown, args: readonly unknown[]): never {
  if (error instanceof CVKitError) {
    const { message, stack, cause } = error;
    // The sentence of another library is not ours.
    const foreign = cause === undefined || cause instanceof CVKitError ? '' : messageOf(cause);
    const at = foreign ? message.lastIndexOf(foreign) : -1;
    const own = at < 0 ? message : message.slice(0, at);
    const written = new Set(args.flatMap((each) => (isPlainObject(each) ? Object.keys(each) : [])));
    error.message = snakeCaseMessage(withAliases(own, written), written) + message.slice(own.length);
    // The stack begins with the message.
    if (stack?.includes(message)) error.stack = stack.replace(message, () => error.message);
  }
  throw error;
}

/** A sentence with an option under the alias that the caller wrote. */
function withAliases(text: string, written: ReadonlySet<string>): string {
  const spellings = DECLARED.get(/\boption of (\w+)/.exec(text)?.[1] ?? '');
  return text.replace(/`(\w+)`(?= option of )/, (whole, name: string) => {
    const keys = [...written].filter((key) => spellings?.get(key) === name);
    return keys.length === 1 && snakeCase(keys[0]) !== snakeCase(name) ? `\`${keys[0]}\`` : whole;
  });
}

const CAMEL = /(?<![\w.'"-])(?:[a-z][a-z0-9]*|X)[A-Z][A-Za-z0-9]*(?![\w'"-])/g;

/** Where names of ours stand in a sentence: in back-ticks, before their values, as owners of options, in lists, as hooks. */
const PLACES = [
  /`[^`]*`/g,
  /\{ [^}]*\}?/g,
  /(?<!\w)\w+(?=: )/g,
  /(?<!\w)\w+(?= (?:hook )?of the callback )/g,
  /\b(?:option|options|arguments) of \w+/g,
  /^\w+(?= (?:has no option|was given))/g,
  /Its options are: .*/g,
];
/** Names of another entry of cvkit, which have no second spelling. */
const ELSEWHERE = /(`\w+` of (?:one of )?cvkit\/(?!snake)\w+)/;
/** Words of callers or libraries. */
const QUOTED = /((?<!\w)'[^']*'(?!\w)|"[^"]*")/;

/** Names in snake_case of methods and functions, and of arguments by place. */
export const CALLABLE: Set<string> = new Set(
  Object.values(TABLE).flatMap((calls) => Object.values(calls).flatMap(namesIn)),
);

function isDeclared(word: string): boolean {
  const name = snakeCase(word);
  return CALLABLE.has(name) || [...DECLARED.values()].some((spellings) => spellings.has(name));
}

/** A sentence with the names of ours in snake_case; those that the caller wrote stay as he wrote them. */
export function snakeCaseMessage(text: string, written: ReadonlySet<string> = new Set()): string {
  const stays = (name: string) => written.has(name) || text.includes(`\`${snakeCase(name)}\``);
  const rename = (part: string) => part.replace(CAMEL, (name) => (stays(name) ? name : snakeCase(name)));
  const renameDeclared = (part: string) => part.replace(CAMEL, (name) => (isDeclared(name) ? rename(name) : name));
  // An object that is not closed is one of the caller, cut short.
  const inPlace = (part: string) => (part.startsWith('{ ') && !part.endsWith(' }') ? part : rename(part));
  return outside(ELSEWHERE, text, (ours) => {
    const renamed = PLACES.reduce((part, place) => part.replace(place, inPlace), ours);
    const advised = renamed.replace(/Use `\w+` alone/, (part) => part.replace(CAMEL, snakeCase));
    return outside(QUOTED, advised, renameDeclared);
  });
}

const outside = (kept: RegExp, text: string, change: (part: string) => string) =>
  text
    .split(kept)
    .map((part, at) => (at % 2 === 0 ? change(part) : part))
    .join('');
