/** Which fold tests each group, so that test folds lack no class they could have and classes and rows lie evenly. */

import { InfeasibleSplitError, phrase, sentence } from '../../core/errors.js';
import { permutation, type RandomSource } from '../../core/random.js';
import type { Groups } from '../../data/sideData.js';
import { requireCount } from '../splitInput.js';
import type { Strata } from '../strata.js';
import { type ClassCoverage, checkTwoClasses, classCoverage, coveringGroups, lackWarnings } from './classCoverage.js';
import { closeGaps } from './closeGaps.js';
import { evenOut } from './evenOut.js';
import { placeGreedily, unevenFirst } from './greedyPlacement.js';
import { type GroupTable, groupTable, StratifiedPlacement } from './stratifiedPlacement.js';

/** Folds of whole groups, and what the user should know about them. */
export interface StratifiedGroups {
  /** Fold of each group, by group code. */
  readonly foldOf: Int32Array;
  /** Full sentences about classes that some test folds lack. */
  readonly warnings: readonly string[];
}

interface Asker {
  /** Who asks, for the messages. */
  readonly owner?: string;
  /** What to do when not every test fold can have two classes: throw, or go on and say so. Not set: no such choice. */
  readonly onInfeasible?: 'error' | 'pool';
}

/**
 * Spreads whole groups over `nSplits` folds. The search starts where scikit-learn's rule ends, closes the gaps, and
 * then evens out; it keeps scikit-learn's placement as the limit of both spreads unless that lacks a class that
 * another has. With a `source` groups that the rule holds equal are placed in random order; without one nothing is drawn.
 *
 * Throws {@link InfeasibleSplitError} in the name of `owner` for fewer groups than folds, for a single class and, unless
 * `onInfeasible` is 'pool', when not every test fold can have two classes. Whether it throws depends on the groups and
 * strata alone, never on the draw.
 */
export function assignStratifiedGroups(
  groups: Groups,
  strata: Strata,
  nSplits: number,
  source: RandomSource | undefined,
  { owner = 'StratifiedGroupKFold', onInfeasible }: Asker = {},
): StratifiedGroups {
  requireCount(owner, nSplits, groups.count, 'groups');
  const { names } = strata;
  if (names.length === 1) {
    throw new InfeasibleSplitError(sentence(`y of ${owner}`, 'have two classes or more', phrase(`only ${names[0]}`)));
  }
  const table = groupTable(groups, strata);
  const drawn = source ? permutation(source, groups.count) : Int32Array.from({ length: groups.count }, (_, i) => i);
  const order = unevenFirst(table, drawn);
  const coverage = classCoverage(table, order, names);
  if (onInfeasible !== 'pool') {
    const way = "Use `onInfeasible: 'pool'` to go on and pool the metrics over folds.";
    checkTwoClasses(owner, nSplits, coverage, onInfeasible && way);
  }
  const greedy = new StratifiedPlacement(table, nSplits);
  placeGreedily(greedy, order);
  const { lack, spread } = greedy;
  const placement = greedy.hasWeakFold ? coveringPlacement(table, nSplits, coverage, order) : greedy;
  closeGaps(placement, order);
  if (placement.lack === lack) placement.limit = spread;
  evenOut(placement, order, source);
  return { foldOf: placement.foldOf, warnings: lackWarnings(placement, coverage, names) };
}

/** A placement with as many folds of two classes as there can be. */
function coveringPlacement(
  table: GroupTable,
  nSplits: number,
  coverage: ClassCoverage,
  order: Int32Array,
): StratifiedPlacement {
  const placement = new StratifiedPlacement(table, nSplits);
  for (const [fold, groups] of coveringGroups(coverage, nSplits, order.length).entries()) {
    for (const group of groups) placement.place(group, fold);
  }
  placeGreedily(placement, order);
  return placement;
}
