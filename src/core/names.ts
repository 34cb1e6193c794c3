/** The snake_case spelling of a public name: `nSplits` -> `n_splits`, `XTrain` -> `X_train`, `toJSON` -> `to_json`. */
export function snakeCase(name: string): string {
  return name
    .replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, '_')
    .replace(/[A-Z]/g, (letter, at: number) => (letter === 'X' && at === 0 ? 'X' : letter.toLowerCase()));
}

/** Stands between the name of a step and that of its option, as in scikit-learn: `scale__withMean`. */
export const STEP_MARK = '__';

export const isOfStep = (param: string): boolean => param.includes(STEP_MARK);
