/** To how many decimals values are rounded. */
import { power } from '../../core/numbers.js';

/** With more decimals it does not matter. */
const MOST = 8;
/** Rounding errors of values that were computed, relative to them. */
const OFF = 1e-12;

/** The step that all values are multiples of: 1, .1, ... 1e-8, or 0 for none. Missing values are left out. */
export function decimalStep(values: Float64Array): number {
  for (let decimals = 0; decimals <= MOST; decimals++) {
    const scale = power(10, decimals);
    const isRounded = (value: number) => {
      const steps = Math.round(value * scale);
      return Math.abs(value * scale - steps) <= OFF * Math.abs(steps) || value === Math.fround(steps / scale);
    };
    if (values.every((value) => Number.isNaN(value) || isRounded(value))) return 1 / scale;
  }
  return 0;
}
