import { describe, expect, it } from 'vitest';
import { cleanUpAll, cleanupOnError, withCleanup } from '../../src/core/cleanup.js';

const fails = (message: string) => async () => {
  throw new Error(message);
};

describe('withCleanup', () => {
  it('cleans up after success and after failure', async () => {
    const log: string[] = [];
    const cleanup = () => log.push('clean');
    expect(await withCleanup(async () => 7, cleanup)).toBe(7);
    await expect(withCleanup(fails('work'), cleanup)).rejects.toThrow('work');
    expect(log).toEqual(['clean', 'clean']);
  });

  it('throws the error of the cleanup when the work was fine', async () => {
    await expect(withCleanup(async () => 7, fails('cleanup'))).rejects.toThrow('cleanup');
  });

  it('keeps the first error and the later ones with it', async () => {
    const nested = withCleanup(() => withCleanup(fails('work'), fails('first cleanup')), fails('second cleanup'));
    const error = await nested.catch((thrown) => thrown);
    expect(error.message).toBe('work');
    expect(error.suppressed.map(({ message }: Error) => message)).toEqual(['first cleanup', 'second cleanup']);
  });

  it('throws the first error also where it takes no list of later ones, or has something under that name', async () => {
    const frozen = Object.freeze(new Error('work'));
    await expect(withCleanup(() => Promise.reject(frozen), fails('cleanup'))).rejects.toBe(frozen);
    const own = Object.assign(new Error('work'), { suppressed: 'before' });
    const error = await withCleanup(() => Promise.reject(own), fails('cleanup')).catch((thrown) => thrown);
    expect(error).toBe(own);
    expect(error.suppressed).toEqual(['before', expect.objectContaining({ message: 'cleanup' })]);
  });

  it('keeps what was thrown when it is no object', async () => {
    await expect(withCleanup(() => Promise.reject('text'), fails('cleanup'))).rejects.toBe('text');
  });
});

it('cleanupOnError cleans up after failure alone, and keeps the error of the work', async () => {
  const log: string[] = [];
  const clean = () => log.push('clean');
  expect(await cleanupOnError(async () => 7, clean)).toBe(7);
  expect(log).toEqual([]);
  const failed = cleanupOnError(fails('work'), fails('cleanup'));
  await expect(failed).rejects.toMatchObject({ message: 'work', suppressed: [{ message: 'cleanup' }] });
  await expect(cleanupOnError(fails('work'), clean)).rejects.toThrow('work');
  expect(log).toEqual(['clean']);
});

it('cleanUpAll does all of them in order and throws the first error', async () => {
  const log: number[] = [];
  const all = cleanUpAll([() => log.push(1), fails('second'), async () => log.push(3), fails('fourth')]);
  await expect(all).rejects.toMatchObject({ message: 'second', suppressed: [{ message: 'fourth' }] });
  expect(log).toEqual([1, 3]);
  await cleanUpAll([]);
});
