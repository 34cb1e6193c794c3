import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isNumeric, writtenNumbers } from '../../src/data/writtenNumbers.js';

const read = (...texts: string[]) => Object.fromEntries(writtenNumbers(texts).values);

describe('writtenNumbers', () => {
  it('reads limits, signs, percents, exponents and one unit', () => {
    expect(read('<0.1', '≥ 500', '~7', '−3', '12 %', '1.5e-3')).toEqual({
      '<0.1': 0.1,
      '≥ 500': 500,
      '~7': 7,
      '−3': -3,
      '12 %': 12,
      '1.5e-3': 0.0015,
    });
    expect(read('4.7 mg/dl', '5.5mg/dL', '6')).toEqual({ '4.7 mg/dl': 4.7, '5.5mg/dL': 5.5, '6': 6 });
    expect(read('37.2 °C', '39 °C')).toEqual({ '37.2 °C': 37.2, '39 °C': 39 });
    // The Greek letter and the sign for micro.
    expect(read('5 µg', '7 μg')).toEqual({ '5 µg': 5, '7 μg': 7 });
  });

  it('tells a decimal comma from a mark of thousands by all texts of the column', () => {
    expect(read('12,3', '1,234')).toEqual({ '12,3': 12.3, '1,234': 1.234 });
    expect(read('1,234', '12,345,678', '999')).toEqual({ '1,234': 1234, '12,345,678': 12_345_678, '999': 999 });
    expect(read('0,125', '1,250')).toEqual({ '0,125': 0.125, '1,250': 1.25 });
    expect(read('1,234.5', '2,000')).toEqual({ '1,234.5': 1234.5, '2,000': 2000 });
    expect(read('1.234.567', '2.345.678')).toEqual({ '1.234.567': 1_234_567, '2.345.678': 2_345_678 });
    expect(read('1.234,5', '1.234', '987,5', '12')).toEqual({
      '1.234,5': 1234.5,
      '1.234': 1234,
      '987,5': 987.5,
      '12': 12,
    });
    expect(read('1.234,5 mg', '1.234 mg')).toEqual({ '1.234,5 mg': 1234.5, '1.234 mg': 1234 });
    expect(read('12 345', '1’000')).toEqual({ '12 345': 12_345, '1’000': 1000 });
  });

  it('has NaN for marks of missing values, and nothing for other texts', () => {
    expect(read('NA', 'n/a', ' ? ', 'NULL', '3')).toEqual({
      NA: Number.NaN,
      'n/a': Number.NaN,
      ' ? ': Number.NaN,
      NULL: Number.NaN,
      '3': 3,
    });
    // What is no number has no say in how others are read.
    expect(read('1,234', '5,678', '1,2,3')).toEqual({ '1,234': 1234, '5,678': 5678 });
    for (const text of [
      '123456A',
      '794 188 578',
      '034 779 438',
      '50111F',
      '0x1388',
      '12.03.2019',
      '02/03/2019',
      '12:30',
      'P7',
      'G3a',
      '120/80',
      '1-2',
      '1 2',
      '-',
      'haemolysed',
    ]) {
      expect(read(text)).toEqual({});
    }
    expect(read(`1${' '.repeat(100_000)}!`)).toEqual({});
  });

  it('does not compare numbers of several units', () => {
    expect(read('5 mg', '1 g', '7', '8 %')).toEqual({ '7': 7 });
    expect(read('T1', '2a', '2b')).toEqual({});
  });

  it('says whether all are plain numbers or marks', () => {
    expect(
      [
        ['1', 'NA'],
        ['1', '<1'],
        ['1', 'x'],
      ].map((texts) => writtenNumbers(texts).plain),
    ).toEqual([true, false, false]);
  });

  it('reads what was written from any number', () => {
    fc.assert(
      fc.property(fc.double({ min: -1e6, max: 1e6, noNaN: true }), fc.integer({ min: 0, max: 4 }), (value, digits) => {
        const plain = value.toFixed(digits);
        const comma = plain.replace('.', ',');
        // Another text of the column says that commas are decimal ones.
        expect(writtenNumbers([`<${comma}`, '0,5']).values.get(`<${comma}`)).toBeCloseTo(Number(plain), 10);
        expect(writtenNumbers([`${plain} kg`]).values.get(`${plain} kg`)).toBeCloseTo(Number(plain), 10);
      }),
    );
  });
});

describe('isNumeric', () => {
  it('takes what Number takes, without blanks and infinities', () => {
    expect(['1', ' 2.5 ', '-1e3', '', ' ', 'Infinity', 'x', '1,5'].filter(isNumeric)).toEqual(['1', ' 2.5 ', '-1e3']);
  });
});
