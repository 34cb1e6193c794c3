/** The site as it is served: every link and anchor leads somewhere, everybody can read it, and the search finds. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { staticServer } from '../helpers/staticServer.mjs';
import { needDist } from '../meta/dist.js';
import { ROOT } from '../meta/program.js';
import { chromium, NO_CHROMIUM } from './chromium.js';
import { axeFindings, openBrowser, openPage, overflows } from './openPage.js';

const BASE = '/cvkit/';
const textOf = (path: string) => readFileSync(path, 'utf8');

let folder: string;
let server: Awaited<ReturnType<typeof staticServer>>;
let browser: Browser | undefined;
/** Paths below the folder. */
let files: string[];

beforeAll(async () => {
  needDist();
  folder = mkdtempSync(join(tmpdir(), 'cvkit-site-'));
  const env = { ...process.env, NODE_ENV: 'production' };
  const built = spawnSync(process.execPath, ['scripts/site.mjs', folder], { cwd: ROOT, env, encoding: 'utf8' });
  expect(built.status, built.stderr).toBe(0);
  files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'));
  server = await staticServer(folder, BASE);
  browser = chromium ? await openBrowser(chromium) : undefined;
}, 200_000);

afterAll(async () => {
  await browser?.close();
  await server?.close();
  rmSync(folder, { recursive: true });
});

const pages = () => files.filter((path) => path.endsWith('.html') && !path.startsWith('playground/'));

const attributes = (html: string, name: string) =>
  [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value]) => value.replaceAll('&amp;', '&'));

/** The file that an address leads to, as a static host finds it. */
function fileOf(path: string): string | undefined {
  return [path, `${path}index.html`, `${path}/index.html`, `${path}.html`].find((each) => files.includes(each));
}

/** What is wrong with the links of a page. */
function deadLinks(page: string, html: string, idsOf: (path: string) => Set<string>): string[] {
  const place = new URL(page.replace(/(index)?\.html$/, ''), `http://host${BASE}`);
  return [...attributes(html, 'href'), ...attributes(html, 'src')].flatMap((target) => {
    const { host, pathname, hash } = new URL(target, place);
    if (host !== 'host') return [];
    const file = pathname.startsWith(BASE) ? fileOf(decodeURI(pathname.slice(BASE.length))) : undefined;
    if (file === undefined) return `${page}: ${target} is not there`;
    if (hash === '' || !file.endsWith('.html')) return [];
    return idsOf(file).has(decodeURIComponent(hash.slice(1))) ? [] : `${page}: ${target} names nothing there`;
  });
}

describe('pages', () => {
  const known = new Map<string, Set<string>>();
  const idsOf = (path: string) => {
    const ids = known.get(path) ?? new Set(attributes(textOf(join(folder, path)), 'id'));
    known.set(path, ids);
    return ids;
  };

  it('are many, and all their links and anchors lead somewhere', () => {
    expect(pages().length).toBeGreaterThan(300);
    expect(pages().flatMap((path) => deadLinks(path, textOf(join(folder, path)), idsOf))).toEqual([]);
    // The test sees a link that does not.
    const broken = '<a href="nowhere"></a> <a href="intervals#nothing"></a> <a href="/cvkit/intervals"></a>';
    expect(deadLinks('faq.html', broken, idsOf)).toHaveLength(2);
  });

  it('have a title of their own, and pictures have a text', () => {
    const titles = pages().map((path) => /<title>(.*?)<\/title>/.exec(textOf(join(folder, path)))?.[1] ?? '');
    expect(titles.filter((title) => title.trim().length < 3)).toEqual([]);
    expect(titles.filter((title, at) => titles.indexOf(title) !== at)).toEqual([]);
    const pictures = pages().flatMap((path) => textOf(join(folder, path)).match(/<img\b[^>]*>/g) ?? []);
    expect(pictures.length).toBeGreaterThan(30);
    expect(pictures.filter((picture) => !/ alt="[^"]{5,}"/.test(picture))).toEqual([]);
  });

  it('have their Markdown beside them, without marks of the generator, and its links lead somewhere', () => {
    const markdown = files.filter((path) => path.endsWith('.md'));
    const lacking = pages().filter((path) => !markdown.includes(path.replace(/html$/, 'md')));
    // The table of contents is README.md.
    expect(lacking.sort()).toEqual(['404.html', 'contents.html']);
    for (const path of markdown) {
      const text = textOf(join(folder, path));
      expect(text, path).not.toContain('<!-- generated');
      const targets = [...text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/\]\((?!\w+:|#)([^)#\s]+)/g)];
      const places = targets.map(([, target]) => new URL(target, `http://host/${path}`).pathname.slice(1));
      expect(
        places.filter((place) => place !== '' && !existsSync(join(folder, place))),
        path,
      ).toEqual([]);
    }
  });
});

describe('documents for machines', () => {
  const SAME = { 'llms.txt': 'llms.txt', 'llms-full.txt': 'docs/llms-full.txt', 'api-schema.json': 'api-schema.json' };

  it.each(Object.entries(SAME))('%s is served by plain GET', async (address, path) => {
    const response = await fetch(server.url + address);
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(textOf(join(ROOT, path)));
  });

  it('are complete: what `$schema` names, and the small schema', async () => {
    const { $schema } = JSON.parse(textOf(join(folder, 'api-schema.json')));
    for (const address of [$schema, 'api-schema.small.json'])
      expect((await fetch(new URL(address, server.url))).status, address).toBe(200);
    expect((await fetch(`${server.url}none.txt`)).status).toBe(404);
  });
});

describe.skipIf(!chromium)(`in Chromium (skipped where there is ${NO_CHROMIUM})`, () => {
  const SHOWN = [
    '',
    'getting-started',
    'contents',
    'intervals',
    'intervals-theory',
    'splitters',
    'compare-many',
    'tools',
    'checks/CVL001',
    'reference/',
    'reference/splitters/KFold',
    '404.html',
  ];

  it.each(['light', 'dark'] as const)(
    'pages are clean for axe, and fit narrow and wide windows, %s',
    async (colorScheme) => {
      for (const path of SHOWN) {
        const { context, page, errors } = await openPage(browser as Browser, server.url + path, { colorScheme });
        expect(await axeFindings(page), path).toEqual([]);
        for (const width of [360, 768, 1400]) {
          await page.setViewportSize({ width, height: 800 });
          expect(await overflows(page), `${path} at ${width} px`).toBe(false);
        }
        expect(errors, path).toEqual([]);
        await context.close();
      }
    },
    120_000,
  );

  it.each([
    ['StratifiedGroupKFold', 'reference/splitters/StratifiedGroupKFold'],
    ['near duplicate', 'checks/CVL003'],
    ['patients in both folds', 'checks/CVL001'],
    ['calibration slope', 'reference/metrics/calibration_slope'],
  ])(
    'the search finds %s',
    async (words, path) => {
      const { context, page } = await openPage(browser as Browser, server.url);
      await page.getByRole('button', { name: 'Search' }).first().click();
      await page.locator('#localsearch-input').fill(words);
      await page.locator('#localsearch-list a').first().waitFor();
      const found = await page
        .locator('#localsearch-list a')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
      expect(
        found.slice(0, 5).map((href) => href.replace(BASE, '').replace(/#.*$/, '')),
        words,
      ).toContain(path);
      await context.close();
    },
    60_000,
  );
});
