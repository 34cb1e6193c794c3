/** The result of a run, or of given predictions: intervals, what there is to say of the estimates, evidence, the manifest. */

import { acknowledgedIn } from '../checkers/raiseOn.js';
import { namesResultCheck } from '../checkers/resultChecks.js';
import type { ChecklistName } from '../core/knownNames.js';
import {
  aboutEstimates,
  confidenceIntervals,
  type IntervalSettings,
  sharedDraws,
} from '../intervals/confidenceIntervals.js';
import { keepHalves } from '../intervals/halves.js';
import { type IntervalFolds, intervalFolds, type UnitData } from '../intervals/intervalFolds.js';
import { score } from '../metrics/metric.js';
import { metricsFor } from '../metrics/metricsFor.js';
import type { ReportModel } from '../report/reportModel.js';
import type { CVResults } from '../runner/cvResults.js';
import type { RunMetadata } from '../runner/runMetadata.js';
import { metricScorer } from '../runner/scoring.js';
import type { BootstrapEstimator } from '../splitters/splitter.js';
import { bootstrapEstimates } from './bootstrapEstimates.js';
import type { IntervalsOf } from './clinicalReport.js';
import { type Compliance, checklistOf, GUIDELINES_OF, type RequestedGuidelines } from './evidenceOptions.js';
import type { FeatureRows } from './findings/assessedResult.js';
import { resultFindings } from './findings/resultFindings.js';
import { tableOne } from './tableOne.js';
import { type Manifest, type Parts, ValidationResult } from './validationResult.js';

type Assembled = 'ciMethod' | 'ciLevel' | 'nBootstrap' | 'sampling' | 'intervals' | keyof RequestedGuidelines;

interface Assembly {
  readonly cv: CVResults;
  readonly side: UnitData;
  readonly settings: IntervalSettings;
  readonly withIntervals: boolean;
  readonly estimator?: BootstrapEstimator | undefined;
  readonly guidelines: RequestedGuidelines;
  readonly assessed: Pick<Parts, 'checks' | 'leakageReport' | 'balance' | 'baseline'>;
  /** What checks of the result read besides; left out where predictions alone are known. */
  readonly rows?: FeatureRows;
  readonly owner: string;
  /** Checks were turned off. */
  readonly unchecked?: boolean;
  readonly manifest: Omit<Manifest, Exclude<keyof RunMetadata, 'warnings' | 'overridden' | 'seconds'> | Assembled>;
}

export async function assembleResult(assembly: Assembly): Promise<ValidationResult> {
  const { cv, side, withIntervals, estimator, guidelines, assessed, manifest, rows, owner, unchecked } = assembly;
  const draws = sharedDraws(assembly.settings);
  const settings = { ...assembly.settings, draws };
  const folds = intervalFolds(cv, side);
  const estimates = estimator ? bootstrapEstimates(cv, estimator) : null;
  const intervals = withIntervals ? confidenceIntervals(cv, folds, settings, estimates) : {};
  const { warnings, ...about } = aboutEstimates(cv, folds, intervals);
  const { requested, evidenceOf } = await loadEvidence(guidelines);
  const { ciMethod, ciLevel, nBootstrap, sampling, halves } = settings;
  const limits = Object.entries(intervals).map(([name, { estimate, lower, upper }]) => [
    name,
    { estimate, lower, upper },
  ]);
  const intervalsOf = furtherIntervals(cv, folds, settings, estimator);
  const found = unchecked
    ? []
    : await resultFindings({
        ...{ cv, intervals, baseline: assessed.baseline, rows },
        intervalsOf: (metric) => intervalsOf([metric], 0.95)[metric],
      });
  draws.forget();
  const { results: ofResult, unused } = acknowledgedIn(owner, ofResults(manifest.acknowledged), found);
  const result = new ValidationResult({
    cv,
    ...assessed,
    checks: [...assessed.checks, ...ofResult],
    ...about,
    importance: await importanceAt(cv, folds, { level: ciLevel, sampling }),
    evidenceOf,
    tableOne: rows ? await tableOne(rows, { plan: cv.plan, groups: side.groups }) : null,
    bootstrapEstimates: estimates,
    confidenceIntervals: intervals,
    intervalsOf,
    manifest: {
      ...cv.metadata,
      ...manifest,
      ciMethod,
      ciLevel,
      nBootstrap,
      sampling,
      intervals: Object.fromEntries(limits),
      ...requested,
      warnings: [...manifest.warnings, ...warnings, ...unused],
    },
  });
  return keepHalves(result, folds.folds, halves);
}

const ofResults = (acknowledged: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(acknowledged).filter(([name]) => namesResultCheck(name)));

async function importanceAt(
  cv: CVResults,
  folds: IntervalFolds,
  settings: { level: number; sampling: IntervalSettings['sampling'] },
) {
  if (!cv.importance) return null;
  const { importanceOf } = await import('../runner/importance.js');
  return importanceOf(cv, cv.importance, folds, settings);
}

/** What the manifest records of guidelines, and what makes the evidence of a result; null where none was asked for. */
async function loadEvidence({ compliance, checklists }: RequestedGuidelines) {
  const mode = (compliance?.toUpperCase() ?? null) as Compliance | null;
  const own = checklists.map((name) => checklistOf(name) as ChecklistName);
  const requested = { compliance: mode, checklists: own };
  const names = [...new Set([...(mode ? GUIDELINES_OF[mode] : []), ...own])];
  if (names.length === 0) return { requested, evidenceOf: null };
  const { evidenceOf } = await import('../report/evidence/evidenceOf.js');
  return { requested, evidenceOf: (result: ReportModel) => evidenceOf(result, names) };
}

/** Intervals of further metrics, at any level. Refits serve only the metrics that they were scored by. */
const furtherIntervals =
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
    const found = confidenceIntervals(
      { scorers, scores, meanScores: {}, plan, metadata, foldDetails },
      folds,
      { ...settings, refitsOf: refitsOf && ofMetric, ciLevel: level },
      estimator ? bootstrapEstimates({ folds: cv.folds, apparent, plan, scorers }, estimator) : null,
    );
    settings.draws?.forget();
    return found;
  };
