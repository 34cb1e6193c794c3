/** Pages in Chromium: bundled for a browser, served from this machine alone, asked once. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { rolldown } from 'rolldown';
import { chromiumPath, PLACES } from '../helpers/chromiumPath.mjs';
import { ROOT } from '../meta/program.js';

export const LIMIT = 45_000;
export const chromium = chromiumPath;
export const NO_CHROMIUM = `no Chromium at ${PLACES.join(', ')}; CHROME_PATH can name one`;

type Files = ReadonlyMap<string, string | Uint8Array>;

/**
 * The files of a page by name: cvkit and the program `page`, which exports `outcome`, with the conditions of a browser.
 *
 * @param others modules of their own by name, which share with the page what they have in common
 */
export async function bundled(page: string, others: Readonly<Record<string, string>> = {}) {
  const build = await rolldown({ input: { page, ...others }, platform: 'browser', cwd: ROOT, logLevel: 'silent' });
  const { output } = await build.generate({ format: 'esm' });
  await build.close();
  return new Map<string, string | Uint8Array>(
    output.flatMap((file) => (file.type === 'chunk' ? [[`/${file.fileName}`, file.code]] : [])),
  );
}

const HTML = `<!doctype html><meta charset="utf-8"><script type="module">
  const told = await import('/page.js').then(({ outcome }) => outcome()).catch((error) => ({ error: String(error) }));
  await fetch('/done', { method: 'POST', body: JSON.stringify(told) });
</script>`;

/**
 * What the page tells, once; the browser is ended then, or when the time is over.
 *
 * @param headers of every file
 */
export async function toldBy(
  browser: string,
  files: Files,
  headers: Readonly<Record<string, string>> = {},
): Promise<Record<string, unknown>> {
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
    response.setHeaders(new Map(Object.entries(headers)));
    response.setHeader('content-type', code === undefined ? 'text/html' : typeOf(request.url ?? ''));
    response.end(code ?? HTML);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const quiet = ['--disable-gpu', '--disable-background-networking', '--no-first-run', '--disable-component-update'];
  const started = spawn(browser, ['--headless', '--no-sandbox', ...quiet, `--user-data-dir=${profile}`, address], {
    stdio: 'ignore',
    detached: true, // a group of its own, so that its helpers end with it and write no more into the profile
  });
  const ended = new Promise((done) => started.once('close', done));
  started.once('error', fail);
  started.once('exit', (code) => fail(new Error(`the browser ended with ${code}`)));
  const timer = setTimeout(() => fail(new Error(`the page told nothing in ${LIMIT / 1000} s`)), LIMIT);
  try {
    return JSON.parse(await told);
  } finally {
    clearTimeout(timer);
    if (started.pid !== undefined && started.exitCode === null) process.kill(-started.pid, 'SIGKILL');
    await ended;
    server.closeAllConnections();
    server.close();
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  }
}

const typeOf = (url: string) =>
  ({ '.js': 'text/javascript', '.wasm': 'application/wasm' })[extname(url)] ?? 'application/octet-stream';
