/**
 * Pictures of results for the site, from what the programs print: the report of the demo, light and dark. Needs Chromium
 * (`CHROME_PATH` can name one). Run it when the look of reports changes.
 *
 * Usage: node scripts/pictures.mjs
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const folder = mkdtempSync(join(tmpdir(), 'cvkit-pictures-'));
const { status } = spawnSync(process.execPath, [resolve('examples/demo.mjs')], { cwd: folder, stdio: 'inherit' });
if (status !== 0) throw new Error('examples/demo.mjs failed');

const executablePath = process.env.CHROME_PATH ?? '/usr/bin/chromium';
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
for (const colorScheme of ['light', 'dark']) {
  const page = await browser.newPage({ colorScheme, viewport: { width: 860, height: 1150 } });
  await page.goto(pathToFileURL(join(folder, 'report.html')).href);
  // Its head, and below it what most look for first.
  await page.evaluate(() => {
    const heading = document.querySelector('#scores');
    while (heading.previousElementSibling.id !== 'participants') heading.previousElementSibling.remove();
    heading.previousElementSibling.remove();
  });
  await page.screenshot({ path: `docs/public/report-${colorScheme}.png` });
}
await browser.close();
rmSync(folder, { recursive: true });
