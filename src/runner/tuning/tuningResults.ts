import { headText, nameText } from '../../core/foreignText.js';
import { counted, formatDuration, formatNumber, percentOf, wholePercent } from '../../core/format.js';
import { INSPECT } from '../../core/inspect.js';
import { factLines, type SummaryOptions, summaryOptions, textTable, wrapText } from '../../core/summaryText.js';
import type { ResultJSONOptions } from '../../data/pseudonyms.js';
import type { Interval } from '../../intervals/interval.js';
import type { CVResults } from '../cvResults.js';
import type { RefittedModel } from '../refittedModel.js';
import { runFacts } from '../runFacts.js';
import type { Scorer } from '../scoring.js';
import { type Stability, stabilityOf } from './choices.js';
import type { CorrectedBest } from './correctedBest.js';
import type { Params } from './distribution.js';
import type { FrozenTrial } from './frozenTrial.js';
import type { Searched } from './search.js';
import type { Study } from './study.js';

/** What the search of one outer fold chose, and how it did on the test rows of the fold. */
export interface FoldChoice {
  readonly fold: string;
  readonly params: Params;
  /** Best score over the inner folds: optimistic. */
  readonly innerScore: number;
  /** Score on the outer test rows, which the search has not seen; null with a reason in `results.scores`. */
  readonly outerScore: number | null;
  readonly nTrials: number;
  readonly nPruned: number;
  readonly nFailed: number;
  /** Why the search ended, as a clause. */
  readonly ended: string;
}

/** Parameters that nobody searched for, on the same outer folds. */
export interface Defaults {
  readonly params: Params;
  /** Null where they cannot be trained. */
  readonly results: CVResults | null;
  readonly reason: string | null;
  readonly intervals: Readonly<Record<string, Interval>> | null;
}

interface Parts {
  readonly results: CVResults;
  readonly intervals: Readonly<Record<string, Interval>> | null;
  readonly corrected: CorrectedBest | { readonly estimate: null; readonly reason: string } | null;
  readonly defaults: Defaults | null;
  readonly searched: ReadonlyMap<string, Searched>;
  readonly all: Searched;
  /** Ids of the outer folds; none with `outer: false`. */
  readonly folds: readonly string[];
  readonly scorer: Scorer;
  readonly innerDesign: string;
  readonly sampler: string;
  readonly pruner: string;
  readonly nTrials: number;
  /** Models that the searches trained. */
  readonly fits: number;
  readonly seconds: number;
  readonly warnings: readonly string[];
}

/** How `bestScore` is to be read. */
const OPTIMISTIC = 'inner score, optimistic: the best of many on the folds that chose it';

/**
 * What `runWithHyperparameterTuning` gives. The number to report is `outerEstimate`: how well the whole procedure does, search
 * included, on patients that it has not seen. `bestScore` is not: it is the best of many.
 */
export class TuningResults {
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
  readonly correctedBest: Parts['corrected'];
  /** What each outer fold chose; empty with `outer: false`. */
  readonly perFoldParams: readonly FoldChoice[];
  /** How alike the outer folds chose; null with `outer: false`. */
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
  /** Sentences that belong to every report of these numbers. */
  readonly warnings: readonly string[];
  readonly #parts: Parts;

  constructor(parts: Parts) {
    const { results, all, searched, folds, scorer, intervals, corrected, defaults } = parts;
    this.#parts = parts;
    this.bestParams = all.params;
    this.bestScore = all.score;
    this.scoring = scorer.name;
    this.outerEstimate = intervals?.[scorer.name] ?? null;
    this.confidenceIntervals = intervals;
    this.correctedBest = corrected;
    this.defaults = defaults;
    this.results = results;
    this.study = all.study;
    this.studies = Object.fromEntries([...searched].map(([id, { study }]) => [id, study]));
    this.refitted = results.refitted;
    this.perFoldParams = folds.map((id, at) => {
      // A callback may have ended the run before this fold.
      const outer = results.scores[scorer.name][at]?.value ?? null;
      return foldChoice(id, searched.get(id) as Searched, outer);
    });
    const chosen = this.perFoldParams.map(({ params }) => params);
    this.stability = folds.length > 0 ? stabilityOf(chosen, distributionsOf(all.study)) : null;
    this.modelsTrained = parts.fits + results.metadata.modelsTrained + (defaults?.results?.metadata.modelsTrained ?? 0);
    this.warnings = [...parts.warnings, ...warningsOf(this, parts), ...results.metadata.warnings];
  }

