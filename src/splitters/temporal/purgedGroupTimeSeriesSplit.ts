import { boolean, type InputOf, integer, optionTable } from '../../core/options.js';
import type { Groups } from '../../data/sideData.js';
import { foldId } from '../assignment.js';
import { defineSplitter } from '../defineSplitter.js';
import { inputGroups } from '../splitInput.js';
import {
  checkedFolds,
  EMBARGOED,
  LATER,
  type LabelledRows,
  labelledRows,
  PURGED,
  purgeOptions,
  sidesAround,
  type TestBlock,
  TRAIN,
  testBlocks,
} from './purge.js';
import { forwardCuts } from './timeOrder.js';

const options = optionTable('PurgedGroupTimeSeriesSplit', {
  nSplits: integer({ min: 2 }).default(5).describe('Number of folds.'),
  ...purgeOptions,
  groupExclusive: boolean()
    .default(false)
    .describe('Rows of groups that are tested do not train (needs `groups`); false: groups are ignored.'),
});

export type PurgedGroupTimeSeriesSplitOptions = InputOf<typeof options>;

/**
 * Forward chaining for labels that take time to be known and for patients who come back. Test blocks are those of
 * `TimeSeriesSplit`: in time order, n / (nSplits + 1) rows each (rounded down), the remainder before the first one. A
 * cut moves to the next distinct time. All earlier rows train, but for
 *
 * * `excluded.purged`: rows whose label interval [timestamp, labelEndTime] (closed) reaches the test block, the
 * `purgeGap` rows before it and, with `groupExclusive`, all rows of groups that it holds;
 * * `excluded.embargoed`: with an `embargoSize`, all rows after each earlier test block until its labels have ended and
 * that share of all rows (rounded up) has passed.
 *
 * `purgeTime` and `embargoTime` say the same as durations, in days for dates; with both kinds the longer one holds.
 *
 * A gap or an embargo grows until it holds whole times. Rows after the test block are on neither side and in no list.
 * Without `groupExclusive` groups are ignored, which is right for a model that will meet known patients again.
 *
 * Throws `InfeasibleSplitError` when there are fewer than `nSplits + 1` rows, when shared times leave a block empty, or
 * when a fold has no row to train on; `InvalidDataError` when `groupExclusive` lacks groups, and for label ends without
 * timestamps, of another kind, or before them. Source: López de Prado 2018, Advances in Financial Machine Learning,
 * chapter 7, in the forward form that competition practice made of it.
 *
 * @example
 * new PurgedGroupTimeSeriesSplit({ nSplits: 4, groupExclusive: true }).split(X, y, { groups, timestamps, labelEndTimes
 * });
 */
export class PurgedGroupTimeSeriesSplit extends defineSplitter({
  options,
  facts: {
    family: 'temporal',
    description: 'Forward chaining with purge and embargo; on request a tested group never trains.',
    needs: [],
    uses: ['groups', 'timestamps', 'labelEndTimes'],
    claims: { timeOrdered: true, keepsTies: true, purged: true },
  },
  claims: ({ groupExclusive }, claims) => ({ ...claims, disjointGroups: groupExclusive }),
  plan(input, chosen) {
    const { nSplits, embargoSize, embargoTime, groupExclusive } = chosen;
    const { n, data } = input;
    const groups = groupExclusive ? inputGroups(input) : undefined;
    const rows = labelledRows(options.owner, data, n, chosen);
    const cuts = forwardCuts(options.owner, rows, nSplits, Math.floor(n / (nSplits + 1)));
    const blocksWith = (gap: Partial<typeof chosen>) =>
      testBlocks(rows, cuts, { ...chosen, ...gap }, (block) => `Fold ${foldId(block)} of ${options.owner}`);
    const blocks = blocksWith({});
    // The gap is for the test block of a fold; the embargo after an earlier one does not wait for it.
    const waits = embargoSize > 0 || embargoTime !== null;
    const embargoes = waits ? blocksWith({ purgeGap: 0, purgeTime: null }) : [];
    return checkedFolds(options.owner, rows, nSplits, (fold) => {
      const sides = sidesAround(rows, [blocks[fold]]).fill(LATER, blocks[fold].to);
      embargoAfter(embargoes.slice(0, fold), sides);
      if (groups) purgeGroups(rows, blocks[fold], groups, sides);
      return sides;
    });
  },
})<PurgedGroupTimeSeriesSplitOptions> {}

/** Embargoes training rows in earlier test blocks that the blocks before them have not released. */
function embargoAfter(earlier: readonly TestBlock[], sides: Uint8Array): void {
  let until = 0;
  for (const { from, to, released } of earlier) {
    for (let place = from; place < Math.min(to, until); place++) if (sides[place] === TRAIN) sides[place] = EMBARGOED;
    until = Math.max(until, released);
  }
}

function purgeGroups({ rows }: LabelledRows, { from, to }: TestBlock, groups: Groups, sides: Uint8Array): void {
  const tested = new Uint8Array(groups.count);
  for (let place = from; place < to; place++) tested[groups.codes[rows[place]]] = 1;
  for (let place = 0; place < from; place++) if (tested[groups.codes[rows[place]]]) sides[place] = PURGED;
}
