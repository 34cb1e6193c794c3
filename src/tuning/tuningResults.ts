import { headText, nameText } from '../core/foreignText.js';
import { counted, formatDuration, formatNumber, percentOf, wholePercent } from '../core/format.js';
import { factLines, INSPECT, type SummaryOptions, summaryOptions, textTable, wrapText } from '../core/summaryText.js';
import type { FrozenTrial, Params } from '../core/tuningTrial.js';
import type { ResultJSONOptions } from '../data/pseudonyms.js';
import type { Interval } from '../intervals/interval.js';
import type { CVResults } from '../runner/cvResults.js';
import type { RefittedModel } from '../runner/keptModels.js';
import { runFacts } from '../runner/runFacts.js';
import { type Stability, stabilityOf } from './choices.js';
import type { CorrectedBest } from './correctedBest.js';
import type { Searched } from './search.js';
import type { Study } from './study.js';

const OPTIMISTIC = 'inner score, optimistic: the best of many on the folds that chose it';

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
  readonly confidenceIntervals: Readonly<Record<string, Interval>> | null;
}

export interface SearchFacts {
  /** The inner folds, as they are written in code. */
  readonly innerFolds: string;
  readonly sampler: string;
  readonly pruner: string;
  /** Trials of each search, at most. */
  readonly nTrials: number;
  /** Trials that were proposed together. */
  readonly parallelTrials: number;
  readonly seconds: number;
}

type Corrected = CorrectedBest | { readonly estimate: null; readonly reason: string } | null;

type Passed = 'results' | 'confidenceIntervals' | 'correctedBest' | 'defaults' | 'scoring' | 'search' | 'warnings';
interface Parts extends Pick<TuningResults, Passed> {
  /** All searches: those of the outer folds, in their order, and the one on all rows, last. */
  readonly searched: ReadonlyMap<string, Searched>;
  readonly all: Searched;
  readonly fits: number;
}

