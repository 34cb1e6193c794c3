/**
 * What the manifest of a run holds of options, models and steps, as plain JSON: plain values as they are, a function as its
 * name and the SHA-256 of its text, an instance as its class and options, rows and long lists as a SHA-256 alone.
 */
import { readBytes } from '#io';
import { canonicalJSON } from './canonicalJSON.js';
import { CVKitError, threw } from './errors.js';
import { nameText } from './foreignText.js';
import { fileUrlOf } from './modules.js';
import { isPlainObject, type OptionShape, type Parsed } from './options.js';
import { sha256Of } from './sha256Of.js';

/** A plain JSON value. What has `sha256` or `class` stands for something that JSON does not hold. */
export type Recorded = null | boolean | number | string | readonly Recorded[] | { readonly [name: string]: Recorded };

/** Options by their table: see {@link recordedOptions}. */
export type RecordedOptions = Readonly<Record<string, Readonly<Record<string, Recorded>>>>;

const KEPT = new WeakMap<object, object>();

/** Keeps the options of an instance whose class has them in a private field, for the record; gives them back. */
export function recordable<T extends object>(owner: object, options: T): T {
  KEPT.set(owner, options);
  return options;
}

/** Every option that the caller wrote, by table, but for those whose row says why it is not recorded. */
export async function recordedOptions(tables: readonly Parsed<OptionShape>[]): Promise<RecordedOptions> {
  const recorded: Record<string, Record<string, Recorded>> = {};
  for (const { owner, shape, options, written } of tables) {
    const names = Object.keys(shape).filter((name) => written.has(name) && shape[name].unrecorded === undefined);
    recorded[owner] = {};
    for (const name of names) recorded[owner][name] = await recordOf(options[name], ROWS.has(name) ? ROWS_HERE : 0);
  }
  return recorded;
}

/** Options that hold rows, ids or values of cells, wherever they stand. */
const ROWS: ReadonlySet<string> = new Set(
  'X y groups patientIds timestamps labelEndTimes coordinates hierarchy environment sampleWeight embeddings featureNames categories'.split(
    ' ',
  ),
);
const ROWS_HERE = -1;
/** Longer lists, longer texts and deeper objects are hashed or named by their class: they are data, not settings. */
const LONGEST_LIST = 50;
const LONGEST_TEXT = 200;
const MOST_FIELDS = 100;
const DEEPEST = 8;

/** A value as the manifest has it. `depth`: of the value within the option; {@link ROWS_HERE} for rows. */
export async function recordOf(value: unknown, depth = 0): Promise<Recorded> {
  if (value === undefined || value === null || typeof value === 'boolean') return value ?? null;
  if (typeof value === 'number') return Number.isFinite(value) ? value : { class: 'Number', options: String(value) };
  if (typeof value === 'function') {
    const texts = await textOfClass(value as Class);
    return { function: nameText(value.name), sha256: await sha256Of(texts) };
  }
  if (typeof value === 'string' || value instanceof URL) return recordOfText(String(value), depth);
  if (typeof value !== 'object') return { class: typeof value, options: String(value) };
  const isTensor = typeof (value as { dataSync?: unknown }).dataSync === 'function';
  if (depth === ROWS_HERE || isTensor) return withheld(isTensor ? 'tensor' : 'rows', plainText(value));
  if (ArrayBuffer.isView(value)) {
    const bytes = new Uint8Array(value.buffer, value.byteOffset, value.byteLength);
    return { withheld: value.constructor.name, sha256: await sha256Of(bytes) };
  }
  if (Array.isArray(value)) {
    if (value.length > LONGEST_LIST) return withheld(`list of ${value.length}`, plainText(value));
    return Promise.all(value.map((each) => recordOf(each, depth + 1)));
  }
  const fields = Object.entries(Object.getOwnPropertyDescriptors(value)).filter(
    ([, field]) => field.enumerable && 'value' in field,
  );
  if (isPlainObject(value) && !fields.some(([, field]) => typeof field.value === 'function')) {
    return recordOfFields(Object.fromEntries(fields.map(([name, field]) => [name, field.value])), depth);
  }
  return recordOfInstance(value as Instance, fields, depth);
}

async function recordOfFields(value: object, depth: number): Promise<Recorded> {
  const entries = Object.entries(value);
  if (depth > DEEPEST || entries.length > MOST_FIELDS) return { class: 'object' };
  const recorded: [string, Recorded][] = [];
  for (const [name, each] of entries) {
    const isRows = (ROWS.has(name) || name === 'folds') && typeof each === 'object' && each !== null;
    recorded.push([name, await recordOf(each, isRows ? ROWS_HERE : depth + 1)]);
  }
  return Object.fromEntries(recorded);
}

