/** What was tried for the training part of the default interval, on a few data sets: every part runs and prints numbers. */
import { spawnSync } from 'node:child_process';
import { beforeAll, expect, it } from 'vitest';
import { needDist } from '../../meta/dist.js';
import { ROOT } from '../../meta/program.js';

beforeAll(needDist);

const run = (...args: string[]) =>
  spawnSync(process.execPath, ['bench/intervals/alternatives.mjs', '--trainingSets', '4', ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 120_000,
  });

it('prints a table of each part', () => {
  const { stdout, stderr, status } = run('--repetitions', '3');
  expect([status, stderr]).toEqual([0, '']);
  expect(stdout.match(/^(Repeats|Warm starts|Five halvings): .*\(.*3 data sets\)$/gm)).toHaveLength(3);
  // Four metrics: of four scenarios, of four ways to start, and of four scenarios again.
  expect(stdout.match(/^\| .* \|$/gm)).toHaveLength(3 * (2 + 16));
  expect(stdout).not.toMatch(/NaN|undefined|Infinity/);
}, 180_000);

it('runs one part alone, and says which there are', () => {
  const alone = run('--repetitions', '2', '--only', 'warm');
  expect([alone.status, alone.stdout.match(/data sets\)$/gm)?.length]).toEqual([0, 1]);
  const { status, stderr } = run('--only', 'cold');
  expect([status, stderr]).toEqual([1, '--only must be one of repeats, warm, five; got cold.\n']);
}, 60_000);
