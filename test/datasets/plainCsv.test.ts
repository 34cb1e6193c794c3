import { gzipSync, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { cellsOf, checkRows, plainLines, ragged } from '../../src/datasets/plainCsv.js';
import { refusal } from '../helpers/messages.js';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('plainLines', () => {
  it('cuts at either line end, and leaves out empty lines at the end and the mark at the beginning', () => {
    for (const text of ['a,b\n1,µ', 'a,b\r\n1,µ\r\n', '\uFEFFa,b\n1,µ\n\n']) {
      expect(plainLines(bytes(text), 'x.csv')).toEqual(['a,b', '1,µ']);
    }
  });

  it('names what is no such file', () => {
    const refused: [string, Uint8Array][] = [
      ['empty_table', bytes('')],
      ['empty_table', bytes('\uFEFF \r\n')],
      ['not_a_table', bytes('<html>')],
      ['not_a_table', gzipSync(bytes('a,b\n1,2'))],
      ['not_a_table', Uint8Array.of(0x1f, 0x8b)],
      ['not_a_table', zipSync({ 'x.csv': bytes('a,b\n1,2') })],
      ['wrong_encoding', Uint8Array.of(0x61, 0xe4, 0x0a)],
      ['quoted_cells', bytes('"a","b"\n1,2')],
    ];
    for (const [code, given] of refused) expect(() => plainLines(given, 'x.csv')).toThrow(refusal(code, 'x.csv'));
  });
});

describe('cellsOf', () => {
  it('cuts at commas and leaves blanks out', () => {
    expect(cellsOf(' 63.0 ,,?,x y\r')).toEqual(['63.0', '', '?', 'x y']);
  });
});

describe('ragged', () => {
  it('is the error of lines of another width', () => {
    const { code, message } = ragged('Line 3 of x.csv', 'have 14 cells', 2);
    expect([code, message]).toEqual(['ragged_rows', expect.stringMatching(/^Line 3 of x\.csv .* 14 .* 2\.$/)]);
  });
});

describe('checkRows', () => {
  it('refuses a header without rows', () => {
    expect(() => checkRows(['1,2'], 'x.csv')).not.toThrow();
    expect(() => checkRows([], 'x.csv')).toThrow(refusal('empty_table', 'x.csv'));
  });
});
