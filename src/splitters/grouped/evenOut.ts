/** Local search for even folds: moves and swaps, and kicks out of dead ends. */
import { type RandomSource, randomInterval, randomSource } from '../../core/random.js';
import { swapReach } from './groupPlacement.js';
import type { StratifiedPlacement } from './stratifiedPlacement.js';

/** Columns looked at in all: 10,000 groups take a fraction of a second, 50 the whole search. */
const MOST_EFFORT = 3_000_000;
const KICKS = 10;
const GROUPS_PER_KICK = 3;

/**
 * Moves and swaps groups while that makes the placement better, then tries from where random moves of a few groups lead
 * and keeps what is better still. Swaps are tried between groups that are near each other in `order`; all pairs where
 * there are few groups. Without a source the kicks are the same every time.
 */
export function evenOut(
  placement: StratifiedPlacement,
  order: Int32Array,
  source: RandomSource = randomSource(0),
): void {
  const { foldOf, nSplits } = placement;
  const effort = { left: MOST_EFFORT };
  descend(placement, order, effort);
  for (let kick = 0; kick < KICKS && effort.left > 0; kick++) {
    const { lack, spread } = placement;
    const before = foldOf.slice();
    for (let i = 0; i < GROUPS_PER_KICK; i++) {
      placement.place(randomInterval(source, foldOf.length - 1), randomInterval(source, nSplits - 1));
    }
    descend(placement, order, effort);
    if (placement.isBetterThan(lack, spread)) continue;
    for (let group = 0; group < before.length; group++) placement.place(group, before[group]);
  }
}

function descend(placement: StratifiedPlacement, order: Int32Array, effort: { left: number }): void {
  const { foldOf, nSplits } = placement;
  const { width, kinds } = placement.table;
  const reach = swapReach(order.length, width);
  // The round in which a group of this kind was last tried from this fold: another one would fare no better.
  const tried = new Int32Array(nSplits * order.length);
  let round = 0;
  let better = true;
  while (better && effort.left > 0) {
    better = false;
    for (const group of order) {
      for (let fold = 0; fold < nSplits; fold++) {
        if (fold !== foldOf[group] && placement.improveBy(group, fold)) better = true;
      }
    }
    for (let i = 0; i < order.length; i++) {
      const last = Math.min(order.length - 1, i + reach);
      round++;
      for (let j = i + 1; j <= last; j++) {
        const fold = foldOf[order[j]];
        const at = kinds[order[j]] * nSplits + fold;
        if (fold === foldOf[order[i]] || tried[at] === round) continue;
        tried[at] = round;
        if (!placement.improveBy(order[i], fold, order[j])) continue;
        better = true;
        round++;
      }
    }
    effort.left -= width * order.length * (nSplits + Math.min(reach, order.length / 2));
  }
}
