import { gzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { cellsOf, checkRows, plainLines, ragged } from '../../src/datasets/plainCsv.js';
import { failure } from '../helpers/failure.js';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('plainLines', () => {
  it('cuts at either line end, and leaves out empty lines at the end and the mark at the beginning', () => {
    for (const text of ['a,b\n1,µ', 'a,b\r\n1,µ\r\n', '\uFEFFa,b\n1,µ\n\n']) {
      expect(plainLines(bytes(text), 'x.csv')).toEqual(['a,b', '1,µ']);
    }
  });

  it('names what is no such file (reviewed)', () => {
    const said = (given: Uint8Array) => failure(() => plainLines(given, 'x.csv'));
    expect(said(bytes(''))).toBe('empty_table: x.csv must have rows. Got an empty file.');
    expect(said(bytes('\uFEFF \r\n'))).toBe('empty_table: x.csv must have rows. Got an empty file.');
    expect(said(bytes('<html>'))).toBe('not_a_table: x.csv must be a file of data. Got a web page (HTML).');
    const packed = (what: string) =>
      `not_a_table: x.csv must be a file of data. Got ${what}. Unpack it, and give the file that was in it.`;
    expect(said(gzipSync(bytes('a,b\n1,2')))).toBe(packed('a gzip file'));
    expect(said(new Uint8Array([0x1f, 0x8b]))).toBe(packed('a gzip file'));
    expect(said(zipSync({ 'x.csv': bytes('a,b\n1,2') }))).toBe(packed('a zip archive'));
    expect(said(new Uint8Array([0x61, 0xe4, 0x0a]))).toBe(
      'wrong_encoding: x.csv must be text in UTF-8. Got bytes that are none.',
    );
    expect(said(bytes('"a","b"\n1,2'))).toBe(
      'quoted_cells: x.csv must have cells without quotes. Got a quote. `readTable` of cvkit/node reads such files.',
    );
  });
});

describe('cellsOf', () => {
  it('cuts at commas and leaves blanks out', () => {
    expect(cellsOf(' 63.0 ,,?,x y\r')).toEqual(['63.0', '', '?', 'x y']);
  });
});

describe('ragged', () => {
  it('is the error of lines of another width', () => {
    expect(
      failure(() => {
        throw ragged('Line 3 of x.csv', 'have 14 cells', 2);
      }),
    ).toBe('ragged_rows: Line 3 of x.csv must have 14 cells. Got 2.');
  });
});

describe('checkRows', () => {
  it('refuses a header without rows', () => {
    expect(() => checkRows(['1,2'], 'x.csv')).not.toThrow();
    expect(failure(() => checkRows([], 'x.csv'))).toBe('empty_table: x.csv must have rows below its header. Got none.');
  });
});
