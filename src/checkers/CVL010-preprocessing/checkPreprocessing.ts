/** Whether a preparation saw test rows: CVL010 as a single check, where the data from before and after are at hand. */
import { InvalidDataError, phrase, sentence } from '../../core/errors.js';
import type { RowsInput } from '../../data/rows.js';
import { type SingleCheck, singleCheck } from '../singleCheck.js';
import { assessPreprocessing, type PreprocessingOptions, type SplitIndices } from './assessPreprocessing.js';

/** See {@link DataLeakageChecker.checkPreprocessing}. */
export async function checkPreprocessing(
  XOriginal: RowsInput,
  XProcessed: RowsInput,
  splitIndices: SplitIndices,
  input: PreprocessingOptions,
): Promise<SingleCheck> {
  const finding = await assessPreprocessing(XOriginal, XProcessed, splitIndices, input, 'checkPreprocessing');
  const { steps, fittedToAllRows = [], byTestLabels = [], tolerance = null } = finding.evidence;
  const leaking = new Set([...fittedToAllRows, ...byTestLabels]);
  return singleCheck(finding, { count: leaking.size, of: steps?.length, threshold: tolerance });
}

/**
 * See {@link DataLeakageChecker.checkPreprocessingLeakage}.
 *
 * @throws {InvalidDataError} where it cannot tell
 */
export async function checkPreprocessingLeakage(
  XOriginal: RowsInput,
  XProcessed: RowsInput,
  splitIndices: SplitIndices,
  input: PreprocessingOptions,
): Promise<boolean> {
  const { status, message, fix } = await assessPreprocessing(XOriginal, XProcessed, splitIndices, input);
  if (status !== 'not_evaluated') return status === 'failed';
  const must = 'be made from XOriginal by steps that can be done again';
  throw new InvalidDataError(`${sentence('XProcessed', must, phrase('something else'))} ${message} ${fix}`.trim(), {
    code: 'unknown_preprocessing',
  });
}
