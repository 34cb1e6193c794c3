/**
 * The snake_case spelling of a public name: split before capitals, lower-case, a leading `X` stays.
 *
 * `nSplits` -> `n_splits`, `XTrain` -> `X_train`, `lrPositive` -> `lr_positive`.
 */
export function snakeCase(name: string): string {
  return name
    .replace(/(?!^)([A-Z])/g, '_$1')
    .replace(/[A-Z]/g, (letter, at: number) => (letter === 'X' && at === 0 ? 'X' : letter.toLowerCase()));
}
