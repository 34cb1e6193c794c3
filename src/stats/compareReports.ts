import { CVKitError, InvalidDataError, InvalidOptionError, phrase, sentence } from '../core/errors.js';
import { headText, markupText, nameText } from '../core/foreignText.js';
import { formatNumber } from '../core/format.js';
import { custom, type InputOf, isPlainObject, listOf, optionTable } from '../core/options.js';
import type { Interval } from '../intervals/interval.js';
import type { Svg } from '../plot/svg.js';
import { htmlPage } from '../report/htmlReport.js';
import { forestPictures } from '../report/pictures.js';
import type { Section } from '../report/sections.js';
import { markdownParts } from '../report/textReport.js';
import { bounds } from '../report/wording.js';
import { compared } from '../runner/manifestDifferences.js';
import { compareModels } from './compareModels.js';
import { checkOneDesign, type ModelTable, type Side, sidesOf } from './comparison/modelTable.js';
import { checkResults, type ScoredResults } from './results.js';

/** What `validate` gives, or its `toJSON()` read back, of this or an earlier version. */
export interface ComparedReport {
  readonly estimates: Readonly<Record<string, number | null>>;
  readonly confidenceIntervals: Readonly<Record<string, Interval>>;
  readonly verdict: { readonly text: string };
  readonly manifest: object;
}

const isReport = (value: unknown): value is ComparedReport =>
  ['estimates', 'confidenceIntervals', 'verdict', 'manifest'].every((name) => isPlainObject(Object(value)[name]));

export const compareReportsOptions = optionTable('compareReports', {
  results: custom<readonly ComparedReport[] | Readonly<Record<string, ComparedReport>>>(
    'results[] | record of name -> results',
    'be a list of two results of `validate` or more, or a record by name',
    (value) => (Array.isArray(value) || isPlainObject(value)) && Object.keys(value).length > 1,
  ).describe('What `validate` gave, awaited, or its JSON.'),
  metrics: listOf<string>('name', 'be a list of names of scores', (v) => typeof v === 'string')
    .optional()
    .describe('Scores to compare; by default those that all have.'),
});
export type CompareReportsOptions = InputOf<typeof compareReportsOptions>;

/** What differs between the manifests: its place, and the value of each run. */
export interface ManifestDifference {
  readonly where: string;
  readonly kind: 'data' | 'option' | 'result' | 'version';
  readonly values: Readonly<Record<string, unknown>>;
}

/** Reports side by side. */
export interface ReportComparison {
  readonly names: readonly string[];
  readonly metrics: readonly string[];
  /** Paired comparisons on the same folds, one table for each metric; those that cannot be made have a reason instead. */
  readonly tables: Readonly<Record<string, ModelTable | { readonly reason: string }>>;
  /** Runs that have no pair in the tables, by name, and why. */
  readonly unpaired: Readonly<Record<string, string>>;
  /** Data, options, folds and versions; results themselves are not listed. */
  readonly differences: readonly ManifestDifference[];
  toHTML(): string;
  toMarkdown(): string;
}

/**
 * One page for several runs: scores side by side, the paired differences where the folds and rows are the same (`compareModels`),
 * and what differs between the manifests. A run of other folds or rows than the first stands beside the others and has no difference.
 *
 * @throws {InvalidOptionError} fewer than two results, a score that some lack
 * @throws {InvalidDataError} what is no result of `validate`
 * @example
 * const plain = await validator.validate({ model: () => new DummyClassifier(), X, y, verbose: 0 });
 * const comparison = await compareReports({ results: { chance: plain, logistic: result } });
 * await writeFile('comparison.html', comparison.toHTML());
 * console.log(comparison.toMarkdown().split('\n')[0]);
 */
export async function compareReports(input: CompareReportsOptions): Promise<ReportComparison> {
  const { results, metrics } = compareReportsOptions.resolve(input);
  const reports = new Map(
    Object.entries(results).map(([name, value]) => [Array.isArray(results) ? `run ${Number(name) + 1}` : name, value]),
  );
  for (const [name, value] of reports) {
    if (isReport(value)) continue;
    const subject = `Result '${nameText(name)}' of compareReports`;
    throw new InvalidDataError(sentence(subject, 'be what `validate` gives, awaited, or its `toJSON()`', value));
  }
  const scores = scoresOf(reports, metrics);
  const tables: Record<string, ModelTable | { readonly reason: string }> = {};
  const unpaired = unpairedOf(reports);
  const alike = new Map([...reports].filter(([name]) => !Object.hasOwn(unpaired, name)));
  for (const metric of scores)
    tables[metric] = alike.size > 1 ? await paired(alike, metric) : { reason: Object.values(unpaired).join(' ') };
  const differences = manifestDifferences(reports);
  const about = { names: [...reports.keys()], metrics: scores, tables, unpaired, differences };
  const parts = () => partsOf(reports, about);
  const title = `Comparison of ${reports.size} runs`;
  const verdicts = Array.from(reports, ([name, { verdict }]) => [headText(name), verdict.text] as const);
  return {
    ...about,
    toHTML: () =>
      htmlPage({
        ...{ title, head: [`<p>${markupText(ABOUT)}</p>`], facts: verdicts, parts: parts(), footer: title },
        pictures: { Scores: scores.flatMap((metric) => forestOf(reports, metric)) },
      }),
    toMarkdown: () => `${[`# ${title}`, ABOUT, ...markdownParts(parts())].join('\n\n')}\n`,
  };
}

