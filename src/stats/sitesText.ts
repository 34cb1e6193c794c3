import { nameText } from '../core/foreignText.js';
import { counted, formatNumber, percentOf, points } from '../core/format.js';
import { textTable, wrapText } from '../core/summaryText.js';
import type { Label } from '../data/labels.js';
import type { Interval } from '../intervals/interval.js';

/** One site. */
export interface SiteEstimate {
  readonly site: Label;
  readonly n: number;
  /** Patients; rows when no patients are known. */
  readonly nUnits: number;
  /** Positive rows, for a binary task. */
  readonly events: number | null;
  /** Estimate at the site, about these predictions; null with the reason where there is none. */
  readonly interval: Interval;
  /** Share in the mean over sites; 0 for a site that could not take part. */
  readonly weight: number;
}

/** What `acrossSites` gives. */
export interface AcrossSites {
  readonly metric: string;
  readonly sites: readonly SiteEstimate[];
  /** Mean over sites with its Hartung-Knapp interval; `unit` is the site. */
  readonly mean: Interval;
  /** Where the performance at a new site is expected to lie; null below three sites. */
  readonly prediction: { readonly lower: number; readonly upper: number } | null;
  /** `logit`, `log` or `plain`: the scale of `tau2`. */
  readonly scale: 'logit' | 'log' | 'plain';
  /** Variance between sites, on that scale. */
  readonly tau2: number | null;
  /** Share of the variance that is between sites, from 0 to 1. */
  readonly i2: number | null;
  /** Cochran's Q with its degrees of freedom. */
  readonly q: number | null;
  readonly df: number | null;
  readonly level: number;
  readonly notes: readonly string[];
  summary(): string;
}

/** The sites as a table, then the mean over sites and what a new site may bring. */
export function sitesText(results: Omit<AcrossSites, 'summary'>): string {
  const { metric, sites, mean, prediction, level, tau2, i2, q, df, scale, notes } = results;
  const { unit } = sites[0].interval;
  // Without patients, units are the rows.
  const sizes = (units: number, n: number) => (unit === 'row' ? [String(n)] : [String(units), String(n)]);
  const rows = sites.map(({ site, nUnits, n, events, interval: { estimate, lower, upper }, weight }) => [
    nameText(String(site)),
    ...sizes(nUnits, n),
    events === null ? '—' : String(events),
    formatNumber(estimate),
    limits(lower, upper),
    `${points(weight)} %`,
  ]);
  return [
    textTable(
      [
        [
          'site',
          ...(unit === 'row' ? [] : [`${unit}s`]),
          'rows',
          'events',
          metric,
          `${percentOf(level)} interval`,
          'weight',
        ],
        ...rows,
      ],
      {
        numbers: true,
      },
    ),
    '',
    `  Mean over sites: ${formatNumber(mean.estimate)} ${limits(mean.lower, mean.upper)} (REML, Hartung-Knapp)${mean.reason ? `: ${mean.reason}` : ''}`,
    ...(prediction ? [`  A new site: ${limits(prediction.lower, prediction.upper)} (prediction interval)`] : []),
    ...(q === null || i2 === null
      ? []
      : [
          `  Heterogeneity: tau2 ${formatNumber(tau2)} (${scale} scale), I2 ${(100 * i2).toFixed(0)} %, Q ${formatNumber(q)} on ${counted(df ?? 0, 'degree')} of freedom`,
        ]),
    ...notes.map((note) => wrapText(note)),
  ].join('\n');
}

const limits = (lower: number | null, upper: number | null) =>
  lower === null ? '—' : `[${formatNumber(lower)}, ${formatNumber(upper)}]`;
