import { InfeasibleSplitError, phrase, sentence } from '../../core/errors.js';
import { integer } from '../../core/options.js';
import type { SplitInput } from '../splitInput.js';
import type { Folds } from '../splitter.js';
import {
  amountOf,
  foldsFromWindows,
  nextTime,
  startOfTime,
  type TimeOrder,
  type TimeWindow,
  timeOrder,
} from './timeOrder.js';

export const slidingOptions = {
  stepSize: integer({ min: 1 }).default(1).describe('Rows by which each fold is later than the one before.'),
  forecastHorizon: integer({ min: 1 }).default(1).describe('Rows that each fold tests.'),
  gap: integer({ min: 0 }).default(0).describe('Rows left out between training and test, at least.'),
};

interface Slide {
  readonly stepSize: number;
  readonly forecastHorizon: number;
  readonly gap: number;
}

/** The option that holds the rows of the first training window, and whether later windows keep its start. */
interface TrainingWindow {
  readonly option: string;
  readonly size: number;
  readonly grows: boolean;
}

export function slidingFolds(owner: string, { n, data }: SplitInput, window: TrainingWindow, slide: Slide): Folds {
  const order = timeOrder(data, n);
  return foldsFromWindows(order, windowsIn(owner, order, window, slide));
}

export const countSlidingFolds = (
  owner: string,
  { n, data }: SplitInput,
  window: TrainingWindow,
  slide: Slide,
): number => windowsIn(owner, timeOrder(data, n), window, slide).length;

function windowsIn(owner: string, order: TimeOrder, window: TrainingWindow, slide: Slide): TimeWindow[] {
  const windows = slidingWindows(order, window, slide);
  if (windows.length > 0) return windows;
  const { option, size } = window;
  const { gap, forecastHorizon } = slide;
  const sum = `${option} + gap + forecastHorizon = ${size} + ${gap} + ${forecastHorizon}`;
  const must = `have room for one fold, ${sum} = ${size + gap + forecastHorizon} rows, rows of one time kept together`;
  throw new InfeasibleSplitError(sentence(owner, must, phrase(amountOf(order))));
}

/**
 * The nominal end of training moves on to the next distinct time, the test begins and ends at distinct times, and
 * training ends as late as the gap allows: no side is ever empty.
 */
function slidingWindows(
  order: TimeOrder,
  { size, grows }: TrainingWindow,
  { stepSize, forecastHorizon, gap }: Slide,
): TimeWindow[] {
  const windows: TimeWindow[] = [];
  for (let nominal = size; ; ) {
    const cut = nextTime(order, nominal);
    const testStart = nextTime(order, cut + gap);
    if (testStart + forecastHorizon > order.n) return windows;
    if (testStart !== windows.at(-1)?.testStart) {
      const trainEnd = startOfTime(order, testStart - gap);
      // The last time before the cut trains even when it alone has more rows than the window.
      const trainStart = Math.min(nextTime(order, trainEnd - size), startOfTime(order, trainEnd - 1));
      const testEnd = nextTime(order, testStart + forecastHorizon);
      windows.push({ trainStart: grows ? 0 : trainStart, trainEnd, testStart, testEnd });
    }
    // Steps that would end in the same cut are skipped.
    nominal += stepSize * (1 + Math.floor((cut - nominal) / stepSize));
  }
}
