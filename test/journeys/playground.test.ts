/** The playground in Chromium: what it computes, that it connects to nothing, and that everybody can use it. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EXAMPLES } from '../../docs/.vitepress/playground/examples.js';
import { withFile, withPositive, withRole, withUse } from '../../docs/.vitepress/playground/reading.js';
import { type Statements, Study, type Training } from '../../docs/.vitepress/playground/study.js';
import { staticServer } from '../helpers/staticServer.mjs';
import { needDist } from '../meta/dist.js';
import { ROOT } from '../meta/program.js';
import { chromium, NO_CHROMIUM } from './chromium.js';
import { axeFindings, openBrowser, openPage, overflows, SOFTWARE_GPU } from './openPage.js';

const LIMIT = 60_000;
const KNOWN: Statements = { independentRows: true, preparedInside: true };
const NETWORK: Training = { model: 'network', backend: 'wasm', epochs: 6, units: 8 };

let folder: string;
let server: Awaited<ReturnType<typeof staticServer>>;
let browser: Browser;

beforeAll(async () => {
  if (!chromium) return;
  needDist();
  folder = mkdtempSync(join(tmpdir(), 'cvkit-playground-'));
  // By a process of its own: the environment of tests would make a build for tests.
  const config = ['-c', 'docs/.vitepress/playground/vite.config.mjs', '--outDir', folder, '--logLevel', 'error'];
  const env = { ...process.env, NODE_ENV: 'production' };
  execFileSync(process.execPath, ['node_modules/vite/bin/vite.js', 'build', ...config], { cwd: ROOT, env });
  server = await staticServer(folder, '/cvkit/playground/');
  browser = await openBrowser(chromium);
}, LIMIT);

afterAll(async () => {
  await browser?.close();
  await server?.close();
  if (folder) rmSync(folder, { recursive: true });
});

/** From an example to its checks. */
async function checked(page: Page, title: string) {
  await page.getByRole('button', { name: title }).click();
  const own = page.getByLabel('Each row is another patient');
  await page.getByLabel('Nothing in this table').check();
  if (await own.isVisible()) await own.check();
  await page.getByRole('button', { name: 'Check this table' }).click();
  await page.getByRole('heading', { name: 'Balance', exact: true }).waitFor({ timeout: LIMIT });
}

async function trained(page: Page, { model, backend, epochs, units }: Training) {
  const step = page.locator('#train');
  await step.getByLabel('Model').selectOption(model);
  if (model === 'network') {
    await step.getByLabel('Runs on').selectOption(backend);
    await step.getByLabel('Most epochs').fill(String(epochs));
    await step.getByLabel('Hidden units').fill(String(units));
  }
  const report = page.locator('#report iframe');
  const before = (await report.count()) > 0 ? await report.getAttribute('src') : null;
  await step.getByRole('button', { name: 'Cross-validate' }).click();
  const other = page.locator(`#report iframe:not([src="${before}"])`);
  await other.or(page.getByRole('alert')).waitFor({ timeout: LIMIT });
  expect(await page.getByRole('alert').allTextContents()).toEqual([]);
}

const numbers = async (page: Page) => JSON.parse(await saved(page, 'Save the numbers (JSON)'));

async function saved(page: Page, name: string): Promise<string> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name }).click()]);
  return readFileSync(await download.path(), 'utf8');
}

/** The same by the same code in Node. */
async function inNode(at: number, training: Training) {
  const study = new Study();
  await study.open(await EXAMPLES[at].file(), EXAMPLES[at].reading);
  await study.assess(KNOWN);
  return JSON.parse((await study.train(training, () => undefined)).json);
}

const numbersOf = ({ estimates, scores, outOfFold, confidenceIntervals }: Record<string, unknown>) => ({
  estimates,
  scores,
  outOfFold,
  confidenceIntervals,
});

/** Largest difference between numbers of two results that are alike in everything else. */
function farthest(one: unknown, other: unknown): number {
  if (typeof one === 'number' && typeof other === 'number') return Math.abs(one - other);
  if (one === null || typeof one !== 'object') return Object.is(one, other) ? 0 : Number.POSITIVE_INFINITY;
  const [ones, others] = [Object.entries(one), Object.entries(other as object)];
  if (ones.length !== others.length) return Number.POSITIVE_INFINITY;
  return Math.max(0, ...ones.map(([name, value]) => farthest(value, (other as Record<string, unknown>)[name])));
}

