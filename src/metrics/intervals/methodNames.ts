/** Values of `ciMethod`: apart from the methods, so that an option table can name them without loading them. */
export const intervalMethodNames = [
  'bootstrap',
  'corrected_t',
  'oof_bootstrap',
  'cvauc',
  'delong',
  'wilson',
  'clopper_pearson',
] as const;

export type IntervalMethodName = (typeof intervalMethodNames)[number];
