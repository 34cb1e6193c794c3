/** Runs the benchmarks of this folder in turn, each in a process of its own; ends with 1 when one misses a goal. */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

const PARTS = ['noise.mjs', 'parallel.mjs', 'tpe.mjs'];

for (const name of PARTS.filter((each) => existsSync(join(import.meta.dirname, each)))) {
  console.log(`\n=== tuning/${name}`);
  const { status } = spawnSync(process.execPath, [...process.execArgv, join(import.meta.dirname, name)], {
    stdio: 'inherit',
  });
  if (status !== 0) {
    console.error(`tuning/${name} failed.`);
    process.exitCode = 1;
  }
}
