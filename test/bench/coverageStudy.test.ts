/** The coverage study in its smoke size: scenarios of both grids run, chunks are kept, and a seed gives the same again. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { SCENARIOS as ALL, METRICS } from '../../bench/coverageStudy/scenarios.mjs';
import { needDist } from '../meta/dist.js';
import { ROOT } from '../meta/program.js';

/** The first of each grid and kind of sampling, and those with repeats. */
const SCENARIOS = ALL.filter(
  (each, at) =>
    ALL.findIndex(({ grid, sampling }) => grid === each.grid && sampling === each.sampling) === at ||
    each.id.endsWith('-repeats'),
);
const folder = mkdtempSync(join(tmpdir(), 'cvkit-study-'));
const results = join(`${join(folder, 'results')}-smoke`, 'seed-20260101');
beforeAll(needDist);
afterAll(() => rmSync(folder, { recursive: true }));

const run = (...args: string[]) =>
  spawnSync(process.execPath, ['bench/coverageStudy/index.mjs', '--results', join(folder, 'results'), ...args], {
    cwd: ROOT,
    encoding: 'utf8',
    timeout: 120_000,
  });

function study(): string {
  const { stdout, stderr, status } = run('--smoke', ...SCENARIOS.flatMap(({ id }) => ['--only', id]));
  expect([status, stderr]).toEqual([0, '']);
  return stdout;
}
const pageOf = (output: string) => output.slice(output.indexOf('# Coverage'));

it('runs its scenarios, goes on where it stopped, and says what it found', () => {
  // Competitors that train models of their own run on every fourth scenario of a grid.
  const grids = ['tuning', 'judging'].map((grid) => SCENARIOS.filter((scenario) => scenario.grid === grid).length);
  const chunks = 3 * SCENARIOS.length + grids.reduce((sum, size) => sum + Math.ceil(size / 4), 0);
  const first = study();
  expect(first).toMatch(new RegExp(`^${chunks} chunks of ${SCENARIOS.length} scenarios, ${chunks} to do\n`));
  const table = pageOf(first);
  expect(table.match(/^\| .* patients; .* \| roc_auc \| [.01]\.?\d+ /gm)).toHaveLength(SCENARIOS.length);
  expect(table).not.toMatch(/NaN|undefined|Infinity/);
  expect(table.split('### Where the training part is 0')).toHaveLength(1 + grids.length);

  // What depends on the prevalence has no interval in a case-control study; everything else has one in every repetition.
  for (const { id, sampling } of SCENARIOS) {
    const { fits10, corrected_t } = JSON.parse(readFileSync(join(results, `${id}.intervals.0-2.json`), 'utf8'));
    for (const metric of METRICS) {
      expect([id, metric, fits10.lower[metric].length, corrected_t.upper[metric].length]).toEqual([id, metric, 2, 2]);
    }
    expect([id, fits10.lower.roc_auc.includes(null)]).toEqual([id, false]);
    if (sampling === 'case_control') expect(fits10.lower.accuracy).toEqual([null, null]);
  }

  const lost = readdirSync(results).filter((name) => name.includes('judging-small.') && name.endsWith('.json'));
  const before = lost.map((name) => readFileSync(join(results, name), 'utf8'));
  for (const name of lost) rmSync(join(results, name));
  expect(lost).toHaveLength(4);
  const second = study();
  expect(second).toMatch(new RegExp(`^${chunks} chunks of ${SCENARIOS.length} scenarios, 4 to do\n`));
  expect(lost.map((name) => readFileSync(join(results, name), 'utf8'))).toEqual(before);
  expect(pageOf(second)).toBe(table);
}, 240_000);

it('says which scenarios there are when none is meant', () => {
  const { status, stderr } = run('--only', 'nothing');
  expect([status, stderr]).toEqual([1, expect.stringContaining(SCENARIOS[0].id)]);
});
