/** The splitter interface, the facts every splitter declares, and the base class that checks its input once. */

import { isDense, isTensor } from '../core/dense.js';
import { InfeasibleSplitError, InvalidDataError, phrase, sentence } from '../core/errors.js';
import { isLabels, type Label, type LabelsInput } from '../core/labels.js';
import {
  arrayLike,
  custom,
  isPlainObject,
  type OptionShape,
  type OptionsOf,
  type OptionTable,
  optionTable,
} from '../core/options.js';
import { rowCount } from '../core/rowKinds.js';
import type { RowsInput } from '../core/rows.js';
import { checkLength, checkSideData, type SideData } from '../core/sideData.js';
import { describe, written } from './describe.js';

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

/**
 * Why a row that could have been trained on is not: its label interval meets that of a test row, it lies in a gap in
 * time or its group is tested (`purged`), it follows a test block too soon (`embargoed`), it is too near a test row in
 * space (`buffered`).
 */
export const REASONS = ['purged', 'embargoed', 'buffered'] as const;

/** Row numbers by reason. */
export type Excluded = Readonly<Partial<Record<(typeof REASONS)[number], Int32Array>>>;

/** What `split` gives: folds, and what the user should know about them. */
export interface Folds extends Iterable<Fold> {
  /** Full sentences about folds that are allowed but not what one would wish for. */
  readonly warnings?: readonly string[];
}

/** The folds that `make` gives at each look, and what is to be said about them. */
export const withWarnings = (warnings: readonly string[], make: () => Iterator<Fold>): Folds => ({
  warnings,
  [Symbol.iterator]: make,
});

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
  /** The folds. `X` may be the number of rows alone; a plain object in the place of `y` is the data. */
  split(X?: RowsInput | number, y?: LabelsInput | null, data?: SideData): Folds;
  /** Number of folds that `split` yields, or an error when it needs data that it was not given. */
  getNSplits(X?: RowsInput | number, y?: LabelsInput | null, data?: SideData): number;
  readonly claims?: SplitterClaims;
}

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
  hierarchy: custom<Readonly<Record<string, ArrayLike<Label>>>>(
    'record of level -> id[]',
    'be a record of level name to ids',
    isPlainObject,
  )
    .optional()
    .describe('Ids of each row per level, outermost first.'),
  environment: custom<Readonly<Record<string, ArrayLike<number>>>>(
    'record of name -> number[]',
    'be a record of variable name to numbers',
    isPlainObject,
  )
    .optional()
    .describe('Environmental variables of each row.'),
});

/** Labels and options as a caller wrote them after `X`: a plain object in the place of `y` is the options. */
export function labelsAndOptions<T extends object>(
  y: LabelsInput | T | null | undefined,
  options: T | undefined,
): [LabelsInput | undefined, T | undefined] {
  return options === undefined && isPlainObject(y) && !isLabels(y) && !isDense(y)
    ? [undefined, y as T]
    : [y ?? undefined, options];
}

/** Reads the arguments of `split`, where a plain object in the place of `y` is the data. */
export function splitInput(
  name: string,
  X: RowsInput | number | undefined,
  y: LabelsInput | null | undefined,
  data: SideData | undefined,
): SplitInput {
  if (X === undefined) {
    throw new InvalidDataError(sentence(name, 'be given X or a number of rows', phrase('nothing')));
  }
  const n = rowCount(X);
  const [labels, options] = labelsAndOptions(y, data);
  const side = splitDataOptions.resolve(options);
  if (labels !== undefined && (typeof labels !== 'object' || 'then' in labels)) {
    throw new InvalidDataError(sentence('y', 'be an array, a typed array, a tensor or a column', labels));
  }
  const count =
    isTensor(labels) || isDense(labels) ? labels.shape[0] : (labels as { length?: unknown } | undefined)?.length;
  if (typeof count === 'number') checkLength({ length: count }, n, 'y');
  checkSideData(side, n);
  return { X, n, y: labels, data: side };
}

/** Base of the built-in splitters: options checked by the table, input checked once, errors before the first fold. */
export abstract class BaseSplitter<S extends OptionShape> implements Splitter {
  readonly options: OptionsOf<OptionTable<S>>;
  abstract readonly facts: SplitterFacts<S>;

  constructor(table: OptionTable<S>, options: unknown) {
    this.options = table.resolve(options);
  }

  get claims(): SplitterClaims {
    return this.facts.claims;
  }

  split(X?: RowsInput | number, y?: LabelsInput | null, data?: SideData): Folds {
    return this.plan(this.read(X, y, data));
  }

  /** One sentence: the design, its options and what it promises. */
  describe(): string {
    return describe(this.facts, this.options, this.claims);
  }

  /** As a user would write it, so that manifests and documents can say which splitter it was. */
  toJSON(): string {
    return written(this.facts, this.options);
  }

  abstract getNSplits(X?: RowsInput | number, y?: LabelsInput | null, data?: SideData): number;

  /** The checked input of `split` or `getNSplits`, or the error for what is missing. */
  protected read(X?: RowsInput | number, y?: LabelsInput | null, data?: SideData): SplitInput {
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
