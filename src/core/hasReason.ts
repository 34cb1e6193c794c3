/** Whether an answer is the reason why there is none. Its own property: other scripts may change what every object has. */
export const hasReason = <T extends object>(answer: T): answer is Extract<T, { readonly reason: string }> =>
  Object.hasOwn(answer, 'reason');