/** The id or the words of what has the focus. */
const focus = (page: Page) =>
  page.evaluate(() => document.activeElement?.id || (document.activeElement as HTMLElement).innerText);

const csvOf = (lines: readonly string[], name = 'own.csv') => new File([lines.join('\n')], name, { type: 'text/csv' });

describe('choices of how a table is read', () => {
  it('gives each column one role or one use, and the positive class to its outcome alone', () => {
    const bacteria = { target: 'y', groups: 'ID' };
    const positive = withPositive(bacteria, 'y');
    expect(positive).toEqual({ ...bacteria, positiveLabel: 'y' });
    expect(withPositive(positive, '')).toEqual(bacteria);
    expect(withRole(positive, 'sites', 'ward')).toMatchObject({ ...positive, sites: 'ward' });
    const moved = withRole(positive, 'groups', 'y');
    expect(moved).toMatchObject({ groups: 'y' });
    expect(moved).not.toHaveProperty('target');
    expect(moved).not.toHaveProperty('positiveLabel');
    expect(withRole(positive, 'target', '')).toEqual({ groups: 'ID' });
    const used = withUse(withUse(positive, 'week', 'categorical'), 'late', 'drop');
    expect(used).toEqual({ ...positive, types: { week: 'categorical' }, drop: ['late'] });
    expect(withUse(used, 'week', 'drop')).toEqual({ ...positive, types: {}, drop: ['late', 'week'] });
    expect(withRole(used, 'timestamps', 'week')).toEqual({
      ...{ ...positive, timestamps: 'week' },
      ...{ types: {}, drop: ['late'] },
    });
    expect(withFile(used, { alsoMissing: ['none'] })).toEqual({ ...used, alsoMissing: ['none'] });
    // Cut in another way, the file has other columns.
    expect(withFile({ ...used, decimal: ',' }, { delimiter: ';' })).toEqual({ decimal: ',', delimiter: ';' });
    expect(withFile({ delimiter: ';' }, { delimiter: undefined })).toEqual({});
  });

  it('keeps the table where the next reading is refused', async () => {
    const study = new Study();
    const lines = Array.from({ length: 40 }, (_, row) => `${(row * 37) % 41},${row % 2}`);
    const file = csvOf(['value,y', ...lines]);
    await study.open(file, { target: 'y' });
    await study.assess(KNOWN);
    await expect(study.open(file, { positiveLabel: '1' })).rejects.toThrow('positiveLabel');
    const { json } = await study.train({ ...NETWORK, model: 'logistic' }, () => undefined);
    expect(JSON.parse(json).estimates.accuracy).toBeGreaterThanOrEqual(0);
  });

  it('says what the summary says of intervals, score by score', async () => {
    const study = new Study();
    const lines = Array.from({ length: 120 }, (_, row) => `${(row * 37) % 41},${row % 60 === 7 ? 1 : 0}`);
    await study.open(csvOf(['value,y', ...lines]), { target: 'y' });
    await study.assess(KNOWN);
    const { scores, json } = await study.train({ ...NETWORK, model: 'logistic' }, () => undefined);
    const { confidenceIntervals } = JSON.parse(json);
    for (const { metric, note } of scores) {
      const { note: own, reason } = confidenceIntervals[metric];
      expect(note, metric).toBe(own ?? `No interval: ${reason}.`);
    }
    expect(scores.find(({ metric }) => metric === 'roc_auc')?.note).toContain('only 2 rows of class 1');
  });
});

