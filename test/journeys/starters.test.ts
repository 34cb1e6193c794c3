/** The starter projects, copied into an empty folder and installed with the packed package, do what their README says. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { npm } from '../../scripts/npm.mjs';
import { archiveIn, installStarter, STARTERS } from '../../scripts/starter.mjs';
import { staticServer } from '../helpers/staticServer.mjs';
import { needDist } from '../meta/dist.js';
import { ROOT } from '../meta/program.js';
import { chromium } from './chromium.js';
import { openBrowser, openPage } from './openPage.js';

let folder: string;
let archive: string;

beforeAll(() => {
  needDist();
  folder = mkdtempSync(join(tmpdir(), 'cvkit-starters-'));
  archive = archiveIn(folder);
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }));

function installed(name: string): string {
  const place = join(folder, name);
  installStarter(name, place, archive);
  return place;
}

it.each([
  ['csv', 'demo', /rows of 200 patients[\s\S]*roc_auc/],
  ['network', 'start', /569 rows, each its own patient[\s\S]*epochs[\s\S]*roc_auc/],
  ['onnx', 'demo', /120 rows of 40 patients, each 28 x 28 x 1[\s\S]*roc_auc/],
])('%s prints a summary and writes a report', (name, script, expected) => {
  const place = installed(name);
  expect(npm(['run', script], place)).toMatch(expected);
  expect(readFileSync(join(place, 'report.html'), 'utf8')).toMatch(/^<!doctype html>[\s\S]*roc_auc/);
  // What `npm run data` writes, a second run does not overwrite.
  if (name === 'csv') expect(() => npm(['run', 'data'], place)).toThrow(/EEXIST/);
});

it.skipIf(!chromium)('page reads a table in the browser, and folds run in workers', async () => {
  const place = installed('page');
  npm(['run', 'build'], place);
  const server = await staticServer(join(place, 'dist'));
  const browser = await openBrowser(chromium as string);
  try {
    const { page, errors } = await openPage(browser, server.url);
    let workers = 0;
    page.on('worker', () => {
      workers++;
    });
    await page.getByRole('button', { name: 'invented visits' }).click();
    await page.getByText('roc_auc').waitFor({ timeout: 60_000 });
    expect(workers).toBeGreaterThan(1);
    const rows = Array.from({ length: 90 }, (_, row) => `p${row % 30},${(row * 37) % 41},${Number(row % 3 === 0)}\n`);
    const csv = (text: string) => ({ name: 'mine.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    await page.locator('input').setInputFiles(csv(`patient,value,event\n${rows.join('')}`));
    await page.getByText('90 rows of 30 patients').waitFor({ timeout: 60_000 });
    await page.locator('input').setInputFiles(csv('patient,value\n1,2\n'));
    await page.getByText('must name one of the 2 columns of the file').waitFor();
    expect(errors).toEqual([]);
  } finally {
    await browser.close();
    await server.close();
  }
});

it.each(STARTERS)('%s has a README with a picture of its result', (name) => {
  const place = join(ROOT, 'examples/starters', name);
  expect(readFileSync(join(place, 'README.md'), 'utf8')).toMatch(/!\[[^\]]{20,}\]\(result\.png\)/);
  expect(existsSync(join(place, 'result.png'))).toBe(true);
});
