/** Metrics for a task: those that a caller names, and those that are computed when he names none. */

import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import type { Task } from '../data/labels.js';
import type { Metric } from './metric.js';
import { metricRegistry } from './registry.js';

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
          `The metric '${nameText(name)}'`,
          `be used for ${metric.tasks.join(' or ')} tasks`,
          phrase(`a ${task} task`),
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
  multiclass: ['accuracy', 'balanced_accuracy', 'roc_auc_ovr_macro', 'f1_macro', 'log_loss', 'brier'],
  multilabel: ['roc_auc_ovr_macro', 'f1_samples', 'f1_macro', 'f1_micro', 'accuracy'],
  regression: ['mse', 'rmse', 'mae', 'r2', 'explained_variance'],
};

/** Names of the metrics that are computed when the caller names none. */
export const defaultMetrics = (task: Task, masks = false): readonly string[] =>
  masks ? ['dice', 'iou'] : DEFAULTS_BY_TASK[task];
