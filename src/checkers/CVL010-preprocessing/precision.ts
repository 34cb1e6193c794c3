/** How exact the values of a column are: what they are rounded to, and how far a statistic of them may be off. */
import { power } from '../../core/numbers.js';
import { decimalStep } from '../features/decimalStep.js';

/** How far a statistic may be from 0 or 1; single precision is less exact. */
export const SAME = { double: 1e-9, single: 1e-5 };

/** How exact values are. */
export interface Precision {
  readonly same: number;
  /** What they are rounded to: .01 for two decimals, 0 for none. */
  readonly step: number;
}

/** Values rounded to fewer decimals could be anything. */
const LEAST_DECIMALS = 2;

/** The coarsest precision that bears a trace. */
export const ROUGHEST: Precision = { same: SAME.single, step: power(10, -LEAST_DECIMALS) };

/** The precision of a column, computed only when its statistics are near what they should be. */
export interface Exactness {
  readonly precision: Precision;
}

export function exactnessOf(values: Float64Array): Exactness {
  let precision: Precision | undefined;
  return {
    get precision() {
      precision ??= precisionOf(values);
      return precision;
    },
  };
}

/** All of them fit into 32 bits. */
export const isSinglePrecision = (values: Float64Array) => values.every((value) => !(Math.fround(value) !== value));

/** The step is infinite for values of too few decimals. */
function precisionOf(values: Float64Array): Precision {
  const same = isSinglePrecision(values) ? SAME.single : SAME.double;
  const step = decimalStep(values);
  return { same, step: step > ROUGHEST.step ? Infinity : step };
}
