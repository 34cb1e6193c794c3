/** The splitter interface, the facts every splitter declares, and the base class that checks its input once. */

import { InfeasibleSplitError, InvalidDataError, kindOf, phrase, sentence } from '../core/errors.js';
import {
  arrayLike,
  type InputOf,
  isPlainObject,
  type OptionShape,
  type OptionsOf,
  type OptionTable,
  ofRows,
  optionTable,
} from '../core/options.js';
import type { RandomState } from '../core/random.js';
import { isDense, isTensor } from '../data/dense.js';
import { isLabels, type Label, type LabelsInput } from '../data/labels.js';
import { rowCount } from '../data/rowKinds.js';
import type { RowsInput } from '../data/rows.js';
import { checkLength, checkSideData, type SideData } from '../data/sideData.js';
import { describe, written } from './describe.js';
import {
  type Fold,
  type Folds,
  type GivenFold,
  type IterableFold,
  type IterableSplitter,
  iterableFolds,
} from './fold.js';

export { type Excluded, type Fold, type Folds, type IterableFold, REASONS, withWarnings } from './fold.js';

/**
 * What a splitter promises. The conformance suite and `foldsOf` hold it to that, but for `stratified`, `exhaustive`,
 * `wholeLevel` (the hierarchy check, CVL008, does) and `onEarth`.
 */
export interface SplitterClaims {
  /** Every row is tested exactly once per repeat. */
  readonly partition?: boolean;
  /** No group is ever on both sides of a fold. */
  readonly disjointGroups?: boolean;
  /** Every test set has the shares of the classes. */
  readonly stratified?: boolean;
  /** Every training row is earlier than every test row of its fold. */
  readonly timeOrdered?: boolean;
  /** Rows of one time are never on both sides of a fold. */
  readonly wholeTimes?: boolean;
  /** No interval [timestamp, labelEndTime] of a training row meets one of a test row. */
  readonly disjointIntervals?: boolean;
  /** Test rows lie apart from training rows in space or by their features, so that folds are no random parts. */
  readonly apart?: boolean;
  /** Every choice of test rows, groups or blocks is a fold, so that the scores of folds are no sample. */
  readonly exhaustive?: boolean;
  /** The level of `hierarchy` whose ids are never on both sides of a fold. */
  readonly wholeLevel?: string;
  /** Coordinates are read as [lat, lon] in degrees, distances as kilometres on the Earth. */
  readonly onEarth?: boolean;
}

/** Makes folds. Errors come from the call to `split`, never from the first `next()`. */
export interface Splitter {
  /**
   * The folds. `X` may be the number of rows alone; a plain object in the place of `y` is the data. A splitter of one's
   * own may yield pairs, `[train, test]`.
   */
  split(
    X?: RowsInput | number | null,
    y?: LabelsInput | SplitData | null,
    data?: SplitData | null,
  ): Folds<Fold | GivenFold>;
  /** Number of folds that `split` yields, or an error when it needs data that it was not given. */
  getNSplits(X?: RowsInput | number | null, y?: LabelsInput | SplitData | null, data?: SplitData | null): number;
  readonly claims?: SplitterClaims;
  /**
   * The same design with this seed wherever it has none and would draw other folds at each call, also in the splitters
   * that it is made of; itself where nothing is left to decide. Changes nothing of what it is called on.
   */
  reseed?(seed: number | string): Splitter;
  /** Whether every call to `split` gives the same folds, also in another process. Left out: nobody knows. */
  readonly repeatable?: boolean;
}

/** A splitter whose folds `seed` decides wherever it can be told: see {@link Splitter.reseed}. */
export const seeded = (splitter: Splitter, seed: number | string): Splitter => splitter?.reseed?.(seed) ?? splitter;

/** True for whatever makes folds. */
export const isSplitter = (value: unknown): value is Splitter =>
  typeof value === 'object' && value !== null && typeof (value as Splitter).split === 'function';

/** Arguments of `split` and of `getNSplits`. */
export type SplitArguments = Parameters<Splitter['split']>;

