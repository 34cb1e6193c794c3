import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { boolean, custom, listOf, number, oneOf, optionTable, string } from '../core/options.js';
import { createRegistry } from '../core/registry.js';
import type { Task } from '../data/labels.js';
import { METRICS } from './members.js';
import type { Metric } from './metric.js';

export const metricRegistry = createRegistry<Metric>('metric');
for (const metric of METRICS) metricRegistry.add(metric);

const isText = (value: unknown) => typeof value === 'string' && value !== '';
const isFunction = (value: unknown) => typeof value === 'function';
const isRange = (value: unknown) => Array.isArray(value) && value.length === 2 && value[0] < value[1];
const TASKS: readonly unknown[] = ['binary', 'multiclass', 'multilabel', 'regression', 'survival'];

const metricOptions = optionTable('defineMetric', {
  name: custom<string>(
    'string',
    'be snake_case, of at most 60 letters',
    (name) => typeof name === 'string' && /^[a-z][a-z0-9_]{0,59}$/.test(name),
  ).describe('What `metrics` calls it.'),
  aliases: listOf<string>('string', 'be a list of names', isText).optional().describe('Further names.'),
  description: string().describe('One sentence with the source.'),
  direction: oneOf('maximize', 'minimize', 'target').describe('Which way is better.'),
  target: number().optional().describe('Ideal value, for the direction target.'),
  range: custom<Metric['range']>('[number, number]', 'be the smallest and the largest value', isRange).describe(
    'Smallest and largest possible value; infinite where unbounded.',
  ),
  tasks: listOf<Task>('Task', `be a list of ${TASKS.join(', ')}`, (task) => TASKS.includes(task)).describe(
    'Tasks that it can score.',
  ),
  needs: oneOf('labels', 'probabilities').describe('What it reads of the predictions.'),
  combine: oneOf('mean', 'pooled').describe('Estimate over folds: mean of their values, or one value over all rows.'),
  proportion: boolean().optional().describe('A share of rows, each 0 or 1: binomial intervals fit.'),
  decomposable: boolean().optional().describe('It is the weighted mean of what each row alone would give.'),
  weighted: boolean()
    .optional()
    .describe(
      '`compute` honours the weights of the table: weight k counts as the row k times. Left out, resamples repeat rows.',
    ),
  noBaseline: boolean().optional().describe('A constant prediction can be perfect, so no baseline stands beside it.'),
  chance: custom<NonNullable<Metric['chance']>>('(classes, prevalence) => number', 'be a function', isFunction)
    .optional()
    .describe('What predictions are worth that have nothing to do with the labels; below it a warning says so.'),
  seInflation: number({ min: 1 })
    .optional()
    .describe(
      'Factor by which other partitions and training sets widen the interval of `leakageInflation`; 1.6 when left out.',
    ),
  dependsOnPrevalence: boolean().optional().describe('It changes with the share of the classes.'),
  stratum: custom<NonNullable<Metric['stratum']>>('(table, row) => number', 'be a function', isFunction)
    .optional()
    .describe('Stratum of a row, -1 for a row that does not count.'),
  influence: custom<NonNullable<Metric['influence']>>('(table, estimate) => Float64Array', 'be a function', isFunction)
    .optional()
    .describe('Influence of each row on the value; makes intervals without resampling.'),
  compute: custom<Metric['compute']>('(table) => number | { reason }', 'be a function', isFunction).describe(
    'Value on a table of rows, or the reason why there is none.',
  ),
});

/**
 * Adds a metric, so that `metrics: ['my_metric']` finds it. A name taken twice is refused, and so is a definition
 * with a fact missing or misspelt ({@link InvalidOptionError}). Its table holds class codes: a row is positive where
 * `yTrue[row] === positive`. Also exported as `registerMetric`.
 *
 * @example
 * defineMetric({
 *   name: 'error_rate', description: 'Share of wrong labels.', direction: 'minimize', range: [0, 1],
 *   tasks: ['binary', 'multiclass'], needs: 'labels', combine: 'pooled',
 *   compute: (table) => table.yTrue.filter((label, row) => label !== table.yPred[row]).length / table.yTrue.length,
 * });
 * const { estimates } = await runner.run({ model, data: [X, y], preprocessing, metrics: ['error_rate'] });
 * console.log(estimates.error_rate);
 */
export function defineMetric(metric: Metric): Metric {
  const facts = metricOptions.resolve(metric);
  if ((facts.direction === 'target') !== (facts.target !== undefined)) {
    const must = "be given for the direction 'target' alone";
    const got = phrase(`${facts.target ?? 'none'} for '${facts.direction}'`);
    throw new InvalidOptionError(sentence('The `target` option of defineMetric', must, got));
  }
  return metricRegistry.add(facts);
}
