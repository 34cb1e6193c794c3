/** A finding of a check that trains, as text: what was found, what to do about it, and what to know. */
import type { CheckResult } from '../../checkers/check.js';
import { wrapText } from '../../core/summaryText.js';

interface Shown extends Pick<CheckResult, 'code' | 'status' | 'message' | 'fix'> {
  readonly notes: readonly string[];
}

export const findingText = (title: string, { code, status, message, fix, notes }: Shown): string =>
  [
    `${title} (${code}): ${status}`,
    wrapText(message),
    ...(fix ? [wrapText(`Fix: ${fix}`)] : []),
    ...notes.map((note) => wrapText(note)),
  ].join('\n');
