import { InvalidOptionError, suggestion } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import {
  arrayLike,
  type InputOf,
  isPlainObject,
  type OptionShape,
  type OptionTable,
  ofRows,
  optionTable,
} from '../core/options.js';
import { isDense } from '../data/dense.js';
import { isLabels, type Label, type LabelsInput } from '../data/labels.js';
import type { RowsInput } from '../data/rows.js';
import type { SideData } from '../data/sideData.js';

/** Makes folds. Errors come from the call to `split`, never from the first `next()`. */
export interface Splitter {
  /** The folds. `X` may be the number of rows alone; a plain object in the place of `y` is the data. Pairs `[train, test]` will do. */
  split(
    X?: RowsInput | number | null,
    y?: LabelsInput | SplitData | null,
    data?: SplitData | null,
  ): Folds<Fold | GivenFold>;
  /** Number of folds that `split` yields; throws when it needs data that are missing. */
  getNSplits(X?: RowsInput | number | null, y?: LabelsInput | SplitData | null, data?: SplitData | null): number;
  readonly claims?: SplitterClaims;
  /** The inputs besides `X` that decide the folds. Left out: unknown, so labels are assumed to decide them. */
  readonly reads?: readonly SplitInputName[];
  /** The same design with this seed wherever it would draw anew, also in what it holds; itself where nothing is open. */
  reseed?(seed: number | string): Splitter;
  /** One repeat of the same design drawn from this seed, whatever seed it has; undefined where nothing is drawn, and for subclasses. */
  redraw?(seed: number | string): Splitter | undefined;
  /** One repeat with so many folds, for rows of a fold; undefined without such an option, or with data of all rows. */
  resized?(nSplits: number): Splitter | undefined;
  /** Whether every call to `split` gives the same folds, also in another process. Left out: unknown. */
  readonly repeatable?: boolean | undefined;
  /** The splitters of both levels, where every fold has `inner` folds. */
  readonly nested?: { readonly outer: Splitter; readonly inner: Splitter } | undefined;
  /** The bootstrap estimate that the design asks for; left out: the mean over the rows left out. */
  readonly estimator?: BootstrapEstimator | undefined;
  /** Whether `split` takes labels as the view {@link Labels}; else it is given an array of labels. */
  readonly takesLabels?: boolean;
  /** The splitter as it is written in code, for records and reports: `KFold({ nSplits: 5 })`. */
  toJSON?(): string;
}

/** Estimators of a bootstrap design besides the mean over the rows left out. */
export type BootstrapEstimator = '.632' | '.632+' | 'optimism';

export type SplitInputName = 'y' | keyof SideData;

/** One train/test partition as row numbers of the full data. Values, not views: safe to keep. */
export interface Fold {
  /** Unique in the plan, for example `fold-0` or `repeat-1_fold-0`: letters, digits, `-`, `_` and `.`. */
  readonly id: string;
  /** Ascending row numbers. */
  readonly train: Int32Array;
  /** Ascending row numbers. */
  readonly test: Int32Array;
  /** Which repetition of the whole design, from 0. */
  readonly repeat?: number;
  /** Inner folds, drawn from `train` only and bound to it: `inner.split()` takes nothing. */
  readonly inner?: Splitter;
  /** Rows kept out of `train` to protect the test rows, by reason. Each list ascending; they share no row. */
  readonly excluded?: Excluded;
}

type Pair = readonly [train: Int32Array, test: Int32Array];

/** A fold as cvkit gives it out: its sides by name, or as a pair: `const [train, test] = fold`. */
export interface IterableFold extends Fold, Pair {
  readonly inner?: IterableSplitter;
}

/** A splitter whose folds are {@link IterableFold}s, as all of ours are. */
export interface IterableSplitter extends Splitter {
  split(...input: Parameters<Splitter['split']>): Folds<IterableFold>;
}

/** A fold as other tools and other splitters write it: named sides, or scikit-learn's pair. */
export type GivenFold =
  | {
      readonly train: ArrayLike<number>;
      readonly test: ArrayLike<number>;
      readonly id?: string;
      readonly repeat?: number;
      /** Rows kept out of training, by reason: 'purged', 'embargoed', 'buffered'. */
      readonly excluded?: Readonly<Record<string, ArrayLike<number>>>;
    }
  | readonly [train: ArrayLike<number>, test: ArrayLike<number>];

/**
 * Why a row does not train though it could: its label interval meets that of a test row, it lies in a gap in time or
 * its group is tested (`purged`), it follows a test block too soon (`embargoed`), it is too near a test row in space
 * (`buffered`).
 */
export const REASONS = ['purged', 'embargoed', 'buffered'] as const;

export type Excluded = Readonly<Partial<Record<(typeof REASONS)[number], Int32Array>>>;

/** What `split` gives: folds, and what the user should know about them. */
export interface Folds<F = Fold> extends Iterable<F> {
  /** Full sentences about folds that are allowed but not ideal. */
  readonly warnings?: readonly string[];
}

export const withWarnings = <F>(warnings: readonly string[] | undefined, make: () => Iterator<F>): Folds<F> => ({
  ...(warnings ? { warnings } : {}),
  [Symbol.iterator]: make,
});

/** Decides the folds by `seed` wherever the splitter can take one: see {@link Splitter.reseed}. */
export const seeded = (splitter: Splitter, seed: number | string): Splitter => splitter?.reseed?.(seed) ?? splitter;

export const isSplitter = (value: unknown): value is Splitter =>
  typeof value === 'object' && value !== null && typeof (value as Splitter).split === 'function';

