/**
 * What `console.log` and `util.inspect` show of a result: what it is, the names of its fields, and how to read more. The
 * fields hold data of patients (ids, labels, predictions), which do not belong into logs; each can be read by its name.
 */
import { wrapText } from './summaryText.js';

/** The name of the method that Node, Deno and Bun ask how an object is shown. */
export const INSPECT: unique symbol = Symbol.for('nodejs.util.inspect.custom');

/** A result in a few lines; `heading` says how it came out. */
export function inShort(result: object, heading: string): string {
  const fields = Object.keys(result).join(', ');
  return [
    wrapText(heading, `${result.constructor.name}: `),
    wrapText(fields, '  Fields: '),
    '  Print summary() to read it.',
  ].join('\n');
}
