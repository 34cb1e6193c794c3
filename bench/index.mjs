/** Runs every benchmark of this folder in turn, each in a process of its own. */
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const folder = import.meta.dirname;
const names = readdirSync(folder).filter((name) => name.endsWith('.mjs') && name !== 'index.mjs');
for (const name of names.sort()) {
  console.log(`\n=== ${name}`);
  const { status } = spawnSync(process.execPath, [...process.execArgv, join(folder, name)], { stdio: 'inherit' });
  if (status !== 0) {
    console.error(`${name} failed.`);
    process.exitCode = 1;
  }
}
