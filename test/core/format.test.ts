import { expect, it } from 'vitest';
import { counted, formatDuration, formatNumber, percentOf } from '../../src/core/format.js';

it.each<[number | null, string]>([
  [0.94727, '0.947'],
  [0, '0.000'],
  [-0.5, '-0.500'],
  [12.3456, '12.346'],
  [999.9, '999.900'],
  [1234.5, '1230'],
  [0.001, '0.001'],
  [0.00012345, '0.000123'],
  [-1e-7, '-1e-7'],
  [null, '—'],
])('formatNumber %s -> %s', (value, text) => {
  expect(formatNumber(value)).toBe(text);
});

it('counted has a plural, and thousands', () => {
  const found = [counted(1, 'fold'), counted(123, 'fold'), counted(1234567, 'row'), counted(0, 'class', 'classes')];
  expect(found).toEqual(['1 fold', '123 folds', '1,234,567 rows', '0 classes']);
});

it.each([
  [0.04, '0.0 s'],
  [9.94, '9.9 s'],
  [12.4, '12 s'],
  [59.4, '59 s'],
  [59.6, '1 min 0 s'],
  [200, '3 min 20 s'],
])('formatDuration %s s -> %s', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text);
});

it('percentOf rounds no level to 100 %', () => {
  expect([0.95, 0.999, 0.29, 0.9999999].map(percentOf)).toEqual(['95 %', '99.9 %', '29 %', '99.99999 %']);
});
