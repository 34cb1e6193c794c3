/** A folder by plain GET on loopback, as any static host serves it. */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join, normalize } from 'node:path';

const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.md': 'text/markdown; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/**
 * @param {string} folder
 * @param {string} [base] path under which it is served, with a slash at both ends
 * @returns {Promise<{ url: string, close(): Promise<void> }>}
 */
export async function staticServer(folder, base = '/') {
  /** The file of an address: itself, that of a folder, or the page whose address has no ending. */
  const fileOf = (path) =>
    [path, join(path, 'index.html'), `${path}.html`].find((each) => existsSync(each) && statSync(each).isFile());
  const server = createServer(({ url = '/' }, response) => {
    const { pathname } = new URL(url, 'http://localhost');
    const within = pathname.startsWith(base) ? normalize(decodeURIComponent(pathname.slice(base.length))) : '..';
    const file = within.startsWith('..') ? undefined : fileOf(join(folder, within));
    if (!file) return response.writeHead(404).end();
    response.setHeader('content-type', TYPES[extname(file)] ?? 'application/octet-stream');
    return response.end(readFileSync(file));
  });
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    url: `http://127.0.0.1:${server.address().port}${base}`,
    close: () =>
      new Promise((closed) => {
        server.closeAllConnections();
        server.close(closed);
      }),
  };
}
