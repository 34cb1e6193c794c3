/** Metrics of a run by name: those of its task, and those of each time, target, label or channel. */
import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import type { Task } from '../data/labels.js';
import { METRICS } from './members.js';
import type { Metric } from './metric.js';
import { metricRegistry } from './registry.js';

/** What y has several of, and metrics of each. */
type Of = 'times' | 'channels' | 'targets' | 'labels';
export interface MemberPlaces {
  readonly of: Of;
  readonly places: readonly number[];
}

/** Metrics at a place, by the name of them all: each gives the names of its members at one place, which are registered then. */
export const metricFamilies = new Map<string, { readonly of: Of; readonly at: (place: number) => string[] }>();

/** Names as they are, and those of a family at each of the places, after that of a metric of all of them. */
export const namesAt = (names: readonly string[], { of, places }: MemberPlaces): string[] =>
  names.flatMap((name) => {
    const family = metricFamilies.get(name);
    const members = family?.of === of ? places.flatMap(family.at) : [];
    return family && !metricRegistry.has(name) ? members : [name, ...members];
  });

const later = new Set<Metric>();

/** Of cvkit, registered with the first data of its kind. Its name tells all about it, so that two runs have the same one. */
export function addOnce(metric: Metric): string {
  if (!metricRegistry.has(metric.name)) later.add(metricRegistry.add(metric));
  return metric.name;
}

export const isBuiltIn = (metric: Metric): boolean => METRICS.includes(metric) || later.has(metric);

/**
 * Metrics by name for a task. Throws {@link InvalidOptionError} for an unknown name and for a metric of other tasks.
 */
export function metricsFor(names: readonly string[], task: Task): Metric[] {
  if (names.length === 0) {
    throw new InvalidOptionError(sentence('The `metrics` option', 'name at least one metric', phrase('none')));
  }
  return names.map((name) => {
    const metric = metricRegistry.get(name);
    if (!metric.tasks.includes(task)) {
      const fitting = [...metricRegistry].filter((each) => each.tasks.includes(task)).map((each) => each.name);
      const must = `be used for ${metric.tasks.join(' or ')} tasks`;
      const way = `Use one of ${fitting.join(', ')} instead.`;
      throw new InvalidOptionError(sentence(`The metric '${nameText(name)}'`, must, phrase(`a ${task} task`), way));
    }
    return metric;
  });
}

const DEFAULTS_BY_TASK: Record<Task, readonly string[]> = {
  binary: ['accuracy', 'roc_auc', 'sensitivity', 'specificity', 'precision', 'recall', 'f1'],
  multiclass: ['accuracy', 'balanced_accuracy', 'roc_auc_ovr_macro', 'f1_macro', 'log_loss', 'brier'],
  multilabel: ['roc_auc_ovr_macro', 'f1_samples', 'f1_macro', 'f1_micro', 'accuracy'],
  regression: ['mse', 'rmse', 'mae', 'r2', 'explained_variance'],
  survival: ['concordance', 'concordance_uno', 'integrated_brier', 'roc_auc_at', 'brier_at'],
};

export const defaultMetrics = (task: Task, masks = false): readonly string[] =>
  masks ? ['dice', 'iou'] : DEFAULTS_BY_TASK[task];
