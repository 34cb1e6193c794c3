/** Steps that treat each column by itself: scaling, filling of missing cells, curves. As scikit-learn does them. */
import { sortedQuantile } from '../../core/quantiles.js';
import { commonest } from '../features/columnRanks.js';
import { meanFromFirst, medianOf } from './columnStatistics.js';
import { quantileTransform, yeoJohnson } from './curves.js';
import { CLASS_FILLS, TARGETS } from './labelSteps.js';
import type { Change, ColumnStep, StepFit } from './task.js';

/** Without spread the divisor is 1, as scikit-learn has it. */
const shifted =
  (centre: number, spread: number): Change =>
  (value) =>
    (value - centre) / (spread > 0 ? spread : 1);

const zScore =
  (ddof: number): StepFit =>
  ({ known }) => {
    const centre = meanFromFirst(known);
    const squares = known.reduce((sum, value) => sum + (value - centre) ** 2, 0);
    const sd = Math.sqrt(squares / (known.length - ddof));
    // What is left of a constant column by rounding is no spread.
    return shifted(centre, sd > 1e-14 * Math.abs(centre) ? sd : 0);
  };

const robust: StepFit = ({ known }) => {
  const sorted = known.slice().sort();
  return shifted(sortedQuantile(sorted, 0.5), sortedQuantile(sorted, 0.75) - sortedQuantile(sorted, 0.25));
};

/** The median of the distances from the median, times what makes it the SD of a normal distribution, or 1. */
const mad =
  (times: number): StepFit =>
  ({ known }) => {
    const centre = medianOf(known);
    return shifted(centre, times * medianOf(known.map((value) => Math.abs(value - centre))));
  };

const minMax =
  (from: number, to: number): StepFit =>
  ({ known }) => {
    const [low, high] = extremes(known);
    const share = shifted(low, high - low);
    return (value, row) => from + (to - from) * share(value, row);
  };

const maxAbs: StepFit = ({ known }) => {
  const [low, high] = extremes(known);
  return shifted(0, Math.max(-low, high));
};

const extremes = (values: Float64Array) =>
  values.reduce(([low, high], v) => [Math.min(low, v), Math.max(high, v)], [Infinity, -Infinity]);

const filled =
  (fill: (known: Float64Array) => number): StepFit =>
  ({ known }) => {
    const value = fill(known);
    return (each) => (Number.isNaN(each) ? value : each);
  };

const scale = (learn: StepFit): ColumnStep => ({ learn, shape: 'line', kind: 'scale' });
const fill = (learn: StepFit): ColumnStep => ({ learn, shape: 'fill', kind: 'impute' });
const fixed = (change: (value: number) => number, kind = 'fixed'): ColumnStep => ({
  learn: () => change,
  shape: 'fixed',
  kind,
});
const curve = (learn: StepFit, kind: string): ColumnStep => ({ learn, shape: 'curve', kind });

const COLUMN_STEPS: Readonly<Record<string, ColumnStep>> = {
  standardize: scale(zScore(0)),
  'standardize:sample': scale(zScore(1)),
  minmax: scale(minMax(0, 1)),
  'minmax:-1..1': scale(minMax(-1, 1)),
  robust: scale(robust),
  maxabs: scale(maxAbs),
  mad: scale(mad(1)),
  // As scipy and as R write the same number.
  'mad:normal': scale(mad(1.482602218505602)),
  'mad:1.4826': scale(mad(1.4826)),
  'impute:mean': fill(filled(meanFromFirst)),
  'impute:median': fill(filled(medianOf)),
  'impute:mode': { ...fill(filled((known) => commonest(known).value)), text: true },
  'impute:constant': fill(filled(() => 0)),
  log: fixed(Math.log),
  log1p: fixed(Math.log1p),
  sqrt: fixed(Math.sqrt),
  // They differ from `log` by a factor, which a scaling after them takes out.
  log2: fixed(Math.log2, 'base'),
  log10: fixed(Math.log10, 'base'),
  yeojohnson: curve(yeoJohnson, 'power'),
  'quantile:uniform': curve(quantileTransform(false), 'quantile'),
  'quantile:normal': curve(quantileTransform(true), 'quantile'),
  ...TARGETS,
  ...CLASS_FILLS,
};

export const COLUMN_STEP_NAMES = Object.keys(COLUMN_STEPS);
const ranges = new Map<string, ColumnStep | undefined>();

export function columnStep(name: string): ColumnStep | undefined {
  if (Object.hasOwn(COLUMN_STEPS, name)) return COLUMN_STEPS[name];
  if (!ranges.has(name)) ranges.set(name, toRange(name));
  return ranges.get(name);
}

function toRange(name: string): ColumnStep | undefined {
  const [, from, to] = /^minmax:(-?\d+(?:\.\d+)?)\.\.(-?\d+(?:\.\d+)?)$/.exec(name) ?? [];
  return Number(from) < Number(to) ? scale(minMax(Number(from), Number(to))) : undefined;
}

export const stepsOfKind = (kind: string): string[] =>
  COLUMN_STEP_NAMES.filter((name) => COLUMN_STEPS[name].kind === kind);

/** A power is the best one that a search finds, to so many digits; all else is as exact as the values. */
const OF_POWERS = 1e-5;

export const toleranceOf = (steps: readonly string[], same: number): number =>
  steps.some((name) => columnStep(name)?.kind === 'power') ? Math.max(OF_POWERS, same) : same;

export const learnsNothing = (name: string): boolean =>
  name === 'impute:constant' || columnStep(name)?.shape === 'fixed';
