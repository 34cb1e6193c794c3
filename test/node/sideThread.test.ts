import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { needDist } from '../meta/dist.js';

beforeAll(needDist);

const begin = async () => {
  const { beginWork } = await import('#sideThread');
  if (!beginWork) throw new Error('no thread');
  return beginWork('searchAside', null, []);
};

describe('beginWork', () => {
  it('refuses more work while the thread is at work, and takes it after that', async () => {
    const first = await begin();
    await expect(begin()).rejects.toThrow('at work');
    expect(await first.ended).toBeNull();
    for (let turn = 0; turn < 12; turn++) expect(await (await begin()).ended).toBeNull();
  });

  it('leaves the work to the caller where the thread cannot start, each time', () => {
    const script = `
      import { DataLeakageChecker } from 'cvkit';
      const data = Float64Array.from({ length: 60_000 }, (_, at) => Math.sin(at * at));
      const checker = new DataLeakageChecker({ verbose: false });
      for (let turn = 0; turn < 2; turn++) {
        const report = await checker.check({ data, shape: [2000, 30] });
        console.log(report.checks.find(({ code }) => code === 'CVL003').status);
      }`;
    const hook = "import { isMainThread } from 'node:worker_threads'; if (!isMainThread) throw new Error('no start');";
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ['--import', `data:text/javascript,${encodeURIComponent(hook)}`, '--input-type=module', '-e', script],
      { cwd: fileURLToPath(new URL('../..', import.meta.url)), encoding: 'utf8', timeout: 60_000 },
    );
    expect([stdout, status]).toEqual(['failed\nfailed\n', 0]);
    expect(stderr.match(/A thread of cvkit that had no work has ended: no start/g)).toHaveLength(1);
  });
});
