/** What splitters promise: the names, the words for them, and the names that they had before. */
import { InvalidOptionError, suggestion } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';

/**
 * What a splitter promises. The conformance suite and `foldsOf` check every promise except `stratified`, `exhaustive`,
 * `separated`, `given`, `geographic` and `wholeLevel` (the hierarchy check, CVL008, checks that one).
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
  /** @deprecated Use `keepsTies`. */
  readonly wholeTimes?: boolean;
  /** @deprecated Use `purged`. */
  readonly disjointIntervals?: boolean;
  /** @deprecated Use `separated`. */
  readonly apart?: boolean;
  /** @deprecated Use `geographic`. */
  readonly onEarth?: boolean;
}

/** Old name to new name. */
const RENAMED = {
  wholeTimes: 'keepsTies',
  disjointIntervals: 'purged',
  apart: 'separated',
  onEarth: 'geographic',
} as const satisfies Partial<Record<keyof SplitterClaims, keyof SplitterClaims>>;

/** Claims that `describe` does not list: one is a warning of its own there, the others can be seen from the design. */
const UNLISTED = [
  'exhaustive',
  'given',
  'wholeLevel',
  'geographic',
] as const satisfies readonly (keyof SplitterClaims)[];

/** Each promise as a clause. */
const PROMISES: Readonly<
  Record<Exclude<keyof SplitterClaims, (typeof UNLISTED)[number] | keyof typeof RENAMED>, string>
> = {
  partition: 'every row is tested once per repeat',
  disjointGroups: 'no group is on both sides',
  stratified: 'every test set has the shares of the classes',
  timeOrdered: 'training is earlier than testing',
  keepsTies: 'rows of one time stay together',
  separated: 'test rows lie apart from training rows',
  purged: 'no training label interval meets a test one',
};

const NAMES: readonly string[] = [...Object.keys(PROMISES), ...UNLISTED];

/** The claims under their present names. */
export const presentClaims = (claims: SplitterClaims = {}): SplitterClaims =>
  Object.fromEntries(
    Object.entries(claims).map(([name, value]) => [
      Object.hasOwn(RENAMED, name) ? RENAMED[name as keyof typeof RENAMED] : name,
      value,
    ]),
  );

/** The same. Throws {@link InvalidOptionError} for a claim with a misspelt name, which nothing would check. */
export function checkedClaims(claims: SplitterClaims | undefined, splitterName: string): SplitterClaims {
  const present = presentClaims(claims);
  const odd = Object.keys(present).find((name) => !NAMES.includes(name));
  if (odd === undefined) return present;
  throw new InvalidOptionError(
    `${splitterName} has a claim '${nameText(odd)}', which cvkit does not know. ${suggestion(odd, NAMES)}`,
  );
}

/** The same claims, which can also be read, but not listed, under their old names. */
export function withOldNames(claims: SplitterClaims): SplitterClaims {
  const old = Object.entries(RENAMED).map(([name, present]) => [name, { value: claims[present] }] as const);
  return Object.defineProperties({ ...claims }, Object.fromEntries(old));
}

/** All promises as clauses. */
export const promisesOf = (claims: SplitterClaims): string[] =>
  Object.entries(PROMISES).flatMap(([claim, clause]) => (claims[claim as keyof SplitterClaims] ? [clause] : []));
