/**
 * The site and the playground: how long the build takes, what a reader loads before anything is trained, how soon the page
 * and the search answer, and whether the page stays responsive with 100,000 rows. Needs Chromium (`CHROME_PATH` can name one).
 *
 * Usage: npm run build, then node bench/site.mjs [rows, by default 100000]
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { chromiumPath } from '../test/helpers/chromiumPath.mjs';
import { staticServer } from '../test/helpers/staticServer.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const rows = Number(process.argv[2] ?? 100_000);
const folder = mkdtempSync(join(tmpdir(), 'cvkit-site-'));
/** How long the search box of VitePress waits after a letter, ms. */
const WAITED = 200;
const say = (what, figure) => console.log(`${what.padEnd(60)} ${figure}`);

const begun = performance.now();
const { status } = spawnSync(process.execPath, ['scripts/site.mjs', folder], {
  stdio: ['ignore', 'ignore', 'inherit'],
});
if (status !== 0) throw new Error('scripts/site.mjs failed');
say('build of the site, s (60)', ((performance.now() - begun) / 1000).toFixed(0));
const files = readdirSync(folder, { recursive: true });
const markdown = files.filter((path) => path.endsWith('.md'));
const largest = markdown.toSorted((a, b) => statSync(join(folder, b)).size - statSync(join(folder, a)).size)[0];
say(
  `pages; largest as Markdown, ${largest}, kB (60)`,
  `${markdown.length}; ${(statSync(join(folder, largest)).size / 1000).toFixed(0)}`,
);

const server = await staticServer(folder, '/cvkit/');
const browser = await chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox', '--disable-gpu'] });

await search(await browser.newPage());
await playground(await browser.newPage({ serviceWorkers: 'block' }));

await browser.close();
await server.close();
rmSync(folder, { recursive: true });

/** From the words to the list. */
async function search(page) {
  await page.goto(server.url);
  await page.getByRole('button', { name: 'Search' }).first().click();
  const input = page.locator('#localsearch-input');
  await input.fill('a');
  await page.locator('#localsearch-list a').first().waitFor();
  const times = [];
  for (const words of [
    'patient',
    'calibration slope',
    'early stopping',
    'nested cross-validation',
    'onnx',
    'interval',
    'leakage',
  ]) {
    times.push(
      await page.evaluate(async (text) => {
        const list = document.querySelector('#localsearch-list');
        const changed = new Promise((done) =>
          new MutationObserver(() => done(performance.now())).observe(list, {
            childList: true,
            subtree: true,
            attributes: true,
            characterData: true,
          }),
        );
        const field = document.querySelector('#localsearch-input');
        const from = performance.now();
        field.value = text;
        field.dispatchEvent(new Event('input', { bubbles: true }));
        return (await changed) - from;
      }, words),
    );
    await page.waitForTimeout(300);
  }
  const median = times.toSorted((a, b) => a - b)[3] - WAITED;
  say(
    'search, to the list, median of 7, ms (50), beside 200 ms that VitePress waits for more letters',
    median.toFixed(0),
  );
}

async function playground(page) {
  const kept = files.filter((path) => /^playground[/\\].*\.\w+$/.test(path));
  const sizes = kept.map((path) => gzipSync(readFileSync(join(folder, path))).length);
  const all = sizes.reduce((sum, size) => sum + size, 0) / 1000;
  say('playground: kept in the background for use without a network, kB gzip', all.toFixed(0));
  let bytes = 0;
  page.on('response', async (response) => {
    const body = await response.body();
    bytes += gzipSync(body).length;
  });
  await page.goto(`${server.url}playground/`);
  const paint = await page.evaluate(
    () =>
      new Promise((done) => {
        new PerformanceObserver((list) => done(list.getEntriesByName('first-contentful-paint')[0].startTime)).observe({
          type: 'paint',
          buffered: true,
        });
      }),
  );
  say('playground: first paint, ms (1500)', paint.toFixed(0));
  await page.waitForTimeout(1000);
  say('playground: loaded at first, kB gzip', (bytes / 1000).toFixed(0));

  // What moves on the page while the worker works: the longest time between two frames.
  await page.evaluate(() => {
    let last = performance.now();
    globalThis.longest = 0;
    const frame = (now) => {
      globalThis.longest = Math.max(globalThis.longest, now - last);
      last = now;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  });
  const stall = () =>
    page.evaluate(async () => {
      // The frame that ends a wait belongs to it.
      await new Promise(requestAnimationFrame);
      const { longest } = globalThis;
      globalThis.longest = 0;
      return `${longest.toFixed(0)} ms`;
    });
  await page.locator('input[type=file]').setInputFiles({ name: 'large.csv', mimeType: 'text/csv', buffer: table() });
  await stall();
  const timed = async (what, work) => {
    const from = performance.now();
    await work();
    say(
      `${rows} rows: ${what}, s; longest time without a frame`,
      `${((performance.now() - from) / 1000).toFixed(1)}; ${await stall()}`,
    );
  };
  await timed('read', () => page.getByRole('heading', { name: '2. Its columns' }).waitFor({ timeout: 120_000 }));
  const check = page.getByRole('button', { name: 'Check this table' });
  await timed('outcome and patient chosen, read again', async () => {
    await page.locator('#columns').getByRole('combobox').first().selectOption('y');
    await page.locator('#columns').getByRole('combobox').nth(1).selectOption('patient');
    await check.and(page.locator(':enabled')).waitFor({ timeout: 120_000 });
  });
  await timed('checked', async () => {
    await check.click();
    await page.getByRole('heading', { name: 'Balance', exact: true }).waitFor({ timeout: 600_000 });
  });
  say('playground: loaded before a model is trained, kB gzip (400)', (bytes / 1000).toFixed(0));
  await timed('logistic regression cross-validated', async () => {
    await page.locator('#train').getByRole('button', { name: 'Cross-validate' }).click();
    await page
      .getByRole('heading', { name: '5. The report' })
      .or(page.getByRole('alert'))
      .waitFor({ timeout: 600_000 });
  });
  for (const problem of await page.getByRole('alert').allTextContents()) say('PROBLEM', problem);
}

/** Patients with five rows each, ten features, an outcome that one of them tells in part. */
function table() {
  let state = 7;
  const next = () => {
    state = (state * 48271) % 2147483647;
    return state / 2147483647;
  };
  const lines = Array.from({ length: rows }, (_, row) => {
    const features = Array.from({ length: 10 }, () => (next() + next() + next()).toFixed(4));
    return `p${Math.floor(row / 5)},${Number(Number(features[0]) + next() > 2.2)},${features.join(',')}`;
  });
  return Buffer.from(
    [`patient,y,${Array.from({ length: 10 }, (_, at) => `x${at}`).join(',')}`, ...lines, ''].join('\n'),
  );
}
