/**
 * What `npm test` leaves out: tests that are tagged `slow`, then whole journeys, browsers, rules about the sources, and the
 * tests of the runner with folds that run at once. Goes on after a failure, and exits with 1 if there was one.
 *
 * Usage: node scripts/testAll.mjs [reports]
 *
 * With a folder, it gets the reports of vitest as JSON.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
await import('./setup.mjs');

const [reports] = process.argv.slice(2);
const vitest = join(dirname(createRequire(import.meta.url).resolve('vitest/package.json')), 'vitest.mjs');
/** Those of a line run at once. */
const LINES = [
  {
    slow: ['--project=slow', '--project=slow isolated', '--tags-filter=slow'],
    waiting: ['--project=waiting', '--tags-filter=slow'],
  },
  // What is slow has run once: folds at once repeat the rest.
  { rest: ['--project=meta', '--project=whole', '--project=folds at once', '--tags-filter=!slow'] },
];

async function passes([name, options]) {
  const report = reports
    ? ['--reporter=default', '--reporter=json', `--outputFile.json=${join(reports, `${name}.json`)}`]
    : [];
  const [status] = await once(
    spawn(process.execPath, [vitest, 'run', ...options, ...report], { stdio: 'inherit' }),
    'exit',
  );
  return status === 0;
}

let failed = false;
for (const line of LINES) {
  const all = await Promise.all(Object.entries(line).map(passes));
  failed ||= all.includes(false);
}
process.exitCode = failed ? 1 : 0;
