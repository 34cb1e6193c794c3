/** The area under the ROC curve of a category, whose levels have no order of their own. */

/** Units (patients, rows) at a level, and those of the class; a unit of several classes counts by its rows. */
export interface LevelCount {
  readonly units: number;
  readonly inClass: number;
}

/** So many levels stay apart where all are looked at: the rarer ones count as one. */
const MOST = 256;

/** {@link pairArea} of many levels; undefined where there is one class or level. */
export const levelArea = (levels: readonly LevelCount[]): number | undefined =>
  pairArea(smallTogether(levels, MOST)).area;

/**
 * The area with levels in order of their shares of the class, each pair of units compared by what the others say:
 * half without association, however small the levels.
 *
 * Source: Airola et al. 2011, Computational Statistics & Data Analysis 55:1828 (leave-pair-out).
 */
export function pairArea(bins: readonly LevelCount[]): {
  readonly area: number | undefined;
  readonly ones: number;
  readonly zeros: number;
} {
  const ones = bins.reduce((sum, { inClass }) => sum + inClass, 0);
  const zeros = bins.reduce((sum, { units }) => sum + units, 0) - ones;
  if (bins.length < 2 || ones < 1 || zeros < 1) return { area: undefined, ones, zeros };
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
  return { area: sum / (ones * zeros), ones, zeros };
}

/** The largest levels, and all others as one. */
export function smallTogether(levels: readonly LevelCount[], most: number): LevelCount[] {
  const bySize = levels.filter(({ units }) => units > 0).sort((a, b) => b.units - a.units);
  const rest = bySize.slice(most);
  return [...bySize.slice(0, most), ...(rest.length > 0 ? [rest.reduce(together)] : [])];
}

export const together = (a: LevelCount, b: LevelCount): LevelCount => ({
  units: a.units + b.units,
  inClass: a.inClass + b.inClass,
});
