import { boolean, type InputOf, oneOf, optionTable, string } from '../../core/options.js';
import { randomSource } from '../../core/random.js';
import { defineSplitter } from '../defineSplitter.js';
import { kFoldOptions, rejectUnusedSeed } from '../shuffledKFold.js';
import { levelFolds } from './levelFolds.js';

const options = optionTable('HierarchicalGroupKFold', {
  ...kFoldOptions(boolean().default(true).describe('Draw at random which units go where; rows stay balanced.')),
  hierarchyLevel: string().default('patient').describe('The level of `hierarchy` whose ids stay whole.'),
  onCrossing: oneOf('merge', 'error')
    .default('merge')
    .describe('Ids of the level that share an id of an inner level are kept together, or refused.'),
});

export type HierarchicalGroupKFoldOptions = InputOf<typeof options>;

/**
 * K folds that keep whole the ids of one level of a hierarchy and of every level below it; levels above may be on both
 * sides. `hierarchy` lists the levels outermost first, for example `{ site, patient, visit, image }`. Rows are balanced
 * as by `GroupKFold`.
 *
 * Ids are told apart by their value alone. A patient seen at two sites thus joins the sites when `hierarchyLevel` is
 * `'site'`: ids that share anything below them, directly or through others, are one unit (connected components), and a
 * warning says which. With `onCrossing: 'error'` such data are refused. Numbers that start anew in each patient (visit
 * 1, 2, 3) would join all patients; that is an error which names the level: make the ids unique ('A-1', 'A-2'), or
 * leave the level out where the levels above already keep it whole.
 *
 * `groups` alone are the ids of the level. Given beside `hierarchy`, they stay whole as one more inner level.
 *
 * Throws `InvalidDataError` without `hierarchy` and `groups`, for an unknown level and a missing id;
 * `InfeasibleSplitError` when there are fewer units than folds.
 *
 * @example
 * const splitter = new HierarchicalGroupKFold({ hierarchyLevel: 'site', randomState: 42 });
 * for (const { train, test } of splitter.split(X, y, { hierarchy: { site, patient, image } })) { ... }
 */
export class HierarchicalGroupKFold extends defineSplitter({
  options,
  facts: {
    family: 'grouped',
    description: 'K folds of whole units of one level (site, patient, visit); everything inside them stays whole too.',
    needs: [],
    needsOneOf: ['hierarchy', 'groups'],
    claims: { partition: true, disjointGroups: true },
  },
  prepare: rejectUnusedSeed(options.owner),
  claims: ({ hierarchyLevel }, claims) => ({ ...claims, wholeLevel: hierarchyLevel }),
  plan({ n, data }, { nSplits, shuffle, randomState, hierarchyLevel: level, onCrossing }) {
    const source = shuffle ? randomSource(randomState) : undefined;
    return levelFolds(data, n, { owner: options.owner, level, onCrossing, nSplits }, source);
  },
})<HierarchicalGroupKFoldOptions> {}
