import { joinTables } from '../metrics/tableRows.js';
import { framedInterval } from './framedInterval.js';
import { allUnits, type Interval, type IntervalInput } from './interval.js';
import { type ProportionMethod, proportion } from './proportion.js';

function proportionOfFolds(input: IntervalInput, how: ProportionMethod): Interval {
  const { metric, unit, level } = input;
  const unfit = metric.proportion ? undefined : `${how} is for shares of rows, which ${metric.name} is not`;
  return framedInterval(input, { method: how, estimand: 'predictions', unfit }, ({ nUnits, repeats }) => {
    const blocks = repeats.flat();
    const table = joinTables(blocks.map((block) => block.table));
    const sample = { table, units: allUnits(blocks), nUnits, unit, clustered: nUnits < table.length, level };
    const { estimate: _pooled, ...found } = proportion(sample, metric, how);
    return found;
  });
}

/**
 * Wilson's interval about these predictions, for metrics that are shares of rows (accuracy, sensitivity, ...); others get null
 * limits with the reason. With several rows per patient, or repeats, the ratio estimator in its place, which `method` says.
 */
export const wilsonOfFolds = (input: IntervalInput): Interval => proportionOfFolds(input, 'wilson');

/**
 * Clopper and Pearson's interval about these predictions, for metrics that are shares of rows; others get null limits with
 * the reason. With several rows per patient, or repeats, Korn and Graubard's in its place, which `method` says.
 */
export const clopperPearsonOfFolds = (input: IntervalInput): Interval => proportionOfFolds(input, 'clopper_pearson');
