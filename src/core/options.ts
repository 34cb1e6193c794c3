/**
 * Option tables: the only home of an option's type, range, default, aliases and description. From a table derive the types
 * ({@link InputOf}, {@link OptionsOf}), the check at the door, the spellings, and the parameter rows of `api-schema.json`.
 */
import { InvalidOptionError, kindOf, nearest, phrase, sentence, show } from './errors.js';
import { nameText } from './foreignText.js';
import { snakeCase } from './names.js';
import { isRandomSource, isSeed, type RandomState } from './random.js';

type Presence = 'required' | 'optional' | 'defaulted';

interface Facts<T, P extends Presence> {
  /** How the value type is written in documents, for example `integer`. */
  readonly type: string;
  /** What a value must be, as the error says it: "be an integer >= 2". */
  readonly must: string;
  readonly description: string;
  readonly aliases: readonly string[];
  readonly presence: P;
  readonly defaultValue: T | undefined;
  /** Null has a meaning of its own. For other options that may be left out, null means left out. */
  readonly takesNull: boolean;
  accepts(value: unknown): boolean;
  /** The value of ours behind another spelling of it. */
  readonly meant?: (value: unknown) => unknown;
  /** What is wrong with a value that is not accepted, for the error; left out, the value itself. */
  readonly wrong?: (value: unknown) => unknown;
  readonly wayOut?: WayOut;
  /** Why the manifest of a run does not hold it: it cannot change a number, or stands there elsewhere. */
  readonly unrecorded?: string | undefined;
}

/** What an option table knows about one option. `T` is the type of a value; `P` says whether it may be left out. */
export interface Option<T, P extends Presence = 'required'> extends Facts<T, P> {
  /** The value taken when the caller gives none. */
  default<D extends T>(value: D): Option<T, 'defaulted'>;
  optional(): Option<T | undefined, 'optional'>;
  nullable(): Option<T | null, P>;
  /** Further accepted names besides the canonical one and its snake_case form. */
  alias(...names: string[]): Option<T, P>;
  /** One sentence for the documents; `unrecorded`: why the manifest of a run does not hold it. */
  describe(text: string, unrecorded?: string): Option<T, P>;
  /** One sentence for the error: what to do instead, which may depend on what was given. */
  instead(way: WayOut): Option<T, P>;
}

type WayOut = string | ((got: unknown) => string | undefined);

// biome-ignore lint/suspicious/noExplicitAny: a table holds options of any value type
type AnyOption = Option<any, Presence>;
export type OptionShape = Record<string, AnyOption>;

type Value<O> = O extends Option<infer T, Presence> ? T : never;
type KeysWith<S extends OptionShape, P extends Presence> = {
  [K in keyof S]: S[K]['presence'] extends P ? K : never;
}[keyof S];
type Flat<T> = { [K in keyof T]: T[K] };

/** What a caller writes: required options, and the others if he likes; null and undefined mean left out. */
export type InputOf<T> =
  T extends OptionTable<infer S>
    ? Flat<
        { [K in KeysWith<S, 'required'>]: Value<S[K]> } & {
          [K in KeysWith<S, 'optional' | 'defaulted'>]?: Value<S[K]> | null | undefined;
        }
      >
    : never;

/** Every default filled in. */
export type OptionsOf<T> = T extends OptionTable<infer S> ? Readonly<{ [K in keyof S]: Value<S[K]> }> : never;

/** One row of `api-schema.json`: an option as the documents show it. */
export interface ParameterRow {
  name: string;
  spec_name: string;
  type: string;
  default?: unknown;
  required?: true;
  aliases?: readonly string[];
  description?: string;
}

export interface Parsed<S extends OptionShape> {
  readonly owner: string;
  readonly shape: S;
  readonly options: Readonly<{ [K in keyof S]: Value<S[K]> }>;
  /** Canonical names of the options that the caller wrote himself. */
  readonly written: ReadonlySet<keyof S & string>;
  /** Those of them with another value than the default: these alone may be refused for having no effect. */
  readonly changed: ReadonlySet<keyof S & string>;
}

