/**
 * Builds the site, to be served by plain GET: the pages of `docs` with a search, the Markdown of each beside it, the
 * documents for machines at the root, and the playground. Where it will be served is `CVKIT_SITE_BASE`, by default `/cvkit/`.
 *
 * Usage: node scripts/site.mjs [folder, by default `site`]
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

const out = resolve(process.argv[2] ?? 'site');
process.env.CVKIT_SITE_OUT = out;

// The configuration reads the environment when it is loaded.
const { build: buildPages } = await import('vitepress');
const { build: buildApp } = await import('vite');
const { sourceLink } = await import('../docs/.vitepress/sourceLink.mjs');

rmSync(out, { recursive: true, force: true });
await buildPages('docs', { logLevel: 'error' });
await buildApp({
  configFile: 'docs/.vitepress/playground/vite.config.mjs',
  build: { outDir: join(out, 'playground') },
  logLevel: 'error',
});

const MACHINES = {
  'llms.txt': 'llms.txt',
  'llms-full.txt': 'docs/llms-full.txt',
  'api-schema.json': 'api-schema.json',
  'api-schema.small.json': 'api-schema.small.json',
  // `$schema` of api-schema.json, from where that lies.
  'docs/api-schema.schema.json': 'docs/api-schema.schema.json',
};
for (const [address, path] of Object.entries(MACHINES)) copied(path, address);
for (const path of readdirSync('docs', { recursive: true }).map((name) => name.replaceAll('\\', '/'))) {
  if (path.startsWith('.') || path.startsWith('public/')) continue;
  if (path.endsWith('.md')) written(path, markdownOf(path));
  if (/\.(json|svg|png)$/.test(path)) copied(join('docs', path), path);
}
console.log(`wrote ${out}`);

function copied(from, to) {
  cpSync(from, join(out, to));
}

function written(path, text) {
  mkdirSync(dirname(join(out, path)), { recursive: true });
  writeFileSync(join(out, path), text);
}

/** Without the marks between which text is generated, which are for those who edit. */
function markdownOf(path) {
  return readFileSync(join('docs', path), 'utf8')
    .replace(/^<!-- (\/generated|generated: .+?) -->\n\n?/gm, '')
    .replace(/\]\((\.\.\/[^)\s]+)\)/g, (_all, href) => `](${sourceLink(href, path) ?? href})`);
}
