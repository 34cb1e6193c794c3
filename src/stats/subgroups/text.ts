import { nameText } from '../../core/foreignText.js';
import { formatNumber } from '../../core/format.js';
import { textTable, wrapText } from '../../core/summaryText.js';
import type { Interval } from '../../intervals/interval.js';
import type { SubgroupRow } from './rows.js';

export interface SubgroupTable {
  readonly overall: SubgroupRow;
  readonly rows: readonly SubgroupRow[];
  readonly metrics: readonly string[];
  readonly unit: string;
  readonly minCell: number;
  readonly notes: readonly string[];
  summary(): string;
}

/** The table as text. */
export function subgroupText({ overall, rows, metrics, unit, notes }: Omit<SubgroupTable, 'summary'>): string {
  // Without patients, units are the rows.
  const ofUnits = <T>(value: T): T[] => (unit === 'row' ? [] : [value]);
  const header = [
    'subgroup',
    ...ofUnits(`${unit}s`),
    'rows',
    'events',
    ...metrics.flatMap((name) => [name, 'less the rest']),
  ];
  const line = (row: SubgroupRow) => [
    nameOf(row),
    ...ofUnits(count(row.nUnits)),
    count(row.n),
    count(row.events),
    ...metrics.flatMap((name) => [written(row.metrics[name]), row.differences ? written(row.differences[name]) : '']),
  ];
  const reasons = rows
    .flatMap(({ metrics: values }) => Object.values(values))
    .flatMap(({ estimate, lower, reason }) => (estimate !== null && lower === null && reason ? [reason] : []));
  return [
    textTable([header, ...[overall, ...rows].map(line)], { numbers: true }),
    '',
    ...[...new Set(reasons)].map((reason) => wrapText(`No interval: ${reason}.`)),
    ...notes.map((note) => wrapText(note)),
  ].join('\n');
}

const nameOf = ({ by }: SubgroupRow) =>
  Object.entries(by)
    .map(([name, level]) => `${nameText(name)} ${nameText(String(level))}`)
    .join(', ') || 'all';

const count = (value: number | null) => (value === null ? '—' : String(value));

const written = ({ estimate, lower, upper }: Interval) =>
  lower === null
    ? formatNumber(estimate)
    : `${formatNumber(estimate)} [${formatNumber(lower)}, ${formatNumber(upper)}]`;
