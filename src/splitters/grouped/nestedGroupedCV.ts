import { type InputOf, optionTable } from '../../core/options.js';
import { NestedSplitter, nestedOptions } from '../nested.js';
import type { SplitterFacts } from '../splitter.js';
import { GroupKFold } from './groupKFold.js';

const options = optionTable(
  'NestedGroupedCV',
  nestedOptions(new GroupKFold({ nSplits: 5 }), new GroupKFold({ nSplits: 3 })),
);

const facts = {
  name: 'NestedGroupedCV',
  family: 'grouped',
  description: 'Outer folds of whole groups, each with inner folds of whole groups of its own training rows.',
  options,
  needs: ['groups'],
  uses: ['y'],
  claims: { disjointGroups: true },
} as const satisfies SplitterFacts<typeof options.shape>;

export type NestedGroupedCVOptions = InputOf<typeof options>;

/**
 * Nested cross-validation that keeps patients whole at both levels: inner folds only ever see groups of the outer
 * training rows, and no group is on both sides of an inner fold. See {@link NestedCV} for how `inner` is used.
 *
 * Throws `InvalidOptionError` for a splitter that does not promise whole groups, `InvalidDataError` without `groups`,
 * and what the two splitters throw, all before the first fold.
 *
 * @example
 * const cv = new NestedGroupedCV({ outerCv: new GroupKFold({ randomState: 1 }), innerCv: new GroupKFold({ nSplits: 3 }) });
 * const results = await new UniversalCVRunner({ cvSplitter: cv }).run({ model, data: [X, y, patientIds], epochs: 20 });
 */
export class NestedGroupedCV extends NestedSplitter {
  static readonly facts = facts;
  readonly facts = facts;

  constructor(input: NestedGroupedCVOptions = {}) {
    super(options, input, {
      must: 'keep groups whole (claim `disjointGroups`)',
      holds: ({ disjointGroups = false }) => disjointGroups,
    });
  }
}
