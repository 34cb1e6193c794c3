/** A page in Chromium that a test clicks through, and what axe says of it. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, type BrowserContextOptions, chromium as driver, type Page } from 'playwright-core';

const QUIET = ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking'];
const NO_UPDATES = ['--disable-component-update', '--disable-sync'];

/** Trains on WebGPU without a graphics card. */
export const SOFTWARE_GPU = [
  '--enable-unsafe-webgpu',
  '--enable-features=Vulkan,WebGPU',
  '--use-webgpu-adapter=swiftshader',
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
];

export const openBrowser = (executablePath: string, gpu: readonly string[] = ['--disable-gpu']): Promise<Browser> =>
  driver.launch({ executablePath, args: [...QUIET, ...NO_UPDATES, ...gpu] });

/** A page that keeps its errors, and the addresses that it asked for. */
export async function openPage(browser: Browser, url: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const errors: string[] = [];
  const requests: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('console', (line) => line.type() === 'error' && errors.push(line.text()));
  context.on('request', (request) => requests.push(request.url()));
  await page.goto(url);
  return { context, page, errors, requests };
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Rules of axe that the page breaks, with where. */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(axe);
  return page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
    interface Violation {
      readonly id: string;
      readonly nodes: readonly { readonly target: readonly string[] }[];
    }
    const { violations } = await axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
  });
}

/** Whether the page is wider than its window, so that a reader has to scroll sideways. */
export const overflows = (page: Page): Promise<boolean> =>
  page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
