/**
 * Makes `npm run demo` and `npm test` work on a fresh clone: installs what the lockfile says, builds what is out of
 * date, and does nothing (no network either) when both are as they should be.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
process.chdir(ROOT);

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  stop(`cvkit needs Node 20.19 or newer. This is Node ${process.versions.node}.`);
}
if (!installed()) {
  console.error('Installing the packages of package-lock.json (npm ci) ...');
  run(...npm('ci'));
}
if (!built()) {
  console.error('Building dist ...');
  run(process.execPath, ['scripts/build.mjs']);
}

/** Whether node_modules holds the packages of the lockfile, by npm's own record; times of files would not tell. */
function installed() {
  const record = 'node_modules/.package-lock.json';
  if (!existsSync(record)) return false;
  const present = packagesOf(record);
  return Object.entries(packagesOf('package-lock.json')).every(
    // What is optional is left out on other platforms.
    ([where, { version, optional }]) =>
      where === '' || present[where]?.version === version || (optional && !present[where]),
  );
}

function packagesOf(lockfile) {
  return JSON.parse(readFileSync(lockfile, 'utf8')).packages;
}

/** Whether dist is complete and newer than everything that it is made from. */
function built() {
  // The last file that a build writes.
  const last = 'dist/node/index.js';
  if (!existsSync(last)) return false;
  const folders = ['src', 'adapters', 'test/conformance'];
  const settings = ['scripts/build.mjs', 'package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];
  const { mtimeMs } = statSync(last);
  return [...folders, ...settings].every((input) => newest(input) <= mtimeMs);
}

/** Time of the newest file or folder below; a folder counts since it tells when a file was removed. */
function newest(path) {
  const stats = statSync(path, { throwIfNoEntry: false });
  if (!stats) return 0;
  if (!stats.isDirectory()) return stats.mtimeMs;
  return Math.max(stats.mtimeMs, ...readdirSync(path).map((name) => newest(join(path, name))));
}

/** The npm that runs this script, or the one on the path. */
function npm(...args) {
  const script = process.env.npm_execpath;
  return script?.endsWith('.js') ? [process.execPath, [script, ...args]] : ['npm', args];
}

function run(command, args) {
  const { status, signal, error } = spawnSync(command, args, {
    stdio: ['inherit', 2, 2],
    shell: process.platform === 'win32' && command === 'npm',
  });
  if (error) stop(`${command} could not be started: ${error.message}`);
  if (signal) stop(`${command} ${args.join(' ')} was ended by ${signal}.`);
  if (status !== 0) stop(`${command} ${args.join(' ')} failed; its messages are above.`, status);
}

function stop(message, code = 1) {
  console.error(message);
  process.exit(code);
}
