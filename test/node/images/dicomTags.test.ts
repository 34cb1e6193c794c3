import type { DataSet } from 'dicom-parser';
import { describe, expect, it } from 'vitest';
import { notesOf, tagsOf } from '../../../src/node/images/dicomFile.js';

/** A header with these bytes of the patient and of the institution. */
function header(patient: Uint8Array, site: Uint8Array, others: Record<string, string> = {}): DataSet {
  const byteArray = Buffer.concat([patient, site]);
  const elements = {
    x00100020: { dataOffset: 0, length: patient.length },
    x00080080: { dataOffset: patient.length, length: site.length },
    ...Object.fromEntries(Object.keys(others).map((tag) => [tag, {}])),
  };
  return { byteArray, elements, string: (tag: string) => others[tag] } as unknown as DataSet;
}

const latin = (text: string) => Buffer.from(text, 'latin1');
const utf8 = { x00080005: 'ISO_IR 192' };

describe('tagsOf', () => {
  it('reads the letters that the header names, without what fills them up', () => {
    expect(tagsOf(header(latin('007 '), latin('Zürich\0')))).toEqual({ patient: '007', site: 'Zürich' });
    expect(tagsOf(header(latin(' P1'), Buffer.from('Zürich '), utf8))).toEqual({ patient: 'P1', site: 'Zürich' });
    expect(tagsOf(header(latin('  '), latin('')))).toEqual({});
  });

  it('keeps two patients apart whose letters are not those that the header names', () => {
    const [one, two] = ['Müller', 'Möller'].map((name) => tagsOf(header(latin(name), latin('S'), utf8)).patient);
    expect([one, two]).toEqual(['Müller', 'Möller']);
  });
});

describe('notesOf', () => {
  it('tells pixel padding, text that is burned in, and bytes beyond a filled up one', () => {
    const empty = latin('');
    expect(notesOf(header(empty, empty), 1)).toEqual([]);
    expect(notesOf(header(empty, empty, { x00280120: '', x00280301: 'YES ' }), 2)).toEqual([
      'padding',
      'burned',
      'excess',
    ]);
    expect(notesOf(header(empty, empty, { x00280301: 'NO' }), 0)).toEqual([]);
  });
});
