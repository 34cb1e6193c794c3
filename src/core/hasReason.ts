/**
 * Whether an answer is the reason why there is none. Its own property: what else is loaded may have changed what every
 * object has.
 */
export const hasReason = <T extends object>(answer: T): answer is Extract<T, { readonly reason: string }> =>
  Object.hasOwn(answer, 'reason');
