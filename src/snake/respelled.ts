/** Errors at the door: the names in their sentences are those that the caller writes. */
import { CVKitError, messageOf } from '../core/errors.js';
import { snakeCase } from '../core/names.js';
import { DECLARED, isPlainObject } from '../core/options.js';
import type { Positions } from './arranged.js';
import { POSITIONS } from './positions.js';

/** Does the work; an error of cvkit, now or later, names options in snake_case. */
export function attempt<T>(work: () => T, args: readonly unknown[]): T {
  try {
    const made = work();
    return made instanceof Promise ? (made.catch((error) => respelled(error, args)) as T) : made;
  } catch (error) {
    return respelled(error, args);
  }
}

/** Throws the same error with its message in snake_case; code, cause, class and stack stay. */
export function respelled(error: unknown, args: readonly unknown[] = []): never {
  if (error instanceof CVKitError) {
    const { message, stack } = error;
    // What another library said is not ours.
    const foreign = error.cause === undefined || error.cause instanceof CVKitError ? '' : messageOf(error.cause);
    const at = foreign ? message.lastIndexOf(foreign) : -1;
    const own = at < 0 ? message : message.slice(0, at);
    const written = new Set(args.flatMap((each) => (isPlainObject(each) ? Object.keys(each) : [])));
    error.message = inSnakeCase(asWritten(own, written), written) + message.slice(own.length);
    // The stack begins with the message.
    if (stack?.includes(message)) error.stack = stack.replace(message, () => error.message);
  }
  throw error;
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
/** What callers or libraries wrote. */
const QUOTED = /((?<!\w)'[^']*'(?!\w)|"[^"]*")/;

/** Methods and functions that have a name in snake_case. */
export const CALLS: Set<string> = new Set();

/** Whether a word is declared as an option, an argument, a method or a function, whatever its place in a sentence. */
function isDeclared(word: string): boolean {
  const name = snakeCase(word);
  if (CALLS.has(name)) return true;
  for (const spellings of DECLARED.values()) if (spellings.has(name)) return true;
  const calls = Object.values(POSITIONS).flatMap((each) => Object.values<Positions>(each));
  return calls.some(({ first, options }) => first.includes(name) || options.includes(name));
}

/** A sentence with an option under the alias that the caller wrote. */
function asWritten(text: string, written: ReadonlySet<string>): string {
  const owner = /\boption of (\w+)/.exec(text)?.[1] ?? '';
  return text.replace(/`(\w+)`(?= option of )/, (whole, name: string) => {
    const spellings = DECLARED.get(owner);
    const keys = [...written].filter((key) => spellings?.get(key) === name);
    return keys.length === 1 && snakeCase(keys[0]) !== snakeCase(name) ? `\`${keys[0]}\`` : whole;
  });
}

/**
 * A sentence with the names of ours in snake_case. Those that the caller wrote stay as he wrote them, and so does one that
 * stands beside its own other spelling.
 */
export function inSnakeCase(text: string, written: ReadonlySet<string> = new Set()): string {
  const stays = (name: string) => written.has(name) || text.includes(`\`${snakeCase(name)}\``);
  const respell = (part: string) => part.replace(CAMEL, (name) => (stays(name) ? name : snakeCase(name)));
  const declared = (part: string) => part.replace(CAMEL, (name) => (isDeclared(name) ? respell(name) : name));
  return outside(ELSEWHERE, text, (ours) => {
    const isOpen = (part: string) => part.startsWith('{ ') && !part.endsWith(' }');
    const inPlace = (part: string) => (isOpen(part) ? part : respell(part));
    const done = PLACES.reduce((part, place) => part.replace(place, inPlace), ours);
    return outside(QUOTED, done.replace(/Use `\w+` alone/, inBackTicks), declared);
  });
}

const inBackTicks = (part: string) => part.replace(CAMEL, snakeCase);

/** Changes what stands between matches of `kept`, which has one group. */
const outside = (kept: RegExp, text: string, change: (part: string) => string) =>
  text
    .split(kept)
    .map((part, at) => (at % 2 === 0 ? change(part) : part))
    .join('');
