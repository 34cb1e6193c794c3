import { expect, it } from 'vitest';
import { textReport } from '../../src/report/textReport.js';
import { someResult } from '../helpers/result.js';

it('says the verdict, the design, each score with its interval, and what the interval is about', async () => {
  const text = textReport(await someResult());
  const flat = text.replace(/\s+/g, ' ');
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThanOrEqual(110);
  expect(text).toMatch(/^Cross-validation: FAILED: at least one check failed\n/);
  expect(text).toContain('KFold, 5 folds of 5');
  expect(text).toContain('60 rows of 20 patients');
  expect(text).toMatch(/accuracy +0\.\d{3} +\[0\.\d{3}, \d\.\d{3}\] +0\.\d{3} +0\.\d{3} +0\.\d{3} +0\.\d{3} +5 of 5/);
  expect(flat).toContain('95 % interval by bootstrap about the training procedure on new patients; unit: 20 patients.');
  expect(flat).toContain('a<b|c: No interval: a scoring function declares no range');
  expect(text).toContain('CVL001 patient: failed.');
  expect(flat).toContain('Not evaluated:');
  expect(flat).toContain('temporal (pass `timestamps`)');
  expect(text).not.toMatch(/undefined|NaN|\[object/);
});
