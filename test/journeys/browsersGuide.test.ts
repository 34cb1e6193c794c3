/** The programs of docs/browsers.md for Vite, built as they are printed and used in Chromium: a file is chosen, a summary is read. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { LogisticRegression } from '../../src/estimators/index.js';
import { CVKitValidator, generateSyntheticEhr, type ValidationResult } from '../../src/index.js';
import { tabular } from '../../src/preprocessing/index.js';
import { readTable } from '../../src/table/index.js';
import { staticServer } from '../helpers/staticServer.mjs';
import { needDist } from '../meta/dist.js';
import { ROOT } from '../meta/program.js';
import { chromium, LIMIT, NO_CHROMIUM } from './chromium.js';
import { openBrowser, openPage } from './openPage.js';

const PAGE = readFileSync(join(ROOT, 'docs/browsers.md'), 'utf8');
const folders: string[] = [];

beforeAll(needDist);
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true });
});

/** The block of a page that begins with `// name`, or that follows the name of the file. */
function blocks(name: string): string[] {
  const marked = [...PAGE.matchAll(/^```js\n(\/\/ ([\w.-]+)\n[\s\S]*?)\n```$/gm)].filter((found) => found[2] === name);
  return marked.map(([, code]) => code);
}
const [, HTML] = PAGE.match(/`index\.html`:\n\n```html\n([\s\S]*?)\n```/) as RegExpMatchArray;

/** A folder with the files of the page, built by Vite. */
function built(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'cvkit-guide-'));
  folders.push(folder);
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules/cvkit'), 'junction');
  for (const name of ['@tensorflow', 'vite'])
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name), 'junction');
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  mkdirSync(join(folder, 'public/tfjs'), { recursive: true });
  cpSync(join(ROOT, 'node_modules/@tensorflow/tfjs-backend-wasm/wasm-out'), join(folder, 'public/tfjs'), {
    recursive: true,
  });
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js');
  execFileSync(process.execPath, [vite, 'build', '--logLevel', 'error'], {
    cwd: folder,
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: 'pipe',
  });
  return join(folder, 'dist');
}

/** The table of the tutorial, smaller. */
function visits(): string {
  const { X, y, groups, featureNames } = generateSyntheticEhr({ nSamples: 400, nPatients: 150, nFeatures: 4 });
  const lines = X.map((row, at) =>
    [groups[at], ...row.map((value) => value.toFixed(1)), y[at] ? 'yes' : 'no'].join(','),
  );
  return [`patient_id,${featureNames.join(',')},readmitted`, ...lines, ''].join('\n');
}

/** What the page says once the file is chosen. */
async function answerTo(folder: string, text: string): Promise<{ answer: string; requests: string[] }> {
  const server = await staticServer(folder);
  const browser = await openBrowser(chromium as string);
  try {
    const { page, requests } = await openPage(browser, server.url);
    await page.setInputFiles('#file', { name: 'visits.csv', mimeType: 'text/csv', buffer: Buffer.from(text) });
    const answer = page.locator('#answer');
    await expect.poll(() => answer.textContent(), { timeout: LIMIT }).not.toBe('');
    return { answer: String(await answer.textContent()), requests };
  } finally {
    await browser.close();
    await server.close();
  }
}

/** The line of a score in a summary, its numbers alone. */
const numbersOf = (summary: string, metric: string) =>
  summary.match(new RegExp(`^  ${metric} .*$`, 'm'))?.[0].match(/\d\.\d{3}/g);

it(
  'a table is cross-validated in workers of a page that Vite built, with the numbers of Node',
  async ({ skip }) => {
    if (!chromium) return skip(NO_CHROMIUM);
    const [main] = blocks('main.js');
    const [model] = blocks('model.js');
    const [config] = blocks('vite.config.js');
    const text = visits();
    const dist = built({ 'index.html': HTML, 'main.js': main, 'model.js': model, 'vite.config.js': config });
    const { answer, requests } = await answerTo(dist, text);
    expect(answer).toMatch(/^Cross-validation: \w+/);
    expect(requests.some((url) => /pageWorker/.test(url))).toBe(true);
    const table = await readTable(new File([text], 'visits.csv'), { target: 'readmitted', groups: 'patient_id' });
    const result: ValidationResult = await new CVKitValidator().validate({
      ...table,
      ...{ model: () => new LogisticRegression(), preprocessing: tabular(), positiveLabel: 'yes', verbose: 0 },
    });
    expect(numbersOf(answer, 'roc_auc')).toHaveLength(5);
    expect(numbersOf(answer, 'roc_auc')).toEqual(numbersOf(result.summary(), 'roc_auc'));
  },
  3 * LIMIT,
);

it(
  'a network finds its WebAssembly where the guide puts it',
  async ({ skip }) => {
    if (!chromium) return skip(NO_CHROMIUM);
    const [, model] = blocks('model.js');
    const [more] = PAGE.match(/`(epochs: 10, .*?)` as well/)?.slice(1) ?? [];
    expect(more).toContain("backend: 'wasm'");
    const main = blocks('main.js')[0].replace('nJobs: 2,', `nJobs: 2, ${more},`);
    const [config] = blocks('vite.config.js');
    const dist = built({ 'index.html': HTML, 'main.js': main, 'model.js': model, 'vite.config.js': config });
    const { answer, requests } = await answerTo(dist, visits());
    expect(answer).toMatch(/tfjs on wasm: 10 epochs, adam/);
    expect(requests.filter((url) => url.endsWith('/tfjs/tfjs-backend-wasm-simd.wasm')).length).toBeGreaterThan(0);
  },
  3 * LIMIT,
);
