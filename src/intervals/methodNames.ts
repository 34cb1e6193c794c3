/** In a file of their own, so that an option table can name the methods without loading them. */

/** Methods that take the predictions of a run and train nothing themselves. */
export const trainlessMethodNames = [
  'bootstrap',
  'analytic',
  'corrected_t',
  'oof_bootstrap',
  'cvauc',
  'delong',
  'wilson',
  'clopper_pearson',
] as const;

export const intervalMethodNames = [...trainlessMethodNames, 'nested_cv'] as const;

export const DEFAULT_METHOD = 'bootstrap';

export type IntervalMethodName = (typeof intervalMethodNames)[number];

export const resamplingMethodNames: readonly IntervalMethodName[] = ['bootstrap', 'oof_bootstrap'];
