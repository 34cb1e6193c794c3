/** Metrics that are known with the first data of their kind, in the process that has them. */
import type { Labels } from '../data/labels.js';
import { hasSeveralTargets } from '../data/targets.js';
import { registerMaskMetrics } from '../metrics/masks/maskMetrics.js';
import { type MemberPlaces, metricFamilies, namesAt } from '../metrics/metricsFor.js';
import { registerLabelMetrics, registerTargetMetrics } from '../metrics/placeMetrics.js';
import { registerTimedMetrics } from '../metrics/timed/timedMetrics.js';

export type OutcomeKind = Pick<Labels, 'task' | 'shape' | 'timed' | 'masks'> & Partial<Pick<Labels, 'classes'>>;

/** What y has several of. */
export function placesIn({ task, classes = [], shape, timed, masks }: OutcomeKind): MemberPlaces {
  if (timed) return { of: 'times', places: timed.horizons };
  if (shape) return { of: 'channels', places: masks && masks.channels > 1 ? [...Array(masks.channels).keys()] : [] };
  return { of: task === 'regression' ? 'targets' : 'labels', places: [...classes.keys()] };
}

/** With those of each time, class, target or label: the folds of another process watch them, too. */
export function knowMetrics(y: Labels): void {
  const isMultilabel = y.task === 'multilabel' && !y.shape;
  if (y.timed) registerTimedMetrics();
  else if (y.masks) registerMaskMetrics();
  else if (hasSeveralTargets(y)) registerTargetMetrics();
  else if (isMultilabel) registerLabelMetrics();
  else return;
  namesAt([...metricFamilies.keys()], placesIn(y));
}
