/** The results of a search in words. */

import { headText, nameText } from '../core/foreignText.js';
import { counted, formatDuration, formatNumber, percentOf, wholePercent } from '../core/format.js';
import { factLines, textTable, wrapText } from '../core/summaryText.js';
import type { FrozenTrial, Params } from '../core/tuningTrial.js';
import type { Interval } from '../intervals/interval.js';
import type { CVResults } from '../runner/cvResults.js';
import { runFacts } from '../runner/runFacts.js';
import type { Stability } from './choices.js';
import type { CorrectedBest } from './correctedBest.js';
import type { Study } from './study.js';

/** How `bestScore` is to be read. */
export const OPTIMISTIC = 'inner score, optimistic: the best of many on the folds that chose it';

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

/** How the search went about it. */
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

export interface TuningFacts {
  readonly bestParams: Params;
  readonly bestScore: number;
  readonly scoring: string;
  readonly outerEstimate: Interval | null;
  readonly confidenceIntervals: Readonly<Record<string, Interval>> | null;
  readonly correctedBest: CorrectedBest | { readonly estimate: null; readonly reason: string } | null;
  readonly perFoldParams: readonly FoldChoice[];
  readonly stability: Stability | null;
  readonly defaults: Defaults | null;
  readonly results: CVResults;
  readonly study: Study;
  readonly studies: Readonly<Record<string, Study>>;
  readonly modelsTrained: number;
  readonly search: SearchFacts;
  readonly warnings: readonly string[];
}

export const tuningSummary = (tuned: TuningFacts, { details = false }: { readonly details?: boolean }): string =>
  [
    ...factLines([...tuningFacts(tuned), ...runFacts(tuned.results, { details })]),
    '',
    scoreTable(tuned),
    '',
    ...noteLines(tuned.outerEstimate),
    ...(tuned.perFoldParams.length > 0 ? [choiceTable(tuned.perFoldParams), ''] : []),
    ...tuned.warnings.map((warning) => wrapText(warning, '  Warning: ')),
  ].join('\n');

export function tuningFacts(tuned: TuningFacts): (readonly [label: string, text: string])[] {
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

/** Sentences that belong to every report of these numbers. */
export function tuningWarnings({ stability, studies, perFoldParams }: Omit<TuningFacts, 'warnings'>): string[] {
  const trials = Object.values(studies).flatMap((study) => study.trials);
  const failed = trials.filter(({ state }) => state === 'failed');
  const nFolds = perFoldParams.length;
  const byParameter = Object.entries(stability?.byParameter ?? {});
  const unstable = byParameter.filter(([, { isUnstable }]) => isUnstable);
  const edges = byParameter.filter(([, { atEdge }]) => atEdge > nFolds / 2);
  return [
    ...(failed.length > 0
      ? [
          `${failed.length} of ${counted(trials.length, 'trial')} failed and could not be chosen; the first because: ${nameText(String(failed[0].reason), 300)}.`,
        ]
      : []),
    ...(unstable.length > 0
      ? [
          `The folds chose very different values of ${unstable.map(([name]) => nameText(name)).join(', ')}: the estimate is about the procedure, and says little of one set of parameters.`,
        ]
      : []),
    ...edges.map(
      ([name, { atEdge }]) =>
        `${atEdge} of ${nFolds} folds chose ${nameText(name)} at the edge of what was allowed: better values may lie beyond it.`,
    ),
    ...(nFolds === 0
      ? [
          'The scores in the table are those of the winner on the folds that chose it: optimistic. Use outer: true for an estimate.',
        ]
      : []),
  ];
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

function correctedText(name: string, corrected: TuningFacts['correctedBest'], looksBack: boolean): string {
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

function scoreTable({ results, confidenceIntervals }: TuningFacts): string {
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
