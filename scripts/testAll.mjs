/**
 * What `npm test` leaves out: tests that are tagged `slow`, then whole journeys, browsers, rules about the sources, and the
 * tests of the runner with folds that run at once. Goes on after a failure, and exits with 1 if there was one.
 *
 * Usage: node scripts/testAll.mjs [reports]
 *
 * With a folder, it gets the two reports of vitest as JSON.
 */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
await import('./setup.mjs');

const [reports] = process.argv.slice(2);
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
const RUNS = {
  slow: ['--project=slow', '--project=slow isolated', '--tags-filter=slow'],
  // What is slow has run once: folds at once repeat the rest.
  rest: ['--project=meta', '--project=whole', '--project=folds at once', '--tags-filter=!slow'],
};

let failed = false;
for (const [name, options] of Object.entries(RUNS)) {
  const report = reports
    ? ['--reporter=default', '--reporter=json', `--outputFile.json=${join(reports, `${name}.json`)}`]
    : [];
  const { status } = spawnSync(process.execPath, [vitest, 'run', ...options, ...report], { stdio: 'inherit' });
  failed ||= status !== 0;
}
process.exitCode = failed ? 1 : 0;
