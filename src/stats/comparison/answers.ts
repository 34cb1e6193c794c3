import { formatNumber } from '../../core/format.js';
import type { IntervalInput } from '../../intervals/interval.js';
import type { Side } from '../pairedDifference.js';

export interface ComparisonInput
  extends Pick<IntervalInput, 'metric' | 'level' | 'unit' | 'nBootstrap' | 'random' | 'design' | 'sampling'> {
  readonly a: Side;
  readonly b: Side;
  readonly nPermutations: number;
}

interface Answer {
  readonly method: string;
  /** `procedure`: what training would give on other samples of patients. `predictions`: these fitted models. */
  readonly estimand: 'procedure' | 'predictions';
  /** What counts as independent: `patient` or `row`. */
  readonly unit: string;
  readonly nUnits: number;
  readonly nFolds: number;
  /** A - B; null when there is none. */
  readonly difference: number | null;
  readonly note?: string;
  readonly reason?: string;
}

/** A difference with its standard error, interval and two-sided p-value; null with a `reason` when there is none. */
export interface DifferenceTest extends Answer {
  readonly standardError: number | null;
  readonly df: number | null;
  readonly t: number | null;
  readonly pValue: number | null;
  readonly lower: number | null;
  readonly upper: number | null;
  readonly level: number;
  /** Share of the variance that training adds, 0 to 1; left out where it is not estimated. */
  readonly trainingShare?: number;
}

/** Probabilities that the difference A - B is below, within or above the region of practical equivalence. */
export interface RopeProbabilities extends Answer {
  readonly rope: number;
  readonly left: number | null;
  readonly within: number | null;
  readonly right: number | null;
}

export interface SignFlipTest extends Answer {
  /** What swaps are judged by: the difference, or for metrics of ranks the difference over its standard error. */
  readonly statistic: 'difference' | 'studentised';
  readonly nPermutations: number;
  /** Swaps with a difference at least as large as the observed one, in either direction. */
  readonly nAtLeast: number | null;
  readonly pValue: number | null;
}

export const NO_TEST = { standardError: null, df: null, t: null, pValue: null, lower: null, upper: null } as const;

export const BETTER = {
  maximize: 'larger is better',
  minimize: 'smaller is better',
  target: 'nearer to its target is better; differences are of the distances from it',
};

export const limitsText = ({ lower, upper }: { readonly lower: number | null; readonly upper: number | null }) =>
  lower === null ? '—' : `[${formatNumber(lower)}, ${formatNumber(upper)}]`;

export const pValueText = (value: number | null) => (value !== null && value < 0.001 ? '< .001' : formatNumber(value));
