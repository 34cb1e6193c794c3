/** A file system that stops: as a process that is killed, or as a disk that is full. */
import fs from 'node:fs/promises';
import { vi } from 'vitest';

type Handle = Awaited<ReturnType<typeof fs.open>>;

/**
 * Does `work` while the file system does `most` operations that change something. The next one is done by half, as far as it
 * can be, and fails. `kill`: so do all that follow. `full`: those that need space do. Gives what was thrown, or undefined where
 * `work` ended before.
 */
export async function stopping(most: number, how: 'kill' | 'full', work: () => Promise<unknown>): Promise<unknown> {
  let done = 0;
  const isOver = (needsSpace: boolean) => (how === 'kill' || needsSpace) && ++done > most;
  const stop = () => Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
  const guard = (name: 'rename' | 'link' | 'rm' | 'mkdir', needsSpace: boolean) => {
    const real = fs[name] as (...args: unknown[]) => Promise<unknown>;
    return vi
      .spyOn(fs, name)
      .mockImplementation(((...args: unknown[]) =>
        isOver(needsSpace) ? Promise.reject(stop()) : real(...args)) as never);
  };
  const { open, writeFile } = fs;
  const spies = [
    guard('rename', false),
    guard('link', true),
    guard('rm', false),
    guard('mkdir', true),
    vi.spyOn(fs, 'writeFile').mockImplementation(async (path, data) => {
      if (!isOver(true)) return writeFile(path, data);
      await writeFile(path, 'half');
      throw stop();
    }),
    vi.spyOn(fs, 'open').mockImplementation(async (path, flags) => {
      if (isOver(flags === 'wx')) throw stop();
      const handle: Handle = await open(path, flags);
      const { appendFile, sync } = handle;
      handle.appendFile = async (data) => {
        if (!isOver(true)) return appendFile.call(handle, data);
        await appendFile.call(handle, (data as Uint8Array).slice(0, (data as Uint8Array).length / 2) as never);
        throw stop();
      };
      handle.sync = async () => {
        if (isOver(false)) throw stop();
        return sync.call(handle);
      };
      return handle;
    }),
  ];
  try {
    await work();
    return undefined;
  } catch (error) {
    return error;
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
}