/** The solution where a list of folds, or a plan of them, stands in the place of a splitter. */
export function insteadOfFolds(value: unknown): string | undefined {
  if (Array.isArray(value)) return 'Use new PredefinedSplit({ folds }) for folds that are given.';
  const { splitterName, [Symbol.iterator]: folds } = (value ?? {}) as {
    splitterName?: unknown;
    [Symbol.iterator]?: unknown;
  };
  return folds && splitterName ? 'Use new PredefinedSplit({ folds: [...plan] }) for the folds of a plan.' : undefined;
}

export function writtenAs(splitter: Splitter): string | undefined {
  const text: unknown = splitter.toJSON?.();
  return typeof text === 'string' ? text : undefined;
}

export type SplitArguments = Parameters<Splitter['split']>;

/** Facts about a splitter class: what the registry, the documents and the conformance suite read. */
export interface SplitterFacts<S extends OptionShape = OptionShape> {
  readonly name: string;
  readonly aliases?: readonly string[];
  readonly family: 'iid' | 'grouped' | 'temporal' | 'spatial' | 'multilabel';
  readonly description: string;
  readonly options: OptionTable<S>;
  /** Inputs that `split` cannot do without, besides the rows. */
  readonly needs: readonly SplitInputName[];
  /** An option that stands in for what it needs. */
  readonly orOption?: string;
  /** Inputs of which `split` needs at least one. */
  readonly needsOneOf?: readonly (keyof SideData)[];
  /** Inputs that it makes use of when they are given. */
  readonly uses?: readonly SplitInputName[];
  readonly claims: SplitterClaims;
}

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
  hierarchy: ofRows<Readonly<Record<string, ArrayLike<Label | null>>>>(
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

/** Labels and options as the caller wrote them after `X`: a plain object in the place of `y`, but { time, event }, is the options. */
export const labelsAndOptions = <T extends object>(
  y: LabelsInput | T | null | undefined,
  options: T | null | undefined,
): [LabelsInput | undefined, T | undefined] =>
  !options && isPlainObject(y) && !isLabels(y) && !isDense(y) && !('time' in y && 'event' in y)
    ? [undefined, y as T]
    : [(y as LabelsInput | null | undefined) ?? undefined, options ?? undefined];

/**
 * What a splitter promises. `foldsOf` checks every promise except `stratified`, `exhaustive`, `separated`, `given`,
 * `geographic` and `wholeLevel` (the hierarchy check, CVL008, checks that one); the conformance suite, which knows the data,
 * also checks `stratified` and `wholeLevel`.
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
  readonly keepsTies?: boolean;
  /** No interval [timestamp, labelEndTime] of a training row overlaps one of a test row. */
  readonly purged?: boolean;
  /** Test rows are separated from training rows in space or by their features, so folds are not random parts. */
  readonly separated?: boolean;
  /** Every choice of test rows, groups or blocks is a fold, so the scores of the folds are not a sample. */
  readonly exhaustive?: boolean;
  /** The folds were made elsewhere: they may be random parts of the data as well as sites or years. */
  readonly given?: boolean;
  /** The level of `hierarchy` whose ids are never on both sides of a fold. */
  readonly wholeLevel?: string;
  /** Coordinates are [lat, lon] in degrees, distances are kilometres on the Earth. */
  readonly geographic?: boolean;
}

/** Claims that `describe` does not list: one is a warning of its own there, the others can be seen from the design. */
const UNLISTED = [
  'exhaustive',
  'given',
  'wholeLevel',
  'geographic',
] as const satisfies readonly (keyof SplitterClaims)[];

const PROMISES: Readonly<Record<Exclude<keyof SplitterClaims, (typeof UNLISTED)[number]>, string>> = {
  partition: 'every row is tested once per repeat',
  disjointGroups: 'no group is on both sides',
  stratified: 'every test set has the shares of the classes',
  timeOrdered: 'training is earlier than testing',
  keepsTies: 'rows of one time stay together',
  separated: 'test rows lie apart from training rows',
  purged: 'no training label interval meets a test one',
};

const NAMES: readonly string[] = [...Object.keys(PROMISES), ...UNLISTED];

/** Throws {@link InvalidOptionError} for a claim with a misspelt name, which nothing would check. */
export function checkedClaims(claims: SplitterClaims = {}, splitterName: string): SplitterClaims {
  const unknown = Object.keys(claims).find((name) => !NAMES.includes(name));
  if (unknown === undefined) return claims;
  throw new InvalidOptionError(
    `${splitterName} has a claim '${nameText(unknown)}', which cvkit does not know. ${suggestion(unknown, NAMES)}`,
  );
}

export const promisesOf = (claims: SplitterClaims): string[] =>
  Object.entries(PROMISES).flatMap(([claim, clause]) => (claims[claim as keyof SplitterClaims] ? [clause] : []));

const side = (name: 'train' | 'test') => ({
  get(this: Fold) {
    return this[name];
  },
});
/** The prototype of folds that are yielded, so that a copy of a fold (spread, JSON, structuredClone) stays plain. */
const PAIR = Object.create(Array.prototype, {
  ...{ constructor: { value: Object }, length: { value: 2 } },
  ...{ 0: side('train'), 1: side('test') },
});

export const iterableFold = <F extends Fold>(fold: F): F & IterableFold => Object.assign(Object.create(PAIR), fold);

export const iterableFolds = (folds: Folds): Folds<IterableFold> =>
  withWarnings(folds.warnings, function* () {
    for (const fold of folds) yield iterableFold(fold);
  });

export const namedSides = <F extends object>(value: F): Exclude<F, readonly unknown[]> =>
  (Array.isArray(value) ? { train: value[0], test: value[1] } : value) as Exclude<F, readonly unknown[]>;