export interface OptionTable<S extends OptionShape> {
  readonly owner: string;
  readonly shape: S;
  /** Checks the caller's object and fills in defaults. Throws {@link InvalidOptionError}. Never changes its input. */
  resolve(input?: unknown): OptionsOf<OptionTable<S>>;
  /** As `resolve`, and tells which options the caller wrote. */
  parse(input?: unknown): Parsed<S>;
  /** Canonical name behind any accepted spelling, or undefined. */
  canonical(name: string): (keyof S & string) | undefined;
  rows(): ParameterRow[];
}

/** Every spelling of every option declared so far, by owner, with the name that it stands for. */
export const DECLARED: Map<string, ReadonlyMap<string, string>> = new Map();

/**
 * Declares the options of one class or function.
 *
 * @example
 * const kFoldOptions = optionTable('KFold', {
 *   nSplits: integer({ min: 2 }).default(5).describe('Number of folds.'),
 * });
 *
 * @param elsewhere where a name belongs that is no option here, as a sentence
 */
export function optionTable<S extends OptionShape>(
  owner: string,
  shape: S,
  elsewhere?: (name: string) => string | undefined,
): OptionTable<S> {
  const spellings = new Map<string, keyof S & string>();
  for (const [name, option] of Object.entries(shape)) {
    for (const spelling of new Set([name, ...option.aliases].flatMap((each) => [each, snakeCase(each)]))) {
      const taken = spellings.get(spelling);
      if (taken) throw new Error(`option table of ${owner}: '${spelling}' stands for both ${taken} and ${name}`);
      spellings.set(spelling, name);
    }
  }
  DECLARED.set(owner, new Map<string, string>([...(DECLARED.get(owner) ?? []), ...spellings]));
  const nameOf = (key: string) => {
    const name = spellings.get(key);
    if (name) return name;
    const names = Object.keys(shape);
    const near = nearest(key, spellings.keys());
    const own = near ? `Did you mean \`${near}\`?` : `Its options are: ${names.join(', ') || 'none'}.`;
    const way = elsewhere?.(key) ?? own;
    throw new InvalidOptionError(`${owner} has no option \`${nameText(key)}\`. ${way}`, { code: 'unknown_option' });
  };
  const parse = (input: unknown = {}): Parsed<S> => {
    const passed = collect(owner, shape, nameOf, input ?? {});
    const options: Record<string, unknown> = {};
    for (const [name, option] of Object.entries(shape)) {
      const value = passed.get(name);
      if (value === undefined) {
        if (option.presence === 'required') {
          throw new InvalidOptionError(sentence(subject(owner, name), option.must, phrase('nothing')), {
            code: 'missing_option',
          });
        }
        options[name] = option.defaultValue;
      } else if (option.accepts(value)) {
        options[name] = value;
      } else {
        const { must, wrong, wayOut } = option;
        const way = typeof wayOut === 'function' ? wayOut(value) : wayOut;
        throw new InvalidOptionError(sentence(subject(owner, name), must, wrong ? wrong(value) : value, way));
      }
    }
    return {
      owner,
      shape,
      options: Object.freeze(options) as Parsed<S>['options'],
      written: new Set(passed.keys()),
      changed: new Set([...passed.keys()].filter((name) => !isSame(passed.get(name), shape[name].defaultValue))),
    };
  };
  return {
    owner,
    shape,
    parse,
    resolve: (input) => parse(input).options as OptionsOf<OptionTable<S>>,
    canonical: (name) => spellings.get(name),
    rows: () => Object.entries(shape).map(([name, option]) => parameterRow(name, option)),
  };
}

/** For {@link optionTable}: names that are options of another one. */
export const optionOf =
  ({ owner, canonical }: Pick<OptionTable<OptionShape>, 'owner' | 'canonical'>) =>
  (name: string): string | undefined =>
    canonical(name) && `It is an option of ${owner}.`;

const subject = (owner: string, name: string) => `The \`${name}\` option of ${owner}`;

