import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { nearDuplicates } from '../../../src/checkers/CVL003-near-duplicate/nearDuplicates.js';
import searchAside, { searchedAside } from '../../../src/checkers/CVL003-near-duplicate/searchAside.js';
import { checkInput } from '../../../src/checkers/checkInput.js';
import { DataLeakageChecker } from '../../../src/checkers/dataLeakageChecker.js';
import { randomSource } from '../../../src/core/random.js';
import { rowsOf } from '../../../src/data/rows.js';
import { foldsOf } from '../../../src/splitters/foldsOf.js';
import { KFold } from '../../../src/splitters/iid/kFold.js';
import { needDist } from '../../meta/dist.js';
import { normal } from './normal.js';

beforeAll(needDist);
afterEach(() => {
  vi.doUnmock('#sideThread');
  vi.resetModules();
});

/** 52,000 cells: numbers with gaps, a category, near copies, windows of one signal. */
const random = randomSource(7);
const n = 2000;
const rows = Array.from({ length: n }, (_, row) => [
  row % 3 === 0 ? 'a' : row % 7 === 0 ? 'b' : 'c',
  ...Array.from({ length: 25 }, () => (random.random() < 0.01 ? Number.NaN : normal(random))),
]);
for (let row = 0; row < 20; row++) {
  rows[n - 1 - row] = rows[row].map((cell) => (typeof cell === 'number' ? cell + 0.01 * normal(random) : cell));
}
const y = rows.map((_, row) => row % 2);
const signal = Array.from({ length: 30 * n + 60 }, () => random.random());
const windows = Array.from({ length: n }, (_, row) => signal.slice(30 * row, 30 * row + 60));

const near = async (X: (string | number)[][], only?: string[], checker = new DataLeakageChecker({ verbose: false })) =>
  (await checker.check(X, y, { groups: y.map((_, row) => row >> 1), ...(only ? { only } : {}) })).checks.find(
    ({ code }) => code === 'CVL003',
  );

describe('searchAside', () => {
  it('finds in a thread what is found here', { tags: 'slow' }, async () => {
    const scene = { data: {}, folds: foldsOf(new KFold(), n, undefined, {}) };
    for (const [X, found] of [
      [rows, 'pairs'],
      [windows, 'overlaps'],
    ] as const) {
      const input = checkInput({ ...scene, X: rowsOf(X as never) });
      expect(await searchedAside(input)).toBeUndefined();
      await nearDuplicates.begin?.(input);
      const aside = await searchedAside(input);
      expect(aside).toBeDefined();
      const { status, evidence, message } = await nearDuplicates.assess(input);
      expect([status, evidence[found]]).toEqual(['failed', expect.any(Number)]);
      // Of another input nothing was begun.
      const here = await nearDuplicates.assess(checkInput({ ...scene, X: rowsOf(X as never) }));
      expect({ status, evidence, message }).toEqual({
        status: here.status,
        evidence: here.evidence,
        message: here.message,
      });
    }
  });

  it('is asked for many cells beside other checks, and for nothing else', { tags: 'slow' }, async () => {
    const begun: string[] = [];
    vi.doMock('#sideThread', async (original) => {
      const { beginWork } = (await original()) as typeof import('../../../src/node/sideThread.js');
      return {
        beginWork: (work: 'searchAside', message: object, moved: ArrayBuffer[]) => {
          begun.push(work);
          return beginWork(work, message, moved);
        },
      };
    });
    const together = await near(rows);
    expect(begun).toEqual(['searchAside']);
    expect(await near(rows, ['near_duplicate'])).toEqual(together);
    await near(rows.map((row) => row.slice(0, 20)));
    expect(begun).toHaveLength(1);
  });

  it.each([
    ['no thread can be had', async () => Promise.reject(new Error('no thread'))],
    ['the thread dies', async () => ({ ended: Promise.resolve(undefined) })],
    ['there are no threads', undefined],
  ])('leaves the search to the check where %s', { tags: 'slow' }, async (_, beginWork) => {
    const expected = await near(rows);
    vi.doMock('#sideThread', () => ({ beginWork }));
    expect(await near(rows)).toEqual(expected);
  });

  it('does nothing when it is woken', async () => {
    expect(await searchAside(null)).toBeNull();
  });

  it('keeps no process alive', { tags: 'slow' }, () => {
    const script = `
      import { DataLeakageChecker } from 'cvkit';
      const data = Float64Array.from({ length: 60_000 }, (_, at) => Math.sin(at * at));
      const report = await new DataLeakageChecker({ verbose: false }).check({ data, shape: [2000, 30] });
      console.log(report.checks.length);`;
    const root = fileURLToPath(new URL('../../..', import.meta.url));
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', script], {
      cwd: root,
      encoding: 'utf8',
      timeout: 60_000,
    });
    expect([stdout.trim(), stderr, status]).toEqual(['12', '', 0]);
  });
});
