import { InfeasibleSplitError, sentence, show } from '../../core/errors.js';
import { custom, type InputOf, integer, optionTable } from '../../core/options.js';
import { blockStarts } from '../assignment.js';
import { defineSplitter } from '../defineSplitter.js';
import {
  changesIn,
  checkDates,
  FORWARD_FACTS,
  foldsFromWindows,
  nextTime,
  PERIOD_OF,
  type TimeOrder,
  timeOrder,
} from './timeOrder.js';

export const CALENDAR_UNITS = ['day', 'week', 'month', 'year'] as const;
type CalendarUnit = (typeof CALENDAR_UNITS)[number];

const named = CALENDAR_UNITS.map((unit) => `'${unit}'`);

const options = optionTable('BlockedTimeSeries', {
  nSplits: integer({ min: 2 }).default(5).describe('Number of folds.'),
  blockSize: custom<number | CalendarUnit>(
    ['integer', ...named].join(' | '),
    `be an integer >= 1 or one of ${named.join(', ')}`,
    (value) => CALENDAR_UNITS.includes(value as CalendarUnit) || (Number.isInteger(value) && (value as number) >= 1),
  )
    .default('day')
    .describe('Rows per block, or a calendar unit in UTC; weeks are those of ISO 8601 and begin on Monday.'),
});

export type BlockedTimeSeriesOptions = InputOf<typeof options>;

/**
 * Forward chaining over blocks of time. Of B blocks the first floor(B / (nSplits + 1)) only train; the others are
 * tested once each, in `nSplits` consecutive runs (the first ones a block longer where they are not equal), after
 * training on all blocks before the run.
 *
 * A calendar block is a UTC day, ISO 8601 week, month or year and keeps its year; only blocks with rows count. A block
 * of `blockSize` rows in the order of time ends at the next distinct time; the last one may be shorter.
 *
 * Throws `InfeasibleSplitError` when there are fewer blocks than `nSplits + 1`; `InvalidDataError` when calendar blocks
 * lack timestamps, or timestamps are numbers.
 *
 * @example
 * new BlockedTimeSeries({ nSplits: 5, blockSize: 'month' }).split(X, y, { timestamps: ['2024-01-31T08:15:00Z', ...] });
 */
export class BlockedTimeSeries extends defineSplitter({
  options,
  facts: {
    aliases: ['BlockedTimeSeriesSplit'],
    ...FORWARD_FACTS,
    description:
      'Tests runs of whole days, weeks, months, years or row blocks, each after training on all earlier ones.',
  },
  plan({ n, data, need }, { nSplits, blockSize }) {
    if (typeof blockSize === 'string') need('timestamps', `${options.owner} with \`blockSize\` ${show(blockSize)}`);
    const order = timeOrder(data, n);
    const blocks = blocksOf(order, blockSize);
    const count = blocks.length;
    if (count <= nSplits) {
      const must = `be less than the number of blocks (blockSize: ${show(blockSize)}), ${count}`;
      throw new InfeasibleSplitError(sentence(`The \`nSplits\` option of ${options.owner}`, must, nSplits));
    }
    const onlyTrained = Math.floor(count / (nSplits + 1));
    const cuts = blockStarts(count - onlyTrained, nSplits).map((run) => blocks[onlyTrained + run] ?? n);
    const windows = cuts.slice(1).map((testEnd, fold) => {
      return { trainStart: 0, trainEnd: cuts[fold], testStart: cuts[fold], testEnd };
    });
    return foldsFromWindows(order, windows);
  },
})<BlockedTimeSeriesOptions> {}

function blocksOf(order: TimeOrder, blockSize: number | CalendarUnit): number[] {
  if (typeof blockSize === 'number') return rowBlocks(order, blockSize);
  checkDates(options.owner, order);
  return changesIn(order.times.map(PERIOD_OF[blockSize]));
}

/** Blocks of `size` rows; each start moves on to the next distinct time. */
function rowBlocks(order: TimeOrder, size: number): number[] {
  const starts: number[] = [];
  for (let at = 0; at < order.n; at = nextTime(order, at + size)) starts.push(at);
  return starts;
}