  /** The results as text: the estimate, what was chosen, and how the search went. */
  summary(options?: SummaryOptions): string {
    const { results } = this;
    return [
      ...factLines([...this.#facts(), ...runFacts(results, summaryOptions.resolve(options))]),
      '',
      ...(this.perFoldParams.length > 0 ? [choiceTable(this.perFoldParams), ''] : []),
      ...this.warnings.map((warning) => wrapText(warning, '  Warning: ')),
    ].join('\n');
  }

  /** Plain JSON values, without models. */
  toJSON(options?: ResultJSONOptions | string): Record<string, unknown> {
    const { innerDesign, sampler, pruner, nTrials, seconds } = this.#parts;
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
      defaults: defaults && {
        params: defaults.params,
        estimates: defaults.results?.estimates ?? null,
        confidenceIntervals: defaults.intervals,
        reason: defaults.reason,
      },
      search: { innerFolds: innerDesign, sampler, pruner, nTrials, modelsTrained: this.modelsTrained, seconds },
      trials: Object.fromEntries(Object.entries(this.studies).map(([id, { trials }]) => [id, trials.map(trialJSON)])),
      warnings: this.warnings,
      results: this.results.toJSON(options),
    };
  }

  /** What `console.log` shows: no rows. */
  [INSPECT](): string {
    return `TuningResults: ${this.#facts()
      .map(([label, text]) => `${label}: ${text}`)
      .join('; ')}`;
  }

  #facts(): (readonly [string, string])[] {
    const { innerDesign, sampler, pruner, seconds } = this.#parts;
    const name = nameText(this.scoring);
    const { outerEstimate, defaults, stability, correctedBest } = this;
    const trials = Object.values(this.studies).flatMap((study) => study.trials);
    const count = (state: FrozenTrial['state']) => trials.filter((trial) => trial.state === state).length;
    const states = (['pruned', 'failed'] as const).flatMap((state) =>
      count(state) > 0 ? [`${count(state)} ${state}`] : [],
    );
    return [
      outerEstimate
        ? [
            'Estimate',
            `${name} ${intervalText(outerEstimate)}: the whole procedure, search included, on outer test rows`,
          ]
        : ['Estimate', correctedText(name, correctedBest)],
      ...(defaults ? [['Defaults', defaultsText(name, defaults)] as const] : []),
      ['Best inner', `${name} ${formatNumber(this.bestScore)} (${OPTIMISTIC})`],
      ['Chosen', `${paramsText(this.bestParams)}, by the search on all rows`],
      ...(stability ? [['Stability', stabilityText(stability)] as const] : []),
      [
        'Search',
        `${counted(trials.length, 'trial')} in ${counted(Object.keys(this.studies).length, 'search', 'searches')}${states.length > 0 ? ` (${states.join(', ')})` : ''}, sampler ${nameText(sampler)}, pruner ${nameText(pruner)}; inner folds: ${nameText(innerDesign, 300)}; ${counted(this.modelsTrained, 'model')} trained in all; ${formatDuration(seconds)}`,
      ],
    ];
  }
}

