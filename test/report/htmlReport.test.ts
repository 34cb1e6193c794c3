import { expect, it } from 'vitest';
import { htmlReport } from '../../src/report/htmlReport.js';
import { someResult } from '../helpers/result.js';

it('is one page without scripts, external addresses, rows of data or unescaped names', async () => {
  const page = htmlReport(await someResult());
  expect(page).toMatch(/^<!doctype html>/);
  expect(page).not.toMatch(/<script|https?:|src=|href=|@import/i);
  expect(page).toContain('a&lt;b|c');
  // Were a script to get in all the same, a browser would not run it.
  const policy =
    /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">/;
  expect(page.slice(0, page.indexOf('<style>'))).toMatch(policy);
  expect(page).not.toContain('<b>patient');
  expect(page).not.toContain('patient|1');
  expect(page).not.toMatch(/compli(es|ant|ance)/i);
  expect(page.match(/<table>/g)).toHaveLength(3);
});