/** The values that the caller wrote, by canonical name. */
function collect<S extends OptionShape>(
  owner: string,
  shape: S,
  nameOf: (key: string) => keyof S & string,
  input: unknown,
): Map<keyof S & string, unknown> {
  if (!isPlainObject(input)) {
    throw new InvalidOptionError(sentence(`The options of ${owner}`, 'be one plain object', input));
  }
  const passed = new Map<keyof S & string, unknown>();
  const spelledAs = new Map<string, string>();
  for (const [key, value] of Object.entries(input)) {
    const name = nameOf(key);
    const { presence, takesNull, meant } = shape[name];
    if (value === undefined || (value === null && presence !== 'required' && !takesNull)) continue;
    const other = spelledAs.get(name);
    if (other) {
      throw new InvalidOptionError(
        `${owner} was given one option under two names, \`${other}\` and \`${key}\`. Use \`${name}\` alone.`,
        { code: 'duplicate_option' },
      );
    }
    spelledAs.set(name, key);
    passed.set(name, meant ? meant(value) : value);
  }
  return passed;
}

function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (isList(a) && isList(b)) return a.length === b.length && Array.from(a).every((each, at) => isSame(each, b[at]));
  if (!isPlainObject(a) || !isPlainObject(b)) return false;
  const keys = Object.keys(a);
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]));
}

function parameterRow(name: string, option: AnyOption): ParameterRow {
  return {
    name,
    spec_name: snakeCase(name),
    type: option.type,
    ...(option.presence === 'required' ? { required: true } : {}),
    ...(option.presence === 'defaulted' ? { default: option.defaultValue } : {}),
    ...(option.aliases.length > 0 ? { aliases: option.aliases } : {}),
    ...(option.description ? { description: option.description } : {}),
  };
}

/** Refuses an option that the caller wrote and that could have no effect. */
export function rejectUnusedOption(owner: string, name: string, why: string, way = 'Leave it out.'): never {
  throw new InvalidOptionError(`${subject(owner, name)} has no effect: ${why}. ${way}`, { code: 'idle_option' });
}

/** The options of a method that has none. */
export type NoOptions = Readonly<Record<string, never>>;

export function noOptions(owner: string, input: unknown): void {
  optionTable(owner, {}).resolve(input);
}

function option<T>(
  type: string,
  must: string,
  accepts: (value: unknown) => boolean,
  facts?: Partial<Facts<T, 'required'>>,
): Option<T> {
  return make<T, 'required'>({
    type,
    must,
    description: '',
    aliases: [],
    presence: 'required',
    defaultValue: undefined,
    takesNull: false,
    accepts,
    ...facts,
  });
}

function make<T, P extends Presence>(facts: Facts<T, P>): Option<T, P> {
  return {
    ...facts,
    default: (value) => make<T, 'defaulted'>({ ...facts, presence: 'defaulted', defaultValue: value }),
    optional: () => make<T | undefined, 'optional'>({ ...facts, presence: 'optional', defaultValue: undefined }),
    nullable: () =>
      make<T | null, P>({
        ...facts,
        type: `${facts.type} | null`,
        must: `${facts.must}, or null`,
        takesNull: true,
        accepts: (value) => value === null || facts.accepts(value),
      }),
    alias: (...names) => make({ ...facts, aliases: [...facts.aliases, ...names] }),
    describe: (description, unrecorded = facts.unrecorded) => make({ ...facts, description, unrecorded }),
    instead: (wayOut) => make({ ...facts, wayOut }),
  };
}

interface Range {
  min?: number;
  max?: number;
  /** Exclusive lower bound. */
  above?: number;
  /** Exclusive upper bound. */
  below?: number;
}

const inRange = (value: number, { min = -Infinity, max = Infinity, above = -Infinity, below = Infinity }: Range) =>
  value >= min && value <= max && value > above && value < below;

const rangeWords = ({ min, max, above, below }: Range) => {
  const words = [
    min === undefined ? '' : `>= ${min}`,
    above === undefined ? '' : `> ${above}`,
    max === undefined ? '' : `<= ${max}`,
    below === undefined ? '' : `< ${below}`,
  ].filter(Boolean);
  return words.length ? ` ${words.join(' and ')}` : '';
};

