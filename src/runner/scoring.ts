/** The scorers of a run: metrics of the task, functions of the fold's table, or functions of (model, X, y). */

import { InvalidOptionError, phrase, sentence, threw } from '../core/errors.js';
import { nameText } from '../core/foreignText.js';
import type { MetricName } from '../core/knownNames.js';
import { checkedModule, functionOf, isModuleFunction, type ModuleFunction } from '../core/moduleFunction.js';
import type { HeldOut } from '../data/rows.js';
import { type Metric, type Score, score } from '../metrics/metric.js';
import { metricsFor } from '../metrics/metricsFor.js';
import type { ScoreTable } from '../metrics/scoreTable.js';
import { copyTable } from '../metrics/tableRows.js';
import type { Batch } from './frameworkAdapter.js';
import { namesFor, type OutcomeKind } from './taskMetrics.js';
import { insideOf } from './withPreprocessing.js';

/**
 * A function of one fold's {@link ScoreTable}; or, with two parameters or more, scikit-learn's `(model, X, y)`, whose
 * score cannot be recomputed from the out-of-fold table.
 */
export type ScoringFunction = (
  // biome-ignore lint/suspicious/noExplicitAny: a score table, or the caller's own model
  tableOrModel: any,
  X: HeldOut<unknown[]>,
  y: unknown[],
) => number | null | Promise<number | null>;
/** Name to metric name or to a function. */
export type Scoring = Readonly<Record<string, MetricName | ScoringFunction | ModuleFunction>>;

export interface Scorer {
  readonly name: string;
  /** The metric behind it; undefined for the caller's own functions. */
  readonly metric?: Metric;
  /** False when the score needs the model and so cannot be recomputed from the out-of-fold table. */
  readonly recomputable: boolean;
  /** `behind`: the model and the rows, for a score that needs them. */
  score(table: ScoreTable, behind?: Pick<Batch, 'X' | 'y'> & { readonly model: unknown }): Score | Promise<Score>;
}

/** Reads `scoring` and `metrics`; `scoring` wins. Unknown metrics and metrics of another task are refused here. */
export function scorersOf(metrics: readonly string[] | null, scoring: Scoring | undefined, y: OutcomeKind): Scorer[] {
  const { task } = y;
  if (!scoring) {
    return metricsFor(namesFor(metrics, y), task).map((metric) => metricScorer(metric.name, metric));
  }
  const entries = Object.entries(scoring);
  if (entries.length === 0)
    throw new InvalidOptionError(sentence('The `scoring` option', 'name at least one score', phrase('none')));
  const scorers = entries.flatMap(([name, scorer]) =>
    typeof scorer === 'string'
      ? metricsFor(namesFor([scorer], y), task).map((metric, _, all) =>
          metricScorer(all.length > 1 && metric.name !== scorer ? metric.name : name, metric),
        )
      : functionScorer(name, isModuleFunction(scorer) ? moduleScoring(scorer) : scorer),
  );
  return [...new Map(scorers.map((scorer) => [scorer.name, scorer])).values()];
}

export const modelScoring = (scorers: readonly Scorer[]) => async (model: unknown, rows: Batch, table: ScoreTable) => {
  const scores: Record<string, Score> = {};
  for (const { name, recomputable, score } of scorers) {
    if (!recomputable) scores[name] = await score(table, { ...insideOf(model, rows.X), y: rows.y });
  }
  return scores;
};

export const metricScorer = (name: string, metric: Metric): Scorer & { readonly metric: Metric } => ({
  name,
  metric,
  recomputable: true,
  score(table) {
    try {
      return score(metric, table);
    } catch (error) {
      return failed('metric', name)(error);
    }
  },
});

const failed = (kind: string, name: string) =>
  threw(`The ${kind} '${nameText(name)}'`, 'give a value', 'score_failed', InvalidOptionError);

/** A function of the table, loaded when it is first called: in this process, whatever runs the folds. */
function moduleScoring(named: ModuleFunction): ScoringFunction {
  const owner = 'the `scoring` option of run';
  const checked = checkedModule(named, owner, 'a function of the table');
  return async (table) => (await functionOf(checked, owner))(table) as Promise<number | null>;
}

const functionScorer = (name: string, scorer: ScoringFunction): Scorer => {
  const needsModel = scorer.length >= 2;
  return {
    name,
    recomputable: !needsModel,
    async score(table, behind) {
      const scored = async () =>
        needsModel && behind
          ? scorer(behind.model, await behind.X.toArrays(), behind.y.toArray())
          : scorer(copyTable(table), [], []);
      return asScore(await scored().catch(failed('scorer', name)), name);
    },
  };
};

function asScore(value: unknown, name: string): Score {
  if (value === null) return { value: null, reason: `${nameText(name)} gave null` };
  if (typeof value === 'number' && Number.isFinite(value)) return { value };
  if (typeof value === 'number') return { value: null, reason: `${nameText(name)} gave ${value}` };
  throw new InvalidOptionError(sentence(`The scorer '${nameText(name)}'`, 'return a number or null', value));
}
