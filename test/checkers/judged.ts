/** What a check says of rows, labels and folds as a test writes them. */
import { type Check, type CheckResult, runChecks } from '../../src/checkers/check.js';
import { type CheckParts, checkInput } from '../../src/checkers/checkInput.js';
import { type LabelsInput, labelsOf, type TaskOption } from '../../src/data/labels.js';
import { type RowsInput, rowsOf } from '../../src/data/rows.js';
import { foldsOf } from '../../src/splitters/foldsOf.js';
import type { Splitter } from '../../src/splitters/splitter.js';

interface Scene extends Partial<Omit<CheckParts, 'X' | 'y' | 'folds'>> {
  readonly X: RowsInput;
  readonly y?: LabelsInput;
  readonly task?: TaskOption;
  readonly splitter: Splitter;
}

export async function judged(check: Check, { X, y, task, data = {}, splitter, ...rest }: Scene): Promise<CheckResult> {
  const rows = rowsOf(X);
  const labels = y === undefined ? undefined : labelsOf(y, { task });
  const folds = foldsOf(splitter, rows.length, labels, data);
  const [result] = await runChecks([check], checkInput({ X: rows, y: labels, data, folds, ...rest }));
  return result;
}

/** What a result says, for a pattern. */
export const inWords = ({ status, message }: Pick<CheckResult, 'status' | 'message'>): string =>
  `${status}: ${message}`;
