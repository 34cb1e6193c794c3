import { InvalidDataError, phrase, sentence } from '../../core/errors.js';
import { type InputOf, optionTable } from '../../core/options.js';
import type { Label } from '../../data/labels.js';
import { checkedProbabilities } from '../../metrics/scoreTable.js';
import { type BinaryRows, binaryRowOptions, binaryRows } from '../binaryRows.js';

export const recalibrationOptions = optionTable('a recalibration', binaryRowOptions);

export type RecalibrationOptions = InputOf<typeof recalibrationOptions>;

export type RecalibrationJSON =
  | { readonly method: 'platt'; readonly intercept: number; readonly slope: number }
  | { readonly method: 'beta'; readonly intercept: number; readonly a: number; readonly b: number }
  | { readonly method: 'isotonic'; readonly from: readonly number[]; readonly to: readonly number[] };

/** A fitted recalibration. Fit it on training or inner rows, never on the rows that are scored with it. */
export interface Recalibration<J extends RecalibrationJSON = RecalibrationJSON> {
  /**
   * New probabilities, one per given one, in a fresh array. Throws InvalidDataError for numbers that are not
   * probabilities.
   */
  apply(probabilities: ArrayLike<number>): Float64Array;
  toJSON(): J;
}

export function recalibration<J extends RecalibrationJSON>(json: J, map: (p: number) => number): Recalibration<J> {
  return {
    apply(probabilities) {
      const checked = checkedProbabilities(probabilities, 1, 'probabilities', InvalidDataError);
      return checked.map((p) => Math.min(1, Math.max(0, map(p))));
    },
    toJSON: () => json,
  };
}

export function rowsToFit(
  owner: string,
  yTrue: ArrayLike<Label>,
  yProba: ArrayLike<number>,
  options: unknown,
): BinaryRows {
  const rows = binaryRows(yTrue, yProba, optionTable(owner, recalibrationOptions.shape).resolve(options));
  for (const side of [1, 0]) {
    if (rows.y.includes(side)) continue;
    const kind = side === 1 ? 'positive' : 'negative';
    const must = `hold ${kind} rows for ${owner}`;
    throw new InvalidDataError(sentence('yTrue', must, phrase('none')), { code: 'one_class' });
  }
  return rows;
}

/** The error for a fit without a finite maximum; isotonic regression always has one. */
export function noFit(owner: string, reason: string): InvalidDataError {
  const way = 'Use isotonicRegression or more rows.';
  const text = sentence(`The rows of ${owner}`, 'determine a fit', phrase(`none (${reason})`), way);
  return new InvalidDataError(text, { code: 'did_not_converge' });
}
