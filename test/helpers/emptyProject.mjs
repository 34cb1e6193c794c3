import { mkdirSync, mkdtempSync, readdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/**
 * A folder of its own in which this package and some of those beside it are installed, by links; the caller removes it.
 *
 * @param {string} prefix of its name
 * @param {readonly string[]} [packages] names or scopes in node_modules; left out, all
 * @returns {string}
 */
export function emptyProject(prefix, packages) {
  const folder = mkdtempSync(join(tmpdir(), prefix));
  const link = (target, name) => symlinkSync(target, join(folder, 'node_modules', name), 'junction');
  mkdirSync(join(folder, 'node_modules'));
  link(ROOT, 'cvkit');
  const all = () => readdirSync(join(ROOT, 'node_modules')).filter((name) => !name.startsWith('.') && name !== 'cvkit');
  for (const name of packages ?? all()) link(join(ROOT, 'node_modules', name), name);
  return folder;
}
