import { atOnce, InvalidDataError, InvalidOptionError, kindOf, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import { rowNumbers, type Task } from '../data/labels.js';
import type { ScoreTable } from './scoreTable.js';
import { takeRows } from './tableRows.js';

/** A value, or null with the reason why there is none (0/0, one class only, ...). Never NaN. */
export type Score = { readonly value: number } | { readonly value: null; readonly reason: string };

/** Facts and function of one metric. */
export interface Metric {
  /** snake_case, as in scikit-learn where it has the metric. */
  readonly name: string;
  readonly aliases?: readonly string[];
  /** One sentence with the source. */
  readonly description: string;
  /** Which way is better. `target`: towards `target`, from either side. */
  readonly direction: 'maximize' | 'minimize' | 'target';
  /** The ideal value of a metric whose direction is `target`: 1 for the calibration slope. */
  readonly target?: number;
  /** Smallest and largest possible value; infinite where unbounded. A value beyond it is an error. */
  readonly range: readonly [number, number];
  readonly tasks: readonly Task[];
  /** `labels`: yPred. `probabilities`: yProba, too. */
  readonly needs: 'labels' | 'probabilities';
  /**
   * The estimate over folds. `mean`: mean of the folds' values, for ranks, since scores of different fold models are
   * not comparable. `pooled`: one value over all rows, for losses and counts, also where a fold lacks a class.
   */
  readonly combine: 'mean' | 'pooled';
  /** A share of rows: each row counts 0 or 1, so that binomial intervals fit. */
  readonly proportion?: boolean;
  /**
   * The value is the weighted mean over rows of a loss (or gain) of each row, its value for that row alone. `nested_cv`
   * needs it.
   */
  readonly decomposable?: boolean;
  /**
   * `compute` honours the weights of a table: weight k counts as the row k times, weight 0 as no row. Left out,
   * resamples repeat rows, and a given `sampleWeight` has no effect on the value but for rows of weight 0.
   */
  readonly weighted?: boolean;
  /** Patients count alike in the value, not rows. */
  readonly averagedOver?: 'patient';
  /** Which of the times, targets, labels or classes of y it is about. */
  readonly place?: { readonly of: 'times' | 'channels' | 'targets' | 'labels'; readonly at: number };
  /** One prediction of each patient counts, made of those of its rows by the `aggregate` of the table. */
  readonly ofPatients?: {
    /** The metric of a table with one row per patient. */
    readonly metric: Metric;
    /** That table, and the first row of each of its patients. */
    readonly of: (table: ScoreTable) => { readonly table: ScoreTable; readonly rows: Int32Array };
  };
  /**
   * A constant prediction can be perfect: sensitivity is 1 when every row is called positive. Such a metric gets no
   * baseline, since no model could be better.
   */
  readonly noBaseline?: boolean;
  /**
   * What predictions are worth that have nothing to do with the labels, where that is known: of so many classes, with so large
   * a share of positive rows (NaN where there are several classes or none).
   */
  readonly chance?: (classes: number, prevalence: number) => number;
  /**
   * Ratio of the standard error about the training procedure to that between the patients of one partition, for the
   * difference of two shuffled designs: a constant found by simulation (docs/leakage-inflation.md), which `leakageInflation`
   * uses. Left out, 1.6, the largest that was found.
   */
  readonly seInflation?: number;
  /** The value changes with the share of the classes, as accuracy does and sensitivity does not. */
  readonly dependsOnPrevalence?: boolean;
  /**
   * Which rows the value rests on: the stratum (>= 0) of a row, for example its class, or -1 when the row does not
   * count. Left out, all rows count alike. Without any row that counts, the metric is undefined; an interval at the
   * bound of the range rests on the patients of the smallest stratum, not on all.
   */
  readonly stratum?: (table: ScoreTable, row: number) => number;
  /**
   * Influence of every row on the value of a table, centred at `estimate`: the sum of a unit's influences is about what
   * its rows add to the value. Their squares, summed over independent units, are the variance. Left out, units are
   * resampled instead.
   */
  readonly influence?: (table: ScoreTable, estimate: number) => Float64Array;
  /** A number, or {@link undefinedBecause} with the reason. */
  compute(table: ScoreTable): number | Undefined;
}

/** A value oriented so that smaller is better; for a target, the distance from it. */
export const lossOf = ({ direction, target = 0 }: Pick<Metric, 'direction' | 'target'>, value: number): number =>
  direction === 'target' ? Math.abs(value - target) : direction === 'minimize' ? value : -value;

/**
 * What two models are compared by: the distance of a metric from its target, whose own target is 0, so that a slope of .8 is
 * no better than one of 1.2; other metrics as they are. Its influence is that of the value, towards the side where it lies.
 */
export function comparable(metric: Metric): Metric {
  const { direction, target = 0, influence } = metric;
  if (direction !== 'target') return metric;
  const sideOf = (table: ScoreTable) => ((metric.compute(table) as number) < target ? -1 : 1);
  return {
    ...metric,
    target: 0,
    range: [0, Number.POSITIVE_INFINITY],
    compute(table) {
      const value = metric.compute(table);
      return typeof value === 'number' ? Math.abs(value - target) : value;
    },
    ...(influence && {
      influence(table, distance) {
        const side = sideOf(table);
        return influence(table, target + side * distance).map((each) => side * each);
      },
    }),
  };
}

/** What stands for a value that does not exist, with its reason. */
export interface Undefined {
  readonly reason: string;
}

/**
 * What `compute` returns when there is no value: 0/0, one class only.
 *
 * @example
 * const share = defineMetric({
 *   name: 'first_class_share', description: 'Share of rows predicted as the first class.', direction: 'maximize', range: [0, 1],
 *   tasks: ['binary'], needs: 'labels', combine: 'pooled',
 *   compute: ({ yPred: label }) =>
 *     label.length === 0 ? undefinedBecause('there are no rows') : label.filter((each) => each === 0).length / label.length,
 * });
 * console.log(score(share, scoreTable({ yTrue, yPred })));
 */
export const undefinedBecause = (reason: string): Undefined => ({ reason });

/**
 * Value of a metric on a table; NaN, Infinity and missing inputs become null with a reason. Rows of weight 0 count as
 * absent: a metric that is not `weighted` does not see them.
 *
 * @example
 * const errors = defineMetric({
 *   name: 'errors', description: 'Number of wrong labels.', direction: 'minimize', range: [0, Infinity],
 *   tasks: ['binary'], needs: 'labels', combine: 'pooled',
 *   compute: ({ yTrue: truth, yPred: label }) => truth.filter((each, row) => each !== label[row]).length,
 * });
 * console.log(score(errors, scoreTable({ yTrue, yPred })));
 */
export function score(metric: Metric, table: ScoreTable): Score {
  if (typeof metric?.compute !== 'function' || !Array.isArray(metric.tasks)) {
    throw new InvalidOptionError(sentence('The metric of `score`', 'be what `defineMetric` returns', metric));
  }
  if (typeof table?.length !== 'number' || !('task' in Object(table))) {
    throw new InvalidDataError(sentence('The table of `score`', 'be what `scoreTable` returns', kindOf(table)));
  }
  if (!metric.tasks.includes(table.task)) {
    return { value: null, reason: `${metric.name} is not defined for ${table.task} tasks` };
  }
  if (table.length === 0) return { value: null, reason: 'no rows' };
  if (table.weight && !table.weight.some((weight) => weight > 0)) return { value: null, reason: 'every weight is 0' };
  if (metric.needs === 'probabilities' && !table.yProba) {
    const what = table.task === 'survival' ? 'survival curves (`predictSurvival`)' : 'probabilities';
    return { value: null, reason: `the model gives no ${what}` };
  }
  const computed = metric.compute(metric.weighted ? table : withoutZeroWeights(table));
  const value = atOnce(computed, `The metric '${nameText(metric.name)}'`, InvalidDataError);
  if (typeof value !== 'number') {
    // An own property: other libraries may have extended Object.prototype.
    if (typeof value === 'object' && value !== null && Object.hasOwn(value, 'reason')) {
      return { value: null, reason: String(value.reason) };
    }
    throw new InvalidDataError(sentence(`The metric '${metric.name}'`, 'give a number or { reason }', value));
  }
  return Number.isFinite(value) ? { value: inRange(metric, value) } : { value: null, reason: `the value is ${value}` };
}

/** Beyond a bound by no more than this, relative to it, is rounding. */
const ROUNDING = 1e-9;

/** Without what rounding put beyond the declared range, on which intervals rest. */
function inRange({ name, range: [low, high] }: Pick<Metric, 'name' | 'range'>, value: number): number {
  const beyond = Math.max(low - value, value - high);
  if (!(beyond > 0)) return value;
  const bound = value < low ? low : high;
  if (beyond <= ROUNDING * Math.max(1, Math.abs(bound))) return bound;
  const must = `be from ${low} to ${high}, as its \`range\` says`;
  throw new InvalidDataError(sentence(`The value of the metric '${nameText(name)}'`, must, value));
}

function withoutZeroWeights(table: ScoreTable): ScoreTable {
  const { weight } = table;
  if (!weight?.includes(0)) return table;
  return takeRows(
    table,
    rowNumbers(table.length).filter((row) => weight[row] > 0),
  );
}
