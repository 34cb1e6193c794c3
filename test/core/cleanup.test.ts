import { describe, expect, it } from 'vitest';
import { withCleanup } from '../../src/core/cleanup.js';

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

  it('keeps what was thrown when it is no object', async () => {
    await expect(withCleanup(() => Promise.reject('text'), fails('cleanup'))).rejects.toBe('text');
  });
});
