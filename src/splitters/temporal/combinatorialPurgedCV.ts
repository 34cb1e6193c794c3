import { InvalidOptionError, phrase, sentence } from '../../core/errors.js';
import { MOST_DRAWS } from '../../core/numbers.js';
import { boolean, type InputOf, integer, type OptionsOf, optionTable } from '../../core/options.js';
import type { LabelsInput } from '../../data/labels.js';
import type { RowsInput } from '../../data/rows.js';
import { binomial, blockStarts, combinations, foldId } from '../assignment.js';
import { defineSplitter } from '../defineSplitter.js';
import { tooMany } from '../foldChecks.js';
import { requireCount, type SplitInput } from '../splitInput.js';
import type { Fold, SplitData } from '../splitter.js';
import {
  checkTrainable,
  fewestThatCover,
  foldOfSides,
  type LabelledRows,
  labelledRows,
  purgeOptions,
  sidesAround,
  type TestBlock,
  testBlocks,
} from './purge.js';
import { nextTime, rowsAt } from './timeOrder.js';

const options = optionTable('CombinatorialPurgedCV', {
  nSplits: integer({ min: 2 }).default(5).describe('Number of blocks that the rows are cut into, in time order.'),
  nTestSplits: integer({ min: 1 }).default(2).describe('Number of blocks in each test set; less than nSplits.'),
  ...purgeOptions,
  strictOrder: boolean()
    .default(true)
    .describe('Rows of one time stay in one block; false: blocks of equal row counts, ties by row number.'),
});

export type CombinatorialPurgedCVOptions = InputOf<typeof options>;

/** One block of a back-test path: who predicts it. */
export interface PathSegment {
  /** Id of the fold whose predictions stand for this block. */
  readonly fold: string;
  /** Place of that fold in the plan: the `fold` column of the out-of-fold table. */
  readonly index: number;
  /** Place of the block in time, from 0. */
  readonly block: number;
  /** Ascending row numbers of the block. */
  readonly rows: Int32Array;
}

/** A history of out-of-fold predictions: one segment per block, in the order of time. Covers every row once. */
export type BacktestPath = readonly PathSegment[];

/**
 * The rows in time order are cut into N = `nSplits` blocks as by `PurgedKFoldCV`, and each choice of k = `nTestSplits`
 * of them is the test set of one fold: C(N, k) folds in lexicographic order, nothing drawn, one in memory at a time.
 * Purge, gap and embargo are those of `PurgedKFoldCV`, around every run of adjacent test blocks.
 *
 * With `strictOrder` rows of one time stay in one block: a cut moves to the next distinct time. Without it blocks are
 * equal in rows (plus or minus one) and ties are cut by row number; rows that share a time with a test row are purged.
 *
 * Every row is tested C(N - 1, k - 1) times, so the scores of the folds are not an independent sample; {@link paths} gives
 * predictions of the whole history instead.
 *
 * Throws `InvalidOptionError` when `nTestSplits` is not less than `nSplits` or when there are more folds than can be
 * counted exactly (2^53 - 1); `InfeasibleSplitError` and `InvalidDataError` as `PurgedKFoldCV` does. Source: López de
 * Prado 2018, Advances in Financial Machine Learning, section 12.4.
 *
 * @example
 * const cv = new CombinatorialPurgedCV({ nSplits: 6, nTestSplits: 2, embargoSize: 0.01 });
 * cv.getNSplits(); // 15
 * cv.paths(X, y, { timestamps, labelEndTimes }).length; // 5
 */
