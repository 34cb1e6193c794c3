import { counted } from '../core/format.js';
import { unitCodes } from '../data/encode.js';
import { gather, type Label, rowNumbers } from '../data/labels.js';
import { groupsOf } from '../data/sideData.js';
import type { Metric } from '../metrics/metric.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import { takeRows } from '../metrics/tableRows.js';
import { effectiveUnits, unitsUpTo } from './effectiveUnits.js';
import { type Interval, tooFewUnits, tooUneven, unitFacts } from './interval.js';
import { type UnitVariance, unitStrata, unitVariance } from './unitVariance.js';

export interface Sample {
  readonly table: ScoreTable;
  readonly units: Int32Array;
  readonly nUnits: number;
  readonly unit: string;
  /** Some patient has several rows, so that rows are not independent. */
  readonly clustered: boolean;
  readonly level: number;
}

export function sampleOf(all: ScoreTable, groups: ArrayLike<Label> | undefined, level: number): Sample {
  const everyRow = rowNumbers(all.length);
  const { weight } = all;
  const rows = weight ? everyRow.filter((row) => weight[row] > 0) : everyRow;
  const table = rows.length === all.length ? all : takeRows(all, rows);
  const { codes: units, classes } = unitCodes(
    groups ? gather(groupsOf(groups, all.length, 'groups', 'yTrue').codes, rows) : rows,
  );
  const nUnits = classes.length;
  return { table, units, nUnits, unit: groups ? 'patient' : 'row', clustered: nUnits < rows.length, level };
}

export const sampleFacts = ({ level, unit, nUnits }: Pick<Sample, 'level' | 'unit' | 'nUnits'>) =>
  ({
    level,
    estimand: 'predictions',
    ...unitFacts(unit),
    nUnits,
    nTrain: null,
    sampling: 'cohort',
  }) as const;

type Facts = Pick<Metric, 'stratum' | 'dependsOnPrevalence'>;

/** Loops over typed arrays, for a million rows. */
function countedRows({ table }: Sample, { stratum }: Facts) {
  const rows = new Int32Array(table.length);
  const strata = new Int32Array(table.length);
  let count = 0;
  for (let row = 0; row < table.length; row++) {
    const found = stratum ? stratum(table, row) : 0;
    if (found < 0) continue;
    rows[count] = row;
    strata[count++] = found;
  }
  return { rows: rows.subarray(0, count), strata: strata.subarray(0, count) };
}

export const influenceOf = (metric: Metric, { table }: Sample, estimate: number): Float64Array =>
  (metric.influence as NonNullable<Metric['influence']>)(table, estimate);

/** Strata are those of the metric, unless it depends on the prevalence, which is then random too. */
export function varianceIn(sample: Sample, metric: Facts): (influence: Float64Array) => UnitVariance {
  const { rows, strata } = countedRows(sample, metric);
  const units = sample.clustered ? gather(sample.units, rows) : rows;
  const within = metric.dependsOnPrevalence ? undefined : sample.clustered ? unitStrata(strata, units) : strata;
  return (influence) =>
    unitVariance(rows.length < influence.length ? gather(influence, rows) : influence, units, within);
}

function fewestUnits(sample: Sample, metric: Facts, enough: number): number {
  const { rows, strata } = countedRows(sample, metric);
  return Math.min(...unitsUpTo(enough, strata, gather(sample.units, rows)).filter((count) => count > 0));
}

export function obstacleOf(sample: Sample, metric: Facts, fewest = 1): string | undefined {
  const { table, units, unit, nUnits, clustered } = sample;
  const few = tooFewUnits(nUnits, unit) ?? tooUneven(table, units, unit);
  if (few !== undefined) return few;
  const least = clustered ? 3 : fewest;
  if (least === 1) return undefined;
  const { weight: _, ...unweighted } = table;
  const smallest = clustered ? fewestUnits(sample, metric, least) : effectiveUnits(metric, unweighted, units);
  return smallest < least ? `rests on ${counted(smallest, unit)}, fewer than ${least}` : undefined;
}

/** An estimate with its limits and the method that made them: an interval but for the facts of its sample. */
export type Value = Pick<Interval, 'estimate' | 'lower' | 'upper' | 'method' | 'note' | 'reason'>;

export const withoutLimits = (method: string, estimate: number | null, reason: string): Value => ({
  method,
  estimate,
  lower: null,
  upper: null,
  reason,
});
