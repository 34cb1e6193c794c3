/** What every form of the report says, as plain strings: the forms only lay it out. */
import { examplesOf } from '../core/checkOutcome.js';
import { headText } from '../core/foreignText.js';
import { counted, formatDuration, formatNumber, percentOf, wholePercent } from '../core/format.js';
import { definedCount, meanScore } from '../core/summaryText.js';
import type { Interval } from '../intervals/interval.js';
import { type Fact, runFacts } from '../runner/runFacts.js';
import { limits, methodsText, participants, readsTraining, repeatLines, subjectText } from './account.js';
import type { ReportModel } from './reportModel.js';
import {
  clinicalTable,
  importanceNotes,
  importanceRows,
  predictorNotes,
  predictorRows,
  type ReportParts,
  siteRows,
  subgroupRows,
  withoutBlank,
} from './tables.js';
import { bounds, estimandText, NONE, type ReportTable } from './wording.js';

export const titleOf = ({ manifest }: ReportModel): string =>
  TITLES[manifest.method as keyof typeof TITLES] ?? 'Cross-validation';

const TITLES = {
  'given predictions': 'Evaluation of predictions',
  'given test set': 'Validation on a test set',
} as const;

/** Label and text of each fact about the run; with `details` what it takes to repeat it, and its warnings. */
export function facts(result: ReportModel, { details = false } = {}): Fact[] {
  const { manifest, foldDetails, verdict } = result;
  const { methodReason, advice = null } = manifest;
  const known = runFacts({ metadata: manifest, foldDetails }, { details }).map(
    ([label, text]): Fact =>
      label === 'Design' && methodReason ? [label, `${text} (chosen because ${methodReason})`] : [label, text],
  );
  if (advice !== null) known.push(['Advice', advice]);
  const { authorsWord } = verdict;
  if (authorsWord.length > 0) known.push(['Declared', `${authorsWord.join(', ')} (the author's word)`]);
  return details ? [...known, ...otherWarnings(result).map((text): Fact => ['Warning', text])] : known;
}

/** One row per score. Without `details` scores whose notes {@link intervalNotes} leaves out have a mark, with `marks`. */
export function scoreSummary(result: ReportModel, { details = false, marks = true } = {}): ReportTable {
  const names = Object.keys(result.scores);
  const marked = new Set(marks && !details ? ownNotes(result).map(([name]) => name) : []);
  type Column = [head: string, cell: (name: string) => string];
  const allFolds = names.every((name) => result.scores[name].every(({ value }) => value !== null));
  const inDetail = (...column: Column): Column[] => (details ? [column] : []);
  const columns: Column[] = [
    ['score', (name) => `${headText(name)}${marked.has(name) ? MARK : ''}`],
    ['estimate', (name) => formatNumber(result.estimates[name])],
    [`${percentOf(result.ciLevel)} interval`, (name) => bounds(result.confidenceIntervals[name])],
    ...inDetail('from training', (name) => trainingShare(result.confidenceIntervals[name])),
    ['baseline', (name) => formatNumber(result.baseline?.[name]?.value ?? null)],
    ...inDetail('fold mean', (name) => formatNumber(result.meanScores[name])),
    ['fold sd', (name) => formatNumber(result.stdScores[name])],
    ['training rows', (name) => formatNumber(meanScore(result.trainScores?.[name] ?? []))],
    ['apparent', (name) => formatNumber(result.apparentScores?.[name]?.value ?? null)],
    ...inDetail('pooled', (name) => formatNumber(result.averages[name]?.pooled ?? null)),
    ['folds', (name) => (details || !allFolds ? definedCount(result.scores[name]) : NONE)],
  ];
  const shown = columns.filter(([, cell]) => names.some((name) => cell(name) !== NONE));
  return { header: shown.map(([head]) => head), rows: names.map((name) => shown.map(([, cell]) => cell(name))) };
}

/** The warnings of a result that its checks do not say anyway. */
export const otherWarnings = ({ manifest, checks }: ReportModel): string[] =>
  manifest.warnings.filter((warning) => !checks.some(({ message }) => warning.endsWith(message)));

const trainingShare = (interval: Interval | undefined) =>
  interval?.trainingShare === undefined ? NONE : wholePercent(interval.trainingShare);