export class CombinatorialPurgedCV extends defineSplitter({
  options,
  facts: {
    aliases: ['CombinatorialPurgedKFold'],
    family: 'temporal',
    description: 'Tests every choice of blocks in time order, purged and embargoed; paths rebuild whole histories.',
    needs: [],
    uses: ['timestamps', 'labelEndTimes'],
    claims: { purged: true, exhaustive: true },
  },
  prepare({ nSplits, nTestSplits }) {
    const of = (option: string) => `The \`${option}\` option of ${options.owner}`;
    if (nTestSplits >= nSplits) {
      throw new InvalidOptionError(sentence(of('nTestSplits'), `be less than \`nSplits\`, ${nSplits}`, nTestSplits));
    }
    if (binomial(nSplits, nTestSplits) === Infinity) {
      const got = `${nTestSplits} of ${nSplits} blocks, which give more`;
      const subject = of('nTestSplits');
      throw new InvalidOptionError(sentence(subject, `give at most ${Number.MAX_SAFE_INTEGER} folds`, phrase(got)));
    }
  },
  claims: ({ strictOrder }, claims) => ({ ...claims, keepsTies: strictOrder }),
  nSplits: ({ nSplits, nTestSplits }) => binomial(nSplits, nTestSplits),
  plan(input, chosen) {
    const { rows, blocks } = blocksOf(input, chosen);
    return foldsOfChoices(rows, blocks, chosen);
  },
})<CombinatorialPurgedCVOptions> {
  /**
   * The C(N, k) k / N back-test paths. Path p takes for each block the p-th fold that tests it (López de Prado 2018,
   * figure 12.2), so each path is one prediction of every row by a model that never trained on it. Paths share folds:
   * they are no independent sample. Scores of a path use the out-of-fold entries whose `fold` is a segment's `index`
   * and whose `row` is among its `rows`.
   *
   * Throws what `split` throws, and for more than a million folds. Memory: one row number per row and path.
   *
   * @example
   * for (const path of cv.paths(X, y, { timestamps })) {
   *   const foldOf = new Map(path.flatMap(({ index, rows }) => Array.from(rows, (row) => [row, index] as const)));
   *   const entries = [...outOfFold.row.keys()].filter((i) => foldOf.get(outOfFold.row[i]) === outOfFold.fold[i]);
   * }
   */
  paths(X?: RowsInput | number | null, y?: LabelsInput | SplitData | null, data?: SplitData | null): BacktestPath[] {
    const { rows, blocks } = blocksOf(this.read(X, y, data), this.options);
    if (this.getNSplits() > MOST_DRAWS) throw tooMany(options.owner, this.getNSplits());
    const length = binomial(blocks.length - 1, this.options.nTestSplits - 1);
    const paths = Array.from({ length }, (): PathSegment[] => []);
    const timesTested = new Int32Array(blocks.length);
    for (const [index, chosen] of choices(this.options)) {
      for (const block of chosen) {
        const { from, to } = blocks[block];
        paths[timesTested[block]++][block] = { fold: foldId(index), index, block, rows: rowsAt(rows, from, to) };
      }
    }
    return paths;
  }
}

type Chosen = OptionsOf<typeof options>;

function* foldsOfChoices(rows: LabelledRows, blocks: readonly TestBlock[], chosen: Chosen): Generator<Fold> {
  for (const [index, tested] of choices(chosen)) yield foldOfSides(rows, index, sidesAround(rows, at(blocks, tested)));
}

function blocksOf({ n, data }: SplitInput, chosen: Chosen): { rows: LabelledRows; blocks: TestBlock[] } {
  const { nSplits, strictOrder } = chosen;
  requireCount(options.owner, nSplits, n, 'rows');
  const rows = labelledRows(options.owner, data, n, chosen);
  const starts = blockStarts(n, nSplits);
  const cuts = strictOrder ? starts.map((start) => nextTime(rows, start)) : starts;
  const blocks = testBlocks(rows, cuts, chosen, (block) => `Block ${block} of ${options.owner}`);
  checkBlocks(rows, blocks, chosen);
  return { rows, blocks };
}

/** Looks at the one choice that leaves fewest rows, instead of all C(N, k). */
function checkBlocks(rows: LabelledRows, blocks: readonly TestBlock[], { nSplits, nTestSplits }: Chosen): void {
  const covering = fewestThatCover(rows, blocks);
  if (covering.length > nTestSplits) return;
  // Testing more blocks keeps more rows from training.
  const others = Array.from(blocks.keys()).filter((block) => !covering.includes(block));
  const tested = Int32Array.from([...covering, ...others].slice(0, nTestSplits)).sort();
  // In lexicographic order a choice is followed by those that share its first i blocks and go on with a later one.
  const later = tested.reduce((sum, block, i) => sum + binomial(nSplits - 1 - block, nTestSplits - i), 0);
  const fold = binomial(nSplits, nTestSplits) - 1 - later;
  checkTrainable(options.owner, fold, sidesAround(rows, at(blocks, tested)));
}

function* choices({ nSplits, nTestSplits }: Chosen): Generator<[index: number, chosen: Int32Array]> {
  let index = 0;
  for (const chosen of combinations(nSplits, nTestSplits)) yield [index++, chosen];
}

const at = (blocks: readonly TestBlock[], chosen: Int32Array) => Array.from(chosen, (block) => blocks[block]);
