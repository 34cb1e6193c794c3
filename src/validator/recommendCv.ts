import type { Recommendation } from './advice.js';
import type { RecommendCvOptions } from './recommendCvOptions.js';

export type { RecommendCvOptions } from './recommendCvOptions.js';

/**
 * Recommends a design for these data: the first row of a decision table (docs/choosing.md) that holds and that the data
 * allow, which is proven by splitting them. A row whose folds train on less than half of an equal block of n / (folds + 1)
 * rows, or on no row of a class, gives way. Times mean later rows, places other places, unless `design` says otherwise;
 * known patients are never on both sides. It has five folds, fewer where a fold could not test two classes or two
 * patients. Values of X are not read. The same input and seed give the same answer.
 *
 * Source: Roberts et al. 2017, Ecography 40:913, for folds along groups, time and space.
 *
 * @throws {InvalidDataError} lengths that differ, NaN, a single class, labels known before their rows, `groups` that part
 *   the rows of one patient of `hierarchy`
 * @throws {InvalidOptionError} `design: 'prospective'` without `timestamps`
 * @throws {InfeasibleSplitError} fewer than four rows, one patient alone, fewer than two classes that are in two patients
 *   (without ids: rows) or more, or rows that no design of the table can split
 *
 * @example
 * const { splitter, rationale } = await recommendCv({ X, y, patientIds });
 * console.log(splitter.describe());
 * console.log(rationale.join('\n'));
 */
export async function recommendCv(input: RecommendCvOptions): Promise<Recommendation> {
  const { advise } = await import('./advice.js');
  return advise(input);
}
