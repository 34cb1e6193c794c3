/** Rows for runs of `models/counted.mjs`, and how often it was fitted. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, expect } from 'vitest';
import { tempFolder } from '../helpers/tempFolder.js';

export const model = new URL('./models/counted.mjs', import.meta.url);
export const X = Array.from({ length: 160 }, (_, row) => [Math.sin(row), Math.cos(3 * row)]);
export const y = X.map(([first], row) => Number(first > 0 ? row % 3 !== 0 : row % 5 === 0));
export const patients = X.map((_, row) => `patient-${row % 60}`);

/** A place for each test, which `onPlace` is told, and counts of fits that begin at 0. */
export function countedRuns(onPlace: (place: string) => void) {
  const { folder } = tempFolder();
  let count = 0;
  beforeEach(async () => {
    onPlace(join(folder, `run-${count++}`));
    process.env.FITS = join(folder, 'fits');
    delete process.env.BREAKS_AFTER;
    await writeFile(process.env.FITS, '');
  });
  return { folder, fits: async () => (await readFile(process.env.FITS as string, 'utf8')).length / 2 };
}

export const thrownBy = (work: () => Promise<unknown>): Promise<Error & { code?: string }> =>
  work().then(
    () => expect.unreachable(),
    (error) => error,
  );

/** A call that breaks off when so many models are trained. */
export async function breakOff(work: () => Promise<unknown>, after: number) {
  process.env.BREAKS_AFTER = String(after);
  expect((await thrownBy(work)).message).toContain('broken off');
  delete process.env.BREAKS_AFTER;
}
