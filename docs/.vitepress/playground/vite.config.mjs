/** Builds the playground: one page, a worker, and a service worker that keeps both for use without a network. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const placeOf = (path) => fileURLToPath(new URL(path, import.meta.url));
const jsx = { runtime: 'automatic', importSource: 'preact' };

/** Folders of the packages whose code is in the page or in its worker. */
const packages = new Set();
const remembersPackages = {
  name: 'packages',
  generateBundle(_options, bundle) {
    const ids = Object.values(bundle).flatMap(({ moduleIds = [] }) => moduleIds);
    for (const id of ids) {
      const [folder] = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id) ?? [];
      if (folder) packages.add(folder);
    }
  },
};

export default defineConfig({
  root: placeOf('.'),
  // Wherever the site is served.
  base: './',
  oxc: { jsx },
  worker: { format: 'es', plugins: () => [remembersPackages] },
  resolve: {
    alias: [{ find: /^onnxruntime-web$|^.*\/webWorkers\.js$/, replacement: placeOf('./neverCalled.ts') }],
  },
  build: {
    target: 'es2023',
    // A page that may connect to nothing cannot fetch ahead.
    modulePreload: false,
    assetsInlineLimit: 0,
    emptyOutDir: true,
    chunkSizeWarningLimit: 2000,
  },
  plugins: [remembersPackages, licences(), offline()],
});

/** Writes the licences of these packages beside the page, as they ask for. */
function licences() {
  const about = (folder) => {
    const { name, version, license, author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
    // tfjs has its copyright in its sources alone.
    const text = file ? readFileSync(join(folder, file), 'utf8').trim() : `Copyright ${author?.name ?? author ?? name}`;
    return `${name} ${version}, ${license}\n\n${text}\n`;
  };
  return {
    name: 'licences',
    writeBundle: ({ dir }) =>
      writeFileSync(
        join(dir, 'licences.txt'),
        [...packages]
          .sort()
          .map(about)
          .join(`\n${'-'.repeat(60)}\n\n`),
      ),
  };
}

/** Keeps every file of the page under a name that changes with their names, and so with what is in them. */
function offline() {
  return {
    name: 'offline',
    writeBundle({ dir }) {
      const isKept = (name) => /\.\w+$/.test(name) && name !== 'index.html';
      const files = [
        './',
        ...readdirSync(dir, { recursive: true })
          .map((name) => name.replaceAll('\\', '/'))
          .filter(isKept),
      ];
      const version = createHash('sha256')
        .update(files.join('\n'))
        .update(readFileSync(join(dir, 'index.html')))
        .digest('hex');
      const source = OFFLINE.replace('VERSION', `cvkit-${version.slice(0, 12)}`).replace(
        'FILES',
        JSON.stringify(files),
      );
      writeFileSync(join(dir, 'offline.js'), source);
    },
  };
}

/** A page that is open keeps the files that it began with: the next version takes over when no page is open. */
const OFFLINE = `const version = 'VERSION';
const files = FILES;

addEventListener('install', (event) => {
  const fresh = files.map((file) => new Request(file, { cache: 'reload' }));
  event.waitUntil(caches.open(version).then((cache) => cache.addAll(fresh)));
});

addEventListener('activate', (event) => {
  const old = (names) => names.filter((name) => name.startsWith('cvkit-') && name !== version);
  event.waitUntil(
    caches.keys().then((names) => Promise.all(old(names).map((name) => caches.delete(name)))).then(() => clients.claim()),
  );
});

addEventListener('fetch', (event) => {
  const kept = caches.open(version).then((cache) => cache.match(event.request));
  event.respondWith(kept.then((response) => response ?? fetch(event.request)));
});
`;
