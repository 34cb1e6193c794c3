import { chromium } from 'playwright-core';
import { staticServer } from './test/helpers/staticServer.mjs';

const [root, ...pages] = process.argv.slice(2);
const s = await staticServer(root, '/cvkit/');
const b = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--no-sandbox', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-gpu'],
});
for (const spec of pages) {
  const [path, width = '1280', scheme = 'light'] = spec.split('@');
  const p = await b.newPage({ viewport: { width: Number(width), height: 850 }, colorScheme: scheme });
  p.on('pageerror', (e) => console.log(path, 'pageerror', e.message));
  p.on('console', (m) => m.type() === 'error' && console.log(path, m.text()));
  await p.goto(s.url + path);
  await p.waitForTimeout(600);
  await p.screenshot({ path: `/tmp/s-${(path || 'home').replaceAll('/', '_')}-${width}-${scheme}.png` });
  await p.close();
}
await b.close();
await s.close();
