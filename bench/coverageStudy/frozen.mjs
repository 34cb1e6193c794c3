/** The frozen judging grid: which commit froze it, and whether the file is still the same. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FILE = new URL('judgingGrid.mjs', import.meta.url);
const RECORD = new URL('frozen.json', import.meta.url);
export const GRID_PATH = 'bench/coverageStudy/judgingGrid.mjs';

const sha256 = (text) => createHash('sha256').update(text).digest('hex');

/**
 * `{ commit, seed, sha256 }` of a grid file frozen at a commit: the seed of the judging grid is the start of the
 * commit's hash.
 */
export const recordOf = (commit, text) => ({
  commit,
  seed: Number.parseInt(commit.slice(0, 8), 16),
  sha256: sha256(text),
});

/** The record, or undefined before the grid was frozen. */
export const frozen = () => (existsSync(RECORD) ? JSON.parse(readFileSync(RECORD, 'utf8')) : undefined);

/**
 * What is wrong with the frozen grid, as a list of sentences: empty when the file is the one that was frozen and the
 * seed comes from the hash. Where git knows the commit, the file of that commit is compared, too.
 */
export function frozenFaults(record = frozen(), text = readFileSync(FILE, 'utf8')) {
  if (!record) return ['The judging grid is not frozen yet: commit it, then run node bench/coverageStudy/freeze.mjs.'];
  const expected = recordOf(record.commit, text);
  const faults = [];
  if (expected.sha256 !== record.sha256) faults.push(`${GRID_PATH} is not the file that was frozen.`);
  if (expected.seed !== record.seed) faults.push('The seed does not come from the hash of the commit.');
  const committed = gridAt(record.commit);
  if (committed !== undefined && committed !== text) faults.push(`${GRID_PATH} differs from that of ${record.commit}.`);
  return faults;
}

/** The grid file of a commit; undefined without git, or where the commit is not known (a shallow clone, a package). */
export function gridAt(commit) {
  const cwd = fileURLToPath(new URL('../..', import.meta.url));
  const { status, stdout } = spawnSync('git', ['show', `${commit}:${GRID_PATH}`], { cwd, encoding: 'utf8' });
  return status === 0 ? stdout : undefined;
}
