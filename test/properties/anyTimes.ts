/** Random times of rows for the properties of temporal splitters: numbers of any size, dates in any form, many ties. */
import fc from 'fast-check';

export type Time = number | Date | string;

export const anyNumber = fc.oneof(
  fc.integer({ min: -5, max: 5 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(Number.MAX_VALUE, -Number.MAX_VALUE, Number.MIN_VALUE, -0, 2 ** 53, 2 ** 53 - 1),
);
export const DAY = 86_400_000;
const [year1, year9999] = [Date.parse('0001-01-02'), Date.parse('9999-12-30')];
/** A moment as a Date, in UTC with or without Z, or with an offset; many lie near the turn of a year. */
const anyDate = fc
  .tuple(
    fc.oneof(
      fc.integer({ min: year1, max: year9999 }),
      fc
        .tuple(fc.integer({ min: 1960, max: 2040 }), fc.integer({ min: -40, max: 40 }))
        .map(([year, quarters]) => Date.UTC(year, 0, 1) + (quarters * DAY) / 4),
    ),
    fc.integer({ min: -14 * 60, max: 14 * 60 }),
    fc.constantFrom('date', 'Z', 'bare', 'offset'),
  )
  .map(([time, minutes, form]): Date | string => {
    const text = new Date(time).toISOString();
    if (form === 'date') return new Date(time);
    if (form === 'Z') return text;
    if (form === 'bare') return text.slice(0, -1).replace('T', ' ');
    const two = (value: number) => String(Math.floor(Math.abs(value))).padStart(2, '0');
    const local = new Date(time + minutes * 60_000).toISOString().slice(0, -1);
    return `${local}${minutes < 0 ? '-' : '+'}${two(minutes / 60)}:${two(minutes % 60)}`;
  });

/** Up to 90 rows at times drawn from few, so that many are equal. */
const rowsAtOneOf = <T extends Time>(time: fc.Arbitrary<T>) =>
  fc
    .array(time, { minLength: 1, maxLength: 40, size: 'max' })
    .chain((pool) => fc.array(fc.constantFrom(...pool), { minLength: 1, maxLength: 90, size: 'max' }));
const numbers = rowsAtOneOf(anyNumber);
export const dates = rowsAtOneOf(anyDate);
export const anyTimes: fc.Arbitrary<Time[]> = fc.oneof(numbers, dates);
