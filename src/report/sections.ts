/** What every form of the report says, as plain strings: the forms only lay it out. */
import { examplesOf } from '../core/checkText.js';
import { counted, formatDuration, formatNumber } from '../core/format.js';
import { definedCount, engineText, isolationText, trainingText } from '../core/summaryText.js';
import type { Interval } from '../metrics/intervals/interval.js';
import type { ValidationResult } from '../validator/validationResult.js';

const STATUS = {
  passed: 'PASSED: every check was made and passed',
  failed: 'FAILED: at least one check failed',
  needs_review: 'NEEDS REVIEW: a check asks for a look, or a fold failed',
  not_fully_verified: 'NOT FULLY VERIFIED: some checks were not made',
} as const;

export const statusLine = ({ overallStatus }: ValidationResult): string => STATUS[overallStatus];

/** Label and text of each fact about the run. */
export function facts({ manifest: m, foldDetails }: ValidationResult): [label: string, text: string][] {
  const folds = `${m.splitter}, ${counted(m.foldsRun, 'fold')} of ${m.nSplits}${m.stopped ? ', ended by a callback' : ''}`;
  const groups = m.nGroups === null ? ', no patient ids given' : ` of ${counted(m.nGroups, 'patient')}`;
  const training = trainingText(foldDetails, m.modelsTrained);
  const isolation = isolationText(m.verifiedFolds);
  const failed = foldDetails.filter(({ status }) => status === 'failed');
  return [
    ['Design', `${folds}${m.methodReason ? ` (chosen because ${m.methodReason})` : ''}`],
    ['Data', `${counted(m.n, 'row')}${groups}`],
    [
      'Task',
      `${m.task}: ${m.taskReason}${m.positiveLabel === null ? '' : `; positive class ${JSON.stringify(m.positiveLabel)}`}`,
    ],
    ['Model', [`${m.adapter} adapter`, ...engineText(m.engine)].join(', ')],
    ...(m.adjustment ? [['Predictions', m.adjustment] as [string, string]] : []),
    ['Seed', `${m.randomState}; folds ${m.foldFingerprint.slice(0, 12)}`],
    ['Time', formatDuration(m.seconds)],
    ...(training ? [['Training', training] as [string, string]] : []),
    ...(isolation ? [['Isolation', isolation] as [string, string]] : []),
    ...failed.map(({ error }): [string, string] => ['FAILED FOLD', error ?? '']),
    ...m.overridden.map((text): [string, string] => ['Overridden', text]),
    ...m.warnings.map((text): [string, string] => ['Warning', text]),
  ];
}

export const SCORE_HEADER = ['score', 'estimate', 'interval', 'baseline', 'fold mean', 'fold sd', 'pooled', 'folds'];

/** One row per score. */
export function scoreRows(result: ValidationResult): string[][] {
  return Object.keys(result.scores).map((name) => {
    const interval = result.confidenceIntervals[name];
    return [
      name,
      formatNumber(interval ? interval.estimate : result.meanScores[name]),
      interval ? bounds(interval) : '—',
      formatNumber(result.baseline?.[name]?.value ?? null),
      formatNumber(result.meanScores[name]),
      formatNumber(result.stdScores[name]),
      formatNumber(result.averages[name]?.pooled ?? null),
      definedCount(result.scores[name]),
    ];
  });
}

const bounds = ({ lower, upper }: Interval) =>
  lower === null && upper === null ? 'none' : `[${formatNumber(lower)}, ${formatNumber(upper)}]`;

const ESTIMANDS = {
  procedure: 'the training procedure on new patients',
  predictions: 'these predictions (the models of these folds)',
  refitted_model: 'the model refitted on all rows',
} as const;

/** What the intervals are about and what a reader must know: each sentence once, with the scores it speaks of. */
export function intervalNotes(result: ValidationResult): string[] {
  const scoresOf = new Map<string, string[]>();
  const intervals = Object.entries(result.confidenceIntervals);
  for (const [name, interval] of intervals) {
    for (const sentence of sentencesOf(interval)) scoresOf.set(sentence, [...(scoresOf.get(sentence) ?? []), name]);
  }
  for (const [name, { lower, upper }] of intervals) {
    const value = result.baseline?.[name]?.value ?? null;
    if (value === null || lower === null || upper === null || value < lower || value > upper) continue;
    scoresOf.set(NO_BETTER, [...(scoresOf.get(NO_BETTER) ?? []), name]);
  }
  return [...scoresOf].map(([sentence, names]) =>
    names.length === intervals.length ? sentence : `${names.join(', ')}: ${sentence}`,
  );
}

const NO_BETTER =
  'The interval holds the baseline, what predicting the class shares (or the mean) of the training rows would score.';

function sentencesOf(interval: Interval): string[] {
  const notes = interval.note?.split(/(?<=\.) (?=[A-Z])/) ?? [];
  if (interval.lower !== null || interval.upper !== null) return [describeInterval(interval), ...notes];
  return [`No interval: ${interval.reason ?? 'no reason given'}.`, ...notes];
}

/** "95 % interval by oof_bootstrap about these predictions; resampled: 60 patients." */
function describeInterval({ level, method, estimand, nUnits, unit }: Interval): string {
  return `${Number((level * 100).toPrecision(6))} % interval by ${method} about ${ESTIMANDS[estimand]}; unit: ${counted(nUnits, unit)}.`;
}

const CHECK_HEADER = ['code', 'check', 'status', 'finding'];

const checkRows = ({ checks }: ValidationResult): string[][] =>
  checks.map(({ code, type, status, message }) => [code, type, status.replaceAll('_', ' '), message]);

/** Examples of what the checks found, and what they advise. */
const checkNotes = ({ checks, recommendations }: ValidationResult): string[] => [
  ...checks.flatMap((check) => examplesOf(check).map((example) => `${check.code} ${check.type}: ${example}`)),
  ...recommendations,
];

const FOLD_HEADER = ['fold', 'trained on', 'watched', 'tested', 'epochs', 'seconds', 'status'];

const foldRows = ({ foldDetails }: ValidationResult): string[][] =>
  foldDetails.map((fold) => [
    fold.fold,
    String(fold.nFitted),
    String(fold.nValidation),
    String(fold.nTest),
    `${fold.epochs}${fold.stoppedEarly ? ' (stopped early)' : ''}`,
    `${fold.seconds.toFixed(1)}${fold.innerFits > 0 ? ` (${counted(fold.innerFits, 'inner fit')} ${fold.secondsOf.inner.toFixed(1)})` : ''}`,
    fold.status,
  ]);

/** A table with a title and what there is to say about it. */
export interface Section {
  readonly title: string;
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly notes: readonly string[];
}

/** The tables of a full report, in order. */
export const sections = (result: ValidationResult): Section[] => [
  { title: 'Scores', header: SCORE_HEADER, rows: scoreRows(result), notes: intervalNotes(result) },
  { title: 'Checks', header: CHECK_HEADER, rows: checkRows(result), notes: checkNotes(result) },
  { title: 'Folds', header: FOLD_HEADER, rows: foldRows(result), notes: [] },
];
