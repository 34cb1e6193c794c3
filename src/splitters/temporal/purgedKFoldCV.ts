import { type InputOf, integer, optionTable } from '../../core/options.js';
import { blockStarts, foldId } from '../assignment.js';
import { defineSplitter } from '../defineSplitter.js';
import { requireCount } from '../splitInput.js';
import { checkedFolds, labelledRows, purgeOptions, sidesAround, testBlocks } from './purge.js';
import { nextTime } from './timeOrder.js';

const options = optionTable('PurgedKFoldCV', {
  nSplits: integer({ min: 2 }).default(5).describe('Number of folds.'),
  ...purgeOptions,
});

export type PurgedKFoldCVOptions = InputOf<typeof options>;

/**
 * K folds of consecutive rows in time order, each tested once, nothing drawn. A row is about the closed interval
 * [timestamp, labelEndTime] (without label ends: its timestamp; without timestamps: its row number). All rows outside
 * the test block train, on both sides of it, but for
 *
 * * `excluded.purged`: rows whose interval meets that of a test row, and `purgeGap` rows on each side of the block;
 * * `excluded.embargoed`: only after the block, `embargoSize` of all rows (rounded up), counted from the first row
 *   after the gap that starts when every label of the block has ended.
 *
 * `purgeTime` and `embargoTime` say the same as durations. Rows of one time stay together: a cut moves to the next distinct time, a gap or an embargo grows until it holds whole
 * times. With neither labels, gap nor embargo and distinct times these are the folds of unshuffled `KFold` in time
 * order. Training rows may be later than test rows: for forecasts use `PurgedGroupTimeSeriesSplit`.
 *
 * Throws `InfeasibleSplitError` when there are fewer rows than folds, when shared times leave a block empty, or when a
 * fold has no row left to train on; `InvalidDataError` for label ends without timestamps, of another kind, or before
 * them. Source: López de Prado 2018, Advances in Financial Machine Learning, section 7.4.
 *
 * @example
 * // each visit's label is the outcome within 30 days; 1 % of the rows after a test block are left out, too
 * new PurgedKFoldCV({ nSplits: 5, embargoSize: 0.01 }).split(X, y, { timestamps, labelEndTimes });
 */
export class PurgedKFoldCV extends defineSplitter({
  options,
  facts: {
    aliases: ['PurgedKFold'],
    family: 'temporal',
    description:
      'K folds in time order; rows whose label overlaps a test label, or that follow too soon, do not train.',
    needs: [],
    uses: ['timestamps', 'labelEndTimes'],
    claims: { partition: true, keepsTies: true, purged: true },
  },
  plan({ n, data }, chosen) {
    const { nSplits } = chosen;
    requireCount(options.owner, nSplits, n, 'rows');
    const rows = labelledRows(options.owner, data, n, chosen);
    const cuts = blockStarts(n, nSplits).map((start) => nextTime(rows, start));
    const blocks = testBlocks(rows, cuts, chosen, (block) => `Fold ${foldId(block)} of ${options.owner}`);
    return checkedFolds(options.owner, rows, nSplits, (fold) => sidesAround(rows, [blocks[fold]]));
  },
})<PurgedKFoldCVOptions> {}
