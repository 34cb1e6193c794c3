import { describe, expect, it } from 'vitest';
import { csvCells, plainLines } from '../../src/datasets/plainCsv.js';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('plainLines', () => {
  it('cuts at either line end, and leaves out empty lines at the end and the mark at the beginning', () => {
    for (const text of ['a,b\n1,µ', 'a,b\r\n1,µ\r\n', '\uFEFFa,b\n1,µ\n\n']) {
      expect(plainLines(bytes(text), 'x.csv')).toEqual(['a,b', '1,µ']);
    }
  });
});

describe('csvCells', () => {
  it('cuts at commas and leaves blanks out', () => {
    expect(csvCells(' 63.0 ,,?,x y\r')).toEqual(['63.0', '', '?', 'x y']);
  });
});
