/** Errors at the door: the names in their sentences are those that the caller writes. */
import { CVKitError, messageOf } from '../core/errors.js';
import { snakeCase } from '../core/names.js';
import { isPlainObject } from '../core/options.js';

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
    error.message = inSnakeCase(own, written) + message.slice(own.length);
    // The stack begins with the message.
    if (stack?.includes(message)) error.stack = stack.replace(message, () => error.message);
  }
  throw error;
}

const CAMEL = /(?<![\w.'"-])(?:[a-z][a-z0-9]*|X)(?:[A-Z][A-Za-z0-9]*)+(?![\w'"-])/g;

/** Where names of ours stand in a sentence: in back-ticks, before their values, as owners of options, in lists, as hooks. */
const PLACES = [
  /`[^`]*`/g,
  /\{ [^}]* \}/g,
  /\w+(?=: )/g,
  /\w+(?= (?:hook )?of the callback )/g,
  /\b(?:option|options|arguments) of \w+/g,
  /^\w+(?= (?:has no option|was given))/g,
  /Its options are: .*/g,
];

const inBackTicks = (part: string) => part.replace(CAMEL, snakeCase);

/**
 * A sentence with the names of ours in snake_case. Those that the caller wrote stay as he wrote them, and so does one that
 * stands beside its own other spelling.
 */
export function inSnakeCase(text: string, written: ReadonlySet<string> = new Set()): string {
  const stays = (name: string) => written.has(name) || text.includes(`\`${snakeCase(name)}\``);
  const respell = (part: string) => part.replace(CAMEL, (name) => (stays(name) ? name : snakeCase(name)));
  return PLACES.reduce((done, place) => done.replace(place, respell), text).replace(/Use `\w+` alone/, inBackTicks);
}
