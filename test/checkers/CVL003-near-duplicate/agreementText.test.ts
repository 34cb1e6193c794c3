import { describe, expect, it } from 'vitest';
import { agreementText } from '../../../src/checkers/CVL003-near-duplicate/nearDuplicates.js';

const number = (name: string, ...values: number[]) => ({
  name,
  kind: 'number' as const,
  values: Float64Array.from(values),
});
const label = (name: string, ...codes: number[]) => ({
  ...number(name, ...codes),
  kind: 'category' as const,
  levels: ['a', 'b'],
});

describe('agreementText', () => {
  it('names the columns with fewest rows between two, and those with most', () => {
    const columns = [
      number('age', 1, 50, 2, 3, 4),
      number('height', 1, 1, 2, 3, 4),
      number('pulse', 1, 2, 3, 4, 5),
      number('weight', 1, 3, 2, 9, 9),
      number('crp', NaN, 3, 2, 9, 9),
    ];
    expect(agreementText({ columns }, 0, 1)).toBe(
      ' (they agree most in height, pulse and weight, and differ most in crp and age)',
    );
  });

  it('leaves out labels that agree and cells that both miss; labels that differ, differ most', () => {
    const columns = [
      number('a', 1, 1, 2),
      label('same', 0, 0, 1),
      label('other', 0, 1, 1),
      number('none', NaN, NaN, 1),
    ];
    expect(agreementText({ columns }, 0, 1)).toBe(' (they agree most in a, and differ most in other)');
    expect(agreementText({ columns: columns.slice(0, 2) }, 0, 1)).toBe('');
    expect(agreementText({ columns: [columns[0], number('b', 2, 2, 2)] }, 0, 1)).toBe('');
  });

  it('numbers that many rows have tell little: flags and constants are not named first', () => {
    const columns = [
      number('site', 1, 1, 1, 1, 1, 1),
      number('flag', 1, 1, 1, 1, 1, 0),
      number('crp', 0.123, 0.124, 3, 4, 5, 6),
      number('age', 50, 51, 3, 4, 5, 99),
      number('pulse', 70, 70, 60, 61, 80, 90),
      number('weight', 60, 99, 70, 71, 80, 90),
    ];
    expect(agreementText({ columns }, 0, 1)).toBe(
      ' (they agree most in crp, age and pulse, and differ most in weight)',
    );
  });
});
