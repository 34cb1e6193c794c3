/** Gives folds the classes that they lack, by chains of moves: what one group leaves behind, the next one mends. */
import type { StratifiedPlacement } from './stratifiedPlacement.js';

/** Bounds of the search: groups moved per chain, and moves tried in all. */
const LONGEST_CHAIN = 5;
const MOST_TRIALS = 20_000;

/** A fold and a class that it lacks. */
type Gap = readonly [fold: number, label: number];

/**
 * Lowers the lack of a placement as far as chains of moves can, short chains first. When every group has one class,
 * chains of one move do: a class in as many groups as there are folds, or more, lies twice in some fold, which can
 * give one of them away. In general the question is that of exact cover, and failing here proves nothing.
 */
export function closeGaps(placement: StratifiedPlacement, order: Int32Array): void {
  const { foldOf, nSplits, table } = placement;
  if (placement.lack === placement.leastLack) return;
  const holds = (group: number, label: number) => table.counts[group * table.width + label] > 0;
  const holders = Array.from(table.holders.keys(), (label) => order.filter((group) => holds(group, label)));
  let trials = 0;

  /** Closes the last gap with a group from elsewhere, then what that opens; takes all back if the lack stays. */
  const chain = (gaps: readonly Gap[], length: number, lack: number): boolean => {
    const [fold, label] = gaps[gaps.length - 1];
    for (const group of holders[label]) {
      const from = foldOf[group];
      if (from === fold) continue;
      if (++trials > MOST_TRIALS) return false;
      placement.place(group, fold);
      if (placement.lack < lack) return true;
      const opened = placement.lackedBy(from).filter((each) => holds(group, each));
      const open = [...gaps, ...opened.map((each): Gap => [from, each])].filter((gap) => placement.total(...gap) === 0);
      if (length > 1 && chain(open, length - 1, lack)) return true;
      placement.place(group, from);
    }
    return false;
  };
  const closeOne = (length: number): boolean => {
    for (let fold = 0; fold < nSplits; fold++) {
      for (const label of placement.lackedBy(fold)) if (chain([[fold, label]], length, placement.lack)) return true;
    }
    return false;
  };

  for (let length = 1; length <= LONGEST_CHAIN && placement.lack > placement.leastLack; ) {
    length = closeOne(length) ? 1 : length + 1;
  }
}
