/** What every form of the report says, as plain strings: the forms only lay it out. */
import { examplesOf } from '../core/checkText.js';
import { nameText } from '../core/foreignText.js';
import { counted, formatNumber, percentOf } from '../core/format.js';
import { definedCount, meanScore } from '../core/summaryText.js';
import type { Interval } from '../metrics/intervals/interval.js';
import { type Fact, runFacts } from '../runner/runFacts.js';
import type { ValidationResult } from '../validator/validationResult.js';

/** What the report is of. */
export const titleOf = ({ manifest }: ValidationResult): string =>
  TITLES[manifest.method as keyof typeof TITLES] ?? 'Cross-validation';

const TITLES = {
  'given predictions': 'Evaluation of predictions',
  'given test set': 'Validation on a test set',
} as const;

/** Label and text of each fact about the run; with `details` what it takes to repeat it, and its warnings. */
export function facts(result: ValidationResult, { details = false } = {}): Fact[] {
  const { manifest, foldDetails, verdict } = result;
  const { methodReason } = manifest;
  const known = runFacts({ metadata: manifest, foldDetails }, { details }).map(
    ([label, text]): Fact =>
      label === 'Design' && methodReason ? [label, `${text} (chosen because ${methodReason})`] : [label, text],
  );
  const { authorsWord } = verdict;
  if (authorsWord.length > 0) known.push(['Declared', `${authorsWord.join(', ')} (the author's word)`]);
  return details ? [...known, ...warningsOf(result).map((text): Fact => ['Warning', text])] : known;
}