const ABOUT =
  'Intervals that overlap say little about a difference, which is paired: look at the differences. To choose the best of several runs and report its score as it stands is too good; `bbcCV` says how much.';

type Reports = ReadonlyMap<string, ComparedReport>;

function scoresOf(reports: Reports, metrics?: readonly string[]): string[] {
  const all = [...reports.values()];
  const common = Object.keys(all[0].estimates).filter((name) => all.every(({ estimates }) => name in estimates));
  const unknown = metrics?.find((name) => !common.includes(name));
  if (unknown === undefined && common.length > 0) return [...(metrics ?? common)];
  const must = `be scores that all results have: ${common.join(', ') || 'there is none'}`;
  throw new InvalidOptionError(
    sentence('The `metrics` option of compareReports', must, unknown ?? phrase('no score in common')),
    { code: 'no_scores' },
  );
}

/** The first run that has folds is what the others are paired with. */
function unpairedOf(reports: Reports): Record<string, string> {
  const why = new Map<string, string>();
  let first: Side | undefined;
  for (const [name, report] of reports) {
    try {
      const results = report as unknown as ScoredResults;
      checkResults(`Result '${nameText(name)}'`, results);
      const [side] = sidesOf([{ name, model: name, preparation: null, results }]);
      first ??= side;
      checkOneDesign('compareReports', [first, side]);
    } catch (error) {
      if (!(error instanceof CVKitError)) throw error;
      why.set(name, `${headText(name)} has no pair: ${error.message}`);
    }
  }
  return Object.fromEntries(why);
}

async function paired(reports: Reports, metric: string): Promise<ModelTable | { readonly reason: string }> {
  try {
    return await compareModels({ results: Object.fromEntries(reports) as never, metric: metric as never });
  } catch (error) {
    // A score of the caller's own: what is known still stands side by side.
    if (error instanceof CVKitError) return { reason: error.message };
    throw error;
  }
}

/** Of each run from the first. A run that does not differ in a place has the value of the first there. */
function manifestDifferences(reports: Reports): ManifestDifference[] {
  const [[, { manifest }], ...others] = [...reports];
  const found = new Map<string, ManifestDifference>();
  for (const [name, report] of others) {
    for (const { where, kind, manifest: then, now } of compared(manifest, report.manifest)) {
      // Scores and predictions are what is compared.
      if (where.startsWith('outcome') || where.startsWith('intervals')) continue;
      const same = () => Object.fromEntries([...reports.keys()].map((each) => [each, then]));
      const values = found.get(where)?.values ?? same();
      found.set(where, { where, kind, values: { ...values, [name]: now } });
    }
  }
  return [...found.values()];
}

const limits = (interval: Pick<Interval, 'lower' | 'upper'> | undefined) => (interval ? ` (${bounds(interval)})` : '');

function partsOf(
  reports: Reports,
  { metrics, names, tables, unpaired, differences }: Omit<ReportComparison, 'toHTML' | 'toMarkdown'>,
): Section[] {
  const heads = names.map((name) => headText(name));
  const tested = metrics.flatMap((metric) => ('reason' in tables[metric] ? [] : [[metric, tables[metric]] as const]));
  const reasons = metrics.flatMap((metric) => ('reason' in tables[metric] ? [tables[metric].reason] : []));
  const notes = [
    ...new Set(reasons),
    ...(tested.length > 0
      ? ['Differences are means over folds, and may differ from those of the estimates above.']
      : []),
    ...(names.length - Object.keys(unpaired).length > 1 ? Object.values(unpaired) : []),
  ];
  return [
    {
      title: 'Scores',
      header: ['score', ...heads],
      rows: metrics.map((metric) => [
        headText(metric),
        ...Array.from(
          reports.values(),
          ({ estimates, confidenceIntervals }) =>
            `${formatNumber(estimates[metric])}${limits(confidenceIntervals[metric])}`,
        ),
      ]),
      notes: [],
    },
    {
      title: 'Paired differences',
      header: ['score', 'runs', 'difference', 'simultaneous limits', 'p (Holm)'],
      rows: tested.flatMap(([metric, table]) =>
        table.comparisons.map(({ a, b, difference, lower, upper, pAdjusted, reason }) => [
          ...[headText(metric), `${headText(a)} - ${headText(b)}`, formatNumber(difference)],
          ...[bounds({ lower, upper }), pAdjusted === null ? (reason ?? '') : formatNumber(pAdjusted)],
        ]),
      ),
      notes,
    },
    {
      title: 'What differs in the manifests',
      header: ['place', 'kind', ...heads],
      rows: differences.map(({ where, kind, values }) => [
        where,
        kind,
        ...names.map((name) => headText(JSON.stringify(values[name]) ?? '')),
      ]),
      notes: differences.length === 0 ? ['Nothing, but perhaps the outcome.'] : [],
    },
  ];
}

function forestOf(reports: Reports, metric: string): Svg[] {
  const rows = Array.from(reports, ([name, { estimates, confidenceIntervals }]) => ({
    label: headText(name),
    estimate: estimates[metric],
    lower: confidenceIntervals[metric]?.lower ?? null,
    upper: confidenceIntervals[metric]?.upper ?? null,
  }));
  return forestPictures(rows, { title: metric, label: metric });
}
