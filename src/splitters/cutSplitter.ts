/** What the splitters by random cuts share: their options, and cuts that are plain, stratified or of whole groups. */

import { custom, isList, type OptionsOf, type OptionTable, randomState, size } from '../core/options.js';
import { randomSource } from '../core/random.js';
import { tally } from '../data/encode.js';
import type { LabelsInput } from '../data/labels.js';
import { groupsOf } from '../data/sideData.js';
import { cutOut, foldId } from './assignment.js';
import { groupedCut, plainCut, stratifiedCut, TEST, testCount } from './cut.js';
import {
  BaseSplitter,
  type Fold,
  given,
  type SplitArguments,
  type SplitInput,
  type SplitterClaims,
} from './splitter.js';
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

type CutShape = typeof cutOptions;

/** Base of the splitters whose folds are random cuts, each by itself, from one random stream. */
export abstract class CutSplitter<S extends CutShape> extends BaseSplitter<S> {
  override get claims(): SplitterClaims {
    return { ...this.facts.claims, stratified: Boolean(this.#options.stratify) };
  }

  abstract override getNSplits(..._input: SplitArguments): number;

  protected plan(input: SplitInput): Iterable<Fold> {
    const draw = this.#drawer(input);
    // The first cut is drawn now: it finds out whether the data can be cut that way.
    return cuts(draw(), draw, this.getNSplits());
  }

  get #options(): OptionsOf<OptionTable<CutShape>> {
    return this.options as OptionsOf<OptionTable<CutShape>>;
  }

  #drawer({ n, y, data }: SplitInput): () => Int32Array {
    const { name } = this.facts;
    const nTest = testCount(name, this.#options.testSize, n);
    const source = randomSource(this.#options.randomState);
    const strata = this.#strata(n, y);
    if (data.groups) {
      const groups = groupsOf(data.groups, n);
      return () => groupedCut(name, groups, nTest, source, strata);
    }
    return strata ? () => stratifiedCut(name, strata, nTest, source) : () => plainCut(n, nTest, source);
  }

  #strata(n: number, y: LabelsInput | undefined): Strata | undefined {
    const { name: owner } = this.facts;
    const { stratify } = this.#options;
    if (stratify === null || stratify === false) return undefined;
    const asker = { owner, instead: 'Pass `stratify` an array of classes instead.' };
    return stratify === true
      ? strataOf(given(owner, 'y', y), n, asker)
      : strataOf(stratify, n, { ...asker, argument: 'stratify' });
  }
}

function* cuts(first: Int32Array, draw: () => Int32Array, count: number): Generator<Fold> {
  for (let fold = 0; fold < count; fold++) {
    const side = fold === 0 ? first : draw();
    yield { id: foldId(fold), ...cutOut(side, TEST, tally(side, 2)[TEST]) };
  }
}
