/** Folds that are random cuts, each by itself: plain, stratified or of whole groups. And the options of such splitters. */

import { custom, isList, type OptionsOf, type OptionTable, randomState, size } from '../core/options.js';
import { randomSource } from '../core/random.js';
import { tally } from '../data/encode.js';
import { groupsOf } from '../data/sideData.js';
import { cutOut, foldId } from './assignment.js';
import type { SplitterClaims } from './claims.js';
import { groupedCut, plainCut, stratifiedCut, TEST, testCount } from './cut.js';
import { requireInput, type SplitInput } from './splitInput.js';
import type { Fold } from './splitter.js';
import { type Strata, strataOf } from './strata.js';

/** The options of a splitter by random cuts. */
export const cutOptions = {
  testSize: size().default(0.2).describe('Share of the rows (rounded up) or count of rows in the test set.'),
  randomState: randomState().default(null).describe('Seed of the draw.'),
  stratify: custom<ArrayLike<string | number | boolean> | boolean>(
    'label[] | boolean',
    'be an array of labels, or true for y',
    (value) => typeof value === 'boolean' || isList(value),
  )
    .nullable()
    .default(null)
    .describe('Give every class the same share on both sides: an array of labels, or true for y.'),
};

type CutOptions = OptionsOf<OptionTable<typeof cutOptions>>;

/** Cuts are stratified where the caller asks for it. */
export const cutClaims = ({ stratify }: CutOptions, claims: SplitterClaims): SplitterClaims => ({
  ...claims,
  stratified: Boolean(stratify),
});

/** `count` random cuts, each by itself, from one random stream; of whole groups where groups are given. */
export function randomCuts(owner: string, input: SplitInput, options: CutOptions, count: number): Iterable<Fold> {
  const draw = drawer(owner, input, options);
  // The first cut is drawn now: it finds out whether the data can be cut that way.
  return cuts(draw(), draw, count);
}

function drawer(owner: string, { n, y, data }: SplitInput, options: CutOptions): () => Int32Array {
  const nTest = testCount(owner, options.testSize, n);
  const source = randomSource(options.randomState);
  const strata = strataFor(owner, options.stratify, n, y);
  if (data.groups) {
    const groups = groupsOf(data.groups, n);
    return () => groupedCut(owner, groups, nTest, source, strata);
  }
  return strata ? () => stratifiedCut(owner, strata, nTest, source) : () => plainCut(n, nTest, source);
}

function strataFor(owner: string, stratify: CutOptions['stratify'], n: number, y: SplitInput['y']): Strata | undefined {
  if (stratify === null || stratify === false) return undefined;
  const asker = { owner, instead: 'Pass `stratify` an array of classes instead.' };
  return stratify === true
    ? strataOf(requireInput(owner, 'y', y), n, asker)
    : strataOf(stratify, n, { ...asker, argument: 'stratify' });
}

function* cuts(first: Int32Array, draw: () => Int32Array, count: number): Generator<Fold> {
  for (let fold = 0; fold < count; fold++) {
    const side = fold === 0 ? first : draw();
    yield { id: foldId(fold), ...cutOut(side, TEST, tally(side, 2)[TEST]) };
  }
}
