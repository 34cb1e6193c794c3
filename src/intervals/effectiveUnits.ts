import { encode, rowsByCode } from '../data/encode.js';
import type { Metric } from '../metrics/metric.js';
import type { ScoreTable } from '../metrics/scoreTable.js';

/** How many different units have a row of each key; rows of a negative key are in no count. */
export function unitsPerKey(
  keys: ArrayLike<number>,
  units: ArrayLike<number>,
  coded: Parameters<typeof rowsByCode>[0] = encode(units),
): Map<number, number> {
  const counts = new Map<number, number>();
  // Unit by unit, with the last unit of each key: sets of a million units would take a second.
  const last = new Map<number, number>();
  for (const row of rowsByCode(coded)) {
    const key = keys[row];
    if (key < 0 || last.get(key) === coded.codes[row]) continue;
    last.set(key, coded.codes[row]);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

/** Sums over the units of a stratum so far, but for the weight of the last one. */
interface Stratum {
  unit: number;
  weight: number;
  sum: number;
  squares: number;
}

/**
 * Kish's (sum w)^2 / sum w^2 over the units' total weights, in the smallest stratum that the metric rests on: ten
 * positive patients among a hundred are ten for sensitivity.
 *
 * Source: Kish 1965, Survey Sampling, section 11.7.
 */
export function effectiveUnits(metric: Pick<Metric, 'stratum'>, table: ScoreTable, units: ArrayLike<number>): number {
  const coded = encode(units);
  const strata = new Map<number, Stratum>();
  const close = (stratum: Stratum, unit: number) => {
    stratum.sum += stratum.weight;
    stratum.squares += stratum.weight ** 2;
    stratum.unit = unit;
    stratum.weight = 0;
  };
  // Unit by unit, so that a stratum needs no list of all units: classes may be thousands.
  for (const row of rowsByCode(coded)) {
    const weight = table.weight ? table.weight[row] : 1;
    const key = metric.stratum ? metric.stratum(table, row) : 0;
    if (key < 0 || weight === 0) continue;
    const unit = coded.codes[row];
    let stratum = strata.get(key);
    if (!stratum) {
      stratum = { unit, weight: 0, sum: 0, squares: 0 };
      strata.set(key, stratum);
    }
    if (stratum.unit !== unit) close(stratum, unit);
    stratum.weight += weight;
  }
  let least = Infinity;
  for (const stratum of strata.values()) {
    close(stratum, -1);
    least = Math.min(least, stratum.sum ** 2 / stratum.squares);
  }
  return least;
}
