import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { isZip, zipMember } from '../../src/datasets/zipMember.js';
import { rejection } from '../helpers/failure.js';

const bytes = (text: string) => new TextEncoder().encode(text);
const DATA = bytes('encounter_id,readmitted\n'.repeat(500));
const ARCHIVE = zipSync({ 'IDS_mapping.csv': bytes('1,Emergency'), 'data.csv': DATA });

describe('zipMember', () => {
  it('gives the file of that name, in whatever folder, packed or not', async () => {
    expect(await zipMember(ARCHIVE, 'data.csv', 1e6, 'a.zip')).toEqual(DATA);
    const inFolder = zipSync({ '__MACOSX/._data.csv': bytes('x'), data: { 'data.csv': DATA } }, { level: 0 });
    expect(await zipMember(inFolder, 'data.csv', 1e6, 'a.zip')).toEqual(DATA);
  });

  it('names what is wrong', async () => {
    const said = (archive: Uint8Array, most = 1e6) => rejection(zipMember(archive, 'data.csv', most, 'a.zip'));
    expect(await said(zipSync({ 'other.csv': DATA }))).toBe(
      'broken_archive: The archive a.zip must hold the file data.csv. Got others.',
    );
    expect(await said(ARCHIVE.subarray(0, 100))).toBe(
      'broken_archive: The archive a.zip must be a whole zip archive. Got 100 bytes that do not unpack.',
    );
    expect(await said(bytes('PK, no archive'))).toContain('must be a whole zip archive.');
    expect(await said(ARCHIVE, 1000)).toBe(
      'broken_archive: The archive a.zip must hold data.csv with at most 1,000 bytes. Got 12,000.',
    );
  });

  it('does not unpack what is too large', async () => {
    const start = Buffer.from(ARCHIVE).indexOf('data.csv') + 'data.csv'.length;
    const broken = ARCHIVE.slice().fill(255, start, start + 10);
    expect(await rejection(zipMember(broken, 'data.csv', 1e6, 'a.zip'))).toContain('that do not unpack');
    expect(await rejection(zipMember(broken, 'data.csv', 1000, 'a.zip'))).toContain('at most 1,000 bytes');
  });
});

describe('isZip', () => {
  it('goes by the first letters', () => {
    expect([ARCHIVE, DATA, bytes('P'), bytes('')].map(isZip)).toEqual([true, false, false, false]);
  });
});
