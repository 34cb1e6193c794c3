/** Whether a feature tells a class beyond the levels that imply it, as a true predictor does and a proxy does not. */
import { hanleyMcNeil } from './association.js';
import { type LevelCount, pairArea, smallTogether, together } from './levelArea.js';

/** The area, one standard error away, from which the other levels are said to tell the class. */
const TELLS = 0.7;

/** Numbers are put together to so many bins; of categories so many levels stay apart. */
const BINS = { ordered: 8, levels: 31 };

/**
 * True where the levels tell the class with an area of {@link TELLS} or more. A predictor of area .88 is what it takes
 * for an end that implies a class twenty times better than chance and covers a fifth of it, and without that end it still
 * has .8 or more.
 *
 * @param levels of an ordered feature in their order
 */
export function graded(levels: readonly LevelCount[], ordered: boolean): boolean {
  const bins = ordered ? neighboursTogether(levels) : smallTogether(levels, BINS.levels);
  const { area, ones, zeros } = pairArea(bins);
  if (area === undefined) return false;
  return area - Math.sqrt(Math.max(0, hanleyMcNeil(area, ones, zeros))) >= TELLS;
}

function neighboursTogether(levels: readonly LevelCount[]): LevelCount[] {
  if (levels.length <= BINS.ordered) return levels.filter(({ units }) => units > 0);
  const most = levels.reduce((sum, { units }) => sum + units, 0) / BINS.ordered;
  const bins: LevelCount[] = [];
  let open = { units: 0, inClass: 0 };
  for (const level of levels) {
    open = together(open, level);
    if (open.units < most) continue;
    bins.push(open);
    open = { units: 0, inClass: 0 };
  }
  return open.units > 0 ? [...bins, open] : bins;
}
