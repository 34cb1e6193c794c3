import { mean } from '../core/numbers.js';
import { concat } from '../data/labels.js';
import { foldBlocks } from '../metrics/combineFolds.js';
import { type Metric, score } from '../metrics/metric.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import { joinTables } from '../metrics/tableRows.js';
import { allUnits, codedUnits, type IntervalInput } from './interval.js';
import { type UnitVariance, unitStrata, unitVariance } from './unitVariance.js';

/** Rows that are scored together: a fold alone for ranks, all folds of a repeat for losses and counts. */
export interface UnitBlock {
  readonly table: ScoreTable;
  /** Code 0 ... of each row's unit, alike in all blocks. */
  readonly units: Int32Array;
}

type Tested = Pick<IntervalInput['folds'][number], 'table' | 'units' | 'repeat'>;
type Scored = Tested & { readonly table: ScoreTable };

const scoredOf = (folds: readonly Tested[]) =>
  folds.flatMap(({ table, units, repeat }): Scored[] => (table ? [{ table, units, repeat }] : []));

export function unitBlocks({ metric, folds }: Pick<IntervalInput, 'metric' | 'folds'>): UnitBlock[][] {
  const scored = scoredOf(folds);
  if (scored.length === 0) return [];
  const { codes } = codedUnits(scored);
  let end = 0;
  const coded = scored.map(({ units, ...fold }) => {
    end += units.length;
    return { ...fold, units: codes.subarray(end - units.length, end) };
  });
  return blocksAsCoded(metric, coded);
}

export function blocksAsCoded(metric: IntervalInput['metric'], folds: readonly Tested[]): UnitBlock[][] {
  const scored = scoredOf(folds);
  const repeatOf = scored.map(({ repeat }) => repeat);
  return foldBlocks(metric, repeatOf).map((blocks) =>
    blocks.map((members) => {
      const inBlock = members.map((fold) => scored[fold]);
      return { table: joinTables(inBlock.map(({ table }) => table)), units: allUnits(inBlock) };
    }),
  );
}

export type Influential = Metric & Required<Pick<Metric, 'influence'>>;

export const isInfluential = (metric: Metric): metric is Influential => metric.influence !== undefined;

/**
 * The influences of a fold's rows are centred at the estimate over all folds, so that one positive patient in a fold still
 * counts. Patients are strata by class, unless the metric depends on the prevalence and `sampling` is a cohort. Over repeats
 * the variances are averaged: those of averaged influences would pretend that repeats bring new patients.
 *
 * Source: LeDell, Petersen & van der Laan 2015, Electronic Journal of Statistics 9:1583, for the area under the curve.
 */
export function influenceVariance(
  { metric, sampling }: Pick<IntervalInput, 'sampling'> & { readonly metric: Influential },
  repeats: readonly (readonly UnitBlock[])[],
): Omit<UnitVariance, 'nUnits'> {
  const stratify = sampling === 'case_control' || !metric.dependsOnPrevalence;
  const parts = repeats.flatMap((blocks) => {
    const found = blockInfluences(metric, blocks);
    if (!found) return [];
    return [unitVariance(found.influence, found.units, stratify ? found.strata : undefined)];
  });
  return { variance: mean(parts.map(({ variance }) => variance)), df: mean(parts.map(({ df }) => df)) };
}

export function blockInfluences(metric: Influential, blocks: readonly UnitBlock[]) {
  const valued = blocks.flatMap((block) => {
    const { value } = score(metric, block.table);
    return value === null ? [] : [{ ...block, value }];
  });
  if (valued.length === 0) return undefined;
  const estimate = mean(valued.map(({ value }) => value));
  const units = allUnits(valued);
  const influence = concat(valued.map(({ table }) => metric.influence(table, estimate)));
  return {
    estimate,
    influence: influence.map((each) => each / valued.length),
    units,
    get strata() {
      return unitStrata(concat(valued.map(({ table }) => classOf(table))), units);
    },
  };
}

const classOf = ({ task, yTrue, length }: ScoreTable) =>
  task === 'binary' || task === 'multiclass' ? Int32Array.from(yTrue) : new Int32Array(length);
