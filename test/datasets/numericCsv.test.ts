import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InvalidDataError } from '../../src/core/errors.js';
import { numericCsv } from '../../src/datasets/numericCsv.js';

const read = (text: string) => numericCsv(text, ['age', 'dose'], 'ward.csv');
const failure = (text: string): string => {
  try {
    read(text);
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidDataError);
    return (error as Error).message;
  }
  throw new Error('nothing was thrown');
};

describe('numericCsv', () => {
  it('reads numbers below a header, with either line end, with or without a last one', () => {
    const rows = [
      [61, 0.5],
      [-47, 1e-3],
    ];
    expect(read('age,dose\n61,0.5\n-47,1e-3')).toEqual(rows);
    expect(read('age,dose\r\n61,0.5\r\n-47,1e-3\r\n')).toEqual(rows);
    expect(read('\uFEFFage, dose\n 61 ,0.5\n-47,1e-3\n\n')).toEqual(rows);
  });

  it('gives back every double that was written', () => {
    const row = fc.tuple(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    );
    fc.assert(
      fc.property(fc.array(row, { minLength: 1 }), (rows) => {
        const written = rows.map((each) => each.map((value) => value + 0).join(',')).join('\n');
        expect(read(`age,dose\n${written}`)).toEqual(rows.map((each) => each.map((value) => Number(String(value)))));
      }),
    );
  });

  it('names line and column of what is wrong (reviewed)', () => {
    expect(failure('age,dose')).toMatchInlineSnapshot(`"ward.csv must have rows below its header. Got none."`);
    expect(failure('')).toMatchInlineSnapshot(`"Line 1 of ward.csv must name 2 columns, from 'age' to 'dose'. Got 1."`);
    expect(failure('age\n1')).toMatchInlineSnapshot(
      `"Line 1 of ward.csv must name 2 columns, from 'age' to 'dose'. Got 1."`,
    );
    expect(failure('dose,age\n1,2')).toMatchInlineSnapshot(
      `"Line 1 of ward.csv, column 1 must be 'age'. Got another name."`,
    );
    expect(failure('age,dose\n1,2\n3')).toMatchInlineSnapshot(
      `"Line 3 of ward.csv must have 2 values, as the header has. Got 1."`,
    );
    expect(failure('age,dose\n1,2\n\n3,4')).toMatchInlineSnapshot(
      `"Line 3 of ward.csv must have 2 values, as the header has. Got 1."`,
    );
    expect(failure('age,dose\n1,2\n3,?')).toMatchInlineSnapshot(
      `"Line 3 of ward.csv, column 'dose' must be a number. Got a string."`,
    );
    expect(failure('age,dose\n1,')).toMatchInlineSnapshot(
      `"Line 2 of ward.csv, column 'dose' must be a number. Got an empty string."`,
    );
    expect(failure('age,dose\nNaN,1')).toMatchInlineSnapshot(
      `"Line 2 of ward.csv, column 'age' must be a number. Got a string."`,
    );
    expect(failure('age,dose\n1,Infinity')).toMatchInlineSnapshot(
      `"Line 2 of ward.csv, column 'dose' must be a number. Got a string."`,
    );
  });
});
