/** Metrics of a run by name: those of its task, and those of each time, target, label or channel. */
import { InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import type { Task } from '../data/labels.js';
import { METRICS } from './members.js';
import { type Metric, undefinedBecause } from './metric.js';
import { metricRegistry } from './registry.js';
import type { ScoreTable } from './scoreTable.js';

/** What y has several of. */
type Of = NonNullable<Metric['place']>['of'];
export interface MemberPlaces {
  readonly of: Of;
  readonly places: readonly number[];
}

/** Metrics at a place, by the name of them all. */
export const metricFamilies = new Map<string, { readonly of: Of; readonly at: (place: number) => Metric[] }>();

/**
 * Names as they are, and those of a family at each of the places, which are registered then, after that of a metric of all of
 * them. Throws {@link InvalidOptionError} for the name of a place that y does not have: an earlier run may have had it.
 */
export const namesAt = (names: readonly string[], { of, places }: MemberPlaces): string[] =>
  names.flatMap((name) => {
    const known = metricRegistry.has(name) ? metricRegistry.get(name) : undefined;
    const split = name.lastIndexOf('_');
    const at = known?.place?.at ?? Number(name.slice(split + 1));
    const isMember = known ? known.place !== undefined : at >= 0 && metricFamilies.has(name.slice(0, split));
    if (isMember && !(places.includes(at) && (known?.place?.of ?? of) === of)) {
      const must = `be about one of the ${of} of y (${places.join(', ') || 'none'})`;
      const way = of === 'times' ? `Pass \`times: [${at}]\`.` : undefined;
      throw new InvalidOptionError(sentence(`The metric '${nameText(name)}'`, must, phrase(`${at}`), way));
    }
    const family = metricFamilies.get(name);
    const membersAt = (at: number) => family?.at(at).map((each) => addOnce(placed(each, { of, at }))) ?? [];
    const members = family?.of === of ? places.flatMap(membersAt) : [];
    return family && !known ? members : [name, ...members];
  });

/** Refuses scores of patients where rows alone are scored: an earlier run may have had them. */
export function withoutPatients(names: readonly string[]): string[] {
  const found = names.find(
    (name) => name.endsWith('_by_patient') && !/^(dice|iou|hd95|nsd)_/.test(name) && isOfPatients(name),
  );
  if (found === undefined) return [...names];
  const way = "Pass aggregate: 'mean' or 'max' to `run` or `validate`.";
  throw new InvalidOptionError(
    sentence(
      `The metric '${nameText(found)}'`,
      'be beside `aggregate`, which makes one prediction of each patient',
      phrase('none'),
      way,
    ),
  );
}

const isOfPatients = (name: string) => !metricRegistry.has(name) || metricRegistry.get(name).ofPatients !== undefined;

const placed = (metric: Metric, place: NonNullable<Metric['place']>): Metric => ({
  ...metric,
  place,
  compute: (table) =>
    hasPlace(table, place)
      ? metric.compute(table)
      : undefinedBecause(`the rows have no such place among their ${place.of}`),
});

function hasPlace({ classes, masks }: ScoreTable, { of, at }: NonNullable<Metric['place']>): boolean {
  if (of === 'times') return classes.includes(at);
  return at < (of === 'channels' ? (masks?.channels ?? 0) : classes.length);
}

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
