/** JSON as Python reads and writes it: with NaN, Infinity and -Infinity, which RFC 8259 does not have, and with 3.0 apart from 3. */
import { InvalidOptionError, sentence } from '../../core/errors.js';
import { isPlainObject } from '../../core/options.js';

class Verbatim {
  constructor(readonly text: string) {}
}

export const float = (value: number): unknown => new Verbatim(floatText(value));

function floatText(value: number): string {
  if (!Number.isFinite(value)) return String(value);
  if (Object.is(value, -0)) return '-0.0';
  const text = String(value);
  return /^-?\d+$/.test(text) ? `${text}.0` : text;
}

/** A value as one line of JSON; `what` names it in errors. */
export function pythonText(value: unknown, what: string): string {
  if (value instanceof Verbatim) return value.text;
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  if (value === null || ['number', 'string', 'boolean'].includes(typeof value)) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${Array.from(value, (each) => pythonText(each, what)).join(',')}]`;
  if (isPlainObject(value)) return `{${fieldsText(value, what)}}`;
  const must = 'be plain data (numbers, text, true, false, null, lists and objects of them)';
  throw new InvalidOptionError(sentence(what, must, value));
}

/** The inside of an object: `"a":1,"b":2`. What is undefined is left out. */
export const fieldsText = (value: Readonly<Record<string, unknown>>, what: string): string =>
  Object.entries(value)
    .filter(([, each]) => each !== undefined)
    .map(([key, each]) => `${JSON.stringify(key)}:${pythonText(each, what)}`)
    .join(',');

/** What a text of JSON holds. Throws SyntaxError where it is none, without the text, which may hold data of patients. */
export function parsePython(text: string): unknown {
  try {
    return /NaN|Infinity/.test(text) ? parseTokens(text) : JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) throw new SyntaxError('it is no JSON');
    throw error;
  }
}

function parseTokens(text: string): unknown {
  let mark = 'NaN';
  while (text.includes(`"${mark}"`)) mark += '_';
  // Strings come first, so that the words within them stay. 1e999 is more than a number can be: it reads as Infinity.
  const strict = text.replace(/"(?:[^"\\]|\\.)*"?|NaN|Infinity(?![\w.])/g, (token) =>
    token === 'NaN' ? `"${mark}"` : token === 'Infinity' ? '1e999' : token,
  );
  return JSON.parse(strict, (_, value) => (value === mark ? Number.NaN : value));
}
