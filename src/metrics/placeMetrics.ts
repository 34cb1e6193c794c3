/** Metrics of each target of a regression, and of each label of several. They are loaded with the first data of that kind. */
import { averagePrecision, rocAuc } from './definitions/ranking.js';
import { concordanceCorrelation, explainedVariance, mae, mse, r2, rmse } from './definitions/regression.js';
import type { Metric } from './metric.js';
import { addOnce, metricFamilies } from './metricsFor.js';
import { overTargets, targetTable } from './overTargets.js';
import { metricRegistry } from './registry.js';
import type { ScoreTable } from './scoreTable.js';

function ofPlace(metric: Metric, place: number, what: string, tableOf: typeof targetTable): Metric {
  const { aliases: _, influence, stratum, ...facts } = metric;
  return {
    ...facts,
    name: `${metric.name}_${place}`,
    description: `Of ${what} ${place}: ${metric.description}`,
    compute: (table) => metric.compute(tableOf(table, place)),
    ...(influence && { influence: (table, estimate) => influence(tableOf(table, place), estimate) }),
    ...(stratum && { stratum: (table, row) => stratum(tableOf(table, place), row) }),
  };
}

/** From then on `mse` is the mean over the targets, where there are several, and `mse_0` that of the first. */
export function registerTargetMetrics(): void {
  if (metricFamilies.has(mse.name)) return;
  for (const metric of [mse, rmse, mae, r2, explainedVariance, concordanceCorrelation]) {
    metricRegistry.remove(metric.name);
    addOnce(overTargets(metric));
    const at = (target: number) => [ofPlace(metric, target, 'target', targetTable)];
    metricFamilies.set(metric.name, { of: 'targets', at });
  }
}

/** What a table has been asked for, by label. */
const known = new WeakMap<ArrayLike<number>, { readonly yTrue: unknown; readonly parts: ScoreTable[] }>();

/** One of several labels as a table of two classes. */
function labelTable(table: ScoreTable, label: number): ScoreTable {
  const { yTrue, yPred, yProba, length, classes } = table;
  let kept = known.get(yPred);
  if (kept?.yTrue !== yTrue) {
    kept = { yTrue, parts: [] };
    known.set(yPred, kept);
  }
  const column = <T>(
    values: ArrayLike<number>,
    Type: { from(of: object, at: (_: unknown, row: number) => number): T },
  ) => Type.from({ length }, (_, row) => values[row * classes.length + label]);
  kept.parts[label] ??= {
    ...{ task: 'binary', classes: [0, 1], positive: 1, length },
    ...{ yTrue: column(yTrue, Int32Array), yPred: column(yPred, Int32Array) },
    ...(yProba && { yProba: column(yProba, Float64Array) }),
  };
  const { weight, fixed } = table;
  return { ...kept.parts[label], ...(weight && { weight }), ...(fixed && { fixed }) };
}

/** `roc_auc_by_label` and `average_precision_by_label`, of which `roc_auc_0` is that of the first. */
export function registerLabelMetrics(): void {
  for (const metric of [rocAuc, averagePrecision]) {
    const at = (label: number) => [ofPlace({ ...metric, tasks: ['multilabel'] }, label, 'label', labelTable)];
    metricFamilies.set(`${metric.name}_by_label`, { of: 'labels', at });
  }
}
