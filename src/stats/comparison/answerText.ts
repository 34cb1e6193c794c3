/** How comparisons are put into words. */
import { formatNumber } from '../../core/format.js';

export const BETTER = {
  maximize: 'larger is better',
  minimize: 'smaller is better',
  target: 'nearer to its target is better; differences are of the distances from it',
};

/** `[0.1, 0.2]`, or a dash. */
export const limitsText = ({ lower, upper }: { readonly lower: number | null; readonly upper: number | null }) =>
  lower === null ? '—' : `[${formatNumber(lower)}, ${formatNumber(upper)}]`;

export const pText = (value: number | null) => (value !== null && value < 0.001 ? '< .001' : formatNumber(value));
