import { rowsByCode, unitCodes } from '../data/encode.js';
import type { Metric } from '../metrics/metric.js';
import type { ScoreTable } from '../metrics/scoreTable.js';

type Coded = Parameters<typeof rowsByCode>[0];

const areSingleRows = ({ codes, classes }: Coded) => classes.length === codes.length;

/** How many different units have a row of each class 0 ... `count` - 1; rows of a negative class are in no count. */
export function unitsOfClasses(classOf: ArrayLike<number>, count: number, units: Coded): Int32Array {
  const counts = new Int32Array(count);
  const single = areSingleRows(units);
  // Unit by unit, with the last unit of each class: sets of a million units would take a second.
  const rows = single ? undefined : rowsByCode(units);
  const last = new Int32Array(count).fill(-1);
  for (let at = 0; at < classOf.length; at++) {
    const row = rows ? rows[at] : at;
    const [code, unit] = [classOf[row], units.codes[row]];
    if (code < 0 || last[code] === unit) continue;
    last[code] = unit;
    counts[code]++;
  }
  return counts;
}

/** The same, counted no further than to `enough`, which takes one pass, up to the last class with rows. */
export function unitsUpTo(enough: number, classOf: ArrayLike<number>, units: ArrayLike<number>): number[] {
  const found: Set<number>[] = [];
  for (let row = 0; row < classOf.length; row++) {
    found[classOf[row]] ??= new Set();
    const members = found[classOf[row]];
    if (members.size < enough) members.add(units[row]);
  }
  return Array.from(found, (members) => members?.size ?? 0);
}

/** Sums over the units of a stratum so far, but for the weight of the last one. */
interface Stratum {
  unit: number;
  weight: number;
  sum: number;
  squares: number;
}

function close(stratum: Stratum, unit: number): void {
  stratum.sum += stratum.weight;
  stratum.squares += stratum.weight ** 2;
  stratum.unit = unit;
  stratum.weight = 0;
}

/**
 * Kish's (sum w)^2 / sum w^2 over the units' total weights, in the smallest stratum that the metric rests on: ten
 * positive patients among a hundred are ten for sensitivity.
 *
 * Source: Kish 1965, Survey Sampling, section 11.7.
 */
export function effectiveUnits(metric: Pick<Metric, 'stratum'>, table: ScoreTable, units: ArrayLike<number>): number {
  const coded = unitCodes(units);
  if (!metric.stratum) return ofAll(table, coded);
  if (!table.weight && areSingleRows(coded)) return fewestRows(metric.stratum, table);
  const strata: Stratum[] = [];
  // Unit by unit, so that a stratum needs no list of all units: classes may be thousands.
  for (const row of rowsByCode(coded)) {
    const weight = table.weight ? table.weight[row] : 1;
    const key = metric.stratum(table, row);
    if (key < 0 || weight === 0) continue;
    const unit = coded.codes[row];
    strata[key] ??= { unit, weight: 0, sum: 0, squares: 0 };
    const stratum = strata[key];
    if (stratum.unit !== unit) close(stratum, unit);
    stratum.weight += weight;
  }
  let least = Infinity;
  for (const stratum of Object.values(strata)) {
    close(stratum, -1);
    least = Math.min(least, stratum.sum ** 2 / stratum.squares);
  }
  return least;
}

function fewestRows(stratum: NonNullable<Metric['stratum']>, table: ScoreTable): number {
  const counts: number[] = [];
  for (let row = 0; row < table.length; row++) {
    const key = stratum(table, row);
    if (key >= 0) counts[key] = (counts[key] ?? 0) + 1;
  }
  return Math.min(...Object.values(counts));
}

function ofAll({ weight }: ScoreTable, { codes, classes }: Coded): number {
  if (!weight && areSingleRows({ codes, classes })) return codes.length;
  const perUnit = new Float64Array(classes.length);
  for (let row = 0; row < codes.length; row++) perUnit[codes[row]] += weight ? weight[row] : 1;
  let [sum, squares] = [0, 0];
  for (let unit = 0; unit < perUnit.length; unit++) {
    sum += perUnit[unit];
    squares += perUnit[unit] ** 2;
  }
  return squares > 0 ? sum ** 2 / squares : Infinity;
}
