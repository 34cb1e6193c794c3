/**
 * Pictures of results, from what programs print: the report of the demo for the site, light and dark, and what each starter
 * project shows. Needs a build and Chromium (`CHROME_PATH` can name one). Run it when the look of reports changes.
 *
 * Usage: node scripts/pictures.mjs
 */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';
import { chromiumPath } from '../test/helpers/chromiumPath.mjs';
import { staticServer } from '../test/helpers/staticServer.mjs';
import { npm } from './npm.mjs';
import { archiveIn, installStarter, STARTERS } from './starter.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const folder = mkdtempSync(join(tmpdir(), 'cvkit-pictures-'));
const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-gpu'] });

execFileSync(process.execPath, [resolve('examples/demo.mjs')], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
for (const colorScheme of ['light', 'dark'])
  await reportPicture(folder, `docs/public/report-${colorScheme}.png`, colorScheme);

const archive = archiveIn(folder);
for (const name of STARTERS) {
  const place = join(folder, name);
  installStarter(name, place, archive);
  const picture = `examples/starters/${name}/result.png`;
  if (name === 'page') await pagePicture(place, picture);
  else {
    npm(['run', name === 'network' ? 'start' : 'demo'], place);
    await reportPicture(place, picture, 'light');
  }
}
await browser.close();
rmSync(folder, { recursive: true });

/** The head of a report, and below it what most look for first. */
async function reportPicture(place, path, colorScheme) {
  const page = await browser.newPage({ colorScheme, viewport: { width: 860, height: 1150 } });
  await page.goto(pathToFileURL(join(place, 'report.html')).href);
  await page.evaluate(() => {
    const heading = document.querySelector('#scores');
    while (heading.previousElementSibling.id !== 'participants') heading.previousElementSibling.remove();
    heading.previousElementSibling.remove();
  });
  await page.screenshot({ path });
}

async function pagePicture(place, path) {
  npm(['run', 'build'], place);
  const server = await staticServer(join(place, 'dist'));
  const page = await browser.newPage({ viewport: { width: 860, height: 1000 } });
  await page.goto(server.url);
  await page.getByRole('button', { name: 'invented visits' }).click();
  await page.getByText('roc_auc').waitFor();
  await page.screenshot({ path });
  await server.close();
}