/** Each text once, with the scores it speaks of, and what `fits` took or would take. Without `details`: of all scores alike, and of those without an interval. */
export function intervalNotes(result: ReportModel, { details = true, fits: withFits = true } = {}): string[] {
  const intervals = Object.entries(result.confidenceIntervals);
  const texts = new Map<string, string[]>();
  const note = (text: string, name: string) => texts.set(text, [...(texts.get(text) ?? []), name]);
  const own = ownNotes(result);
  for (const { main, common, members } of alikeIntervals(result)) {
    for (const [name] of members) {
      note([main, ...common].join(' '), name);
      for (const [of, sentence] of details ? own : []) if (of === name) note(sentence, name);
    }
  }
  for (const [name, { lower, upper }] of intervals) {
    const value = result.baseline?.[name]?.value ?? null;
    if (value === null || lower === null || upper === null || value < lower || value > upper) continue;
    note(NO_BETTER, name);
  }
  const notes = [...texts].map(([text, names]) =>
    names.length === intervals.length ? text : `${names.map(headText).join(', ')}: ${text}`,
  );
  if (!withFits) return notes;
  const { ciFitsMade: furtherFits, ciFitsOffer: offer } = result.manifest;
  const failed = furtherFits && furtherFits.failed > 0 ? `; ${furtherFits.failed} failed` : '';
  const fits = furtherFits
    ? [
        `The ${counted(furtherFits.fits, 'fit')} for the intervals took ${lasted(furtherFits.seconds)}${failed}.${furtherFits.fits < STEADY ? UNSTEADY : ''}`,
      ]
    : offer
      ? [`The ${counted(offer.fits, 'fit')} of \`ciFits: ${offer.ciFits}\` would take about ${lasted(offer.seconds)}.`]
      : [];
  return [...notes, ...fits, ...(details || own.length === 0 ? [] : [MARKED])];
}

/** Two fits for each of the thirty halvings that docs/intervals.md advises. */
const STEADY = 60;
const UNSTEADY = ' Another seed would move the limits, the less the more fits there are: `ciFits: 30` for a paper.';

const lasted = (seconds: number) => formatDuration(Math.max(0.1, seconds));

const MARK = ' *';
const MARKED = '* More to know about this number: summary({ details: true }).';

/** Intervals about the same thing by the same method, and the notes that all of them have. */
function alikeIntervals(result: ReportModel) {
  const groups = new Map<string, [name: string, interval: Interval][]>();
  for (const entry of Object.entries(result.confidenceIntervals)) {
    const main = mainSentence(entry[1], result);
    groups.set(main, [...(groups.get(main) ?? []), entry]);
  }
  return Array.from(groups, ([main, members]) => {
    const notes = members.map(([, { note }]) => sentencesIn(note));
    const common = notes[0].filter((sentence) => notes.every((each) => each.includes(sentence)));
    return { main, common, members };
  });
}

const ownNotes = (result: ReportModel): [name: string, note: string][] =>
  alikeIntervals(result).flatMap(({ common, members }) =>
    members.flatMap(([name, { note }]) => {
      const own = sentencesIn(note).filter((sentence) => !common.includes(sentence));
      return own.map((sentence): [string, string] => [name, sentence]);
    }),
  );

const NO_BETTER =
  'The interval includes the baseline: what predicting the class shares (or the mean, or one curve for all) of the training rows would score.';

const sentencesIn = (note = '') => note.split(/(?<=\.) (?=[A-Z\d])/).filter((sentence) => sentence !== '');

/** "Intervals by oof_bootstrap of 60 patients: about the models of these folds on new patients." */
function mainSentence({ lower, upper, reason, method, estimand, nUnits, unit }: Interval, result: ReportModel): string {
  if (lower === null && upper === null) return `No interval: ${reason ?? 'no reason given'}.`;
  // Without ids a patient may have several rows: then the interval is about new rows.
  const whom = unit === 'row' && !result.manifest.independentRows ? 'new rows' : 'new patients';
  return `Intervals by ${method} of ${counted(nUnits, unit)}: about ${estimandText(estimand, result, whom)}.`;
}

const checkRows = ({ checks }: ReportModel): string[][] =>
  checks.map(({ code, type, status, message, acknowledged, fix, page }) => [
    code,
    type,
    `${status.replaceAll('_', ' ')}${acknowledged === undefined ? '' : `, acknowledged by the author (${acknowledged})`}`,
    fix && ASKING.includes(status) ? `${message} What to do: ${fix}${page ? ` (${page})` : ''}` : message,
  ]);

const ASKING: readonly string[] = ['failed', 'needs_review', 'not_evaluated', 'error'];

