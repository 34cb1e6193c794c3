/** What `BalanceChecker.checkFeatureDistribution` does; loaded on first use. */

import { nameText } from '../../core/foreignText.js';
import { counted, formatNumber } from '../../core/format.js';
import { mean, power } from '../../core/numbers.js';
import { type InputOf, optionTable } from '../../core/options.js';
import { sortedQuantile } from '../../core/quantiles.js';
import { textTable, wrapText } from '../../core/summaryText.js';
import { featureNamesOption } from '../../data/featureNames.js';
import { gather } from '../../data/labels.js';
import { type RowsInput, rowsOf } from '../../data/rows.js';
import { columnRanks } from '../features/columnRanks.js';
import type { Column } from '../features/columns.js';
import { readFeatures } from '../features/features.js';

export const checkFeatureDistributionOptions = optionTable('checkFeatureDistribution', {
  featureNames: featureNamesOption,
});

export type CheckFeatureDistributionOptions = InputOf<typeof checkFeatureDistributionOptions>;

/** One feature. What is not defined is null, with the reason: text, no value, one value, infinite values. */
export interface FeatureSummary {
  readonly name: string;
  readonly mean: number | null;
  /** With n - 1. */
  readonly std: number | null;
  readonly min: number | null;
  readonly max: number | null;
  /** Third moment by the 3/2 power of the second, both with n. */
  readonly skewness: number | null;
  readonly reason?: string;
  readonly missing: number;
  readonly distinct: number;
  readonly constant: boolean;
  /** Values more than 1.5 interquartile ranges outside the quartiles (Tukey); null for text. */
  readonly outliers: number | null;
}

/** What `checkFeatureDistribution` gives. */
export interface FeatureDistribution {
  readonly features: readonly FeatureSummary[];
  readonly warnings: readonly string[];
}

/** Warnings begin above these shares of the rows. */
const MANY = { missing: 0.5, outliers: 0.05 };
const NONE = { mean: null, std: null, min: null, max: null, skewness: null, outliers: null };

export async function featureDistribution(
  X: RowsInput,
  input: CheckFeatureDistributionOptions,
): Promise<{ distribution: FeatureDistribution; text: string }> {
  const { featureNames } = checkFeatureDistributionOptions.resolve(input);
  const { columns, n } = await readFeatures(rowsOf(X, 'X', featureNames));
  const features = columns.map(summaryOf);
  const distribution = { features, warnings: warningsOf(features, n) };
  return { distribution, text: textOf(distribution) };
}

function summaryOf(column: Column): FeatureSummary {
  const { order, distinct } = columnRanks(column);
  const { name, values } = column;
  const facts = { name, missing: values.length - order.length, distinct, constant: distinct < 2 };
  if (order.length === 0) return { ...facts, ...NONE, reason: 'no value' };
  if (column.kind === 'category') return { ...facts, ...NONE, reason: 'text' };
  const sorted = gather(values, order);
  const [min, max] = [sorted[0], sorted[sorted.length - 1]];
  if (!Number.isFinite(min) || !Number.isFinite(max)) return { ...facts, ...NONE, reason: 'infinite values' };
  // Scaled to at most 1: squares of huge values are then finite, and those of tiny ones not 0.
  const scale = Math.max(Math.abs(min), Math.abs(max)) || 1;
  const scaled = sorted.map((value) => value / scale);
  return { ...facts, ...momentsOf(scaled, scale), min, max, outliers: outliersIn(scaled) };
}

function momentsOf(sorted: Float64Array, scale: number): Pick<FeatureSummary, 'mean' | 'std' | 'skewness' | 'reason'> {
  const n = sorted.length;
  const centre = mean(sorted);
  if (n === 1) return { mean: centre * scale, std: null, skewness: null, reason: 'one value' };
  if (sorted[0] === sorted[n - 1]) return { mean: sorted[0] * scale, std: 0, skewness: null, reason: 'constant' };
  let [second, third] = [0, 0];
  for (const value of sorted) {
    const off = value - centre;
    second += off * off;
    third += off * off * off;
  }
  return {
    mean: centre * scale,
    std: scale * Math.sqrt(second / (n - 1)),
    skewness: third / n / power(second / n, 1.5),
  };
}

function outliersIn(sorted: Float64Array): number {
  const [low, high] = [sortedQuantile(sorted, 0.25), sortedQuantile(sorted, 0.75)];
  const reach = 1.5 * (high - low);
  return sorted.filter((value) => value < low - reach || value > high + reach).length;
}

function warningsOf(features: readonly FeatureSummary[], n: number): string[] {
  const isSpread = ({ outliers, missing }: FeatureSummary) => (outliers ?? 0) > MANY.outliers * (n - missing);
  const about = (text: string, holds: (feature: FeatureSummary) => boolean) => {
    const names = features.filter(holds).map(({ name }) => nameText(name));
    const more = names.length > 5 ? ` and ${names.length - 5} more` : '';
    return names.length > 0 ? [`${text}: ${names.slice(0, 5).join(', ')}${more}.`] : [];
  };
  return [
    ...about('Constant, so of no use', ({ constant }) => constant),
    ...about('Missing in more than half of the rows', ({ missing }) => missing > MANY.missing * n),
    ...about('With infinite values', ({ reason }) => reason === 'infinite values'),
    ...about('More than 5 % of the values lie 1.5 interquartile ranges outside the quartiles, in', isSpread),
  ];
}

function textOf({ features, warnings }: FeatureDistribution): string {
  const header = ['feature', 'mean', 'sd', 'min', 'max', 'skewness', 'missing', 'distinct', 'outliers'];
  const rows = features
    .slice(0, 40)
    .map(({ name, mean, std, min, max, skewness, missing, distinct, outliers }) => [
      nameText(name),
      ...[mean, std, min, max, skewness].map(formatNumber),
      ...[missing, distinct, outliers ?? '—'].map(String),
    ]);
  return [
    `Features: ${counted(features.length, 'feature')}`,
    textTable([header, ...rows], { numbers: true }),
    ...(features.length > rows.length ? [`  ... and ${features.length - rows.length} more`] : []),
    ...warnings.map((warning) => wrapText(warning, '  Warning: ')),
  ].join('\n');
}
