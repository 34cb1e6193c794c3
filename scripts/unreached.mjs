/**
 * Removes what no entry of package.json leads to: of dist/modules what Node alone uses, which it has in dist/node, and of
 * dist/types the declarations of inner files that no public type names.
 */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import ts from 'typescript';

/**
 * @param folder in which files go
 * @param entries paths of those that stay, with all that they import
 * @param ending of the files, which imports name as `.js`
 */
export function dropUnreached(folder, entries, ending) {
  const reached = new Set();
  const remaining = entries.map((path) => resolve(path));
  for (let path = remaining.pop(); path !== undefined; path = remaining.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    for (const name of namedIn(readFileSync(path, 'utf8'))) {
      remaining.push(resolve(dirname(path), name.replace(/\.js$/, ending)));
    }
  }
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const path = resolve(folder, name);
    if (path.endsWith(ending) && !reached.has(path)) rmSync(path);
  }
}

/** Files of the package that a file imports, or starts as a worker. */
function namedIn(code) {
  const imported = ts.preProcessFile(code, true, true).importedFiles.map(({ fileName }) => fileName);
  const started = [...code.matchAll(/\bnew Worker\(new URL\('(\.[^']+)', import\.meta\.url\)/g)].map(
    ([, name]) => name,
  );
  return [...imported.filter((name) => name.startsWith('.')), ...started];
}

/** Targets of `exports` and `imports` below a folder; a star stands for each of `names`. */
export function targetsBelow(folder, { exports, imports }, names) {
  const leaves = (row) => (typeof row === 'string' ? [row] : Object.values(row).flatMap(leaves));
  return [...leaves(exports), ...leaves(imports)]
    .filter((target) => target.startsWith(`./${folder}/`))
    .flatMap((target) => (target.includes('*') ? names.map((name) => target.replaceAll('*', name)) : [target]))
    .map((target) => join(target));
}
