import { expect, it } from 'vitest';
import { isMissingMark, MISSING_MARKS } from '../../src/data/missingMarks.js';

it('knows marks in large and small letters, and blanks', () => {
  expect([...MISSING_MARKS, 'Null', 'nA', '', ' ', ' ? '].filter((text) => !isMissingMark(text))).toEqual([]);
});

it('takes no answer for a mark', () => {
  expect(['None', '-', '0', 'no', 'nad'].filter(isMissingMark)).toEqual([]);
});
