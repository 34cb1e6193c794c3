import { InfeasibleSplitError, phrase, sentence } from '../../core/errors.js';
import {
  custom,
  type InputOf,
  isList,
  type OptionsOf,
  type OptionTable,
  optionTable,
  randomState,
  size,
} from '../../core/options.js';
import { permutation, type RandomSource, randomInterval, randomSource, sample } from '../../core/random.js';
import { rowsPerCode, tally } from '../../data/encode.js';
import { gather } from '../../data/labels.js';
import type { Groups } from '../../data/sideData.js';
import { cutOut, foldId } from '../assignment.js';
import { defineSplitter } from '../defineSplitter.js';
import { inputGroups, requireAtLeastTwo, type SplitInput } from '../splitInput.js';
import type { Fold, SplitterClaims } from '../splitter.js';
import { type Strata, strataOf } from '../strata.js';

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

export const cutClaims = ({ stratify }: CutOptions, claims: SplitterClaims): SplitterClaims => ({
  ...claims,
  stratified: Boolean(stratify),
});

export function randomCuts(owner: string, input: SplitInput, options: CutOptions, count: number): Iterable<Fold> {
  const { n, data } = input;
  const nTest = testCount(owner, options.testSize, n);
  const source = randomSource(options.randomState);
  const strata = strataFor(owner, options.stratify, input);
  const groups = data.groups && inputGroups(input);
  const draw = () => {
    if (groups) return groupedCut(owner, groups, nTest, source, strata);
    return strata ? stratifiedCut(owner, strata, nTest, source) : plainCut(n, nTest, source);
  };
  // The first cut is drawn now: it shows whether the data can be cut that way.
  return cuts(draw(), draw, count);
}

function strataFor(owner: string, stratify: CutOptions['stratify'], { n, need }: SplitInput): Strata | undefined {
  if (stratify === null || stratify === false) return undefined;
  const asker = { owner, instead: 'Pass `stratify` an array of classes instead.' };
  return stratify === true ? strataOf(need('y'), n, asker) : strataOf(stratify, n, { ...asker, argument: 'stratify' });
}

function* cuts(first: Int32Array, draw: () => Int32Array, count: number): Generator<Fold> {
  for (let fold = 0; fold < count; fold++) {
    const side = fold === 0 ? first : draw();
    yield { id: foldId(fold), ...cutOut(side, TEST, tally(side, 2)[TEST]) };
  }
}

const TEST = 0;
const TRAIN = 1;

export function testCount(owner: string, testSize: number, n: number): number {
  const count = testSize < 1 ? Math.ceil(testSize * n) : testSize;
  if (count >= n) {
    const subject = `The \`testSize\` option of ${owner}`;
    throw new InfeasibleSplitError(sentence(subject, `leave a row to train on, of ${n} in all`, testSize));
  }
  return count;
}

function plainCut(n: number, nTest: number, source: RandomSource): Int32Array {
  const side = new Int32Array(n).fill(TRAIN);
  const order = permutation(source, n);
  for (let i = 0; i < nTest; i++) side[order[i]] = TEST;
  return side;
}

/** Draws what scikit-learn's `StratifiedShuffleSplit` draws. */
function stratifiedCut(owner: string, strata: Strata, nTest: number, source: RandomSource): Int32Array {
  const { codes, counts, names } = strata;
  const n = codes.length;
  const lone = counts.indexOf(1);
  if (lone >= 0) {
    const must = 'have at least 2 rows of every class';
    throw new InfeasibleSplitError(sentence(`A stratified ${owner}`, must, phrase(`1 row of ${names[lone]}`)));
  }
  for (const [side, size] of Object.entries({ test: nTest, training: n - nTest })) {
    if (size < counts.length) {
      const subject = `The \`testSize\` option of ${owner}`;
      const must = `give at least one ${side} row per class, ${counts.length}`;
      throw new InfeasibleSplitError(sentence(subject, must, phrase(`${size} of ${n} rows`)));
    }
  }
  const nTrain = shareOut(Array.from(counts), n - nTest, source);
  const remaining = Array.from(counts, (count, stratum) => count - nTrain[stratum]);
  const tested = shareOut(remaining, nTest, source);
  const side = new Int32Array(n).fill(TRAIN);
  for (const [stratum, rows] of rowsPerCode(codes, counts).entries()) {
    const order = permutation(source, rows.length);
    const from = nTrain[stratum];
    for (let i = from; i < from + tested[stratum]; i++) side[rows[order[i]]] = TEST;
  }
  // scikit-learn shuffles both sides here; the next cut must begin where its next cut does.
  for (const size of [n - nTest, nTest]) for (let i = size - 1; i > 0; i--) randomInterval(source, i);
  return side;
}