const checkNotes = ({ checks }: ReportModel): string[] =>
  checks.flatMap((check) => examplesOf(check).map((example) => `${check.code} ${check.type}: ${example}`));

export const foldTable = ({ foldDetails, manifest }: ReportModel): ReportTable => ({
  header: ['fold', 'fitted', 'watched', 'test', 'epochs', 'seconds', 'status'],
  rows: foldDetails.map((fold) => [
    headText(fold.fold),
    readsTraining(manifest) ? String(fold.nFitted) : '-',
    String(fold.nValidation),
    String(fold.nTest),
    `${fold.epochs}${fold.stoppedEarly ? ' (stopped early)' : ''}`,
    `${fold.seconds.toFixed(1)}${fold.innerFits > 0 ? ` (${counted(fold.innerFits, 'inner fit')} ${fold.secondsOf.inner.toFixed(1)})` : ''}`,
    fold.status,
  ]),
});

/** A table with a title and what there is to say about it. */
export interface Section extends ReportTable {
  readonly title: string;
  /** Paragraphs before the table. */
  readonly lead?: readonly string[];
  readonly notes: readonly string[];
  /** Lines of a program. */
  readonly code?: readonly string[];
  readonly isEvidence?: true;
}

/** The parts of a full report, in order. */
export function sections(result: ReportModel, more: ReportParts = {}): Section[] {
  const part = (title: string, table: ReportTable | null, rest: Partial<Section> = {}): Section[] =>
    table === null || (table.rows.length === 0 && !rest.notes?.length && !rest.code?.length)
      ? []
      : [{ title, notes: [], ...table, ...rest }];
  return [
    ...part('Participants', participants(result), { lead: [subjectText(result)] }),
    ...part('Folds', withoutBlank(foldTable(result))),
    ...part('Scores', scoreSummary(result, { details: true }), { notes: intervalNotes(result) }),
    ...part('At the threshold', clinicalTable(result)),
    ...part('Subgroups', more.subgroups ? subgroupRows(more.subgroups) : null, { notes: more.subgroups?.notes ?? [] }),
    ...part('Sites', more.sites ? siteRows(more.sites) : null, { notes: more.sites?.notes ?? [] }),
    ...part('Importance', importanceRows(result), { notes: importanceNotes(result) }),
    ...part(
      'Checks',
      { header: ['code', 'check', 'status', 'finding'], rows: checkRows(result) },
      { notes: checkNotes(result) },
    ),
    ...part('Predictors', predictorRows(result), { notes: predictorNotes(result) }),
    ...part('Limits', NO_TABLE, { notes: limits(result) }),
    ...part('Text for a methods section', NO_TABLE, { lead: [methodsText(result).join(' ')], notes: [METHODS_NOTE] }),
    ...part('How to repeat it', NO_TABLE, { code: repeatLines(result) }),
    ...evidenceSections(result),
  ];
}

/** Before the steps that would earn a better verdict. */
export const NEXT = 'What would earn the next verdict:';

const NO_TABLE: ReportTable = { header: [], rows: [] };
const METHODS_NOTE =
  'Written from the run. Who the patients were, how the outcome was assessed and why this design was chosen are for the author to add.';

/** Begins what a run cannot tell. */
export const TO_DO = 'To be completed by the author';

const EVIDENCE_HEADER = ['item', 'asks for', 'status', 'evidence', 'place in the result'];
/** In words and in capitals where something remains to be done: a colour may not be seen. */
const EVIDENCE_STATUS = { filled: 'filled', 'in part': 'IN PART', author: 'OPEN' } as const;

/** One table per guideline; the first has the note that speaks of all. */
const evidenceSections = ({ evidence }: ReportModel): Section[] =>
  (evidence?.sections ?? []).map(({ title, about, counts, items }, at) => ({
    title: `Evidence: ${title}`,
    lead: [...(at === 0 && evidence ? [evidence.note] : []), ...about, `${counts}.`],
    isEvidence: true,
    header: EVIDENCE_HEADER,
    rows: items.map(({ id, name, status, text, where }) => [id, name, EVIDENCE_STATUS[status], text, where.join(', ')]),
    notes: [],
  }));

export const evidenceLine = ({ evidence }: ReportModel): string[] =>
  evidence
    ? [
        `Evidence for the author's own filing is in toMarkdown(), toHTML() and toJSON(). ${evidence.sections.map(({ checklist, counts }) => `${checklist}: ${counts}`).join('; ')}.`,
      ]
    : [];
