/** The study of compareModels in its smoke size: every scenario runs, chunks are kept, and a seed gives the same again. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { needDist } from '../meta/dist.js';
import { ROOT } from '../meta/program.js';

const folder = mkdtempSync(join(tmpdir(), 'cvkit-comparison-'));
const results = `${join(folder, 'results')}-smoke`;
beforeAll(needDist);
afterAll(() => rmSync(folder, { recursive: true }));

function study(): string {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['bench/comparisonStudy/index.mjs', '--smoke', '--results', join(folder, 'results')],
    { cwd: ROOT, encoding: 'utf8', timeout: 180_000 },
  );
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}

it('runs every scenario once, goes on where it stopped, and says what it found', () => {
  const first = study();
  expect(first).toMatch(/^16 chunks of 12 scenarios with seed 20261125, 16 to do\n/);
  const tables = first.slice(first.indexOf('| two equal ones'));
  expect(tables.match(/^\| .*-\d+-\d+ \| (roc_auc|accuracy|brier) \|/gm)).toHaveLength(48);
  expect(tables).not.toMatch(/NaN|undefined|Infinity/);
  // Half contrasts of the difference have a share, a ratio and a width everywhere but for scores that nobody trains.
  const lines = tables.split('\n').map((line) => line.slice(2, -2).split(' | '));
  for (const [length, places, rows] of [
    [10, [3, 7, 9], 24],
    [9, [4, 7], 12],
    [7, [2, 5], 12],
  ] as const) {
    const [titles, ...cells] = lines.filter((line) => line.length === length);
    expect(titles.flatMap((title, at) => (title.includes('`halfContrasts`') ? [at] : []))).toEqual(places);
    expect(cells).toHaveLength(rows);
    for (const line of cells) {
      const wanted = line[0].startsWith('fixed scores ') ? /^—$/ : /^\d\.\d+$/;
      for (const place of places) expect(line[place]).toMatch(wanted);
    }
  }
  expect(tables).toMatch(/^Repetitions: 3 \((\S+, ){11}\S+\)\.$/m);
  expect(tables).toMatch(/^Without `halfContrasts`: .*\b3 \((\S+, )*fixed-score-100-1, fixed-score-60-6\)/m);

  const [lost] = readdirSync(results);
  const before = readFileSync(join(results, lost), 'utf8');
  rmSync(join(results, lost));
  const second = study();
  expect(second).toMatch(/^16 chunks of 12 scenarios with seed 20261125, 1 to do/);
  expect(readFileSync(join(results, lost), 'utf8')).toBe(before);
  expect(second.slice(second.indexOf('| two equal ones'))).toBe(tables);
}, 240_000);
