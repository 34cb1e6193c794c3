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
