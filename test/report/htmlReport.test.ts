import { expect, it } from 'vitest';
import { htmlReport } from '../../src/report/htmlReport.js';
import { someResult } from '../helpers/result.js';

/** Tables that are not behind a picture. */
const tablesOf = (page: string) => page.replace(/<details>.*?<\/details>/gs, '').match(/<table>/g);

it('is one page without scripts, external addresses, rows of data or unescaped names', async () => {
  const page = htmlReport(await someResult());
  expect(page).toMatch(/^<!doctype html>/);
  expect(page).not.toMatch(/<script|https?:|src=|href="(?!#)|@import/i);
  expect(page).toContain('a&lt;b|c');
  // Were a script to get in all the same, a browser would not run it.
  const policy =
    /<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">/;
  expect(page.slice(0, page.indexOf('<style>'))).toMatch(policy);
  expect(page).not.toContain('<b>patient');
  expect(page).not.toContain('patient|1');
  expect(page).not.toMatch(/compli(es|ant|ance)/i);
  expect(tablesOf(page)).toHaveLength(6);
  // Participants, folds, scores, threshold, checks, predictors. Of two classes: scores, ROC, precision, calibration, decision curve, confusion matrix and folds, each with its numbers.
  expect(page.match(/<svg /g)).toHaveLength(7);
  expect(page.match(/<details>/g)).toHaveLength(7);
});

it('has a table per guideline that was asked for, with what is open in words and names escaped', async () => {
  const result = await someResult({ compliance: 'FDA', checklists: ['CLAIM'] });
  const page = htmlReport(result);
  expect(tablesOf(page)).toHaveLength(9);
  expect(page.match(/<div class="scroll evidence"/g)).toHaveLength(3);
  expect(page).toContain('<p>This is evidence for the author&#39;s own filing and claims nothing');
  expect(page).toContain(
    '<td>31</td><td>explainability</td><td>OPEN</td><td><b>To be completed by the author</b>.</td><td></td>',
  );
  expect(page).toContain('<td>IN PART</td>');
  // Code of texts is code, and a path may break before a dot alone.
  expect(page).toContain('different ids of <code>patientIds</code> or <code>groups</code>');
  expect(page.slice(page.indexOf('<body>'))).not.toContain('`');
  expect(page).toMatch(/checks\[\d+\]<wbr>\.evidence<wbr>\.counts/);
  expect(page).not.toContain('overflow-wrap: anywhere');
  expect(page).toContain('.evidence td:nth-child(1) { font-weight: 600; white-space: nowrap; padding-right');
  expect(page).toContain('<br><b>To be completed by the author</b>: ');
  expect(page).toContain('estimates[&quot;a&lt;b|c&quot;]');
  expect(page).not.toMatch(/<script|https?:|src=|href="(?!#)|@import|<b>patient|patient\|1/i);
});

it('has the lines that repeat the run, one below the other', async () => {
  const page = htmlReport(await someResult());
  const [, code] = /<pre tabindex="0"><code>([\s\S]*?)<\/code><\/pre>/.exec(page) ?? ['', ''];
  expect(code.split('\n')).toHaveLength(6);
  expect(code).toMatch(/^import \{ readFileSync \} from &#39;node:fs&#39;;$/m);
});
