import { counted } from '../../../core/format.js';
import type { CheckInput } from '../../checkInput.js';
import { acrossFolds } from '../acrossFolds.js';
import type { OverlapPair } from './overlaps.js';

/** What is to be said of windows or tiles that overlap across the sides of a fold; undefined where none do. */
export function sharedAcross({ folds, rowOf }: CheckInput, found: readonly OverlapPair[]) {
  const all = acrossFolds(folds, found);
  if (all.length === 0) return undefined;
  const certain = all.filter(({ pair }) => !found[pair].mostlyOne);
  const isDoubtful = certain.length === 0;
  const rows = isDoubtful ? all : certain;
  const testRows = new Set(rows.map(({ test }) => test)).size;
  const [{ pair, fold, train, test }] = rows;
  const { shift, share } = found[pair];
  const example = { fold, train: rowOf(train), test: rowOf(test), shift, share };
  const by = shift.length === 1 ? counted(Math.abs(shift[0]), 'value') : `[${shift.map(Math.abs).join(', ')}] places`;
  const same = `in ${fold}, ${Math.round(100 * share)} % of test row ${example.test} is the same, value by value, as in training row ${example.train}, shifted by ${by}.`;
  const who = `At least ${counted(testRows, 'test row')}`;
  const [overlap, have] = testRows === 1 ? ['overlaps', 'shares'] : ['overlap', 'share'];
  const message = isDoubtful
    ? `${who} ${have} half or more with a training row, as windows of one recording do that overlap, and as a noise-free shape does that recurs: which of them it is cannot be told here, because most of what is shared is one value. For example, ${same}`
    : `${who} ${overlap} a training row, as windows of one recording or tiles of one slide do: ${same}`;
  const evidence = { testRows, overlaps: rows.length, overlap: example, examples: [] };
  return {
    finding: isDoubtful
      ? { status: 'needs_review' as const, severity: 'low' as const, fold, message, evidence, fix: `${IF} ${FIX}` }
      : { status: 'failed' as const, severity: 'high' as const, fold, message, evidence, fix: FIX },
    rows,
  };
}

const IF = 'If the rows are cut from the same recordings or slides:';
const FIX =
  'Split by recording or slide: pass it as `patientIds` (or in `hierarchy`) and use a grouped splitter; within one recording, a splitter with a gap as long as a window.';