/** `total` draws in proportion to `counts`: whole parts first, then one each by largest remainder, ties at random. */
function shareOut(counts: readonly number[], total: number, source: RandomSource): number[] {
  const sum = counts.reduce((a, b) => a + b, 0);
  const exact = counts.map((count) => (count / sum) * total);
  const parts = exact.map(Math.floor);
  const remainders = exact.map((value, i) => value - parts[i]);
  let missing = total - parts.reduce((a, b) => a + b, 0);
  for (const value of [...new Set(remainders)].sort((a, b) => b - a)) {
    if (missing === 0) break;
    const tied = Array.from(counts.keys()).filter((i) => remainders[i] === value);
    const chosen = sample(source, tied.length, Math.min(tied.length, missing));
    for (const i of chosen) parts[tied[i]]++;
    missing -= chosen.length;
  }
  return parts;
}

/** As near to `nTest` rows as whole groups get. With strata, the groups of each rarest class are cut separately. */
function groupedCut(owner: string, groups: Groups, nTest: number, source: RandomSource, strata?: Strata): Int32Array {
  const { codes, count } = groups;
  requireAtLeastTwo(`A grouped ${owner}`, count, 'groups');
  const sizes = tally(codes, count);
  const side = new Int32Array(count).fill(TRAIN);
  const pools = strata ? groupsByRarestClass(owner, groups, strata) : [Int32Array.from(sizes.keys())];
  for (const pool of pools) {
    const rows = pool.reduce((sum, group) => sum + sizes[group], 0);
    const order = permutation(source, pool.length).map((at) => pool[at]);
    for (const group of nearTarget(order, sizes, (nTest / codes.length) * rows)) side[group] = TEST;
  }
  return gather(side, codes);
}

/** Each taken if it brings the sum of sizes nearer to `target`; at least one, and not all. */
function nearTarget(order: Int32Array, sizes: Int32Array, target: number): number[] {
  const taken: number[] = [];
  let sum = 0;
  for (const group of order) {
    const more = sum + sizes[group];
    if (taken.length === order.length - 1 || Math.abs(more - target) > Math.abs(sum - target)) continue;
    taken.push(group);
    sum = more;
  }
  return taken.length > 0 ? taken : [order.reduce((least, group) => (sizes[group] < sizes[least] ? group : least))];
}

/** A class with a single group joins the largest pool: its other groups hold a rarer class too. */
function groupsByRarestClass(owner: string, { codes, count }: Groups, strata: Strata): Int32Array[] {
  const { counts, names } = strata;
  const rarest = new Int32Array(count).fill(-1);
  const holders = Array.from(counts, () => new Set<number>());
  for (let row = 0; row < codes.length; row++) {
    const group = codes[row];
    const found = strata.codes[row];
    const held = rarest[group];
    if (holders[found].size < 2) holders[found].add(group);
    if (held < 0 || counts[found] < counts[held]) rarest[group] = found;
  }
  const lone = holders.findIndex((each) => each.size < 2);
  if (lone >= 0) {
    const must = 'have at least 2 groups with rows of every class';
    throw new InfeasibleSplitError(sentence(`A stratified ${owner}`, must, phrase(`1 group with ${names[lone]}`)));
  }
  const perClass = tally(rarest, counts.length);
  const largest = perClass.indexOf(Math.max(...perClass));
  const pool = rarest.map((stratum) => (perClass[stratum] === 1 ? largest : stratum));
  return rowsPerCode(pool, tally(pool, counts.length)).filter((members) => members.length > 0);
}

const options = optionTable('HoldOut', cutOptions);

export type HoldOutOptions = InputOf<typeof options>;

/**
 * One random test set. Index for index as scikit-learn's `ShuffleSplit(n_splits=1)` and, with `stratify`, as its
 * `StratifiedShuffleSplit(n_splits=1)`.
 *
 * When groups are given they stay whole: groups are drawn at random until the test rows are as near to `testSize` as
 * they get. With `stratify` too, a group counts for the rarest class that it holds and the groups of each class are
 * drawn apart, so that both sides hold positive patients.
 *
 * Throws `InfeasibleSplitError` when no row is left to train on, when a class has one row (or group) only, or when a
 * side is too small for all classes; `InvalidDataError` when `stratify` lacks `y` or is continuous.
 *
 * @example
 * const [{ train, test }] = new HoldOut({ testSize: 0.2, stratify: true, randomState: 42 }).split(X, y, { groups });
 */
export class HoldOut extends defineSplitter({
  options,
  facts: {
    family: 'iid',
    description: 'One random cut into train and test; stratified on request; whole groups when groups are given.',
    needs: [],
    uses: ['groups'],
    claims: { disjointGroups: true },
  },
  claims: cutClaims,
  nSplits: () => 1,
  plan: (input, chosen) => randomCuts(options.owner, input, chosen, 1),
})<HoldOutOptions> {}
