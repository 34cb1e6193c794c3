/** Tables of a report beyond scores, checks and folds: clinical measures, subgroups, sites, importance, predictors. */
import { headText } from '../core/foreignText.js';
import { counted, formatNumber, wholeNumber, wholePercent } from '../core/format.js';
import type { Interval } from '../intervals/interval.js';
import type { ClinicalMeasure, ReportModel, TableOneRow } from './reportModel.js';
import { bounds, NONE, type ReportTable } from './wording.js';

type Limits = Pick<Interval, 'estimate' | 'lower' | 'upper' | 'reason'> & { readonly unit?: string };

/** What a report shows besides the result: see `subgroupTable` and `acrossSites` of cvkit/stats, which make them. */
export interface ReportParts {
  readonly subgroups?: {
    readonly rows: readonly {
      readonly by: Readonly<Record<string, unknown>>;
      readonly n: number | null;
      readonly nUnits: number | null;
      readonly events: number | null;
      readonly metrics: Readonly<Record<string, Limits>>;
      readonly differences: Readonly<Record<string, Limits>> | null;
    }[];
    readonly metrics: readonly string[];
    readonly unit: string;
    readonly notes: readonly string[];
    readonly fingerprint: string;
  };
  readonly sites?: {
    readonly metric: string;
    readonly sites: readonly {
      readonly site: unknown;
      readonly n: number;
      readonly nUnits: number;
      readonly events: number | null;
      readonly interval: Limits;
    }[];
    readonly mean: Limits;
    readonly prediction: { readonly lower: number; readonly upper: number } | null;
    readonly notes: readonly string[];
    readonly fingerprint: string;
  };
}

const MEASURES: readonly (readonly [key: ClinicalMeasure, name: string])[] = [
  ['prevalence', 'prevalence'],
  ['sensitivity', 'sensitivity'],
  ['specificity', 'specificity'],
  ['ppv', 'positive predictive value'],
  ['npv', 'negative predictive value'],
  ['lrPositive', 'positive likelihood ratio'],
  ['lrNegative', 'negative likelihood ratio'],
  ['diagnosticOddsRatio', 'diagnostic odds ratio'],
  ['balancedAccuracy', 'balanced accuracy'],
  ['youden', "Youden's J"],
  ['numberNeededToDiagnose', 'number needed to diagnose'],
];

export function clinicalTable({ atThreshold }: ReportModel): ReportTable | null {
  if (!atThreshold) return null;
  const rows = MEASURES.flatMap(([key, name]) => {
    const interval = atThreshold[key];
    return interval ? [[name, formatNumber(interval.estimate), bounds(interval), interval.reason ?? '']] : [];
  });
  return withoutBlank({ header: ['measure', 'estimate', 'interval', 'why there is none'], rows });
}

/** Columns that say nothing are left out; the first names the rows. */
export function withoutBlank({ header, rows }: ReportTable): ReportTable {
  const isBlank = (at: number) => at > 0 && rows.every((row) => ['', '-', '0'].includes(row[at]));
  const kept = header.flatMap((_, at) => (isBlank(at) ? [] : [at]));
  return { header: kept.map((at) => header[at]), rows: rows.map((row) => kept.map((at) => row[at])) };
}

/** `sex female, age under 40`. */
export const subgroupName = (by: Readonly<Record<string, unknown>>): string =>
  Object.entries(by)
    .map(([variable, level]) => `${headText(variable)} ${headText(String(level))}`)
    .join(', ');

const count = (value: number | null) => (value === null ? 'hidden' : wholeNumber(value));

export const subgroupRows = ({ rows, metrics, unit }: NonNullable<ReportParts['subgroups']>): ReportTable => ({
  header: ['subgroup', `${unit}s`, 'rows', 'events', ...metrics.flatMap((name) => [name, 'less all others'])],
  rows: rows.map(({ by, n, nUnits, events, metrics: of, differences }) => [
    ...[subgroupName(by), count(nUnits), count(n), count(events)],
    ...metrics.flatMap((name) => [of[name], differences?.[name]].map(withBounds)),
  ]),
});

const withBounds = (value: Limits | undefined) => (value ? `${formatNumber(value.estimate)} (${bounds(value)})` : NONE);

export const siteRows = ({ sites, mean, prediction, metric }: NonNullable<ReportParts['sites']>): ReportTable => ({
  header: ['site', `${sites[0]?.interval.unit ?? 'patient'}s tested`, 'rows', 'events', metric, 'interval'],
  rows: [
    ...sites.map(({ site, n, nUnits, events, interval }) => [
      ...[headText(String(site)), wholeNumber(nUnits), wholeNumber(n), events === null ? '-' : wholeNumber(events)],
      ...[formatNumber(interval.estimate), bounds(interval)],
    ]),
    ['mean over sites', '', '', '', formatNumber(mean.estimate), bounds(mean)],
    ...(prediction ? [['at a new site (prediction interval)', '', '', '', '', bounds(prediction)]] : []),
  ],
});

export const importanceRows = ({ importance }: ReportModel): ReportTable | null =>
  importance
    ? {
        header: ['feature', `${headText(importance.metric)} is worse by`, 'interval'],
        rows: importance.features.map(({ feature, interval }) => [
          ...[headText(feature), formatNumber(interval.estimate), bounds(interval)],
        ]),
      }
    : null;

/** Why there are no intervals, and what the numbers say. */
export function importanceNotes({ importance }: ReportModel): string[] {
  const reasons = new Set(importance?.features.flatMap(({ interval: { reason } }) => reason ?? []));
  return [...Array.from(reasons, (reason) => `No interval: ${reason}.`), ...(importance ? [importance.note] : [])];
}

/** One line for each predictor, or level of one: mean (sd), or count (share). */
export function predictorRows({ tableOne }: ReportModel): ReportTable | null {
  if (!tableOne) return null;
  const { columns, rows } = tableOne;
  return {
    header: ['predictor', ...columns.map(({ name, n }) => `${name} (${counted(n, 'row')})`)],
    rows: rows.map(({ feature, level, what, cells }) => [
      what === 'missing' ? `${feature}: missing` : what === 'mean' ? `${feature}: mean (sd)` : `${feature}: ${level}`,
      ...cells.map(cellText),
    ]),
  };
}

const cellText = (cell: TableOneRow['cells'][number]) =>
  cell === null
    ? 'not shown'
    : 'mean' in cell
      ? `${formatNumber(cell.mean)} (${formatNumber(cell.sd)})`
      : `${wholeNumber(cell.count)} (${wholePercent(cell.share)})`;

export const predictorNotes = ({ tableOne }: ReportModel): string[] =>
  tableOne
    ? [
        `Counts are of rows. What concerns fewer than ${tableOne.minCell} patients (rows where no patients are named), or would follow from it, is not shown.`,
        ...(tableOne.omitted > 0 ? [`${counted(tableOne.omitted, 'more predictor')} not listed.`] : []),
      ]
    : [];
