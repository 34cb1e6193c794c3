import fc from 'fast-check';
import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { zipMember } from '../../src/datasets/zipMember.js';
import { rejection } from '../helpers/failure.js';

const bytes = (text: string) => new TextEncoder().encode(text);
/** By the definition: a polynomial division, bit by bit (ISO 3309). */
const crc32 = (of: Uint8Array) => {
  let rest = ~0;
  for (const byte of of) {
    for (let bit = 0; bit < 8; bit++) rest = (rest >>> 1) ^ (((rest ^ (byte >> bit)) & 1) * 0xedb88320);
  }
  return ~rest >>> 0;
};
const DATA = bytes('encounter_id,readmitted\n'.repeat(500));
const ARCHIVE = zipSync({ 'IDS_mapping.csv': bytes('1,Emergency'), 'data.csv': DATA });

describe('zipMember', () => {
  it('gives the file of that name, in whatever folder, packed or not', async () => {
    expect(await zipMember(ARCHIVE, 'data.csv', 1e6, 'a.zip')).toEqual(DATA);
    const inFolder = zipSync({ '__MACOSX/._data.csv': bytes('x'), data: { 'data.csv': DATA } }, { level: 0 });
    expect(await zipMember(inFolder, 'data.csv', 1e6, 'a.zip')).toEqual(DATA);
  });

  /** A copy with other bytes in the directory entry of data.csv, from the given place in it. */
  const withDirectory = (archive: Uint8Array, offset: number, value: number) => {
    const changed = archive.slice();
    const start = Buffer.from(changed).lastIndexOf('data.csv') - 46;
    new DataView(changed.buffer).setUint32(start + offset, value, true);
    return changed;
  };

  it.each([
    ['packed', 6],
    ['stored', 0],
  ] as const)('%s: compares size and CRC-32 with the directory', async (_, level) => {
    const archive = zipSync({ 'IDS_mapping.csv': bytes('1,Emergency'), 'data.csv': DATA }, { level });
    expect(await zipMember(withDirectory(archive, 16, crc32(DATA)), 'data.csv', 1e6, 'a.zip')).toEqual(DATA);
    const said = (changed: Uint8Array) => rejection(zipMember(changed, 'data.csv', 1e6, 'a.zip'));
    const damaged =
      'broken_archive: The archive a.zip must hold data.csv as its directory tells. ' +
      'Got another size or CRC-32: the archive was changed or damaged.';
    expect(await said(withDirectory(archive, 16, 0xdeadbeef))).toBe(damaged);
    for (const size of [DATA.length - 1, DATA.length + 1]) {
      expect(await said(withDirectory(archive, 24, size))).toMatch(/^broken_archive: /);
    }
    if (level > 0) return;
    const changed = archive.slice();
    changed[Buffer.from(changed).indexOf('encounter_id')] ^= 1;
    expect(await said(changed)).toBe(damaged);
  });

  it('gives back whatever was packed', async () => {
    const content = fc.uint8Array({ maxLength: 300 });
    await fc.assert(
      fc.asyncProperty(content, content, async (before, data) => {
        const archive = zipSync({ before, 'data.csv': data });
        expect(await zipMember(archive, 'data.csv', 1e6, 'a.zip')).toEqual(data);
      }),
    );
  });

  it('does not unpack what is too large', async () => {
    const start = Buffer.from(ARCHIVE).indexOf('data.csv') + 'data.csv'.length;
    const broken = ARCHIVE.slice().fill(255, start, start + 10);
    expect(await rejection(zipMember(broken, 'data.csv', 1e6, 'a.zip'))).toContain('that do not unpack');
    expect(await rejection(zipMember(broken, 'data.csv', 1000, 'a.zip'))).toContain('at most 1,000 bytes');
  });
});
