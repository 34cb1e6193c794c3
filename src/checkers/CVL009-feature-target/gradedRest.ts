/** Whether a feature tells a class beyond the levels that imply it, as a true predictor does and a proxy does not. */
import { hanleyMcNeil } from './association.js';

/** Units (patients, rows) at a level, and those of the class; a unit of several classes counts by its rows. */
export interface LevelCount {
  readonly units: number;
  readonly inClass: number;
}

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
  const bins = ordered ? neighboursTogether(levels) : smallTogether(levels);
  const ones = bins.reduce((sum, { inClass }) => sum + inClass, 0);
  const zeros = bins.reduce((sum, { units }) => sum + units, 0) - ones;
  if (bins.length < 2 || ones < 1 || zeros < 1) return false;
  const area = pairArea(bins, ones, zeros);
  return area - Math.sqrt(Math.max(0, hanleyMcNeil(area, ones, zeros))) >= TELLS;
}

/**
 * The area with levels in order of their shares of the class, each pair of units compared by what the others say:
 * half without association, however small the levels.
 *
 * Source: Airola et al. 2011, Computational Statistics & Data Analysis 55:1828 (leave-pair-out).
 */
function pairArea(bins: readonly LevelCount[], ones: number, zeros: number): number {
  const prior = ones / (ones + zeros);
  let sum = 0;
  for (const a of bins) {
    for (const b of bins) {
      const pairs = a.inClass * (b.units - b.inClass);
      if (a === b) {
        sum += pairs / 2;
        continue;
      }
      // One unit's worth of the common share takes the place of the one that is judged.
      const [one, zero] = [(a.inClass - 1 + prior) / a.units, (b.inClass + prior) / b.units];
      if (one > zero) sum += pairs;
      else if (one === zero) sum += pairs / 2;
    }
  }
  return sum / (ones * zeros);
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

function smallTogether(levels: readonly LevelCount[]): LevelCount[] {
  const bySize = levels.filter(({ units }) => units > 0).sort((a, b) => b.units - a.units);
  const rest = bySize.slice(BINS.levels);
  return [...bySize.slice(0, BINS.levels), ...(rest.length > 0 ? [rest.reduce(together)] : [])];
}

const together = (a: LevelCount, b: LevelCount): LevelCount => ({
  units: a.units + b.units,
  inClass: a.inClass + b.inClass,
});
