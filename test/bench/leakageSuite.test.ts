/** The leakage suite in its smoke size: a leak and clean data for every check, chunks are kept, and a seed gives the same again. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { leakageChecks } from '../../src/checkers/builtInChecks.js';
import { needDist } from '../meta/dist.js';
import { ROOT } from '../meta/program.js';

const folder = mkdtempSync(join(tmpdir(), 'cvkit-leakage-'));
const results = `${join(folder, 'results')}-smoke`;
beforeAll(needDist);
afterAll(() => rmSync(folder, { recursive: true }));

function suite(...args: string[]): string {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['bench/leakage/index.mjs', '--smoke', '--results', join(folder, 'results'), ...args],
    { cwd: ROOT, encoding: 'utf8', timeout: 60_000 },
  );
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

/** What was found, without the progress. */
const overview = (output: string) => output.match(/^CV.*$/gm);

it('judges cases of every check, goes on where it stopped, and prints what it found', () => {
  const first = suite();
  const [, chunks] = first.match(/^(\d+) chunks of \d+ scenarios with seed 20260101, \1 to do\n/) ?? [];
  expect(Number(chunks)).toBeGreaterThanOrEqual(2 * leakageChecks.length);
  expect(first).not.toMatch(/NaN|undefined|Infinity/);
  for (const { code } of leakageChecks) {
    expect(first).toMatch(new RegExp(`^${code} planted \\d+/\\d+ \\(sensitivity [01]\\.\\d{3} to 1\\.000\\)`, 'm'));
  }

  const [lost] = readdirSync(results);
  const before = readFileSync(join(results, lost), 'utf8');
  rmSync(join(results, lost));
  const second = suite();
  expect(second).toMatch(/^\d+ chunks of \d+ scenarios with seed 20260101, 1 to do\n/);
  expect(readFileSync(join(results, lost), 'utf8')).toBe(before);
  expect(overview(second)).toEqual(overview(first));

  // A part of the suite has the same cases, and an overview of them alone.
  const part = suite('--check', 'CVL004');
  expect(part).toMatch(/^2 chunks of \d+ scenarios with seed 20260101, 0 to do\n/);
  expect(overview(part)).toEqual(overview(first)?.filter((line) => line.startsWith('CVL004')));
});