/** Facts about a splitter class: what the registry, the documents and the conformance suite read. */
export interface SplitterFacts<S extends OptionShape = OptionShape> {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly family: 'iid' | 'grouped' | 'temporal' | 'spatial' | 'multilabel';
  readonly description: string;
  readonly options: OptionTable<S>;
  /** Inputs that `split` cannot do without, besides the rows. */
  readonly needs: readonly ('y' | keyof SideData)[];
  /** An option that stands in for what it needs. */
  readonly orOption?: string;
  /** Inputs of which `split` needs at least one. */
  readonly needsOneOf?: readonly (keyof SideData)[];
  /** Inputs that it makes use of when they are given. */
  readonly uses?: readonly ('y' | keyof SideData)[];
  readonly claims: SplitterClaims;
}

/** The checked input of one call to `split`. */
export interface SplitInput {
  readonly X: RowsInput | number;
  readonly n: number;
  readonly y: LabelsInput | undefined;
  readonly data: SideData;
}

/** The options of `split` and `getNSplits` after `X` and `y`. */
export const splitDataOptions = optionTable('split', {
  groups: arrayLike<Label>('id[]').optional().alias('patientIds').describe('Patient (or other unit) of each row.'),
  timestamps: arrayLike<number | Date | string>('(number | Date | string)[]')
    .optional()
    .describe(
      'Time of each row: numbers, or Dates and ISO 8601 strings such as 2024-05-31 or 2024-05-31T10:00+02:00 (UTC without an offset).',
    ),
  labelEndTimes: arrayLike<number | Date | string>('(number | Date | string)[]')
    .optional()
    .describe('When each label is known.'),
  coordinates: arrayLike<ArrayLike<number>>('[number, number][]')
    .optional()
    .describe('[x, y] or [lat, lon] of each row.'),
  hierarchy: ofRows<Readonly<Record<string, ArrayLike<Label>>>>(
    'record of level -> id[]',
    'be a record of level name to ids',
    isPlainObject,
  )
    .optional()
    .describe('Ids of each row per level, outermost first.'),
  environment: ofRows<Readonly<Record<string, ArrayLike<number>>>>(
    'record of name -> number[]',
    'be a record of variable name to numbers',
    isPlainObject,
  )
    .optional()
    .describe('Environmental variables of each row.'),
});

export type SplitData = InputOf<typeof splitDataOptions>;

/** Labels and options as a caller wrote them after `X`: a plain object in the place of `y` is the options. */
export function labelsAndOptions<T extends object>(
  y: LabelsInput | T | null | undefined,
  options: T | null | undefined,
): [LabelsInput | undefined, T | undefined] {
  return !options && isPlainObject(y) && !isLabels(y) && !isDense(y)
    ? [undefined, y as T]
    : [(y as LabelsInput | null | undefined) ?? undefined, options ?? undefined];
}

/** Reads the arguments of `split`, where a plain object in the place of `y` is the data. */
export function splitInput(
  name: string,
  X: RowsInput | number | null | undefined,
  y: LabelsInput | SplitData | null | undefined,
  data: SplitData | null | undefined,
): SplitInput {
  if (X === undefined || X === null) {
    throw new InvalidDataError(sentence(name, 'be given X or a number of rows', phrase('nothing')));
  }
  const n = rowCount(X);
  const [labels, options] = labelsAndOptions(y, data);
  const side = splitDataOptions.resolve(options);
  if (labels !== undefined && (typeof labels !== 'object' || 'then' in labels)) {
    throw new InvalidDataError(sentence('y', 'be an array, a typed array, a tensor or a column', kindOf(labels)));
  }
  const count =
    isTensor(labels) || isDense(labels) ? labels.shape[0] : (labels as { length?: unknown } | undefined)?.length;
  if (typeof count === 'number') checkLength({ length: count }, n, 'y');
  checkSideData(side, n);
  return { X, n, y: labels, data: side };
}

/** The options by which a splitter draws, where it has them. */
interface Drawing {
  readonly randomState?: RandomState;
  readonly shuffle?: boolean;
}

/** Base of the built-in splitters: options checked by the table, input checked once, errors before the first fold. */
export abstract class BaseSplitter<S extends OptionShape> implements IterableSplitter {
  readonly options: OptionsOf<OptionTable<S>>;
  abstract readonly facts: SplitterFacts<S>;

  /** `randomState: null` was written: new folds at each call are what is wanted. */
  readonly #fresh: boolean;

