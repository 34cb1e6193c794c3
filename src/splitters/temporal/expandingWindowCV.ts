import { type InputOf, integer, optionTable } from '../../core/options.js';
import { defineSplitter } from '../defineSplitter.js';
import { FORWARD_FACTS, slidingDesign, slidingOptions } from './timeOrder.js';

const options = optionTable('ExpandingWindowCV', {
  initialTrainSize: integer({ min: 1 }).default(10).describe('Rows to train on in the first fold, at least.'),
  ...slidingOptions,
});

export type ExpandingWindowCVOptions = InputOf<typeof options>;

/**
 * Fold i trains on the first `initialTrainSize + i * stepSize` rows in the order of time (row order without
 * timestamps), leaves out `gap` rows (`excluded.purged`) and tests the next `forecastHorizon` rows. A fold whose test
 * rows would run out is not made, so the number of folds depends on the data.
 *
 * Rows of one time stay together: each cut moves to the next distinct time, so that training, gap and test hold at
 * least the rows asked for. Folds that coincide after moving are made once.
 *
 * Throws `InfeasibleSplitError` when there is no room for one fold.
 *
 * @example
 * new ExpandingWindowCV({ initialTrainSize: 365, stepSize: 30, forecastHorizon: 30 }).split(X, y, { timestamps });
 */
export class ExpandingWindowCV extends defineSplitter({
  options,
  facts: {
    aliases: ['ExpandingWindowSplit'],
    ...FORWARD_FACTS,
    description: 'Trains on all rows up to a cut that moves through time, and tests what follows it.',
  },
  ...slidingDesign(options.owner, 'initialTrainSize', true),
})<ExpandingWindowCVOptions> {}
