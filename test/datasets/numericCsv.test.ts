import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type NumericTable, numericCsv } from '../../src/datasets/numericCsv.js';
import { failure } from '../helpers/failure.js';
import { matrix } from '../helpers/matrix.js';

const TABLE: NumericTable = { columns: ['age', 'dose', 'died'], header: true, most: 1 };
const CODES: NumericTable = { columns: ['age', 'dose', 'stage'], header: false, most: 4, missing: '?' };
const read = (text: string, table = TABLE) => numericCsv(new TextEncoder().encode(text), table, 'ward.csv');

describe('numericCsv', () => {
  it('reads numbers below a header, with either line end, with or without a last one', () => {
    const X = matrix('61 0.5 | -47 1e-3');
    const expected = { X, y: [0, 1], featureNames: ['age', 'dose'] };
    expect(read('age,dose,died\n61,0.5,0\n-47,1e-3,1')).toEqual(expected);
    expect(read('age,dose,died\r\n61,0.5,0\r\n-47,1e-3,1\r\n')).toEqual(expected);
    expect(read('\uFEFFage, dose,died\n 61 ,0.5,0\n-47,1e-3,1.0\n\n')).toEqual(expected);
  });

  it('reads numbers without a header, and NaN where one is missing', () => {
    const X = matrix('61 NaN | NaN 1');
    expect(read('61,?,4\n ? ,1,0', CODES)).toEqual({ X, y: [4, 0], featureNames: ['age', 'dose'] });
  });

  it('gives back every double that was written', () => {
    const double = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(fc.array(fc.tuple(double, double, fc.nat(1)), { minLength: 1 }), (rows) => {
        const written = rows.map((each) => each.map((value) => value + 0).join(',')).join('\n');
        const { X, y } = read(`age,dose,died\n${written}`);
        expect(X).toEqual(rows.map(([age, dose]) => [age + 0, dose + 0]));
        expect(y).toEqual(rows.map(([, , label]) => label));
      }),
    );
  });

  it('reads decimal numbers alone', () => {
    const cells = ['61', '-61', '+61', '61.', '.5', '6.1e1', '6E-1', '-0.5'];
    expect(cells.map((cell) => read(`${cell},1,0`, CODES).X[0][0])).toEqual(cells.map(Number));
    for (const cell of ['0x3F', '0b11', '0o17', '1_000', '1e', '.', '1e999', '6 1', '１', '', 'NaN', 'Infinity']) {
      expect(failure(() => read(`${cell},1,0`, CODES))).toMatch(/^not_numeric: Line 1 of ward\.csv, column 'age' must/);
      expect(failure(() => read(`1,1,${cell}`, CODES))).toMatch(/column 'stage' must be a whole number from 0 to 4/);
    }
  });

  it('refuses what is none of the codes, and measurements that are not above 0', () => {
    const table: NumericTable = { ...CODES, codes: { dose: [3, 6, 7] }, positive: ['age'] };
    expect(read('0.1,6.0,1\n?,?,0', table).X).toEqual(matrix('0.1 6 | NaN NaN'));
    const said = (line: string, of = table) => failure(() => read(`5,3,0\n${line}`, of));
    const dose = "invalid_data: Line 2 of ward.csv, column 'dose' must be one of 3, 6, 7 or '?'.";
    expect(said('5,4,0')).toBe(`${dose} Got a number from 3 to 7.`);
    expect(said('5,8,0')).toBe(`${dose} Got a number above 7.`);
    expect(said('5,0,0')).toBe(`${dose} Got 0.`);
    const age = "invalid_data: Line 2 of ward.csv, column 'age' must be a number above 0";
    expect(said('0,3,0')).toBe(`${age} or '?'. Got 0.`);
    expect(said('-1,3,0', { ...table, missing: undefined })).toBe(`${age}. Got a number below 0.`);
  });
});
