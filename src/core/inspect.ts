/**
 * What `console.log` and `util.inspect` show of a result: what it is, the names of its fields, and how to read more. The
 * fields hold data of patients (ids, labels, predictions), which do not belong into logs; each can be read by its name.
 */
import { show } from './errors.js';
import { wrapText } from './summaryText.js';

/** The name of the method that Node, Deno and Bun ask how an object is shown. */
export const INSPECT: unique symbol = Symbol.for('nodejs.util.inspect.custom');

/** A result in a few lines; `heading` says how it came out. */
export function inspectShort(result: object, heading: string): string {
  const fields = Object.keys(result).join(', ');
  return [
    wrapText(heading, `${result.constructor.name}: `),
    wrapText(fields, '  Fields: '),
    '  Print summary() to read it.',
  ].join('\n');
}

/** What has settings, as it is written in code, with those that differ from their defaults: `CVKitValidator({ nSplits: 3 })`. */
export function inspectWithOptions(
  name: string,
  { options, changed }: { readonly options: object; readonly changed: ReadonlySet<string> },
): string {
  const settings = Object.entries(options).flatMap(([option, value]) =>
    changed.has(option) ? [`${option}: ${settingText(value)}`] : [],
  );
  return settings.length > 0 ? `${name}({ ${settings.join(', ')} })` : `${name}()`;
}

/** A splitter says itself how it is written; rows, ids and models are named by their kind. */
function settingText(value: unknown): string {
  const own: unknown = (value as { toJSON?(): unknown } | null)?.toJSON?.();
  return typeof own === 'string' ? own : show(value);
}
