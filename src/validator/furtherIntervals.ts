import { confidenceIntervals, type IntervalSettings } from '../intervals/confidenceIntervals.js';
import type { IntervalFolds } from '../intervals/intervalFolds.js';
import { score } from '../metrics/metric.js';
import { metricsFor } from '../metrics/registry.js';
import type { CVResults } from '../runner/cvResults.js';
import { metricScorer } from '../runner/scoring.js';
import type { BootstrapEstimator } from '../splitters/splitter.js';
import { bootstrapEstimates } from './bootstrapEstimates.js';
import type { IntervalsOf } from './clinicalReport.js';

/** Further fits for intervals as a manifest has them. */
export interface CiFits {
  /** Fits on half of the patients that were made; null for none. `failed` of them failed. */
  readonly ciFitsMade: { readonly fits: number; readonly failed: number; readonly seconds: number } | null;
  /** Where none were made and they could be: what the fewest would take, in about so many seconds. */
  readonly ciFitsOffer: { readonly ciFits: number; readonly fits: number; readonly seconds: number } | null;
}

export const NO_CI_FITS: CiFits = { ciFitsMade: null, ciFitsOffer: null };

/**
 * Makes intervals of further metrics, at any level, as if they had been asked for: by the method of the run, or by its
 * bootstrap estimator. Refits serve only the metrics that they were scored by.
 */
export const furtherIntervals =
  (cv: CVResults, folds: IntervalFolds, settings: IntervalSettings, estimator?: BootstrapEstimator): IntervalsOf =>
  (metrics, level) => {
    const { plan, metadata, foldDetails, apparent } = cv;
    const scorers = metricsFor(metrics, metadata.task).map((metric) => metricScorer(metric.name, metric));
    const scores = Object.fromEntries(
      scorers.map(({ name, metric }) => [
        name,
        cv.folds.map((fold) =>
          fold.status === 'completed' ? score(metric, fold.table) : Object.values(fold.scores)[0],
        ),
      ]),
    );
    const { refitsOf } = settings;
    // Refits go by the name of the score, which may differ from that of its metric.
    const ofMetric = (metric: string) => {
      const scorer = cv.scorers.find((each) => each.metric?.name === metric);
      return scorer && refitsOf?.(scorer.name);
    };
    return confidenceIntervals(
      { scorers, scores, meanScores: {}, plan, metadata, foldDetails },
      folds,
      { ...settings, refitsOf: refitsOf && ofMetric, ciLevel: level },
      estimator ? bootstrapEstimates({ folds: cv.folds, apparent, plan, scorers }, estimator) : null,
    );
  };
