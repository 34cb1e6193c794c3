import { type InputOf, optionTable } from '../../core/options.js';
import { defineNested, nestedOptions } from '../iid/nestedCV.js';
import { ExpandingWindowCV } from './expandingWindowCV.js';
import { RollingWindowCV } from './rollingWindowCV.js';

const options = optionTable(
  'NestedTemporalCV',
  nestedOptions(new ExpandingWindowCV({ initialTrainSize: 100 }), new RollingWindowCV({ windowSize: 50 })),
);

export type NestedTemporalCVOptions = InputOf<typeof options>;

/**
 * Nested cross-validation in time: choices are made by inner folds that lie before the outer test rows when the outer
 * splitter claims `timeOrdered`; a purged outer splitter also trains, and chooses, on later rows. Both splitters must
 * protect time: training before testing, or label intervals that do not meet (purged designs). See {@link NestedCV} for
 * how `inner` is used.
 *
 * Throws `InvalidOptionError` for a splitter that promises neither, and what the two splitters throw, before the first
 * fold. The defaults need more than 100 rows.
 *
 * @example
 * const cv = new NestedTemporalCV({ outerCv: new TimeSeriesSplit({ nSplits: 5 }), innerCv: new TimeSeriesSplit({ nSplits: 3 }) });
 * for (const { train, test, inner } of cv.split(X, y, { timestamps })) for (const fold of inner.split()) { ... }
 */
export class NestedTemporalCV extends defineNested(
  options,
  {
    family: 'temporal',
    description: 'Outer folds that protect time, each with inner folds that protect time within its own training rows.',
    needs: [],
    uses: ['groups', 'timestamps', 'labelEndTimes'],
    claims: { keepsTies: true },
  },
  {
    must: 'protect time (claim `timeOrdered` or `purged`)',
    holds: ({ timeOrdered = false, purged = false }) => timeOrdered || purged,
  },
)<NestedTemporalCVOptions> {}
