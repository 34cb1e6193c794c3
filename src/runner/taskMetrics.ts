/** Metrics that are known with the first data of their kind, in the process that has them. */
import type { Labels } from '../data/labels.js';
import { hasSeveralTargets } from '../data/targets.js';
import { byPatient, patientName } from '../metrics/byPatient.js';
import { registerMaskMetrics } from '../metrics/masks/maskMetrics.js';
import {
  addOnce,
  defaultMetrics,
  type MemberPlaces,
  metricFamilies,
  namesAt,
  withoutPatients,
} from '../metrics/metricsFor.js';
import { registerLabelMetrics, registerTargetMetrics } from '../metrics/placeMetrics.js';
import { metricRegistry } from '../metrics/registry.js';
import { registerTimedMetrics } from '../metrics/timed/timedMetrics.js';

export type OutcomeKind = Pick<Labels, 'task' | 'shape' | 'timed' | 'masks' | 'aggregate'> &
  Partial<Pick<Labels, 'classes'>>;

/** What y has several of. */
function placesIn({ task, classes = [], shape, timed, masks }: OutcomeKind): MemberPlaces {
  if (timed) return { of: 'times', places: timed.horizons };
  if (shape) return { of: 'channels', places: masks && masks.channels > 1 ? [...Array(masks.channels).keys()] : [] };
  return { of: task === 'regression' ? 'targets' : 'labels', places: [...classes.keys()] };
}

/** With those of each time, class, target or label: the folds of another process watch them, too. */
export function knowMetrics(y: Labels): void {
  const register = registrationFor(y);
  if (register) {
    register();
    namesAt([...metricFamilies.keys()], placesIn(y));
  }
  if (!y.aggregate) return;
  for (const metric of [...metricRegistry]) {
    if (metric.weighted && !metric.ofPatients && metric.tasks.includes(y.task)) addOnce(byPatient(metric));
  }
}

function registrationFor(y: Labels): (() => void) | undefined {
  if (y.timed) return registerTimedMetrics;
  if (y.masks) return registerMaskMetrics;
  if (hasSeveralTargets(y)) return registerTargetMetrics;
  return y.task === 'multilabel' && !y.shape ? registerLabelMetrics : undefined;
}

/** The names of the metrics of a run, with those of each time, target, label or channel, and of patients. */
export function namesFor(metrics: readonly string[] | null | undefined, y: OutcomeKind): string[] {
  const names = namesAt(metrics ?? defaultMetrics(y.task, y.shape !== undefined), placesIn(y));
  if (!y.aggregate) return withoutPatients(names);
  const patients = (name: string) => (metricRegistry.has(patientName(name)) ? [patientName(name)] : []);
  return [...new Set(names.flatMap((name) => [name, ...patients(name)]))];
}
