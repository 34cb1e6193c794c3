import { nameText } from '../core/foreignText.js';
import { counted, formatNumber, percentOf } from '../core/format.js';
import { textTable, wrapText } from '../core/summaryText.js';
import type { AcrossSites } from './acrossSites.js';

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
    `${(100 * weight).toFixed(1)} %`,
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
