import { foldBlocks } from '../metrics/combineFolds.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import { joinTables } from '../metrics/tableRows.js';
import { allUnits, codedUnits, type IntervalInput } from './interval.js';

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

/** As the `combine` of the metric says. Failed folds have none. */
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

/** The same with the units as they are. */
export function blocksAsCoded(metric: IntervalInput['metric'], folds: readonly Tested[]): UnitBlock[][] {
  const scored = scoredOf(folds);
  const repeats = foldBlocks(
    metric,
    scored.map(({ repeat }) => repeat),
  );
  return repeats.map((blocks) =>
    blocks.map((members) => ({
      table: joinTables(members.map((fold) => scored[fold].table)),
      units: allUnits(members.map((fold) => scored[fold])),
    })),
  );
}