export const integer = (range: Range = {}): Option<number> =>
  option('integer', `be an integer${rangeWords(range)}`, (v) => Number.isSafeInteger(v) && inRange(v as number, range));

export const number = (range: Range = {}): Option<number> =>
  option('number', `be a number${rangeWords(range)}`, (v) => Number.isFinite(v) && inRange(v as number, range));

/** A share of the rows, 0 < v < 1, or a count of rows, an integer >= 1. */
export const size = (): Option<number> =>
  option(
    'number',
    'be a share between 0 and 1 (both excluded) or a count of rows, an integer >= 1',
    (v) => typeof v === 'number' && v > 0 && (v < 1 || Number.isSafeInteger(v)),
  );

export const boolean = (): Option<boolean> => option('boolean', 'be true or false', (v) => typeof v === 'boolean');

export const string = <T extends string = string>(): Option<T> =>
  option('string', 'be a non-empty string', (v) => typeof v === 'string' && v.length > 0);

/** One of these words; as names of options are, each is also accepted in snake_case, as scikit-learn has it. */
export const oneOf = <const V extends string>(...values: V[]): Option<V> =>
  option(
    values.map((v) => `'${v}'`).join(' | '),
    values.length === 1 ? `be '${values[0]}'` : `be one of ${values.map((v) => `'${v}'`).join(', ')}`,
    (v) => values.includes(v as V),
    { meant: (v) => values.find((each) => snakeCase(each) === v) ?? v },
  );

export const randomState = (): Option<RandomState> =>
  option(
    'integer | string | RandomSource | null',
    'be an integer from 0 to 4294967295, a non-empty string, a RandomSource, or null',
    (v) => isSeed(v) || isRandomSource(v),
    { takesNull: true },
  );

/** A seed that can be derived per fold: an integer, a string, or null for fresh. */
export const seed = (): Option<number | string | null> =>
  option('integer | string | null', 'be an integer from 0 to 4294967295, a non-empty string, or null', isSeed, {
    takesNull: true,
  });

/** An array or typed array whose entries the receiving code checks. */
export const arrayLike = <T = unknown>(type = 'array'): Option<ArrayLike<T>> =>
  ofRows(type, 'be an array or typed array', isList);

/** Values for each row in any form that passes `accepts`; messages tell their kind alone, and a manifest their SHA-256. */
export const ofRows = <T>(type: string, must: string, accepts: (value: unknown) => boolean): Option<T> =>
  custom<T>(type, must, accepts, {
    wrong: (value) => kindOf(value),
    unrecorded: 'its SHA-256 stands in `sha256.data`',
  });

/** A list whose every entry passes `accepts`; the error names the first that does not. */
export const listOf = <T>(type: string, must: string, accepts: (value: unknown) => boolean): Option<readonly T[]> => {
  const wrong = (list: unknown) => {
    if (!Array.isArray(list)) return list;
    const at = list.findIndex((each) => !accepts(each));
    return phrase(`${show(list[at])} in place ${at}`);
  };
  return option(`${type}[]`, must, (v) => Array.isArray(v) && v.every((each) => accepts(each)), { wrong });
};

/** Anything that passes `accepts`: the escape hatch for functions, models, tables of options, unions. */
export const custom = <T>(
  type: string,
  must: string,
  accepts: (value: unknown) => boolean,
  facts?: Partial<Facts<T, 'required'>>,
): Option<T> => option(type, must, (value) => value !== undefined && value !== null && accepts(value), facts);

/** Anything at all; the receiving code knows what it can use. */
export const anything = <T = unknown>(type: string, must = 'be given'): Option<T> => custom(type, must, () => true);

/** True for arrays and typed arrays. A DataView has no entries. */
export const isList = (value: unknown): value is ArrayLike<unknown> =>
  Array.isArray(value) || (ArrayBuffer.isView(value) && !(value instanceof DataView));

/** True for `{}` and `Object.create(null)`, false for arrays, class instances, functions and null. */
export function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === null || prototype === Object.prototype || Object.getPrototypeOf(prototype) === null;
}
