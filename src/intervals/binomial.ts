import { joinTables } from '../metrics/tableRows.js';
import { framedInterval } from './framedInterval.js';
import { allUnits, type Interval, type IntervalInput, type IntervalMethod, joinNotes } from './interval.js';
import { proportion } from './proportion.js';
import { unitBlocks } from './unitBlocks.js';

/**
 * Wilson's interval about these predictions, for metrics that are shares of rows (accuracy, sensitivity, ...); others get
 * null limits with the reason. With several rows per patient, or repeats, the ratio estimator in its place, which
 * `method` says.
 *
 * Source: Wilson 1927, JASA 22:209; ratio estimator, Genders et al. 2012, Radiology 265:910.
 */
export const wilsonOfFolds: IntervalMethod = (input) => binomial(input, 'wilson');

/**
 * Clopper and Pearson's interval about these predictions, for metrics that are shares of rows; others get null limits
 * with the reason. With several rows per patient, or repeats, Korn and Graubard's in its place, which `method` says.
 *
 * Source: Clopper & Pearson 1934, Biometrika 26:404; Korn & Graubard 1998, Survey Methodology 24:193.
 */
export const clopperPearsonOfFolds: IntervalMethod = (input) => binomial(input, 'clopper_pearson');

function binomial(input: IntervalInput, how: 'wilson' | 'clopper_pearson'): Interval {
  const { metric, unit, level } = input;
  const repeats = unitBlocks(input);
  const unfit = metric.proportion ? undefined : `${how} is for shares of rows, which ${metric.name} is not`;
  return framedInterval(input, { method: how, estimand: 'predictions', repeats, unfit }, (_estimate, nUnits) => {
    const blocks = repeats.flat();
    const table = joinTables(blocks.map((block) => block.table));
    const units = allUnits(blocks);
    const sample = {
      table,
      units,
      nUnits,
      unit,
      clustered: nUnits < table.length,
      level,
    } as const;
    const { lower, upper, method, note, reason } = proportion(sample, metric, how);
    return { method, lower, upper, ...(reason ? { reason } : {}), ...joinNotes(note) };
  });
}
