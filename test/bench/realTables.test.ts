/** Some of the real tables in the data beside the repository; without them the test is skipped. */
import { spawnSync } from 'node:child_process';
import { dirname } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { sharedFile } from '../helpers/sharedData.js';
import { needDist } from '../meta/dist.js';
import { ROOT } from '../meta/program.js';

interface Result {
  readonly table: { readonly table: string; readonly findings: readonly { readonly kind: string }[] };
  readonly plants: readonly { readonly found: boolean }[];
}

const described = sharedFile('tables/tables.mjs');

describe.skipIf(!described)('the checks on real tables', () => {
  beforeAll(needDist);

  it('find nothing in them as they are, and what is planted in them', () => {
    const folder = dirname(described as string);
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      ['bench/leakage/tables.mjs', folder, '--only', 'pbc,urine,kidtran,bdendo', '--seed', '31', '--json'],
      { cwd: ROOT, encoding: 'utf8', timeout: 180_000 },
    );
    expect([status, stderr]).toEqual([0, '']);
    const results: Result[] = JSON.parse(stdout);
    // Shift is about folds that are drawn: chance gives it at its error rate, in any table.
    expect(
      results.map(({ table: { table, findings } }) => [table, findings.filter(({ kind }) => kind !== 'shift')]),
    ).toEqual(['pbc', 'urine', 'bdendo', 'kidtran'].map((name) => [name, []]));
    expect(results.slice(0, 2).flatMap(({ plants }) => plants.filter(({ found }) => !found))).toEqual([]);
  });
});
