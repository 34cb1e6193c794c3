import { type InputOf, integer, optionTable } from '../../core/options.js';
import { defineSplitter } from '../defineSplitter.js';
import { FORWARD_FACTS, slidingDesign, slidingOptions } from './timeOrder.js';

const options = optionTable('RollingWindowCV', {
  windowSize: integer({ min: 1 }).describe('Rows to train on.'),
  ...slidingOptions,
});

export type RollingWindowCVOptions = InputOf<typeof options>;

/**
 * Fold i trains on the rows `i * stepSize` ... `i * stepSize + windowSize - 1` in the order of time (row order without
 * timestamps), leaves out `gap` rows (`excluded.purged`) and tests the next `forecastHorizon` rows. A fold whose test
 * rows would run out is not made, so the number of folds depends on the data.
 *
 * Rows of one time stay together: each cut moves to the next distinct time, a gap may thus be longer and a test set
 * larger, and a window is smaller rather than larger than `windowSize`, except where the last time alone exceeds it.
 * Folds that coincide after moving are made once.
 *
 * Throws `InfeasibleSplitError` when there is no room for one fold.
 *
 * @example
 * new RollingWindowCV({ windowSize: 365, stepSize: 30, forecastHorizon: 30, gap: 7 }).split(X, y, { timestamps });
 */
export class RollingWindowCV extends defineSplitter({
  options,
  facts: {
    aliases: ['RollingWindowSplit'],
    ...FORWARD_FACTS,
    description: 'Trains on a window of fixed size that slides through time, and tests what follows it.',
  },
  ...slidingDesign(options.owner, 'windowSize', false),
})<RollingWindowCVOptions> {}
