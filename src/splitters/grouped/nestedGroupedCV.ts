import { type InputOf, optionTable } from '../../core/options.js';
import { defineNested, nestedOptions } from '../iid/nestedCV.js';
import { GroupKFold } from './groupKFold.js';

const options = optionTable(
  'NestedGroupedCV',
  nestedOptions(new GroupKFold({ nSplits: 5 }), new GroupKFold({ nSplits: 3 })),
);

export type NestedGroupedCVOptions = InputOf<typeof options>;

/**
 * Nested cross-validation that keeps patients whole at both levels. See {@link NestedCV} for how `inner` is used. Seed
 * both splitters or neither: `run` refuses fixed outer folds with inner folds that are drawn at each call.
 *
 * Throws `InvalidOptionError` for a splitter that does not promise whole groups, `InvalidDataError` without `groups`,
 * and what the two splitters throw, all before the first fold.
 *
 * @example
 * const innerCv = new GroupKFold({ nSplits: 3, randomState: 2 });
 * const cv = new NestedGroupedCV({ outerCv: new GroupKFold({ randomState: 1 }), innerCv });
 * const results = await new UniversalCVRunner({ cvSplitter: cv }).run({ model, data: [X, y, patientIds], epochs: 20 });
 */
export class NestedGroupedCV extends defineNested(
  options,
  {
    family: 'grouped',
    description: 'Outer folds of whole groups, each with inner folds of whole groups of its own training rows.',
    needs: ['groups'],
    uses: ['y', 'timestamps', 'labelEndTimes', 'hierarchy'],
    claims: { disjointGroups: true },
  },
  { must: 'keep groups whole (claim `disjointGroups`)', holds: ({ disjointGroups = false }) => disjointGroups },
)<NestedGroupedCVOptions> {}