/** A table with its header. */
export interface Table {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/**
 * One row per score: the estimate, its interval, what a model without features would score, and the spread over folds;
 * with `details` the other ways to one number, too. A column without any entry is left out.
 */
export function scoreTable(result: ValidationResult, { details = false } = {}): Table {
  const names = Object.keys(result.scores);
  const columns: [head: string, cell: (name: string) => string][] = [
    ['score', (name) => nameText(name)],
    ['estimate', (name) => formatNumber(result.estimates[name])],
    [`${percentOf(result.ciLevel)} interval`, (name) => bounds(result.confidenceIntervals[name])],
    ['baseline', (name) => formatNumber(result.baseline?.[name]?.value ?? null)],
    ...(details ? ([['fold mean', (name) => formatNumber(result.meanScores[name])]] as typeof columns) : []),
    ['fold sd', (name) => formatNumber(result.stdScores[name])],
    ['training rows', (name) => formatNumber(meanScore(result.trainScores?.[name] ?? []))],
    ['apparent', (name) => formatNumber(result.apparentScores?.[name]?.value ?? null)],
    ...(details ? ([['pooled', (name) => formatNumber(result.averages[name]?.pooled ?? null)]] as typeof columns) : []),
    ...(details || names.some((name) => result.scores[name].some(({ value }) => value === null))
      ? ([['folds', (name) => definedCount(result.scores[name])]] as typeof columns)
      : []),
  ];
  const shown = columns.filter(([, cell]) => names.some((name) => cell(name) !== NONE));
  return { header: shown.map(([head]) => head), rows: names.map((name) => shown.map(([, cell]) => cell(name))) };
}

const NONE = formatNumber(null);

/** The warnings of a result that its checks do not say anyway. */
export const warningsOf = ({ manifest, checks }: ValidationResult): string[] =>
  manifest.warnings.filter((warning) => !checks.some(({ message }) => warning.endsWith(message)));

const bounds = (interval: Interval | undefined) => {
  if (!interval) return NONE;
  const { lower, upper } = interval;
  return lower === null && upper === null ? 'none' : `${formatNumber(lower)} to ${formatNumber(upper)}`;
};

const ESTIMANDS = {
  procedure: 'the training procedure on new patients',
  predictions: 'the models of these folds on new patients',
  refitted_model: 'the model refitted on all rows',
} as const;

const ONE_MODEL = 'the model behind these predictions, on new patients';

/**
 * What the intervals are about and what a reader must know: each text once, with the scores it speaks of. Without
 * `details` only what is said of all scores alike, and of those that have no interval.
 */
export function intervalNotes(result: ValidationResult, { details = true } = {}): string[] {
  const intervals = Object.entries(result.confidenceIntervals);
  const said = new Map<string, string[]>();
  const say = (text: string, name: string) => said.set(text, [...(said.get(text) ?? []), name]);
  const groups = new Map<string, typeof intervals>();
  for (const entry of intervals) {
    const main = mainSentence(entry[1], result);
    groups.set(main, [...(groups.get(main) ?? []), entry]);
  }
  for (const [main, members] of groups) {
    const notes = members.map(([, { note }]) => sentencesIn(note));
    const common = notes[0].filter((sentence) => notes.every((each) => each.includes(sentence)));
    for (const [at, [name]] of members.entries()) {
      say([main, ...common].join(' '), name);
      if (details) for (const sentence of notes[at]) if (!common.includes(sentence)) say(sentence, name);
    }
  }
  for (const [name, { lower, upper }] of intervals) {
    const value = result.baseline?.[name]?.value ?? null;
    if (value === null || lower === null || upper === null || value < lower || value > upper) continue;
    say(NO_BETTER, name);
  }
  return [...said].map(([text, names]) =>
    names.length === intervals.length ? text : `${names.map((name) => nameText(name)).join(', ')}: ${text}`,
  );
}

const NO_BETTER =
  'The interval holds the baseline, what predicting the class shares (or the mean) of the training rows would score.';

const sentencesIn = (note = '') => note.split(/(?<=\.) (?=[A-Z\d])/).filter((sentence) => sentence !== '');

/** "Intervals by oof_bootstrap of 60 patients: about the models of these folds on new patients." */
function mainSentence(
  { lower, upper, reason, method, estimand, nUnits, unit }: Interval,
  { manifest }: ValidationResult,
): string {
  if (lower === null && upper === null) return `No interval: ${reason ?? 'no reason given'}.`;
  return `Intervals by ${method} of ${counted(nUnits, unit)}: about ${estimand === 'predictions' && manifest.nSplits === 1 ? ONE_MODEL : ESTIMANDS[estimand]}.`;
}

const CHECK_HEADER = ['code', 'check', 'status', 'finding'];

const checkRows = ({ checks }: ValidationResult): string[][] =>
  checks.map(({ code, type, status, message }) => [code, type, status.replaceAll('_', ' '), message]);

/** Examples of what the checks found, and what they advise. */
const checkNotes = ({ checks, recommendations }: ValidationResult): string[] => [
  ...checks.flatMap((check) => examplesOf(check).map((example) => `${check.code} ${check.type}: ${example}`)),
  ...recommendations,
];

/** One row per fold that ran. */
export const foldTable = ({ foldDetails }: ValidationResult): Table => ({
  header: ['fold', 'fitted', 'watched', 'test', 'epochs', 'seconds', 'status'],
  rows: foldDetails.map((fold) => [
    fold.fold,
    String(fold.nFitted),
    String(fold.nValidation),
    String(fold.nTest),
    `${fold.epochs}${fold.stoppedEarly ? ' (stopped early)' : ''}`,
    `${fold.seconds.toFixed(1)}${fold.innerFits > 0 ? ` (${counted(fold.innerFits, 'inner fit')} ${fold.secondsOf.inner.toFixed(1)})` : ''}`,
    fold.status,
  ]),
});

/** A table with a title and what there is to say about it. */
export interface Section extends Table {
  readonly title: string;
  readonly notes: readonly string[];
}

/** The tables of a full report, in order. */
export const sections = (result: ValidationResult): Section[] => [
  { title: 'Scores', ...scoreTable(result, { details: true }), notes: intervalNotes(result) },
  { title: 'Checks', header: CHECK_HEADER, rows: checkRows(result), notes: checkNotes(result) },
  { title: 'Folds', ...foldTable(result), notes: [] },
];
