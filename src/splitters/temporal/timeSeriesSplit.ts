import { InfeasibleSplitError, phrase, sentence } from '../../core/errors.js';
import { type InputOf, integer, type OptionsOf, optionTable, size } from '../../core/options.js';
import { foldId } from '../assignment.js';
import { defineSplitter } from '../defineSplitter.js';
import { testCount } from '../iid/holdOut.js';
import {
  amountOf,
  FORWARD_FACTS,
  foldsFromWindows,
  forwardCuts,
  nextTime,
  startOfTime,
  type TimeOrder,
  type TimeWindow,
  timeOrder,
} from './timeOrder.js';

const options = optionTable('TimeSeriesSplit', {
  nSplits: integer({ min: 2 }).default(5).describe('Number of folds.'),
  gap: integer({ min: 0 }).default(0).describe('Rows left out between training and test, at least.'),
  testSize: size()
    .nullable()
    .default(null)
    .describe(
      'Share of the rows (rounded up) or count of rows in each test set; null for n / (nSplits + 1), rounded down.',
    ),
  maxTrainSize: integer({ min: 1 }).nullable().default(null).describe('Most rows to train on, the latest ones.'),
});

export type TimeSeriesSplitOptions = InputOf<typeof options>;

/**
 * Forward chaining over the last `nSplits * testSize` rows. Without timestamps rows are in the order of time already,
 * and folds are index for index those of scikit-learn's `TimeSeriesSplit`.
 *
 * With timestamps rows are taken in the order of time, and rows of one time stay together: a test set begins at the
 * next distinct time and ends where the next one begins (the last one with the last row), at least `gap` rows lie
 * before it, and at most `maxTrainSize` rows before those train. Rows in the gap are `excluded.purged`.
 *
 * Throws `InfeasibleSplitError` when there are fewer rows than `nSplits + 1` or than the test sets and the gap take,
 * when shared times leave a fold without training or test rows, or when one time has more rows than `maxTrainSize`.
 *
 * @example
 * new TimeSeriesSplit({ nSplits: 5, gap: 7, testSize: 30 }).split(X, y, { timestamps });
 */
export class TimeSeriesSplit extends defineSplitter({
  options,
  facts: {
    ...FORWARD_FACTS,
    description: 'Tests consecutive stretches of time, each after training on what came before it.',
  },
  plan({ n, data }, chosen) {
    const { nSplits } = chosen;
    const order = timeOrder(data, n);
    const starts = forwardCuts(options.owner, order, nSplits, testSizeOf(n, chosen));
    const windows = Array.from({ length: nSplits }, (_, fold) =>
      windowOf(order, starts[fold], starts[fold + 1], chosen),
    );
    checkWindows(order, windows, chosen);
    return foldsFromWindows(order, windows);
  },
})<TimeSeriesSplitOptions> {}

type Chosen = OptionsOf<typeof options>;

function testSizeOf(n: number, { nSplits, gap, testSize }: Chosen): number {
  const nTest = testSize === null ? Math.floor(n / (nSplits + 1)) : testCount(options.owner, testSize, n);
  const taken = gap + nSplits * nTest;
  if (taken >= n) {
    const sum = `gap + nSplits * testSize = ${gap} + ${nSplits} * ${nTest} = ${taken}`;
    throw new InfeasibleSplitError(sentence(options.owner, `have more rows than ${sum}`, phrase(String(n))));
  }
  return nTest;
}

function windowOf(order: TimeOrder, testStart: number, testEnd: number, { gap, maxTrainSize }: Chosen): TimeWindow {
  const trainEnd = startOfTime(order, testStart - gap);
  const trainStart = maxTrainSize === null ? 0 : nextTime(order, trainEnd - maxTrainSize);
  return { trainStart, trainEnd, testStart, testEnd };
}

function checkWindows(order: TimeOrder, windows: readonly TimeWindow[], { nSplits, maxTrainSize }: Chosen): void {
  if (windows.some(({ trainEnd, testStart, testEnd }) => trainEnd === 0 || testStart === testEnd)) {
    const must = `have rows to train on and to test in each of ${nSplits} folds, rows of one time kept together`;
    const way = 'Use fewer `nSplits`.';
    throw new InfeasibleSplitError(sentence(options.owner, must, phrase(amountOf(order)), way));
  }
  const fold = windows.findIndex(({ trainStart, trainEnd }) => trainStart === trainEnd);
  if (fold >= 0) {
    const { trainEnd } = windows[fold];
    const rows = trainEnd - startOfTime(order, trainEnd - 1);
    const must = `be at least the rows of the last time before ${foldId(fold)}, ${rows}, which stay together`;
    throw new InfeasibleSplitError(sentence(`The \`maxTrainSize\` option of ${options.owner}`, must, maxTrainSize));
  }
}