/**
 * What `runWithHyperparameterTuning` gives. The number to report is `outerEstimate`: how well the whole procedure does, search
 * included, on patients that it has not seen. `bestScore` is not: it is the best of many.
 *
 * @example
 * const tuned = await runner.runWithHyperparameterTuning({
 *   modelFn: ({ C }) => new LogisticRegression({ C }),
 *   paramGrid: { C: [0.01, 0.1, 1] },
 *   data: [X, y],
 *   preprocessing,
 *   nTrials: 3,
 * });
 * console.log(tuned.bestParams, tuned.perFoldParams.length);
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
  readonly correctedBest: Corrected;
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

function foldChoice(fold: string, { params, score, study, ended }: Searched, outerScore: number | null): FoldChoice {
  const count = (of: FrozenTrial['state']) => study.trials.filter(({ state }) => state === of).length;
  const { length: nTrials } = study.trials;
  return {
    fold,
    params,
    innerScore: score,
    outerScore,
    nTrials,
    nPruned: count('pruned'),
    nFailed: count('failed'),
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

const tuningSummary = (tuned: TuningResults, { details = false }: { readonly details?: boolean }): string =>
  [
    ...factLines([...tuningFacts(tuned), ...runFacts(tuned.results, { details })]),
    '',
    scoreTable(tuned),
    '',
    ...noteLines(tuned.outerEstimate),
    ...(tuned.perFoldParams.length > 0 ? [choiceTable(tuned.perFoldParams), ''] : []),
    ...tuned.warnings.map((warning) => wrapText(warning, '  Warning: ')),
  ].join('\n');

function tuningFacts(tuned: TuningResults): (readonly [label: string, text: string])[] {
  const { outerEstimate, defaults, stability, search, studies } = tuned;
  const name = nameText(tuned.scoring);
  const trials = Object.values(studies).flatMap((study) => study.trials);
  const count = (state: FrozenTrial['state']) => trials.filter((trial) => trial.state === state).length;
  const states = (['pruned', 'failed'] as const).flatMap((state) =>
    count(state) > 0 ? [`${count(state)} ${state}`] : [],
  );
  const searches = counted(Object.keys(studies).length, 'search', 'searches');
  return [
    [
      'Estimate',
      outerEstimate
        ? `${name} ${intervalText(outerEstimate)}: the whole procedure, search included, on outer test rows`
        : correctedText(name, tuned.correctedBest, tuned.study.sampler.looksBack),
    ],
    ...(defaults ? [['Defaults', defaultsText(tuned.scoring, defaults)] as const] : []),
    ['Best inner', `${name} ${formatNumber(tuned.bestScore)} (${OPTIMISTIC})`],
    ['Chosen', `${paramsText(tuned.bestParams)}; by the search on all rows`],
    ...(stability ? [['Stability', stabilityText(stability)] as const] : []),
    [
      'Search',
      `${counted(trials.length, 'trial')} in ${searches}${states.length > 0 ? ` (${states.join(', ')})` : ''}; sampler ${nameText(search.sampler)}, pruner ${nameText(search.pruner)}; ${counted(tuned.modelsTrained, 'model')} trained in all; ${formatDuration(search.seconds)}`,
    ],
    ['Inner folds', nameText(search.innerFolds, 300)],
  ];
}

function tuningWarnings({
  stability,
  studies,
  perFoldParams,
}: Pick<TuningResults, 'stability' | 'studies' | 'perFoldParams'>): string[] {
  const trials = Object.values(studies).flatMap((study) => study.trials);
  const failed = trials.filter(({ state }) => state === 'failed');
  const nFolds = perFoldParams.length;
  const byParameter = Object.entries(stability?.byParameter ?? {});
  const unstable = byParameter.filter(([, { isUnstable }]) => isUnstable);
  const edges = byParameter.filter(([, { atEdge }]) => atEdge > nFolds / 2);
  const all = [
    failed.length > 0 &&
      `${failed.length} of ${counted(trials.length, 'trial')} failed and could not be chosen; the first because: ${nameText(String(failed[0].reason), 300)}.`,
    unstable.length > 0 &&
      `The folds chose very different values of ${unstable.map(([name]) => nameText(name)).join(', ')}: the estimate is about the procedure, and says little of one set of parameters.`,
    ...edges.map(
      ([name, { atEdge }]) =>
        `${atEdge} of ${nFolds} folds chose ${nameText(name)} at the edge of what was allowed: better values may lie beyond it.`,
    ),
    nFolds === 0 &&
      'The scores in the table are those of the winner on the folds that chose it: optimistic. Use outer: true for an estimate.',
  ];
  return all.filter((each) => each !== false);
}

const noteLines = (interval: Interval | null): string[] =>
  interval?.note && interval.lower !== null ? [wrapText(interval.note), ''] : [];

const paramsText = (params: Params): string =>
  Object.entries(params)
    .map(([name, value]) => `${nameText(name)} ${valueText(value)}`)
    .join(', ') || 'no parameters';

const valueText = (value: unknown): string =>
  typeof value === 'number' ? String(Number(value.toPrecision(4))) : nameText(JSON.stringify(value) ?? 'left out');

function intervalText({ estimate, lower, upper, level, reason }: Interval): string {
  if (estimate === null) return `has no value: ${reason}`;
  const limits =
    lower === null || upper === null
      ? `no interval: ${reason}`
      : `${percentOf(level)} interval ${formatNumber(lower)} to ${formatNumber(upper)}`;
  return `${formatNumber(estimate)} (${limits})`;
}

const UNSEEN = 'There are no outer folds, so no rows that the search has not seen';

function correctedText(name: string, corrected: Corrected, looksBack: boolean): string {
  if (!corrected || !('naive' in corrected) || corrected.estimate === null) {
    return `none. ${UNSEEN}; and BBC-CV has no value: ${corrected?.reason ?? 'nothing was scored'}`;
  }
  const { nTrials, nLeftOut } = corrected;
  const rest = [
    ...(nLeftOut > 0 ? [`${nLeftOut} pruned or failed ones took no part`] : []),
    ...(looksBack ? ['the sampler proposed trials by the scores of all patients'] : []),
  ];
  const how =
    rest.length > 0
      ? `part of its optimism taken off by BBC-CV; some is left, since ${rest.join(', and ')}`
      : 'its optimism taken off by BBC-CV';
  return `${name} ${intervalText(corrected)}: the best of ${counted(nTrials, 'trial')}, ${how}. ${UNSEEN}`;
}

function defaultsText(scoring: string, { params, results, confidenceIntervals, reason }: Defaults): string {
  const what = Object.keys(params).length > 0 ? paramsText(params) : 'modelFn({})';
  if (!results) {
    return `unknown, since ${what} cannot be trained (${nameText(String(reason), 300).replace(/\.$/, '')}); give \`defaultParams\``;
  }
  const interval = confidenceIntervals?.[scoring];
  const value = interval ? intervalText(interval) : formatNumber(results.estimates[scoring]);
  return `${nameText(scoring)} ${value} with ${what}, on the same outer folds`;
}

function stabilityText({ nFolds, nDifferent, share, byParameter }: Stability): string {
  const each = Object.entries(byParameter).map(([name, { range, mostFrequent, share: part }]) =>
    range && range.low < range.high
      ? `${nameText(name)} from ${valueText(range.low)} to ${valueText(range.high)}`
      : `${nameText(name)} ${valueText(mostFrequent)} in ${wholePercent(part)}`,
  );
  // Of a continuous range no two folds choose the same number.
  if (nDifferent === nFolds) return `in ${counted(nFolds, 'fold')}: ${each.join(', ')}`;
  const sets =
    nDifferent === 1
      ? `all ${nFolds} folds chose the same parameters`
      : `${nDifferent} different choices in ${nFolds} folds, the most frequent in ${Math.round(share * nFolds)}`;
  return `${sets}: ${each.join(', ')}`;
}

function scoreTable({ results, confidenceIntervals }: TuningResults): string {
  const limits = (name: string) => {
    const { lower = null, upper = null } = confidenceIntervals?.[name] ?? {};
    return [formatNumber(lower), formatNumber(upper)];
  };
  const heads = [
    'score',
    confidenceIntervals ? 'estimate' : 'winner',
    ...(confidenceIntervals ? ['lower', 'upper'] : []),
  ];
  const rows = Object.keys(results.scores).map((name) => [
    headText(name),
    formatNumber(results.estimates[name]),
    ...(confidenceIntervals ? limits(name) : []),
    formatNumber(results.meanScores[name]),
    formatNumber(results.stdScores[name]),
  ]);
  return textTable([[...heads, 'fold mean', 'fold sd'], ...rows], { numbers: true });
}

const choiceTable = (choices: readonly FoldChoice[]): string =>
  textTable(
    [
      ['fold', 'inner (optimistic)', 'outer', 'trials', 'chosen'],
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
