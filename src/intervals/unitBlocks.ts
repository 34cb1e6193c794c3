import { encode } from '../data/encode.js';
import { concat } from '../data/labels.js';
import { foldBlocks } from '../metrics/combineFolds.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import { joinTables } from '../metrics/tableRows.js';
import { allUnits, type IntervalInput } from './interval.js';

/** Rows that are scored together: a fold alone for ranks, all folds of a repeat for losses and counts. */
export interface UnitBlock {
  readonly table: ScoreTable;
  /** Code 0 ... of each row's unit, alike in all blocks. */
  readonly units: Int32Array;
}

/** The scored rows by repeat and block, as the `combine` of the metric says. Failed folds have none. */
export function unitBlocks({ metric, folds }: Pick<IntervalInput, 'metric' | 'folds'>): UnitBlock[][] {
  const scored = folds.flatMap(({ table, units, repeat }) => (table ? [{ table, units, repeat }] : []));
  if (scored.length === 0) return [];
  const { codes } = encode(allUnits(scored));
  let end = 0;
  const coded = scored.map(({ units }) => {
    end += units.length;
    return codes.subarray(end - units.length, end);
  });
  const repeats = foldBlocks(
    metric,
    scored.map(({ repeat }) => repeat),
  );
  return repeats.map((blocks) =>
    blocks.map((members) => ({
      table: joinTables(members.map((fold) => scored[fold].table)),
      units: concat(members.map((fold) => coded[fold])),
    })),
  );
}
