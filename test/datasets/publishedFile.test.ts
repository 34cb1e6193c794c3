import { describe, expect, it } from 'vitest';
import { isWebPage, verifiedContent } from '../../src/datasets/publishedFile.js';
import { rejection } from '../helpers/failure.js';
import { published } from '../helpers/published.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const CONTENT = bytes('61,?,1\n');
const URL = 'https://example.org/data.csv';

describe('verified', () => {
  it('gives the content with its hash, taken out of the archive where there is one', async () => {
    const { sha256 } = published(URL, CONTENT);
    expect(await verifiedContent(published(URL, CONTENT), CONTENT, 'the cache')).toEqual({ content: CONTENT, sha256 });
    const packed = published(URL, CONTENT, { unpack: async (archive) => archive.subarray(3) });
    expect((await verifiedContent(packed, bytes(`PK!${'61,?,1\n'}`), 'the cache')).sha256).toBe(sha256);
  });

  it('names both hashes; the size where it is another', async () => {
    const said = async (text: string) =>
      (await rejection(verifiedContent(published(URL, CONTENT), bytes(text), 'the cache'))).replace(
        /[0-9a-f]{64}/g,
        'HASH',
      );
    const way =
      'The publisher may have changed the file, or something between here and there did; a file that you trust can be given as `path`.';
    const must = 'checksum: data.csv from the cache must have the SHA-256 HASH.';
    expect(await said('61,?,0\n')).toBe(`${must} Got HASH. ${way}`);
    expect(await said('61')).toBe(`${must} Got HASH, only 2 bytes where there are 7. ${way}`);
    expect(await said('61,?,0,0\n')).toBe(`${must} Got HASH, 9 bytes where there are 7. ${way}`);
  });

  it('tells of an archive that does not open', async () => {
    const broken = published(URL, CONTENT, { unpack: () => Promise.reject(new Error('no archive')) });
    expect(await rejection(verifiedContent(broken, CONTENT, 'the cache'))).toContain(
      'Got an archive of 7 bytes that does not open (no archive).',
    );
  });
});

describe('isWebPage', () => {
  it.each([
    '<!DOCTYPE html>',
    '\n  <!doctype HTML><p>',
    '<html lang="de">',
    '<HEAD>',
    '<?xml version="1.0"?>',
    '<!-- x -->',
  ])('%o', (text) => expect(isWebPage(bytes(text))).toBe(true));
  it.each(['', '63.0,1.0', 'encounter_id,patient_nbr', '<30,NO', 'PK\x03\x04'])('not %o', (text) =>
    expect(isWebPage(bytes(text))).toBe(false),
  );
});
