/** Steps that treat each column by itself: scaling, and filling of missing cells. As scikit-learn does them. */
import { sortedQuantile } from '../../core/sortedQuantile.js';

/** Learns from the values of some rows what to do with a value. Missing values are left out. */
type Fit = (known: Float64Array) => (value: number) => number;

/** From the first value on, so that the mean of equal values is exactly theirs. */
const meanFromFirst = (values: Float64Array) =>
  values.reduce((sum, value) => sum + (value - values[0]) / values.length, values[0] ?? 0);

/** Without spread the divisor is 1, as scikit-learn has it. */
const shifted =
  (centre: number, spread: number): ((value: number) => number) =>
  (value) =>
    (value - centre) / (spread > 0 ? spread : 1);

const zScore =
  (ddof: number): Fit =>
  (known) => {
    const centre = meanFromFirst(known);
    const squares = known.reduce((sum, value) => sum + (value - centre) ** 2, 0);
    const sd = Math.sqrt(squares / (known.length - ddof));
    // What is left of a constant column by rounding is no spread.
    return shifted(centre, sd > 1e-14 * Math.abs(centre) ? sd : 0);
  };

const robust: Fit = (known) => {
  const sorted = known.slice().sort();
  return shifted(sortedQuantile(sorted, 0.5), sortedQuantile(sorted, 0.75) - sortedQuantile(sorted, 0.25));
};

const minMax: Fit = (known) => {
  const [low, high] = extremes(known);
  return shifted(low, high - low);
};

const maxAbs: Fit = (known) => {
  const [low, high] = extremes(known);
  return shifted(0, Math.max(-low, high));
};

const extremes = (values: Float64Array) =>
  values.reduce(([low, high], v) => [Math.min(low, v), Math.max(high, v)], [Infinity, -Infinity]);

const filled =
  (fill: (known: Float64Array) => number): Fit =>
  (known) => {
    const value = fill(known);
    return (each) => (Number.isNaN(each) ? value : each);
  };

/** The least of the commonest values. */
function mode(known: Float64Array): number {
  const sorted = known.slice().sort();
  let [best, most] = [Number.NaN, 0];
  for (let from = 0, to = 0; from < sorted.length; from = to) {
    while (to < sorted.length && sorted[to] === sorted[from]) to++;
    if (to - from > most) [best, most] = [sorted[from], to - from];
  }
  return best;
}

/** The steps by name; those of one family share the part before the colon. */
export const COLUMN_STEPS: Readonly<Record<string, { readonly learn: Fit; readonly text?: true }>> = {
  standardize: { learn: zScore(0) },
  'standardize:sample': { learn: zScore(1) },
  minmax: { learn: minMax },
  robust: { learn: robust },
  maxabs: { learn: maxAbs },
  'impute:mean': { learn: filled(meanFromFirst) },
  'impute:median': { learn: filled((known) => sortedQuantile(known.slice().sort(), 0.5)) },
  'impute:mode': { learn: filled(mode), text: true },
  'impute:constant': { learn: filled(() => 0) },
};
