/** Values of `ciMethod`: apart from the methods, so that an option table can name them without loading them. */
export const intervalMethodNames = ['bootstrap', 'oof_bootstrap', 'corrected_t'] as const;

export type IntervalMethodName = (typeof intervalMethodNames)[number];
