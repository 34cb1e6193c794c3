import { gather, rowNumbers } from '../data/labels.js';
import { type SideData, unitsOf } from '../data/sideData.js';
import type { Metric } from '../metrics/metric.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import { takeRows } from '../metrics/tableRows.js';
import type { FoldPlan } from '../splitters/foldsOf.js';
import { foldsThatCount, type IntervalFold } from './interval.js';

export interface IntervalFolds {
  readonly folds: readonly Omit<IntervalFold, 'score'>[];
  readonly unit: string;
  readonly note?: string | undefined;
  /** For a metric that some folds have no value of: units of which the others have enough. */
  for(metric: Metric): IntervalFolds;
}

/** Of two sets, the one whose patients are not known. */
interface Unnamed {
  readonly unnamed?: 'train' | 'test' | undefined;
}

export type UnitData = SideData & { readonly sampleWeight?: ArrayLike<number> | undefined } & Unnamed;

export const sideOf = ({
  data,
  weight,
  unnamed,
}: Unnamed & {
  readonly data: SideData;
  readonly weight: Float64Array | undefined;
}): UnitData => ({
  ...data,
  ...(unnamed === 'test' ? { groups: undefined } : {}),
  sampleWeight: weight,
  unnamed,
});

/** Rows of weight 0 do not count. `choosing`: the weights that units are chosen by. */
export function countedUnits({ n }: Pick<FoldPlan, 'n'>, data: UnitData, choosing = data.sampleWeight) {
  const weight = data.sampleWeight;
  const { unit, codes, note } = unitsOf(data, n, choosing);
  const counts = (row: number) => !weight || weight[row] > 0;
  const unitsOfRows = (rows: Int32Array) => {
    const counting = weight ? rows.filter(counts) : rows;
    return codes ? gather(codes, counting) : counting;
  };
  return { unit, codes, note, weight, counts, unitsOfRows };
}

type TestedFold = { readonly fold: { readonly index: number } } & (
  | { readonly status: 'completed'; readonly table: ScoreTable; readonly nUnitsFitted: number | null }
  | { readonly status: 'failed' }
);

export function intervalFolds(
  { folds, plan }: { readonly folds: readonly TestedFold[]; readonly plan: FoldPlan },
  data: UnitData,
  choosing?: Float64Array,
): IntervalFolds {
  const { unit, codes, note, weight, counts, unitsOfRows } = countedUnits(plan, data, choosing);
  // The fold, from 1, that last trained on a unit: n sets for leave-one-out would take a second.
  const trainedBy = new Int32Array(plan.n);
  const unitsIn = (train: Int32Array, fold: number): number => {
    let found = 0;
    for (let at = 0; at < train.length; at++) {
      if (!counts(train[at])) continue;
      const code = codes ? codes[train[at]] : train[at];
      if (trainedBy[code] !== fold) found++;
      trainedBy[code] = fold;
    }
    return found;
  };
  const all: IntervalFolds = {
    unit,
    note,
    for(metric) {
      // Without levels there are no other units.
      const counting = data.hierarchy ? foldsThatCount(metric, all.folds) : all.folds;
      if (counting.length === all.folds.length) return all;
      const rows = new Float64Array(plan.n);
      for (const fold of counting) {
        const { test } = plan.at(folds[all.folds.indexOf(fold)].fold.index);
        for (const row of test) rows[row] = weight ? weight[row] : 1;
      }
      const chosen = intervalFolds({ folds, plan }, data, rows);
      return chosen.unit === unit ? all : chosen;
    },
    folds: folds.map((result, at) => {
      const { train, test, repeat } = plan.at(result.fold.index);
      const table = result.status === 'completed' ? result.table : undefined;
      const places = weight && rowNumbers(test.length).filter((place) => counts(test[place]));
      const fitted = result.status === 'completed' ? result.nUnitsFitted : null;
      return {
        units: unitsOfRows(test),
        nTrain: data.unnamed === 'train' ? 0 : (fitted ?? unitsIn(train, at + 1)),
        repeat,
        ...(table ? { table: places ? takeRows(table, places) : table } : {}),
      };
    }),
  };
  return all;
}
