/**
 * Writes the documentation as static files, to be served by plain GET: the three documents for machines at the root, the
 * pages as Markdown, and an index. The address of `api-schema.json` and of what its `$schema` names stay as in the package.
 *
 * Usage: node scripts/site.mjs [folder, by default `site`]
 */
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const out = resolve(process.argv[2] ?? join(ROOT, 'site'));
const textOf = (path) => readFileSync(join(ROOT, path), 'utf8');

/** Address to file: what agents fetch. */
const MACHINES = {
  'llms.txt': 'llms.txt',
  'llms-full.txt': 'docs/llms-full.txt',
  'api-schema.json': 'api-schema.json',
};

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
for (const [address, path] of Object.entries(MACHINES)) cpSync(join(ROOT, path), join(out, address));
const COPIED = ['docs', 'examples', 'README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'AGENTS.md', 'LICENSE'];
for (const path of [...COPIED, 'SECURITY.md', 'THIRD-PARTY.md']) {
  cpSync(join(ROOT, path), join(out, path), { recursive: true });
}
for (const path of readdirSync(out, { recursive: true }).filter((each) => each.endsWith('.md'))) {
  writeFileSync(join(out, path), withoutMarks(readFileSync(join(out, path), 'utf8')));
}
writeFileSync(join(out, 'index.html'), index(JSON.parse(textOf('package.json'))));
console.log(`wrote ${out}`);

/** Without the marks between which text is generated; they are for those who edit. */
function withoutMarks(page) {
  return page.replace(/^<!-- (\/generated|generated: .+?) -->\n\n?/gm, '');
}

function index({ name, version, description }) {
  // In the order in which docs/README.md tells of them.
  const pages = [...textOf('docs/README.md').matchAll(/^- \[(.+?)\]\((\w[\w-]*\.md)\)/gm)];
  const link = (address, text) => `<li><a href="${address}">${escaped(text)}</a></li>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${name} ${version}</title>
<style>:root { color-scheme: light dark; } body { font: 16px/1.6 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }</style>
</head>
<body>
<h1>${name} ${version}</h1>
<p>${escaped(description)}</p>
<h2>Pages</h2>
<ul>
${link('README.md', 'Overview')}
${link('docs/README.md', 'All pages, as Markdown')}
${pages.map(([, title, file]) => link(`docs/${file}`, title)).join('\n')}
${link('CHANGELOG.md', 'Changes')}
</ul>
<h2>For assistants and programs</h2>
<ul>
${[...Object.keys(MACHINES), 'docs/api-schema.schema.json'].map((address) => link(address, address)).join('\n')}
</ul>
</body>
</html>
`;
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('`', '');
}