  constructor(table: OptionTable<S>, options: unknown) {
    const parsed = table.parse(options);
    this.options = parsed.options as OptionsOf<OptionTable<S>>;
    this.#fresh = (parsed.written as ReadonlySet<string>).has('randomState');
  }

  get claims(): SplitterClaims {
    return this.facts.claims;
  }

  get repeatable(): boolean {
    const { randomState = 0, shuffle = true } = this.options as Drawing;
    const fixed = shuffle === false || typeof randomState === 'number' || typeof randomState === 'string';
    return fixed && Object.values(this.options).every((each) => !isSplitter(each) || each.repeatable !== false);
  }

  /**
   * A copy that draws from `seed` what this splitter would draw anew at each call, unless `randomState: null` was written; its outer
   * and inner splitters likewise. The splitter itself where all is decided, and for classes derived from ours, whose
   * constructors may take something else.
   */
  reseed(seed: number | string): this {
    const Class = this.constructor as new (options: object) => this;
    if (this.repeatable || !Object.hasOwn(Class, 'facts')) return this;
    const { randomState, shuffle = true } = this.options as Drawing;
    const parts = Object.entries(this.options).map(([name, each]) => [
      name,
      isSplitter(each) ? seeded(each, seed) : each,
    ]);
    const own = randomState === null && shuffle && !this.#fresh ? { randomState: seed } : {};
    return new Class({ ...Object.fromEntries(parts), ...own });
  }

  split(
    X?: RowsInput | number | null,
    y?: LabelsInput | SplitData | null,
    data?: SplitData | null,
  ): Folds<IterableFold> {
    return iterableFolds(this.plan(this.read(X, y, data)));
  }

  /** One sentence: the design, its options and what it promises. */
  describe(): string {
    return describe(this.facts, this.options, this.claims);
  }

  /** As a user would write it, so that manifests and documents can say which splitter it was. */
  toJSON(): string {
    return written(this.facts, this.options);
  }

  abstract getNSplits(
    X?: RowsInput | number | null,
    y?: LabelsInput | SplitData | null,
    data?: SplitData | null,
  ): number;

  /** The checked input of `split` or `getNSplits`, or the error for what is missing. */
  protected read(...[X, y, data]: Parameters<Splitter['split']>): SplitInput {
    const { name, needs, needsOneOf, orOption } = this.facts;
    const input = splitInput(name, X, y, data);
    const standIn = orOption === undefined ? null : (this.options as Readonly<Record<string, unknown>>)[orOption];
    if (standIn === null) {
      for (const need of needs) given(name, need, need === 'y' ? input.y : input.data[need], orOption);
    }
    if (needsOneOf?.every((each) => input.data[each] === undefined)) {
      const must = `be given ${needsOneOf.map((each) => `\`${each}\``).join(' or ')}`;
      throw new InvalidDataError(sentence(name, must, phrase('nothing')), { code: `missing_${needsOneOf[0]}` });
    }
    return input;
  }

  /** Does every check now and gives folds lazily. */
  protected abstract plan(input: SplitInput): Folds;
}

/** `value` itself, or the error for an input that the splitter cannot do without, unless it has `orOption`. */
export function given<T>(owner: string, name: 'y' | keyof SideData, value: T | undefined, orOption?: string): T {
  if (value !== undefined) return value;
  const which = name === 'groups' ? ' (the patient of each row)' : '';
  const or = orOption === undefined ? '' : ` or the option \`${orOption}\``;
  throw new InvalidDataError(sentence(owner, `be given \`${name}\`${which}${or}`, phrase('nothing')), {
    code: `missing_${name}`,
  });
}

/** `count` itself, or the error for less than one row (group, ...) to train on and one to test. */
export function checkTwo(owner: string, count: number, what: string): number {
  if (count >= 2) return count;
  throw new InfeasibleSplitError(sentence(owner, `have at least 2 ${what}`, phrase(String(count))));
}

/** Refuses more folds (or what else `option` counts) than there are rows, groups, ... to fill them. */
export function checkEnough(owner: string, wanted: number, count: number, what: string, option = 'nSplits'): void {
  if (wanted > count) {
    if (count < 2) checkTwo(owner, count, what);
    throw new InfeasibleSplitError(
      sentence(`The \`${option}\` option of ${owner}`, `be at most the number of ${what}, ${count}`, wanted),
    );
  }
}
