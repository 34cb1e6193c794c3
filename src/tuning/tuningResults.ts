import { INSPECT, type SummaryOptions, summaryOptions } from '../core/summaryText.js';
import type { FrozenTrial, Params } from '../core/tuningTrial.js';
import type { ResultJSONOptions } from '../data/pseudonyms.js';
import type { Interval } from '../intervals/interval.js';
import type { CVResults } from '../runner/cvResults.js';
import type { RefittedModel } from '../runner/keptModels.js';
import { type Stability, stabilityOf } from './choices.js';
import type { Searched } from './search.js';
import type { Study } from './study.js';
import {
  type Defaults,
  type FoldChoice,
  OPTIMISTIC,
  type SearchFacts,
  type TuningFacts,
  tuningFacts,
  tuningSummary,
  tuningWarnings,
} from './tuningText.js';

interface Parts {
  readonly results: CVResults;
  readonly confidenceIntervals: TuningFacts['confidenceIntervals'];
  readonly correctedBest: TuningFacts['correctedBest'];
  readonly defaults: Defaults | null;
  /** All searches: those of the outer folds, in their order, and the one on all rows, last. */
  readonly searched: ReadonlyMap<string, Searched>;
  readonly all: Searched;
  readonly scoring: string;
  readonly search: SearchFacts;
  readonly fits: number;
  readonly warnings: readonly string[];
}

/**
 * What `runWithHyperparameterTuning` gives. The number to report is `outerEstimate`: how well the whole procedure does, search
 * included, on patients that it has not seen. `bestScore` is not: it is the best of many.
 */
export class TuningResults implements TuningFacts {
  /** Parameters of the search on all rows: those to train the final model with. */
  readonly bestParams: Params;
  /** Best score of that search over its inner folds: optimistic. */
  readonly bestScore: number;
  /** How `bestScore` is to be read. */
  readonly bestScoreIs = OPTIMISTIC;
  /** Name of the score that was searched for. */
  readonly scoring: string;
  /** The estimate of the procedure with its interval, from the outer test rows; null with `outer: false`. */
  readonly outerEstimate: Interval | null;
  /** The same for every score of the run. */
  readonly confidenceIntervals: Readonly<Record<string, Interval>> | null;
  /** With `outer: false`: the best score without its optimism, by BBC-CV; else null. */
  readonly correctedBest: TuningFacts['correctedBest'];
  /** What each outer fold chose; empty with `outer: false`. */
  readonly perFoldParams: readonly FoldChoice[];
  /** How alike the outer folds chose; null with `outer: false`, and for one fold. */
  readonly stability: Stability | null;
  /** What the default parameters score on the same outer folds; null with `outer: false`. */
  readonly defaults: Defaults | null;
  /** The outer folds with the parameters that each chose; with `outer: false` the folds of the search with the best ones. */
  readonly results: CVResults;
  /** The search on all rows. */
  readonly study: Study;
  /** All searches, by the id of their outer fold, and 'all-rows'. */
  readonly studies: Readonly<Record<string, Study>>;
  /** With `refit`: the model of all rows with `bestParams`. The caller disposes it. */
  readonly refitted: RefittedModel | null;
  /** Models that were trained: those of the searches, of the outer folds and of the default parameters. */
  readonly modelsTrained: number;
  /** How the search went about it. */
  readonly search: SearchFacts;
  /** Sentences that belong to every report of these numbers. */
  readonly warnings: readonly string[];

  constructor({ results, all, searched, defaults, scoring, ...parts }: Parts) {
    this.bestParams = all.params;
    this.bestScore = all.score;
    this.scoring = scoring;
    this.confidenceIntervals = parts.confidenceIntervals;
    this.outerEstimate = parts.confidenceIntervals?.[scoring] ?? null;
    this.correctedBest = parts.correctedBest;
    this.defaults = defaults;
    this.results = results;
    this.study = all.study;
    this.studies = Object.fromEntries([...searched].map(([id, { study }]) => [id, study]));
    this.refitted = results.refitted;
    const outer = [...searched].filter(([, each]) => each !== all);
    // A callback may have ended the run before the last folds: then there are fewer results than searches.
    this.perFoldParams = outer.map(([id, each], at) =>
      foldChoice(id, each, results.scores[scoring][at]?.value ?? null),
    );
    this.stability =
      outer.length > 1
        ? stabilityOf(
            outer.map(([, { params }]) => params),
            distributionsOf(all.study),
            outer.map(([, { study }]) => rivalsOf(study)),
          )
        : null;
    this.modelsTrained = parts.fits + results.metadata.modelsTrained + (defaults?.results?.metadata.modelsTrained ?? 0);
    this.search = parts.search;
    this.warnings = [...parts.warnings, ...tuningWarnings(this), ...results.metadata.warnings];
  }

  /** The results as text: the estimate, what was chosen, and how the search went. */
  summary(options?: SummaryOptions): string {
    return tuningSummary(this, summaryOptions.resolve(options));
  }

  /** Plain JSON values, without models. */
  toJSON(options?: ResultJSONOptions | string): Record<string, unknown> {
    const { defaults } = this;
    return {
      scoring: this.scoring,
      outerEstimate: this.outerEstimate,
      confidenceIntervals: this.confidenceIntervals,
      correctedBest: this.correctedBest,
      bestParams: this.bestParams,
      bestScore: this.bestScore,
      bestScoreIs: this.bestScoreIs,
      perFoldParams: this.perFoldParams,
      stability: this.stability,
      defaults: defaults && { ...defaults, results: undefined, estimates: defaults.results?.estimates ?? null },
      search: { ...this.search, modelsTrained: this.modelsTrained },
      trials: Object.fromEntries(Object.entries(this.studies).map(([id, { trials }]) => [id, trials.map(trialJSON)])),
      warnings: this.warnings,
      results: this.results.toJSON(options),
    };
  }

  /** What `console.log` shows: no rows. */
  [INSPECT](): string {
    const facts = tuningFacts(this).map(([label, text]) => `${label}: ${text}`);
    return `TuningResults: ${facts.join('; ')}`;
  }
}

function foldChoice(
  fold: string,
  { params, score, study: { trials }, ended }: Searched,
  outerScore: number | null,
): FoldChoice {
  return {
    fold,
    params,
    innerScore: score,
    outerScore,
    nTrials: trials.length,
    nPruned: trials.filter(({ state }) => state === 'pruned').length,
    nFailed: trials.filter(({ state }) => state === 'failed').length,
    ended,
  };
}

const rivalsOf = ({ trials, bestTrial }: Study): readonly Params[] =>
  trials.flatMap(({ number, state, value, params }) =>
    state === 'complete' && value === bestTrial?.value && number !== bestTrial.number ? [params] : [],
  );

const distributionsOf = ({ trials }: Study) => Object.assign({}, ...trials.map(({ distributions }) => distributions));

const trialJSON = ({ number, state, value, params, intermediateValues, userAttrs, reason }: FrozenTrial) => ({
  number,
  state,
  value,
  params,
  intermediateValues: [...intermediateValues].map(([step, each]) => ({
    step,
    value: Number.isFinite(each) ? each : null,
  })),
  ...(Object.keys(userAttrs).length > 0 ? { userAttrs } : {}),
  ...(reason === undefined ? {} : { reason }),
});
