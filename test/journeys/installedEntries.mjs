/** Imports and requires every entry of the package that is installed here; installed.test.ts copies it into a user's folder. */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const place = new URL('./node_modules/cvkit/', import.meta.url);
const { exports } = JSON.parse(readFileSync(new URL('package.json', place), 'utf8'));

/** Adapters as the files of the package have them, also those in folders of others. */
const adapters = readdirSync(new URL('dist/node/adapters/', place), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.js'))
  .map((name) => name.replaceAll('\\', '/').replace(/\.js$/, ''));
const names = Object.entries(exports).flatMap(([entry, target]) => {
  const name = entry.replace(/^\./, 'cvkit');
  if (typeof target === 'string') return [];
  return name.includes('*') ? adapters.map((adapter) => name.replace('*', adapter)) : [name];
});
const files = Object.entries(exports).filter(([, target]) => typeof target === 'string');

const counts = {};
for (const name of names) {
  const imported = await import(name);
  const required = require(name);
  const same = Object.keys(imported).every((key) => imported[key] === required[key]);
  counts[name] = same ? Object.keys(imported).length : 'import and require give different things';
}
const texts = Object.fromEntries(
  files.map(([entry]) => [entry, readFileSync(require.resolve(entry.replace(/^\./, 'cvkit')), 'utf8').length]),
);
console.log(JSON.stringify({ node: process.versions.node, counts, texts }));
