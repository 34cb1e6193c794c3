import { encode, rowsByCode } from '../data/encode.js';
import type { Metric } from '../metrics/metric.js';
import type { ScoreTable } from '../metrics/scoreTable.js';

/**
 * Kish's (sum w)^2 / sum w^2 over the units' total weights, in the smallest stratum that the metric rests on: ten
 * positive patients among a hundred are ten for sensitivity.
 *
 * Source: Kish 1965, Survey Sampling, section 11.7.
 *
 * @param units code of each row's unit
 */
export function effectiveUnits(metric: Pick<Metric, 'stratum'>, table: ScoreTable, units: ArrayLike<number>): number {
  const coded = encode(units);
  if (!metric.stratum) return ofAll(table, coded);
  const strata = new Map<number, Stratum>();
  // Unit by unit, so that a stratum needs no list of all units: classes may be thousands.
  for (const row of rowsByCode(coded)) {
    const weight = table.weight ? table.weight[row] : 1;
    const key = metric.stratum(table, row);
    if (key < 0 || weight === 0) continue;
    let stratum = strata.get(key);
    if (!stratum) {
      stratum = { unit: coded.codes[row], weight: 0, sum: 0, squares: 0 };
      strata.set(key, stratum);
    }
    if (stratum.unit !== coded.codes[row]) {
      count(stratum);
      stratum.unit = coded.codes[row];
      stratum.weight = 0;
    }
    stratum.weight += weight;
  }
  let least = Infinity;
  for (const stratum of strata.values()) {
    count(stratum);
    least = Math.min(least, stratum.sum ** 2 / stratum.squares);
  }
  return least;
}

function ofAll({ weight }: ScoreTable, { classes, codes }: ReturnType<typeof encode>): number {
  const perUnit = new Float64Array(classes.length);
  for (let row = 0; row < codes.length; row++) perUnit[codes[row]] += weight ? weight[row] : 1;
  let [sum, squares] = [0, 0];
  for (let unit = 0; unit < perUnit.length; unit++) {
    sum += perUnit[unit];
    squares += perUnit[unit] ** 2;
  }
  return squares > 0 ? sum ** 2 / squares : Infinity;
}

/** Sums over the units of a stratum so far, but for the weight of the last one. */
interface Stratum {
  unit: number;
  weight: number;
  sum: number;
  squares: number;
}

function count(stratum: Stratum): void {
  stratum.sum += stratum.weight;
  stratum.squares += stratum.weight * stratum.weight;
}
