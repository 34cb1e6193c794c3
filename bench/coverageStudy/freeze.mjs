/**
 * Freezes the judging grid: writes frozen.json with the hash of HEAD, which must hold the grid as it is, and the seed
 * made of it. The judging grid is run after this, and never changed again.
 *
 * node bench/coverageStudy/freeze.mjs
 */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { frozen, GRID_PATH, gridAt, recordOf } from './frozen.mjs';

const refuse = (sentence) => {
  console.error(sentence);
  process.exit(1);
};
if (frozen()) refuse('The judging grid is frozen already; a new grid needs a new version of the study.');
const cwd = fileURLToPath(new URL('.', import.meta.url));
const { status, stdout } = spawnSync('git', ['rev-parse', 'HEAD'], { cwd, encoding: 'utf8' });
if (status !== 0) refuse('The grid is frozen at a commit: run this in a git repository.');
const commit = stdout.trim();
const text = readFileSync(new URL('judgingGrid.mjs', import.meta.url), 'utf8');
if (gridAt(commit) !== text) refuse(`${GRID_PATH} differs from that of HEAD: commit it first.`);
writeFileSync(new URL('frozen.json', import.meta.url), `${JSON.stringify(recordOf(commit, text), null, 2)}\n`);
console.log(`Frozen at ${commit}.`);
