/** Runs in a page: the package as a bundler takes it, in Chromium, where no platform tells runs apart. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { beforeAll, expect, it } from 'vitest';
import { needDist } from '../meta/dist.js';
import { ROOT } from '../meta/program.js';

const PAGE = join(ROOT, 'test/journeys/browserPage.mjs');
const LIMIT = 45_000;
const PLACES = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const chromium = process.env.CHROME_PATH ?? PLACES.find((place) => existsSync(place));

beforeAll(needDist);

/** The files of the page by name: cvkit and the program, with the conditions of a browser. */
async function bundled(): Promise<Map<string, string>> {
  const build = await rolldown({ input: { page: PAGE }, platform: 'browser', cwd: ROOT, logLevel: 'silent' });
  const { output } = await build.generate({ format: 'esm' });
  await build.close();
  return new Map(output.flatMap((file) => (file.type === 'chunk' ? [[`/${file.fileName}`, file.code]] : [])));
}

const HTML = `<!doctype html><meta charset="utf-8"><script type="module">
  const told = await import('/page.js').then(({ outcome }) => outcome()).catch((error) => ({ error: String(error) }));
  await fetch('/done', { method: 'POST', body: JSON.stringify(told) });
</script>`;

/** What the page tells, once; the browser is ended then, or when the time is over. */
async function toldBy(browser: string, files: ReadonlyMap<string, string>): Promise<Record<string, unknown>> {
  const profile = mkdtempSync(join(tmpdir(), 'cvkit-page-'));
  let tell: (body: string) => void = () => undefined;
  let fail: (reason: Error) => void = () => undefined;
  const told = new Promise<string>((resolve, reject) => {
    [tell, fail] = [resolve, reject];
  });
  const server = createServer((request, response) => {
    if (request.url === '/done') {
      let body = '';
      request.on('data', (part) => {
        body += part;
      });
      request.on('end', () => {
        response.end();
        tell(body);
      });
      return;
    }
    const code = files.get(request.url ?? '');
    response.setHeader('content-type', code === undefined ? 'text/html' : 'text/javascript');
    response.end(code ?? HTML);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const quiet = ['--disable-gpu', '--disable-background-networking', '--no-first-run', '--disable-component-update'];
  const started = spawn(browser, ['--headless', '--no-sandbox', ...quiet, `--user-data-dir=${profile}`, address], {
    stdio: 'ignore',
  });
  const ended = new Promise((done) => started.once('close', done));
  started.once('error', fail);
  started.once('exit', (code) => fail(new Error(`the browser ended with ${code}`)));
  const timer = setTimeout(() => fail(new Error(`the page told nothing in ${LIMIT / 1000} s`)), LIMIT);
  try {
    return JSON.parse(await told);
  } finally {
    clearTimeout(timer);
    started.kill('SIGKILL');
    await ended;
    server.closeAllConnections();
    server.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

it(
  'runs at once wait for each other in a page, runs with `parent` do not, and all give what they give in Node',
  async ({ skip }) => {
    if (!chromium) return skip(`no Chromium at ${PLACES.join(', ')}; CHROME_PATH can name one`);
    const found = await toldBy(chromium, await bundled());
    expect(found.error).toBeUndefined();
    expect(found.both).toEqual(found.alone);
    expect(found.begun).toEqual([1, 1, 1, 2, 2, 2]);
    const [, second] = found.alone as unknown[];
    expect(found.inside).toEqual([second, second, second]);
    expect(found).toMatchObject({ outer: 3, restored: true });
    expect(found.withoutParent).toContain('must be given the `parent` option');
    const { outcome } = await import('./browserPage.mjs');
    const inNode = JSON.parse(JSON.stringify(await outcome()));
    expect(found.alone).toEqual(inNode.alone);
    expect(inNode).toMatchObject({ both: inNode.alone, withoutParent: 'done', restored: true });
  },
  2 * LIMIT,
);
