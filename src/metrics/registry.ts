/** All metrics by name: the built-in ones, and those that users define. */
import { InvalidOptionError, sentence } from '../core/errors.js';
import type { Task } from '../core/labels.js';
import { boolean, custom, listOf, oneOf, optionTable, string } from '../core/options.js';
import { createRegistry } from '../core/registry.js';
import { accuracy } from './accuracy.js';
import { balancedAccuracy } from './balancedAccuracy.js';
import { brier } from './brier.js';
import { dice } from './dice.js';
import { explainedVariance } from './explainedVariance.js';
import { f1 } from './f1.js';
import { iou } from './iou.js';
import { logLoss } from './logLoss.js';
import { mae } from './mae.js';
import type { Metric } from './metric.js';
import { mse } from './mse.js';
import { precision } from './precision.js';
import { r2 } from './r2.js';
import { recall } from './recall.js';
import { rmse } from './rmse.js';
import { rocAuc } from './rocAuc.js';
import { sensitivity } from './sensitivity.js';
import { specificity } from './specificity.js';

const BUILT_IN: readonly Metric[] = [
  accuracy,
  balancedAccuracy,
  rocAuc,
  sensitivity,
  specificity,
  precision,
  recall,
  f1,
  brier,
  logLoss,
  dice,
  iou,
  mse,
  rmse,
  mae,
  r2,
  explainedVariance,
];

/** All metrics by name; {@link defineMetric} adds to it. */
export const metricRegistry = createRegistry<Metric>('metric');
for (const metric of BUILT_IN) metricRegistry.add(metric);

const isText = (value: unknown) => typeof value === 'string' && value !== '';
const isFunction = (value: unknown) => typeof value === 'function';
const isRange = (value: unknown) => Array.isArray(value) && value.length === 2 && value[0] < value[1];
const TASKS: readonly unknown[] = ['binary', 'multiclass', 'multilabel', 'regression'];

/** The facts that {@link defineMetric} asks for: see {@link Metric}. */
const metricOptions = optionTable('defineMetric', {
  name: custom<string>('string', 'be snake_case', (name) => /^[a-z][a-z0-9_]*$/.test(String(name))).describe(
    'What `metrics` calls it.',
  ),
  aliases: listOf<string>('string', 'be a list of names', isText).optional().describe('Further names.'),
  description: string().describe('One sentence with the source.'),
  direction: oneOf('maximize', 'minimize').describe('Which way is better.'),
  range: custom<Metric['range']>('[number, number]', 'be the smallest and the largest value', isRange).describe(
    'Smallest and largest possible value; infinite where unbounded.',
  ),
  tasks: listOf<Task>('Task', `be a list of ${TASKS.join(', ')}`, (task) => TASKS.includes(task)).describe(
    'Tasks that it can score.',
  ),
  needs: oneOf('labels', 'probabilities').describe('What it reads of the predictions.'),
  combine: oneOf('mean', 'pooled').describe('Estimate over folds: mean of their values, or one value over all rows.'),
  dependsOnPrevalence: boolean().optional().describe('It changes with the share of the classes.'),
  stratum: custom<NonNullable<Metric['stratum']>>('(table, row) => number', 'be a function', isFunction)
    .optional()
    .describe('Stratum of a row, -1 for a row that does not count.'),
  compute: custom<Metric['compute']>('(table) => number | { reason }', 'be a function', isFunction).describe(
    'Value on a table of rows, or the reason why there is none.',
  ),
});

/**
 * Adds a metric, so that `metrics: ['my_metric']` finds it. A name taken twice is refused, and so is a definition
 * with a fact missing or misspelt ({@link InvalidOptionError}).
 *
 * @example
 * defineMetric({ name: 'error_rate', description: 'Share of wrong labels.', direction: 'minimize', range: [0, 1],
 *   tasks: ['binary', 'multiclass'], needs: 'labels', combine: 'pooled', compute: (table) => ... });
 */
export function defineMetric(metric: Metric): Metric {
  return metricRegistry.add(metricOptions.resolve(metric));
}

/**
 * Metrics by name for a task, refusing the unknown (with the nearest name) and those of another task.
 */
export function metricsFor(names: readonly string[], task: Task): Metric[] {
  return names.map((name) => {
    const metric = metricRegistry.get(name);
    if (!metric.tasks.includes(task)) {
      const fitting = [...metricRegistry].filter((each) => each.tasks.includes(task)).map((each) => each.name);
      throw new InvalidOptionError(
        sentence(
          `The metric '${name}'`,
          `be used for ${metric.tasks.join(' or ')} tasks`,
          { text: `a ${task} task` },
          `Use one of ${fitting.join(', ')} instead.`,
        ),
      );
    }
    return metric;
  });
}

const DEFAULTS = ['accuracy', 'roc_auc', 'sensitivity', 'specificity', 'precision', 'recall', 'f1'];
const DEFAULTS_BY_TASK: Record<Task, readonly string[]> = {
  binary: DEFAULTS,
  multiclass: ['accuracy', 'balanced_accuracy', 'brier', 'log_loss'],
  multilabel: ['accuracy'],
  regression: ['mse', 'rmse', 'mae', 'r2', 'explained_variance'],
};

/** Names of the metrics that are computed when the caller names none. */
export const defaultMetrics = (task: Task, masks = false): readonly string[] =>
  masks ? ['dice', 'iou'] : DEFAULTS_BY_TASK[task];
