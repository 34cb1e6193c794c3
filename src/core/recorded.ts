/**
 * What the manifest of a run holds of options, models and steps: plain values, a function as its name and the SHA-256 of its text,
 * an instance as its class and options, rows and long lists as a SHA-256 alone.
 */
import { readBytes, sha256 } from '#io';
import { CVKitError, threw } from './errors.js';
import { nameText } from './foreignText.js';
import { isPlainObject, type OptionShape, type Parsed } from './options.js';
import { fileUrlOf } from './pathOfPlace.js';
import { optionsKept } from './recordable.js';
import { sha256Of } from './sha256Of.js';

/** A plain JSON value. What has `sha256` or `class` stands for something that JSON does not hold. */
export type Recorded = null | boolean | number | string | readonly Recorded[] | { readonly [name: string]: Recorded };

export type RecordedOptions = Readonly<Record<string, Readonly<Record<string, Recorded>>>>;

export async function recordedOptions(tables: readonly Parsed<OptionShape>[]): Promise<RecordedOptions> {
  const recorded = tables.map(async ({ owner, shape, options, written }) => {
    const names = [...written].filter((name) => shape[name].unrecorded === undefined);
    return [owner, await recordOfFields(names.sort().map((name) => [name, options[name]]))] as const;
  });
  return Object.fromEntries(await Promise.all(recorded)) as RecordedOptions;
}

/** Fields that hold rows, ids or values of cells, wherever they stand. */
const ROWS =
  /^(X|y|groups|patientIds|timestamps|labelEndTimes|coordinates|hierarchy|environment|sampleWeight|embeddings|featureNames|categories)$/;
/** Longer lists and texts, and deeper objects, are data rather than settings. */
const LONGEST_LIST = 50;
const LONGEST_TEXT = 200;
const DEEPEST = 8;

type Fields = readonly (readonly [name: string, value: unknown])[];

async function recordOfFields(fields: Fields, depth = 0): Promise<Recorded> {
  const entries = fields.slice(0, 2 * LONGEST_LIST).map(async ([name, value]) => {
    const isRows = typeof value === 'object' && (ROWS.test(name) || (name === 'folds' && depth > 0));
    return [nameText(name), await (isRows ? withheld('rows', value) : recordOf(value, depth + 1))] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

export async function recordOf(value: unknown, depth = 0): Promise<Recorded> {
  if (value === undefined || value === null || typeof value === 'boolean') return value ?? null;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value === 'function') {
    const kept = optionsKept(value);
    const sha256 = await sha256Of(textOfClass(typeof kept === 'function' ? kept : value));
    const known = { function: nameText(value.name), sha256 };
    return isPlainObject(kept) ? { ...known, options: await recordOfFields(Object.entries(kept), depth + 1) } : known;
  }
  if (typeof value === 'string' || value instanceof URL) return recordOfText(String(value));
  if (typeof value !== 'object') return { class: typeof value, options: String(value) };
  const isTensor = typeof (value as { dataSync?: unknown }).dataSync === 'function';
  if (isTensor || ArrayBuffer.isView(value) || value instanceof Map || value instanceof Set || value instanceof Date) {
    return withheld(value.constructor.name, value);
  }
  if (Array.isArray(value)) {
    if (value.length > LONGEST_LIST) return withheld(`list of ${value.length}`, value);
    return Promise.all(value.map((each) => recordOf(each, depth + 1)));
  }
  const fields = Object.entries(Object.getOwnPropertyDescriptors(value)).flatMap(([name, field]) =>
    field.enumerable && 'value' in field ? [[name, field.value] as const] : [],
  );
  if (depth > DEEPEST) return { class: 'object' };
  const hasFunctions = fields.some(([, each]) => typeof each === 'function');
  return isPlainObject(value) && !hasFunctions ? recordOfFields(fields, depth) : recordOfInstance(value, fields, depth);
}

type Instance = Partial<Record<'facts' | 'options' | 'layers', unknown>> &
  Partial<Record<'getParams' | 'get_params' | 'getConfig', () => unknown>>;

/** Class, the text of the class, and options: those that it gives, else its fields, whose objects may be data. */
async function recordOfInstance(value: Instance, fields: Fields, depth: number): Promise<Recorded> {
  const name = nameText(value.constructor?.name || 'object');
  // A network numbers its layers anew each time: its adapter describes it.
  if (Array.isArray(value.layers) || Object.prototype.toString.call(value) === '[object Module]')
    return { class: name };
  const params = async () => (value.getParams ?? value.get_params)?.call(value);
  const options =
    optionsKept(value) ??
    (value.facts && value.options) ??
    (await params().catch(threw(`The getParams of ${name}`, 'give the options', 'options_unread')));
  const text = { class: name, sha256: await sha256Of(textOfClass(value.constructor)) };
  if (options) return { ...text, options: await recordOfFields(Object.entries(options), depth + 1) };
  const config = value.getConfig?.();
  const own = fields.flatMap(([field, each]): Fields => {
    if (typeof each !== 'object' || each === null) return [[field, each]];
    return config ? [] : [[field, new Set([each])]]; // the state of an optimizer; else data perhaps
  });
  return { ...text, options: await recordOfFields([...own, ...Object.entries(config ?? {})], depth + 1) };
}

function textOfClass(Class: unknown): string {
  if (typeof Class !== 'function' || Class === Function.prototype) return '';
  return Function.prototype.toString.call(Class) + textOfClass(Object.getPrototypeOf(Class));
}

/** The place of a file says nothing of what is in it, and its name may be that of a patient. */
async function recordOfText(text: string): Promise<Recorded> {
  if (fileUrlOf(text) === undefined && !/\.onnx$/i.test(text)) {
    return text.length > LONGEST_TEXT ? withheld('text', text) : text;
  }
  const bytes = await readBytes(text).catch((error: unknown) => {
    if (error instanceof CVKitError) return text; // it only begins like a path
    throw error;
  });
  return { class: 'file', sha256: await sha256Of(bytes) };
}

const withheld = async (kind: string, value: unknown) => ({ withheld: kind, sha256: await hashOfValues(value) });

/** SHA-256 of all numbers and texts within, which may be longer than a text can be. */
export async function hashOfValues(values: unknown): Promise<string> {
  const hash = await sha256();
  const fed = new Set<unknown>();
  let text = '';
  const flush = () => {
    hash.update(new TextEncoder().encode(text));
    text = '';
  };
  const feed = (value: unknown): void => {
    const each = (value as { dataSync?(): unknown } | null)?.dataSync?.() ?? value;
    if (ArrayBuffer.isView(each)) {
      flush();
      hash.update(new Uint8Array(each.buffer, each.byteOffset, each.byteLength));
    } else if (typeof each !== 'object' || each === null || each instanceof Date) {
      text += `${typeof each} ${String(each)}\n`;
      if (text.length > 65536) flush();
    } else if (!fed.has(each)) {
      fed.add(each);
      text += '{';
      for (const one of Symbol.iterator in each ? (each as Iterable<unknown>) : Object.entries(each).flat()) feed(one);
      text += '}';
    }
  };
  feed(values);
  flush();
  return hash.digest();
}

/** Whether a recorded value is the value itself, so that a run can be given it again. */
export const isPlainRecord = (recorded: Recorded): boolean =>
  typeof recorded !== 'object' ||
  recorded === null ||
  (!('class' in recorded || 'sha256' in recorded) && Object.values(recorded).every(isPlainRecord));
