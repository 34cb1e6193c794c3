import { createHash } from 'node:crypto';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { CVKitError } from '../../src/core/errors.js';
import { sha256 } from '../../src/datasets/readCancerImaging.js';

afterEach(() => vi.unstubAllGlobals());

describe('sha256', () => {
  it.each([
    // FIPS 180-4 examples.
    ['', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
  ])('of %o', async (text, expected) => {
    expect(await sha256(text)).toBe(expected);
  });

  it('is that of the text as UTF-8', async () => {
    expect(await sha256('Müller µg')).toBe(createHash('sha256').update('Müller µg', 'utf8').digest('hex'));
  });

  it('says what to do on a page without Web Crypto', async () => {
    vi.stubGlobal('crypto', {});
    const error = await sha256('').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(CVKitError);
    expect((error as CVKitError).message).toMatchInlineSnapshot(
      `"A checksum must be computed by Web Crypto. Got a page without it. Use HTTPS."`,
    );
  });
});
