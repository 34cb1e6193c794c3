/** The programs of docs/browsers.md, built as they are printed and used in Chromium: a file is chosen, a summary is read. */
import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
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

/** A project with these files, in which the packages that the page names are installed. */
function project(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'cvkit-guide-'));
  folders.push(folder);
  const modules = join(folder, 'node_modules');
  // A copy, as npm makes one: bundlers that follow a link find the sources and their settings.
  for (const part of ['package.json', 'dist'])
    cpSync(join(ROOT, part), join(modules, 'cvkit', part), { recursive: true });
  for (const name of readdirSync(join(ROOT, 'node_modules')).filter((each) => !each.startsWith('.'))) {
    if (name !== 'cvkit') symlinkSync(join(ROOT, 'node_modules', name), join(modules, name), 'junction');
  }
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** A folder with the files of the page, built by Vite. */
function built(files: Readonly<Record<string, string>>): string {
  const folder = project(files);
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

const require = createRequire(import.meta.url);

/** Where a bundler lies, or undefined where it is not installed. */
function placeOf(name: string): string | undefined {
  const place = join(ROOT, 'node_modules', name);
  return existsSync(place) ? place : undefined;
}

it(
  'webpack makes a page of the same files',
  async ({ skip }) => {
    const place = placeOf('webpack');
    if (!chromium) return skip(NO_CHROMIUM);
    if (!place) return skip('webpack is not installed');
    const [[main], [model], [config]] = ['main.js', 'model.js', 'webpack.config.js'].map(blocks);
    const files = { 'main.js': main, 'model.js': model, 'webpack.config.mjs': config };
    const folder = project({ ...files, 'package.json': JSON.stringify({ type: 'module' }) });
    const options = (await import(join(folder, 'webpack.config.mjs'))).default;
    const output = { ...options.output, path: join(folder, 'dist') };
    const errors = await new Promise((done, fail) => {
      const compiler = require(place)({ ...options, context: folder, output });
      compiler.run((error: Error | null, stats: { toJson(): { errors: { message: string }[] } }) =>
        error ? fail(error) : compiler.close(() => done(stats.toJson().errors.map(({ message }) => message))),
      );
    });
    expect(errors).toEqual([]);
    writeFileSync(join(folder, 'dist/index.html'), HTML);
    const { answer, requests } = await answerTo(join(folder, 'dist'), visits());
    expect(answer).toMatch(/^Cross-validation: \w+/);
    expect(requests.filter((url) => url.endsWith('/model.js')).length).toBeGreaterThan(1);
  },
  4 * LIMIT,
);

it(
  'a plain script works with the files that esbuild makes',
  async ({ skip }) => {
    const place = placeOf('esbuild');
    if (!chromium) return skip(NO_CHROMIUM);
    if (!place) return skip('esbuild is not installed');
    const [entry] = blocks('cvkit-page.js');
    const folder = project({ 'cvkit-page.js': entry });
    const [, command] = PAGE.match(/^npx esbuild ([\s\S]*?)\n```/m) as RegExpMatchArray;
    const args = command.replace('\\\n', ' ').split(/\s+/);
    execFileSync(join(place, 'bin/esbuild'), [...args, '--log-level=error'], { cwd: folder, stdio: 'pipe' });
    const [, script] = PAGE.match(/```html\n(<script type="module">\n[\s\S]*?)\n```/) as RegExpMatchArray;
    writeFileSync(
      join(folder, 'public/index.html'),
      HTML.replace(/<script.*<\/script>/, () => script),
    );
    const { answer } = await answerTo(join(folder, 'public'), visits());
    expect(answer).toMatch(/^Cross-validation: \w+/);
    expect(answer).toContain('estimator (LogisticRegression)');
  },
  3 * LIMIT,
);