type Class = { readonly name: string };
/** An object of some class, or one with functions: what it may tell of its options. */
interface Instance {
  readonly constructor?: Class;
  readonly facts?: unknown;
  readonly options?: unknown;
  readonly layers?: unknown;
  getParams?(): unknown;
  get_params?(): unknown;
  getConfig?(): object;
}

/** Class, the text of the class, and options: those that it tells, else its fields, of which objects are data perhaps. */
async function recordOfInstance(
  value: Instance,
  fields: readonly (readonly [string, PropertyDescriptor])[],
  depth: number,
): Promise<Recorded> {
  const Class = typeof value.constructor === 'function' ? value.constructor : undefined;
  const name = nameText(Class?.name || 'object');
  // A network numbers its layers anew each time: its adapter describes it.
  if (depth > DEEPEST || Array.isArray(value.layers) || name === 'Module') return { class: name };
  if (value instanceof Date || value instanceof RegExp) return { class: name, options: String(value) };
  const failed = threw(`The getParams of ${name}`, 'give the options', 'invalid_model');
  const getParams = value.getParams ?? value.get_params;
  const told =
    KEPT.get(value) ??
    (value.facts && value.options) ??
    (typeof getParams === 'function' ? await Promise.resolve(getParams.call(value)).catch(failed) : undefined);
  const sha256 = await sha256Of(await textOfClass(Class));
  if (typeof told === 'object' && told !== null) {
    return { class: name, sha256, options: await recordOfFields(told, depth + 1) };
  }
  const config = typeof value.getConfig === 'function' ? value.getConfig() : undefined;
  const own: [string, Recorded][] = [];
  for (const [field, { value: each }] of fields.slice(0, MOST_FIELDS)) {
    const isData = typeof each === 'object' && each !== null;
    if (isData && config) continue; // the state of an optimizer
    const recorded = await recordOf(each, depth + 1);
    own.push([nameText(field), isData ? await withheld('object', canonicalJSON(recorded)) : recorded]);
  }
  const content = value instanceof Map || value instanceof Set ? await withheld(name, plainText([...value])) : null;
  const options = { ...Object.fromEntries(own), ...((await recordOfFields(config ?? {}, depth + 1)) as object) };
  return { class: name, sha256, options: content ? { content } : options };
}

/** The text of a class and of those that it extends, or of a function. */
async function textOfClass(Class: Class | undefined): Promise<string> {
  const texts: string[] = [];
  for (let at: unknown = Class; typeof at === 'function' && at !== Function.prototype; at = Object.getPrototypeOf(at)) {
    texts.push(Function.prototype.toString.call(at));
  }
  return texts.join('\n');
}

/** The place of a file says nothing of what is in it, and its name may be that of a patient. */
async function recordOfText(text: string, depth: number): Promise<Recorded> {
  if (fileUrlOf(text) !== undefined || /\.onnx$/i.test(text)) {
    const bytes = await readBytes(text).catch((error: unknown) => {
      if (error instanceof CVKitError) return undefined; // a text that only begins like a path
      throw error;
    });
    return bytes ? { class: 'file', sha256: await sha256Of(bytes) } : withheld('place', text);
  }
  return depth === ROWS_HERE || text.length > LONGEST_TEXT ? withheld('text', text) : text;
}

const withheld = async (kind: string, text: string): Promise<Recorded> => ({
  withheld: kind,
  sha256: await sha256Of(text),
});

/** Rows and long lists as text, for their hash. */
function plainText(value: unknown): string {
  const seen = new Set<unknown>();
  return (
    JSON.stringify(value, (_, each: unknown) => {
      if (typeof each === 'bigint' || typeof each === 'function') return String(each);
      if (ArrayBuffer.isView(each)) return Array.from(each as unknown as ArrayLike<number>);
      const { dataSync } = (each ?? {}) as { dataSync?: () => ArrayLike<number> };
      if (typeof dataSync === 'function') return Array.from(dataSync.call(each));
      if (typeof each !== 'object' || each === null) return typeof each === 'number' ? String(each) : each;
      if (seen.has(each)) return 'again';
      seen.add(each);
      return each;
    }) ?? ''
  );
}

/** Whether a recorded value is the value itself, so that a run can be given it again. */
export const isPlainRecord = (recorded: Recorded): boolean =>
  typeof recorded !== 'object' ||
  recorded === null ||
  (!['class', 'sha256'].some((name) => Object.hasOwn(recorded, name)) &&
    Object.values(recorded as Readonly<Record<string, Recorded>>).every(isPlainRecord));