describe.skipIf(!chromium)(`the playground (skipped where there is ${NO_CHROMIUM})`, () => {
  it('scores a network on wasm and a regression as Node does, bit for bit, and asks for nothing but itself', async () => {
    const { context, page, errors, requests } = await openPage(browser, server.url);
    await checked(page, EXAMPLES[0].title);
    expect(await page.locator('#checks .verdict').textContent()).toMatch(/^PASSED/);
    await trained(page, NETWORK);
    const network = await numbers(page);
    expect(numbersOf(network)).toEqual(numbersOf(await inNode(0, NETWORK)));
    const regression: Training = { ...NETWORK, model: 'logistic' };
    await trained(page, regression);
    const plain = await numbers(page);
    // Versions of V8 differ in the last digit of `Math.exp`, which a regression needs, and WebAssembly does not.
    expect(farthest(numbersOf(plain), numbersOf(await inNode(0, regression)))).toBeLessThan(1e-11);
    expect(network.estimates.roc_auc).toBeGreaterThan(0.9);
    expect(network.estimates).not.toEqual(plain.estimates);
    expect(await saved(page, 'Save the report')).toMatch(/^<!doctype html>/);
    // Names of classes, which the bundler has made shorter.
    expect(JSON.stringify(plain.manifest)).toContain('LogisticRegression');
    expect(JSON.stringify(network.manifest)).toContain('EarlyStopping');
    expect(requests.filter((url) => !url.startsWith(server.url) && !url.startsWith('blob:'))).toEqual([]);
    expect(errors).toEqual([]);
    await context.close();
  }, 120_000);

  it(
    'lets neither the page nor its worker connect to anything',
    async () => {
      const { context, page } = await openPage(browser, server.url);
      await checked(page, EXAMPLES[0].title);
      const attempt = (url: string) => fetch(url).then(String, (error) => String(error));
      const [worker] = page.workers();
      expect(await page.evaluate(attempt, server.url)).toMatch(/^TypeError/);
      expect(await worker.evaluate(attempt, server.url)).toMatch(/^TypeError/);
      // The address would answer.
      expect((await fetch(server.url)).status).toBe(200);
      await context.close();
    },
    LIMIT,
  );

  it('says whose code it carries', () => {
    const licences = readFileSync(join(folder, 'licences.txt'), 'utf8');
    for (const name of ['preact', '@tensorflow/tfjs-core', '@tensorflow/tfjs-backend-wasm', 'csv-parse', 'ml-matrix'])
      expect(licences).toMatch(new RegExp(`^${name} \\d.*, (MIT|Apache-2\\.0|ISC)$`, 'm'));
    expect(licences).not.toContain('undefined');
  });

  it(
    'works without a network once it is loaded',
    async () => {
      const { context, page } = await openPage(browser, server.url);
      await page.evaluate(async () => {
        await navigator.serviceWorker.ready;
      });
      await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
      await context.setOffline(true);
      await page.reload();
      await checked(page, EXAMPLES[1].title);
      await trained(page, NETWORK);
      expect(await page.locator('#report tbody tr', { hasText: 'roc_auc' }).textContent()).toMatch(/0\.\d{3} to 0/);
      await context.close();
    },
    LIMIT,
  );

  it.each(['light', 'dark'] as const)(
    'is clean for axe, and fits narrow and wide windows, %s',
    async (colorScheme) => {
      const { context, page } = await openPage(browser, server.url, { colorScheme });
      expect(await axeFindings(page)).toEqual([]);
      await checked(page, EXAMPLES[2].title);
      await trained(page, { ...NETWORK, epochs: 2 });
      expect(await axeFindings(page)).toEqual([]);
      for (const width of [360, 768, 1400]) {
        await page.setViewportSize({ width, height: 800 });
        expect(await overflows(page), `${width} px`).toBe(false);
      }
      await context.close();
    },
    LIMIT,
  );

  it(
    'reads a file of the reader, says what is wrong with it, and goes on with the next',
    async () => {
      const { context, page, errors } = await openPage(browser, server.url);
      const choose = (name: string, content: string | Uint8Array) =>
        page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(content) });
      await choose('ragged.csv', 'a,b\n1,2\n3\n');
      const alert = () => page.getByRole('alert').textContent();
      await expect.poll(alert).toBe('Line 3 of ragged.csv must have 2 cells, as line 1 has. Got 1.');
      const packed = gzipSync('a,b\n1,2\n3,4\n');
      for (const [name, bytes] of Object.entries({ half: packed.subarray(0, 20), head: packed.subarray(0, 2) })) {
        await choose(`${name}.csv.gz`, bytes);
        await expect
          .poll(alert)
          .toMatch(new RegExp(`^The file ${name}.csv.gz must be a file that can be read\\. Got `));
      }
      const rows = Array.from(
        { length: 60 },
        (_, row) => `p${row % 20},${(row * 37) % 41},${row % 2 ? 'sick' : 'well'}\n`,
      );
      await choose('mine.csv', `patient,value,state\n${rows.join('')}`);
      await page.getByRole('heading', { name: '2. Its columns' }).waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Check this table' }).isDisabled()).toBe(true);
      await page.locator('#columns').getByRole('combobox').first().selectOption('state');
      await page.locator('#columns').getByRole('combobox').nth(1).selectOption('patient');
      await page.getByRole('button', { name: 'Check this table' }).click();
      await page.getByRole('heading', { name: 'Balance', exact: true }).waitFor({ timeout: LIMIT });
      expect(await page.locator('#checks').textContent()).toContain('20 patients');
      // Two texts: which of them is positive must be known.
      await page.locator('#train').getByRole('button', { name: 'Cross-validate' }).click();
      await page.locator('#train').getByRole('alert').waitFor({ timeout: LIMIT });
      await page.getByLabel('Positive class').selectOption('sick');
      await page.getByRole('button', { name: 'Check this table' }).click();
      await page.getByRole('heading', { name: 'Balance', exact: true }).waitFor({ timeout: LIMIT });
      await trained(page, { ...NETWORK, model: 'logistic' });
      expect(JSON.stringify((await numbers(page)).manifest)).toContain('sick');
      expect(errors).toEqual([]);
      await context.close();
    },
    LIMIT,
  );

  it(
    'stops, and goes on',
    async () => {
      const { context, page } = await openPage(browser, server.url);
      await checked(page, EXAMPLES[0].title);
      const step = page.locator('#train');
      await step.getByLabel('Model').selectOption('network');
      await step.getByLabel('Most epochs').fill('1000');
      await step.getByRole('button', { name: 'Cross-validate' }).click();
      await step.getByRole('status').filter({ hasText: 'epoch' }).waitFor({ timeout: LIMIT });
      await step.locator('.picture').waitFor({ timeout: LIMIT });
      await step.getByRole('button', { name: 'Stop' }).click();
      expect(await page.getByText('Reading the table').count()).toBe(1);
      await expect
        .poll(() => step.getByRole('button', { name: 'Cross-validate' }).isEnabled(), { timeout: LIMIT })
        .toBe(true);
      expect(await page.getByRole('heading', { name: '5. The report' }).count()).toBe(0);
      expect(await step.locator('.picture').count()).toBe(0);
      await expect.poll(() => focus(page)).toBe('Cross-validate');
      await trained(page, NETWORK);
      // The worker that follows knows the folds and the statements, too.
      expect(numbersOf(await numbers(page))).toEqual(numbersOf(await inNode(0, NETWORK)));
      await context.close();
    },
    LIMIT,
  );

  it(
    'reads a file as it is chosen: its encoding, what columns are, and which are left out',
    async () => {
      const { context, page, errors } = await openPage(browser, server.url, { viewport: { width: 1000, height: 700 } });
      const lines = Array.from(
        { length: 90 },
        (_, row) => `${(row * 37) % 41},5;${row % 4 || '3+'};${row % 2};${row % 2 ? 'ja' : 'nein'}\n`,
      );
      // Latin-1 has the letters of Windows-1252 here.
      const buffer = Buffer.from(`Größe;Kinder;Arznei;Tod\n${lines.join('')}`, 'latin1');
      await page.locator('input[type=file]').setInputFiles({ name: 'old.csv', mimeType: 'text/csv', buffer });
      await page.getByRole('alert').filter({ hasText: 'must be text in utf-8' }).waitFor();
      expect(await axeFindings(page)).toEqual([]);
      await page.setViewportSize({ width: 360, height: 700 });
      expect(await overflows(page)).toBe(false);
      await page.setViewportSize({ width: 1000, height: 700 });
      const encoding = page.getByLabel('Encoding');
      await encoding.focus();
      await encoding.selectOption('utf-16le');
      await page.getByRole('alert').filter({ hasText: 'must be text in utf-16le' }).waitFor();
      await expect.poll(() => encoding.evaluate((element) => element === document.activeElement)).toBe(true);
      await encoding.selectOption('windows-1252');
      await page.getByRole('rowheader', { name: 'Größe' }).waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
      await expect.poll(() => focus(page)).toBe('columns');

      const outcome = page.getByLabel('Outcome what the model');
      await outcome.focus();
      await outcome.selectOption('Tod');
      await page.locator('#columns td', { hasText: /^outcome$/ }).waitFor();
      await expect.poll(() => outcome.evaluate((element) => element === document.activeElement)).toBe(true);
      await page.getByLabel('Positive class').selectOption('ja');
      const check = page.getByRole('button', { name: 'Check this table' });
      await check.click();
      await page.getByRole('heading', { name: 'Balance', exact: true }).waitFor({ timeout: LIMIT });
      // The verdict, not the step after it.
      await expect.poll(() => focus(page)).toBe('checks');
      const topOf = () => page.locator('#checks').evaluate((element) => element.getBoundingClientRect().top);
      await expect.poll(topOf).toBeCloseTo(0, 0);
      await page.locator('#train').getByRole('button', { name: 'Cross-validate' }).click();
      await page.locator('#train').getByRole('alert').filter({ hasText: "'Kinder'" }).waitFor({ timeout: LIMIT });

      const row = (name: string) => page.getByRole('row', { name: new RegExp(`^${name}`) });
      await page.getByLabel('Take Arznei').selectOption('drop');
      await row('Arznei').filter({ hasText: 'left out' }).waitFor();
      await page.getByLabel('Take Kinder').selectOption('numeric');
      await page.getByRole('alert').filter({ hasText: 'must hold a number' }).waitFor();
      await page.getByLabel('Take Kinder').selectOption('categorical');
      await expect.poll(() => page.getByRole('alert').count()).toBe(0);
      await check.click();
      await trained(page, { ...NETWORK, model: 'logistic' });
      const summary = await page.locator('#report pre').textContent();
      expect(summary).toContain('2 features');

      const missing = page.getByLabel('Further texts that mean missing');
      await missing.fill('3+, none');
      await missing.press('Enter');
      await page.locator('#columns').waitFor();
      await page.getByLabel('Take Kinder').selectOption('');
      await row('Kinder').filter({ hasText: 'numeric' }).filter({ hasText: '23 (25.6 %)' }).waitFor();
      expect(errors).toEqual([]);
      await context.close();
    },
    LIMIT,
  );

  it(
    'shows what it works on: roles that are refused, and a table that is dropped meanwhile, change nothing',
    async () => {
      const { context, page, errors } = await openPage(browser, server.url);
      const rows = Array.from({ length: 80 }, (_, row) => `${(row * 37) % 41},${row % 2},${row % 3 ? row % 2 : ''}\n`);
      const csv = (name: string) => ({
        name,
        mimeType: 'text/csv',
        buffer: Buffer.from(`value,y,z\n${rows.join('')}`),
      });
      await page.locator('input[type=file]').setInputFiles(csv('first.csv'));
      const outcome = page.locator('#columns').getByRole('combobox').first();
      await outcome.selectOption('y');
      await page.locator('#columns td', { hasText: /^outcome$/ }).waitFor();
      const patient = page.locator('#columns').getByRole('combobox').nth(1);
      await patient.selectOption('z');
      await page.getByRole('alert').waitFor();
      expect(await page.getByRole('alert').textContent()).toContain(
        "The column 'z' (groups) must have a value in every row",
      );
      await expect.poll(() => patient.inputValue()).toBe('');
      await page.getByRole('button', { name: 'Check this table' }).click();
      await page.getByRole('heading', { name: 'Balance', exact: true }).waitFor({ timeout: LIMIT });
      await page.locator('#train').getByRole('button', { name: 'Cross-validate' }).click();
      // Beside the box, where a browser would open the file in the place of the page.
      await page.locator('h1').evaluate((target) => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(['a,b\n1,2\n'], 'other.csv'));
        target.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true, cancelable: true }));
      });
      const saves = page.getByRole('link', { name: 'Save the report' });
      await saves.waitFor({ timeout: LIMIT });
      expect(await saves.getAttribute('download')).toBe('first-report.html');
      expect(await page.locator('#columns strong').textContent()).toBe('first.csv');
      expect(errors).toEqual([]);
      await context.close();
    },
    LIMIT,
  );

  it.each(['webgl', 'webgpu'] as const)(
    'trains on %s, by its software adapter',
    async (backend) => {
      const withGpu = await openBrowser(chromium as string, SOFTWARE_GPU);
      try {
        const { page } = await openPage(withGpu, server.url);
        await checked(page, EXAMPLES[0].title);
        const training = { ...NETWORK, backend, epochs: 2 };
        await trained(page, training);
        const result = await numbers(page);
        const wasm = await inNode(0, { ...training, backend: 'wasm' });
        expect(JSON.stringify(result.manifest)).toContain(`"backend":"${backend}"`);
        // Rounding differs between backends, and grows in training.
        expect(result.estimates.roc_auc).toBeCloseTo(wasm.estimates.roc_auc, 2);
      } finally {
        await withGpu.close();
      }
    },
    120_000,
  );
});
