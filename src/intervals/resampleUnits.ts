import { counted } from '../core/format.js';
import { hasReason } from '../core/hasReason.js';
import { unbiasedVariance } from '../core/numbers.js';
import { gather } from '../data/labels.js';
import { type CombinedScore, combineBlocks, combinedEstimate } from '../metrics/combineFolds.js';
import type { Metric } from '../metrics/metric.js';
import { ascendingOrder } from '../metrics/rocPlacements.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import { takeRows } from '../metrics/tableRows.js';
import { type IntervalInput, numberOfCodes } from './interval.js';
import type { UnitBlock } from './unitBlocks.js';
import { type Draws, drawUnits, labelCells, readsCells } from './unitDraws.js';

type ResampledSpread =
  | { readonly variance: number; readonly notes: readonly (string | undefined)[] }
  | { readonly reason: string };

type Input = Pick<IntervalInput, 'metric' | 'nBootstrap' | 'random' | 'draws'>;
type Repeats = readonly (readonly UnitBlock[])[];

/**
 * The variance of the metric over `nBootstrap` resamples of units (patients, else rows), drawn with replacement and for
 * all of `repeats` at once.
 *
 * Source: Efron & Tibshirani 1993, chapter 6; for patients as units, Field & Welsh 2007, JRSS B 69:369.
 *
 * @param valueFor what a resample gives; by default the metric of the units as often as they were drawn
 */
export function resampleUnits(
  input: Input,
  repeats: Repeats,
  valueFor?: (draws: Draws) => CombinedScore,
): ResampledSpread {
  const found = resampledValues(input, repeats, valueFor ?? estimateByUnits(input.metric, repeats));
  return hasReason(found) ? found : { variance: unbiasedVariance(found.values), notes: found.notes };
}

/** The same from cell weights that the metrics of a run share; undefined where a resample leaves a block without a value. */
export function resampleCells({ metric, nBootstrap, draws }: Input, repeats: Repeats): ResampledSpread | undefined {
  const blocks = repeats.flat();
  if (!draws || !blocks.every(({ table }) => readsCells(metric, table))) return undefined;
  const cells = draws.cells(blocks, numberOfCodes(repeats.flat()));
  if (!cells) return undefined;
  let end = 0;
  const tables = repeats.map(({ length }) => {
    end += length;
    return cells.slice(end - length, end).map(({ table }) => table);
  });
  const values = new Float64Array(nBootstrap);
  for (let b = 0; b < nBootstrap; b++) {
    for (const { table, weights } of cells)
      table.weight.set(weights.subarray(b * table.length, (b + 1) * table.length));
    const { value, defined, total } = combineBlocks(metric, tables);
    if (value === null || defined < total) return undefined;
    values[b] = value;
  }
  return { variance: unbiasedVariance(values), notes: [] };
}

/** The values of the resamples, with notes on those that lack one; or the reason when more than half have none. */
export function resampledValues(
  { metric, nBootstrap, random, draws }: Input,
  repeats: Repeats,
  valueFor: (draws: Draws) => CombinedScore,
): { readonly values: readonly number[]; readonly notes: readonly (string | undefined)[] } | { reason: string } {
  const { defined } = combinedEstimate(metric, repeats);
  const nUnits = numberOfCodes(repeats.flat());
  const values: number[] = [];
  let thinned = 0;
  for (const drawn of draws?.of(nUnits) ?? drawUnits(random, nUnits, nBootstrap)) {
    const result = valueFor(drawn);
    if (result.value === null) continue;
    values.push(result.value);
    if (result.defined < defined) thinned++;
  }
  const dropped = nBootstrap - values.length;
  const ofAll = `of ${counted(nBootstrap, 'resample')}`;
  if (dropped > nBootstrap / 2) return { reason: `${dropped} ${ofAll} leave ${metric.name} undefined` };
  return {
    values,
    notes: [
      dropped > 0 ? `${dropped} ${ofAll} left the metric undefined and were dropped.` : undefined,
      thinned > 0
        ? `${thinned} ${ofAll} left a fold without a value; it counted with the other folds alone.`
        : undefined,
    ],
  };
}

export function estimateByUnits(metric: Metric, repeats: Repeats): (times: Draws) => CombinedScore {
  const resampled = repeats.map((blocks) =>
    blocks.map((block) =>
      metric.weighted ? (byCells(metric, block) ?? byWeights(ranked(metric, block))) : byRows(block),
    ),
  );
  return (times) =>
    combineBlocks(
      metric,
      resampled.map((blocks) => blocks.map((tableFor) => tableFor(times))),
    );
}

function byCells(metric: Metric, block: UnitBlock): ((times: Draws) => ScoreTable) | undefined {
  const cells = readsCells(metric, block.table) ? labelCells(block) : undefined;
  return (
    cells &&
    ((times) => {
      cells.weigh(times, cells.table.weight);
      return cells.table;
    })
  );
}

/** A metric of ranks then reads weights in the order in which they lie. */
function ranked({ combine, needs }: Metric, block: UnitBlock): UnitBlock {
  const { task, yProba } = block.table;
  if (combine !== 'mean' || needs !== 'probabilities' || task !== 'binary' || !yProba) return block;
  const order = ascendingOrder(yProba);
  return { table: takeRows(block.table, order), units: gather(block.units, order) };
}

/** A twin of the table whose weights are rewritten, so that no row is copied. */
function byWeights({ table, units }: UnitBlock): (times: Draws) => ScoreTable {
  const weight = new Float64Array(table.length);
  const twin = { ...table, fixed: true, weight } as const;
  const own = table.weight;
  return (times) => {
    if (own) for (let row = 0; row < weight.length; row++) weight[row] = times[units[row]] * own[row];
    else for (let row = 0; row < weight.length; row++) weight[row] = times[units[row]];
    return twin;
  };
}

function byRows({ table, units }: UnitBlock): (times: Draws) => ScoreTable {
  return (times) => {
    const rows = new Int32Array(units.reduce((sum, unit) => sum + times[unit], 0));
    let at = 0;
    for (let row = 0; row < units.length; row++) {
      rows.fill(row, at, at + times[units[row]]);
      at += times[units[row]];
    }
    return takeRows(table, rows);
  };
}
