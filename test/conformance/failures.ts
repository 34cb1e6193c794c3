import type { ConformanceCase } from './suite.js';

/** Names of the cases that fail, for tests that break a member on purpose. */
export async function failures(cases: readonly ConformanceCase[]): Promise<string[]> {
  const failed: string[] = [];
  for (const { name, run } of cases) {
    await Promise.resolve()
      .then(run)
      .catch(() => failed.push(name));
  }
  return failed;
}
