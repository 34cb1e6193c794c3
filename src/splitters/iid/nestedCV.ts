import { type InputOf, optionTable } from '../../core/options.js';
import { defineNested, nestedOptions } from '../nested.js';
import { KFold } from './kFold.js';

const options = optionTable('NestedCV', nestedOptions(new KFold({ nSplits: 5 }), new KFold({ nSplits: 3 })));

export type NestedCVOptions = InputOf<typeof options>;

/**
 * Outer folds whose `inner` splits their own training rows: what is chosen by the inner folds (hyperparameters,
 * epochs, thresholds) has not seen the outer test rows (Varma & Simon 2006, BMC Bioinformatics 7:91). `inner.split()`
 * takes nothing and gives row numbers of the full data. In `run`, the first inner fold is the `validation` of networks
 * when none is given.
 *
 * The inner splitter is handed the labels, groups, times and places of the outer training rows alone. Data given to the
 * constructor of a splitter (`coordinates`, `features`) cannot be cut that way: pass coordinates to `split` or `run`.
 *
 * Throws what the two splitters throw, for any outer fold, before the first one is used. The default splitters do not shuffle.
 *
 * @example
 * const nested = new NestedCV({ outerCv: new KFold({ nSplits: 5 }), innerCv: new StratifiedKFold({ nSplits: 3 }) });
 * for (const { train, test, inner } of nested.split(X, y)) for (const fold of inner.split()) { ... }
 */
export class NestedCV extends defineNested(options, {
  family: 'iid',
  description: 'Outer folds for the estimate, each with inner folds of its own training rows for choices.',
  needs: [],
  uses: ['y', 'groups', 'timestamps', 'labelEndTimes', 'coordinates', 'hierarchy', 'environment'],
  claims: {},
})<NestedCVOptions> {}
