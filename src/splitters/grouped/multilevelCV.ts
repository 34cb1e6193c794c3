import { InvalidDataError, sentence } from '../../core/errors.js';
import { type InputOf, integer, isPlainObject, optionTable, randomState, string } from '../../core/options.js';
import { randomSource } from '../../core/random.js';
import type { SideData } from '../../data/sideData.js';
import { defineSplitter } from '../defineSplitter.js';
import { HierarchicalGroupKFold, levelFolds } from './hierarchicalGroupKFold.js';

const options = optionTable('MultilevelCV', {
  nSplits: integer({ min: 2 }).default(5).describe('Number of folds.'),
  level: string().describe('The level of `hierarchy` whose ids stay whole.'),
  randomState: randomState().default(null).describe('Seed of the draw.'),
});

export type MultilevelCVOptions = InputOf<typeof options>;

/**
 * `HierarchicalGroupKFold` at `level`, shuffled, with crossings merged: the same folds for the same seed. `perLevel`
 * gives one such splitter per level, to ask how a model does on new images, new visits, new patients and new sites.
 *
 * Throws `InvalidDataError` without `hierarchy` and `groups`, for an unknown level and a missing id;
 * `InfeasibleSplitError` when there are fewer units than folds.
 *
 * @example
 * const hierarchy = { site, patient, visit };
 * const levels = new MultilevelCV({ level: 'patient', randomState: 42 }).perLevel(hierarchy);
 * for (const [level, splitter] of Object.entries(levels)) {
 *   for (const { train, test } of splitter.split(X, y, { hierarchy })) { ... }
 * }
 */
export class MultilevelCV extends defineSplitter({
  options,
  facts: {
    family: 'grouped',
    description: 'K folds of whole units of one level of a hierarchy; on request the same for each level.',
    needs: [],
    needsOneOf: ['hierarchy', 'groups'],
    claims: { partition: true, disjointGroups: true },
  },
  claims: ({ level }, claims) => ({ ...claims, wholeLevel: level }),
  plan({ n, data }, { nSplits, level, randomState }) {
    const design = { owner: options.owner, level, onCrossing: 'merge', nSplits } as const;
    return levelFolds(data, n, design, randomSource(randomState));
  },
})<MultilevelCVOptions> {
  /**
   * One splitter per level of `hierarchy`, outermost first, each with this one's `nSplits` and `randomState`. Throws
   * `InvalidDataError` unless `hierarchy` is a record with at least one level.
   */
  perLevel(hierarchy: NonNullable<SideData['hierarchy']>): Record<string, HierarchicalGroupKFold> {
    if (!isPlainObject(hierarchy) || Object.keys(hierarchy).length === 0) {
      const subject = `The hierarchy of ${options.owner}`;
      throw new InvalidDataError(sentence(subject, 'be a record of level name to ids', hierarchy));
    }
    const { nSplits, randomState } = this.options;
    const at = (hierarchyLevel: string) => new HierarchicalGroupKFold({ nSplits, hierarchyLevel, randomState });
    return Object.fromEntries(Object.keys(hierarchy).map((level) => [level, at(level)]));
  }
}
