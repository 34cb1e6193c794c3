import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { npm } from './npm.mjs';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Names of the starter projects, folders of examples/starters. */
export const STARTERS = ['csv', 'network', 'onnx', 'page'];

/**
 * A starter as one who copies it has it, installed, with this package in the place of the published one.
 *
 * @param {string} name
 * @param {string} folder where its copy goes, a folder of its own; the archive of this package is made beside it, once
 * @param {string} archive path of the packed package
 */
export function installStarter(name, folder, archive) {
  cpSync(join(ROOT, 'examples/starters', name), folder, { recursive: true });
  const path = join(folder, 'package.json');
  const own = JSON.parse(readFileSync(path, 'utf8'));
  own.dependencies.cvkit = `file:${archive}`;
  writeFileSync(path, JSON.stringify(own));
  npm(['install', '--prefer-offline', '--no-audit', '--no-fund', '--ignore-scripts'], folder);
}

/** The archive of this package, written into a folder. */
export function archiveIn(folder) {
  const [{ filename }] = JSON.parse(npm(['pack', '--json', '--pack-destination', folder], ROOT));
  return join(folder, filename);
}
