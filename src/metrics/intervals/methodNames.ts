/** Values of `ciMethod`: apart from the methods, so that an option table can name them without loading them. */

/** Methods that take the predictions of a run and train nothing themselves. */
export const trainlessMethodNames = [
  'bootstrap',
  'corrected_t',
  'oof_bootstrap',
  'cvauc',
  'delong',
  'wilson',
  'clopper_pearson',
] as const;

export const intervalMethodNames = [...trainlessMethodNames, 'nested_cv'] as const;

export type IntervalMethodName = (typeof intervalMethodNames)[number];