function foldChoice(fold: string, { params, score, study, ended }: Searched, outerScore: number | null): FoldChoice {
  const { trials } = study;
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

const distributionsOf = ({ trials }: Study) => Object.assign({}, ...trials.map(({ distributions }) => distributions));

const trialJSON = ({ number, state, value, params, intermediateValues, userAttrs, reason }: FrozenTrial) => ({
  number,
  state,
  value,
  params,
  intermediateValues: Object.fromEntries(
    [...intermediateValues].map(([step, each]) => [step, Number.isFinite(each) ? each : null]),
  ),
  ...(Object.keys(userAttrs).length > 0 ? { userAttrs } : {}),
  ...(reason === undefined ? {} : { reason }),
});

export const paramsText = (params: Params): string =>
  Object.entries(params)
    .map(
      ([name, value]) =>
        `${nameText(name)} ${typeof value === 'number' ? formatParam(value) : nameText(JSON.stringify(value))}`,
    )
    .join(', ') || 'none';

const formatParam = (value: number): string => String(Number(value.toPrecision(4)));

function intervalText({ estimate, lower, upper, level, reason }: Interval): string {
  const limits =
    lower === null || upper === null
      ? `no interval: ${reason}`
      : `${percentOf(level)} interval ${formatNumber(lower)} to ${formatNumber(upper)}`;
  return estimate === null ? `has no value: ${reason}` : `${formatNumber(estimate)} (${limits})`;
}

function correctedText(name: string, corrected: Parts['corrected']): string {
  const unseen = 'no outer folds: no test rows that the search has not seen';
  if (!corrected || corrected.estimate === null || !('naive' in corrected)) {
    return `none (${unseen}; BBC-CV has no value: ${corrected && 'reason' in corrected ? corrected.reason : 'not asked for'})`;
  }
  return `${name} ${intervalText(corrected)}: the best of ${counted(corrected.nTrials, 'trial')}, its optimism taken off by BBC-CV; ${unseen}`;
}

function defaultsText(name: string, { params, results, intervals, reason }: Defaults): string {
  const what = Object.keys(params).length > 0 ? paramsText(params) : 'modelFn({})';
  if (!results)
    return `unknown: ${what} could not be trained (${nameText(String(reason), 300)}); give \`defaultParams\``;
  const interval = intervals?.[name];
  return `${name} ${interval ? intervalText(interval) : formatNumber(results.estimates[name] ?? null)} with ${what}, on the same outer folds`;
}

function stabilityText({ nFolds, nDifferent, share, byParameter }: Stability): string {
  const sets =
    nDifferent === 1
      ? `all ${nFolds} folds chose the same parameters`
      : `${nDifferent} different choices in ${nFolds} folds, the most frequent in ${Math.round(share * nFolds)}`;
  const each = Object.entries(byParameter).map(([name, { range, mostFrequent, share: part }]) =>
    range && range.low < range.high
      ? `${nameText(name)} from ${formatParam(range.low)} to ${formatParam(range.high)}`
      : `${nameText(name)} ${nameText(String(JSON.stringify(mostFrequent)))} in ${wholePercent(part)}`,
  );
  return `${sets}: ${each.join(', ')}`;
}

const choiceTable = (choices: readonly FoldChoice[]): string =>
  textTable(
    [
      ['fold', 'inner (optimistic)', 'outer', 'trials', 'chosen'].map(headText),
      ...choices.map(({ fold, innerScore, outerScore, nTrials, params }) => [
        fold,
        formatNumber(innerScore),
        formatNumber(outerScore),
        String(nTrials),
        paramsText(params),
      ]),
    ],
    { numbers: true },
  );

function warningsOf({ stability, studies, scoring }: TuningResults, { results, folds }: Parts): string[] {
  const trials = Object.values(studies).flatMap((study) => study.trials);
  const failed = trials.filter(({ state }) => state === 'failed');
  const edges = Object.entries(stability?.byParameter ?? {}).filter(([, { atEdge }]) => atEdge > folds.length / 2);
  return [
    ...(failed.length > 0
      ? [
          `${failed.length} of ${counted(trials.length, 'trial')} failed and were not chosen from; the first because: ${nameText(String(failed[0].reason), 300)}.`,
        ]
      : []),
    ...(stability && stability.nFolds > 1 && stability.nDifferent === stability.nFolds
      ? [
          'Every fold chose other parameters: the estimate is about the procedure, and says little of one set of parameters.',
        ]
      : []),
    ...edges.map(
      ([name, { atEdge }]) =>
        `${atEdge} of ${folds.length} folds chose ${nameText(name)} at the edge of what was allowed: better values may lie beyond it.`,
    ),
    ...(folds.length === 0 && results.estimates[scoring] !== undefined
      ? [
          'The scores below are those of the winner on the folds that chose it: optimistic. Use outer: true for an estimate.',
        ]
      : []),
  ];
}
